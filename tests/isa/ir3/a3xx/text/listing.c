/* SPDX-License-Identifier: MIT */
/* Whole listings: the fragment shader of the A3XX wiki page with columns, expanded, with slots, and back. */
#include "assembling.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t shader[] = {0x57305b0000002000, 0x47304b0400002004, 0x40080b0400044000, 0x4730c80800002008,
                                  0x0000020000000000, 0x6302030020008008, 0x0300000000000000};

static const char columns[] = "0000[57305b00x_00002000x] (sy)(ss)(rpt3)bary.f hr0.x, (r)0, r0.x\n"
                              "0001[47304b04x_00002004x] (rpt3)bary.f hr1.x, (r)4, r0.x\n"
                              "0002[40080b04x_00044000x] (rpt3)add.f hr1.x, (neg)(r)hr0.x, (r)hr1.x\n"
                              "0003[4730c808x_00002008x] bary.f (ei)hr2.x, (r)8, r0.x\n"
                              "0004[00000200x_00000000x] (rpt2)nop\n"
                              "0005[63020300x_20008008x] (rpt3)mad.f16 hr0.x, hr2.x, (r)hr1.x, (r)hr0.x\n"
                              "0006[03000000x_00000000x] end\n";

static const char expanded[] = "0000[57305b00x_00002000x] (sy)(ss)(rpt3)bary.f hr0.x, (r)0, r0.x\n"
                               "0000[                   ] bary.f hr0.y, (r)1, r0.x\n"
                               "0000[                   ] bary.f hr0.z, (r)2, r0.x\n"
                               "0000[                   ] bary.f hr0.w, (r)3, r0.x\n"
                               "0001[47304b04x_00002004x] (rpt3)bary.f hr1.x, (r)4, r0.x\n"
                               "0001[                   ] bary.f hr1.y, (r)5, r0.x\n"
                               "0001[                   ] bary.f hr1.z, (r)6, r0.x\n"
                               "0001[                   ] bary.f hr1.w, (r)7, r0.x\n"
                               "0002[40080b04x_00044000x] (rpt3)add.f hr1.x, (neg)(r)hr0.x, (r)hr1.x\n"
                               "0002[                   ] add.f hr1.y, (neg)(r)hr0.y, (r)hr1.y\n"
                               "0002[                   ] add.f hr1.z, (neg)(r)hr0.z, (r)hr1.z\n"
                               "0002[                   ] add.f hr1.w, (neg)(r)hr0.w, (r)hr1.w\n"
                               "0003[4730c808x_00002008x] bary.f (ei)hr2.x, (r)8, r0.x\n"
                               "0004[00000200x_00000000x] (rpt2)nop\n"
                               "0004[                   ] nop\n"
                               "0004[                   ] nop\n"
                               "0005[63020300x_20008008x] (rpt3)mad.f16 hr0.x, hr2.x, (r)hr1.x, (r)hr0.x\n"
                               "0005[                   ] mad.f16 hr0.y, hr2.x, (r)hr1.y, (r)hr0.y\n"
                               "0005[                   ] mad.f16 hr0.z, hr2.x, (r)hr1.z, (r)hr0.z\n"
                               "0005[                   ] mad.f16 hr0.w, hr2.x, (r)hr1.w, (r)hr0.w\n"
                               "0006[03000000x_00000000x] end\n";

static const char mesa[] = "0000[57305b00_00002000] (sy)(ss)(rpt3)bary.f hr0.x, (r)0, r0.x\n"
                           "0001[47304b04_00002004] (rpt3)bary.f hr1.x, (r)4, r0.x\n"
                           "0002[40080b04_00044000] (rpt3)add.f hr1.x, (neg)(r)hr0.x, (r)hr1.x\n"
                           "0003[4730c808_00002008] bary.f (ei)hr2.x, (r)8, r0.x\n"
                           "0004[00000200_00000000] (rpt2)nop\n"
                           "0005[63020300_20008008] (rpt3)mad.f16 hr0.x, hr2.x, (r)hr1.x, (r)hr0.x\n"
                           "0006[03000000_00000000] end\n";

static const char slots[] = "(sy)(ss)(rpt3)bary.f hr0.x, (r)0, r0.x\t; slots 0-3\n"
                            "(rpt3)bary.f hr1.x, (r)4, r0.x\t; slots 4-7\n"
                            "(rpt3)add.f hr1.x, (neg)(r)hr0.x, (r)hr1.x\t; slots 8-11\n"
                            "bary.f (ei)hr2.x, (r)8, r0.x\t; slot 12\n"
                            "(rpt2)nop\t; slots 13-15\n"
                            "\t; nop\n"
                            "\t; nop\n"
                            "end\t; slot 16\n";

static void bytes_of(unsigned char *bytes, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < 8 * count; i++)
        bytes[i] = (unsigned char)(words[i / 8] >> 8 * (i % 8));
}

static void expect_listing(const void *bytes, size_t size, const struct gpucode_disasm_options *how,
                           const char *expected)
{
    struct gpucode_image_options options = {.target = target_named("a3xx")};
    struct gpucode_image *image;
    char *text;
    size_t length;
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(image, how, &text, &length), GPUCODE_OK);
    assert_string_equal(text, expected);
    expect_bytes(text, how->columns ? "a3xx" : NULL, bytes, size);
    free(text);
    gpucode_image_free(image);
}

static void wiki_page(void)
{
    unsigned char bytes[sizeof shader];
    bytes_of(bytes, shader, sizeof shader / 8);
    expect_listing(bytes, sizeof bytes, &(struct gpucode_disasm_options){.columns = true}, columns);
    expect_listing(bytes, sizeof bytes, &(struct gpucode_disasm_options){.columns = true, .expand = true}, expanded);
    expect_listing(bytes, sizeof bytes, &(struct gpucode_disasm_options){.columns = true, .style = 1}, mesa);
}

static void cycles(void)
{
    uint64_t some[6];
    memcpy(some, shader, 5 * sizeof *some);
    some[5] = shader[6];
    unsigned char bytes[sizeof some];
    bytes_of(bytes, some, 6);
    /* expansion of the nop alone is looked at, to keep the text short */
    char text[sizeof slots];
    memcpy(text, slots, sizeof slots);
    for (char *at = text, *line; (line = strstr(at, "\t; nop\n"));) {
        memmove(line, line + 7, strlen(line + 7) + 1);
        at = line;
    }
    expect_listing(bytes, sizeof bytes, &(struct gpucode_disasm_options){.cycles = true}, text);
    bytes_of(bytes, &shader[4], 1);
    expect_listing(bytes, 8, &(struct gpucode_disasm_options){.cycles = true, .expand = true},
                   "(rpt2)nop\t; slots 0-2\n\t; nop\n\t; nop\n");
}

/* What tells nothing of A3XX gets a directive; tails are kept. */
static void odd_files(void)
{
    expect_listing("", 0, &(struct gpucode_disasm_options){0}, ".target a3xx\n");
    expect_listing("\0\0\0\0\0\0\0", 8, &(struct gpucode_disasm_options){0}, ".target a3xx\nnop\n");
    expect_listing("\0\0\0\0\0\0\0\3\1\2", 10, &(struct gpucode_disasm_options){0}, "end\n.byte 0x01, 0x02\n");
}

TESTS(listing, wiki_page, cycles, odd_files)
