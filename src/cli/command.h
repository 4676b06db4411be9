/* SPDX-License-Identifier: MIT */
/* The tables made from command.def. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

struct session;

enum command_id {
#define COMMAND(name, ...) COMMAND_##name,
#include "cli/command.def"
    COMMAND_COUNT
};

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "cli/command.def"
    OPTION_COUNT
};

struct command {
    const char *name;
    int least, most; /* operands; most -1: any number */
    const char *operands, *summary, *help;
    int (*run)(struct session *session); /* returns an exit code */
};

struct option {
    char letter; /* 0: none */
    const char *name, *argument;
    unsigned commands; /* bit per command_id */
    const char *help;
};

extern const struct command command_table[COMMAND_COUNT];
extern const struct option option_table[OPTION_COUNT];

/* Choice number `index` of an option, null behind the last. */
const char *option_choice(enum option_id option, unsigned index);

/* Part number `index` of an option's argument, null behind the last. */
const char *option_part(enum option_id option, unsigned index);
/* May the argument be left out? */
static inline bool option_is_bare(const struct option *option)
{
    return option->argument && *option->argument == '[';
}

/* null when there is no such command. */
const struct command *command_find(const char *name);
bool command_has(const struct command *command, enum option_id option);

#endif
