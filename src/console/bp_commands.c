/* SPDX-License-Identifier: MIT */
/*
 * Commands that points have: `commands N`, lines, `end`. They run when the point is hit; one that moves in time ends
 * the list, as what it hits has a list of its own.
 */
#include "console/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *attached_of(const struct console *console, unsigned point)
{
    for (unsigned i = 0; i < ATTACHED_MAX; i++)
        if (console->attached[i].point == point && console->attached[i].text)
            return console->attached[i].text;
    return NULL;
}

static void forget(struct console *console, unsigned point)
{
    for (unsigned i = 0; i < ATTACHED_MAX; i++)
        if (console->attached[i].point == point) {
            free(console->attached[i].text);
            console->attached[i] = (struct attached){0};
        }
}

void attached_free(struct console *console)
{
    for (unsigned i = 0; i < ATTACHED_MAX; i++)
        free(console->attached[i].text);
}

static bool exists(struct console *console, unsigned number)
{
    struct gpucode_point point;
    for (unsigned i = 0; gpucode_debug_point_at(console->debug, i, &point); i++)
        if (point.number == number)
            return true;
    return false;
}

bool do_commands(struct console *console, const char *arguments)
{
    struct gpucode_point point = {0};
    char *end;
    unsigned long number = strtoul(arguments, &end, 10);
    if (!*arguments) { /* the newest */
        for (unsigned i = 0; gpucode_debug_point_at(console->debug, i, &point); i++)
            number = point.number;
    } else if (*end) {
        return complain_of(console, "'%s' is no number of a point", arguments);
    }
    if (!number || number > UINT32_MAX || !exists(console, (unsigned)number))
        return complain_of(console, "there is no such point");
    forget(console, (unsigned)number);
    for (unsigned i = 0; i < ATTACHED_MAX; i++) /* lists of points that are gone */
        if (console->attached[i].point && !exists(console, console->attached[i].point))
            forget(console, console->attached[i].point);
    for (unsigned i = 0; i < ATTACHED_MAX; i++)
        if (!console->attached[i].point) {
            console->attached[i].point = (unsigned)number;
            console->collecting = (unsigned)number;
            return true;
        }
    return complain_of(console, "at most %d points can have commands", ATTACHED_MAX);
}

bool attached_take(struct console *console, const char *line)
{
    line = skip_blanks(line);
    size_t length = strcspn(line, "\r\n");
    if (length == 3 && memcmp(line, "end", 3) == 0) {
        console->collecting = 0;
        return true;
    }
    for (unsigned i = 0; i < ATTACHED_MAX; i++) {
        struct attached *attached = &console->attached[i];
        if (attached->point != console->collecting || !length)
            continue;
        size_t used = attached->text ? strlen(attached->text) : 0;
        char *grown = used + length + 2 <= ATTACHED_BYTES ? realloc(attached->text, used + length + 2) : NULL;
        if (!grown)
            return complain_of(console, "the list of commands is too long");
        attached->text = grown;
        snprintf(grown + used, length + 2, "%.*s\n", (int)length, line);
        break;
    }
    return true;
}

bool attached_run(struct console *console, bool (*run)(struct console *console, const char *line))
{
    const char *text = attached_of(console, console->hit);
    char *lines = text ? strdup(text) : NULL; /* a command may change the list */
    console->hit = 0;
    bool good = lines || !text || complain_of(console, "out of memory"), moved = false;
    console->runs_attached = true;
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
    console->runs_attached = false;
    free(lines);
    return good;
}
