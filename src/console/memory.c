/* SPDX-License-Identifier: MIT */
/* x and map: memory. */
#include "console/internal.h"

#include <inttypes.h>
#include <stdio.h>

/* Memory, or the register that stands at that address instead. */
static bool load_value(struct console *console, uint64_t address, unsigned char *bytes, unsigned size)
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

static bool show_memory_values(struct console *console, uint64_t address, struct console_format format)
{
    unsigned size = size_of_letter(format.size), row = size == 8 ? 2 : size == 4 ? 4 : 8;
    unsigned char bytes[8];
    for (unsigned i = 0; i < format.count; i++, address += size) {
        if (!load_value(console, address, bytes, size)) {
            console_say(console, "%s", i ? "\n" : "");
            return console_complain(console, "no memory at 0x%" PRIx64, address);
        }
        if (i % row == 0)
            console_say(console, "%s0x%08" PRIx64 ":", i ? "\n" : "", address);
        uint64_t value = 0;
        for (unsigned k = 0; k < size; k++)
            value |= (uint64_t)bytes[k] << k * 8;
        console_say(console, "\t");
        if (format.letter == 'x')
            console_say(console, "0x%0*" PRIx64, (int)size * 2, value);
        else if (format.letter == 'f')
            put_float(console, value, size);
        else if (format.letter == 'd') /* sign-extended */
            console_say(console, "%" PRId64, (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size));
        else
            put_number(console, (int64_t)value, format.letter);
        console->next_memory = address + size;
    }
    console_say(console, "\n");
    return true;
}

bool do_x(struct console *console, const struct console_arguments *arguments)
{
    const struct console_format *given = &arguments->at[0].format;
    const struct console_argument *where = &arguments->at[1];
    struct console_format format = {.count = given->counted ? given->count : 1,
                                    .letter = given->letter ? given->letter : console->x_format.letter,
                                    .size = given->size ? given->size : console->x_format.size};
    uint64_t address = where->given ? (uint64_t)where->value.number : console->next_memory;
    unsigned section = where->value.is_code ? where->value.section : console_section(console);
    if (!format.count)
        return true;
    console->x_format = format;
    if (format.letter != 'i')
        return show_memory_values(console, address, format);
    char text[GPUCODE_TEXT_MAX];
    for (unsigned i = 0; i < format.count; i++) {
        unsigned units = gpucode_debug_text(console->debug, section, address, text, sizeof text);
        if (!units && !i)
            return console_complain(console, "no code at 0x%" PRIx64 " of that section; x/x shows memory", address);
        if (!units)
            break;
        show_place(console, section, address, address == console_pc(console) && section == console_section(console));
        address += units;
    }
    console->next_memory = address;
    return true;
}

bool do_map(struct console *console, const struct console_arguments *arguments)
{
    return gpucode_debug_map(console->debug, (uint64_t)arguments->at[0].value.number,
                             (uint64_t)arguments->at[1].value.number) == GPUCODE_OK ||
           console_complain(console, "that memory cannot be made");
}
