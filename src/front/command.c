/* SPDX-License-Identifier: MIT */
#include "front/command.h"

#include <string.h>

const struct command command_table[COMMAND_COUNT] = {
#define COMMAND(name, least, most, operands, summary, help) {#name, least, most, operands, summary, help, SET},
#include "commands.def"
};

#define EVERY (~UINT64_C(0))
#define ON(name) (UINT64_C(1) << COMMAND_##name)
_Static_assert(COMMAND_COUNT <= 64, "a bit for each command");

const struct option option_table[OPTION_COUNT] = {
#define OPTION(id, letter, name, argument, commands, help) {letter, name, argument, commands, help, SET},
#include "commands.def"
};

struct word {
    enum option_id option;
    const char *value;
};

static const struct word choices[] = {
#define CHOICE(option, value) {OPTION_ID(SET_ID(option)), value},
#include "commands.def"
};

static const struct word parts[] = {
#define PART(option, value) {OPTION_ID(SET_ID(option)), value},
#include "commands.def"
};

static const enum option_id repeated[] = {
#define REPEATS(option) OPTION_ID(SET_ID(option)),
#include "commands.def"
};

static const struct option_operands operands[] = {
#define OPERANDS(option, more, shown) {OPTION_ID(SET_ID(option)), more, shown},
#include "commands.def"
    {OPTION_COUNT, 0, NULL},
};

/* A bit per command. */
static const uint64_t commands_with_libraries = 0
#define LIBRARIES(name) | UINT64_C(1) << COMMAND_##name
#include "commands.def"
    ;

static const enum option_id options_with_libraries[] = {
#define OPTION_LIBRARIES(option) OPTION_ID(SET_ID(option)),
#include "commands.def"
};

static const struct {
    enum command_id command;
    const char *line;
} examples[] = {
#define EXAMPLE(name, line) {COMMAND_##name, line},
#include "commands.def"
};

static const struct word formers[] = {
#define FORMER(option, name) {OPTION_ID(SET_ID(option)), name},
#include "commands.def"
};

static const struct {
    enum command_id command;
    const char *set, *text;
} abouts[] = {
#define ABOUT(name, text) {COMMAND_##name, SET, text},
#include "commands.def"
    {COMMAND_COUNT, NULL, NULL},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* --- commands ------------------------------------------------------------------------------------------- */

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    return NULL;
}

/* The name of a command in "; NAME: "; null: nothing of the kind begins here. */
static const char *clause_name(const char *at, size_t *length)
{
    if (strncmp(at, "; ", 2) != 0)
        return NULL;
    *length = strcspn(at + 2, " :;");
    for (size_t i = 0; i < COMMAND_COUNT && strncmp(at + 2 + *length, ": ", 2) == 0; i++)
        if (strlen(command_table[i].name) == *length && memcmp(command_table[i].name, at + 2, *length) == 0)
            return at + 2;
    return NULL;
}

void option_help(const struct option *option, const struct command *command, char text[OPTION_HELP_MAX])
{
    const char *from = option->help, *end = from + strlen(from), *name;
    size_t length;
    for (const char *at = from; at < end; at++) {
        if (!(name = clause_name(at, &length)))
            continue;
        bool own = strlen(command->name) == length && memcmp(command->name, name, length) == 0;
        if (!own) {
            end = at;
            break;
        }
        from = name + length + 2;
        at = from;
    }
    size_t size = (size_t)(end - from) < OPTION_HELP_MAX ? (size_t)(end - from) : OPTION_HELP_MAX - 1;
    memcpy(text, from, size);
    text[size] = 0;
}

bool command_has(const struct command *command, enum option_id option)
{
    return option_table[option].commands >> (command - command_table) & 1;
}

bool command_has_first(const struct command *command, enum option_id option)
{
    for (unsigned i = 0; i < option; i++)
        if (command_has(command, i) && option_is_same(i, option))
            return false;
    return command_has(command, option);
}

const char *command_about(const struct command *command, const char *set)
{
    for (size_t i = 0; set && abouts[i].text; i++)
        if (&command_table[abouts[i].command] == command && abouts[i].set && strcmp(abouts[i].set, set) == 0)
            return abouts[i].text;
    return NULL;
}

const char *command_example(const struct command *command, unsigned index)
{
    for (size_t i = 0; i < COUNT(examples); i++)
        if (&command_table[examples[i].command] == command && index-- == 0)
            return examples[i].line;
    return NULL;
}

int command_option(const struct command *command, const char *name, size_t length)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (command_has(command, i) && strlen(option_table[i].name) == length &&
            memcmp(option_table[i].name, name, length) == 0)
            return (int)i;
    for (size_t i = 0; i < COUNT(formers); i++)
        if (command_has(command, formers[i].option) && strlen(formers[i].value) == length &&
            memcmp(formers[i].value, name, length) == 0)
            return (int)formers[i].option;
    return -1;
}

bool command_needs_libraries(const struct command *command)
{
    return commands_with_libraries >> (command - command_table) & 1;
}

/* --- options -------------------------------------------------------------------------------------------- */

bool option_is_same(enum option_id option, enum option_id other)
{
    return strcmp(option_table[option].name, option_table[other].name) == 0;
}

/* Is it a word of an option of that name, of a command that both have? */
static bool belongs(const struct word *word, enum option_id option)
{
    return option_is_same(word->option, option) && option_table[word->option].commands & option_table[option].commands;
}

/* Does an earlier row give the option the same word? A command of another option of the name does not count. */
static bool is_repeated_word(const struct word *words, size_t index, enum option_id option)
{
    for (size_t i = 0; i < index; i++)
        if (belongs(&words[i], option) && strcmp(words[i].value, words[index].value) == 0)
            return true;
    return false;
}

static const char *word_at(const struct word *words, size_t count, enum option_id option, unsigned index)
{
    for (size_t i = 0; i < count; i++)
        if (belongs(&words[i], option) && !is_repeated_word(words, i, option) && index-- == 0)
            return words[i].value;
    return NULL;
}

const char *option_choice(enum option_id option, unsigned index)
{
    return word_at(choices, COUNT(choices), option, index);
}

const char *option_part(enum option_id option, unsigned index)
{
    return word_at(parts, COUNT(parts), option, index);
}

bool option_repeats(enum option_id option)
{
    for (size_t i = 0; i < COUNT(repeated); i++)
        if (option_is_same(repeated[i], option) && (option_table[repeated[i]].commands & option_table[option].commands))
            return true;
    return false;
}

bool option_needs_libraries(enum option_id option)
{
    for (size_t i = 0; i < COUNT(options_with_libraries); i++)
        if (options_with_libraries[i] == option)
            return true;
    return false;
}

const struct option_operands *option_operands_at(unsigned index)
{
    return index < COUNT(operands) - 1 ? &operands[index] : NULL;
}
