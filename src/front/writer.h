/* SPDX-License-Identifier: MIT */
/*
 * Text on its way to a stream, for output that is long: no format is parsed and no lock taken for each part.
 *
 *     struct writer writer = {.out = stdout};
 *     writer_string(&writer, "at ");
 *     writer_hex(&writer, address, 12);
 *     writer_flush(&writer);
 *
 * What was not flushed is not in the stream. Errors are the stream's: ferror().
 */
#ifndef FRONT_WRITER_H
#define FRONT_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define WRITER_SIZE 4096u

struct writer {
    FILE *out;
    size_t count;
    char bytes[WRITER_SIZE];
};

void writer_flush(struct writer *writer);
/* Text that there is no room for. */
void writer_long(struct writer *writer, const char *text, size_t length);
void writer_decimal(struct writer *writer, uint64_t value);
/* So many digits at least, without 0x. */
void writer_hex(struct writer *writer, uint64_t value, unsigned digits);
void writer_spaces(struct writer *writer, size_t count);

/* Room for at most WRITER_SIZE bytes; the caller adds to `count` what it has put there. */
static inline char *writer_room(struct writer *writer, size_t length)
{
    if (length > WRITER_SIZE - writer->count)
        writer_flush(writer);
    return writer->bytes + writer->count;
}

static inline void writer_text(struct writer *writer, const char *text, size_t length)
{
    if (length > WRITER_SIZE - writer->count) {
        writer_long(writer, text, length);
        return;
    }
    if (__builtin_constant_p(length))
        memcpy(writer->bytes + writer->count, text, length);
    else /* of memcpy() compilers make an instruction that takes tens of cycles to begin, and most texts are short */
        memmove(writer->bytes + writer->count, text, length);
    writer->count += length;
}

static inline void writer_string(struct writer *writer, const char *text)
{
    writer_text(writer, text, strlen(text));
}

static inline void writer_char(struct writer *writer, char c)
{
    if (writer->count == WRITER_SIZE)
        writer_flush(writer);
    writer->bytes[writer->count++] = c;
}

#endif
