/* SPDX-License-Identifier: MIT */
/*
 * Decompression, as far as a damaged file allows and no further than the limit. The one place that knows zlib; a build
 * without it reads files that are not compressed.
 */
#include "pm4/gzip/loader.h"

#include <stdlib.h>

bool gzip_is(const void *file, size_t size)
{
    const uint8_t *bytes = file;
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

#ifdef GPUCODE_WITH_ZLIB
#define ZLIB_CONST
#include <zlib.h>

/* More room, at most limit + 1 bytes: the one above tells a file that just fits from one that does not. */
static enum gpucode_status grow_buffer(uint8_t **bytes, size_t *room, size_t size, size_t limit)
{
    size_t most = limit < SIZE_MAX ? limit + 1 : limit;
    size_t wanted = *room > most / 2 ? most : *room * 2;
    if (!*room)
        wanted = size > most / 8 ? most : size * 8 + 64 < most ? size * 8 + 64 : most;
    uint8_t *larger = realloc(*bytes, wanted);
    if (!larger)
        return GPUCODE_ERROR_MEMORY;
    *bytes = larger;
    *room = wanted;
    return GPUCODE_OK;
}

/* Inflates one member after another into *bytes. Z_OK: all of it. */
static int inflate_all(z_stream *z, const uint8_t *from, size_t size, size_t limit, uint8_t **bytes, size_t *length)
{
    size_t room = 0, taken = 0;
    for (;;) {
        if (*length == room && grow_buffer(bytes, &room, size, limit) != GPUCODE_OK)
            return Z_MEM_ERROR;
        size_t in = size - taken < UINT32_MAX ? size - taken : UINT32_MAX;
        size_t out = room - *length < UINT32_MAX ? room - *length : UINT32_MAX;
        z->next_in = from + taken;
        z->avail_in = (uInt)in;
        z->next_out = *bytes + *length;
        z->avail_out = (uInt)out;
        int result = inflate(z, Z_NO_FLUSH);
        taken += in - z->avail_in;
        *length += out - z->avail_out;
        if (*length > limit)
            return Z_BUF_ERROR;
        if (result == Z_STREAM_END) {
            if (!gzip_is(from + taken, size - taken))
                return taken == size ? Z_OK : Z_DATA_ERROR;
            result = inflateReset(z);
        }
        /* nothing moved and no room is wanted: the input is used up */
        if (result == Z_BUF_ERROR && taken == size)
            return Z_DATA_ERROR;
        if (result != Z_OK && result != Z_BUF_ERROR)
            return result == Z_MEM_ERROR ? Z_MEM_ERROR : Z_DATA_ERROR;
        if (taken == size && z->avail_out)
            return Z_DATA_ERROR; /* cut off */
    }
}

static enum gpucode_status inflate_file(const void *bytes, size_t size, size_t limit, struct inflated *inflated)
{
    z_stream z = {0};
    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return GPUCODE_ERROR_MEMORY;
    int result = inflate_all(&z, bytes, size, limit, &inflated->bytes, &inflated->length);
    inflateEnd(&z);
    if (result == Z_MEM_ERROR)
        return GPUCODE_ERROR_MEMORY;
    inflated->large = result == Z_BUF_ERROR;
    inflated->damaged = result != Z_OK && !inflated->large;
    return inflated->large ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
}
#else
static enum gpucode_status inflate_file(const void *bytes, size_t size, size_t limit, struct inflated *inflated)
{
    (void)bytes;
    (void)size;
    (void)limit;
    (void)inflated;
    return GPUCODE_ERROR_UNSUPPORTED;
}
#endif

enum gpucode_status gzip_inflate(const void *bytes, size_t size, size_t limit, struct inflated *inflated)
{
    *inflated = (struct inflated){0};
    if (gzip_is(bytes, size))
        return inflate_file(bytes, size, limit, inflated);
    inflated->large = size > limit;
    return inflated->large ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
}
