# SPDX-License-Identifier: MIT
"""What the other modules share: errors, records of C structures, and calls from C into Python."""

from __future__ import annotations

import difflib
import os
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Type, TypeVar, Union

from ._enums import BY_C_NAME, Severity
from ._native import ffi as ffi, lib as lib

__all__ = ["Diagnostic", "GpucodeError", "InputError", "Record", "Severity"]


def text(pointer: Any) -> Optional[str]:
    """A C string as text, null as None. Bytes that are not UTF-8 come through unharmed (surrogateescape)."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "surrogateescape")


def a(value: Any) -> str:
    """The type of a value with its article, for messages: "an int"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def expected(name: str, known: Iterable[str]) -> str:
    """What a name that is not known was perhaps meant to be, for messages."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, 5, 0.5) or [one for one in names if name.upper() in one.upper()][:5]
    return f"a name as {', '.join(repr(one) for one in near or names[:3])}" if names else "no name at all"


File = Union[str, "os.PathLike[str]", None]
"""The name of a file, where messages name it."""


def data_of(value: "Union[str, os.PathLike[str]]") -> bytes:
    """Text as the library takes it; paths too."""
    value = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(value, str):
        raise TypeError(f"{a(value)} is not a text: expected str")
    return value.encode("utf-8", "surrogateescape")


def source_of(source: Union[str, bytes]) -> bytes:
    """A source, which is a text or its bytes, as bytes."""
    if not isinstance(source, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"{a(source)} is not a source: expected a text or bytes")
    return data_of(source) if isinstance(source, str) else bytes(source)


def bytes_of(code: Any, what: str) -> bytes:
    """The contents of a file. bytes() would make so many zeros of a number, gigabytes of them."""
    try:
        return bytes(memoryview(code))
    except TypeError:
        raise TypeError(f"{a(code)} is not {what}: expected bytes") from None


def buffer_of(data: Any) -> Any:
    """Bytes that C reads where they are."""
    if isinstance(data, str):
        raise TypeError("a str is not bytes")
    return ffi.from_buffer(data)


def encoded(value: File) -> Any:
    """Text as a C string that lives as long as the result; None is null."""
    return ffi.NULL if value is None else ffi.new("char[]", data_of(value))


def kind_of(c_name: str) -> str:
    """The class of a structure: "struct gpucode_image" is an Image's."""
    return c_name[len("struct gpucode_"):].capitalize()


def struct_of(c_name: str, pointer: Any) -> Any:
    """The pointer, which must be one to such a struct: objects that the library makes are not made by hand."""
    if not isinstance(pointer, ffi.CData) or ffi.typeof(pointer) is not ffi.typeof(c_name + " *") or not pointer:
        raise TypeError(f"{kind_of(c_name)} objects are made by functions of the module, and not of {a(pointer)}")
    return pointer


def pointer_to(value: Any, c_name: str) -> Any:
    """The structure that an object of this module stands for; `struct gpucode_image` is an Image's."""
    pointer = getattr(value, "_c", None)
    if not isinstance(pointer, ffi.CData) or ffi.typeof(pointer) is not ffi.typeof(c_name + " *"):
        kind = kind_of(c_name)
        raise TypeError(f"{a(value)} is not {'an' if kind[0] in 'AEIOU' else 'a'} {kind}")
    return pointer


class Record(SimpleNamespace):
    """A C structure as plain Python values: texts, numbers, lists. It stays valid when what it came from is gone."""

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if not name.startswith("_"))
        return f"{type(self).__name__}({fields})"


BY_STRUCT: Dict[str, Type[Record]] = {}
"""The class of records of a structure, by its name in C: structs.py has them."""

_shown: Dict[Any, List[Tuple[str, Any]]] = {}


def shown(ctype: Any) -> List[Tuple[str, Any]]:
    """The members of a structure that a record has. Pointers to structures are left out: their length is not in the type."""
    if ctype not in _shown:
        _shown[ctype] = [(name, field.type) for name, field in ctype.fields or []
                         if field.type.kind not in ("pointer", "function")
                         or field.type.kind == "pointer" and field.type.item.cname in ("char", "struct gpucode_target")]
    return _shown[ctype]


def value_of(value: Any, ctype: Any) -> Any:
    """One member of a structure as Python has it."""
    if ctype.kind == "primitive":
        return bool(value) if ctype.cname == "_Bool" else value.decode("latin-1") if isinstance(value, bytes) else value
    if ctype.kind == "enum":
        number = int(ffi.cast("int64_t", value))
        try:
            return BY_C_NAME[ctype.cname](number)
        except (KeyError, ValueError):  # no enumeration of ours, or several bits at once
            return number
    if ctype.kind == "pointer" and ctype.item.cname == "char":
        return text(value)
    if ctype.kind == "pointer" and ctype.item.cname == "struct gpucode_target":
        from .targets import Target
        return Target._of(value)
    if ctype.kind == "array":
        if ctype.item.cname == "char":
            return text(value)
        return [value_of(value[i], ctype.item) for i in range(ctype.length)]
    if ctype.kind == "struct":
        return record(value)
    return None


R = TypeVar("R", bound=Record)


def record_as(kind: Type[R], struct: Any) -> R:
    """The same as record(), for what is known to be of a kind."""
    made = record(struct)
    assert isinstance(made, kind)
    return made


def record(struct: Any) -> Any:
    """A structure, or what a pointer to one points to, as a Record of its kind."""
    ctype = ffi.typeof(struct)
    if ctype.kind == "pointer":
        struct = struct[0]
        ctype = ctype.item
    return BY_STRUCT.get(ctype.cname, Record)(**{name: value_of(getattr(struct, name), kind) for name, kind in shown(ctype)})


def listed(function: Callable[..., Any], owner: Any, c_name: str) -> Iterator[Any]:
    """What `bool function(owner, index, out)` gives for index 0 and on, as C structures."""
    index = 0
    while True:
        out = ffi.new(f"{c_name} *")
        if not function(owner, index, out):
            return
        yield out
        index += 1


def records(function: Callable[..., Any], owner: Any, c_name: str) -> List[Any]:
    return [record(out) for out in listed(function, owner, c_name)]


def named(function: Callable[..., Any], *arguments: Any, size: int = 1024) -> str:
    """The text that `size_t function(arguments..., text, size)` writes."""
    buffer = ffi.new("char[]", size)
    function(*arguments, buffer, size)
    return text(buffer) or ""


def taken(bytes_out: Any, size: int) -> bytes:
    """Bytes that the library allocated with malloc, as Python's; the library's are freed."""
    result = bytes(ffi.buffer(bytes_out, size)) if bytes_out != ffi.NULL else b""
    lib.free(ffi.cast("void *", bytes_out))
    return result


class Diagnostic(Record):
    """What is wrong with an input; line and column count from 1, and are 0 where there is none. `replacement` takes the
    place of `replaced_length` bytes from `replaced_column` on; None where no mend is known."""

    severity: Severity
    code: str
    file: Optional[str]
    line: int
    column: int
    length: int
    message: str
    hint: Optional[str]
    source: Optional[str]
    source_length: int
    replacement: Optional[str]
    replaced_column: int
    replaced_length: int

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        severity = Severity(self.severity).name.lower()
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return f"{place + ': ' if place else ''}{severity}: {self.message} [{self.code}]{hint}"


BY_STRUCT["struct gpucode_diagnostic"] = Diagnostic


class GpucodeError(Exception):
    """A call failed. `status` is the number of enum gpucode_status."""

    def __init__(self, status: int, message: Optional[str] = None):
        super().__init__(message or text(lib.gpucode_status_text(status)))
        self.status = status


class InputError(GpucodeError):
    """The input is wrong; `diagnostics` says where and why."""

    def __init__(self, status: int, diagnostics: List[Diagnostic]):
        errors = [one for one in diagnostics if one.severity == lib.GPUCODE_ERROR] or diagnostics
        super().__init__(status, "\n".join(str(one) for one in errors) or None)
        self.diagnostics = diagnostics


class Calls:
    """Python functions that C may call during the life of this object, and what they raised.

    An exception cannot pass through C: it ends the call as the library sees fit and is raised again after it.
    """

    def __init__(self) -> None:
        self.kept: List[Any] = []
        self.raised: Optional[BaseException] = None

    def handle(self, function: Any) -> Any:
        """What C is given as `user`, for a function; null for None."""
        if function is not None and not callable(function):
            raise TypeError(f"{a(function)} cannot be called: expected a function")
        return self.subject(function)

    def subject(self, value: Any) -> Any:
        """The same for any object."""
        if value is None:
            return ffi.NULL
        made = ffi.new_handle((self, value))
        self.kept.append(made)
        return made

    def keep(self, value: Any) -> Any:
        self.kept.append(value)
        return value

    def check(self) -> None:
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised


def called(default: Any = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Makes a function one that C calls: `user` leads to the Python function; what it raises is kept for later."""

    def wrap(body: Callable[..., Any]) -> Callable[..., Any]:
        def call(user: Any, *arguments: Any) -> Any:
            calls, function = ffi.from_handle(user)
            if calls.raised is not None:
                return default
            try:
                return body(function, *arguments)
            except BaseException as error:  # pylint: disable=broad-except
                calls.raised = error
                return default

        ffi.def_extern(name=body.__name__)(call)
        return call

    return wrap


HINTS = (("use -t TARGET", "give a target"), ("`gpucode targets` lists chips", "targets() has all"),
         ("--oversize takes", "oversize=True takes"))
"""What hints of the library say of the command line, and how it is said here."""


@called()
def gpucode_py_report(function: Any, diagnostic: Any) -> None:
    made = record(diagnostic)
    made.source = ffi.buffer(diagnostic.source, diagnostic.source_length)[:].decode("utf-8", "replace") if diagnostic.source else None
    for typed, here in HINTS if made.hint else ():
        made.hint = made.hint.replace(typed, here)
    function(made)


class Messages:
    """Collects diagnostics of one call; `handler` goes into the options."""

    def __init__(self, calls: Optional[Calls] = None):
        self.list: List[Diagnostic] = []
        self.calls = calls or Calls()
        self.handler = {"report": lib.gpucode_py_report, "user": self.calls.handle(self.list.append)}

    def check(self, status: int) -> List[Diagnostic]:
        """Raises what the status says, unless it is success; the diagnostics otherwise."""
        self.calls.check()
        if status == lib.GPUCODE_ERROR_INPUT:
            raise InputError(status, self.list)
        check(status)
        return self.list


def check(status: int) -> None:
    if status == lib.GPUCODE_OK:
        return
    if status == lib.GPUCODE_ERROR_MEMORY:
        raise MemoryError
    raise GpucodeError(status)


def needs(function: str) -> None:
    """Raises GpucodeError where the library was built without what this function of it calls (expat, libpng)."""
    if not hasattr(lib, function):
        raise GpucodeError(lib.GPUCODE_ERROR_UNSUPPORTED, f"the library was built without {function}()")


def fill(buffer: Any, size: int, value: Optional[str]) -> int:
    """Writes a name into a C buffer as the library's callbacks do: its length, 0 for none."""
    data = data_of(value or "")[:max(0, size - 1)]
    ffi.memmove(buffer, data + b"\0", len(data) + 1)
    return len(data)
