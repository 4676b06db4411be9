/* SPDX-License-Identifier: MIT */
/* A console from its beginning to its end, and what its users ask of it. */
#include "console/console.h"
#include "console/internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* What commands ask of the console they run in, and how they write. */

struct gpucode_debug *console_debug(const struct console *console)
{
    return console->debug;
}

const struct gpucode_target *console_target(const struct console *console)
{
    return gpucode_image_info(gpucode_debug_image(console->debug))->target;
}

const struct gpucode_names *console_names(const struct console *console)
{
    return gpucode_symbols_names(console->symbols);
}

unsigned console_section(const struct console *console)
{
    return gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
}

uint64_t console_pc(const struct console *console)
{
    return gpucode_machine_pc(console->machine, gpucode_debug_processor(console->debug));
}

static size_t format_text(char *text, size_t size, const char *format, va_list args)
{
    int length = vsnprintf(text, size, format, args);
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

void console_say(struct console *console, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    console->write(console->user, text, format_text(text, sizeof text, format, args));
    va_end(args);
}

/* Writes a message of what is wrong, with the place of the command in front if that comes from a file. */
static void console_write_message(struct console *console, const char *kind, const char *message)
{
    char text[2600], place[512] = "";
    if (console->source)
        snprintf(place, sizeof place, "%.480s:%u: ", console->source, console->source_line);
    int length = snprintf(text, sizeof text, "%s%s: %s\n", place, kind, message);
    if (console->write_error)
        console->write_error(console->error_user, text, (size_t)length);
    else
        console->write(console->user, text, (size_t)length);
}

bool console_no_memory(struct console *console)
{
    console->lacked_memory = true;
    return console_complain(console, "out of memory");
}

bool console_complain(struct console *console, const char *format, ...)
{
    char text[2048] = "";
    va_list args;
    va_start(args, format);
    format_text(text, sizeof text, format, args);
    va_end(args);
    console->failed = true;
    console_write_message(console, "error", text);
    return false;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

#define LARGEST (256u << 20)

char *console_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    char *bytes = NULL;
    size_t room = 0, used = 0, got = 1;
    while (in && got && used < LARGEST) {
        if (room - used < 4096) {
            char *grown = realloc(bytes, room = room ? room * 2 : 65536);
            if (!grown)
                break;
            bytes = grown;
        }
        used += got = fread(bytes + used, 1, room - used - 1, in);
    }
    bool whole = in && !got && !ferror(in);
    if (in)
        fclose(in);
    if (!whole) {
        free(bytes);
        return NULL;
    }
    bytes[used] = 0;
    *size = used;
    return bytes;
}

/* Running a line, and files of lines. */

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
