/* SPDX-License-Identifier: MIT */
/* Running a line, and files of lines. */
#include "console/internal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Commands that breakpoints have: `commands N`, lines, `end`. They run when the breakpoint is hit. A command that
 * moves in time ends the list, because a breakpoint that it hits has its own.
 */

const char *bp_commands_find(const struct console *console, unsigned breakpoint)
{
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++)
        if (console->bp_commands[i].breakpoint == breakpoint && console->bp_commands[i].text)
            return console->bp_commands[i].text;
    return NULL;
}

static void forget_commands(struct console *console, unsigned breakpoint)
{
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++)
        if (console->bp_commands[i].breakpoint == breakpoint) {
            free(console->bp_commands[i].text);
            console->bp_commands[i] = (struct bp_commands){0};
        }
}

void bp_commands_free(struct console *console)
{
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++)
        free(console->bp_commands[i].text);
}

static bool breakpoint_exists(struct console *console, unsigned number)
{
    struct gpucode_breakpoint breakpoint;
    for (unsigned i = 0; gpucode_debug_breakpoint_at(console->debug, i, &breakpoint); i++)
        if (breakpoint.number == number)
            return true;
    return false;
}

bool do_commands(struct console *console, const struct console_arguments *arguments)
{
    struct gpucode_breakpoint breakpoint = {0};
    uint64_t number = arguments->at[0].number;
    if (!arguments->at[0].given) { /* the newest */
        for (unsigned i = 0; gpucode_debug_breakpoint_at(console->debug, i, &breakpoint); i++)
            ;
        number = breakpoint.number;
    }
    if (!number)
        return console_complain(console, "there are no points");
    if (!breakpoint_exists(console, (unsigned)number))
        return console_complain(console, "there is no point %" PRIu64, number);
    forget_commands(console, (unsigned)number);
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++) /* lists of breakpoints that are gone */
        if (console->bp_commands[i].breakpoint && !breakpoint_exists(console, console->bp_commands[i].breakpoint))
            forget_commands(console, console->bp_commands[i].breakpoint);
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++)
        if (!console->bp_commands[i].breakpoint) {
            console->bp_commands[i].breakpoint = (unsigned)number;
            console->collecting = (unsigned)number;
            return true;
        }
    return console_complain(console, "at most %d points can have commands", BP_COMMANDS_MAX);
}

/* Takes a line after `commands`. */
static bool bp_commands_add_line(struct console *console, const char *line)
{
    line = skip_blanks(line);
    size_t length = strcspn(line, "\r\n");
    if (length == 3 && memcmp(line, "end", 3) == 0) {
        console->collecting = 0;
        return true;
    }
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++) {
        struct bp_commands *bp_commands = &console->bp_commands[i];
        if (bp_commands->breakpoint != console->collecting || !length)
            continue;
        size_t used = bp_commands->text ? strlen(bp_commands->text) : 0;
        char *grown = used + length + 2 <= BP_COMMANDS_BYTES ? realloc(bp_commands->text, used + length + 2) : NULL;
        if (!grown)
            return console_complain(console, "the list of commands is too long");
        bp_commands->text = grown;
        snprintf(grown + used, length + 2, "%.*s\n", (int)length, line);
        break;
    }
    return true;
}

/* Runs the commands of the breakpoint that was hit. */
static bool bp_commands_run(struct console *console, bool (*run)(struct console *console, const char *line))
{
    const char *text = bp_commands_find(console, console->hit);
    char *lines = text ? strdup(text) : NULL; /* a command may change the list */
    console->hit = 0;
    bool good = lines || !text || console_no_memory(console), moved = false;
    console->runs_bp_commands = true;
    for (char *line = lines; good && line && *line && !console->hit && !console->quit;) {
        char *newline = strchr(line, '\n');
        *newline = 0;
        uint64_t before = gpucode_debug_position(console->debug);
        if (strcmp(line, "silent") != 0)
            good = run(console, line);
        moved = gpucode_debug_position(console->debug) != before;
        if (moved)
            break;
        line = newline + 1;
    }
    if (!moved && !console->hit) {
        console->hit = console->waiting[0];
        memmove(console->waiting, console->waiting + 1, sizeof console->waiting - sizeof *console->waiting);
        console->waiting[3] = 0;
    }
    console->runs_bp_commands = false;
    free(lines);
    return good;
}

/* Is it a line that begins no command but has a value? Such a line is printed. */
static bool is_expression(struct console *console, const char *line, size_t word)
{
    struct gpucode_value value;
    return !begins_command(console, line, word) &&
           gpucode_debug_evaluate(console->debug, line, strlen(line), false, (struct gpucode_diagnostic_handler){0},
                                  &value) == GPUCODE_OK;
}

/*
 * After a change, snapshots from after it belong to a course of events that cannot be replayed; they can only be
 * restored.
 */
static void note_change(struct console *console, uint64_t position)
{
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        if (console->kept[i].snapshot && console->kept[i].position >= position)
            console->kept[i].foreign = true;
}

static bool run_command(struct console *console, const struct console_command *command, const char *text)
{
    struct console_arguments arguments;
    return take_arguments(console, command->name, command->arguments, text, &arguments) &&
           command->run(console, &arguments);
}

bool console_command(struct console *console, const char *name, const char *text)
{
    const struct console_command *command = command_named(console, name);
    return command && run_command(console, command, text);
}

static bool run_command_line(struct console *console, const char *line)
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
        return console_complain(console, "the line is too long");
    memcpy(text, at, length);
    text[length] = 0;
    size_t word = 0;
    while (isalnum((unsigned char)text[word]) || text[word] == '-' || text[word] == '_')
        word++;
    if (is_expression(console, text, word))
        return console_command(console, "print", text);
    const struct console_command *command = find_command(console, text, word);
    if (!command)
        return false;
    uint64_t position = gpucode_debug_position(console->debug);
    gpucode_debug_history(console->debug, &before);
    bool good = run_command(console, command, skip_blanks(text + word)) && !console->failed;
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
    bool good = run_command_line(console, line);
    while (good && console->hit && !console->quit && !console->runs_bp_commands)
        good = bp_commands_run(console, run_command_line);
    return good;
}

bool console_source(struct console *console, const char *path)
{
    char line[1024];
    if (console->depth >= SOURCE_DEPTH_MAX)
        return console_complain(console, "too many files within one another");
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOMEM)
        return console_no_memory(console);
    if (!file)
        return console_complain(console, "cannot read %s", path);
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
        good = console_complain(console, "the list of commands has no `end`");
    console->collecting = 0; /* lines after the file do not belong to that list */
    console->depth--;
    console->source = outer;
    console->source_line = outer_line;
    if (good && ferror(file))
        good = console_complain(console, "cannot read %s", path);
    else if (!good && outer)
        console_write_message(console, "note", "in the file that is read here");
    fclose(file);
    return good;
}

bool do_source(struct console *console, const struct console_arguments *arguments)
{
    return console_source(console, arguments->at[0].text);
}

bool do_tui(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    console->wants_screen = true;
    return true;
}

bool do_quit(struct console *console, const struct console_arguments *arguments)
{
    console->quit = true;
    console->code = (int)(arguments->at[0].value.number & 255);
    return true;
}

bool do_symbols(struct console *console, const struct console_arguments *arguments)
{
    const char *path = arguments->at[0].text;
    if (!console->symbols)
        return console_complain(console, "this session has no room for symbols");
    size_t size;
    char *text = console_file(path, &size);
    if (!text)
        return console_complain(console, "cannot read '%s'", path);
    enum gpucode_status status =
        gpucode_symbols_read(console->symbols, text, size, path, console_diagnostic_handler(console));
    free(text);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_bind(console->symbols, gpucode_debug_image(console->debug),
                                      console_diagnostic_handler(console));
    return gpucode_debug_rename(console->debug) == GPUCODE_OK && status == GPUCODE_OK;
}
