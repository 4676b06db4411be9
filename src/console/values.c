/* SPDX-License-Identifier: MIT */
/* Showing values: print, set, x, display. */
#include "console/inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_binary(struct console *console, uint64_t value)
{
    char text[65], *at = text + 64;
    *at = 0;
    do
        *--at = (char)('0' + (value & 1));
    while (value >>= 1);
    say(console, "0b%s", at);
}

static void put_number(struct console *console, int64_t number, char letter)
{
    switch (letter) {
    case 'x':
        say(console, "0x%" PRIx64, (uint64_t)number);
        break;
    case 'd':
        say(console, "%" PRId64, number);
        break;
    case 'u':
        say(console, "%" PRIu64, (uint64_t)number);
        break;
    case 't':
        put_binary(console, (uint64_t)number);
        break;
    case 'c':
        say(console, "%" PRId64 " '%c'", number & 255,
            (number & 255) >= 32 && (number & 255) < 127 ? (char)(number & 255) : '.');
        break;
    default:
        if (number >= -9 && number <= 9)
            say(console, "%" PRId64, number);
        else
            say(console, "0x%" PRIx64 " (%" PRId64 ")", (uint64_t)number, number);
    }
}

void put_value(struct console *console, const struct gpucode_value *value, const struct format *format)
{
    if (format->letter == 'a' || (!format->letter && value->is_code)) {
        unsigned section = value->is_code
                               ? value->section
                               : gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
        put_address(console, section, (uint64_t)value->number);
    } else {
        put_number(console, value->number, format->letter);
    }
}

bool do_print(struct console *console, const char *arguments)
{
    struct format format = {0};
    struct gpucode_value value;
    if (!take_format(console, &arguments, &format))
        return false;
    if (!*arguments)
        return complain_of(console, "print what?");
    if (!evaluate_all(console, arguments, &value))
        return false;
    say(console, "%s = ", arguments);
    put_value(console, &value, &format);
    say(console, "\n");
    return true;
}

bool do_set(struct console *console, const char *arguments)
{
    struct gpucode_value value;
    if (strncmp(arguments, "var ", 4) == 0)
        arguments = skip_blanks(arguments + 4);
    if (!strchr(arguments, '='))
        return complain_of(console, "set PLACE = EXPRESSION");
    return evaluate_all(console, arguments, &value);
}

static unsigned size_of(char letter)
{
    return letter == 'b' ? 1 : letter == 'h' ? 2 : letter == 'g' ? 8 : 4;
}

static bool show_memory(struct console *console, uint64_t address, struct format format)
{
    unsigned size = size_of(format.size), row = size == 8 ? 2 : size == 4 ? 4 : 8;
    unsigned char bytes[8];
    for (unsigned i = 0; i < format.count; i++, address += size) {
        if (i % row == 0)
            say(console, "%s0x%08" PRIx64 ":", i ? "\n" : "", address);
        if (gpucode_machine_load(console->machine, address, bytes, size) != GPUCODE_OK) {
            say(console, "%s", i % row ? "\n" : "");
            return complain_of(console, "no memory at 0x%" PRIx64, address);
        }
        uint64_t value = 0;
        for (unsigned k = 0; k < size; k++)
            value |= (uint64_t)bytes[k] << k * 8;
        say(console, "\t");
        if (format.letter == 'x')
            say(console, "0x%0*" PRIx64, (int)size * 2, value);
        else if (format.letter == 'd') /* sign-extended */
            say(console, "%" PRId64, (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size));
        else
            put_number(console, (int64_t)value, format.letter);
        console->next_memory = address + size;
    }
    say(console, "\n");
    return true;
}

bool do_x(struct console *console, const char *arguments)
{
    struct gpucode_value value;
    struct format format = console->x_format;
    uint64_t address = console->next_memory;
    unsigned section = gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
    format.count = 1;
    if (!take_format(console, &arguments, &format))
        return false;
    if (!format.count)
        return true;
    if (*arguments) {
        if (!evaluate_all(console, arguments, &value))
            return false;
        address = (uint64_t)value.number;
        if (value.is_code)
            section = value.section;
    }
    console->x_format = format;
    if (format.letter != 'i')
        return show_memory(console, address, format);
    char text[GPUCODE_TEXT_MAX];
    for (unsigned i = 0; i < format.count; i++) {
        unsigned units = gpucode_debug_text(console->debug, section, address, text, sizeof text);
        if (!units)
            break;
        show_place(console, section, address,
                   address == gpucode_machine_pc(console->machine, gpucode_debug_processor(console->debug)) &&
                       section == gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug)));
        address += units;
    }
    console->next_memory = address;
    return true;
}

static void show_display(struct console *console, unsigned index)
{
    struct gpucode_value value;
    const char *text = console->displays[index].text;
    say(console, "%u: %s = ", index + 1, text);
    if (gpucode_debug_evaluate(console->debug, text, strlen(text), false, (struct gpucode_sink){0}, &value) ==
        GPUCODE_OK)
        put_value(console, &value, &console->displays[index].format);
    else
        say(console, "?");
    say(console, "\n");
}

void show_displays(struct console *console)
{
    for (unsigned i = 0; i < DISPLAYS_MAX; i++)
        if (console->displays[i].text[0])
            show_display(console, i);
}

bool do_display(struct console *console, const char *arguments)
{
    struct format format = {0};
    struct gpucode_value value;
    if (!*arguments) {
        show_displays(console);
        return true;
    }
    if (!take_format(console, &arguments, &format) || !evaluate_all(console, arguments, &value))
        return false;
    for (unsigned i = 0; i < DISPLAYS_MAX; i++)
        if (!console->displays[i].text[0]) {
            if (strlen(arguments) >= sizeof console->displays[i].text)
                return complain_of(console, "the expression is too long");
            strcpy(console->displays[i].text, arguments);
            console->displays[i].format = format;
            show_display(console, i);
            return true;
        }
    return complain_of(console, "at most %d values can be displayed", DISPLAYS_MAX);
}

bool do_undisplay(struct console *console, const char *arguments)
{
    if (!*arguments)
        for (unsigned i = 0; i < DISPLAYS_MAX; i++)
            console->displays[i].text[0] = 0;
    while (*arguments) {
        char *end;
        unsigned long number = strtoul(arguments, &end, 10);
        if (end == arguments || !number || number > DISPLAYS_MAX)
            return complain_of(console, "there is no display '%s'", arguments);
        console->displays[number - 1].text[0] = 0;
        arguments = skip_blanks(end);
    }
    return true;
}
