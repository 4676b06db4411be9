/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as the text of a recording; what it describes has a text that gives it again. And any bytes as a recording,
 * which comes back from its text.
 */
#include "given.h"
#include <gpucode/stream.h>
#include <gpucode/stream_source.h>

struct text {
    char *bytes;
    size_t length, room;
};

static bool keep(void *user, const char *bytes, size_t length)
{
    struct text *text = user;
    if (text->room - text->length < length) {
        text->room = 2 * (text->length + length);
        text->bytes = realloc(text->bytes, text->room);
        check(text->bytes);
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    return text->length < 1 << 24;
}

/* A recording comes back from its text, of whatever generation its packets are said to be. */
static void come_back(const void *bytes, size_t size, unsigned family)
{
    const struct gpucode_stream_options limits = {.limit = 1 << 20};
    const struct gpucode_stream_source_options options = {.family = family, .shaders = given_target(size)};
    struct gpucode_stream *stream;
    struct text text = {0};
    void *again;
    size_t again_size;
    if (gpucode_stream_open(bytes, size, &limits, &stream) != GPUCODE_OK)
        return;
    if (gpucode_stream_source(stream, &options, keep, &text) == GPUCODE_OK) {
        check(gpucode_stream_source_recognise(text.bytes, text.length));
        check(gpucode_stream_encode(text.bytes, text.length, NULL, &again, &again_size) == GPUCODE_OK);
        bool packed = size > 1 && ((const uint8_t *)bytes)[0] == 0x1f && ((const uint8_t *)bytes)[1] == 0x8b;
        check(packed || (again_size == size && memcmp(again, bytes, size) == 0));
        free(again);
    }
    free(text.bytes);
    gpucode_stream_free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    void *made;
    size_t made_size;
    unsigned family = GPUCODE_FAMILY_MIN + (unsigned)(size % (GPUCODE_FAMILY_MAX - GPUCODE_FAMILY_MIN + 1));
    enum gpucode_status status = gpucode_stream_encode((const char *)bytes, size, NULL, &made, &made_size);
    check((status == GPUCODE_OK) == (made != NULL));
    if (status == GPUCODE_OK && made_size < 1 << 16)
        come_back(made, made_size, family);
    free(made);
    come_back(bytes, size, family);
    return 0;
}
