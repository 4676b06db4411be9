/* SPDX-License-Identifier: MIT */
/* The reference's texts, both ways, and its table of first bytes. */
#include "support.h"

#include <stdio.h>

/* Lines without comments and white space at their ends; empty lines gone. */
static void strip(char *text, bool columns)
{
    char *to = text;
    for (char *line = text, *next; *line; line = next) {
        char *newline = strchr(line, '\n');
        next = newline ? newline + 1 : line + strlen(line);
        char *end = newline ? newline : next;
        if (columns && end - line > 29)
            line += 29;
        for (char *at = line; at + 1 < end; at++)
            if (at[0] == '/' && at[1] == '/')
                end = at;
        while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        if (end == line)
            continue;
        memmove(to, line, (size_t)(end - line));
        to += end - line;
        *to++ = '\n';
    }
    *to = 0;
}

static const char *target_of(const char *variant)
{
    return strcmp(variant, "NV17-NV41") == 0   ? "hwsq:nv17"
           : strcmp(variant, "NV41-NV50") == 0 ? "hwsq:nv41"
           : strcmp(variant, "NV50-NV92") == 0 ? "hwsq:nv50"
                                               : "hwsq:nv92";
}

static void compare_script(const char *name, const char *target, bool lossless)
{
    char file[160];
    snprintf(file, sizeof file, "%s.hex", name);
    char *hex = vector_file(file, NULL);
    snprintf(file, sizeof file, "%s.dis", name);
    char *expected = vector_file(file, NULL);
    assert_non_null(hex);
    assert_non_null(expected);
    unsigned char bytes[4096];
    size_t size = hex_bytes(hex, bytes, sizeof bytes);
    assert_round_trip(target, bytes, size);
    char *columns = listing(target, bytes, size, true), *at = columns, *want = expected;
    char *text = listing(target, bytes, size, false);
    if (lossless) {
        /* with columns: equal up to our comments */
        for (; *want; at = strchr(at, '\n') + 1, want = strchr(want, '\n') + 1) {
            size_t length = strcspn(want, "\n");
            assert_true(strncmp(at, want, length) == 0 && (at[length] == '\n' || at[length] == '\t'));
        }
        strip(expected, true);
        strip(text, false);
        assert_string_equal(text, expected);
        assert_bytes(target, expected, bytes, size);
    }
    free(hex);
    free(expected);
    free(columns);
    free(text);
}

static void scripts(void)
{
    if (no_vectors())
        return;
    char *manifest = vector_file("MANIFEST.tsv", NULL);
    unsigned count = 0;
    for (char *line = strtok(manifest, "\n"); line; line = strtok(NULL, "\n")) {
        char name[80], variant[32];
        if (sscanf(line, "%79s %31s", name, variant) == 2 && strcmp(name, "name") != 0) {
            compare_script(name, target_of(variant), !strstr(line, "rt-NO"));
            count++;
        }
    }
    assert_true(count >= 19);
    free(manifest);
}

/* Rows are byte TAB length TAB text, with the payload 11 22 33 44 after the byte. */
static void compare_first_bytes(const char *file, const char *target)
{
    char *table = vector_file(file, NULL);
    assert_non_null(table);
    unsigned count = 0;
    for (char *line = strtok(table, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned byte, length;
        int at = 0;
        if (sscanf(line, "%2x\t%u\t%n", &byte, &length, &at) != 2 || !at)
            continue;
        char *want = line + at;
        want[strcspn(want, "\t|")] = 0;
        unsigned char bytes[] = {(unsigned char)byte, 0x11, 0x22, 0x33, 0x44};
        char *text = listing(target, bytes, sizeof bytes, false);
        text[strcspn(text, "\n")] = 0;
        if (strchr(want, '[')) {
            char raw[16];
            snprintf(raw, sizeof raw, ".b8 0x%02x\t//", byte);
            assert_int_equal(strncmp(text, raw, strlen(raw)), 0);
        } else {
            text[strcspn(text, "\t")] = 0;
            assert_string_equal(text, want);
        }
        free(text);
        count++;
    }
    assert_int_equal(count, 256);
    free(table);
}

static void first_bytes(void)
{
    if (no_vectors())
        return;
    compare_first_bytes("first_byte_nv17.tsv", "hwsq:nv17");
    compare_first_bytes("first_byte_nv41.tsv", "hwsq:nv41");
    compare_first_bytes("first_byte_g80.tsv", "hwsq:nv50");
    compare_first_bytes("first_byte_g80.tsv", "hwsq:nv92");
}

TESTS(vectors, scripts, first_bytes)
