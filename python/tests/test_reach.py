# SPDX-License-Identifier: MIT
"""All public functions are reachable, by their own names, with the types of the headers."""
import pathlib
import re

import gpucode

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_all_public_functions():
    names = set()
    for header in (ROOT / "include/gpucode").glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        declared = re.findall(r"GPUCODE_API[^;{]*?\b(gpucode_\w+)\s*\(", text)
        own = header.stem in ("stream", "crash", "picture", "xml", "drawing", "fuzz")
        if not own or any(hasattr(gpucode.lib, name) for name in declared):
            names.update(declared)
    assert len(names) > 200
    assert [name for name in sorted(names) if not hasattr(gpucode.lib, name)] == []


def test_constants():
    assert gpucode.lib.GPUCODE_TEXT_MAX == 512
    assert gpucode.Space.GPU == gpucode.lib.GPUCODE_SPACE_GPU


def test_version_is_the_library_s():
    assert gpucode.__version__ == gpucode.core_version
