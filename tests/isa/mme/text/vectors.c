/* SPDX-License-Identifier: MIT */
/* Mesa's macros and words at random with the texts of other tools; see the README of the vectors. */
#include "assembling.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 4096

static char *vector_text(const char *name, const char *ending)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/mme/%s%s", vectors_folder(), name, ending);
    size_t size;
    return read_whole(path, &size);
}

static size_t read_words(const char *text, uint32_t words[WORDS_MAX])
{
    size_t count = 0;
    for (char *end; count < WORDS_MAX; text = end, count++) {
        words[count] = little_endian((uint32_t)strtoul(text, &end, 16));
        if (end == text)
            break;
    }
    return count;
}

/* The listing with numbers in place of labels, and without them and comments; malloc'ed. */
static char *plain_listing(const uint32_t *words, size_t count)
{
    struct gpucode_image_options options = {.target = target_named("mme:fermi")};
    struct gpucode_image *image;
    char *text;
    size_t length;
    assert_int_equal(gpucode_image_open(words, 4 * count, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(image, NULL, &text, &length), GPUCODE_OK);
    char *plain = malloc(2 * length + 1), *to = plain;
    assert_non_null(plain);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *comment = strstr(line, "\t//"), *label = strstr(line, "#l");
        if (comment)
            *comment = 0;
        if (line[strlen(line) - 1] == ':')
            continue;
        if (label)
            to += sprintf(to, "%.*s0x%lx\n", (int)(label - line), line, strtoul(label + 2, NULL, 10));
        else
            to += sprintf(to, "%s\n", line);
    }
    *to = 0;
    free(text);
    gpucode_image_free(image);
    return plain;
}

static void check_macro(const char *name)
{
    uint32_t words[WORDS_MAX];
    char *hex = vector_text(name, ".words"), *expected = vector_text(name, ".text"),
         *source = vector_text(name, ".mme");
    assert_non_null(hex);
    assert_non_null(expected);
    size_t count = read_words(hex, words);
    char *listing = plain_listing(words, count);
    assert_string_equal(listing, expected);
    expect_bytes(listing, "mme:fermi", words, 4 * count);
    if (source) /* a header of words alone has none */
        expect_bytes(source, "mme:fermi", words, 4 * count);
    free(listing);
    free(hex);
    free(expected);
    free(source);
}

static void check_table(const char *name)
{
    static uint32_t words[WORDS_MAX];
    char *table = vector_text(name, ".tsv"), *rows[WORDS_MAX];
    size_t count = 0;
    assert_non_null(table);
    for (char *at = strchr(table, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
        *at = 0;
        rows[count] = strchr(at + 1, '\t') + 1;
        words[count] = little_endian((uint32_t)strtoul(rows[count], NULL, 16));
        count++;
    }
    assert_true(count >= 250);
    char *listing = plain_listing(words, count), *line = listing;
    for (size_t i = 0; i < count; i++, line = strchr(line, '\n') + 1) {
        char *text = strchr(rows[i], '\t') + 1, *other = strchr(text, '\t') + 1, *made = strchr(other, '\t') + 1;
        size_t length = (size_t)(other - text) - 1;
        if (strncmp(line, text, length) != 0 || line[length] != '\n')
            fail_msg("%.*s instead of %.*s", (int)strcspn(line, "\n"), line, (int)length, text);
        if (*made == '-')
            continue;
        struct gpucode_insn insn; /* the other tool's text makes the word that its assembler makes */
        struct gpucode_parse_options options = {.address = i};
        assert_int_equal(gpucode_parse(target_named("mme:fermi"), other, (size_t)(made - other) - 1, &options, &insn),
                         GPUCODE_OK);
        assert_int_equal(insn.bits, strtoul(made, NULL, 16));
    }
    free(listing);
    free(table);
}

static void all_files(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s/mme", vectors_folder());
    DIR *folder = opendir(path);
    unsigned macros = 0, tables = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[256], *dot;
        snprintf(name, sizeof name, "%s", entry->d_name);
        dot = strrchr(name, '.');
        bool macro = dot && strcmp(dot, ".words") == 0, table = dot && strcmp(dot, ".tsv") == 0;
        if (!macro && !table)
            continue;
        *dot = 0;
        macros += macro;
        tables += table;
        if (macro)
            check_macro(name);
        else
            check_table(name);
    }
    closedir(folder);
    assert_true(macros >= 11 && tables >= 8);
}

TEST_GROUP(vectors)
{
    const char *folder = vectors_folder();
    char *first = folder ? vector_text("README", ".md") : NULL;
    if (!first)
        return GROUP_SKIPPED;
    free(first);
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
