# SPDX-License-Identifier: MIT
"""Scripts over a stream: the events and their order, the state at draws, and the two examples."""
import pathlib
import struct

import pytest

import gpucode

ROOT = pathlib.Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not hasattr(gpucode.lib, "gpucode_stream_open"), reason="built without that library")


@pytest.fixture(scope="module")
def frame():
    """The example recording: two draws of an a630."""
    data = gpucode.assemble((ROOT / "examples/streams/frame.asm").read_bytes()).bytes
    return gpucode.Stream(data, "frame.rd")


class Teller(gpucode.Script):
    def __init__(self):
        self.told = []

    def start_submit(self, number, name):
        self.told.append(("start", number, name))

    def end_submit(self, number):
        self.told.append(("end", number))

    def packet(self, packet):
        self.told.append((packet.name, packet.fields))

    def write(self, write):
        self.told.append((write.name, write.value, write.text, write.condition))

    def draw(self, draw, state):
        self.told.append(("draw", draw.number, draw.primitive, draw.count_indices, state["RB_MRT[0].CONTROL"],
                          state.fields("GRAS_SC_WINDOW_SCISSOR_TL"), len(state.numbers()), len(state.numbers(new=True))))


def test_events_stand_in_their_order(frame):
    script = Teller()
    script.run(frame)
    told = script.told
    assert told[0] == ("start", 0, "frame") and told[-1] == ("end", 0)
    assert told[2] == ("CP_SET_MARKER", {"MARKER_MODE": 0, "MODE": 1})
    assert told[3][:2] == ("GRAS_CL_CNTL", 0)
    draws = [one for one in told if one[0] == "draw"]
    assert [draw[1:6] for draw in draws] == [(0, "DI_PT_TRILIST", 3, 0x7e0, {"X": 0, "Y": 0}), (1, "DI_PT_TRILIST", 3, 0x7e1, {"X": 64, "Y": 64})]
    assert draws[0][6] == draws[0][7] > 30 and draws[1][7] == 4
    place = told.index(draws[0])
    assert told[place - 1][0] == "CP_DRAW_INDX_OFFSET" and told[place + 1][0] == "CP_NOP"


def test_patterns_leave_out_the_rest(frame):
    class Some(Teller):
        registers = ("GRAS_SC_*",)
        packets = ("CP_DRAW_*",)

    script = Some()
    script.run(frame)
    assert {one[0] for one in script.told} == {"start", "end", "draw", "CP_DRAW_INDX_OFFSET", "GRAS_SC_WINDOW_SCISSOR_TL",
                                              "GRAS_SC_WINDOW_SCISSOR_BR"}


def test_an_exception_ends_it(frame):
    class Bad(gpucode.Script):
        def draw(self, draw, state):
            state["RB_NOTHING"]

    with pytest.raises(KeyError, match="RB_NOTHING"):
        Bad().run(frame)


def test_a_gpu_that_is_not_known():
    data = struct.pack("<II3I", 3, 12, 0x1000, 4, 0) + struct.pack("<II3I", 6, 12, 0x1000, 1, 0)
    with pytest.raises(ValueError, match="expected family=6"):
        gpucode.Script().run(gpucode.Stream(data))


def test_many_writes_come_in_pieces():
    words = [gpucode.lib.gpucode_packet_type4(0x8820, 1), 7] * 20_000
    data = struct.pack("<III", 13, 4, 630) + struct.pack("<II3I", 3, 12, 0x1000, 4 * len(words), 0)
    data += struct.pack(f"<II{len(words)}I", 12, 4 * len(words), *words) + struct.pack("<II3I", 6, 12, 0x1000, len(words), 0)

    class Count(gpucode.Script):
        calls = count = 0

        def writes(self, numbers, values):
            self.calls += 1
            self.count += len(numbers)
            assert set(numbers) == {0x8820} and set(values) == {7}

    script = Count()
    script.run(gpucode.Stream(data))
    assert script.count == 20_000 and script.calls == 3


def test_census(frame):
    from register_census import Census
    census = Census("GRAS_SC_WINDOW_*")
    census.run(frame)
    assert census.rows(census.family) == [("GRAS_SC_WINDOW_SCISSOR_TL", 2, 2), ("GRAS_SC_WINDOW_SCISSOR_BR", 2, 2)]
    again = Census("GRAS_SC_WINDOW_SCISSOR_TL")
    again.run(frame)
    again.run(frame)
    assert again.rows(again.family) == [("GRAS_SC_WINDOW_SCISSOR_TL", 4, 2)]


def test_check_of_draws(frame):
    from check_draws import Check, read_rule
    check = Check(dict([read_rule("GRAS_SC_WINDOW_SCISSOR_TL.X=0"), read_rule("RB_MRT[0].CONTROL=0x7e0|0x7e1"), read_rule("RB_CNTL=0")]))
    check.run(frame)
    assert check.wrong == ["draw 0 (DI_PT_TRILIST, sysmem): RB_CNTL is not known",
                           "draw 1 (DI_PT_TRILIST, sysmem): GRAS_SC_WINDOW_SCISSOR_TL.X is 0x40",
                           "draw 1 (DI_PT_TRILIST, sysmem): RB_CNTL is not known"]


def test_check_of_draws_knows_fields(frame):
    from check_draws import Check, read_rule
    with pytest.raises(KeyError, match="has no field 'Z': expected one of X, Y"):
        Check(dict([read_rule("GRAS_SC_WINDOW_SCISSOR_TL.Z=0")])).run(frame)
    check = Check(dict([read_rule("RB_PS_OUTPUT_CNTL.DUAL_COLOR_IN_ENABLE=0")]))  # a flag, which is not set
    check.run(frame)
    assert not [line for line in check.wrong if "is not known" not in line]


def test_text_and_back(frame):
    text = frame.source(shaders="ir3:a630")
    data = gpucode.encode_stream(text)
    assert data == gpucode.assemble((ROOT / "examples/streams/frame.asm").read_bytes()).bytes
    with pytest.raises(gpucode.InputError, match="there is no register 'GRAS_CL_CNTX'"):
        gpucode.encode_stream(text.replace("GRAS_CL_CNTL", "GRAS_CL_CNTX"))


@pytest.mark.parametrize("kind, words, names", [
    (KeyError, "no register of a6xx matches 'RB_CNTLL', 'X': expected names", {"registers": ("RB_CNTLL", "X")}),
    (KeyError, "no packet of a6xx matches 'NOP': expected names", {"packets": ("NOP",)}),
    (ValueError, "no GPU of family 99: expected 2 to 8", {"family": 99}),
])
def test_patterns_that_match_nothing(frame, kind, words, names):
    class Other(Teller):
        registers, packets = names.get("registers", ("*",)), names.get("packets", ("*",))

    with pytest.raises(kind, match=words):
        Other().run(frame, names.get("family", 0))


def test_events_at_a_prompt(frame):
    seen = []

    class Shown(gpucode.Script):
        registers, packets = ("GRAS_CL_CNTL",), ("CP_NOP",)

        def write(self, write):
            seen.append(repr(write))

        def packet(self, packet):
            seen.append(repr(packet))

        def draw(self, draw, state):
            seen.append(repr(draw))

    Shown().run(frame)
    assert seen[:2] == ["<gpucode.StreamPacket CP_NOP, 2 words>", "<gpucode.RegisterWrite GRAS_CL_CNTL = 0x0>"]
    assert "<gpucode.Draw 0: CP_DRAW_INDX_OFFSET DI_PT_TRILIST, 3 indices>" in seen
    assert repr(frame) == "<gpucode.Stream FD630, 1 submits>"
