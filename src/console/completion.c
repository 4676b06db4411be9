/* SPDX-License-Identifier: MIT */
/* Completing a line: commands first, then what can stand in their arguments. */
#include "console/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool begins_with(const char *name, const char *word)
{
    return strncmp(name, word, strlen(word)) == 0;
}

/* Does the candidate fit, and is it number *index of those that do? */
static bool is_candidate(const char *name, const char *word, unsigned *index)
{
    return begins_with(name, word) && (*index)-- == 0;
}

static const char *complete_command(const struct console *console, const char *word, unsigned index)
{
    for (const struct console_command *const *at = console->commands; *at; at++)
        if (is_candidate((*at)->name, word, &index))
            return (*at)->name;
    return NULL;
}

static const char *complete_info(const struct console *console, const char *word, unsigned index)
{
    const char *name;
    for (unsigned i = 0; (name = info_part_at(console, i)); i++)
        if (is_candidate(name, word, &index))
            return name;
    return NULL;
}

/* The words that the arguments may begin with; *index has those that fit taken off. */
static const char *complete_alternative(struct console *console, const char *arguments, const char *word,
                                        unsigned *index)
{
    char *room = console->completion;
    for (unsigned i = 0; alternative_at(arguments, i, room, sizeof console->completion); i++)
        if (is_candidate(room, word, index))
            return room;
    return NULL;
}

/* Labels and other symbols, packets, registers that have names. */
static const char *complete_name(struct console *console, const char *word, unsigned index)
{
    const struct gpucode_target *target = console_target(console);
    struct gpucode_label label;
    struct gpucode_space_info info;
    char *room = console->completion;
    for (unsigned i = 0; gpucode_symbols_at(console->symbols, i, &label); i++)
        if (is_candidate(label.name, word, &index))
            return label.name;
    for (uint32_t i = 0; i < 128; i++)
        if (gpucode_name_of(target, NULL, GPUCODE_SPACE_PACKET, i, room, GPUCODE_NAME_MAX) &&
            is_candidate(room, word, &index))
            return room;
    if (!*word) /* without a letter there are tens of thousands */
        return NULL;
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT; space++) {
        if (!gpucode_machine_space(console->machine, space, &info) || (*info.prefix && *word != *info.prefix) ||
            space == GPUCODE_SPACE_PACKET)
            continue;
        for (uint32_t i = 0; i < info.count && i < 0x10000; i++)
            if (gpucode_machine_name(console->machine, space, i, room, GPUCODE_NAME_MAX) &&
                is_candidate(room, word, &index))
                return room;
    }
    return NULL;
}

const char *console_complete(struct console *console, const char *line, unsigned index, size_t *word)
{
    size_t length = strlen(line), start = length, first = 0;
    while (start && (isalnum((unsigned char)line[start - 1]) || strchr("_$@%|-.:", line[start - 1])))
        start--;
    while (isspace((unsigned char)line[first]))
        first++;
    *word = start;
    if (start <= first)
        return complete_command(console, line + start, index);
    size_t end = first;
    while (line[end] && line[end] != '/' && !isspace((unsigned char)line[end]))
        end++;
    const struct console_command *command = look_up_command(console, line + first, end - first);
    if (!command)
        return NULL;
    if (command->run == do_help)
        return complete_command(console, line + start, index);
    if (command->run == do_info)
        return complete_info(console, line + start, index);
    while (isspace((unsigned char)line[end]))
        end++;
    bool is_first = start <= end;
    const char *found = is_first ? complete_alternative(console, command->arguments, line + start, &index) : NULL;
    return found || !column_has_names(command->arguments) ? found : complete_name(console, line + start, index);
}
