/* SPDX-License-Identifier: MIT */
#include "rd/unpack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

bool unpack_is_packed(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    return size > 2 && at[0] == 0x1f && at[1] == 0x8b;
}

static enum gpucode_status copy(const void *bytes, size_t size, unsigned char **out, size_t *length)
{
    *out = malloc(size + 1);
    if (!*out)
        return GPUCODE_ERROR_MEMORY;
    if (size)
        memcpy(*out, bytes, size);
    *length = size;
    return GPUCODE_OK;
}

/* Makes room behind what there is; false: no memory, or the limit is reached (*full). */
static bool grow(unsigned char **out, size_t *room, size_t limit, bool *full)
{
    size_t more = *room ? *room * 2 : 1 << 16;
    if (more > limit)
        more = limit;
    *full = more == *room;
    unsigned char *grown = *full ? NULL : realloc(*out, more);
    if (!grown)
        return false;
    *out = grown;
    *room = more;
    return true;
}

enum gpucode_status unpack(const void *bytes, size_t size, size_t limit, unsigned char **out, size_t *length, bool *whole)
{
    *out = NULL;
    *length = 0;
    if (size > UINT32_MAX / 2)
        return GPUCODE_ERROR_INPUT;
    if (!unpack_is_packed(bytes, size))
        return size > limit ? GPUCODE_ERROR_INPUT : copy(bytes, size, out, length);
    z_stream stream = {.next_in = (z_const Bytef *)bytes, .avail_in = (uInt)size};
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
        return GPUCODE_ERROR_MEMORY;
    size_t room = 0;
    int result = Z_OK;
    enum gpucode_status status = GPUCODE_OK;
    while (status == GPUCODE_OK) {
        bool full = false;
        if (*length == room && !grow(out, &room, limit, &full)) {
            status = full ? GPUCODE_ERROR_INPUT : GPUCODE_ERROR_MEMORY;
            break;
        }
        stream.next_out = *out + *length;
        stream.avail_out = (uInt)(room - *length);
        result = inflate(&stream, Z_NO_FLUSH);
        *length = room - stream.avail_out;
        if (result == Z_STREAM_END && stream.avail_in && inflateReset(&stream) == Z_OK)
            continue; /* another member behind the first */
        if (result == Z_STREAM_END)
            break;
        if (result != Z_OK || (!stream.avail_in && stream.avail_out)) {
            *whole = false; /* damaged or cut off: what came before is kept */
            break;
        }
    }
    inflateEnd(&stream);
    if (status == GPUCODE_OK && !*whole && !*length)
        status = GPUCODE_ERROR_INPUT;
    if (status != GPUCODE_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
