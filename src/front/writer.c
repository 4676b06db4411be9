/* SPDX-License-Identifier: MIT */
#include "front/writer.h"

void writer_flush(struct writer *writer)
{
    if (writer->count)
        fwrite(writer->bytes, 1, writer->count, writer->out);
    writer->count = 0;
}

void writer_long(struct writer *writer, const char *text, size_t length)
{
    writer_flush(writer);
    if (length > WRITER_SIZE)
        fwrite(text, 1, length, writer->out);
    else
        writer_text(writer, text, length);
}

void writer_decimal(struct writer *writer, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    char text[20];
    size_t at = sizeof text;
    for (; value >= 100; value /= 100)
        memcpy(text + (at -= 2), pairs + 2 * (value % 100), 2);
    if (value >= 10)
        memcpy(text + (at -= 2), pairs + 2 * value, 2);
    else
        text[--at] = (char)('0' + value);
    writer_text(writer, text + at, sizeof text - at);
}

void writer_hex(struct writer *writer, uint64_t value, unsigned digits)
{
    char text[16];
    size_t at = sizeof text;
    do
        text[--at] = "0123456789abcdef"[value & 15];
    while ((value >>= 4) || (sizeof text - at < digits && at));
    writer_text(writer, text + at, sizeof text - at);
}

void writer_spaces(struct writer *writer, size_t count)
{
    static const char blanks[] = "                ";
    for (; count > sizeof blanks - 1; count -= sizeof blanks - 1)
        writer_text(writer, blanks, sizeof blanks - 1);
    writer_text(writer, blanks, count);
}
