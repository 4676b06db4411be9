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


def test_enumerations_are_those_of_the_library():
    path = ROOT / "python/gpucode/_enums.pyi"
    if os.environ.get("GPUCODE_WRITE_STUBS"):
        path.write_text(stub(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == stub(), "run this test with GPUCODE_WRITE_STUBS=1"


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
    return [name, image.disassemble(edit=True), answer.text(), *(one.name for one in image.analyse().functions())]
'''
WRONG = {
    "image.machine().run('ten')": "arg-type", "image.machine().walk()": "attr-defined", "gpucode.StopReason.NEVER": "attr-defined",
    "gpucode.packet(1.5, [])": "arg-type", "len(image.target.unit_bytes)": "arg-type", "gpucode.nothing": "attr-defined",
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


def test_mypy_finds_users_mistakes(tmp_path):
    head = "import gpucode\nimage = gpucode.Image(b'', 'afuc:a630', raw=True)\n"
    (tmp_path / "wrong.py").write_text(head + "\n".join(WRONG), encoding="utf-8")
    found = re.findall(r"wrong\.py:(\d+): error: .*\[(.*)\]", mypy(str(tmp_path / "wrong.py")))
    assert found == [(str(index + 3), kind) for index, kind in enumerate(WRONG.values())]
