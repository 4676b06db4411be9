/* SPDX-License-Identifier: MIT */
/* Words with the reference's text, where they are at hand: spaces and comments do not count. */
#include "assembling.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *vector_file(const char *name)
{
    char path[1024];
    const char *folder = vectors_folder();
    if (!folder)
        return NULL;
    snprintf(path, sizeof path, "%s/ir3/%s", folder, name);
    size_t size;
    return read_whole(path, &size);
}

static void squeeze(const char *from, char *to)
{
    for (; *from && *from != ';'; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
    *to = 0;
}

/* One line of a table: its columns end at tabs. Returns the next line, or null after the last. */
static char *split(char *line, char **columns, unsigned count)
{
    char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : NULL;
    *end = 0;
    for (unsigned i = 0; i < count; i++) {
        columns[i] = line;
        line += strcspn(line, "\t");
        if (*line)
            *line++ = 0;
    }
    return next;
}

static void format(const struct gpucode_target *target, uint64_t word, char text[GPUCODE_TEXT_MAX])
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    struct gpucode_insn insn;
    assert_int_equal(gpucode_decode(target, bytes, 8, 0, &insn), GPUCODE_OK);
    assert_int_equal(gpucode_format(&insn, NULL, text, GPUCODE_TEXT_MAX, NULL), GPUCODE_OK);
}

static bool parses_to(const struct gpucode_target *target, const char *text, uint64_t word)
{
    struct gpucode_insn insn;
    return gpucode_parse(target, text, strlen(text), NULL, &insn) == GPUCODE_OK && insn.bits == word;
}

static void words(void **state)
{
    (void)state;
    char *file = vector_file("words.tsv"), *columns[5], ours[GPUCODE_TEXT_MAX], theirs[GPUCODE_TEXT_MAX];
    if (!file) {
        skip();
        return;
    }
    unsigned same = 0, wanted = 0, unexplained = 0;
    for (char *line = split(file, columns, 5); line && *line;) {
        line = split(line, columns, 5);
        if (strcmp(columns[0], "a3xx") == 0)
            continue;
        char name[16], text[GPUCODE_TEXT_MAX];
        snprintf(name, sizeof name, "ir3:%s", columns[0]);
        const struct gpucode_target *target = target_named(name);
        uint64_t word = strtoull(columns[1], NULL, 16);
        format(target, word, text);
        assert_true(parses_to(target, text, word));
        if (*columns[4])
            continue;
        if (strncmp(columns[3], "no match", 8) == 0 || strcmp(columns[3], "error") == 0) {
            unexplained++;
            continue;
        }
        squeeze(text, ours);
        squeeze(columns[3], theirs);
        wanted++;
        same += strcmp(ours, theirs) == 0;
        if (strcmp(ours, theirs) != 0)
            print_error("%s %s: '%s', not '%s'\n", columns[0], columns[1], text, columns[3]);
    }
    free(file);
    assert_true(wanted > 10000 && unexplained > 0);
    assert_int_equal(same, wanted);
}

/* The reference's own test words: their texts give the words, but for rows that its test leaves out or that lose bits.
 */
static void tests(void **state)
{
    (void)state;
    char *file = vector_file("tests.tsv"), *columns[4];
    if (!file) {
        skip();
        return;
    }
    static const char *const others[] = {"c702026e0480025c", "c0c0000000000000", "ffffffffffffffff",
                                         "c02202000361b801", "c3e6000000000e00", "c3e6000000000c00"};
    unsigned same = 0, excepted = 0;
    for (char *line = split(file, columns, 4); line && *line;) {
        line = split(line, columns, 4);
        char name[16], text[GPUCODE_TEXT_MAX];
        snprintf(name, sizeof name, "ir3:a%s", columns[0]);
        const struct gpucode_target *target = target_named(name);
        uint64_t word = strtoull(columns[1], NULL, 16);
        format(target, word, text);
        assert_true(parses_to(target, text, word));
        unsigned i = 0;
        while (i < 6 && strcmp(others[i], columns[1]) != 0)
            i++;
        excepted += i < 6;
        if (i < 6)
            continue;
        same++;
        if (strcmp(text, columns[2]) != 0 || !parses_to(target, columns[2], word))
            print_error("%s %s: '%s', not '%s'\n", columns[0], columns[1], text, columns[2]);
        assert_string_equal(text, columns[2]);
        assert_true(parses_to(target, columns[2], word));
    }
    free(file);
    assert_int_equal(same, 300);
    assert_int_equal(excepted, 6);
}

TEST_GROUP(vectors)
{
    const struct CMUnitTest list[] = {cmocka_unit_test(words), cmocka_unit_test(tests)};
    return cmocka_run_group_tests(list, NULL, NULL);
}
