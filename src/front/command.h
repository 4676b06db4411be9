/* SPDX-License-Identifier: MIT */
/* The tables of the command line: front/command.def and every kit's options.def, in one. */
#ifndef FRONT_COMMAND_H
#define FRONT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum command_id {
#define COMMAND(name, ...) COMMAND_##name,
#include "commands.def"
    COMMAND_COUNT
};

/* What a command does is its function command_NAME(), which returns the exit code. */
struct session;
#define COMMAND(name, ...) int command_##name(struct session *session);
#include "commands.def"

#define OPTION_ID_(id) OPTION_##id
#define OPTION_ID(id) OPTION_ID_(id)

/* OPTION_TARGET; of a set OPTION_SET_PACKET. */
enum option_id {
#define OPTION(id, ...) OPTION_ID(SET_ID(id)),
#include "commands.def"
    OPTION_COUNT
};

struct command {
    const char *name;
    int least, most; /* operands; most -1: any number */
    const char *operands, *summary, *help;
    const char *set; /* whose folder brings it; null: the generic ones */
};

/* One row. An option's name may stand in rows of several sets. */
struct option {
    char letter; /* 0: none */
    const char *name, *argument;
    uint64_t commands; /* bit per command_id */
    const char *help;
    const char *set; /* whose code it is for; null: all */
};

extern const struct command command_table[COMMAND_COUNT];
extern const struct option option_table[OPTION_COUNT];

/* null when there is no such command. */
const struct command *command_find(const char *name);
/* What an option does for a command: after "; NAME: " its text says what it does for the command NAME alone. */
#define OPTION_HELP_MAX 1024
void option_help(const struct option *option, const struct command *command, char text[OPTION_HELP_MAX]);
/* Does the row list the command? */
bool command_has(const struct command *command, enum option_id option);
/* What the command does with code of a set, or null. */
const char *command_about(const struct command *command, const char *set);
/* Example number `index` of the command: a line for the shell; null after the last. */
const char *command_example(const struct command *command, unsigned index);
/* The first of the command's options with that name, or that had it; negative: none. */
int command_option(const struct command *command, const char *name, size_t length);
/* Is this the first of the command's rows with its name? The others say the same for other sets. */
bool command_has_first(const struct command *command, enum option_id option);

/* Does the command, or does any command that is given the option, need a library beyond libc? */
bool command_needs_libraries(const struct command *command);
bool option_needs_libraries(enum option_id option);

/* Do two rows have the same name? */
bool option_is_same(enum option_id option, enum option_id other);
/* Choice number `index` of an option, those of all rows with its name; null after the last. */
const char *option_choice(enum option_id option, unsigned index);
/* Part number `index` of an option's argument, the same way. */
const char *option_part(enum option_id option, unsigned index);
/* May it be given several times? */
bool option_repeats(enum option_id option);
/* May the argument be left out? */
static inline bool option_is_bare(const struct option *option)
{
    return option->argument && *option->argument == '[';
}

/* More operands that a command takes with an option. */
struct option_operands {
    enum option_id option;
    int more;
    const char *shown;
};
/* null after the last. */
const struct option_operands *option_operands_at(unsigned index);

#endif
