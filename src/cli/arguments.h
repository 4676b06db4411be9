/* SPDX-License-Identifier: MIT */
/* Arguments of one command, taken apart by the tables of command.h. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "cli/command.h"

struct diagnostics;

/* One use of an option that may be repeated. */
struct given {
    enum option_id option;
    const char *value;
};

struct arguments {
    unsigned count[OPTION_COUNT];    /* how often given */
    const char *value[OPTION_COUNT]; /* null when the option is not given or takes none */
    const char **registers;          /* all values of --registers, count[OPTION_REGISTERS] of them */
    const char **policies;           /* all values of --policy */
    struct given *given;             /* all uses of options that may be repeated, in order */
    unsigned given_count;
    const char **operands;
    int operand_count;
};

/*
 * Takes argv[first..argc-1] apart. Returns EXIT_DONE, or another exit code when something was complained about.
 * --help and --version end the parsing. The strings stay argv's; arguments_free() frees the lists.
 */
int arguments_parse(struct arguments *arguments, struct diagnostics *diagnostics, const struct command *command,
                    int argc, char **argv, int first);
void arguments_free(struct arguments *arguments);

static inline bool arguments_have(const struct arguments *arguments, enum option_id option)
{
    return arguments->count[option] != 0;
}

#endif
