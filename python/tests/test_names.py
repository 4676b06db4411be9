# SPDX-License-Identifier: MIT
"""Names are taken where numbers are; what is not known fails and says what was expected; texts that are to be edited."""
import pytest

import gpucode


def test_packets_by_name():
    assert gpucode.packet("CP_NOP", [7], "afuc:a630") == gpucode.packet(0x10, [7]) == [0x70100001, 7]
    assert gpucode.packet("CP_NOP", [7], gpucode.target("afuc:a630")) == gpucode.packet(0x10, [7])


@pytest.mark.parametrize("kind, words, call", [
    (KeyError, "afuc:a630 has no packet 'CP_NOTHING'", lambda image: gpucode.packet("CP_NOTHING", [], "afuc:a630")),
    (TypeError, "given by its name: expected a target", lambda image: gpucode.packet("CP_NOP", [])),
    (ValueError, "256 is not a packet's opcode: expected 0 to 127", lambda image: gpucode.packet(256, [])),
    (ValueError, "a packet of 20000 words: expected fewer than 16384", lambda image: gpucode.packet(1, [0] * 20000)),
    (KeyError, "no target 'afuc:b1': expected one of afuc:a530", lambda image: gpucode.target("afuc:b1")),
    (TypeError, "a int is not a target: expected a Target or a name", lambda image: gpucode.target(630)),
    (KeyError, "afuc:a630 has no register '\\$nothing'", lambda image: image.machine()["$nothing"]),
    (KeyError, "no descriptor 'NOTHING': expected", lambda image: gpucode.descriptor_fields(6, "NOTHING", [1])),
    (KeyError, "afuc:a630 has no limit 'nothing': expected", lambda image: image.lint(limits={"nothing": 1})),
    (gpucode.InputError, "no policy 'nothing'", lambda image: image.machine(policies={"nothing": "1"})),
    (KeyError, "has no field '\\?': expected one of", lambda image: image.target.parse("mov $02, 0x1").set("?", 1)),
    (TypeError, "a int is not code: expected bytes", lambda image: gpucode.Image(5)),
    (TypeError, "a float is not a source: expected a text or bytes", lambda image: gpucode.assemble(5.5)),
    (TypeError, "nothing", lambda image: image.disassemble(nothing=True)),
])
def test_what_is_not_known_fails(firmware, kind, words, call):
    with pytest.raises(kind, match=words):
        call(gpucode.Image(firmware))


def test_a_text_that_is_to_be_edited(firmware):
    image = gpucode.Image(firmware)
    plain, text = image.disassemble(), image.disassemble(edit=True)
    assert text != plain and image.analyse().constants
    assert gpucode.disassemble(firmware, edit=True) == text
    assert gpucode.assemble(text, image.target).bytes == firmware
    differing = {(one.section, one.at) for one, other in zip(image.outline(), image.outline(edit=True)) if one.text != other.text}
    assert differing and differing <= {(one.section, one.at) for one in image.analyse().constants}
