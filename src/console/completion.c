/* SPDX-License-Identifier: MIT */
/* Completing a line: commands first, then what can stand in their arguments. */
#include "console/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool fits(const char *name, const char *word)
{
    return strncmp(name, word, strlen(word)) == 0;
}

/* Does the candidate fit, and is it number *index of those that do? */
static bool is_it(const char *name, const char *word, unsigned *index)
{
    return fits(name, word) && (*index)-- == 0;
}

static const char *complete_command(const char *word, unsigned index)
{
    for (const struct console_command *command = console_commands; command->name; command++)
        if (is_it(command->name, word, &index))
            return command->name;
    return NULL;
}

static const char *complete_part(const char *parts, const char *word, unsigned index, char *room, size_t size)
{
    while (*parts) {
        size_t length = strcspn(parts, "|");
        snprintf(room, size, "%.*s", (int)length, parts);
        if (is_it(room, word, &index))
            return room;
        parts += length + (parts[length] == '|');
    }
    return NULL;
}

/* Labels and other symbols, packets, registers that have names. */
static const char *complete_name(struct console *console, const char *word, unsigned index)
{
    const struct gpucode_target *target = gpucode_image_info(gpucode_debug_image(console->debug))->target;
    struct gpucode_label label;
    struct gpucode_space_info info;
    char *room = console->completion;
    for (unsigned i = 0; gpucode_symbols_at(console->symbols, i, &label); i++)
        if (is_it(label.name, word, &index))
            return label.name;
    for (uint32_t i = 0; i < 128; i++)
        if (gpucode_name_of(target, NULL, GPUCODE_SPACE_PACKET, i, room, GPUCODE_NAME_MAX) && is_it(room, word, &index))
            return room;
    if (!*word) /* tens of thousands */
        return NULL;
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT; space++) {
        if (!gpucode_machine_space(console->machine, space, &info) || (*info.prefix && *word != *info.prefix) ||
            space == GPUCODE_SPACE_PACKET)
            continue;
        for (uint32_t i = 0; i < info.count && i < 0x10000; i++)
            if (gpucode_machine_name(console->machine, space, i, room, GPUCODE_NAME_MAX) && is_it(room, word, &index))
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
        return complete_command(line + start, index);
    char command[32];
    size_t end = first;
    while (line[end] && !isspace((unsigned char)line[end]))
        end++;
    snprintf(command, sizeof command, "%.*s", (int)(end - first), line + first);
    if (strcmp(command, "help") == 0)
        return complete_command(line + start, index);
    if (strcmp(command, "info") == 0 || strcmp(command, "i") == 0)
        return complete_part(
            "registers|all-registers|breakpoints|watchpoints|stack|packets|queues|flags|processors|symbols|symbol|"
            "address|line|display|history|snapshots|policies",
            line + start, index, console->completion, sizeof console->completion);
    if (strcmp(command, "catch") == 0 && !strchr(line + end + (line[end] != 0), ' ')) {
        const char *found = complete_part("packet|fault|protected|action", line + start, index, console->completion,
                                          sizeof console->completion);
        return found;
    }
    return complete_name(console, line + start, index);
}
