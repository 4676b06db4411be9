# SPDX-License-Identifier: MIT
"""Names are taken where numbers are; what is not known fails and says what was expected; texts that are to be edited."""
import pytest

import gpucode


def test_packets_by_name():
    assert gpucode.packet("CP_NOP", [7], "afuc:a630") == gpucode.packet(0x10, [7]) == [0x70100001, 7]
    assert gpucode.packet("CP_NOP", [7], gpucode.target("afuc:a630")) == gpucode.packet(0x10, [7])


@pytest.mark.parametrize("kind, words, call", [
    (KeyError, "afuc:a630 has no packet 'CP_NOPE': expected a name as 'CP_NOP'", lambda image: gpucode.packet("CP_NOPE", [], "afuc:a630")),
    (KeyError, "afuc:a630 has no packet 'NOP': expected a name as 'CP_NOP'", lambda image: gpucode.packet("NOP", [], "afuc:a630")),
    (TypeError, "None is not a packet: expected its name or opcode", lambda image: gpucode.packet(None, [])),
    (TypeError, "integer", lambda image: gpucode.packet(1, ["x"])),
    (OverflowError, "0x100000000 is not a word of a packet", lambda image: gpucode.packet(1, [1 << 32])),
    (KeyError, "afuc:a630 has no packet 'CP_NOTHING'", lambda image: gpucode.packet("CP_NOTHING", [], "afuc:a630")),
    (TypeError, "given by its name: expected a target", lambda image: gpucode.packet("CP_NOP", [])),
    (ValueError, "256 is not a packet's opcode: expected 0 to 127", lambda image: gpucode.packet(256, [])),
    (ValueError, "a packet of 20000 words: expected fewer than 16384", lambda image: gpucode.packet(1, [0] * 20000)),
    (KeyError, "no target 'afuc:b1': expected one of afuc:a530", lambda image: gpucode.target("afuc:b1")),
    (KeyError, "no target 'a999': expected a name as '.*targets\\(\\) has all", lambda image: gpucode.target("a999")),
    (gpucode.InputError, "hint: there is room for .*; oversize=True takes it", lambda image: gpucode.assemble("exit\n" * 5000, "hwsq:g94")),
    (gpucode.InputError, "hint: give a target: afuc:a5xx .*; targets\\(\\) has all", lambda image: gpucode.assemble("nop\n")),
    (TypeError, "an int is not a target: expected a Target or a name", lambda image: gpucode.target(630)),
    (KeyError, "afuc:a630 has no register '\\$nothing': expected a name as in listings, or", lambda image: image.machine()["$nothing"]),
    (KeyError, "no descriptor 'NOTHING': expected", lambda image: gpucode.descriptor_fields(6, "NOTHING", [1])),
    (TypeError, "5 is not a register: expected a name", lambda image: image.machine()[5]),
    (TypeError, "\\(0,\\) is not a register", lambda image: image.machine()[(0,)]),
    (gpucode.GpucodeError, "no processor 9: expected 0", lambda image: image.machine().pc(9)),
    (gpucode.GpucodeError, "no processor 9: expected 0", lambda image: image.machine().step(9)),
    (gpucode.GpucodeError, "no processor 9: expected 0", lambda image: gpucode.Debugger(image.machine()).select(9)),
    (gpucode.GpucodeError, "no breakpoint 9", lambda image: gpucode.Debugger(image.machine()).remove(9)),
    (ValueError, "99 is not a valid BreakpointKind", lambda image: gpucode.Debugger(image.machine()).breakpoint(1, kind=99)),
    (TypeError, "an int cannot be called", lambda image: image.machine().hook(1, 5)),
    (TypeError, "an int cannot be called", lambda image: image.disassemble(label=5)),
    (TypeError, "None is not a Snapshot", lambda image: image.machine().restore(None)),
    (TypeError, "a bytes is not an Image", lambda image: gpucode.Machine(image.bytes)),
    (TypeError, "an Image is not a Machine", lambda image: gpucode.Debugger(image)),
    (TypeError, "a str is not a Symbols", lambda image: image.disassemble(symbols="x")),
    (TypeError, "an Image is not a Stream", lambda image: gpucode.Script().run(image)),
    (KeyError, "no section 'X': expected one of 'SQE'", lambda image: gpucode.Coverage(image.machine(), "X")),
    (gpucode.GpucodeError, "500 does not fit the field 's' of the row ADD_IMM, which has 5 bits",
     lambda image: image.target.parse("add $02, $03, 0x1").set("s", 500)),
    (gpucode.GpucodeError, "a map of 5 bytes: expected at least", lambda image: image.machine().edges(5)),
    (ValueError, "the place 0x0 has more than 255 names", lambda image: image.disassemble(label=lambda section, unit, index: f"x{index}")),
    (IndexError, "no section 9: the program has", lambda image: gpucode.assemble("nop\n", "a630").keep(9)),
    (ValueError, "a packet table of 3 places: expected 128", lambda image: gpucode.handler_of([1, 2, 3], 5)),
    (gpucode.GpucodeError, "machines of .*: expected two of shaders", lambda image: image.machine().compare(image.machine())),
    (TypeError, "nothing to replace: expected routines", lambda image: image.patch()),
    (KeyError, "no routine 'CP_MEM_WRIT': expected a name as 'CP_MEM_WRITE'", lambda image: image.patch(CP_MEM_WRIT="nop")),
    (gpucode.GpucodeError, "code for afuc:a630: expected a shader of A3XX", lambda image: image.usage()),
    (gpucode.GpucodeError, "afuc:a630 has no row 5000: expected 0 to", lambda image: image.target.insn(5000)),
    (ValueError, "500 is not a packet's opcode", lambda image: image.analyse().packet_names([500])),
    (TypeError, "an int is not a text", lambda image: image.target.parse(5)),
    (TypeError, "a str is not bytes", lambda image: image.machine().store(0, "x")),
    (TypeError, "a str is not a recorded stream", lambda image: gpucode.Stream("stream.rd")),
    (TypeError, "a str was given: expected struct gpucode_subject", lambda image: gpucode.ask("report_graph", "x", None)),
    (AttributeError, "expected a name as 'crash_explain'", lambda image: gpucode.ask("crash_explane")),
    (TypeError, "objects are made by functions of the module", lambda image: gpucode.Program(None)),
    (IndexError, "there is no unit 100000: the listing has", lambda image: image.outline()[100000]),
    (KeyError, "afuc:a630 has no limit 'nothing': expected", lambda image: image.lint(limits={"nothing": 1})),
    (gpucode.InputError, "no policy 'nothing'", lambda image: image.machine(policies={"nothing": "1"})),
    (gpucode.InputError, "no policy 'afuc-bfl'(.|\n)*expected a name as 'afuc-bfi'", lambda image: image.machine(policies={"afuc-bfl": 1})),
    (KeyError, "has no field '\\?': expected one of", lambda image: image.target.parse("mov $02, 0x1").set("?", 1)),
    (TypeError, "an int is not code: expected bytes", lambda image: gpucode.Image(5)),
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
