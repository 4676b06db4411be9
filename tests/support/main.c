/* SPDX-License-Identifier: MIT */
/*
 * Runs the groups of a room's tests (see group.h):
 *
 *     test-ROOM [GROUP [TEST]] [-- ARGUMENT...]
 *
 * GROUP is the name of a test's file; TEST may have wildcards. Ends with 0, 1 (something failed), 2 (no such group) or
 * 77 (nothing could run).
 */
#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int group_argument_count;
char **group_arguments;

static struct test_group *first_group, **last_group = &first_group;

void add_test_group(struct test_group *group)
{
    *last_group = group;
    last_group = &group->next;
}

static void run_one(void **state)
{
    void (*const *test)(void) = *state;
    (*test)();
}

int run_test_group(const char *group, const char *names, void (*const *functions)(void), unsigned count)
{
    struct CMUnitTest tests[64] = {0};
    char words[4096];
    if (count > sizeof tests / sizeof *tests || strlen(names) >= sizeof words)
        return fprintf(stderr, "%s has too many tests\n", group);
    char *name = strtok(strcpy(words, names), ", ");
    for (unsigned i = 0; i < count; i++, name = strtok(NULL, ", "))
        tests[i] = (struct CMUnitTest){.name = name, .test_func = run_one, .initial_state = (void *)&functions[i]};
    return cmocka_run_group_tests_name(group, tests, NULL, NULL);
}

unsigned test_rounds(unsigned usual, unsigned thorough)
{
    return getenv("GPUCODE_LONG_TESTS") ? thorough : usual;
}

int main(int argc, char **argv)
{
    int words = 1;
    while (words < argc && strcmp(argv[words], "--") != 0)
        words++;
    group_argument_count = words < argc ? argc - words - 1 : 0;
    group_arguments = argv + argc - group_argument_count;
    if (words > 2)
        cmocka_set_test_filter(argv[2]);

    unsigned run = 0, failed = 0, skipped = 0;
    for (const struct test_group *group = first_group; group; group = group->next) {
        if (words > 1 && strcmp(group->name, argv[1]) != 0)
            continue;
        printf("== %s\n", group->name);
        fflush(stdout);
        int result = group->run();
        fflush(stdout);
        run++;
        failed += result && result != GROUP_SKIPPED;
        skipped += result == GROUP_SKIPPED;
    }
    if (run)
        return failed ? 1 : skipped == run ? 77 : 0;
    fprintf(stderr, "usage: %s [GROUP [TEST]] [-- ARGUMENT...]; the groups are:", argv[0]);
    for (const struct test_group *group = first_group; group; group = group->next)
        fprintf(stderr, " %s", group->name);
    fputc('\n', stderr);
    return 2;
}
