/* SPDX-License-Identifier: MIT */
/* Decodes a recorded stream of one packet, as text and as JSON. */
#include <gpucode/stream_decode.h>
#include <stdio.h>

static bool write_out(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

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
    struct gpucode_stream_decode_options options = {.target = gpucode_stream_target(stream),
                                                    .shown = GPUCODE_DECODE_PACKETS | GPUCODE_DECODE_WRITES};
    for (int form = GPUCODE_ANSWER_AS_TEXT; form <= GPUCODE_ANSWER_AS_JSON; form++) {
        struct gpucode_answer *answer = gpucode_answer_stream(&(struct gpucode_answer_options){
            .form = (enum gpucode_answer_form)form, .write = write_out, .user = stdout});
        if (gpucode_stream_decode(stream, &options, answer, NULL) != GPUCODE_OK)
            return 1;
        gpucode_answer_finish(answer);
        gpucode_answer_free(answer);
    }
    gpucode_stream_free(stream);
    return 0;
}
