/* SPDX-License-Identifier: MIT */
/* A console from its beginning to its end, and what its users ask of it. */
#include "console/internal.h"

#include <stdlib.h>

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
