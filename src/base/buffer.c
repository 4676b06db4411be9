/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool buffer_finish(struct buffer *buffer)
{
    if (buffer->failed)
        return false;
    if (buffer->length && !buffer->flush(buffer->user, buffer->bytes, buffer->length))
        buffer->failed = buffer->refused = true;
    buffer->length = 0;
    return !buffer->failed;
}

bool buffer_grow(struct buffer *buffer, size_t more)
{
    if (buffer->failed)
        return false;
    if (buffer->flush && buffer->length) {
        if (!buffer_finish(buffer))
            return false;
        if (more <= buffer->room)
            return true;
    }
    if (more > SIZE_MAX / 4 || buffer->length > SIZE_MAX / 4) {
        buffer->failed = true;
        return false;
    }
    size_t room = buffer->room ? buffer->room : 4096;
    while (room - buffer->length < more)
        room += room / 2;
    char *bytes = realloc(buffer->bytes, room);
    if (!bytes) {
        buffer->failed = true;
        return false;
    }
    buffer->bytes = bytes;
    buffer->room = room;
    return true;
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

void buffer_format(struct buffer *buffer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !buffer_reserve(buffer, (size_t)length + 1))
        return;
    va_start(args, format);
    vsnprintf(buffer_end(buffer), (size_t)length + 1, format, args);
    va_end(args);
    buffer->length += (size_t)length;
}
