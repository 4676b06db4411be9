/* SPDX-License-Identifier: MIT */
#include "maker.h"
#include "files.h"

#include <stdlib.h>
#include <string.h>

static void put(struct made *made, const void *bytes, size_t size)
{
    if (size > MADE_MAX - made->size)
        abort();
    if (size)
        memcpy(made->bytes + made->size, bytes, size);
    made->size += size;
}

static void put32(struct made *made, uint32_t value)
{
    unsigned char bytes[] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16), (unsigned char)(value >> 8),
                             (unsigned char)value};
    put(made, bytes, sizeof bytes);
}

void make_chunk(struct made *made, const char *name, const void *bytes, size_t size)
{
    put32(made, (uint32_t)size);
    size_t start = made->size;
    put(made, name, 4);
    put(made, bytes, size);
    put32(made, crc32_of(made->bytes + start, made->size - start));
}

struct made make_begin(uint32_t width, uint32_t height, unsigned bits, unsigned kind, bool interlaced)
{
    struct made made = {.size = 0}, header = {.size = 0};
    put(&made, "\x89PNG\r\n\x1a\n", 8);
    put32(&header, width);
    put32(&header, height);
    unsigned char rest[] = {(unsigned char)bits, (unsigned char)kind, 0, 0, interlaced};
    put(&header, rest, sizeof rest);
    make_chunk(&made, "IHDR", header.bytes, header.size);
    return made;
}

void make_end(struct made *made, const void *rows, size_t size)
{
    struct made data = {.size = 0};
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + ((const unsigned char *)rows)[i]) % 65521;
        b = (b + a) % 65521;
    }
    unsigned char head[] = {
        0x78, 1, 1, (unsigned char)size, (unsigned char)(size >> 8), (unsigned char)~size, (unsigned char)(~size >> 8)};
    put(&data, head, sizeof head);
    put(&data, rows, size);
    put32(&data, b << 16 | a);
    make_chunk(made, "IDAT", data.bytes, data.size);
    make_chunk(made, "IEND", "", 0);
}
