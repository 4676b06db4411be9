/* SPDX-License-Identifier: MIT */
/* usage: picture-corpus FOLDER. Writes the seeds of fuzz/corpus/picture. */
#include "maker.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned width, height, bits, kind;
    bool interlaced;
    const char *rows;
    size_t size;
} seeds[] = {
    {"grey", 2, 1, 8, GREY, false, "\0\x00\x7f", 3},
    {"bits", 4, 1, 1, GREY, false, "\0\x50", 2},
    {"rgb", 1, 2, 8, RGB, false, "\0\x10\x20\x30\0\xff\x00\x03", 8},
    {"rgba16", 1, 1, 16, RGBA, false, "\0\x00\x01\x80\x00\xff\xff\x12\x34", 9},
    {"alpha", 1, 1, 8, GREY_ALPHA, false, "\0\xff\x33", 3},
    {"palette", 3, 1, 2, PALETTE, false, "\0\x18", 2},
    {"interlaced", 2, 2, 8, GREY, true, "\0\x00\0\x33\0\x66\xff", 7},
    {"cut", 8, 8, 8, RGBA, false, "\0\0\0", 3},
};

int main(int argc, char **argv)
{
    char path[512];
    for (size_t i = 0; argc == 2 && i < sizeof seeds / sizeof *seeds; i++) {
        struct made made =
            make_begin(seeds[i].width, seeds[i].height, seeds[i].bits, seeds[i].kind, seeds[i].interlaced);
        if (seeds[i].kind == PALETTE) {
            make_chunk(&made, "PLTE", "\xff\x00\x00\x00\xff\x00\x00\x00\x33", 9);
            make_chunk(&made, "tRNS", "\xff\x66", 2);
        }
        make_end(&made, seeds[i].rows, seeds[i].size);
        snprintf(path, sizeof path, "%s/%s.png", argv[1], seeds[i].name);
        FILE *out = fopen(path, "wb");
        if (!out || fwrite(made.bytes, 1, made.size, out) != made.size || fclose(out) != 0)
            return 1;
    }
    return argc != 2;
}
