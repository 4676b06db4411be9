/* SPDX-License-Identifier: MIT */
/* A growing run of bytes. Reserve first, then write through `at` without further checks. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buffer {
    char *bytes;
    size_t length, room;
    bool failed; /* out of memory at some point; all later writes do nothing */
    /*
     * A window on a text that goes elsewhere: when there is no more room, what was committed is handed over and the
     * buffer is empty again. False: it could not be taken, and the buffer has failed. null: the buffer grows.
     */
    bool (*flush)(void *user, const char *bytes, size_t length);
    void *user;
    bool refused; /* flush() has returned false */
};

/* Hands over what is left; true when nothing was refused or lost. */
bool buffer_finish(struct buffer *buffer);

/* Makes room for `more` bytes; false (and failed set) when there is no memory. */
bool buffer_grow(struct buffer *buffer, size_t more);
void buffer_free(struct buffer *buffer);

static inline bool buffer_reserve(struct buffer *buffer, size_t more)
{
    return more <= buffer->room - buffer->length || buffer_grow(buffer, more);
}

static inline char *buffer_end(struct buffer *buffer)
{
    return buffer->bytes + buffer->length;
}

/* Takes over what was written up to `end` after buffer_end(). */
static inline void buffer_commit(struct buffer *buffer, const char *end)
{
    buffer->length = (size_t)(end - buffer->bytes);
}

static inline void buffer_append(struct buffer *buffer, const void *bytes, size_t length)
{
    if (length && buffer_reserve(buffer, length)) {
        memcpy(buffer->bytes + buffer->length, bytes, length);
        buffer->length += length;
    }
}

static inline void buffer_text(struct buffer *buffer, const char *text)
{
    buffer_append(buffer, text, strlen(text));
}

/* printf into the buffer; not for hot loops. */
void buffer_format(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
