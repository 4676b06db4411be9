# SPDX-License-Identifier: MIT
"""Every example of the C interface again, with the same output; and the scripts for people."""
import os
import pathlib
import subprocess
import sys

import pytest

import gpucode

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/python"
EXPECTED = sorted((ROOT / "examples/api/expected").glob("*.txt"))


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda path: path.stem)
def test_same_output_as_in_c(expected):
    if expected.stem in ("stream", "stream_decode", "stream_source", "stream_stage", "crash", "picture", "xml", "drawing", "fuzz") and not hasattr(gpucode.lib, {
            "stream": "gpucode_stream_open", "stream_decode": "gpucode_stream_decode", "stream_source": "gpucode_stream_source", "stream_stage": "gpucode_stream_stage_open", "crash": "gpucode_crash_open", "picture": "gpucode_picture_read",
            "xml": "gpucode_xml_load", "drawing": "gpucode_drawing_svg", "fuzz": "gpucode_fuzz_create"}[expected.stem]):
        pytest.skip("built without that library")
    script = EXAMPLES / f"{'gpucode_rows' if expected.stem == 'gpucode' else expected.stem}.py"
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, env=os.environ)
    assert run.stderr == ""
    assert run.stdout == expected.read_text()


def test_find_pattern():
    run = subprocess.run([sys.executable, EXAMPLES / "find_pattern.py"], capture_output=True, text=True, check=False, env=os.environ)
    assert run.stderr == ""
    lines = run.stdout.splitlines()
    assert lines[0] == "['mov $03, 0x1', 'cwrite $03, [$00 + @IB_LEVEL]'] [{'name': '$x', 'text': '$03'}]"
    assert "'old_units': 2" in lines[1] and "'new_units': 3" in lines[1]
    assert lines[2] == "* 0x0007 set_level []"


def test_a_wrong_pattern_is_an_input_error(firmware):
    with pytest.raises(gpucode.InputError, match="no instruction 'mvo'"):
        gpucode.Image(firmware).outline().search("mvo")


def test_find_writers(firmware):
    from find_writers import find_writers
    found = find_writers(firmware, "@PREEMPT_TRIGGER")
    assert list(found) == ["IN_PREEMPT"]
    assert found["IN_PREEMPT"][0][1] == 0


def test_patch_firmware(firmware):
    from patch_firmware import patch, try_packet
    patched = patch(firmware, label="CP_MEM_WRITE")
    assert len(patched) == len(firmware) + 4
    stop, machine = try_packet(patched, 0x3D, (0x100000, 0, 0xCAFE))
    assert stop.reason == gpucode.StopReason.IDLE
    assert machine["$16"] == 0xBEE
    assert machine.load(0x100000, 4) == (0xCAFE).to_bytes(4, "little")


def test_fuzz(firmware):
    from fuzz_ten_lines import fuzz
    stops, edges = fuzz(firmware, 200)
    assert stops["afuc-idle"] > 20 and 20 < edges < 2000
    assert fuzz(firmware, 200) == (stops, edges)


def test_draw():
    from draw_shader import draw
    pixels = draw(16)
    assert len(pixels) == 16 * 16 * 4
    middle = (8 * 16 + 8) * 4
    assert pixels[middle:middle + 4] == b"\xff\x00\x00\xff"
    assert pixels[0:3] == b"\x00\xff\xff"
