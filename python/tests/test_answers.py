# SPDX-License-Identifier: MIT
"""Answers: Python's values, and every function of the library that puts one."""
import json
import struct

import pytest

import gpucode
from gpucode._core import ffi, lib


def functions():
    """The library's functions that put an answer."""
    for name in dir(lib):
        kind = ffi.typeof(getattr(lib, name)) if name.startswith("gpucode_") and not name.startswith("gpucode_answer_") else None
        if kind is not None and kind.kind == "function" and any(one.cname == "struct gpucode_answer *" for one in kind.args):
            yield name


def test_every_kind():
    field = gpucode.Field(None, "object", "%s", members=[
        gpucode.Field("name", "text", "%s:"), gpucode.Field("at", "place", " at %s"), gpucode.Field("bits", "word", " %s"),
        gpucode.Field("offset", "signed", " %s"), gpucode.Field("size", "real", " %s"), gpucode.Field("right", "flag", " right"),
        gpucode.Field("owner", "text", " of %s", may_be_null=True),
        gpucode.Field("rows", "list", " [%{, }]", members=[gpucode.Field(None, "hex", "%s")])])
    value = {"name": "\xe4 \"b\"", "at": 18, "bits": 0xD9, "offset": -3, "size": 0.5, "right": True, "owner": None, "rows": [1, 255]}
    answer = gpucode.Answer.of(field, value)
    assert answer.value == {**value, "bits": "000000d9", "rows": ["0x1", "0xff"]}
    assert answer.text().rstrip() == "\xe4 \"b\": at 0x12 000000d9 -3 0.5 right [0x1, 0xff]"
    assert json.loads(answer.json(indent=True)) == answer.value
    assert "<title>kinds</title>" in answer.html("kinds")
    assert answer["at"] == 18 and str(answer) == answer.text()


def test_nothing_was_put():
    answer = gpucode.Answer()
    assert answer.value is None and answer.values == [] and answer.text() == ""


def test_errors_say_what_was_expected():
    with pytest.raises(ValueError, match="'size' is not a kind of a field: expected one of text, count"):
        gpucode.Field("a", "size")
    with pytest.raises(ValueError, match="expected one, the field of its items"):
        gpucode.Field("a", "list")
    with pytest.raises(KeyError, match="has no field 'b'"):
        gpucode.Answer.of(gpucode.Field(None, "object", "%s", members=[gpucode.Field("a", "count")]), {"b": 1})
    with pytest.raises(AttributeError, match="no function 'gpucode_no_such_thing'"):
        gpucode.ask("no_such_thing")
    with pytest.raises(TypeError, match="gpucode_version does not put an answer"):
        gpucode.ask("version")


@pytest.mark.parametrize("name", list(functions()))
def test_a_wrong_number_of_arguments_is_told(name):
    with pytest.raises(TypeError, match=f"{name} was given 12 arguments: expected "):
        gpucode.ask(name, *[None] * 12)


@pytest.mark.skipif(not hasattr(lib, "gpucode_crash_explain"), reason="built without that library")
def test_a_crash_is_explained():
    number = gpucode.register_find(6, "RBBM_STATUS")
    crash = gpucode.Crash(gpucode.write_crash("6.9.0", 630, 0x6030002, comm="glxgears", registers={number: 5}))
    answer = gpucode.ask("crash_explain", crash, None)
    assert "glxgears" in answer.text(80) and isinstance(answer.value, dict)
    assert len(gpucode.ask("gpucode_crash_explain", crash, {"verbose": True}).json()) > len(answer.json())
    with pytest.raises(KeyError, match="struct gpucode_crash_explain_options has no member 'loud': expected some of target"):
        gpucode.ask("crash_explain", crash, {"loud": True})


def test_a_script_is_explained():
    script = gpucode.assemble(".target hwsq:nv50\nset1 FB_PAUSE\newait FB_PAUSED 1\nwait 2us\nset0 FB_PAUSE\nexit\n")
    answer = gpucode.ask("hwsq_explain", gpucode.Image(script.bytes, "hwsq:nv50").machine(), "pause.hwsq", 100)
    assert [one["text"] for one in answer["sentences"]][0] == "Stops memory access, and waits until it has stopped."
    assert answer["file"] == "pause.hwsq" and "which was stopped for 2.048 us" in answer.text(80)
    with pytest.raises(gpucode.GpucodeError, match="does not have this"):
        gpucode.ask("hwsq_explain", gpucode.Image(b"\0" * 8, "a3xx").machine(), None, 100)


def test_results_beside_an_answer(firmware):
    image = gpucode.Image(firmware)
    subject = {"image": image, "analysis": image.analyse()}
    assert gpucode.ask("report_changes", subject, subject).results == (False,)
    assert gpucode.ask("report_references", subject, "@IB_LEVEL").results[0] > 0


@pytest.mark.skipif(not hasattr(gpucode.lib, "gpucode_stream_open"), reason="built without that library")
def test_a_target_by_its_name():
    stream = gpucode.Stream(struct.pack("<9I", 13, 4, 630, 3, 12, 0x1000, 12, 0, 0))
    shown = {"shown": gpucode.lib.GPUCODE_DECODE_PACKETS}
    by_name = gpucode.ask("stream_decode", stream, {"target": "a630", **shown})
    assert by_name.text() == gpucode.ask("stream_decode", stream, {"target": gpucode.target("a630"), **shown}).text()
    with pytest.raises(KeyError, match="no target 'a631'"):
        gpucode.ask("stream_decode", stream, {"target": "a631", **shown})
