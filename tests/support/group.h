/* SPDX-License-Identifier: MIT */
/*
 * The tests of a room are one program (see main.c); each file adds its group to it:
 *
 *     TEST_GROUP(lint)
 *     {
 *         const struct CMUnitTest tests[] = {cmocka_unit_test(each_rule)};
 *         return cmocka_run_group_tests(tests, NULL, NULL);
 *     }
 */
#ifndef TESTS_SUPPORT_GROUP_H
#define TESTS_SUPPORT_GROUP_H

/* What a group returns that cannot run here; else the number of its tests that failed. */
#define GROUP_SKIPPED (-77)

struct test_group {
    const char *name;
    int (*run)(void);
    struct test_group *next;
};

/* Behind the groups that are there; before main() runs. */
void add_test_group(struct test_group *group);

/* How often to try something random: `usual`, or `thorough` where GPUCODE_LONG_TESTS is set, as .ci/run has it. */
unsigned test_rounds(unsigned usual, unsigned thorough);

/* What stands behind `--` on the command line: files to test, for the groups that take some. */
extern int group_argument_count;
extern char **group_arguments;

#define TEST_GROUP(group_name)                                                                                         \
    static int run_group_##group_name(void);                                                                           \
    __attribute__((constructor)) static void add_group_##group_name(void)                                              \
    {                                                                                                                  \
        static struct test_group group = {#group_name, run_group_##group_name, 0};                                     \
        add_test_group(&group);                                                                                        \
    }                                                                                                                  \
    static int run_group_##group_name(void)

#endif
