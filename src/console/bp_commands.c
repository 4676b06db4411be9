/* SPDX-License-Identifier: MIT */
/*
 * Commands that breakpoints have: `commands N`, lines, `end`. They run when the breakpoint is hit. A command that
 * moves in time ends the list, because a breakpoint that it hits has its own.
 */
#include "console/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (!number || !breakpoint_exists(console, (unsigned)number))
        return console_complain(console, "there is no such point");
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

bool bp_commands_add_line(struct console *console, const char *line)
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

bool bp_commands_run(struct console *console, bool (*run)(struct console *console, const char *line))
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
