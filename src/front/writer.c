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
    char text[20];
    size_t at = sizeof text;
    do
        text[--at] = (char)('0' + value % 10);
    while (value /= 10);
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
