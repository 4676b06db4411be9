/* SPDX-License-Identifier: MIT */
/*
 * Every name in the reference's texts, both ways: comments of register numbers and pipe registers, control and SQE
 * register operands, packet labels. Where words are given, also: what has no name there has none here.
 */
#include "files.h"
#include "sets.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *folder;
static unsigned checked[GPUCODE_SPACE_COUNT], nameless;

static const struct gpucode_target *target_of(const char *file)
{
    static const struct {
        const char *prefix, *set;
    } map[] = {
        {"a5xx", "afuc_names_a5xx"},          {"a6", "afuc_names_a6xx"}, {"a7xx_gen3", "afuc_names_a7xx_gen3"},
        {"gen70900", "afuc_names_a7xx_gen3"}, {"a7", "afuc_names_a7xx"}, {"gen70500", "afuc_names_a7xx"},
    };
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        for (size_t j = 0; j < SET_COUNT && strncmp(file, map[i].prefix, strlen(map[i].prefix)) == 0; j++)
            if (strcmp(sets[j].name, map[i].set) == 0)
                return &sets[j].target;
    return NULL;
}

static void check(const struct gpucode_target *target, enum gpucode_space space, uint32_t number, const char *name,
                  size_t length)
{
    char text[GPUCODE_NAME_MAX];
    uint32_t back;
    size_t found = gpucode_name_of(target, NULL, space, number, text, sizeof text);
    checked[space]++;
    if (found != length || memcmp(text, name, length) != 0)
        fail_msg("%s space %u 0x%x: '%s', not '%.*s'", target->name, space, number, text, (int)length, name);
    if (!gpucode_number_of(target, NULL, space, name, length, &back))
        fail_msg("%s: '%.*s' is not understood", target->name, (int)length, name);
    if (back != number) { /* a common register with the name of one of the chip's */
        gpucode_name_of(target, NULL, space, back, text, sizeof text);
        assert_int_equal(strlen(text), length);
        assert_memory_equal(text, name, length);
    }
}

static void check_none(const struct gpucode_target *target, enum gpucode_space space, uint32_t number)
{
    char text[GPUCODE_NAME_MAX];
    nameless++;
    if (gpucode_name_of(target, NULL, space, number, text, sizeof text))
        fail_msg("%s space %u 0x%x: '%s', not nameless", target->name, space, number, text);
}

/* A name operand: its number is in the low bits of the word when that is known, otherwise only name -> number -> name.
 */
static void check_operand(const struct gpucode_target *target, const char *text, bool known, uint32_t word)
{
    const char *at = strpbrk(text, "@%"), *plus;
    if (at) {
        enum gpucode_space space = *at == '@' ? GPUCODE_SPACE_CONTROL : GPUCODE_SPACE_SQE;
        size_t length = strcspn(at + 1, "]");
        uint32_t number = word & 0xfff;
        if (!known && !gpucode_number_of(target, NULL, space, at + 1, length, &number))
            fail_msg("%s: '%.*s' is not understood", target->name, (int)length, at + 1);
        check(target, space, number, at + 1, length);
    } else if (known && (plus = strstr(text, " + 0x")) && text[strlen(text) - 1] != '!' &&
               (strstr(text, "cread") || strstr(text, "cwrite"))) {
        check_none(target, GPUCODE_SPACE_CONTROL, word & 0xfff);
    }
}

/* Text of one instruction, comment included. */
static void check_line(const struct gpucode_target *target, char *text, bool known, uint32_t word)
{
    static const char *const with_immediate[] = {"mov ", "add ", "sub ", "and ", "or ", "xor ", "min ", "max ", "cmp "};
    char *comment = strstr(text, "\t; "), *last = strrchr(text, ',');
    unsigned immediate, shift = 0;
    uint32_t value = 0;
    bool printed = false;
    if (comment) {
        *comment = 0;
        comment += 3;
        last = strrchr(text, ',');
    }
    if (sscanf(text, "[%8x]", &immediate) == 1) {
        value = immediate;
        printed = true;
    } else if (last && !strchr(last, '[') && sscanf(last, ", 0x%x << %u", &immediate, &shift) >= 1) {
        value = shift < 32 ? immediate << shift : 0;
        for (size_t i = 0; i < sizeof with_immediate / sizeof *with_immediate; i++)
            printed = printed || strstr(text, with_immediate[i]);
        printed = printed || comment;
    }
    if (strstr(text, " $addr, ") && shift >= 16) {
        value &= ~0x40000u;
        printed = false;
        if (comment && *comment == '|')
            check(target, GPUCODE_SPACE_PIPE, value >> 24, comment + 1, strlen(comment + 1));
        else if (comment && *comment == '0')
            check_none(target, GPUCODE_SPACE_PIPE, value >> 24);
        else if (comment)
            check(target, GPUCODE_SPACE_GPU, immediate << shift, comment, strlen(comment));
    }
    if (printed && comment)
        check(target, GPUCODE_SPACE_GPU, value, comment, strlen(comment));
    else if (printed && value >= 0x100)
        check_none(target, GPUCODE_SPACE_GPU, value);
    else if (comment && *comment != '|' && *comment != '0' && !strstr(text, " $addr, "))
        fail_msg("%s: a comment at '%s' was not expected", target->name, text);
    check_operand(target, text, known, word);
}

/* "CP_NOP:"; UNKN labels are nameless. */
static void check_label(const struct gpucode_target *target, const char *text)
{
    size_t length = strlen(text) - 1;
    unsigned number;
    uint32_t packet;
    if (sscanf(text, "UNKN%u:", &number) == 1) {
        check_none(target, GPUCODE_SPACE_PACKET, number);
    } else if (strcmp(text, "jumptbl:") != 0 && strspn(text, "fxnl0123456789") != length) {
        if (!gpucode_number_of(target, NULL, GPUCODE_SPACE_PACKET, text, length, &packet))
            fail_msg("%s: packet '%s' is not understood", target->name, text);
        check(target, GPUCODE_SPACE_PACKET, packet, text, length);
    }
}

static unsigned each_file(const char *sub, const char *ending, void (*read)(const struct gpucode_target *, FILE *),
                          const char *command)
{
    char path[2048];
    unsigned count = 0;
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "", sub);
    DIR *directory = folder ? opendir(path) : NULL;
    if (!directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name), tail = strlen(ending);
        if (length <= tail || strcmp(entry->d_name + length - tail, ending) != 0)
            continue;
        const struct gpucode_target *target = target_of(entry->d_name);
        if (!target)
            fail_msg("no target for %s", entry->d_name);
        snprintf(path, sizeof path, "%s '%s/%s/%s'", command, folder, sub, entry->d_name);
        FILE *in = popen(path, "r");
        assert_non_null(in);
        read(target, in);
        assert_int_equal(pclose(in), 0);
        count++;
    }
    closedir(directory);
    return count;
}

static void read_words(const struct gpucode_target *target, FILE *in)
{
    char line[1024], text[1024];
    while (fgets(line, sizeof line, in)) {
        unsigned index, word;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%u\t%x\t%1023[^\n]", &index, &word, text) == 3)
            check_line(target, text, true, word);
    }
}

static void read_listing(const struct gpucode_target *target, FILE *in)
{
    char line[1024];
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == ';' || *line == '.')
            continue;
        if (!strpbrk(line, " \t[") && line[strlen(line) - 1] == ':')
            check_label(target, line);
        else if (strchr(line, ' ') || *line == '[')
            check_line(target, line, false, 0);
    }
}

static void test_words(void **state)
{
    (void)state;
    memset(checked, 0, sizeof checked);
    if (!each_file("afuc/words", ".tsv", read_words, "cat")) {
        print_message("skipped: no vectors\n");
        skip();
    }
    assert_true(checked[GPUCODE_SPACE_GPU] > 200 && checked[GPUCODE_SPACE_CONTROL] > 0 && nameless > 5000);
}

static void test_listings(void **state)
{
    (void)state;
    memset(checked, 0, sizeof checked);
    if (!each_file("afuc/disassembly", ".asm.gz", read_listing, "gzip -dc")) {
        print_message("skipped: no vectors\n");
        skip();
    }
    assert_true(checked[GPUCODE_SPACE_GPU] > 200 && checked[GPUCODE_SPACE_CONTROL] > 500 &&
                checked[GPUCODE_SPACE_SQE] > 100 && checked[GPUCODE_SPACE_PIPE] > 200 &&
                checked[GPUCODE_SPACE_PACKET] > 100);
}

TEST_GROUP(vectors)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_listings)};
    folder = vectors_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
