# SPDX-License-Identifier: MIT
"""Sources as editors see them: words, symbols, mistakes, and what may come next."""

from __future__ import annotations

from typing import Any, Callable, Iterator, List, Optional, Union

from ._core import Calls, File, called, check, data_of, encoded, ffi, lib, record, records, source_of
from .structs import Expected, SourceDiagnostic, SourceFile, SourceSymbol, Word
from .targets import Target, Where, pointer_of

__all__ = ["Source", "expect"]


@called()
def gpucode_py_expected(function: Any, expected: Any) -> None:
    made = record(expected)
    made.name = ffi.buffer(expected.name, expected.length)[:].decode() if made.name and expected.length else made.name
    function(made)


def expect(target: Where, source: str) -> List[Expected]:
    """What may follow the beginning of a line."""
    calls, data = Calls(), data_of(source)
    found: List[Expected] = []
    check(lib.gpucode_expect(pointer_of(target, needed=True), ffi.NULL, data, len(data), lib.gpucode_py_expected, calls.handle(found.append)))
    calls.check()
    return found


class Source:
    """A source as editors see it, errors or not: its words, the symbols they name, and what is wrong with a mend for it."""

    def __init__(self, source: Union[str, bytes], target: Where = None, file: File = None,
                 include: Optional[Callable[[str, str], Union[str, bytes, None]]] = None):
        data = source_of(source)
        calls, out = Calls(), ffi.new("struct gpucode_source **")
        options = ffi.new("struct gpucode_asm_options *", {
            "target": pointer_of(target), "file": calls.keep(encoded(file)), "include": lib.gpucode_py_include if include else ffi.NULL,
            "user": calls.handle(include)})
        status = lib.gpucode_source_read(data, len(data), options, out)
        calls.check()
        if status != lib.GPUCODE_ERROR_INPUT:
            check(status)
        self._c = ffi.gc(out[0], lib.gpucode_source_free)
        self.correct = status == lib.GPUCODE_OK

    def __repr__(self) -> str:
        return f"<gpucode.Source {self.target.name if self.target else 'of no target'}, {len(self.diagnostics)} diagnostics>"

    @property
    def target(self) -> Optional[Target]:
        """What the source is for; None where it does not say."""
        return Target._of(lib.gpucode_source_chip(self._c))

    @property
    def files(self) -> List[SourceFile]:
        """The source and the files it includes."""
        return records(lib.gpucode_source_file, self._c, "struct gpucode_source_file")

    def _list(self, function: Callable[..., Any], *arguments: Any) -> List[Any]:
        count = ffi.new("uint32_t *")
        found = function(self._c, *arguments, count)
        return [record(found[i]) for i in range(count[0])]

    def words(self, file: int = 0) -> List[Word]:
        """The words of a file, each with its kind and place."""
        return self._list(lib.gpucode_source_words, file)

    @property
    def symbols(self) -> List[SourceSymbol]:
        """The names that the source defines."""
        return self._list(lib.gpucode_source_symbols)

    @property
    def diagnostics(self) -> List[SourceDiagnostic]:
        """What is wrong, each with a mend where there is one."""
        return self._list(lib.gpucode_source_diagnostics)

    def word(self, index: int) -> Optional[Word]:
        """Word number `index`; None after the last one."""
        found = lib.gpucode_source_word(self._c, index)
        return None if found == ffi.NULL else record(found)

    def places(self, symbol: SourceSymbol) -> Iterator[Word]:
        """All words that name a symbol, its definition among them."""
        index = symbol.first
        while index != lib.GPUCODE_NONE:
            word = self.word(index)
            if word is None:
                return
            yield word
            index = word.next
