/* SPDX-License-Identifier: MIT */
/* Writes a recorded stream of one packet as text, puts another packet in, and makes a recording of it. */
#include <gpucode/stream_source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char bytes[4096];
    size_t length;
};

static bool keep(void *user, const char *bytes, size_t length)
{
    struct text *text = user;
    if (length > sizeof text->bytes - text->length)
        return false;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    return true;
}

int main(void)
{
    static const unsigned char bytes[] = {
        13, 0, 0, 0, 4,  0, 0, 0, 0x76, 2,    0,    0,                            /* 630 */
        3,  0, 0, 0, 12, 0, 0, 0, 0,    0x10, 0,    0,    4, 0, 0, 0, 0, 0, 0, 0, /* 4 bytes at 0x1000 */
        12, 0, 0, 0, 4,  0, 0, 0, 0,    0x80, 0x10, 0x70,                         /* CP_NOP */
        6,  0, 0, 0, 12, 0, 0, 0, 0,    0x10, 0,    0,    1, 0, 0, 0, 0, 0, 0, 0, /* 1 word at 0x1000 */
    };
    static const char more[] = "    CP_NOP {\n        .ascii \"put in\"\n    }\n";
    static struct text text, edited;
    struct gpucode_stream *stream;
    struct gpucode_stream_source_options options = {.family = 6};
    void *made;
    size_t size;
    if (gpucode_stream_open(bytes, sizeof bytes, NULL, &stream) != GPUCODE_OK ||
        gpucode_stream_source(stream, &options, keep, &text) != GPUCODE_OK)
        return 1;
    fwrite(text.bytes, 1, text.length, stdout);
    if (gpucode_stream_encode(text.bytes, text.length, NULL, &made, &size) != GPUCODE_OK)
        return 1;
    puts(size == sizeof bytes && memcmp(made, bytes, size) == 0 ? "the same again" : "something else");
    free(made);
    const char *packet = strstr(text.bytes, "    CP_NOP");
    keep(&edited, text.bytes, (size_t)(packet - text.bytes));
    keep(&edited, more, sizeof more - 1);
    keep(&edited, packet, text.length - (size_t)(packet - text.bytes));
    if (gpucode_stream_encode(edited.bytes, edited.length, NULL, &made, &size) != GPUCODE_OK)
        return 1;
    printf("%zu bytes, then %zu\n", sizeof bytes, size);
    free(made);
    gpucode_stream_free(stream);
    return 0;
}
