# SPDX-License-Identifier: MIT
"""Scripts over a recorded command stream: what happens in it, event by event, and what registers hold at each draw."""

from __future__ import annotations

import fnmatch
import functools
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ._core import Calls, called, check, ffi, lib, pointer_to, text
from .records import Stream, packet_name, register_find, register_name, register_text, register_words
from .targets import pointer_of

__all__ = ["Draw", "RegisterWrite", "Script", "State", "StreamPacket"]

_NUMBERS, _OPCODES = 1 << 18, 256
CONDITIONS = ("always", "taken", "skipped", "maybe")


@functools.lru_cache(maxsize=None)
def _name(family: int, number: int) -> str:
    return register_name(family, number) or f"{number:#x}"


@functools.lru_cache(maxsize=None)
def _number(family: int, name: str) -> int:
    number = register_find(family, name)
    if number is None:
        raise KeyError(f"a{family}xx has no register {name!r}: expected a name as decode shows it")
    return number


def _values(count: int, fields: Any) -> Dict[str, int]:
    return {text(fields[index].name) or "-": int(fields[index].value) for index in range(min(count, 80))}


def _register_fields(family: int, number: int, value: int) -> Dict[str, int]:
    out = ffi.new("struct gpucode_field_value[]", 80)
    return _values(lib.gpucode_register_fields(family, number, value, out, 80), out)


class RegisterWrite:
    """A register that a packet writes: number, value, whether the stream says the value (`known`), the address of the word,
    and `condition`: "always", "taken", "skipped" or "maybe"."""

    __slots__ = ("_family", "number", "value", "known", "address", "condition")

    def __init__(self, family: int, number: int, value: int, known: bool, address: int, condition: str):
        self._family, self.number, self.value, self.known = family, number, value, known
        self.address, self.condition = address, condition

    def __repr__(self) -> str:
        return f"<gpucode.RegisterWrite {self.name} = {f'{self.value:#x}' if self.known else 'unknown'}>"

    @property
    def name(self) -> str:
        """The register's name; its number where it has none."""
        return _name(self._family, self.number)

    @property
    def text(self) -> str:
        """What the value means."""
        return register_text(self._family, self.number, self.value)

    @property
    def fields(self) -> Dict[str, int]:
        """The values of its fields; flags that are not set are left out."""
        return _register_fields(self._family, self.number, self.value)


class StreamPacket:
    """A packet: opcode, words of its payload, address, and `condition` as of RegisterWrite."""

    __slots__ = ("_family", "opcode", "words", "address", "condition")

    def __init__(self, family: int, opcode: int, words: List[int], address: int, condition: str):
        self._family, self.opcode, self.words, self.address, self.condition = family, opcode, words, address, condition

    def __repr__(self) -> str:
        return f"<gpucode.StreamPacket {self.name}, {len(self.words)} words>"

    @property
    def name(self) -> str:
        """The packet's name, or UNKN and its number."""
        return packet_name(self._family, self.opcode) or f"UNKN{self.opcode}"

    @property
    def fields(self) -> Dict[str, int]:
        """The values of its fields; of fields that come again, the first ones."""
        out, words = ffi.new("struct gpucode_field_value[]", 80), ffi.new("unsigned *")
        payload, found, word = ffi.new("uint32_t[]", self.words), {}, 0
        while word < len(self.words):
            words[0] = 1
            count = lib.gpucode_payload_fields(self._family, self.opcode, payload, len(self.words), word, out, 80, words)
            found.update({name: value for name, value in _values(count, out).items() if name not in found and name != "-"})
            word += words[0]
        return found


class Draw:
    """A draw, dispatch or blit: its number in the recording, that of its submit, the packet, primitive (or what it is), number
    of indices, render mode ("binning", "gmem", "sysmem"), address and `condition`."""

    __slots__ = ("number", "submit", "packet", "primitive", "count_indices", "mode", "address", "condition")

    def __init__(self, number: int, submit: int, packet: str, primitive: str, count_indices: int, mode: str, address: int, condition: str):
        self.number, self.submit, self.packet, self.primitive = number, submit, packet, primitive
        self.count_indices, self.mode, self.address, self.condition = count_indices, mode, address, condition

    def __repr__(self) -> str:
        return f"<gpucode.Draw {self.number}: {self.packet} {self.primitive}, {self.count_indices} indices>"


class State:
    """What the registers hold at a moment. `state["RB_CNTL"]` is a value, None where nothing wrote it or the stream does not
    say it; registers of 64 bits are one value."""

    def __init__(self, script: Any, stream: Stream, family: int):
        self._script, self._stream, self.family = script, stream, family

    def value(self, number: int) -> Optional[int]:
        """The value of a register's word by number."""
        if not 0 <= number < _NUMBERS:
            raise KeyError(f"there is no register {number:#x}")
        return int(self._script.values[number]) if self._script.states[number] & 2 else None

    def __getitem__(self, name: str) -> Optional[int]:
        number = _number(self.family, name)
        low = self.value(number)
        if low is None or register_words(self.family, number) != 2:
            return low
        return low | (self.value(number + 1) or 0) << 32

    def fields(self, name: str) -> Dict[str, int]:
        """The values of a register's fields; {} where its value is not known."""
        value = self[name]
        return {} if value is None else _register_fields(self.family, _number(self.family, name), value)

    def field_names(self, name: str) -> List[str]:
        """The names of a register's fields, those of flags that are not set too; [] where it is one value."""
        number = _number(self.family, name)
        all_bits = (1 << 32 * register_words(self.family, number)) - 1
        return [field for field in _register_fields(self.family, number, all_bits) if field != "-"]

    def text(self, name: str) -> Optional[str]:
        """What a register's value means; None where it is not known."""
        value = self[name]
        return None if value is None else register_text(self.family, _number(self.family, name), value)

    def numbers(self, new: bool = False) -> List[int]:
        """The registers that were written; with `new`, those since the draw before."""
        bit = 4 if new else 1
        return [number for number, state in enumerate(bytes(ffi.buffer(self._script.states, _NUMBERS))) if state & bit]

    def items(self, new: bool = False) -> Iterator[Tuple[str, Optional[int]]]:
        """(name, value) of each register's word that was written; with `new`, of those since the draw before."""
        return ((_name(self.family, number), self.value(number)) for number in self.numbers(new))

    def load(self, address: int, size: int) -> bytes:
        """Memory as it was at the submit; shorter where it was not recorded."""
        return self._stream.load(int(self._script.submit), address, size)


class Script:
    """What a script does at each event of a stream: override the methods that matter, then `script.run(stream)`.

    Only what is overridden is asked for, so that a script without write() and packet() takes little more time than
    decoding. `registers` and `packets` are patterns of names (`RB_*`) that leave out the others.
    """

    registers: Sequence[str] = ("*",)
    packets: Sequence[str] = ("*",)
    family: int = 0
    """The family of the GPU (6: a6xx), when run() knows it."""

    def start_submit(self, number: int, name: Optional[str]) -> None:
        """A submit begins; its name is the command line that was recorded for it."""

    def end_submit(self, number: int) -> None:
        """A submit ends."""

    def packet(self, packet: StreamPacket) -> None:
        """A packet of type 7 (before a5xx: 3)."""

    def write(self, write: RegisterWrite) -> None:
        """A register is written."""

    def writes(self, numbers: memoryview, values: memoryview) -> None:
        """Many writes at once, in their order, but for those that a condition skips: much quicker than write(). The numbers
        and values are valid during the call only; a value that the stream does not say is 0."""

    def draw(self, draw: Draw, state: State) -> None:
        """A draw, dispatch or blit, with the registers as it finds them."""

    def _is_own(self, name: str) -> bool:
        return getattr(type(self), name) is not getattr(Script, name)

    def _want(self, c: Any, family: int) -> None:
        every = any(pattern == "*" for pattern in self.registers)
        writes = self._is_own("write") or self._is_own("writes")
        for number in range(_NUMBERS if writes else 0):
            c.wanted[number] = every or any(fnmatch.fnmatchcase(_name(family, number), one) for one in self.registers)
        if writes and self.registers and not bytes(ffi.buffer(c.wanted)).strip(b"\0"):
            raise KeyError(f"no register of a{family}xx matches {', '.join(map(repr, self.registers))}: "
                           "expected names as decode shows them")
        for opcode in range(_OPCODES if self._is_own("packet") else 0):
            name = packet_name(family, opcode) or f"UNKN{opcode}"
            c.packets[opcode] = any(fnmatch.fnmatchcase(name, one) for one in self.packets)
        if self._is_own("packet") and self.packets and not any(c.packets):
            raise KeyError(f"no packet of a{family}xx matches {', '.join(map(repr, self.packets))}: "
                           "expected names as decode shows them")

    def run(self, stream: Stream, family: int = 0) -> None:
        """Goes through a stream, from its first submit to its last. `family` (6: a6xx) is needed where it does not say its GPU."""
        recording = pointer_to(stream, "struct gpucode_stream")
        known = family or int(lib.gpucode_target_family(pointer_of(stream.target)))
        chip = ffi.new("struct gpucode_chip *")
        if not known and lib.gpucode_chip_find(stream.gpu_id, stream.chip_id, chip):
            known = int(chip.family)
        if not known:
            raise ValueError("nothing says what GPU it is: expected family=6 for an a6xx")
        if not packet_name(known, 0x10):
            raise ValueError(f"there is no GPU of family {known}: expected 2 to 8, for a2xx to a8xx")
        c, calls = ffi.new("struct gpucode_py_stream_script *"), Calls()
        self.family = known
        self._want(c, known)
        state, draws, items = State(c, stream, known), [0], self._is_own("write") or self._is_own("packet")

        def batch(event: Any) -> None:
            self._batch(c, known, items)
            if event is not None and self._is_own("draw"):
                self.draw(Draw(draws[0], int(c.submit), text(event.name) or "", text(event.text) or "", int(event.count),
                               ("", "binning", "gmem", "", "sysmem")[event.mode & 7 if event.mode < 5 else 0], int(event.address),
                               CONDITIONS[event.condition]), state)
            draws[0] += event is not None

        c.stream, c.user = recording, calls.handle(batch)
        options = ffi.new("struct gpucode_packet_options *", {
            "family": known, "read": ffi.addressof(lib, "gpucode_py_stream_read"),
            "event": ffi.addressof(lib, "gpucode_py_stream_event"), "user": c})
        out = ffi.new("struct gpucode_packets **")
        check(lib.gpucode_packets_create(options, out))
        packets = ffi.gc(out[0], lib.gpucode_packets_free)
        for number, submit in enumerate(stream.submits):
            c.submit = number
            self.start_submit(number, submit.text)
            for command in submit.commands:
                status = lib.gpucode_packets_walk(packets, command.address, command.words)
                calls.check()
                check(status)
                lib.gpucode_py_stream_flush(c)
                calls.check()
            self.end_submit(number)

    def _batch(self, c: Any, family: int, items: bool) -> None:
        if c.write_count and self._is_own("writes"):
            self.writes(memoryview(ffi.buffer(c.numbers, 4 * c.write_count)).cast("B").cast("I"),
                        memoryview(ffi.buffer(c.written, 4 * c.write_count)).cast("B").cast("I"))
        writes, packets = self._is_own("write"), self._is_own("packet")
        for item in ffi.unpack(c.items, c.item_count) if items else ():
            condition = CONDITIONS[item.condition]
            if not item.packet and writes:
                self.write(RegisterWrite(family, item.number, item.value, bool(item.known), item.address, condition))
            elif item.packet and packets:
                words = ffi.unpack(c.words + item.value, item.count) if item.count else []
                self.packet(StreamPacket(family, item.number, words, item.address, condition))


@called(False)
def gpucode_py_stream_batch(function: Any, event: Any) -> bool:
    function(None if event == ffi.NULL else event)
    return True
