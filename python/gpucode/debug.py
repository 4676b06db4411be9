# SPDX-License-Identifier: MIT
"""Debugging: breakpoints, and moving through time in both directions."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional

from ._core import (GpucodeError, Messages, buffer_of, check, data_of, encoded, ffi, lib, named, pointer_to, record, record_as,
                    records)
from ._enums import BreakpointKind, DebugReason
from .machines import Machine, Snapshot, Where as Register
from .structs import Breakpoint, DebugStop, History, Place, Section, Value
from .symbols import Symbols
from .targets import Insn

__all__ = ["Debugger", "BreakpointKind", "DebugReason"]


class Debugger:
    """A debug session over a machine. Everything is recorded: all movements go back as well."""

    def __init__(self, machine: Machine, symbols: Optional[Symbols] = None, gap: int = 0, memory: int = 0):
        out = ffi.new("struct gpucode_debug **")
        names = ffi.NULL if symbols is None else pointer_to(symbols, "struct gpucode_symbols")
        options = ffi.new("struct gpucode_debug_options *", {"symbols": names, "gap": gap, "memory": memory})
        check(lib.gpucode_debug_create(pointer_to(machine, "struct gpucode_machine"), options, out))
        self._c = ffi.gc(out[0], lib.gpucode_debug_free)
        self._machine = machine
        self._kept: List[Any] = [symbols]

    def __repr__(self) -> str:
        return f"<gpucode.Debugger of {self._machine!r}, at instruction {self.position} of {self.end}>"

    @property
    def machine(self) -> Machine:
        """The machine that is debugged."""
        return self._machine

    @property
    def position(self) -> int:
        """Instructions run so far."""
        return int(lib.gpucode_debug_position(self._c))

    @property
    def end(self) -> int:
        """The last position that was recorded."""
        return int(lib.gpucode_debug_end(self._c))

    @property
    def processor(self) -> int:
        """The processor that movements are of."""
        return int(lib.gpucode_debug_processor(self._c))

    def select(self, processor: int) -> None:
        """Chooses the processor that movements are of."""
        check(lib.gpucode_debug_select(self._c, self._machine._processor(processor)))

    def rename(self) -> None:
        """Names places anew, after symbols were added."""
        check(lib.gpucode_debug_rename(self._c))

    def _move(self, function: Any, *arguments: Any) -> DebugStop:
        stop = ffi.new("struct gpucode_debug_stop *")
        status = self._machine._moved(function, self._c, *arguments, stop)
        if status is not None:
            check(status)
        self._machine._check_calls()
        return record_as(DebugStop, stop)

    def cont(self, back: bool = False) -> DebugStop:
        """Runs to the next stop, or back to the one before."""
        return self._move(lib.gpucode_debug_continue, back)

    def step(self, back: bool = False) -> DebugStop:
        """Runs one instruction, or goes back by one."""
        return self._move(lib.gpucode_debug_step, back)

    def next(self, back: bool = False) -> DebugStop:
        """As step(), but over calls."""
        return self._move(lib.gpucode_debug_next, back)

    def finish(self, back: bool = False) -> DebugStop:
        """Runs to where the routine returns, or back to its call."""
        return self._move(lib.gpucode_debug_finish, back)

    def until(self, pc: int) -> DebugStop:
        """Runs to a place of the section."""
        return self._move(lib.gpucode_debug_until, pc)

    def goto(self, position: int) -> DebugStop:
        """Goes to a position: so many instructions after the beginning."""
        return self._move(lib.gpucode_debug_goto, position)

    def interrupt(self) -> None:
        """Ends a movement; from any thread."""
        lib.gpucode_debug_interrupt(self._c)

    def take_interrupt(self) -> bool:
        """Was interrupt() called? It is forgotten then."""
        return bool(lib.gpucode_debug_take_interrupt(self._c))

    def breakpoint(self, address: int, kind: int = 0, section: int = 0, access: int = 0, space: int = 0, size: int = 1,
                   condition: Optional[str] = None, temporary: bool = False) -> int:
        """Adds a breakpoint, watchpoint or catchpoint: its number."""
        kept = encoded(condition)
        self._kept.append(kept)
        made = ffi.new("struct gpucode_breakpoint *", {"kind": BreakpointKind(kind), "section": section, "access": access, "space": space,
                                                      "address": address, "size": size, "condition": kept, "temporary": temporary})
        check(lib.gpucode_debug_add(self._c, made))
        return int(made.number)

    def _found(self, number: int, status: int) -> None:
        if status == lib.GPUCODE_ERROR_RANGE:
            raise GpucodeError(status, f"there is no breakpoint {number}")
        check(status)

    def remove(self, number: int) -> None:
        """Removes a breakpoint by its number."""
        self._found(number, lib.gpucode_debug_remove(self._c, number))

    def enable(self, number: int, on: bool = True) -> None:
        """Switches a breakpoint on or off."""
        self._found(number, lib.gpucode_debug_enable(self._c, number, on))

    def ignore(self, number: int, hits: int) -> None:
        """Lets so many hits of a breakpoint pass."""
        self._found(number, lib.gpucode_debug_ignore(self._c, number, hits))

    def condition(self, number: int, condition: Optional[str]) -> None:
        """Gives a breakpoint another condition; None: it has none."""
        self._found(number, lib.gpucode_debug_condition(self._c, number, encoded(condition)))

    @property
    def breakpoints(self) -> List[Breakpoint]:
        """All breakpoints, watchpoints and catchpoints."""
        return records(lib.gpucode_debug_breakpoint_at, self._c, "struct gpucode_breakpoint")

    @property
    def history(self) -> History:
        """How much was recorded, and what memory it takes."""
        out = ffi.new("struct gpucode_history *")
        lib.gpucode_debug_history(self._c, out)
        return record_as(History, out)

    def write(self, where: Register, value: int, processor: int = 0) -> None:
        """Writes a register; it belongs to this position, and what was recorded after it is forgotten."""
        check(lib.gpucode_debug_write(self._c, processor, *self._machine._place(where), value))

    def set_pc(self, pc: int, processor: int = 0) -> None:
        """Puts a processor to a place; what was recorded after this position is forgotten."""
        check(lib.gpucode_debug_set_pc(self._c, processor, pc))

    def store(self, address: int, data: bytes) -> None:
        """Writes memory; what was recorded after this position is forgotten."""
        check(lib.gpucode_debug_store(self._c, address, buffer_of(data), len(data)))

    def map(self, address: int, size: int) -> None:
        """Makes memory there, of zeros; what was recorded after this position is forgotten."""
        check(lib.gpucode_debug_map(self._c, address, size))

    def feed(self, words: Iterable[int], processor: int = 0) -> None:
        """Gives packet words; what was recorded after this position is forgotten."""
        data = ffi.new("uint32_t[]", list(words))
        check(lib.gpucode_debug_feed(self._c, processor, data, len(data)))

    def defer(self, on: bool = True) -> None:
        """What write(), store(), map() and feed() are asked for from now on comes when the machine waits for input, as
        one portion; with False they do it at once again."""
        check(lib.gpucode_debug_defer(self._c, on))

    def restore(self, snapshot: Snapshot) -> None:
        """Goes on from a snapshot; what was recorded is forgotten."""
        self._machine._check_snapshot(snapshot)
        check(lib.gpucode_debug_restore(self._c, pointer_to(snapshot, "struct gpucode_snapshot")))

    def evaluate(self, expression: str, assign: bool = False) -> Value:
        """The value of an expression over registers, memory and names."""
        messages, out, data = Messages(), ffi.new("struct gpucode_value *"), data_of(expression)
        messages.check(lib.gpucode_debug_evaluate(self._c, data, len(data), assign, messages.handler, out))
        made = record_as(Value, out)
        setattr(made, "_c", out)
        return made

    def bits(self, place: Value, value: Value) -> int:
        """The number that assign() needs so that an evaluated place becomes `value`: of a float the bits that it takes."""
        out = ffi.new("int64_t *")
        both = [pointer_to(one, "struct gpucode_value") for one in (place, value)]
        check(lib.gpucode_debug_bits(self._c, *both, out))
        return int(out[0])

    def assign(self, value: Value, number: int) -> None:
        """Gives the place that an evaluated expression names another value."""
        check(lib.gpucode_debug_assign(self._c, pointer_to(value, "struct gpucode_value"), number))

    def section(self, section: int) -> Optional[Section]:
        """A section of the code by number; None where there is none."""
        out = ffi.new("struct gpucode_section *")
        return record(out) if lib.gpucode_debug_section(self._c, section, out) else None

    def insn(self, pc: int, section: int = 0) -> Insn:
        """The instruction at a place."""
        out, data = ffi.new("struct gpucode_insn *"), ffi.new("const unsigned char **")
        check(lib.gpucode_debug_insn(self._c, section, pc, out, data))
        return Insn(out)

    def text(self, pc: int, section: int = 0) -> str:
        """The text of the instruction at a place."""
        return named(lib.gpucode_debug_text, self._c, section, pc)

    def label(self, pc: int, section: int = 0) -> str:
        """A place by the name in front of it."""
        return named(lib.gpucode_debug_label, self._c, section, pc)

    def place(self, pc: int, section: int = 0) -> Optional[Place]:
        """The line of the source that a place came from; None without symbols."""
        out = ffi.new("struct gpucode_place *")
        return record(out) if lib.gpucode_debug_place(self._c, section, pc, out) else None

    def uses(self, pc: int, section: int = 0) -> List[Place]:
        """Where the macros were used that a place comes from, the innermost first."""
        out = ffi.new("struct gpucode_place *")
        found: List[Place] = []
        while lib.gpucode_debug_use(self._c, section, pc, len(found), out):
            found.append(record(out))
        return found
