# SPDX-License-Identifier: MIT
"""Whole programs and files: text to code, code to text, what a file is made of, lint and schedule."""

from __future__ import annotations

import builtins
import operator
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from ._core import (Calls, Diagnostic, File, GpucodeError, Messages, Record, buffer_of, bytes_of, called, check, data_of,
                    encoded, expected, ffi, fill, lib, listed, named, pointer_to, record, record_as, records, source_of,
                    struct_of, taken, text)
from ._enums import Form, Strip, TokenKind, UnitKind
from .structs import (A3xxUsage, Declaration, Finding, ImageFact, ImageInfo, Ir3Usage, Line, ProgramSection, Routine,
                      Scheduled, Section, Symbol, Token)
from .targets import Insn, Target, Where, pointer_of

if TYPE_CHECKING:
    from .analysis import Analysis
    from .machines import Machine
    from .symbols import Symbols

__all__ = ["Form", "Image", "Outline", "Program", "Strip", "TokenKind", "Unit", "UnitKind", "assemble", "disassemble",
           "explain", "lint_limits", "read_elf", "read_form", "source_target", "write_form"]

LabelOf = Callable[[int, int, int], Optional[str]]


@called(False)
def gpucode_py_include(function: Any, origin: Any, name: Any, content: Any, length: Any) -> bool:
    data = function(text(origin), text(name))
    if data is None:
        return False
    data = source_of(data)
    content[0] = lib.malloc(len(data) + 1)
    if content[0] == ffi.NULL:
        length[0] = ffi.cast("size_t", -1)
        return False
    ffi.memmove(content[0], data, len(data))
    length[0] = len(data)
    return True


@called(0)
def gpucode_py_label(function: Any, section: int, unit: int, index: int, buffer: Any, size: int) -> int:
    found = function(section, unit, index)
    if index and found is not None and found == function(section, unit, index - 1):
        return 0  # a function that does not look at the index has one name
    if index > 255:
        raise ValueError(f"the place {unit:#x} has more than 255 names: expected None after the last one")
    return fill(buffer, size, found)


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


def assemble(source: Union[str, bytes], target: Where = None, file: File = None,
             include: Optional[Callable[[str, str], Union[str, bytes, None]]] = None, oversize: bool = False,
             tokens: bool = False, lines: bool = True) -> "Program":
    """Text to code. InputError has all errors of the text.

    `tokens` and `lines`: the program knows what the source's words are, and which line each unit came from.
    `file` names the source in diagnostics; with it, and without `include`, included files are taken from beside it.
    """
    data = source_of(source)
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
    data = data_of(source)
    return Target._of(lib.gpucode_source_target(data, len(data)))


def explain(code: str) -> Optional[str]:
    """The long help of a diagnostic's code."""
    return text(lib.gpucode_explain(data_of(code)))


class Program:
    """What a source became."""

    def __init__(self, pointer: Any, diagnostics: Sequence[Diagnostic] = ()):
        self._c = ffi.gc(struct_of("struct gpucode_program", pointer), lib.gpucode_program_free)
        self.diagnostics: List[Diagnostic] = list(diagnostics)
        self.answer: Optional[Dict[str, Any]] = None  # of Image.patch()

    def __repr__(self) -> str:
        return f"<gpucode.Program {self.target.name}, {len(self.bytes)} bytes>"

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
    def symbols(self) -> List[Symbol]:
        """Labels and constants of the source."""
        return records(lib.gpucode_program_symbol, self._c, "struct gpucode_symbol")

    @property
    def sections(self) -> List[ProgramSection]:
        """The sections of the file, in order."""
        return records(lib.gpucode_program_section, self._c, "struct gpucode_program_section")

    @property
    def declarations(self) -> List[Declaration]:
        """What the source declares of the program (A3XX: its inputs)."""
        return records(lib.gpucode_program_declaration, self._c, "struct gpucode_declaration")

    @property
    def tokens(self) -> List[Token]:
        """What the source's words are; assemble(..., tokens=True)."""
        return records(lib.gpucode_program_token, self._c, "struct gpucode_token")

    def keep(self, section: int) -> None:
        """Cuts the program down to one of its sections."""
        if not lib.gpucode_program_keep(self._c, section):
            raise IndexError(f"there is no section {section}: the program has {len(self.sections)}")

    def line(self, unit: int) -> Optional[Line]:
        """Where a unit of the image came from."""
        out = ffi.new("struct gpucode_line *")
        return self._line(out) if lib.gpucode_program_line(self._c, unit, out) else None

    @staticmethod
    def _line(out: Any) -> Line:
        made = record_as(Line, out)
        made.source = ffi.buffer(out.source, out.source_length)[:].decode("utf-8", "replace") if out.source else None
        return made

    def uses(self, unit: int) -> List[Line]:
        """Where the macros were used that a unit comes from, the innermost first."""
        out = ffi.new("struct gpucode_line *")
        found: List[Line] = []
        while lib.gpucode_program_use(self._c, unit, len(found), out):
            found.append(self._line(out))
        return found

    def rewrite(self, code: "builtins.bytes", origins: Sequence[int], padding: bool = False) -> str:
        """The source with other code in it: unit i of `code` stands where unit origins[i] of the program stood."""
        numbers, data = ffi.new("uint32_t[]", list(origins)), buffer_of(code)
        change = ffi.new("struct gpucode_replacement *", {"bytes": data, "origins": numbers, "units": len(origins), "padding": padding})
        out, length = ffi.new("char **"), ffi.new("size_t *")
        check(lib.gpucode_program_rewrite(self._c, change, out, length))
        return taken(out[0], length[0]).decode("utf-8", "surrogateescape")

    def elf(self, source: Optional[str] = None) -> "builtins.bytes":
        """The program as an ELF file, with lines; `source` is the name it tells."""
        out, size = ffi.new("void **"), ffi.new("size_t *")
        check(lib.gpucode_elf_write(self._c, ffi.NULL if source is None else data_of(source), out, size))
        return taken(out[0], size[0])

    def image(self) -> "Image":
        """The program as a file is opened."""
        return Image(self.bytes, self.target)


def lint_limits(target: Where) -> Dict[str, int]:
    """The limits of a target's lint rules, with their defaults."""
    found: Dict[str, int] = {}
    limit, doc = ffi.new("struct gpucode_lint_limit *"), ffi.new("const char **")
    while lib.gpucode_lint_limit_at(pointer_of(target, needed=True), len(found), limit, doc):
        found[text(limit.name) or ""] = limit.value
    return found


class Image:
    """A file of code: its sections, packet tables and facts."""

    def __init__(self, code: bytes, target: Where = None, raw: bool = False, file: File = None):
        messages, out = Messages(), ffi.new("struct gpucode_image **")
        self._bytes = bytes_of(code, "code")
        self._kept = ffi.from_buffer(self._bytes)
        options = ffi.new("struct gpucode_image_options *", {
            "target": pointer_of(target), "raw": raw, "file_name": messages.calls.keep(encoded(file)), "on_diagnostic": messages.handler})
        messages.check(lib.gpucode_image_open(self._kept, len(self._bytes), options, out))
        self._c, self._raw = ffi.gc(out[0], lib.gpucode_image_free), raw
        self.diagnostics = messages.list

    def __repr__(self) -> str:
        sections = ", ".join(one.name for one in self.sections)
        return f"<gpucode.Image {self.target.name}, {len(self._bytes)} bytes{': ' if sections else ''}{sections}>"

    def __reduce__(self) -> Any:
        return Image, (self._bytes, self.target, self._raw)

    @property
    def bytes(self) -> builtins.bytes:
        """The file's bytes."""
        return self._bytes

    @property
    def info(self) -> ImageInfo:
        """What the file is: target, version, units."""
        return record_as(ImageInfo, lib.gpucode_image_info(self._c))

    @property
    def target(self) -> Target:
        """What its code is for."""
        return Target(lib.gpucode_image_info(self._c).target)

    @property
    def sections(self) -> List[Section]:
        """The sections, in the order of the file."""
        info = lib.gpucode_image_info(self._c)
        return [record(info.sections[i]) for i in range(info.section_count)]

    @property
    def facts(self) -> List[ImageFact]:
        """What the file says, each with the place that says so."""
        info = lib.gpucode_image_info(self._c)
        return [record(info.facts[i]) for i in range(info.fact_count)]

    def join(self, other: "Image") -> builtins.bytes:
        """The file that holds both: AFUC the PFP's firmware of an a5xx and, `other`, the ME's."""
        out, size = ffi.new("void **"), ffi.new("size_t *")
        self._check(lib.gpucode_image_join(self._c, pointer_to(other, "struct gpucode_image"), out, size),
                    "the PFP's firmware of an a5xx, and the ME's")
        return taken(ffi.cast("char *", out[0]), size[0])

    def handler(self, section: int, entry: int) -> Optional[int]:
        """Where the packet table of a section leads for an opcode."""
        out = ffi.new("uint32_t *")
        return out[0] if lib.gpucode_image_handler(self._c, section, entry, out) else None

    def handlers(self, section: int = 0) -> Dict[int, int]:
        """The packet table: opcode to place."""
        found = ((entry, self.handler(section, entry)) for entry in range(128))
        return {entry: place for entry, place in found if place is not None}

    def disassemble(self, label: Optional[LabelOf] = None, symbols: Optional["Symbols"] = None, style: int = 0,
                    columns: bool = False, raw: bool = False, expand: bool = False, cycles: bool = False,
                    static_only: bool = False, edit: bool = False) -> str:
        """The text that assembles back to these bytes; for the options see disassemble()."""
        settings, calls = disasm_options(self, label, symbols, style, columns, raw, expand, cycles, static_only, edit)
        out, length = ffi.new("char **"), ffi.new("size_t *")
        status = lib.gpucode_disassemble(self._c, settings, out, length)
        calls.check()
        check(status)
        return taken(out[0], length[0]).decode("utf-8", "surrogateescape")

    def outline(self, label: Optional[LabelOf] = None, symbols: Optional["Symbols"] = None, style: int = 0,
                columns: bool = False, raw: bool = False, expand: bool = False, cycles: bool = False,
                static_only: bool = False, edit: bool = False) -> "Outline":
        """The units of the listing as data; for the options see disassemble()."""
        return Outline(self, label, symbols, style, columns, raw, expand, cycles, static_only, edit)

    def machine(self, policies: Optional[Mapping[str, Union[str, int]]] = None, symbols: Optional["Symbols"] = None) -> "Machine":
        """A machine with this image loaded; see Machine."""
        from .machines import Machine
        return Machine(self, policies, symbols)

    def patch(self, **sources: Union[str, builtins.bytes]) -> Program:
        """A program with routines replaced: patch(CP_NOP="waitin\\nmov $01, $data\\n"). What follows them moves; labels, tables and
        numbers that are places follow. `answer` of the program has what was replaced, and what could not follow."""
        from .answers import Answer
        messages, answer, out = Messages(), Answer(), ffi.new("struct gpucode_program **")
        kept = [(encoded(name), source_of(source))
                for name, source in sources.items()]
        patches = ffi.new("struct gpucode_patch[]", [(name, name, ffi.from_buffer(source), len(source)) for name, source in kept])
        subject = ffi.new("struct gpucode_subject *", {"image": self._c})
        options = ffi.new("struct gpucode_asm_options *", {"on_diagnostic": messages.handler})
        wrong = ffi.new("struct gpucode_patch **")
        if not sources:
            raise TypeError("nothing to replace: expected routines with their sources, as CP_NOP='waitin\\nmov $01, $data\\n'")
        status = lib.gpucode_patch(subject, patches, len(kept), options, answer._c, out, wrong)
        if status == lib.GPUCODE_ERROR_RANGE and wrong[0]:
            routines = [one.name for one in self.outline().routines if one.name]
            name = text(wrong[0].routine) or ""
            raise KeyError(f"there is no routine {name!r}: expected {expected(name, routines)}")
        messages.check(status)
        made = Program(out[0], messages.list)
        made.answer = answer.value
        return made

    def carry(self, names: str, image: "Image") -> Tuple[str, Dict[str, Any]]:
        """The text of a symbol file about this image for another version of it, and what was lost: docs/symbols.md."""
        from .answers import Answer
        messages, answer, data = Messages(), Answer(), data_of(names)
        pointer_to(image, "struct gpucode_image")
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

    def lint(self, limits: Optional[Dict[str, int]] = None, entries: Sequence[int] = (),
             program: Optional[Program] = None) -> List[Finding]:
        """What is wrong with code that assembles. `program` gives the declarations of its source."""
        known = lint_limits(self.target)
        for name in limits or {}:
            if name not in known:
                raise KeyError(f"{self.target.name} has no limit {name!r}: expected " +
                               (f"some of {', '.join(known)}" if known else "none, as it has no limits"))
        calls = Calls()
        found: List[Finding] = []
        names = [calls.keep(encoded(name)) for name in (limits or {})]
        bounds = ffi.new("struct gpucode_lint_limit[]", [{"name": name, "value": value} for name, value in zip(names, (limits or {}).values())]
                         + [{"name": ffi.NULL}])
        source = ffi.NULL if program is None else pointer_to(program, "struct gpucode_program")
        declared = list(listed(lib.gpucode_program_declaration, source, "struct gpucode_declaration")) if program else []
        declarations = ffi.new("struct gpucode_declaration[]", [one[0] for one in declared])
        places = ffi.new("uint64_t[]", list(entries))
        options = ffi.new("struct gpucode_lint_options *", {
            "report": lib.gpucode_py_finding, "user": calls.handle(found.append), "limits": bounds, "entries": places,
            "entry_count": len(entries), "declarations": declarations, "declaration_count": len(declared)})
        status = lib.gpucode_lint(self._c, options, ffi.new("unsigned *"))
        calls.check()
        check(status)
        return found

    def schedule(self, strip: int = 0, reorder: bool = False) -> Scheduled:
        """The code with the delays and sync bits that it lacks: bytes, origins, and what it cost before and after."""
        messages, out = Messages(), ffi.new("struct gpucode_scheduled *")
        options = ffi.new("struct gpucode_schedule_options *", {"strip": strip, "reorder": reorder, "on_diagnostic": messages.handler})
        self._check(lib.gpucode_schedule(self._c, options, out), "a shader", messages)
        made = record_as(Scheduled, out)
        made.bytes = bytes(ffi.buffer(out.bytes, out.size))
        made.origins = [out.origins[i] for i in range(out.units)]
        made.diagnostics = messages.list
        lib.gpucode_scheduled_free(out)
        return made

    def _check(self, status: int, wanted: str, messages: Optional[Messages] = None) -> None:
        if status == lib.GPUCODE_ERROR_UNSUPPORTED:
            raise GpucodeError(status, f"this is code for {self.target.name}: expected {wanted}")
        (messages or Messages()).check(status)

    def usage(self) -> A3xxUsage:
        """A3XX: registers, consts and textures that a shader uses."""
        out = ffi.new("struct gpucode_a3xx_usage *")
        self._check(lib.gpucode_a3xx_usage(self._c, out), "a shader of A3XX")
        return record_as(A3xxUsage, out)

    def ir3_usage(self) -> Ir3Usage:
        """Shaders of a4xx and later: what usage() tells (`shader`), registers, waves, constlen."""
        out = ffi.new("struct gpucode_ir3_usage *")
        self._check(lib.gpucode_ir3_usage(self._c, out), "a shader of a4xx or later")
        return record_as(Ir3Usage, out)


def disasm_options(image: Image, label: Optional[LabelOf], symbols: Optional["Symbols"], style: int, columns: bool, raw: bool,
                   expand: bool, cycles: bool, static_only: bool, edit: bool) -> Tuple[Any, Calls]:
    calls = Calls()
    options = ffi.new("struct gpucode_disasm_options *", {"style": style, "columns": columns, "raw": raw, "expand": expand,
                                                         "cycles": cycles, "static_only": static_only})
    if symbols is not None:
        calls.keep(symbols)
        options.names = lib.gpucode_symbols_names(pointer_to(symbols, "struct gpucode_symbols"))
        options.label = ffi.addressof(lib, "gpucode_symbols_label")
        options.user = ffi.cast("void *", symbols._c)
    elif label is not None:
        options.label = lib.gpucode_py_label
        options.user = calls.handle(label)
    if edit:
        analysis, count = image.analyse(), ffi.new("size_t *")
        calls.keep(analysis)
        options.constants = lib.gpucode_analysis_constants(analysis._c, count)
        options.constant_count, options.constants_complete = count[0], not analysis.lost
        options.gathered = True
    return options, calls


def disassemble(code: bytes, target: Where = None, raw: bool = False, *, label: Optional[LabelOf] = None,
                symbols: Optional["Symbols"] = None, style: int = 0, columns: bool = False, expand: bool = False,
                cycles: bool = False, static_only: bool = False, edit: bool = False) -> str:
    """Code to text that assembles back to the same bytes.

    `raw`: the bytes are instructions from the first one on, and no file. `label` (section, unit, index -> name number
    `index` of the place, or None) or `symbols` names places; `columns` puts addresses and bits in front; `expand` and
    `cycles` comment A3XX; `static_only` finds code without running it; `style` 1 writes numbers of GPU registers by name
    (AFUC).
    `edit` writes numbers that are places of code as expressions of labels, so that they follow where code moves.
    """
    return Image(code, target, raw).disassemble(label, symbols, style, columns, False, expand, cycles, static_only, edit)


class Unit(Record):
    """One instruction or number of a listing. `at` counts from the start of its section, `unit` from that of the image;
    `line` is where its line begins in the text of the listing."""

    at: int
    bits: int
    unit: int
    routine: int
    first_label: int
    label_count: int
    row: int
    section: int
    size: int
    kind: UnitKind
    reached: bool
    begins: bool
    line: int
    text: str
    comment: str
    labels: List[str]


class Outline:
    """What a listing is made of: units, routines, names of places."""

    def __init__(self, image: Image, label: Optional[LabelOf] = None, symbols: Optional["Symbols"] = None, style: int = 0,
                 columns: bool = False, raw: bool = False, expand: bool = False, cycles: bool = False,
                 static_only: bool = False, edit: bool = False):
        settings, calls = disasm_options(image, label, symbols, style, columns, raw, expand, cycles, static_only, edit)
        out = ffi.new("struct gpucode_outline **")
        status = lib.gpucode_outline_create(pointer_to(image, "struct gpucode_image"), settings, out)
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

    def __len__(self) -> int:
        count = ffi.new("uint32_t *")
        lib.gpucode_outline_units(self._c, count)
        return int(count[0])

    @overload
    def __getitem__(self, index: int) -> Unit: ...

    @overload
    def __getitem__(self, index: slice) -> List[Unit]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Unit, List[Unit]]:
        count = len(self)
        if isinstance(index, slice):
            return [self._unit(place) for place in range(*index.indices(count))]
        place = operator.index(index) + (count if index < 0 else 0)
        if not 0 <= place < count:
            raise IndexError(f"there is no unit {index}: the listing has {count}")
        return self._unit(place)

    def __iter__(self) -> Iterator[Unit]:
        return map(self._unit, range(len(self)))

    def _unit(self, index: int) -> Unit:
        count = ffi.new("uint32_t *")
        unit, labels = lib.gpucode_outline_units(self._c, count)[index], lib.gpucode_outline_marks(self._c, count)
        made = Unit(**vars(record(unit)))
        made.text, made.comment = self._piece(unit.text), self._piece(unit.comment)
        made.labels = [self._piece(labels[k].name) for k in range(made.first_label, made.first_label + made.label_count)]
        return made

    def __repr__(self) -> str:
        return f"<gpucode.Outline {self._kept[0].target.name}, {len(self)} units>"

    def insn(self, index: int) -> Optional[Insn]:
        """Unit number `index` decoded; None where it is not code."""
        out = ffi.new("struct gpucode_insn *")
        return Insn(out) if lib.gpucode_outline_insn(self._c, index, out) else None

    @property
    def routines(self) -> List[Routine]:
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


def write_form(target: Where, form: int, code: bytes, name: Optional[str] = None) -> str:
    """Bytes as text: hex, words, a C array, calls of a script builder."""
    out, length = ffi.new("char **"), ffi.new("size_t *")
    check(lib.gpucode_form_write(pointer_of(target), Form(form), encoded(name), buffer_of(code), len(code), out, length))
    return taken(out[0], length[0]).decode()


def read_form(target: Where, source: str, file: File = None) -> bytes:
    """The other way: any of the forms as bytes."""
    messages, data = Messages(), data_of(source)
    out, size, handler = ffi.new("void **"), ffi.new("size_t *"), ffi.new("struct gpucode_diagnostic_handler *", messages.handler)
    messages.check(lib.gpucode_form_read(pointer_of(target), data, len(data), messages.calls.keep(encoded(file)), handler, out, size))
    return taken(out[0], size[0])


def read_elf(data: bytes, file: File = None) -> Optional[Tuple[Target, bytes]]:
    """What an ELF file of Program.elf() was made for, and its code; None: some other file."""
    messages, out = Messages(), ffi.new("struct gpucode_elf_code *")
    handler = ffi.new("struct gpucode_diagnostic_handler *", messages.handler)
    status = lib.gpucode_elf_read(buffer_of(data), len(data), messages.calls.keep(encoded(file)), handler, out)
    if status == lib.GPUCODE_ERROR_UNSUPPORTED:
        return None
    messages.check(status)
    return Target(out.target), taken(out.bytes, out.size)
