/* SPDX-License-Identifier: MIT */
/*
 * Lines without names of the caller's are written by functions of their own: they must be those of the printers that
 * all others go through, whatever the fields of an instruction are.
 */
#include "assembling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 6000

static size_t no_name(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size)
{
    (void)user, (void)space, (void)number, (void)text, (void)size;
    return 0;
}

static char *text_of(const struct gpucode_image *image, const struct gpucode_names *names)
{
    const struct gpucode_disasm_options options = {.names = names, .raw = true};
    char *text;
    size_t length;
    assert_int_equal(gpucode_disassemble(image, &options, &text, &length), GPUCODE_OK);
    return text;
}

/* Instructions of all rows in turn. Few bits of a field are set in half of them: shifts of 16 and more, low registers.
 */
static void fill_words(const struct gpucode_target *target, unsigned char *bytes, uint64_t *random)
{
    unsigned number = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        struct gpucode_row row;
        do
            number = (number + 1) % gpucode_row_count(target);
        while (!gpucode_row_on_target(target, number));
        assert_true(gpucode_row(target, number, &row));
        uint32_t bits = next_random(random);
        if (bits & 1)
            bits = next_random(random) & next_random(random) & next_random(random);
        bits = (bits & (uint32_t) ~(row.mask | row.ignored)) | (uint32_t)row.match;
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (unsigned char)(bits >> 8 * k);
    }
}

static void lines_and_printers(void)
{
    const struct gpucode_names names = {.name = no_name};
    const struct gpucode_target *target;
    uint64_t random = 1;
    for (unsigned t = 0; (target = gpucode_target_at(t)); t++) {
        if (strcmp(gpucode_target_isa(target), "afuc") != 0)
            continue;
        unsigned char bytes[4 * WORDS];
        fill_words(target, bytes, &random);
        const struct gpucode_image_options options = {.target = target, .raw = true};
        struct gpucode_image *image;
        assert_int_equal(gpucode_image_open(bytes, sizeof bytes, &options, &image), GPUCODE_OK);
        char *plain = text_of(image, NULL), *named = text_of(image, &names);
        assert_string_equal(plain, named);
        assert_non_null(strstr(plain, "\t; ")); /* comments are among them */
        free(plain);
        free(named);
        gpucode_image_free(image);
    }
}

/* Lines of bit fields whose low bit is above the high one say so, of all pairs of bits; others do not. */
static void reversed_fields(void)
{
    const struct gpucode_target *target = target_named("afuc:a730");
    const struct gpucode_image_options options = {.target = target, .raw = true};
    struct gpucode_row row;
    unsigned rows = 0;
    for (unsigned number = 0; gpucode_row(target, number, &row); number++) {
        if (strcmp(row.id, "UBFX") != 0 && strcmp(row.id, "BFI") != 0)
            continue;
        unsigned char bytes[4096];
        for (unsigned i = 0; i < 1024; i++) /* the low bit, then the high one, from bit 0 on */
            for (unsigned k = 0; k < 4; k++)
                bytes[4 * i + k] = (unsigned char)((row.match | 1 << 16 | i) >> 8 * k);
        struct gpucode_image *image;
        assert_int_equal(gpucode_image_open(bytes, sizeof bytes, &options, &image), GPUCODE_OK);
        char *text = text_of(image, NULL), *line = text;
        for (unsigned i = 0; i < 1024; i++) {
            char expected[64];
            unsigned low = i & 31, high = i >> 5;
            snprintf(expected, sizeof expected, "b%u, b%u%s\n", low, high, low > high ? "\t;! reversed" : "");
            while (*line == '.' || *line == ';' || *line == '\n')
                line = strchr(line, '\n') + 1;
            char *end = strchr(line, '\n');
            size_t length = strlen(expected);
            assert_true(end && (size_t)(end + 1 - line) > length);
            if (memcmp(end + 1 - length, expected, length) != 0)
                fail_msg("%u to %u: %.*s", low, high, (int)(end - line), line);
            line = end + 1;
        }
        free(text);
        gpucode_image_free(image);
        rows++;
    }
    assert_int_equal(rows, 2);
}

TESTS(lines, lines_and_printers, reversed_fields)
