# SPDX-License-Identifier: MIT
"""examples/api/stream_stage.c again: what a recorded dispatch gives its shader."""
import gpucode

TEXT = """.recording a6xx
.gpu 630
.buffer code, 0x110000, 0x80
.contents
    .word 0x00000000, 0x03000000
.buffer commands, 0x100000, 0x100
.contents
    SP_CS_BASE = 0x110000
    SP_CS_INSTR_SIZE = 1
    SP_CS_NDRANGE_1 = 64
    CP_LOAD_STATE6_FRAG {
        STATE_TYPE = ST6_CONSTANTS | STATE_BLOCK = SB6_CS_SHADER | NUM_UNIT = 1
        0
        0
        .word 7, 8, 9, 10
    }
    CP_LOAD_STATE6_FRAG {
        STATE_TYPE = ST6_UBO | STATE_BLOCK = SB6_CS_SHADER | NUM_UNIT = 1
        0
        0
        .word 0x120000, 0x60000
    }
    CP_EXEC_CS {
        .word 0, 1, 1, 1
    }
commands_end:
.stream &commands, &words(commands, commands_end)
"""

stream = gpucode.Stream(gpucode.encode_stream(TEXT))
stage = stream.stage(0)
print(f"{stage.name} of {stage.packet} at {stage.address:#x}, {len(stage.words)} words")
for number, value in stage.constants.items():
    print(f"constant {number}: {value}")
for unit in stage.units:
    print(f"{unit.kind} {unit.index} of {unit.count} words")
print(stage.register("SP_CS_NDRANGE_1", "GLOBALSIZE_X"), "invocations in x")
assert stream.stage(0, "FS") is None
