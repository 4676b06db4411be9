# SPDX-License-Identifier: MIT
"""The text of gpucode/structs.py, from the structures that the library has and what its headers say of their members."""
import keyword
import pathlib
import re
import textwrap

from gpucode import ffi
from gpucode._core import shown
from gpucode._enums import BY_C_NAME

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "include/gpucode"

HEAD = '''# SPDX-License-Identifier: MIT
# Made from the C headers by python/tests/test_types.py (GPUCODE_WRITE_STUBS=1 writes it).
"""Kinds of records: what functions of this package return of the C library's structures, and what each member is.

    def see(event: gpucode.structs.Event) -> bool:
        return event.address == 0x100000
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional

from ._core import BY_STRUCT, Diagnostic, Record
from ._enums import ({enumerations})

if TYPE_CHECKING:
    from .targets import Target

__all__ = [{names}]


class Struct(Record):
    """A record whose members are known."""

    if TYPE_CHECKING:  # a Record may have any member, and these have not
        __getattribute__: Any = None
        __setattr__: Any = None
'''

# What functions return; structures inside of these come with them. Members that Python adds: text of what they are.
RETURNED = {
    "a3xx_cost": {}, "a3xx_usage": {}, "access": {}, "action": {}, "block": {"edges": "List[Edge]"}, "breakpoint": {}, "chip": {},
    "code_constant": {}, "compared_function": {"change_name": "str", "lines": "List[ComparedLine]"},
    "compared_section": {"functions": "List[ComparedFunction]"}, "counter": {}, "crash_block": {"data": "List[int]"},
    "crash_buffer": {"data": "List[int]"}, "crash_fault": {}, "crash_handler": {}, "crash_head": {},
    "crash_message": {"words": "List[int]"}, "crash_position": {"place": "Optional[CrashPlace]"}, "crash_protection": {},
    "crash_queue": {}, "crash_register": {}, "crash_ring": {"data": "List[int]"}, "crash_section": {}, "debug_stop": {},
    "declaration": {}, "edit": {}, "effect": {}, "event": {}, "expected": {}, "facts": {}, "field": {}, "field_value": {},
    "finding": {}, "flow": {}, "frame": {},
    "function": {"name": "str", "packets": "List[int]", "reached_by": "List[int]", "blocks": "List[int]",
                 "calls": "List[FunctionCall]", "tails": "List[Tail]"},
    "fuzz_numbers": {}, "history": {}, "hwsq_facts": {}, "hwsq_script": {"bytes": "bytes"}, "image_fact": {}, "image_info": {},
    "ir3_usage": {}, "label": {}, "line": {"source": "Optional[str]"}, "lost_place": {}, "machine_edge": {}, "operand": {},
    "packet_event": {"words": "List[int]"}, "packet_header": {}, "place": {}, "policy": {}, "privileges": {},
    "program_section": {}, "reference": {"name": "str"}, "routine": {}, "row": {"on_target": "bool", "fields": "List[RowField]"},
    "row_field": {}, "scheduled": {"bytes": "bytes", "origins": "List[int]", "diagnostics": "List[Diagnostic]"}, "section": {},
    "source_diagnostic": {}, "source_file": {}, "source_symbol": {}, "space_info": {}, "stage_unit": {"words": "List[int]"},
    "stop": {"ran": "int"}, "submit": {"buffers": "List[StreamBuffer]", "commands": "List[StreamCommand]"}, "symbol": {},
    "tail": {}, "function_call": {}, "edge": {}, "compared_line": {}, "crash_place": {}, "stream_buffer": {},
    "stream_command": {}, "texture_lookup": {}, "token": {}, "value": {}, "word": {},
}


def class_name(c_name):
    return "".join(part[0].upper() + part[1:] for part in c_name[len("struct gpucode_"):].split("_"))


def comments():
    """{(structure, member): (what the comment says that is beside it or the last member of its line, is it that one)}."""
    found = {}
    for path in sorted(HEADERS.glob("*.h")):
        for name, body in re.findall(r"^struct (gpucode_\w+) \{\n(.*?)^\}", path.read_text(encoding="utf-8"), re.M | re.S):
            for line, comment in re.findall(r"^    ([^/\n][^;\n]*);[ \n]*(?:/\*(.*?)\*/)?", body, re.M | re.S):
                members = re.findall(r"\b(\w+)(?:\[\w+\])*(?=,|$)", re.sub(r"\(\*(\w+)\).*", r"\1", line))
                said = re.sub(r"\bnull\b", "None", re.sub(r"\s*\n\s*\*?\s*", " ", comment)).strip()
                for member in members:
                    found["struct " + name, member] = said, member == members[-1]
    return found


def type_of(ctype, comment):
    """How Python has a member."""
    if ctype.kind == "primitive":
        return {"_Bool": "bool", "char": "str", "double": "float", "float": "float"}.get(ctype.cname, "int")
    if ctype.kind == "enum":
        return BY_C_NAME[ctype.cname].__name__ if ctype.cname in BY_C_NAME else "int"
    if ctype.kind == "pointer":
        kind = "Target" if ctype.item.cname == "struct gpucode_target" else "str"
        return f"Optional[{kind}]" if re.search(r"\bNone\b", comment) or kind == "str" and not comment else kind
    if ctype.kind == "array":
        return "str" if ctype.item.cname == "char" else f"List[{type_of(ctype.item, comment)}]"
    return "Record" if "$" in ctype.cname else class_name(ctype.cname)


def closure():
    """The structures, each after those that it contains."""
    found = []

    def add(ctype):
        while ctype.kind == "array":
            ctype = ctype.item
        if ctype.kind != "struct" or "$" in ctype.cname or ctype in found or ctype.cname in ("struct gpucode_unit", "struct gpucode_diagnostic"):
            return
        for _, kind in shown(ctype):
            add(kind)
        found.append(ctype)

    for name in RETURNED:
        add(ffi.typeof(f"struct gpucode_{name}"))
    return sorted(found, key=lambda ctype: ctype.cname)


def paragraph(text):
    """A line of a docstring."""
    lines = textwrap.wrap(text.replace("\\", "\\\\"), 120, initial_indent="    ", subsequent_indent="        ")
    return "\n".join(lines) + "\n"


def wrapped(words, indent):
    return f",\n{' ' * indent}".join(", ".join(words[i:i + 7]) for i in range(0, len(words), 7))


def text():
    """The whole file."""
    said, bodies = comments(), ""
    for ctype in closure():
        added = RETURNED.get(ctype.cname[len("struct gpucode_"):], {})
        meant, typed = "", ""
        for member, kind in shown(ctype):
            comment, beside = said.get((ctype.cname, member), ("", False))
            if member in added:
                continue
            if keyword.iskeyword(member):
                meant += paragraph(f"[{member!r}], {type_of(kind, comment)}: {comment}")
                continue
            meant += paragraph(f"{member}: {comment}") if comment and beside else ""
            typed += f"    {member}: {type_of(kind, comment)}\n"
        meant = f"\n\n{meant}    " if meant else ""
        bodies += f'\n\nclass {class_name(ctype.cname)}(Struct):\n    """`{ctype.cname}`.{meant}"""\n\n{typed}'
        bodies += "".join(f"    {member}: {kind}\n" for member, kind in added.items())
    bodies += "\n\nBY_STRUCT.update({\n" + "".join(f'    "{ctype.cname}": {class_name(ctype.cname)},\n' for ctype in closure()) + "})\n"
    used = [kind.__name__ for kind in BY_C_NAME.values() if re.search(rf"\b{kind.__name__}\b", bodies)]
    names = [f'"{class_name(ctype.cname)}"' for ctype in closure()] + ['"Struct"']
    return HEAD.format(enumerations=wrapped(sorted(used), 20), names=wrapped(sorted(names), 11)) + bodies
