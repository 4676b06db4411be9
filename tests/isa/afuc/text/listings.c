/* SPDX-License-Identifier: MIT */
/* Our text against the reference's, word by word and listing by listing; skipped where the vectors are absent. */
#include "assembling.h"
#include "difference.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;
static unsigned tally[DIFFERENCE_COUNT];

static void print_tally(const char *what)
{
    printf("%s:", what);
    for (unsigned i = 0; i < DIFFERENCE_COUNT; i++)
        printf(" %s %u%s", difference_names[i], tally[i], i + 1 < DIFFERENCE_COUNT ? "," : "\n");
}

/* The next line at *at without its newline; null after the last. Cuts the text into lines. */
static char *next_line(char **at)
{
    char *line = *at;
    if (!*line)
        return NULL;
    char *newline = strchr(line, '\n');
    *at = newline ? newline + 1 : line + strlen(line);
    if (newline)
        *newline = 0;
    return line;
}

static bool is_word_line(const char *line)
{
    size_t length = strlen(line);
    return length && *line != ';' && *line != '.' && !(line[length - 1] == ':' && !strpbrk(line, " \t["));
}

#define WORDS_MAX 8192

static void compare_words(const char *file, const char *target, unsigned generation)
{
    static char *reference[WORDS_MAX];
    static unsigned char bytes[4 * WORDS_MAX];
    static uint32_t words[WORDS_MAX];
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/afuc/words/%s", folder, file);
    char *text = read_whole(path, &size), *ours = NULL;
    assert_non_null(text);
    uint32_t count = 0;
    char *at = text, *line;
    next_line(&at); /* the heading */
    while ((line = next_line(&at))) {
        unsigned index, word;
        int used = 0;
        assert_true(sscanf(line, "%u\t%x\t%n", &index, &word, &used) == 2 && used);
        assert_true(index == count && count < WORDS_MAX);
        for (unsigned i = 0; i < 4; i++)
            bytes[4 * count + i] = (unsigned char)(word >> 8 * i);
        words[count] = word;
        reference[count++] = line + used;
    }
    assert_int_equal(count, 6001);
    assert_true(round_trips(bytes, 4 * (size_t)count, target_named(target), true, file, &ours));
    uint32_t index = 0;
    at = ours;
    while ((line = next_line(&at))) {
        if (!is_word_line(line))
            continue;
        assert_true(index < count);
        enum difference difference = difference_of(generation, words[index], index, count, reference[index], line);
        tally[difference]++;
        if (difference == DIFFERENCE_NOT_ALLOWED)
            printf("%s %u: %08x '%s', ours '%s'\n", file, index, words[index], reference[index], line);
        index++;
    }
    assert_int_equal(index, count);
    free(text);
    free(ours);
}

static void words(void **state)
{
    (void)state;
    if (!folder)
        skip();
    memset(tally, 0, sizeof tally);
    compare_words("a5xx.tsv", "afuc:a5xx", 5);
    compare_words("a6xx.tsv", "afuc:a6xx", 6);
    compare_words("a7xx.tsv", "afuc:a7xx", 7);
    compare_words("a7xx_gen3.tsv", "afuc:a7xx-gen3", 7);
    print_tally("words");
    assert_int_equal(tally[DIFFERENCE_NOT_ALLOWED], 0);
    /* the test would show nothing if the vectors had no such words */
    for (unsigned i = 0; i < DIFFERENCE_NOT_ALLOWED; i++)
        assert_true(tally[i] > 0);
    assert_true(tally[DIFFERENCE_NONE] > 10000);
}

static unsigned generation_of(const struct gpucode_target *target)
{
    const char *name = gpucode_target_generation(target);
    return name[0] == 'a' ? (unsigned)(name[1] - '0') : 8;
}

/* Words whose reference text is raw are compared by the rules; everything else, labels included, must be equal. */
static void compare_listing(const char *name, const unsigned char *bytes, size_t size, char *reference, bool clean)
{
    struct gpucode_image *image;
    char path[300];
    snprintf(path, sizeof path, "%s.fw", name);
    assert_int_equal(gpucode_image_open(bytes, size, &(struct gpucode_image_options){.file_name = path}, &image),
                     GPUCODE_OK);
    const struct gpucode_image_info *info = gpucode_image_info(image);
    unsigned generation = generation_of(info->target), number = 0;
    char *ours = NULL;
    assert_true(round_trips(bytes, size, NULL, false, name, &ours));
    char *a = reference, *b = ours, *expected, *line;
    uint32_t index = 0;
    unsigned at = 0;
    while ((expected = next_line(&a))) {
        at++;
        line = next_line(&b);
        if (!line)
            fail_msg("%s:%u: ours ends before '%s'", name, at, expected);
        const struct gpucode_section *section = &info->sections[number];
        uint32_t code = generation == 5 || section->table == GPUCODE_NONE ? section->size : section->table;
        if (strncmp(expected, ".section ", 9) == 0) {
            number++;
            index = 0;
        } else if (is_word_line(expected) && index < code) {
            uint32_t word = 0;
            for (unsigned i = 4; i-- > 0;)
                word = word << 8 | bytes[4 + 4 * (section->start + index) + i];
            enum difference difference = strcmp(expected, line) == 0
                                             ? DIFFERENCE_NONE
                                             : difference_of(generation, word, index, code, expected, line);
            tally[difference]++;
            index++;
            if (difference == DIFFERENCE_NOT_ALLOWED || (clean && difference != DIFFERENCE_NONE))
                fail_msg("%s:%u: %08x is '%s', expected '%s'", name, at, word, line, expected);
            continue;
        }
        if (strcmp(line, expected) != 0)
            fail_msg("%s:%u: '%s', expected '%s'", name, at, line, expected);
    }
    if ((line = next_line(&b)))
        fail_msg("%s: ours goes on with '%s'", name, line);
    free(ours);
    gpucode_image_free(image);
}

static void listings(void **state)
{
    (void)state;
    if (!folder)
        skip();
    memset(tally, 0, sizeof tally);
    char path[4096];
    snprintf(path, sizeof path, "%s/afuc/disassembly", folder);
    DIR *directory = opendir(path);
    assert_non_null(directory);
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        char *dot = strstr(entry->d_name, ".fw");
        if (!dot || dot[3])
            continue;
        *dot = 0;
        size_t size, length;
        snprintf(path, sizeof path, "%s/afuc/disassembly/%s.fw", folder, entry->d_name);
        char *bytes = read_whole(path, &size);
        snprintf(path, sizeof path, "%s/afuc/disassembly/%s.asm.gz", folder, entry->d_name);
        char *reference = read_whole(path, &length);
        assert_true(bytes && reference && length > 1000);
        compare_listing(entry->d_name, (unsigned char *)bytes, size, reference,
                        strstr(entry->d_name, "-clean") != NULL);
        free(bytes);
        free(reference);
        count++;
    }
    closedir(directory);
    print_tally("listings");
    assert_true(count >= 20 && tally[DIFFERENCE_NONE] > 10000 && tally[DIFFERENCE_UNKNOWN_BITS] > 0);
}

/* Mesa's mock firmware: its listing but for the header comments, its source assembled, and both ways round. */
static void mock_firmware(void **state)
{
    (void)state;
    if (!folder)
        skip();
    static const char *const names[] = {"a6xx", "a7xx"};
    for (unsigned i = 0; i < 2; i++) {
        char path[4096];
        size_t size, length;
        snprintf(path, sizeof path, "%s/afuc/mock/%s.fw", folder, names[i]);
        char *bytes = read_whole(path, &size);
        snprintf(path, sizeof path, "%s/afuc/mock/%s-source.asm", folder, names[i]);
        char *source = read_whole(path, &length);
        assert_true(bytes && source);
        expect_bytes(source, NULL, bytes, size);
        snprintf(path, sizeof path, "%s/afuc/mock/%s-disassembly.asm", folder, names[i]);
        char *reference = read_whole(path, &length), *ours;
        assert_non_null(reference);
        expect_bytes(reference, NULL, bytes, size);
        assert_true(round_trips(bytes, size, NULL, false, names[i], &ours));
        char *a = reference, *b = ours, *expected, *line;
        unsigned header = 0;
        while ((expected = next_line(&a)) && *expected)
            header += *expected == ';';
        while ((line = next_line(&b)) && *line)
            assert_int_equal(*line, ';');
        assert_in_range(header, 2, 3);
        assert_string_equal(b, a);
        free(bytes);
        free(source);
        free(reference);
        free(ours);
    }
}

TEST_GROUP(listings)
{
    folder = vectors_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(listings),
                                       cmocka_unit_test(mock_firmware)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
