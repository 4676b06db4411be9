# SPDX-License-Identifier: MIT
import pathlib
import sys

import pytest

import gpucode

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/python"))


@pytest.fixture(scope="session")
def firmware():
    """The example firmware for a6xx, assembled."""
    path = ROOT / "examples/firmware/a6xx.asm"
    return gpucode.assemble(path.read_bytes(), file=str(path)).bytes
