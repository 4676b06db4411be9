# SPDX-License-Identifier: MIT
"""The pages of docs/python.md, and the first lines of the READMEs, do what they say."""
import os
import pathlib
import re
import struct
import subprocess
import sys
import textwrap

import pytest

import gpucode

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = re.findall(r"^## ([^\n]+)\n(?:(?!^## |^```).)*^```python\n(.*?)^```\n\n```text\n(.*?)^```$",
                   (ROOT / "docs/python.md").read_text(encoding="utf-8"), re.M | re.S)
NEEDS = {"Fuzz by coverage": "gpucode_fuzz_create", "Explain a crash": "gpucode_crash_open", "Decode a stream": "gpucode_stream_open",
         "Script a stream": "gpucode_stream_open"}


def test_there_is_a_page_for_each_task():
    assert [name for name, _, _ in PAGES] == ["Patch a firmware", "Find who writes a register", "Fuzz", "Fuzz by coverage", "Measure coverage",
                                             "Draw with a shader", "Run a shader over an array", "Explain a crash", "Decode a stream",
                                             "Script a stream"]


def record(kind, *words):
    return struct.pack(f"<II{len(words)}I", kind, 4 * len(words), *words)


@pytest.mark.parametrize("name, code, text", PAGES, ids=[name for name, _, _ in PAGES])
def test_page(tmp_path, firmware, name, code, text):
    if name in NEEDS and not hasattr(gpucode.lib, NEEDS[name]):
        pytest.skip("built without that library")
    (tmp_path / "sqe.fw").write_bytes(firmware)
    if name == "Explain a crash":
        status = gpucode.register_find(6, "RBBM_STATUS")
        dump = gpucode.write_crash("6.9.0", 630, 0x6030002, comm="glxgears", registers={status: 0x00000005})
        (tmp_path / "crash.devcore").write_bytes(dump)
    # an Adreno 630; three words at 0x1000: a register write and CP_NOP; a command stream of all of them
    (tmp_path / "stream.rd").write_bytes(record(13, 630) + record(3, 0x1000, 12, 0) + record(12, 0x48880001, 0x11, 0x70108000) +
                                         record(6, 0x1000, 3, 0))
    (tmp_path / "page.py").write_text(code, encoding="utf-8")
    run = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, check=False, env=os.environ)
    assert run.stderr == ""
    if os.environ.get("GPUCODE_WRITE_PAGES"):
        path = ROOT / "docs/python.md"
        path.write_text(path.read_text(encoding="utf-8").replace(code + "```\n\n```text\n" + text,
                                                                  code + "```\n\n```text\n" + run.stdout), encoding="utf-8")
    assert run.stdout == text


def test_the_packages_own_example():
    code = re.search(r"^    import gpucode\n(?:    .*\n)+", gpucode.__doc__, re.M)[0]
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False, env=os.environ)
    assert (run.stdout, run.stderr) == ("42\n", "")


@pytest.mark.parametrize("document, last", [("README.md", "SQE waits for packets b'\\xfe\\xca\\x00\\x00'"),
                                            ("python/README.md", "SQE waits for packets")])
def test_readme(tmp_path, firmware, document, last):
    code = re.search(r"^    import gpucode\n(?:(?:    .*)?\n)+", (ROOT / document).read_text(encoding="utf-8"), re.M)[0]
    for name in ("a6xx.fw", "a630_sqe.fw"):
        (tmp_path / name).write_bytes(firmware)
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path, capture_output=True, text=True, check=False,
                         env=os.environ)
    assert run.stderr == ""
    assert run.stdout.splitlines()[-1] == last
