# SPDX-License-Identifier: MIT
"""Firmware understood: functions, who uses what, privileges, differences."""

from __future__ import annotations

from typing import Any, Iterator, List, Optional, Tuple

from ._core import Calls, called, check, ffi, lib, named, pointer_to, record, text
from ._enums import Change, EdgeKind, FunctionKind, ReferenceKind
from .code import Image
from .structs import Block, CodeConstant, ComparedSection, Edit, Function, LostPlace, Privileges, Reference

__all__ = ["Analysis", "Change", "Comparison", "EdgeKind", "FunctionKind", "ReferenceKind", "compare"]


@called(False)
def gpucode_py_reference(function: Any, reference: Any) -> bool:
    function(reference)
    return True


@called(False)
def gpucode_py_privileges(function: Any, row: Any) -> bool:
    function(record(row))
    return True


def packet_list(bits: Any) -> List[int]:
    return [packet for packet in range(128) if bits[packet // 64] >> packet % 64 & 1]


def words(pointer: Any, count: int) -> List[Any]:
    return [record(pointer[i]) for i in range(count)]


class Analysis:
    """The code of an image, section by section: functions with their blocks and calls, and what the code uses."""

    def __init__(self, image: Image):
        out = ffi.new("struct gpucode_analysis **")
        check(lib.gpucode_analyse(pointer_to(image, "struct gpucode_image"), ffi.NULL, out))
        self._c = ffi.gc(out[0], lib.gpucode_analysis_free)
        self._image = image

    def __repr__(self) -> str:
        return f"<gpucode.Analysis of {self._image!r}>"

    def functions(self, section: int = 0) -> List[Function]:
        """The functions of a section by its number, with their names, packets, blocks and calls; [] where it has no code."""
        found: List[Function] = []
        while (function := lib.gpucode_analysis_function(self._c, section, len(found))) != ffi.NULL:
            made = record(function)
            made.name = named(lib.gpucode_analysis_name, self._c, section, len(found))
            made.packets, made.reached_by = packet_list(function.packets), packet_list(function.reached_by)
            made.blocks = [function.blocks[i] for i in range(function.block_count)]
            made.calls = words(function.calls, function.call_count)
            made.tails = words(function.tails, function.tail_count)
            found.append(made)
        return found

    def blocks(self, section: int = 0) -> List[Block]:
        """The basic blocks of a section, in the order of places, each with `edges` to those that may follow."""
        found: List[Block] = []
        while (block := lib.gpucode_analysis_block(self._c, section, len(found))) != ffi.NULL:
            made = record(block)
            made.edges = words(block.edges, block.edge_count)
            found.append(made)
        return found

    def owner(self, section: int, unit: int) -> Optional[int]:
        """Which function a place belongs to, by its index."""
        found = lib.gpucode_analysis_owner(self._c, section, unit)
        return None if found == lib.GPUCODE_NONE else found

    def reached_by(self, section: int, unit: int) -> Optional[List[int]]:
        """Opcodes of the packets whose handling reaches a place."""
        bits = ffi.new("uint64_t[2]")
        return packet_list(bits) if lib.gpucode_analysis_reached_by(self._c, section, unit, bits) else None

    def packet_name(self, packet: int) -> str:
        """The name of a packet by its opcode, as the firmware's generation has it."""
        return named(lib.gpucode_analysis_packet_name, self._c, packet)

    def packet_names(self, packets: List[int], most: int = 8) -> str:
        """Packets in words: "CP_NOP, CP_ME_INIT and 3 more"."""
        bits = ffi.new("uint64_t[2]")
        for packet in packets:
            if not 0 <= packet < 128:
                raise ValueError(f"{packet} is not a packet's opcode: expected 0 to 127")
            bits[packet // 64] |= 1 << packet % 64
        return named(lib.gpucode_analysis_packets, self._c, bits, most)

    @property
    def constants(self) -> List[CodeConstant]:
        """Numbers of the code that are places in the image."""
        count = ffi.new("size_t *")
        return words(lib.gpucode_analysis_constants(self._c, count), count[0])

    @property
    def lost(self) -> List[LostPlace]:
        """Instructions that go by a place whose number is not known."""
        count = ffi.new("size_t *")
        return words(lib.gpucode_analysis_lost(self._c, count), count[0])

    def references(self) -> List[Reference]:
        """Everything that is read, written, called or jumped to, each with `name`."""
        calls, found = Calls(), []

        def take(reference: Any) -> None:
            made = record(reference)
            made.name = named(lib.gpucode_analysis_reference_name, self._c, reference)
            found.append(made)

        status = lib.gpucode_analysis_references(self._c, lib.gpucode_py_reference, calls.handle(take))
        calls.check()
        check(status)
        return found

    def privileges(self) -> List[Privileges]:
        """What each packet may do at each level."""
        calls: Calls = Calls()
        found: List[Privileges] = []
        status = lib.gpucode_analysis_privileges(self._c, lib.gpucode_py_privileges, calls.handle(found.append))
        calls.check()
        check(status)
        return found

    def register_name(self, number: int, written: bool = True) -> str:
        """The name of a GPU register; `written`: of one that is written, as some numbers differ in that."""
        return named(lib.gpucode_analysis_register, self._image.target._c, number, written)

    def notes(self) -> "Notes":
        """What instructions' texts do not say, by place."""
        return Notes(self)


class Notes:
    """What an instruction's text does not say, by place."""

    def __init__(self, analysis: Analysis):
        out = ffi.new("struct gpucode_notes **")
        check(lib.gpucode_notes_create(pointer_to(analysis, "struct gpucode_analysis"), out))
        self._c = ffi.gc(out[0], lib.gpucode_notes_free)
        self._analysis = analysis

    def __getitem__(self, place: Tuple[int, int]) -> str:
        return named(lib.gpucode_notes_text, self._c, *place)


class Comparison:
    """What changed from one image to another, function by function."""

    def __init__(self, before: Analysis, after: Analysis):
        out = ffi.new("struct gpucode_comparison **")
        check(lib.gpucode_compare(*(pointer_to(side, "struct gpucode_analysis") for side in (before, after)), out))
        self._c = ffi.gc(out[0], lib.gpucode_comparison_free)
        self._kept = (before, after)

    def __iter__(self) -> Iterator[ComparedSection]:
        """Sections, each with its functions; a function's `lines` pair units of both."""
        index = 0
        while (section := lib.gpucode_comparison_section(self._c, index)) != ffi.NULL:
            made = record(section)
            made.functions = []
            for i in range(section.function_count):
                function = record(section.functions[i])
                function.change_name = change_name(function.change)
                function.lines = words(section.functions[i].lines, section.functions[i].line_count)
                made.functions.append(function)
            yield made
            index += 1

    @property
    def edits(self) -> List[Edit]:
        """Equal edits counted together."""
        found: List[Edit] = []
        while (edit := lib.gpucode_comparison_edit(self._c, len(found))) != ffi.NULL:
            found.append(record(edit))
        return found


def compare(before: Analysis, after: Analysis) -> Comparison:
    """What changed from one firmware to another."""
    return Comparison(before, after)


def change_name(change: int) -> str:
    return text(lib.gpucode_change_name(change)) or ""


def edge_name(kind: int) -> str:
    return text(lib.gpucode_edge_name(kind)) or ""


def function_kind_name(kind: int) -> str:
    return text(lib.gpucode_function_kind_name(kind)) or ""


def reference_kind_name(kind: int) -> str:
    return text(lib.gpucode_reference_kind_name(kind)) or ""


def privilege_name(effects: int) -> str:
    return text(lib.gpucode_privilege_name(effects)) or ""
