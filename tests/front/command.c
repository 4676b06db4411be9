/* SPDX-License-Identifier: MIT */
/* The joined tables of options: do the rows of one name fit together, and is an option refused where it is not known?
 */
#include "front/arguments.h"
#include "front/session.h"

#include "group.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void rows_of_a_name(void)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        for (unsigned k = 0; k < i; k++) {
            const struct option *row = &option_table[i], *other = &option_table[k];
            bool same_set = row->set && other->set ? strcmp(row->set, other->set) == 0 : row->set == other->set;
            if (row->letter && row->letter == other->letter && !option_is_same(i, k) && row->commands & other->commands)
                fail_msg("-%c is --%s and --%s", row->letter, row->name, other->name);
            if (!option_is_same(i, k) || !(row->commands & other->commands))
                continue;
            if (row->letter != other->letter || !row->argument != !other->argument ||
                option_is_bare(row) != option_is_bare(other))
                fail_msg("--%s is one option in two forms", row->name);
            if (same_set)
                fail_msg("--%s stands twice in one table", row->name);
        }
}

static void help_of_rows(void)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        const struct option *row = &option_table[i];
        assert_true(row->commands != 0);
        assert_true(strlen(row->name) > 0 && strlen(row->help) > 0);
        bool says = strstr(row->help, "repeatable") != NULL;
        if (says != option_repeats(i))
            fail_msg("--%s: REPEATS and its help disagree", row->name);
    }
}

/* One that two sets have is given for both, in order. */
static void given_for_all_sets(void)
{
    char *list[] = {(char *)"gpucode",  (char *)"run", (char *)"--memory",     (char *)"1=a",
                    (char *)"--packet", (char *)"p",   (char *)"--memory=2=b", (char *)"file"};
    struct diagnostics diagnostics = {.mute = true};
    struct arguments arguments;
    assert_int_equal(arguments_parse(&arguments, &diagnostics, command_find("run"), 8, list, 2), EXIT_DONE);
    assert_string_equal(arguments_value_at(&arguments, OPTION_AFUC_MEMORY, 0), "1=a");
    assert_string_equal(arguments_value_at(&arguments, OPTION_A3XX_MEMORY, 1), "2=b");
    assert_null(arguments_value_at(&arguments, OPTION_A3XX_MEMORY, 2));
    assert_int_equal(arguments.count[OPTION_A3XX_MEMORY], 2);
    const struct command *run = command_find("run");
    assert_int_equal(arguments_check_set(&arguments, &diagnostics, run, "afuc"), EXIT_DONE);
    assert_int_equal(arguments_check_set(&arguments, &diagnostics, run, "a3xx"), EXIT_INPUT); /* --packet */
    assert_int_equal(arguments_check_set(&arguments, &diagnostics, run, "data"), EXIT_INPUT);
    arguments_free(&arguments);
}

TESTS(command, rows_of_a_name, help_of_rows, given_for_all_sets)
