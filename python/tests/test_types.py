# SPDX-License-Identifier: MIT
"""What type checkers and readers see: stubs that hold, a docstring for everything public, `__all__`."""
import ast
import enum
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import gpucode
import gpucode._enums
import record_classes

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(gpucode.__file__).parent

HEAD = '''# SPDX-License-Identifier: MIT
# Made from the C headers by python/tests/test_types.py (GPUCODE_WRITE_STUBS=1 writes it).
import enum
from typing import Dict, Type

BY_C_NAME: Dict[str, Type[enum.IntEnum]]

def make_enum(name: str, c_name: str, prefix: str) -> Type[enum.IntEnum]: ...
'''


def stub():
    """The text of _enums.pyi as the library has the enumerations."""
    made = HEAD
    for kind in sorted(gpucode._enums.BY_C_NAME.values(), key=lambda kind: kind.__name__):
        members = "".join(f"    {name} = {int(member)}\n" for name, member in kind.__members__.items())
        made += f"\nclass {kind.__name__}(enum.IntEnum):\n{members}"
    return made


WHOLE = pytest.mark.skipif(not all(hasattr(gpucode.lib, f"gpucode_{one}") for one in ("fuzz_create", "stream_open", "crash_open")),
                           reason="built without streams, dumps or fuzzing")


@WHOLE
def test_enumerations_are_those_of_the_library():
    path = ROOT / "python/gpucode/_enums.pyi"
    if os.environ.get("GPUCODE_WRITE_STUBS"):
        path.write_text(stub(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == stub(), "run this test with GPUCODE_WRITE_STUBS=1"


@WHOLE
def test_records_are_those_of_the_library():
    path = ROOT / "python/gpucode/structs.py"
    if os.environ.get("GPUCODE_WRITE_STUBS"):
        path.write_text(record_classes.text(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == record_classes.text(), "run this test with GPUCODE_WRITE_STUBS=1"
    for kind, c_name in ((gpucode.Diagnostic, "struct gpucode_diagnostic"), (gpucode.Unit, "struct gpucode_unit")):
        of_c = {name for name, _ in gpucode._core.shown(gpucode.ffi.typeof(c_name))}
        assert of_c <= set(kind.__annotations__), c_name


@WHOLE
def test_every_enumeration_has_its_class():
    left = {kind.cname for ctype in record_classes.closure() for _, kind in gpucode._core.shown(ctype) if kind.kind == "enum"}
    assert left - set(gpucode._enums.BY_C_NAME) == set()


def test_records_have_what_their_classes_say(firmware):
    image = gpucode.Image(firmware)
    machine, analysis, seen = image.machine(), image.analyse(), []
    machine.hook(gpucode.EventKind.INSN, seen.append)
    found = [image.info, *image.sections, *image.facts, machine.run(5), *seen, *analysis.functions(), *analysis.blocks(),
             *analysis.references()[:20], *analysis.privileges()[:5], *image.lint()[:5], *image.target.rows[:5], image.target.facts,
             *image.target.policies, *gpucode.compare(analysis, analysis), image.outline()[0], *image.outline().routines,
             *gpucode.target("afuc:a630").parse("add $02, $03, 0x1").operands]
    assert len({type(one) for one in found}) > 15
    for one in found:
        assert type(one) is not gpucode.Record and set(vars(one)) == set(type(one).__annotations__), type(one)


def public_callables():
    for name in gpucode.__all__:
        found = getattr(gpucode, name)
        if inspect.isfunction(found):
            yield name, found
        if not inspect.isclass(found) or issubclass(found, enum.Enum):
            continue
        yield name, found
        for key, value in vars(found).items():
            if not key.startswith("_") and (isinstance(value, (property, staticmethod, classmethod)) or inspect.isfunction(value)):
                yield f"{name}.{key}", value if isinstance(value, property) else getattr(value, "__func__", value)


def test_everything_public_has_a_docstring():
    found = dict(public_callables())
    assert len(found) > 250
    assert [name for name, value in found.items() if not inspect.getdoc(value)] == []


def test_all_is_literal_and_whole():
    tree = ast.parse((ROOT / "python/gpucode/__init__.py").read_text(encoding="utf-8"))
    literal = next(ast.literal_eval(node.value) for node in tree.body
                   if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    imported = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert literal == sorted(literal) == gpucode.__all__
    assert set(literal) == {name for name in imported if not name.startswith("_")} - {"text"} | {"core_version"}


USER = '''
import gpucode


def where(code: bytes) -> list[str]:
    chip = gpucode.target("afuc:a630")
    image = gpucode.Image(code, chip, raw=True)
    machine = image.machine()
    stop = machine.run(10)
    if stop.reason == gpucode.StopReason.LIMIT:
        machine.feed(gpucode.packet("CP_NOP", [1], chip))
    name: str = chip.name_of(gpucode.Space.CONTROL, 1)
    number: int = machine["$02"] + image.target.unit_bytes
    answer = gpucode.Answer.of(gpucode.Field("at", "place"), number)
    machine.hook(gpucode.EventKind.WRITE, see)
    machine.hook(gpucode.EventKind.READ, lambda event: event.address == 1)
    for finding in image.lint():
        print(finding.section, finding.message.upper())
    packets = [packet for function in image.analyse().functions() for packet in function.packets]
    print([insn.text for insn in chip.disasm(code)], len(image.outline()), image.outline()[0].text, stop.ran + packets[0])
    return [name, image.disassemble(edit=True), answer.text(), *(one.name for one in image.analyse().functions())]


def see(event: gpucode.Record) -> bool:
    return bool(event.address == 0x100000 and event.anything)
'''
WRONG = {
    "image.machine().run('ten')": "arg-type", "image.machine().walk()": "attr-defined", "gpucode.StopReason.NEVER": "attr-defined",
    "gpucode.packet(1.5, [])": "arg-type", "len(image.target.unit_bytes)": "arg-type", "gpucode.nothing": "attr-defined",
    "image.machine().run(1).resaon": "attr-defined", "image.info.nothing": "attr-defined", "image.disassemble(edits=True)": "call-arg",
    "image.lint()[0].message + 1": "operator", "image.machine().hook(1, lambda event: event.nothing)": "attr-defined",
}


def mypy(*arguments):
    for program in (sys.executable, "/usr/bin/python3"):  # Debian's package is for Debian's Python
        python = [program, "-m", "mypy"]
        if os.path.exists(program) and subprocess.run([*python, "--version"], capture_output=True, check=False).returncode == 0:
            break
    else:
        pytest.skip("mypy is not there (Debian: mypy)")
    return subprocess.run([*python, "--strict", "--cache-dir", os.devnull, "--no-error-summary", *arguments], capture_output=True,
                          text=True, check=False, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)}).stdout


def test_mypy_has_nothing_against_the_package():
    assert mypy("-p", "gpucode") == ""


def test_mypy_has_nothing_against_users(tmp_path):
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    assert mypy(str(tmp_path / "user.py")) == ""


def test_mypy_has_nothing_against_documents(tmp_path):
    """The scripts of docs/python.md, and those of examples/python that are not a program of the C examples again."""
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    for index, code in enumerate(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)):
        (tmp_path / f"page{index}.py").write_text(code, encoding="utf-8")
    in_c = {path.stem for path in (ROOT / "examples/api/expected").glob("*.txt")} | {"gpucode_rows"}
    scripts = [path for path in sorted((ROOT / "examples/python").glob("*.py")) if path.stem not in in_c]
    assert len(scripts) == 7 and len(list(tmp_path.iterdir())) >= 10
    assert mypy(*map(str, tmp_path.iterdir()), *map(str, scripts)) == ""


def test_mypy_finds_users_mistakes(tmp_path):
    head = "import gpucode\nimage = gpucode.Image(b'', 'afuc:a630', raw=True)\n"
    (tmp_path / "wrong.py").write_text(head + "\n".join(WRONG), encoding="utf-8")
    found = re.findall(r"wrong\.py:(\d+): error: .*\[(.*)\]", mypy(str(tmp_path / "wrong.py")))
    assert found == [(str(index + 3), kind) for index, kind in enumerate(WRONG.values())]
