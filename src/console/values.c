/* SPDX-License-Identifier: MIT */
/* Showing values: print, set, x, display. */
#include "console/internal.h"

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

/* Bits of an f16 as those of an f32; every f16 is one. */
static uint32_t widen(uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31)
        return sign | 0x7f800000 | fraction << 13;
    if (!exponent) {
        if (!fraction)
            return sign;
        for (exponent = 1; !(fraction & 0x400); exponent--)
            fraction <<= 1;
        fraction &= 0x3ff;
    }
    return sign | (exponent + 112) << 23 | fraction << 13;
}

void put_float(struct console *console, uint64_t number, unsigned size)
{
    float single;
    double wide;
    uint32_t bits = size == 2 ? widen(number & 0xffff) : (uint32_t)number;
    memcpy(&single, &bits, sizeof single);
    memcpy(&wide, &number, sizeof wide);
    say(console, "%.*g", size == 8 ? 17 : size == 2 ? 5 : 9, size == 8 ? wide : (double)single);
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
    case 'o':
        say(console, "%s%" PRIo64, number ? "0" : "", (uint64_t)number);
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

static unsigned size_of(char letter)
{
    return letter == 'b' ? 1 : letter == 'h' ? 2 : letter == 'g' ? 8 : 4;
}

static unsigned float_size(struct console *console, const struct gpucode_value *value)
{
    struct gpucode_space_info info;
    bool half = value->place == GPUCODE_VALUE_REGISTER &&
                gpucode_machine_space(console->machine, value->space, &info) && info.float_bits == 16;
    return half ? 2 : value->place == GPUCODE_VALUE_MEMORY && value->size != 1 ? value->size : 4;
}

void put_value(struct console *console, const struct gpucode_value *value, const struct format *format)
{
    if (format->letter == 'a' || (!format->letter && value->is_code)) {
        unsigned section = value->is_code
                               ? value->section
                               : gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
        put_address(console, section, (uint64_t)value->number);
    } else if (format->letter == 'i') {
        char text[GPUCODE_TEXT_MAX];
        unsigned processor = gpucode_debug_processor(console->debug);
        unsigned section = value->is_code ? value->section : gpucode_machine_section(console->machine, processor);
        put_address(console, section, (uint64_t)value->number);
        say(console, ":\t%s",
            gpucode_debug_text(console->debug, section, (uint64_t)value->number, text, sizeof text) ? text
                                                                                                    : "(no code)");
    } else if (format->letter == 'f') {
        put_float(console, (uint64_t)value->number, format->size ? size_of(format->size) : float_size(console, value));
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
    static const char *const settings[] = {"confirm", "pagination", "height", "width"};
    if (!strchr(arguments, '=')) {
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) /* gdb's scripts begin so; nothing asks here */
            if (strncmp(arguments, settings[i], strlen(settings[i])) == 0)
                return true;
        return complain_of(console, "set PLACE = EXPRESSION");
    }
    size_t word = strcspn(arguments, " ");
    if (word >= 3 && word <= 8 && strncmp(arguments, "variable", word) == 0)
        arguments = skip_blanks(arguments + word);
    return evaluate_all(console, arguments, &value);
}

/* Memory, or the register that stands at that address instead. */
static bool load(struct console *console, uint64_t address, unsigned char *bytes, unsigned size)
{
    char text[32];
    struct gpucode_value value;
    int length = snprintf(text, sizeof text, "*0x%" PRIx64, address);
    if (size != 4 || gpucode_debug_evaluate(console->debug, text, (size_t)length, false,
                                            (struct gpucode_diagnostic_handler){0}, &value) != GPUCODE_OK)
        return gpucode_machine_load(console->machine, address, bytes, size) == GPUCODE_OK;
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (unsigned char)((uint64_t)value.number >> i * 8);
    return true;
}

static bool show_memory(struct console *console, uint64_t address, struct format format)
{
    unsigned size = size_of(format.size), row = size == 8 ? 2 : size == 4 ? 4 : 8;
    unsigned char bytes[8];
    for (unsigned i = 0; i < format.count; i++, address += size) {
        if (!load(console, address, bytes, size)) {
            say(console, "%s", i ? "\n" : "");
            return complain_of(console, "no memory at 0x%" PRIx64, address);
        }
        if (i % row == 0)
            say(console, "%s0x%08" PRIx64 ":", i ? "\n" : "", address);
        uint64_t value = 0;
        for (unsigned k = 0; k < size; k++)
            value |= (uint64_t)bytes[k] << k * 8;
        say(console, "\t");
        if (format.letter == 'x')
            say(console, "0x%0*" PRIx64, (int)size * 2, value);
        else if (format.letter == 'f')
            put_float(console, value, size);
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
        if (!units && !i)
            return complain_of(console, "no code at 0x%" PRIx64 " of that section; x/x shows memory", address);
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
    if (gpucode_debug_evaluate(console->debug, text, strlen(text), false, (struct gpucode_diagnostic_handler){0},
                               &value) == GPUCODE_OK)
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
