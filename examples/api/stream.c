/* SPDX-License-Identifier: MIT */
/* Opens a recorded stream: a GPU id, a buffer of one word, and a command stream that lies in it. */
#include <gpucode/stream.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    static const unsigned char bytes[] = {
        13, 0, 0, 0, 4,  0, 0, 0, 0x76, 2,    0,    0,                            /* 630 */
        3,  0, 0, 0, 12, 0, 0, 0, 0,    0x10, 0,    0,    4, 0, 0, 0, 0, 0, 0, 0, /* 4 bytes at 0x1000 */
        12, 0, 0, 0, 4,  0, 0, 0, 0,    0x80, 0x10, 0x70,                         /* CP_NOP */
        6,  0, 0, 0, 12, 0, 0, 0, 0,    0x10, 0,    0,    1, 0, 0, 0, 0, 0, 0, 0, /* 1 word at 0x1000 */
    };
    struct gpucode_stream *stream;
    if (gpucode_stream_open(bytes, sizeof bytes, NULL, &stream) != GPUCODE_OK)
        return 1;
    struct gpucode_submit submit;
    printf("%s\n", gpucode_target_name(gpucode_stream_target(stream)));
    for (size_t i = 0; gpucode_stream_submit(stream, i, &submit); i++)
        printf("%zu buffers, stream of %" PRIu32 " words at 0x%" PRIx64 "\n", submit.buffer_count,
               submit.commands[0].words, submit.commands[0].address);
    gpucode_stream_free(stream);
    return 0;
}
