/* SPDX-License-Identifier: MIT */
/* Makes a recording of a dispatch, and asks what it gives its shader. */
#include <gpucode/stream_source.h>
#include <gpucode/stream_stage.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = ".recording a6xx\n"
                           ".gpu 630\n"
                           ".buffer code, 0x110000, 0x80\n"
                           ".contents\n"
                           "    .word 0x00000000, 0x03000000\n" /* end */
                           ".buffer commands, 0x100000, 0x100\n"
                           ".contents\n"
                           "    SP_CS_BASE = 0x110000\n"
                           "    SP_CS_INSTR_SIZE = 1\n"
                           "    SP_CS_NDRANGE_1 = 64\n"
                           "    CP_LOAD_STATE6_FRAG {\n"
                           "        STATE_TYPE = ST6_CONSTANTS | STATE_BLOCK = SB6_CS_SHADER | NUM_UNIT = 1\n"
                           "        0\n"
                           "        0\n"
                           "        .word 7, 8, 9, 10\n"
                           "    }\n"
                           "    CP_LOAD_STATE6_FRAG {\n"
                           "        STATE_TYPE = ST6_UBO | STATE_BLOCK = SB6_CS_SHADER | NUM_UNIT = 1\n"
                           "        0\n"
                           "        0\n"
                           "        .word 0x120000, 0x60000\n"
                           "    }\n"
                           "    CP_EXEC_CS {\n"
                           "        .word 0, 1, 1, 1\n"
                           "    }\n"
                           "commands_end:\n"
                           ".stream &commands, &words(commands, commands_end)\n";

int main(void)
{
    void *bytes;
    size_t size;
    struct gpucode_stream *stream;
    struct gpucode_stream_stage *stage;
    if (gpucode_stream_encode(text, strlen(text), NULL, &bytes, &size) != GPUCODE_OK ||
        gpucode_stream_open(bytes, size, NULL, &stream) != GPUCODE_OK)
        return 1;
    struct gpucode_stream_decode_options options = {.target = gpucode_stream_target(stream)};
    if (gpucode_stream_stage_open(stream, &options, 0, NULL, &stage, NULL) != GPUCODE_OK || !stage)
        return 1;
    struct gpucode_stage_code code = gpucode_stream_stage_code(stage);
    printf("%s of %s at 0x%" PRIx64 ", %zu words\n", code.name, code.packet, code.address, code.count);
    uint32_t value;
    for (uint32_t i = 0; gpucode_stream_stage_constant(stage, i, &value); i++)
        printf("constant %" PRIu32 ": %" PRIu32 "\n", i, value);
    struct gpucode_stage_unit unit;
    for (size_t i = 0; gpucode_stream_stage_unit(stage, i, &unit); i++)
        printf("%s %" PRIu32 " of %" PRIu32 " words\n", unit.kind, unit.index, unit.count);
    uint64_t size_x = 0;
    gpucode_stream_stage_field(stage, "SP_CS_NDRANGE_1", "GLOBALSIZE_X", &size_x);
    printf("%" PRIu64 " invocations in x\n", size_x);
    gpucode_stream_stage_free(stage);
    if (gpucode_stream_stage_open(stream, &options, 0, "FS", &stage, NULL) != GPUCODE_OK || stage)
        return 1;
    gpucode_stream_free(stream);
    free(bytes);
    return 0;
}
