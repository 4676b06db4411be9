# SPDX-License-Identifier: MIT
"""Names for places, registers and memory, from sources, maps and symbol files."""

from __future__ import annotations

from typing import Iterator, List, Optional

from ._core import File, Messages, check, data_of, encoded, ffi, lib, named, pointer_to, record, records
from .code import Image, Program
from .structs import Label, Place
from .targets import Where, pointer_of

__all__ = ["Symbols"]


class Symbols:
    """Names for code, constants, registers and memory, from a source or from files."""

    def __init__(self, target: Where):
        out = ffi.new("struct gpucode_symbols **")
        check(lib.gpucode_symbols_create(pointer_of(target, needed=True), ffi.NULL, out))
        self._c = ffi.gc(out[0], lib.gpucode_symbols_free)

    def add(self, program: Program) -> "Symbols":
        """Adds the names of an assembled source."""
        check(lib.gpucode_symbols_add(self._c, pointer_to(program, "struct gpucode_program")))
        return self

    def read(self, source: str, file: File = None) -> "Symbols":
        """Adds what a map or a symbol file says."""
        messages, data = Messages(), data_of(source)
        messages.check(lib.gpucode_symbols_read(self._c, data, len(data), messages.calls.keep(encoded(file)), messages.handler))
        return self

    def bind(self, image: Image) -> "Symbols":
        """Puts the names where the image has their sections."""
        messages = Messages()
        messages.check(lib.gpucode_symbols_bind(self._c, pointer_to(image, "struct gpucode_image"), messages.handler))
        return self

    def __iter__(self) -> Iterator[Label]:
        return iter(records(lib.gpucode_symbols_at, self._c, "struct gpucode_label"))

    def find(self, name: str, section: Optional[str] = None) -> Optional[Label]:
        """A name, of a section or of all of them; None where it is not known."""
        out, data = ffi.new("struct gpucode_label *"), data_of(name)
        return record(out) if lib.gpucode_symbols_find(self._c, encoded(section), data, len(data), out) else None

    def label(self, section: int, unit: int, index: int = 0) -> str:
        """Name number `index` of a unit of a section; "" where there is none."""
        return named(lib.gpucode_symbols_label, ffi.cast("void *", self._c), section, unit, index)

    def near(self, section: int, unit: int) -> str:
        """A place by the name in front of it: "CP_NOP+0x3"."""
        return named(lib.gpucode_symbols_near, self._c, section, unit)

    def memory(self, address: int) -> str:
        """The name of an address of memory; "" where it has none."""
        return named(lib.gpucode_symbols_memory, self._c, address)

    def place(self, unit: int) -> Optional[Place]:
        """The line of the source that a unit of the image came from; None where none is known."""
        out = ffi.new("struct gpucode_place *")
        return record(out) if lib.gpucode_symbols_place(self._c, unit, out) else None

    def uses(self, unit: int) -> List[Place]:
        """Where the macros were used that a unit comes from, the innermost first."""
        out = ffi.new("struct gpucode_place *")
        found: List[Place] = []
        while lib.gpucode_symbols_use(self._c, unit, len(found), out):
            found.append(record(out))
        return found

    def unit(self, file: str, line: int, later: bool = False, start: int = 0) -> Optional[int]:
        """The first unit of a source line, from `start` on; with `later` of the nearest line after it."""
        out = ffi.new("uint32_t *")
        return out[0] if lib.gpucode_symbols_unit(self._c, data_of(file), line, later, start, out) else None
