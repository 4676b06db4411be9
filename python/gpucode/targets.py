# SPDX-License-Identifier: MIT
"""Targets, the rows of their instruction sets, and single instructions."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union, overload

from ._core import (Calls, GpucodeError, Messages, a, buffer_of, called, check, data_of, expected, ffi, fill, lib, listed,
                    named, record, record_as, records, struct_of, text)
from ._enums import Evidence, FlowKind, Space, Use
from .structs import Action, Effect, Facts, Field, Flow, Operand, Policy, Row, RowField

__all__ = ["Evidence", "FlowKind", "Insn", "Names", "Space", "Target", "Use", "target", "targets"]


@called(0)
def gpucode_py_insn_label(function: Any, insn: Any, address: int, buffer: Any, size: int) -> int:
    return fill(buffer, size, function(address))


@called(False)
def gpucode_py_symbol(function: Any, name: Any, length: int, value: Any) -> bool:
    found = function(ffi.buffer(name, length)[:].decode("utf-8", "surrogateescape"))
    if found is None:
        return False
    value[0] = found
    return True


@called(0)
def gpucode_py_name(function: Any, space: int, number: int, buffer: Any, size: int) -> int:
    return fill(buffer, size, function(space, number))


@called(False)
def gpucode_py_number(function: Any, space: int, name: Any, length: int, number: Any) -> bool:
    found = function(space, ffi.buffer(name, length)[:].decode("utf-8", "surrogateescape"))
    if found is None:
        return False
    number[0] = found
    return True


class Names:
    """Names of one's own, ahead of the built-in ones: a mapping of (space, number) to name."""

    def __init__(self, names: Mapping[Tuple[int, int], str]):
        self._calls, self._names = Calls(), dict(names)
        for place, name in self._names.items():
            if not isinstance(place, tuple) or len(place) != 2 or not isinstance(name, str):
                raise TypeError(f"{place!r}: {name!r} is not a name for a place: expected (space, number): text")
        self._numbers = {(space, name): number for (space, number), name in self._names.items()}
        self._c = ffi.new("struct gpucode_names *", {"name": lib.gpucode_py_name, "number": lib.gpucode_py_number,
                                                    "user": self._calls.handle(self._look)})

    def _look(self, space: int, key: Union[int, str]) -> Any:
        return self._names.get((space, key)) if isinstance(key, int) else self._numbers.get((space, key))


class Target:
    """An instruction set as one chip or generation has it: `target("afuc:a630")`."""

    def __init__(self, pointer: Any):
        self._c = struct_of("struct gpucode_target", pointer)

    @classmethod
    def _of(cls, pointer: Any) -> Optional["Target"]:
        return None if pointer == ffi.NULL else cls(pointer)

    @property
    def name(self) -> str:
        """Its name, as `gpucode targets` has it: "afuc:a630"."""
        return text(lib.gpucode_target_name(self._c)) or ""

    @property
    def isa(self) -> str:
        """The instruction set: "afuc"."""
        return text(lib.gpucode_target_isa(self._c)) or ""

    @property
    def generation(self) -> str:
        """The generation of the set that it belongs to."""
        return text(lib.gpucode_target_generation(self._c)) or ""

    @property
    def description(self) -> str:
        """What it is, in words."""
        return text(lib.gpucode_target_description(self._c)) or ""

    @property
    def manual(self) -> Optional[str]:
        """The chapters of the set's manual, in Markdown."""
        return text(lib.gpucode_target_manual(self._c))

    @property
    def facts(self) -> Facts:
        """What is true of the set: does it have calls, packets, delay slots."""
        return record_as(Facts, lib.gpucode_target_facts(self._c))

    @property
    def unit_bytes(self) -> int:
        """Bytes of a unit, which places are counted in."""
        return int(lib.gpucode_target_unit_bytes(self._c))

    @property
    def family(self) -> int:
        """Of its GPU, as packets and registers are named by it; 0: none."""
        return int(lib.gpucode_target_family(self._c))

    @property
    def rows(self) -> List[Row]:
        """What is known of each row of the set; `on_target` says whether this target has it."""
        rows = []
        for index, row in enumerate(listed(lib.gpucode_row, self._c, "struct gpucode_row")):
            rows.append(record(row))
            rows[-1].on_target = bool(lib.gpucode_row_on_target(self._c, index))
            rows[-1].fields = self._row_fields(index)
        return rows

    def _row_fields(self, row: int) -> List[RowField]:
        def get(owner: Any, index: int, out: Any) -> bool:
            return bool(lib.gpucode_row_field(owner, row, index, out))
        return records(get, self._c, "struct gpucode_row_field")

    def action(self, row: int) -> List[Action]:
        """The meaning of a row as a tree: nodes that name one another by their index; empty where it is not told."""
        count = ffi.new("unsigned *")
        nodes = lib.gpucode_row_action(self._c, row, count)
        return [record(nodes[i]) for i in range(count[0])] if nodes != ffi.NULL else []

    @property
    def policies(self) -> List[Policy]:
        """What machines do where the hardware's behaviour is not known, each with its choices."""
        return records(lib.gpucode_policy_at, self._c, "struct gpucode_policy")

    def space_name(self, space: int) -> Optional[str]:
        """The name of a space: "control"; None where there is none."""
        return text(lib.gpucode_space_name(self._c, space))

    def name_of(self, space: int, number: int, names: Optional["Names"] = None) -> str:
        """The name of a register, packet, flag or event; "" where it has none. Names of one's own go first."""
        found = named(lib.gpucode_name_of, self._c, names._c if names else ffi.NULL, space, number)
        if names:
            names._calls.check()
        return found

    def number_of(self, space: int, name: str, names: Optional["Names"] = None) -> Optional[int]:
        """The number of a name in a space; None where there is none. Names of one's own go first."""
        number, spelled = ffi.new("uint32_t *"), data_of(name)
        found = lib.gpucode_number_of(self._c, names._c if names else ffi.NULL, space, spelled, len(spelled), number)
        if names:
            names._calls.check()
        return number[0] if found else None

    def names(self, space: int) -> Dict[int, str]:
        """All built-in names of a space, by number."""
        found, number = {}, ffi.new("uint32_t *")
        while lib.gpucode_name_next(self._c, space, number):
            found[number[0]] = self.name_of(space, number[0])
            number[0] += 1
        return found

    def decode(self, code: Union[bytes, memoryview], address: int = 0) -> "Insn":
        """The instruction that the bytes begin with. GpucodeError where they are none."""
        insn = ffi.new("struct gpucode_insn *")
        check(lib.gpucode_decode(self._c, buffer_of(code), len(code), address, insn))
        return Insn(insn)

    def disasm(self, code: bytes, address: int = 0, count: int = 0) -> Iterator["Insn"]:
        """The instructions of the bytes, one after the other, at most `count` of them (0: all), as far as they are
        instructions. Files of firmware begin with words that are none: Image.outline() knows their parts."""
        view, unit, done = memoryview(code).cast("B"), self.unit_bytes, 0
        while len(view) and (not count or done < count):
            try:
                insn = self.decode(view, address)
            except GpucodeError:
                return
            yield insn
            view, address, done = view[insn.size:], address + insn.size // unit, done + 1

    def parse(self, line: str, address: int = 0, symbols: Union[None, Mapping[str, int], Callable[[str], Optional[int]]] = None) -> "Insn":
        """The instruction of one line of text; `symbols` gives labels and constants their values."""
        messages, insn, data = Messages(), ffi.new("struct gpucode_insn *"), data_of(line)
        find = symbols.get if isinstance(symbols, Mapping) else symbols
        options = ffi.new("struct gpucode_parse_options *", {"on_diagnostic": messages.handler, "address": address,
                                                            "symbol": lib.gpucode_py_symbol if find else ffi.NULL})
        options.user = messages.calls.handle(find)
        messages.check(lib.gpucode_parse(self._c, data, len(data), options, insn))
        return Insn(insn)

    def insn(self, row: int) -> "Insn":
        """An instruction of that row with all fields zero."""
        insn = ffi.new("struct gpucode_insn *")
        status = lib.gpucode_insn_init(self._c, row, insn)
        if status == lib.GPUCODE_ERROR_ARGUMENT:
            raise GpucodeError(status, f"{self.name} has no row {row}: expected 0 to {len(self.rows) - 1}")
        check(status)
        return Insn(insn)

    def __repr__(self) -> str:
        return f"<gpucode.Target {self.name}>"

    def __reduce__(self) -> Any:
        if target(self.name) != self:
            raise TypeError(f"cannot pickle {self!r}, which is not one of targets()")
        return target, (self.name,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Target) and self._c == other._c

    def __hash__(self) -> int:
        return hash(int(ffi.cast("uintptr_t", self._c)))


@overload
def target(name: Union[str, Target]) -> Target: ...


@overload
def target(name: None) -> None: ...


def target(name: Union[str, Target, None]) -> Optional[Target]:
    """The target of that name; KeyError when there is none. A target, or None, is given back."""
    if name is None or isinstance(name, Target):
        return name
    if not isinstance(name, str):
        raise TypeError(f"{a(name)} is not a target: expected a Target or a name, as 'afuc:a630'")
    found = lib.gpucode_target_find(data_of(name))
    if found == ffi.NULL:
        known = [one.name for one in targets()]
        same = [one for one in known if one.split(":")[0] == name.split(":")[0]]
        raise KeyError(f"there is no target {name!r}: expected "
                       f"{'one of ' + ', '.join(same) if same else expected(name, known) + '; targets() has all'}")
    return Target(found)


Where = Union[str, Target, None]
"""A target, its name, or none."""


def pointer_of(name: Union[str, Target, None], needed: bool = False) -> Any:
    found = target(name)
    if found is None and needed:
        raise TypeError("None is not a target: expected a Target or a name, as 'afuc:a630'")
    return ffi.NULL if found is None else found._c


def targets() -> List[Target]:
    """All targets, in the order of `gpucode targets`."""
    found, index = [], 0
    while (pointer := lib.gpucode_target_at(index)) != ffi.NULL:
        found.append(Target(pointer))
        index += 1
    return found


class Insn:
    """One decoded instruction."""

    def __init__(self, insn: Any):
        self._c = struct_of("struct gpucode_insn", insn)

    @property
    def target(self) -> Target:
        """What it was decoded for."""
        return Target(self._c.target)

    @property
    def bits(self) -> int:
        """The word, as a number."""
        return int(self._c.bits)

    @property
    def address(self) -> int:
        """Where it stands, in units."""
        return int(self._c.address)

    @property
    def size(self) -> int:
        """Its bytes."""
        return int(self._c.size)

    @property
    def exact(self) -> bool:
        """False: bits that the row ignores are set, which the text loses."""
        return bool(self._c.exact)

    @property
    def row(self) -> Row:
        """What is known of its row."""
        out = ffi.new("struct gpucode_row *")
        lib.gpucode_row(self._c.target, self._c.row, out)
        return record_as(Row, out)

    @property
    def row_number(self) -> int:
        """The index of its row in Target.rows."""
        return int(self._c.row)

    @property
    def mnemonic(self) -> str:
        """The mnemonic of its row."""
        return str(self.row.mnemonic)

    def format(self, comments: bool = False, style: int = 0, label: Optional[Callable[[int], Optional[str]]] = None) -> str:
        """Its text, with comments, in another style, or with labels for places."""
        calls, buffer = Calls(), ffi.new("char[]", lib.GPUCODE_TEXT_MAX)
        options = ffi.new("struct gpucode_format_options *", {"comments": comments, "style": style,
                                                             "label": lib.gpucode_py_insn_label if label else ffi.NULL})
        options.user = calls.handle(label)
        status = lib.gpucode_format(self._c, options, buffer, lib.GPUCODE_TEXT_MAX, ffi.NULL)
        calls.check()
        check(status)
        return text(buffer) or ""

    @property
    def text(self) -> str:
        """Its text as listings have it."""
        return self.format()

    @property
    def bytes(self) -> bytes:
        """Its bytes."""
        buffer, needed = ffi.new("unsigned char[16]"), ffi.new("size_t *")
        check(lib.gpucode_encode(self._c, buffer, 16, needed))
        return bytes(ffi.buffer(buffer, needed[0]))

    @property
    def fields(self) -> List[Field]:
        """Its fields with their values."""
        return records(lib.gpucode_insn_field, self._c, "struct gpucode_field")

    def set(self, letter: str, value: int) -> None:
        """Sets the field of that letter; KeyError where the row has none, GpucodeError where the value does not fit."""
        letters = [field.letter for field in self.fields]
        if letter not in letters:
            raise KeyError(f"the row {self.row.id} has no field {letter!r}: expected one of {', '.join(letters)}")
        status = lib.gpucode_insn_set(self._c, letter.encode("latin-1"), value)
        if status == lib.GPUCODE_ERROR_RANGE:
            width = self.fields[letters.index(letter)].width
            raise GpucodeError(status, f"{value} does not fit the field {letter!r} of the row {self.row.id}, which has {width} bits")
        check(status)

    @property
    def flow(self) -> Flow:
        """Where control goes; an empty record where that is not known."""
        out = ffi.new("struct gpucode_flow *")
        return record_as(Flow, out) if lib.gpucode_insn_flow(self._c, out) else Flow()

    @property
    def operands(self) -> List[Operand]:
        """What stands in its text: registers, numbers, targets, with their values."""
        out = ffi.new("struct gpucode_operand[]", lib.GPUCODE_OPERANDS_MAX)
        count = lib.gpucode_insn_operands(self._c, ffi.NULL, out, lib.GPUCODE_OPERANDS_MAX)
        return [record(out[i]) for i in range(count)]

    @property
    def effects(self) -> List[Effect]:
        """The registers and flags that it reads and writes."""
        out = ffi.new("struct gpucode_effect[]", lib.GPUCODE_EFFECTS_MAX)
        count = lib.gpucode_insn_effects(self._c, out, lib.GPUCODE_EFFECTS_MAX)
        return [record(out[i]) for i in range(count)]

    def __repr__(self) -> str:
        return f"<gpucode.Insn {self.text!r}>"
