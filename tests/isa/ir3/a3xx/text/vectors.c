/* SPDX-License-Identifier: MIT */
/*
 * Words and shaders with reference text, where they are at hand. Our text equals the reference's but for the
 * differences that docs/a3xx-text.md lists; each kind is counted, and no other is allowed.
 */
#include "assembling.h"
#include "shaders.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of differences, as docs/a3xx-text.md names them. */
enum difference {
    SAME,
    RESERVED_CONVERSION,
    RESERVED_BRANCH,
    SIGNED_HALF,
    REFERENCE_LOST_SYNC,
    OLD_MOVA,
    OLD_DECIMAL,
    OLD_TABLE,
    OLD_OPCODE,
    OTHER,
    DIFFERENCES
};

struct line {
    uint64_t word;
    const char *text;
};

static char *format(uint64_t word, unsigned style, char text[GPUCODE_TEXT_MAX])
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    struct gpucode_insn insn;
    struct gpucode_format_options options = {.style = style};
    assert_int_equal(gpucode_decode(target_named("a3xx"), bytes, 8, 0, &insn), GPUCODE_OK);
    assert_int_equal(gpucode_format(&insn, &options, text, GPUCODE_TEXT_MAX, NULL), GPUCODE_OK);
    return text;
}

static bool parses_to(const char *text, uint64_t word)
{
    struct gpucode_insn insn;
    return gpucode_parse(target_named("a3xx"), text, strlen(text), NULL, &insn) == GPUCODE_OK && insn.bits == word;
}

static enum difference difference(const struct line *line, unsigned style)
{
    char text[GPUCODE_TEXT_MAX], expected[GPUCODE_TEXT_MAX];
    format(line->word, style, text);
    /* whatever the text is, it brings the word back */
    assert_true(parses_to(text, line->word));
    if (strcmp(text, line->text) == 0)
        return parses_to(line->text, line->word) ? SAME : OTHER;
    snprintf(expected, sizeof expected, "%s {rsv 0x400000000000}", line->text);
    if (strcmp(text, expected) == 0)
        return parses_to(line->text, line->word & ~(UINT64_C(1) << 46)) ? RESERVED_CONVERSION : OTHER;
    snprintf(expected, sizeof expected, "%s {rsv 0xffff0000}", line->text);
    if (strcmp(text, expected) == 0)
        return parses_to(line->text, line->word & ~UINT64_C(0xffff0000)) ? RESERVED_BRANCH : OTHER;
    snprintf(expected, sizeof expected, "(sy)%s", line->text);
    if (strcmp(text, expected) == 0)
        return REFERENCE_LOST_SYNC;
    if (strstr(line->text, "mov.s16s16") && parses_to(line->text, line->word))
        return SIGNED_HALF;
    if (strstr(line->text, "mova.s16s16") && parses_to(line->text, line->word))
        return OLD_MOVA;
    if (style == 0 && strstr(line->text, "mov.u32u32") && parses_to(line->text, line->word))
        return OLD_DECIMAL;
    if (style == 0 && strncmp(line->text, "unknown(", 8) == 0)
        return OLD_OPCODE;
    if (style == 0 && (line->word >> 61 == 2) && ((line->word >> 11 & 7) == 5 || (line->word >> 27 & 7) == 5))
        return OLD_TABLE;
    return OTHER;
}

static void compare(const struct line *line, unsigned style, const char *place, unsigned counts[DIFFERENCES])
{
    enum difference kind = difference(line, style);
    counts[kind]++;
    if (kind == OTHER) {
        char text[GPUCODE_TEXT_MAX];
        print_error("%s: %016" PRIx64 " is '%s', not '%s'\n", place, line->word, format(line->word, style, text),
                    line->text);
    }
}

static char *open_vector(const char *name)
{
    char path[1024];
    const char *folder = vectors_folder();
    if (!folder)
        return NULL;
    snprintf(path, sizeof path, "%s/a3xx/%s", folder, name);
    size_t size;
    return read_whole(path, &size);
}

/* Columns: gpu, hi, lo, text, files; "-" where the reference has no bits. */
static void table(const char *name, unsigned style, unsigned counts[DIFFERENCES])
{
    char *bytes = open_vector(name);
    if (!bytes) {
        skip();
        return;
    }
    memset(counts, 0, DIFFERENCES * sizeof *counts);
    for (char *next, *at = bytes; *at; at = next) {
        next = strchr(at, '\n');
        next = next ? (*next = 0, next + 1) : at + strlen(at);
        char *column[4];
        for (unsigned i = 0; i < 4; i++) {
            column[i] = at;
            at += strcspn(at, "\t");
            if (*at)
                *at++ = 0;
        }
        if (column[1][0] == '-' || !column[3][0])
            continue;
        struct line line = {strtoull(column[1], NULL, 16) << 32 | strtoull(column[2], NULL, 16), column[3]};
        compare(&line, style, name, counts);
    }
    free(bytes);
}

static void seed_table(void)
{
    unsigned counts[DIFFERENCES];
    table("seed.tsv", 0, counts);
    assert_int_equal(counts[SAME], 7);
    table("cat0-5.tsv", 0, counts);
    assert_int_equal(counts[SAME], 6778 - 98);
    assert_int_equal(counts[RESERVED_CONVERSION], 96);
    assert_int_equal(counts[SIGNED_HALF], 2);
}

static void mesa_table(void)
{
    unsigned counts[DIFFERENCES];
    table("shader-words.tsv", 1, counts);
    assert_int_equal(counts[SAME], 1085 - 5);
    assert_int_equal(counts[RESERVED_BRANCH], 5);
}

static void memory_table(void)
{
    unsigned counts[DIFFERENCES];
    table("cat6.tsv", 0, counts);
    assert_int_equal(counts[SAME], 1294);
    assert_int_equal(counts[REFERENCE_LOST_SYNC], 2);
}

/* "0003[00000200x_00000000x] text" or "00000200_00000000 text"; false for other lines. */
static bool listing_line(const char *text, struct line *line)
{
    const char *at = text;
    if (strspn(at, "0123456789") == 4 && at[4] == '[')
        at += 5;
    char *end;
    uint64_t high = strtoull(at, &end, 16);
    if (end != at + 8)
        return false;
    end += *end == 'x';
    if (*end++ != '_')
        return false;
    at = end;
    line->word = high << 32 | strtoull(at, &end, 16);
    if (end != at + 8)
        return false;
    end += *end == 'x';
    end += *end == ']';
    line->text = *end == ' ' ? end + 1 : end;
    return true;
}

/* Every line of a listing, and its words against the binary. */
static void listing(const char *folder, const char *name, const char *binary, size_t size, unsigned style,
                    unsigned counts[DIFFERENCES])
{
    char path[1500];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = read_whole(path, &length);
    if (!text)
        return;
    size_t index = 0;
    for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
        struct line line;
        if (!listing_line(at, &line))
            continue;
        uint64_t word = 0;
        assert_true(8 * index + 8 <= size);
        for (unsigned i = 8; i-- > 0;)
            word = word << 8 | (unsigned char)binary[8 * index + i];
        assert_true(word == line.word);
        compare(&line, style, name, counts);
        index++;
    }
    free(text);
}

struct styles {
    unsigned seed[DIFFERENCES], mesa[DIFFERENCES];
};

static void in_both_styles(void *user, const char *folder, const char *file, const char *bytes, size_t size)
{
    static const char *const suffixes[] = {".dis", ".mesa.dis", ".old.dis"};
    struct styles *styles = user;
    char name[300];
    assert_true(round_trips(bytes, size, target_named("a3xx"), false, file, NULL));
    for (unsigned i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%.*s%s", (int)strlen(file) - 4, file, suffixes[i]);
        listing(folder, name, bytes, size, i != 2, i == 2 ? styles->seed : styles->mesa);
    }
}

static void shaders(void)
{
    struct styles styles = {0};
    const unsigned *seed = styles.seed, *mesa = styles.mesa;
    unsigned count = shaders_each("shaders", in_both_styles, &styles);
    if (!count) {
        skip();
        return;
    }
    count += shaders_each("execution", in_both_styles, &styles);
    print_message("%u shaders: %u lines in seed style, %u the same; %u in Mesa's, %u the same\n", count,
                  seed[SAME] + seed[OLD_MOVA] + seed[OLD_DECIMAL] + seed[OLD_TABLE] + seed[OLD_OPCODE] +
                      seed[RESERVED_BRANCH],
                  seed[SAME], mesa[SAME] + mesa[RESERVED_BRANCH], mesa[SAME]);
    assert_int_equal(mesa[OTHER] + seed[OTHER], 0);
    assert_true(mesa[SAME] > 100 * mesa[RESERVED_BRANCH]);
    assert_true(seed[SAME] >
                10 * (seed[OLD_MOVA] + seed[OLD_TABLE] + seed[OLD_OPCODE] + seed[RESERVED_BRANCH] + seed[OLD_DECIMAL]));
}

TESTS(vectors, seed_table, mesa_table, memory_table, shaders)
