# SPDX-License-Identifier: MIT
"""Running code: machines, snapshots, hooks, coverage."""

from __future__ import annotations

import operator
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from ._core import (Calls, GpucodeError, Messages, a, buffer_of, called, check, data_of, encoded, expected, ffi, lib, named,
                    pointer_to, record, record_as, records, text)
from ._enums import EventKind, Space, StopReason
from .answers import Answer
from .code import Image
from .structs import A3xxCost, Access, Counter, Event, Frame, MachineEdge, SpaceInfo, Stop, TextureLookup
from .symbols import Symbols
from .targets import Target, target as find_target

__all__ = ["Coverage", "Cycles", "EventKind", "Machine", "Snapshot", "StopReason", "packet"]

Where = Union[str, Tuple[int, int]]
Policies = Mapping[str, Union[str, int]]


@called(True)
def gpucode_py_hook(function: Any, _machine: Any, event: Any) -> bool:
    return bool(function(record(event)))


@called(False)
def gpucode_py_texture(function: Any, _machine: Any, lookup: Any, values: Any) -> bool:
    found = function(record(lookup))
    if found is None:
        return False
    for i, value in enumerate(found):
        values[i] = value
    return True


@called(False)
def gpucode_py_access(function: Any, _machine: Any, access: Any, value: Any) -> bool:
    found = function(record(access), value[0])
    if found is None or found is False:
        return False
    if not access.write:
        value[0] = found
    return True


def packet(opcode: Union[int, str], words: Iterable[int], target: Union[str, Target, None] = None) -> List[int]:
    """A type-7 packet with its header. A packet's name is one of the target's: `packet("CP_NOP", [0], "afuc:a630")`."""
    words = [operator.index(word) for word in words]
    if isinstance(opcode, str):
        chip = find_target(target)
        if chip is None:
            raise TypeError(f"the packet {opcode!r} is given by its name: expected a target, whose names are meant")
        number = chip.number_of(Space.PACKET, opcode)
        if number is None:
            known = chip.names(Space.PACKET).values()
            raise KeyError(f"{chip.name} has no packet {opcode!r}: expected {expected(opcode, known)}")
        opcode = number
    if not isinstance(opcode, int):
        raise TypeError(f"{a(opcode)} is not a packet: expected its name or opcode")
    if not 0 <= opcode < 128:
        raise ValueError(f"{opcode} is not a packet's opcode: expected 0 to 127")
    if len(words) >= 1 << 14:
        raise ValueError(f"a packet of {len(words)} words: expected fewer than {1 << 14}")
    for word in words:
        if not 0 <= word < 1 << 32:
            raise OverflowError(f"{word:#x} is not a word of a packet: expected 32 bits")
    return [lib.gpucode_packet_type7(opcode, len(words)), *words]


def settings(policies: Optional[Policies], calls: Calls) -> Any:
    pairs = [{"name": calls.keep(encoded(name)), "value": calls.keep(encoded(str(value)))} for name, value in (policies or {}).items()]
    return calls.keep(ffi.new("struct gpucode_setting[]", [*pairs, {"name": ffi.NULL}]))


class Snapshot:
    """The whole state of a machine at one moment; Machine.restore() brings it back any number of times."""

    def __init__(self, machine: "Machine"):
        out = ffi.new("struct gpucode_snapshot **")
        check(lib.gpucode_machine_snapshot(pointer_to(machine, "struct gpucode_machine"), out))
        self._c = ffi.gc(out[0], lib.gpucode_snapshot_free)
        self._machine = machine

    def bytes(self, other: Optional["Snapshot"] = None) -> int:
        """What it takes beyond what it shares with another one."""
        other_c = ffi.NULL if other is None else pointer_to(other, "struct gpucode_snapshot")
        return int(lib.gpucode_snapshot_bytes(self._c, other_c))


class Machine:
    """A machine with an image loaded and nothing run.

    Registers are read and written by name, `machine["$02"]`, or by (space, number); memory by address.
    """

    def __init__(self, image: Image, policies: Optional[Policies] = None, symbols: Optional[Symbols] = None):
        messages, out, code = Messages(), ffi.new("struct gpucode_machine **"), pointer_to(image, "struct gpucode_image")
        options = ffi.new("struct gpucode_machine_options *", {
            "policies": settings(policies, messages.calls), "on_diagnostic": messages.handler,
            "names": ffi.NULL if symbols is None else lib.gpucode_symbols_names(pointer_to(symbols, "struct gpucode_symbols"))})
        status = lib.gpucode_machine_create(code, options, out)
        for wrong in (one for one in messages.list if one.code == "no-policy"):
            known = [policy.name for policy in image.target.policies]
            wrong.hint = next((f"expected {expected(name, known)}" for name in policies or () if name not in known), None)
        messages.check(status)
        self._c = ffi.gc(out[0], lib.gpucode_machine_free)
        self._image, self._symbols = image, symbols
        self._calls = Calls()
        self._given: Dict[str, Any] = {}
        self._moves, self._count = False, len(self.processors)
        self._edges: Any = None

    def __repr__(self) -> str:
        places = ", ".join(f"{name} at {self.pc(number):#x}" for number, name in enumerate(self.processors))
        return f"<gpucode.Machine {self._image.target.name}, {places}>"

    @property
    def image(self) -> Image:
        """The image that is loaded."""
        return self._image

    def _check_calls(self) -> None:
        # functions that a hook has replaced are called no more when the movement is over
        self._calls.kept = list(self._given.values())
        self._calls.check()

    def _moved(self, function: Any, *arguments: Any) -> Any:
        """Calls what runs the machine or goes back; the functions that it calls must not begin another movement."""
        if self._moves:
            raise GpucodeError(lib.GPUCODE_ERROR_ARGUMENT, "the machine runs: what it calls may neither run nor restore it")
        self._moves = True
        try:
            return function(*arguments)
        finally:
            self._moves = False

    def _give(self, what: str, function: Optional[Callable[..., Any]], set_it: Callable[[Any], Any]) -> None:
        """Hands a function to the machine, which calls the one before until then."""
        user = self._calls.handle(function)
        set_it(user)
        self._given[what] = user

    def _processor(self, processor: int) -> int:
        if not 0 <= processor < self._count:
            raise GpucodeError(lib.GPUCODE_ERROR_ARGUMENT, f"there is no processor {processor}: expected "
                               f"{f'0 to {self._count - 1}' if self._count > 1 else '0'}")
        return processor

    def run(self, limit: int = 10_000_000) -> Stop:
        """Runs at most `limit` instructions: why it stands still, and `ran`, how many they were."""
        return self._move(lib.gpucode_machine_run, limit)

    def step(self, processor: int = 0) -> Stop:
        """Runs one instruction of one processor: why it stands still, and `ran`, 0 or 1."""
        return self._move(lib.gpucode_machine_step, self._processor(processor))

    def _move(self, function: Any, argument: int) -> Stop:
        stop = ffi.new("struct gpucode_stop *")
        ran = self._moved(function, self._c, argument, stop)
        self._check_calls()
        made = record_as(Stop, stop)
        made.ran = ran
        return made

    @property
    def time(self) -> int:
        """The machine's clock, in the units of its set."""
        return int(lib.gpucode_machine_time(self._c))

    @property
    def count(self) -> int:
        """How many instructions have run."""
        return int(lib.gpucode_machine_count(self._c))

    @property
    def counters(self) -> List[Counter]:
        """Counters of the machine, each with its name and value."""
        return records(lib.gpucode_machine_counter, self._c, "struct gpucode_counter")

    @property
    def processors(self) -> List[str]:
        """The names of the processors, in the order of their numbers."""
        found: List[str] = []
        while (name := lib.gpucode_machine_processor(self._c, len(found))) != ffi.NULL:
            found.append(text(name) or "")
        return found

    def section(self, processor: int = 0) -> int:
        """The section of the image that a processor runs."""
        return int(lib.gpucode_machine_section(self._c, self._processor(processor)))

    def pc(self, processor: int = 0) -> int:
        """Where a processor stands, in units of its section."""
        return int(lib.gpucode_machine_pc(self._c, self._processor(processor)))

    def set_pc(self, pc: int, processor: int = 0) -> None:
        """Puts a processor to a place of its section."""
        check(lib.gpucode_machine_set_pc(self._c, self._processor(processor), pc))

    def frames(self, processor: int = 0) -> List[Frame]:
        """Calls that have not returned, the innermost first."""
        def get(owner: Any, index: int, out: Any) -> bool:
            return bool(lib.gpucode_machine_frame(owner, processor, index, out))
        return records(get, self._c, "struct gpucode_frame")

    def call(self, processor: int = 0) -> Optional[int]:
        """Where the next instruction, if it is a call, would return to."""
        out = ffi.new("uint64_t *")
        return out[0] if lib.gpucode_machine_call(self._c, processor, out) else None

    def pending(self, processor: int = 0) -> Optional[int]:
        """Where control goes after the delay slot that the next instruction stands in."""
        out = ffi.new("uint64_t *")
        return out[0] if lib.gpucode_machine_pending(self._c, processor, out) else None

    @property
    def spaces(self) -> Dict[int, SpaceInfo]:
        """The spaces of registers that the machine has, by number."""
        found, out = {}, ffi.new("struct gpucode_space_info *")
        for space in range(lib.GPUCODE_SPACE_COUNT + 16):
            if lib.gpucode_machine_space(self._c, space, out):
                found[space] = record(out)
        return found

    def find(self, name: str) -> Optional[Tuple[int, int]]:
        """(space, number) of a register's name."""
        space, number = ffi.new("unsigned *"), ffi.new("uint32_t *")
        found = lib.gpucode_machine_find(self._c, data_of(name), space, number)
        return (space[0], number[0]) if found else None

    def name(self, space: int, number: int) -> str:
        """The name of a register by its space and number."""
        return named(lib.gpucode_machine_name, self._c, space, number)

    def _place(self, where: Where) -> Tuple[int, int]:
        if isinstance(where, str):
            found = self.find(where)
            if found is None:
                raise KeyError(f"{self._image.target.name} has no register {where!r}: "
                               "expected a name as in listings, or (space, number)")
            return found
        if not isinstance(where, (tuple, list)) or len(where) != 2:
            raise TypeError(f"{where!r} is not a register: expected a name as in listings, or (space, number)")
        return where[0], where[1]

    def _found(self, where: Where, status: int) -> None:
        if status == lib.GPUCODE_ERROR_ARGUMENT:
            raise GpucodeError(status, f"{self._image.target.name} has no register {where!r}")
        check(status)

    def read(self, where: Where, processor: int = 0) -> int:
        """The value of a register: its name, or (space, number). KeyError for a name that is not there."""
        value = ffi.new("uint32_t *")
        self._found(where, lib.gpucode_machine_read(self._c, self._processor(processor), *self._place(where), value))
        return int(value[0])

    def write(self, where: Where, value: int, processor: int = 0) -> None:
        """Writes a register: its name, or (space, number). KeyError for a name that is not there."""
        self._found(where, lib.gpucode_machine_write(self._c, self._processor(processor), *self._place(where), value))

    def __getitem__(self, where: Where) -> int:
        return self.read(where)

    def __setitem__(self, where: Where, value: int) -> None:
        self.write(where, value)

    def load(self, address: int, size: int) -> bytes:
        """Bytes of memory; GpucodeError where it is not mapped."""
        buffer = ffi.new("unsigned char[]", size)
        check(lib.gpucode_machine_load(self._c, address, buffer, size))
        return bytes(ffi.buffer(buffer))

    def store(self, address: int, data: bytes) -> None:
        """Writes bytes to memory; GpucodeError where it is not mapped."""
        check(lib.gpucode_machine_store(self._c, address, buffer_of(data), len(data)))

    def map(self, address: int, size: int) -> None:
        """Makes memory there, of zeros."""
        check(lib.gpucode_machine_map(self._c, address, size))

    def feed(self, words: Iterable[int], processor: int = 0) -> None:
        """Packet words for the ring buffer of a processor; packet() makes them."""
        data = ffi.new("uint32_t[]", list(words))
        check(lib.gpucode_machine_feed(self._c, self._processor(processor), data, len(data)))

    def hook(self, kinds: int, function: Optional[Callable[[Event], Any]]) -> None:
        """Calls the function for events of these kinds (EventKind.INSN | EventKind.WRITE); true stops the machine.

        One hook at a time; None takes it away. It may read and write the machine, but not run or restore it.
        """
        taken_by = ffi.NULL if function is None else lib.gpucode_py_hook
        self._give("hook", function, lambda user: lib.gpucode_machine_hook(self._c, kinds if user else 0, taken_by, user))

    def texture(self, function: Optional[Callable[[TextureLookup], Any]]) -> None:
        """Textures of one's own: four words for a lookup, or None for the machine's."""
        taken_by = ffi.NULL if function is None else lib.gpucode_py_texture
        self._give("texture", function, lambda user: check(lib.gpucode_machine_texture(self._c, taken_by, user)))

    def memory(self, function: Optional[Callable[[Access, int], Any]]) -> None:
        """Memory of one's own: function(access, value) gives what is read, True for a write it took, None for neither."""
        taken_by = ffi.NULL if function is None else lib.gpucode_py_access
        self._give("memory", function, lambda user: check(lib.gpucode_machine_memory(self._c, taken_by, user)))

    def breakpoint(self, pc: int, on: bool = True, processor: int = 0) -> None:
        """Stops a processor in front of a place from now on, or, with `on` false, no longer."""
        check(lib.gpucode_machine_break(self._c, self._processor(processor), pc, on))

    def coverage(self, on: bool = True) -> None:
        """Begins to note which units run, from nothing."""
        check(lib.gpucode_machine_coverage(self._c, on))

    def covered(self, processor: int = 0) -> bytes:
        """A byte for each unit of the processor's section, 1 where it ran."""
        units = ffi.new("size_t *")
        found = lib.gpucode_machine_covered(self._c, processor, units)
        return bytes(ffi.buffer(found, units[0])) if found != ffi.NULL else b""

    def edges(self, size: Optional[int] = None) -> Any:
        """A map that counts how often control goes each way, as a buffer; size 0 takes it away."""
        if size is None:
            size = lib.GPUCODE_EDGES_SIZE + lib.gpucode_machine_edge_count(self._c)
        edges = ffi.new("uint8_t[]", size) if size else ffi.NULL
        status = lib.gpucode_machine_edges(self._c, edges, size)
        if status == lib.GPUCODE_ERROR_RANGE:
            raise GpucodeError(status, f"a map of {size} bytes: expected at least {lib.GPUCODE_EDGES_SIZE}")
        check(status)
        self._calls.keep(self._edges)  # a run whose hook this is called in may still count there
        self._edges = edges
        return ffi.buffer(edges) if size else None

    def edge(self, number: int) -> Optional[MachineEdge]:
        """What byte `number` of the map stands for, where it is an edge of the code."""
        out = ffi.new("struct gpucode_machine_edge *")
        return record(out) if lib.gpucode_machine_edge(self._c, number, out) else None

    def compare(self, other: "Machine", seed: int = 1, runs: int = 10_000, limit: int = 20_000, outputs: Iterable[Where] = (),
                inputs: Iterable[Where] = (), kept: Iterable[Where] = ()) -> Answer:
        """Runs this shader and the other machine's with the same inputs: `same`, or the input that tells them apart, what
        differs and the instructions that made it. `outputs` are compared beside memory, `inputs` are varied, `kept` are not;
        without them the shaders' texts say."""
        calls, found, answer = Calls(), ffi.new("struct gpucode_shader_comparison *"), Answer()
        both = self._c, pointer_to(other, "struct gpucode_machine")

        def places(given: Iterable[Where]) -> Dict[str, Any]:
            listed = [self._place(where) for where in given]
            return {"list": calls.keep(ffi.new("struct gpucode_shader_place[]", listed)), "count": len(listed)}

        fixed = places(kept)
        options = ffi.new("struct gpucode_shader_compare_options *", {
            "seed": seed, "runs": runs, "limit": limit, "inputs": places(inputs), "outputs": places(outputs), "kept": [fixed, fixed]})
        status = lib.gpucode_shader_compare(*both, options, found)
        if status == lib.GPUCODE_ERROR_UNSUPPORTED:
            names = " and ".join(machine.image.target.name for machine in (self, other))
            raise GpucodeError(status, f"these are machines of {names}: expected two of shaders, of one kind")
        check(status)
        files = [calls.keep(encoded(name)) for name in ("first", "second")]
        subjects = ffi.new("struct gpucode_subject[2]", [{"image": machine._image._c, "file": file}
                                                         for machine, file in zip((self, other), files)])
        status = lib.gpucode_shader_comparison_tell(found, self._c, subjects, answer._c)
        lib.gpucode_shader_comparison_free(found)
        check(status)
        return answer

    @property
    def edge_count(self) -> int:
        """How many edges the code has: those of edges()."""
        return int(lib.gpucode_machine_edge_count(self._c))

    def snapshot(self) -> Snapshot:
        """The whole state, for restore()."""
        return Snapshot(self)

    def restore(self, snapshot: Snapshot) -> None:
        """Brings back the state of a snapshot of this machine."""
        self._check_snapshot(snapshot)
        check(self._moved(lib.gpucode_machine_restore, self._c, snapshot._c))

    def _check_snapshot(self, snapshot: Snapshot) -> None:
        pointer_to(snapshot, "struct gpucode_snapshot")
        if snapshot._machine is not self:
            raise GpucodeError(lib.GPUCODE_ERROR_ARGUMENT, "a snapshot of another machine")

    def ran(self) -> bytes:
        """A byte for each unit of the image, 1 where coverage saw it run."""
        info = self._image.info
        out = ffi.new("uint8_t[]", max(1, info.units))
        lib.gpucode_machine_ran(self._c, self._image._c, out)
        return bytes(ffi.buffer(out, info.units))


class Coverage:
    """What ran on a machine since Machine.coverage(), of one section or of all: `ask("coverage_tell", coverage, None)`."""

    def __init__(self, machine: Machine, section: Optional[str] = None):
        pointer_to(machine, "struct gpucode_machine")
        names = [one.name for one in machine.image.sections]
        if section is not None and section not in names:
            raise KeyError(f"there is no section {section!r}: expected one of {', '.join(map(repr, names))}")
        self._kept = (machine, machine.image.outline())
        self._c = ffi.gc(ffi.new("struct gpucode_coverage *"), lib.gpucode_coverage_free)
        check(lib.gpucode_coverage_find(machine._c, machine.image._c, self._kept[1]._c, encoded(section), self._c))


class Cycles:
    """A3XX: issue slots and waits of a run, from the events of a hook."""

    def __init__(self, image: Image, policies: Optional[Policies] = None):
        calls, out = Calls(), ffi.new("struct gpucode_a3xx_cycles **")
        status = lib.gpucode_a3xx_cycles_open(pointer_to(image, "struct gpucode_image"), settings(policies, calls), out)
        if status == lib.GPUCODE_ERROR_UNSUPPORTED:
            raise GpucodeError(status, f"this is code for {image.target.name}: expected a shader of A3XX")
        check(status)
        self._c = ffi.gc(out[0], lib.gpucode_a3xx_cycles_free)
        self._image = image

    def see(self, event: Event) -> None:
        """Takes an event of a hook."""
        fields = {name: value for name, value in vars(event).items()}
        lib.gpucode_a3xx_cycles_see(self._c, ffi.new("struct gpucode_event *", fields))

    def of(self, pc: int) -> A3xxCost:
        """What the instruction at a place has cost so far."""
        return record_as(A3xxCost, ffi.new("struct gpucode_a3xx_cost *", lib.gpucode_a3xx_cycles_of(self._c, pc)))

    @property
    def latencies(self) -> Dict[str, int]:
        """The latencies that are counted with, by name, in issue slots."""
        found: Dict[str, int] = {}
        slots, index = ffi.new("uint32_t *"), 0
        while (name := lib.gpucode_a3xx_cycles_latency(self._c, index, slots)) != ffi.NULL:
            found[text(name) or ""] = slots[0]
            index += 1
        return found
