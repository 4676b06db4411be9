/* SPDX-License-Identifier: MIT */
/* PNG files for tests, written without libpng: uncompressed, so that every byte is known. */
#ifndef TESTS_PICTURE_MAKER_H
#define TESTS_PICTURE_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MADE_MAX 4096

struct made {
    unsigned char bytes[MADE_MAX];
    size_t size;
};

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGBA = 6 };

/* A chunk with its length and check sum. */
void make_chunk(struct made *made, const char *name, const void *bytes, size_t size);
/* Signature and header. */
struct made make_begin(uint32_t width, uint32_t height, unsigned bits, unsigned kind, bool interlaced);
/* The rows, each with its filter byte in front, and the end. */
void make_end(struct made *made, const void *rows, size_t size);

#endif
