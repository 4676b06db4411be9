/* SPDX-License-Identifier: MIT */
/* Finding a command by what was typed, and `help`. */
#include "console/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const struct console_command *command_named(const struct console *console, const char *name)
{
    for (const struct console_command *const *at = console->commands; *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

static bool begins_with(const char *text, const char *with, size_t length)
{
    return strlen(text) >= length && strncmp(text, with, length) == 0;
}

static bool is_shortest(const struct console_command *command, const char *word, size_t length)
{
    return strlen(command->shortest) == length && strncmp(command->shortest, word, length) == 0;
}

static void complain_of_ambiguous(struct console *console, const char *word, size_t length)
{
    char names[512] = "";
    size_t used = 0;
    for (const struct console_command *const *at = console->commands; *at; at++) {
        const char *name = (*at)->name;
        if (begins_with(name, word, length) && used + strlen(name) + 3 < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
    }
    console_complain(console, "'%.*s' could be %s", (int)length, word, names);
}

const struct console_command *find_command(struct console *console, const char *word, size_t length)
{
    const struct console_command *found = NULL;
    unsigned count = 0;
    for (const struct console_command *const *at = console->commands; length && *at; at++) {
        const struct console_command *command = *at;
        if (!begins_with(command->name, word, length) && !is_shortest(command, word, length))
            continue;
        if (strlen(command->name) == length ||
            (strlen(command->shortest) <= length && begins_with(command->shortest, word, strlen(command->shortest))))
            return command;
        found = command;
        count++;
    }
    if (count == 1)
        return found;
    if (count)
        complain_of_ambiguous(console, word, length);
    else
        console_complain(console, "there is no command '%.*s'; try help", (int)(length ? length : strcspn(word, " ")),
                         word);
    return NULL;
}

bool begins_command(const struct console *console, const char *word, size_t length)
{
    for (const struct console_command *const *at = console->commands; length && *at; at++)
        if (begins_with((*at)->name, word, length) || is_shortest(*at, word, length))
            return true;
    return false;
}

bool alternative_at(const char *arguments, unsigned index, char *word, size_t size)
{
    for (; *arguments; arguments += strcspn(arguments, "|") + (strchr(arguments, '|') != NULL)) {
        arguments = skip_blanks(arguments);
        size_t length = strcspn(arguments, " |");
        bool is_word = islower((unsigned char)*arguments);
        if (is_word && index-- == 0) {
            snprintf(word, size, "%.*s", (int)length, arguments);
            return true;
        }
    }
    return false;
}

static void show_help_of(struct console *console, const struct console_command *command)
{
    char parts[512] = "";
    if (command->run == do_info)
        info_list_parts(console, "|", "|", parts, sizeof parts);
    console_say(console, "%s %s%s%s\n    %s\n", command->name, parts, *parts ? " " : "", command->arguments,
                command->help);
}

bool do_help(struct console *console, const char *arguments)
{
    if (*arguments) {
        const struct console_command *command = find_command(console, arguments, strlen(arguments));
        if (command)
            show_help_of(console, command);
        return command;
    }
    const char *group = "";
    for (const struct console_command *const *at = console->commands; *at; at++) {
        const struct console_command *command = *at;
        if (strcmp(group, command->group) != 0)
            console_say(console, "%s%s:\n", *group ? "\n" : "", command->group);
        group = command->group;
        console_say(console, "  %-16s %-10s %.90s\n", command->name, command->shortest, command->help);
    }
    console_say(console, "\n`help COMMAND` shows its arguments. An empty line repeats a movement.\n");
    return true;
}
