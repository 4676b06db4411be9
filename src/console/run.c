/* SPDX-License-Identifier: MIT */
/* Running a line, and files of lines. */
#include "console/internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is it a line that begins no command but has a value? Such a line is printed. */
static bool is_expression(struct console *console, const char *line, size_t word)
{
    struct gpucode_value value;
    return !begins_command(console, line, word) &&
           gpucode_debug_evaluate(console->debug, line, strlen(line), false, (struct gpucode_diagnostic_handler){0},
                                  &value) == GPUCODE_OK;
}

/*
 * After a change, snapshots from behind it belong to a course of events that cannot be replayed; they can only be
 * restored.
 */
static void note_change(struct console *console, uint64_t position)
{
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        if (console->kept[i].snapshot && console->kept[i].position >= position)
            console->kept[i].foreign = true;
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
        return do_print(console, text);
    const struct console_command *command = find_command(console, text, word);
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
    console->collecting = 0; /* lines behind the file do not belong to that list */
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

bool do_source(struct console *console, const char *arguments)
{
    return *arguments ? console_source(console, arguments) : console_complain(console, "which file?");
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
    if (*arguments && !console_evaluate_all(console, arguments, &value))
        return false;
    console->quit = true;
    console->code = (int)(value.number & 255);
    return true;
}

bool do_symbols(struct console *console, const char *arguments)
{
    if (!console->symbols)
        return console_complain(console, "this session has no room for symbols");
    size_t size;
    char *text = console_file(arguments, &size);
    if (!text)
        return console_complain(console, "cannot read '%s'", arguments);
    enum gpucode_status status =
        gpucode_symbols_read(console->symbols, text, size, arguments, console_diagnostic_handler(console));
    free(text);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_bind(console->symbols, gpucode_debug_image(console->debug),
                                      console_diagnostic_handler(console));
    return gpucode_debug_rename(console->debug) == GPUCODE_OK && status == GPUCODE_OK;
}
