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

struct word {
    enum option_id option;
    const char *value;
};

static const struct word choices[] = {
#define CHOICE(option, value) {OPTION_##option, value},
#include "cli/command.def"
};

static const struct word parts[] = {
#define PART(option, value) {OPTION_##option, value},
#include "cli/command.def"
};

static const char *word_at(const struct word *words, size_t count, enum option_id option, unsigned index)
{
    for (size_t i = 0; i < count; i++)
        if (words[i].option == option && index-- == 0)
            return words[i].value;
    return NULL;
}

const char *option_choice(enum option_id option, unsigned index)
{
    return word_at(choices, sizeof choices / sizeof *choices, option, index);
}

const char *option_part(enum option_id option, unsigned index)
{
    return word_at(parts, sizeof parts / sizeof *parts, option, index);
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
