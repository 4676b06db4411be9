/* SPDX-License-Identifier: MIT */
/* What commands ask of the console they run in, and how they write. */
#include "console/console.h"
#include "console/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

void console_write_message(struct console *console, const char *kind, const char *message)
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
