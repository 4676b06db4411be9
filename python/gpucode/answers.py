# SPDX-License-Identifier: MIT
"""Answers: what the library has found out, as Python's own dictionaries and lists, as text, JSON or HTML.

    answer = gpucode.ask("crash_explain", crash, None)      # gpucode_crash_explain(crash, NULL, answer)
    print(answer["verdict"])
    print(answer.text(columns=80))
"""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._core import Record, a, check, data_of, encoded, expected, ffi, lib, taken, value_of
from .targets import pointer_of

__all__ = ["Answer", "Field", "ask"]


def _kinds(prefix: str, c_name: str) -> Dict[str, int]:
    by_number = sorted(ffi.typeof(c_name).elements.items())
    return {name[len(prefix):].lower(): number for number, name in by_number if name != "GPUCODE_ANSWER_CLOSE"}


_KINDS = _kinds("GPUCODE_ANSWER_", "enum gpucode_answer_kind")
_STYLES = _kinds("GPUCODE_ANSWER_", "enum gpucode_answer_style")


def _chosen(what: str, name: str, among: Dict[str, int]) -> int:
    if name not in among:
        raise ValueError(f"{name!r} is not a {what} of a field: expected one of {', '.join(among)}")
    return among[name]


class Field:
    """What a value of an answer is: its key in JSON, how text shows it, its unit, and what it means.

    `kind`: "text", "count", "place", "hex", "word", "signed", "real", "flag", "nothing", "object" or "list"; `style` and
    `text` are those of struct gpucode_answer_field. An object has `members`, and a list one: the field of its items.
    """

    def __init__(self, key: Optional[str], kind: str, text: Optional[str] = None, *, meaning: str = "", unit: str = "",
                 style: str = "plain", optional: bool = False, may_be_null: bool = False, members: Sequence["Field"] = ()):
        self.key, self.kind, self.members = key, kind, tuple(members)
        if members and kind not in ("object", "list"):
            raise ValueError(f"the field {key!r} of kind {kind} has members: expected an object or a list")
        if kind == "list" and len(self.members) != 1:
            raise ValueError(f"the list {key!r} has {len(self.members)} members: expected one, the field of its items")
        self._kept = [encoded(key), encoded(text), encoded(unit), encoded(meaning)]
        self._row = (*self._kept, _chosen("kind", kind, _KINDS), _chosen("style", style, _STYLES), optional, may_be_null)
        self._c = ffi.new("struct gpucode_answer_field *", self._row)

    def _rows(self) -> List[Tuple[Any, ...]]:
        rows = [self._row] + [row for member in self.members for row in member._rows()]
        if self.kind in ("object", "list"):
            rows.append((ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, lib.GPUCODE_ANSWER_CLOSE, 0, False, False))
        return rows

    def schema(self, name: str, meaning: str) -> "Answer":
        """The JSON Schema (draft 7) of answers that are made of this field."""
        rows = ffi.new("struct gpucode_answer_field[]", self._rows())
        kept = [encoded(name), encoded(meaning)]
        table = ffi.new("struct gpucode_answer_table *", (*kept, rows, len(rows)))
        answer = Answer()
        lib.gpucode_answer_schema(table, answer._c)
        answer._keep(self, rows, kept, table)
        check(lib.gpucode_answer_status(answer._c))
        return answer

    def _put(self, answer: Any, value: Any) -> None:
        """Puts a Python value as this field."""
        if value is None and self.kind not in ("object", "list"):
            lib.gpucode_answer_nothing(answer, self._c)
        elif self.kind == "object":
            lib.gpucode_answer_begin(answer, self._c)
            unknown = set(value) - {member.key for member in self.members}
            if unknown:
                raise KeyError(f"the object {self.key!r} has no field {sorted(unknown)[0]!r}")
            for member in self.members:
                if member.key in value:
                    member._put(answer, value[member.key])
            lib.gpucode_answer_end(answer)
        elif self.kind == "list":
            lib.gpucode_answer_begin(answer, self._c)
            for item in value or ():
                self.members[0]._put(answer, item)
            lib.gpucode_answer_end(answer)
        elif self.kind == "text":
            data = data_of(str(value))
            lib.gpucode_answer_bytes(answer, self._c, data, len(data))
        elif self.kind == "nothing":
            raise ValueError(f"the field {self.key!r} holds nothing, but was given {value!r}")
        else:
            put: Callable[..., None] = {"signed": lib.gpucode_answer_signed, "real": lib.gpucode_answer_real,
                                        "flag": lib.gpucode_answer_flag}.get(self.kind, lib.gpucode_answer_number)
            put(answer, self._c, value)


class Answer:
    """What was found out. `value` is all of it as dictionaries, lists, texts and numbers, as JSON has it."""

    def __init__(self) -> None:
        made = lib.gpucode_answer_create()
        if made == ffi.NULL:
            raise MemoryError
        self._c = ffi.gc(made, lib.gpucode_answer_free)
        self._kept: List[Any] = []
        self._values: Optional[List[Any]] = None
        self.results: Tuple[Any, ...] = ()

    @classmethod
    def of(cls, field: Field, value: Any) -> "Answer":
        """An answer of one's own: the value described by the field."""
        answer = cls()
        answer._keep(field)
        field._put(answer._c, value)
        check(lib.gpucode_answer_status(answer._c))
        return answer

    def _keep(self, *values: Any) -> None:
        self._kept.extend(values)

    def _print(self, form: int, **options: Any) -> str:
        out, length = ffi.new("char **"), ffi.new("size_t *")
        given = ffi.new("struct gpucode_answer_options *", {"form": form, **options})
        check(lib.gpucode_answer_print(self._c, given, out, length))
        return taken(out[0], length[0]).decode("utf-8", "surrogateescape")

    def text(self, columns: int = 0, color: bool = False) -> str:
        """What the command prints: lines wrapped to so many columns (0: not at all), coloured for a terminal or not."""
        return self._print(lib.GPUCODE_ANSWER_AS_TEXT, columns=columns, color=color)

    def json(self, indent: bool = False) -> str:
        """JSON: an outermost value a line, or with `indent` a member a line."""
        return self._print(lib.GPUCODE_ANSWER_AS_JSON, indent=indent)

    def html(self, title: Optional[str] = None) -> str:
        """A page of HTML."""
        kept = encoded(title)
        return self._print(lib.GPUCODE_ANSWER_AS_HTML, title=kept)

    def markdown(self) -> str:
        """The text to paste into a report: headings, paragraphs, and the rest as code."""
        return self._print(lib.GPUCODE_ANSWER_AS_MARKDOWN)

    @property
    def values(self) -> List[Any]:
        """The outermost values: one, or many for a stream of records."""
        if self._values is None:
            self._values = [json.loads(line) for line in self.json().splitlines()]
        return self._values

    @property
    def value(self) -> Any:
        """The outermost value; None where there is none, and a list where there are several."""
        return self.values if len(self.values) > 1 else self.values[0] if self.values else None

    def __getitem__(self, key: Any) -> Any:
        return self.value[key]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Answer {self.json().rstrip()[:60]}>"


def _argument(value: Any, wanted: Any, kept: List[Any]) -> Any:
    """A Python value as the C argument: objects of this module, texts, bytes, None, dictionaries for structures."""
    made = getattr(value, "_c", value)
    if made is None:
        return ffi.NULL
    if isinstance(made, Record) and wanted.kind == "pointer":
        known = dict(wanted.item.fields or [])
        made = {name: item for name, item in vars(made).items() if name in known and item is not None}
    if isinstance(made, str) and wanted.kind == "pointer" and wanted.item.cname == "struct gpucode_target":
        return pointer_of(made)
    if isinstance(made, str) and wanted.kind == "array":
        return data_of(made)
    if isinstance(made, str) and wanted.kind == "pointer":
        made = encoded(made)
    elif isinstance(made, dict) and wanted.kind == "pointer":
        fields = dict(wanted.item.fields or [])
        unknown = set(made) - set(fields)
        if unknown:
            raise KeyError(f"{wanted.item.cname} has no member {sorted(unknown)[0]!r}: expected some of {', '.join(fields)}")
        made = ffi.new(f"{wanted.item.cname} *", {name: _argument(item, fields[name].type, kept) for name, item in made.items()})
    elif isinstance(made, (bytes, bytearray)):
        made = ffi.from_buffer(made)
    if wanted.kind == "pointer" and not _goes_to(made, wanted):
        raise TypeError(f"{a(value)} was given: expected {wanted.cname}")
    kept.append(made)
    return made


def _goes_to(made: Any, wanted: Any) -> bool:
    """May C be given this pointer? cffi lets those to characters pass as any other's, which would be read as a structure."""
    kind = ffi.typeof(made) if isinstance(made, ffi.CData) else None
    if kind is None or kind.kind not in ("pointer", "array"):
        return False
    return kind.item is wanted.item or wanted.item.kind == "void" or \
        wanted.item.cname in ("char", "unsigned char", "uint8_t") and kind.item.cname in ("char", "unsigned char", "uint8_t")


def _is_out(kind: Any) -> bool:
    """Is it a pointer that a result goes to? Structures that are read are constants."""
    return kind.kind == "pointer" and kind.item.kind in ("primitive", "struct") and "const" not in kind.cname and kind.item.cname != "char"


def ask(function: str, *arguments: Any) -> Answer:
    """Calls the library's function of that name, with or without `gpucode_`, that puts an answer, and gives the answer.

    The arguments are those in front of and after the answer: objects of this module, texts, bytes, numbers, None, names
    of targets, and dictionaries for structures of options (also for pointers to structures in them). Results that the
    function gives through pointers after the answer are left out and come as Answer.results.
    """
    if not isinstance(function, str):
        raise TypeError(f"{a(function)} is not a function's name")
    name = function if function.startswith("gpucode_") else f"gpucode_{function}"
    call = getattr(lib, name, None) if name.isascii() else None
    if call is None:
        known = [one[len("gpucode_"):] for one in dir(lib) if one.startswith("gpucode_") and not one.startswith("gpucode_py_")]
        raise AttributeError(f"the library has no function {name!r}: expected {expected(function, known)}")
    types = ffi.typeof(call).args
    mine = [index for index, one in enumerate(types) if one.cname == "struct gpucode_answer *"]
    if len(mine) != 1 or name.startswith("gpucode_answer_"):
        raise TypeError(f"{name} does not put an answer")
    outs = [index for index, one in enumerate(types) if index > mine[0] and _is_out(one)]
    inputs = [index for index in range(len(types)) if index not in mine and index not in outs]
    if len(arguments) != len(inputs):
        raise TypeError(f"{name} was given {len(arguments)} arguments: expected {', '.join(types[i].cname for i in inputs)}")
    answer, kept = Answer(), list(arguments)
    given: Dict[int, Any] = {mine[0]: answer._c}
    given.update({index: ffi.new(types[index]) for index in outs})
    given.update({index: _argument(value, types[index], kept) for index, value in zip(inputs, arguments)})
    status = call(*(given[index] for index in range(len(types))))
    answer._keep(kept)
    answer.results = tuple(value_of(given[index][0], types[index].item) for index in outs)
    if ffi.typeof(call).result.kind == "enum":
        check(status)
    check(lib.gpucode_answer_status(answer._c))
    return answer
