/* SPDX-License-Identifier: MIT */
/*
 * The tests of a room are one program (see main.c); each file adds its group to it, by its name and its tests in order:
 *
 *     TESTS(lint, each_rule, rules_of_other_sets)
 *
 * A group whose tests need something prepared says how it runs:
 *
 *     TEST_GROUP(lint)
 *     {
 *         const struct CMUnitTest tests[] = {cmocka_unit_test_setup(each_rule, begin)};
 *         return cmocka_run_group_tests(tests, NULL, NULL);
 *     }
 */
#ifndef TESTS_SUPPORT_GROUP_H
#define TESTS_SUPPORT_GROUP_H

#include <stdint.h>

/* What a group returns that cannot run here; else the number of its tests that failed. */
#define GROUP_SKIPPED (-77)

struct test_group {
    const char *name;
    int (*run)(void);
    struct test_group *next;
};

/* After the groups that are there; before main() runs. */
void add_test_group(struct test_group *group);

/* Runs `count` tests; `names` has their names, separated by commas. As cmocka_run_group_tests(). */
int run_test_group(const char *group, const char *names, void (*const *tests)(void), unsigned count);

/* How often to try something random: `usual`, or `thorough` where GPUCODE_LONG_TESTS is set (`--setup long`). */
unsigned test_rounds(unsigned usual, unsigned thorough);

/* What stands after `--` on the command line: files to test, for the groups that take some. */
extern int group_argument_count;
extern char **group_arguments;

/* A row of a table of cases: a text that is given, and what it is to give. */
struct text_case {
    const char *text, *expected;
};

/* The same of a number that is read from it, or the line of what is wrong. */
struct number_case {
    const char *text;
    int64_t number;
};

#define TEST_GROUP(group_name)                                                                                         \
    static int run_group_##group_name(void);                                                                           \
    __attribute__((constructor)) static void add_group_##group_name(void)                                              \
    {                                                                                                                  \
        static struct test_group group = {#group_name, run_group_##group_name, 0};                                     \
        add_test_group(&group);                                                                                        \
    }                                                                                                                  \
    static int run_group_##group_name(void)

#define TESTS(group_name, ...)                                                                                         \
    TEST_GROUP(group_name)                                                                                             \
    {                                                                                                                  \
        static void (*const tests[])(void) = {__VA_ARGS__};                                                            \
        return run_test_group(#group_name, #__VA_ARGS__, tests, sizeof tests / sizeof *tests);                         \
    }

#endif
