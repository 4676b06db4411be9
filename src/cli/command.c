/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>

#define COMMAND(name, ...) int command_##name(struct session *session);
#include "cli/command.def"

const struct command command_table[COMMAND_COUNT] = {
#define COMMAND(name, least, most, operands, summary, help)                                                            \
    {#name, least, most, operands, summary, help, command_##name},
#include "cli/command.def"
};

#define EVERY (~0u)
#define ON(name) (1u << COMMAND_##name)

const struct option option_table[OPTION_COUNT] = {
#define OPTION(id, letter, name, argument, commands, help) {letter, name, argument, commands, help},
#include "cli/command.def"
};

static const struct {
    enum option_id option;
    const char *value;
} choices[] = {
#define CHOICE(option, value) {OPTION_##option, value},
#include "cli/command.def"
};

const char *option_choice(enum option_id option, unsigned index)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].option == option && index-- == 0)
            return choices[i].value;
    return NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    return NULL;
}

bool command_has(const struct command *command, enum option_id option)
{
    return option_table[option].commands >> (command - command_table) & 1;
}
