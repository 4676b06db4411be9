/* SPDX-License-Identifier: MIT */
/* Finding a command by what was typed. */
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

/* Do the words differ by one letter: changed, added, left out, or swapped with the next one? */
static bool is_one_off(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t same = 0, tail = 0, least = a_length < b_length ? a_length : b_length;
    while (same < least && a[same] == b[same])
        same++;
    while (tail < least - same && a[a_length - 1 - tail] == b[b_length - 1 - tail])
        tail++;
    size_t a_rest = a_length - same - tail, b_rest = b_length - same - tail;
    return (a_rest <= 1 && b_rest <= 1) ||
           (a_rest == 2 && b_rest == 2 && a[same] == b[same + 1] && a[same + 1] == b[same]);
}

static void complain_of_unknown(struct console *console, const char *word, size_t length)
{
    char near[64] = "";
    for (const struct console_command *const *at = console->commands; length > 1 && *at && !*near; at++) {
        size_t whole = strlen((*at)->name), shortest = strlen((*at)->shortest);
        if (is_one_off((*at)->name, whole, word, length) ||
            (shortest > 2 && is_one_off((*at)->shortest, shortest, word, length)) ||
            (length > 3 && whole > length && is_one_off((*at)->name, length, word, length)))
            snprintf(near, sizeof near, "did you mean %s?", (*at)->name);
    }
    console_complain(console, "there is no command '%.*s'; %s", (int)length, word, *near ? near : "try help");
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

/* The command that a word means, and how many it could mean. */
static const struct console_command *commands_for(const struct console *console, const char *word, size_t length,
                                                  unsigned *count)
{
    const struct console_command *found = NULL;
    *count = 0;
    for (const struct console_command *const *at = console->commands; length && *at; at++) {
        const struct console_command *command = *at;
        if (!begins_with(command->name, word, length) && !is_shortest(command, word, length))
            continue;
        found = command;
        ++*count;
        if (strlen(command->name) == length ||
            (strlen(command->shortest) <= length && begins_with(command->shortest, word, strlen(command->shortest)))) {
            *count = 1;
            break;
        }
    }
    return *count == 1 ? found : NULL;
}

const struct console_command *look_up_command(const struct console *console, const char *word, size_t length)
{
    unsigned count;
    return commands_for(console, word, length, &count);
}

const struct console_command *find_command(struct console *console, const char *word, size_t length)
{
    unsigned count;
    const struct console_command *found = commands_for(console, word, length, &count);
    if (count > 1)
        complain_of_ambiguous(console, word, length);
    else if (!found)
        complain_of_unknown(console, word, length ? length : strcspn(word, " "));
    return found;
}

bool begins_command(const struct console *console, const char *word, size_t length)
{
    for (const struct console_command *const *at = console->commands; length && *at; at++)
        if (begins_with((*at)->name, word, length) || is_shortest(*at, word, length))
            return true;
    return false;
}
