# SPDX-License-Identifier: MIT
"""Whole programs and files: text to code, code to text, what a file is made of, lint and schedule."""

from __future__ import annotations

import builtins
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ._core import (Calls, Diagnostic, Messages, Record, called, check, encoded, ffi, fill, lib, listed, named, record,
                    records, struct_of, taken, text)
from ._enums import Form, Strip, TokenKind, UnitKind
from .targets import Insn, Target, pointer_of

if TYPE_CHECKING:
    from .analysis import Analysis
    from .machines import Machine

__all__ = ["Form", "Image", "Outline", "Program", "Source", "Strip", "Symbols", "TokenKind", "Unit", "UnitKind", "assemble", "disassemble",
           "explain", "expect", "lint_limits", "read_elf", "read_form", "source_target", "write_form"]

Where = Union[str, Target, None]


@called(False)
def gpucode_py_include(function: Any, origin: Any, name: Any, content: Any, length: Any) -> bool:
    data = function(text(origin), text(name))
    if data is None:
        return False
    data = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    content[0] = lib.malloc(len(data) + 1)
    if content[0] == ffi.NULL:
        length[0] = ffi.cast("size_t", -1)
        return False
    ffi.memmove(content[0], data, len(data))
    length[0] = len(data)
    return True


@called(0)
def gpucode_py_label(function: Any, section: int, unit: int, index: int, buffer: Any, size: int) -> int:
    return fill(buffer, size, function(section, unit, index))


@called()
def gpucode_py_finding(function: Any, finding: Any) -> None:
    function(record(finding))


def include_beside(origin: str, name: str) -> Optional[bytes]:
    """The included file of that name beside the file that names it; None where there is none."""
    try:
        with open(os.path.join(os.path.dirname(origin), name), "rb") as file:
            return file.read()
    except OSError:
        return None


def assemble(source: Union[str, bytes], target: Where = None, file: Optional[str] = None,
             include: Optional[Callable[[str, str], Union[str, bytes, None]]] = None, oversize: bool = False,
             tokens: bool = False, lines: bool = True) -> "Program":
    """Text to code. InputError has all errors of the text.

    `tokens` and `lines`: the program knows what the source's words are, and which line each unit came from.
    `file` names the source in diagnostics; with it, and without `include`, included files are taken from beside it.
    """
    if not isinstance(source, (str, bytes, bytearray)):
        raise TypeError(f"a {type(source).__name__} is not a source: expected a text or bytes")
    data = source.encode("utf-8", "surrogateescape") if isinstance(source, str) else source
    messages, out = Messages(), ffi.new("struct gpucode_program **")
    calls = messages.calls
    include = include or (include_beside if file else None)
    options = ffi.new("struct gpucode_asm_options *", {
        "target": pointer_of(target), "file": calls.keep(encoded(file)), "on_diagnostic": messages.handler,
        "include": lib.gpucode_py_include if include else ffi.NULL, "user": calls.handle(include), "oversize": oversize,
        "record_lines": lines, "record_tokens": tokens})
    diagnostics = messages.check(lib.gpucode_assemble(data, len(data), options, out))
    return Program(out[0], diagnostics)


def source_target(source: str) -> Optional[Target]:
    """What a source says that it is for."""
    data = source.encode("utf-8", "surrogateescape")
    return Target._of(lib.gpucode_source_target(data, len(data)))


def explain(code: str) -> Optional[str]:
    """The long help of a diagnostic's code."""
    return text(lib.gpucode_explain(code.encode()))


class Program:
    """What a source became."""

    def __init__(self, pointer: Any, diagnostics: Sequence[Diagnostic] = ()):
        self._c = ffi.gc(struct_of("struct gpucode_program", pointer), lib.gpucode_program_free)
        self.diagnostics = list(diagnostics)
        self.answer: Optional[Dict[str, Any]] = None  # of Image.patch()

    @property
    def bytes(self) -> bytes:
        """The file: header and code."""
        return bytes(ffi.buffer(lib.gpucode_program_bytes(self._c), lib.gpucode_program_size(self._c)))

    @property
    def target(self) -> Target:
        """What it is for."""
        return Target(lib.gpucode_program_target(self._c))

    @property
    def prefix(self) -> int:
        """Bytes in front of unit 0."""
        return int(lib.gpucode_program_prefix(self._c))

    @property
    def symbols(self) -> List[Record]:
        """Labels and constants of the source."""
        return records(lib.gpucode_program_symbol, self._c, "struct gpucode_symbol")

    @property
    def sections(self) -> List[Record]:
        """The sections of the file, in order."""
        return records(lib.gpucode_program_section, self._c, "struct gpucode_program_section")

    @property
    def declarations(self) -> List[Record]:
        """What the source declares of the program (A3XX: its inputs)."""
        return records(lib.gpucode_program_declaration, self._c, "struct gpucode_declaration")

    @property
    def tokens(self) -> List[Record]:
        """What the source's words are; assemble(..., tokens=True)."""
        return records(lib.gpucode_program_token, self._c, "struct gpucode_token")

    def keep(self, section: int) -> None:
        """Cuts the program down to one of its sections."""
        if not lib.gpucode_program_keep(self._c, section):
            raise IndexError(section)

    def line(self, unit: int) -> Optional[Record]:
        """Where a unit of the image came from."""
        out = ffi.new("struct gpucode_line *")
        return self._line(out) if lib.gpucode_program_line(self._c, unit, out) else None

    @staticmethod
    def _line(out: Any) -> Record:
        made = record(out)
        made.source = ffi.buffer(out.source, out.source_length)[:].decode("utf-8", "replace") if out.source else None
        return made

    def uses(self, unit: int) -> List[Record]:
        """Where the macros were used that a unit comes from, the innermost first."""
        out = ffi.new("struct gpucode_line *")
        found: List[Record] = []
        while lib.gpucode_program_use(self._c, unit, len(found), out):
            found.append(self._line(out))
        return found

    def rewrite(self, code: "builtins.bytes", origins: Sequence[int], padding: bool = False) -> str:
        """The source with other code in it: unit i of `code` stands where unit origins[i] of the program stood."""
        numbers, data = ffi.new("uint32_t[]", list(origins)), ffi.from_buffer(code)
        change = ffi.new("struct gpucode_replacement *", {"bytes": data, "origins": numbers, "units": len(origins), "padding": padding})
        out, length = ffi.new("char **"), ffi.new("size_t *")
        check(lib.gpucode_program_rewrite(self._c, change, out, length))
        return taken(out[0], length[0]).decode("utf-8", "surrogateescape")

    def elf(self, source: Optional[str] = None) -> "builtins.bytes":
        """The program as an ELF file, with lines; `source` is the name it tells."""
        out, size = ffi.new("void **"), ffi.new("size_t *")
        check(lib.gpucode_elf_write(self._c, ffi.NULL if source is None else source.encode("utf-8", "surrogateescape"), out, size))
        return taken(out[0], size[0])

    def image(self) -> "Image":
        """The program as a file is opened."""
        return Image(self.bytes, self.target)


@called()
def gpucode_py_expected(function: Any, expected: Any) -> None:
    made = record(expected)
    made.name = ffi.buffer(expected.name, expected.length)[:].decode() if made.name and expected.length else made.name
    function(made)


def expect(target: Where, source: str) -> List[Record]:
    """What may follow the beginning of a line."""
    calls, data = Calls(), source.encode("utf-8", "surrogateescape")
    found: List[Record] = []
    check(lib.gpucode_expect(pointer_of(target), ffi.NULL, data, len(data), lib.gpucode_py_expected, calls.handle(found.append)))
    calls.check()
    return found


class Source:
    """A source as editors see it, errors or not: its words, the symbols they name, and what is wrong with a mend for it."""

    def __init__(self, source: Union[str, bytes], target: Where = None, file: Optional[str] = None,
                 include: Optional[Callable[[str, str], Union[str, bytes, None]]] = None):
        data = source.encode("utf-8", "surrogateescape") if isinstance(source, str) else source
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

    @property
    def target(self) -> Optional[Target]:
        """What the source is for; None where it does not say."""
        return Target._of(lib.gpucode_source_chip(self._c))

    @property
    def files(self) -> List[Record]:
        """The source and the files it includes."""
        return records(lib.gpucode_source_file, self._c, "struct gpucode_source_file")

    def _list(self, function: Callable[..., Any], *arguments: Any) -> List[Record]:
        count = ffi.new("uint32_t *")
        found = function(self._c, *arguments, count)
        return [record(found[i]) for i in range(count[0])]

    def words(self, file: int = 0) -> List[Record]:
        """The words of a file, each with its kind and place."""
        return self._list(lib.gpucode_source_words, file)

    @property
    def symbols(self) -> List[Record]:
        """The names that the source defines."""
        return self._list(lib.gpucode_source_symbols)

    @property
    def diagnostics(self) -> List[Record]:
        """What is wrong, each with a mend where there is one."""
        return self._list(lib.gpucode_source_diagnostics)

    def word(self, index: int) -> Optional[Record]:
        """Word number `index`; None after the last one."""
        found = lib.gpucode_source_word(self._c, index)
        return None if found == ffi.NULL else record(found)

    def places(self, symbol: Record) -> Iterator[Record]:
        """All words that name a symbol, its definition among them."""
        index = symbol.first
        while index != lib.GPUCODE_NONE:
            word = self.word(index)
            if word is None:
                return
            yield word
            index = word.next


def lint_limits(target: Where) -> Dict[str, int]:
    """The limits of a target's lint rules, with their defaults."""
    found: Dict[str, int] = {}
    limit, doc = ffi.new("struct gpucode_lint_limit *"), ffi.new("const char **")
    while lib.gpucode_lint_limit_at(pointer_of(target), len(found), limit, doc):
        found[text(limit.name) or ""] = limit.value
    return found


class Image:
    """A file of code: its sections, packet tables and facts."""

    def __init__(self, code: bytes, target: Where = None, raw: bool = False, file: Optional[str] = None):
        messages, out = Messages(), ffi.new("struct gpucode_image **")
        if isinstance(code, (int, str)):  # bytes() would make so many zeros of a number, gigabytes of them
            raise TypeError(f"a {type(code).__name__} is not code: expected bytes")
        self._bytes = bytes(memoryview(code))
        self._kept = ffi.from_buffer(self._bytes)
        options = ffi.new("struct gpucode_image_options *", {
            "target": pointer_of(target), "raw": raw, "file_name": messages.calls.keep(encoded(file)), "on_diagnostic": messages.handler})
        messages.check(lib.gpucode_image_open(self._kept, len(self._bytes), options, out))
        self._c = ffi.gc(out[0], lib.gpucode_image_free)
        self.diagnostics = messages.list

    @property
    def bytes(self) -> builtins.bytes:
        """The file's bytes."""
        return self._bytes

    @property
    def info(self) -> Record:
        """What the file is: target, version, units."""
        return record(lib.gpucode_image_info(self._c))

    @property
    def target(self) -> Target:
        """What its code is for."""
        return Target(lib.gpucode_image_info(self._c).target)

    @property
    def sections(self) -> List[Record]:
        """The sections, in the order of the file."""
        info = lib.gpucode_image_info(self._c)
        return [record(info.sections[i]) for i in range(info.section_count)]

    @property
    def facts(self) -> List[Record]:
        """What the file says, each with the place that says so."""
        info = lib.gpucode_image_info(self._c)
        return [record(info.facts[i]) for i in range(info.fact_count)]

    def join(self, other: "Image") -> builtins.bytes:
        """The file that holds both: AFUC the PFP's firmware of an a5xx and, `other`, the ME's."""
        out, size = ffi.new("void **"), ffi.new("size_t *")
        check(lib.gpucode_image_join(self._c, other._c, out, size))
        return taken(ffi.cast("char *", out[0]), size[0])

    def handler(self, section: int, entry: int) -> Optional[int]:
        """Where the packet table of a section leads for an opcode."""
        out = ffi.new("uint32_t *")
        return out[0] if lib.gpucode_image_handler(self._c, section, entry, out) else None

    def handlers(self, section: int = 0) -> Dict[int, int]:
        """The packet table: opcode to place."""
        found = ((entry, self.handler(section, entry)) for entry in range(128))
        return {entry: place for entry, place in found if place is not None}

    def disassemble(self, **options: Any) -> str:
        """The text that assembles back to these bytes; for the options see disassemble()."""
        settings, calls = disasm_options(image=self, **options)
        out, length = ffi.new("char **"), ffi.new("size_t *")
        status = lib.gpucode_disassemble(self._c, settings, out, length)
        calls.check()
        check(status)
        return taken(out[0], length[0]).decode("utf-8", "surrogateescape")

    def outline(self, **options: Any) -> "Outline":
        """The units of the listing as data; for the options see disassemble()."""
        return Outline(self, **options)

    def machine(self, **options: Any) -> "Machine":
        """A machine with this image loaded; see Machine."""
        from .machines import Machine
        return Machine(self, **options)

    def patch(self, **sources: Union[str, builtins.bytes]) -> Program:
        """A program with routines replaced: patch(CP_NOP="waitin\\nmov $01, $data\\n"). What follows them moves; labels, tables and
        numbers that are places follow. `answer` of the program has what was replaced, and what could not follow."""
        from .answers import Answer
        messages, answer, out = Messages(), Answer(), ffi.new("struct gpucode_program **")
        kept = [(encoded(name), source.encode("utf-8", "surrogateescape") if isinstance(source, str) else builtins.bytes(memoryview(source)))
                for name, source in sources.items()]
        patches = ffi.new("struct gpucode_patch[]", [(name, name, ffi.from_buffer(source), len(source)) for name, source in kept])
        subject = ffi.new("struct gpucode_subject *", {"image": self._c})
        options = ffi.new("struct gpucode_asm_options *", {"on_diagnostic": messages.handler})
        messages.check(lib.gpucode_patch(subject, patches, len(kept), options, answer._c, out, ffi.NULL))
        made = Program(out[0], messages.list)
        made.answer = answer.value
        return made

    def carry(self, names: str, image: "Image") -> Tuple[str, Dict[str, Any]]:
        """The text of a symbol file about this image for another version of it, and what was lost: docs/symbols.md."""
        from .answers import Answer
        messages, answer, data = Messages(), Answer(), names.encode("utf-8", "surrogateescape")
        old, new = self.analyse(), image.analyse()
        sides = [ffi.new("struct gpucode_subject *", {"image": one._c, "analysis": analysis._c})
                 for one, analysis in ((self, old), (image, new))]
        text_of, out, length = ffi.from_buffer(data), ffi.new("char **"), ffi.new("size_t *")
        file = ffi.new("struct gpucode_symbol_text *", {"text": text_of, "length": len(data)})
        messages.check(lib.gpucode_report_carried(sides[0], sides[1], file, messages.handler, answer._c, out, length, ffi.NULL))
        return taken(out[0], length[0]).decode("utf-8", "surrogateescape"), answer.value

    def analyse(self) -> "Analysis":
        """Its functions, who uses what, privileges; see Analysis."""
        from .analysis import Analysis
        return Analysis(self)

    def lint(self, limits: Optional[Dict[str, int]] = None, entries: Sequence[int] = (), program: Optional[Program] = None) -> List[Record]:
        """What is wrong with code that assembles. `program` gives the declarations of its source."""
        unknown = set(limits or {}) - set(lint_limits(self.target))
        if unknown:
            raise KeyError(f"{self.target.name} has no limit {sorted(unknown)[0]!r}: expected some of "
                           f"{', '.join(lint_limits(self.target)) or 'none'}")
        calls = Calls()
        found: List[Record] = []
        names = [calls.keep(encoded(name)) for name in (limits or {})]
        bounds = ffi.new("struct gpucode_lint_limit[]", [{"name": name, "value": value} for name, value in zip(names, (limits or {}).values())]
                         + [{"name": ffi.NULL}])
        declared = list(listed(lib.gpucode_program_declaration, program._c, "struct gpucode_declaration")) if program else []
        declarations = ffi.new("struct gpucode_declaration[]", [one[0] for one in declared])
        places = ffi.new("uint64_t[]", list(entries))
        options = ffi.new("struct gpucode_lint_options *", {
            "report": lib.gpucode_py_finding, "user": calls.handle(found.append), "limits": bounds, "entries": places,
            "entry_count": len(entries), "declarations": declarations, "declaration_count": len(declared)})
        status = lib.gpucode_lint(self._c, options, ffi.new("unsigned *"))
        calls.check()
        check(status)
        return found

    def schedule(self, strip: int = 0, reorder: bool = False) -> Record:
        """The code with the delays and sync bits that it lacks: bytes, origins, and what it cost before and after."""
        messages, out = Messages(), ffi.new("struct gpucode_scheduled *")
        options = ffi.new("struct gpucode_schedule_options *", {"strip": strip, "reorder": reorder, "on_diagnostic": messages.handler})
        messages.check(lib.gpucode_schedule(self._c, options, out))
        made = record(out)
        made.bytes = bytes(ffi.buffer(out.bytes, out.size))
        made.origins = [out.origins[i] for i in range(out.units)]
        made.diagnostics = messages.list
        lib.gpucode_scheduled_free(out)
        return made

    def usage(self) -> Record:
        """A3XX: registers, consts and textures that a shader uses."""
        out = ffi.new("struct gpucode_a3xx_usage *")
        check(lib.gpucode_a3xx_usage(self._c, out))
        return record(out)

    def ir3_usage(self) -> Record:
        """Shaders of a4xx and later: what usage() tells (`shader`), registers, waves, constlen."""
        out = ffi.new("struct gpucode_ir3_usage *")
        check(lib.gpucode_ir3_usage(self._c, out))
        return record(out)


def disasm_options(label: Optional[Callable[[int, int, int], Optional[str]]] = None, symbols: Optional["Symbols"] = None, style: int = 0,
                   columns: bool = False, raw: bool = False, expand: bool = False, cycles: bool = False,
                   static_only: bool = False, edit: bool = False, image: Optional[Image] = None) -> Tuple[Any, Calls]:
    calls = Calls()
    options = ffi.new("struct gpucode_disasm_options *", {"style": style, "columns": columns, "raw": raw, "expand": expand,
                                                         "cycles": cycles, "static_only": static_only})
    if symbols is not None:
        calls.keep(symbols)
        options.names = lib.gpucode_symbols_names(symbols._c)
        options.label = ffi.addressof(lib, "gpucode_symbols_label")
        options.user = ffi.cast("void *", symbols._c)
    elif label is not None:
        options.label = lib.gpucode_py_label
        options.user = calls.handle(label)
    if edit and image is not None:
        analysis, count = image.analyse(), ffi.new("size_t *")
        calls.keep(analysis)
        options.constants = lib.gpucode_analysis_constants(analysis._c, count)
        options.constant_count, options.constants_complete = count[0], not analysis.lost
        options.gathered = True
    return options, calls


def disassemble(code: bytes, target: Where = None, raw: bool = False, **options: Any) -> str:
    """Code to text that assembles back to the same bytes.

    `label` (section, unit, index -> name or None) or `symbols` names places; `columns` puts addresses and bits in front;
    `expand` and `cycles` comment A3XX; `static_only` finds code without running it;
    `edit` writes numbers that are places of code as expressions of labels, so that they follow where code moves.
    """
    return Image(code, target, raw).disassemble(**options)


class Unit(Record):
    """One instruction or number of a listing: at, bits, kind, text, comment, labels."""


class Outline:
    """What a listing is made of: units, routines, names of places."""

    def __init__(self, image: Image, **options: Any):
        settings, calls = disasm_options(image=image, **options)
        out = ffi.new("struct gpucode_outline **")
        status = lib.gpucode_outline_create(image._c, settings, out)
        calls.check()
        check(status)
        self._c = ffi.gc(out[0], lib.gpucode_outline_free)
        self._kept = (image, calls)
        length = ffi.new("size_t *")
        start = lib.gpucode_outline_text(self._c, length)
        self._text = bytes(ffi.buffer(start, length[0]))

    @property
    def text(self) -> str:
        """The whole listing."""
        return self._text.decode("utf-8", "surrogateescape")

    def _piece(self, span: Any) -> str:
        return self._text[span.offset:span.offset + span.length].decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[Unit]:
        count, marks = ffi.new("uint32_t *"), ffi.new("uint32_t *")
        units, labels = lib.gpucode_outline_units(self._c, count), lib.gpucode_outline_marks(self._c, marks)
        for i in range(count[0]):
            made = Unit(**vars(record(units[i])))
            made.text, made.comment = self._piece(units[i].text), self._piece(units[i].comment)
            made.labels = [self._piece(labels[k].name) for k in range(made.first_label, made.first_label + made.label_count)]
            yield made

    def insn(self, index: int) -> Optional[Insn]:
        """Unit number `index` decoded; None where it is not code."""
        out = ffi.new("struct gpucode_insn *")
        return Insn(out) if lib.gpucode_outline_insn(self._c, index, out) else None

    @property
    def routines(self) -> List[Record]:
        """The routines, each with its first unit and name."""
        count = ffi.new("uint32_t *")
        routines = lib.gpucode_outline_routines(self._c, count)
        return [record(routines[i]) for i in range(count[0])]

    def find(self, section: int, at: int) -> Optional[int]:
        """The index of the unit at a place; None where there is none."""
        index = lib.gpucode_outline_find(self._c, section, at)
        return None if index == lib.GPUCODE_NONE else index

    def search(self, pattern: str) -> List[Dict[str, Any]]:
        """Where a pattern of instructions stands ("mov $x, *; ...; jump"; docs/analysis.md): each with `instructions`, which have
        their place, name and text, and `bound`, what the pattern's names stand for. Wrong patterns are an InputError."""
        from .answers import ask
        messages, out, data = Messages(), ffi.new("struct gpucode_pattern **"), encoded(pattern)
        messages.check(lib.gpucode_pattern_create(self._kept[0].target._c, ffi.NULL, data, len(data) - 1, messages.handler, out))
        made = ffi.gc(out[0], lib.gpucode_pattern_free)
        return ask("report_search", {"image": self._kept[0], "outline": self}, made).values

    def name(self, section: int, at: int) -> Optional[str]:
        """The name of a place; None where it has none."""
        length = ffi.new("size_t *")
        found = lib.gpucode_outline_name(self._c, section, at, length)
        return None if found == ffi.NULL else ffi.buffer(found, length[0])[:].decode("utf-8", "surrogateescape")

    def near(self, section: int, at: int) -> str:
        """A place by the name in front of it: "CP_NOP+0x3"."""
        return named(lib.gpucode_outline_near, self._c, section, at)


class Symbols:
    """Names for code, constants, registers and memory, from a source or from files."""

    def __init__(self, target: Where):
        out = ffi.new("struct gpucode_symbols **")
        check(lib.gpucode_symbols_create(pointer_of(target), ffi.NULL, out))
        self._c = ffi.gc(out[0], lib.gpucode_symbols_free)

    def add(self, program: Program) -> "Symbols":
        """Adds the names of an assembled source."""
        check(lib.gpucode_symbols_add(self._c, program._c))
        return self

    def read(self, source: str, file: Optional[str] = None) -> "Symbols":
        """Adds what a map or a symbol file says."""
        messages, data = Messages(), source.encode("utf-8", "surrogateescape")
        messages.check(lib.gpucode_symbols_read(self._c, data, len(data), messages.calls.keep(encoded(file)), messages.handler))
        return self

    def bind(self, image: Image) -> "Symbols":
        """Puts the names where the image has their sections."""
        messages = Messages()
        messages.check(lib.gpucode_symbols_bind(self._c, image._c, messages.handler))
        return self

    def __iter__(self) -> Iterator[Record]:
        return iter(records(lib.gpucode_symbols_at, self._c, "struct gpucode_label"))

    def find(self, name: str, section: Optional[str] = None) -> Optional[Record]:
        """A name, of a section or of all of them; None where it is not known."""
        out, data = ffi.new("struct gpucode_label *"), name.encode("utf-8", "surrogateescape")
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

    def place(self, unit: int) -> Optional[Record]:
        """The line of the source that a unit of the image came from; None where none is known."""
        out = ffi.new("struct gpucode_place *")
        return record(out) if lib.gpucode_symbols_place(self._c, unit, out) else None

    def uses(self, unit: int) -> List[Record]:
        """Where the macros were used that a unit comes from, the innermost first."""
        out = ffi.new("struct gpucode_place *")
        found: List[Record] = []
        while lib.gpucode_symbols_use(self._c, unit, len(found), out):
            found.append(record(out))
        return found

    def unit(self, file: str, line: int, later: bool = False, start: int = 0) -> Optional[int]:
        """The first unit of a source line, from `start` on; with `later` of the nearest line after it."""
        out = ffi.new("uint32_t *")
        return out[0] if lib.gpucode_symbols_unit(self._c, file.encode("utf-8", "surrogateescape"), line, later, start, out) else None


def write_form(target: Where, form: int, code: bytes, name: Optional[str] = None) -> str:
    """Bytes as text: hex, words, a C array, calls of a script builder."""
    out, length = ffi.new("char **"), ffi.new("size_t *")
    check(lib.gpucode_form_write(pointer_of(target), form, encoded(name), ffi.from_buffer(code), len(code), out, length))
    return taken(out[0], length[0]).decode()


def read_form(target: Where, source: str, file: Optional[str] = None) -> bytes:
    """The other way: any of the forms as bytes."""
    messages, data = Messages(), source.encode("utf-8", "surrogateescape")
    out, size, handler = ffi.new("void **"), ffi.new("size_t *"), ffi.new("struct gpucode_diagnostic_handler *", messages.handler)
    messages.check(lib.gpucode_form_read(pointer_of(target), data, len(data), messages.calls.keep(encoded(file)), handler, out, size))
    return taken(out[0], size[0])


def read_elf(data: bytes, file: Optional[str] = None) -> Optional[Tuple[Target, bytes]]:
    """What an ELF file of Program.elf() was made for, and its code; None: some other file."""
    messages, out = Messages(), ffi.new("struct gpucode_elf_code *")
    handler = ffi.new("struct gpucode_diagnostic_handler *", messages.handler)
    status = lib.gpucode_elf_read(ffi.from_buffer(data), len(data), messages.calls.keep(encoded(file)), handler, out)
    if status == lib.GPUCODE_ERROR_UNSUPPORTED:
        return None
    messages.check(status)
    return Target(out.target), taken(out.bytes, out.size)
