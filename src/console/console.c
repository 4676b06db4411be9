/* SPDX-License-Identifier: MIT */
/* A console from its beginning to its end, and what its users ask of it. */
#include "console/internal.h"

#include <stdlib.h>
#include <string.h>

/* The commands of a console: those of command.def with what the instruction set adds, in their groups; and `help`,
 * which shows them. */

static const struct console_command generic_commands[] = {
#define COMMAND(name, shortest, function, repeats, arguments, group, help)                                             \
    {name, shortest, do_##function, repeats, arguments, group, help},
#include "console/command.def"
#undef COMMAND
};
#define GENERIC_COUNT (sizeof generic_commands / sizeof *generic_commands)

static const struct console_command *own_command(const struct kit_words *words, const char *name)
{
    for (const struct console_command *own = words ? words->commands : NULL; own && own->name; own++)
        if (strcmp(own->name, name) == 0)
            return own;
    return NULL;
}

static bool is_generic(const char *name)
{
    for (size_t i = 0; i < GENERIC_COUNT; i++)
        if (strcmp(generic_commands[i].name, name) == 0)
            return true;
    return false;
}

static bool is_generic_group(const char *group)
{
    for (size_t i = 0; i < GENERIC_COUNT; i++)
        if (strcmp(generic_commands[i].group, group) == 0)
            return true;
    return false;
}

/* Appends the set's new commands of one group, or, for null, those of groups that are new too. */
static void append_own(const struct kit_words *words, const char *group, const struct console_command **commands,
                       size_t *count)
{
    for (const struct console_command *own = words ? words->commands : NULL; own && own->name; own++)
        if (!is_generic(own->name) && (group ? strcmp(own->group, group) == 0 : !is_generic_group(own->group)))
            commands[(*count)++] = own;
}

/* The set's commands stand before the generic ones of their group. */
/* False: out of memory. */
static bool commands_create(struct console *console, const struct kit_words *words)
{
    size_t count = 0, own_count = 0;
    while (words && words->commands && words->commands[own_count].name)
        own_count++;
    const struct console_command **commands = calloc(GENERIC_COUNT + own_count + 1, sizeof(struct console_command *));
    if (!commands)
        return false;
    const char *group = "";
    for (size_t i = 0; i < GENERIC_COUNT; i++) {
        const struct console_command *generic = &generic_commands[i], *own = own_command(words, generic->name);
        if (strcmp(group, generic->group) != 0)
            append_own(words, generic->group, commands, &count);
        group = generic->group;
        commands[count++] = own ? own : generic;
    }
    append_own(words, NULL, commands, &count);
    console->commands = commands;
    return true;
}

static void show_help_of(struct console *console, const struct console_command *command)
{
    char parts[512] = "";
    if (command->run == do_info)
        info_list_parts(console, "|", "|", parts, sizeof parts);
    console_say(console, "%s %s%s%s\n    %s\n", command->name, parts, *parts ? " " : "", command->arguments,
                command->help);
}

/* How much of a help is shown in the list: its first sentence without the period, or up to that one's semicolon. */
static int summary_length(const char *help)
{
    size_t length = strcspn(help, ";"), sentence = 0;
    while (help[sentence] && (help[sentence] != '.' || (help[sentence + 1] && help[sentence + 1] != ' ')))
        sentence++;
    return (int)(sentence < length ? sentence : length);
}

bool do_help(struct console *console, const struct console_arguments *arguments)
{
    if (arguments->at[0].given) {
        show_help_of(console, arguments->at[0].command);
        return true;
    }
    const char *group = "";
    for (const struct console_command *const *at = console->commands; *at; at++) {
        const struct console_command *command = *at;
        if (strcmp(group, command->group) != 0)
            console_say(console, "%s%s:\n", *group ? "\n" : "", command->group);
        group = command->group;
        console_say(console, "  %-16s %-10s %.*s.\n", command->name, command->shortest, summary_length(command->help),
                    command->help);
    }
    console_say(console, "\n`help COMMAND` shows its arguments and what else it does. An empty line repeats a movement.\n");
    return true;
}

struct console *console_create(const struct console_options *options)
{
    struct console *console = calloc(1, sizeof *console);
    if (!console || !commands_create(console, options->words)) {
        free(console);
        return NULL;
    }
    console->words = options->words;
    console->debug = options->debug;
    console->machine = gpucode_debug_machine(options->debug);
    console->symbols = options->symbols;
    console->write = options->write;
    console->user = options->user;
    console->x_format = (struct console_format){.count = 1, .letter = 'x', .size = 'w'};
    console->next_section = UINT32_MAX;
    return console;
}

void console_free(struct console *console)
{
    if (!console)
        return;
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        gpucode_snapshot_free(console->kept[i].snapshot);
    gpucode_notes_free(console->notes);
    gpucode_analysis_free(console->analysis);
    bp_commands_free(console);
    free(console->commands);
    free(console);
}

void console_output(struct console *console, void (*write)(void *user, const char *text, size_t length), void *user)
{
    console->write = write;
    console->user = user;
}

void console_errors(struct console *console, void (*write)(void *user, const char *text, size_t length), void *user)
{
    console->write_error = write;
    console->error_user = user;
}

bool console_quit(const struct console *console, int *code)
{
    *code = console->code;
    return console->quit;
}

void console_status(const struct console *console, char *text, size_t size)
{
    if (size)
        *text = 0;
    if (console->words && console->words->status)
        console->words->status(console->debug, text, size);
}

bool console_wants_screen(struct console *console)
{
    bool wants = console->wants_screen;
    console->wants_screen = false;
    return wants;
}

bool console_faulted(const struct console *console)
{
    return console->faulted;
}

bool console_lacked_memory(const struct console *console)
{
    return console->lacked_memory;
}

const struct gpucode_debug_stop *console_last_stop(const struct console *console)
{
    return &console->stop;
}
