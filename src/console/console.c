/* SPDX-License-Identifier: MIT */
/* Finding commands and running them. */
#include "console/internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct console_command console_commands[] = {
#define COMMAND(name, shortest, function, repeats, arguments, group, help)                                             \
    {name, shortest, do_##function, repeats, arguments, group, help},
#include "console/command.def"
#undef COMMAND
    {0},
};

struct console *console_create(struct gpucode_debug *debug, struct gpucode_symbols *symbols,
                               void (*write)(void *user, const char *text, size_t length), void *user)
{
    struct console *console = calloc(1, sizeof *console);
    if (!console)
        return NULL;
    console->debug = debug;
    console->machine = gpucode_debug_machine(debug);
    console->symbols = symbols;
    console->write = write;
    console->user = user;
    console->x_format = (struct format){1, 'x', 'w'};
    console->next_section = UINT32_MAX;
    return console;
}

void console_free(struct console *console)
{
    if (!console)
        return;
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        gpucode_snapshot_free(console->kept[i].snapshot);
    bp_commands_free(console);
    free(console);
}

void console_output(struct console *console, void (*write)(void *user, const char *text, size_t length), void *user)
{
    console->write = write;
    console->user = user;
}

void console_errors(struct console *console, void (*write)(void *user, const char *text, size_t length), void *user)
{
    console->complain = write;
    console->complain_user = user;
}

static size_t formatted(char *text, size_t size, const char *format, va_list args)
{
    int length = vsnprintf(text, size, format, args);
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

void say(struct console *console, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    console->write(console->user, text, formatted(text, sizeof text, format, args));
    va_end(args);
}

/* A line of what is wrong, behind the place of the command if that comes from a file. */
static void put_wrong(struct console *console, const char *kind, const char *message)
{
    char text[2600], place[512] = "";
    if (console->source)
        snprintf(place, sizeof place, "%.480s:%u: ", console->source, console->source_line);
    int length = snprintf(text, sizeof text, "%s%s: %s\n", place, kind, message);
    if (console->complain)
        console->complain(console->complain_user, text, (size_t)length);
    else
        console->write(console->user, text, (size_t)length);
}

bool complain_of(struct console *console, const char *format, ...)
{
    char text[2048] = "";
    va_list args;
    va_start(args, format);
    formatted(text, sizeof text, format, args);
    va_end(args);
    console->failed = true;
    put_wrong(console, "error", text);
    return false;
}

static bool begins(const char *text, const char *with, size_t length)
{
    return strlen(text) >= length && strncmp(text, with, length) == 0;
}

/* The command that a word means; null: none, or several, whose names are told. */
static const struct console_command *find(struct console *console, const char *word, size_t length)
{
    const struct console_command *found = NULL;
    unsigned count = 0;
    for (const struct console_command *command = console_commands; length && command->name; command++) {
        if (!begins(command->name, word, length) &&
            !(strlen(command->shortest) == length && strncmp(command->shortest, word, length) == 0))
            continue;
        if (strlen(command->name) == length ||
            (strlen(command->shortest) <= length && begins(command->shortest, word, strlen(command->shortest))))
            return command;
        found = command;
        count++;
    }
    if (count == 1)
        return found;
    if (!count) {
        complain_of(console, "there is no command '%.*s'; try help", (int)(length ? length : strcspn(word, " ")), word);
        return NULL;
    }
    char names[512] = "";
    size_t used = 0;
    for (const struct console_command *command = console_commands; command->name; command++)
        if (begins(command->name, word, length) && used + strlen(command->name) + 3 < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", command->name);
    complain_of(console, "'%.*s' could be %s", (int)length, word, names);
    return NULL;
}

/* A line that no command's name begins but that has a value: it is printed. */
static bool is_expression(struct console *console, const char *line, size_t word)
{
    struct gpucode_value value;
    for (const struct console_command *command = console_commands; word && command->name; command++)
        if (begins(command->name, line, word) ||
            (strlen(command->shortest) == word && strncmp(line, command->shortest, word) == 0))
            return false;
    return gpucode_debug_evaluate(console->debug, line, strlen(line), false, (struct gpucode_diagnostic_handler){0},
                                  &value) == GPUCODE_OK;
}

/* Snapshots of a future that a change has made impossible cannot be gone to, only restored. */
static void note_change(struct console *console, uint64_t position)
{
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        if (console->kept[i].snapshot && console->kept[i].position >= position)
            console->kept[i].foreign = true;
}

static bool run_line(struct console *console, const char *line)
{
    char text[512];
    struct gpucode_history before, after;
    const char *at = skip_blanks(line);
    console->failed = false;
    if (*at == '#')
        return true;
    if (!*at) {
        if (!console->last[0])
            return true;
        at = console->last;
    }
    size_t length = strlen(at);
    while (length && isspace((unsigned char)at[length - 1]))
        length--;
    if (length >= sizeof text)
        return complain_of(console, "the line is too long");
    memcpy(text, at, length);
    text[length] = 0;
    size_t word = 0;
    while (isalnum((unsigned char)text[word]) || text[word] == '-' || text[word] == '_')
        word++;
    if (is_expression(console, text, word))
        return do_print(console, text);
    const struct console_command *command = find(console, text, word);
    if (!command)
        return false;
    uint64_t position = gpucode_debug_position(console->debug);
    gpucode_debug_history(console->debug, &before);
    bool good = command->run(console, skip_blanks(text + word)) && !console->failed;
    gpucode_debug_history(console->debug, &after);
    if (after.changes != before.changes)
        note_change(console, position);
    if (command->repeats) { /* list and x go on where they ended, whatever their arguments were */
        bool goes_on = command->run == do_list || command->run == do_x || command->run == do_disassemble;
        memcpy(console->last, text, goes_on ? word : length + 1);
        if (goes_on)
            console->last[word] = 0;
    } else {
        console->last[0] = 0;
    }
    return good;
}

bool console_run(struct console *console, const char *line)
{
    console->failed = false;
    if (console->collecting)
        return bp_commands_add_line(console, line);
    bool good = run_line(console, line);
    while (good && console->hit && !console->quit && !console->runs_bp_commands)
        good = bp_commands_run(console, run_line);
    return good;
}

bool console_source(struct console *console, const char *path)
{
    char line[1024];
    if (console->depth >= SOURCE_DEPTH_MAX)
        return complain_of(console, "too many files within one another");
    FILE *file = fopen(path, "r");
    if (!file)
        return complain_of(console, "cannot read %s", path);
    const char *outer = console->source;
    unsigned outer_line = console->source_line;
    bool good = true;
    console->depth++;
    console->source = path;
    console->source_line = 0;
    while (good && !console->quit && fgets(line, sizeof line, file)) {
        console->source_line++;
        if (*skip_blanks(line)) /* an empty line in a file repeats nothing */
            good = console_run(console, line);
    }
    if (good && console->collecting)
        good = complain_of(console, "the list of commands has no `end`");
    console->collecting = 0; /* what comes next was not written for that list */
    console->depth--;
    console->source = outer;
    console->source_line = outer_line;
    if (good && ferror(file))
        good = complain_of(console, "cannot read %s", path);
    else if (!good && outer)
        put_wrong(console, "note", "in the file that is read here");
    fclose(file);
    return good;
}

bool do_source(struct console *console, const char *arguments)
{
    return *arguments ? console_source(console, arguments) : complain_of(console, "which file?");
}

bool do_tui(struct console *console, const char *arguments)
{
    (void)arguments;
    console->wants_screen = true;
    return true;
}

bool do_quit(struct console *console, const char *arguments)
{
    struct gpucode_value value = {0};
    if (*arguments && !evaluate_all(console, arguments, &value))
        return false;
    console->quit = true;
    console->code = (int)(value.number & 255);
    return true;
}

bool do_help(struct console *console, const char *arguments)
{
    if (*arguments) {
        const struct console_command *command = find(console, arguments, strlen(arguments));
        if (command)
            say(console, "%s %s\n    %s\n", command->name, command->arguments, command->help);
        return command;
    }
    const char *group = "";
    for (const struct console_command *command = console_commands; command->name; command++) {
        if (strcmp(group, command->group) != 0)
            say(console, "%s%s:\n", *group ? "\n" : "", command->group);
        group = command->group;
        say(console, "  %-16s %-10s %.90s\n", command->name, command->shortest, command->help);
    }
    say(console, "\n`help COMMAND` shows its arguments. An empty line repeats a movement.\n");
    return true;
}

bool do_symbols(struct console *console, const char *arguments)
{
    if (!console->symbols)
        return complain_of(console, "this session has no room for symbols");
    size_t size;
    char *text = console_file(arguments, &size);
    if (!text)
        return complain_of(console, "cannot read '%s'", arguments);
    enum gpucode_status status =
        gpucode_symbols_read(console->symbols, text, size, arguments, console_diagnostic_handler(console));
    free(text);
    return status == GPUCODE_OK;
}

bool console_quit(const struct console *console, int *code)
{
    *code = console->code;
    return console->quit;
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

const struct gpucode_debug_stop *console_last_stop(const struct console *console)
{
    return &console->stop;
}
