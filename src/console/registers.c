/* SPDX-License-Identifier: MIT */
/* info registers, info all-registers. */
#include "console/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_register_line(struct console *console, unsigned space, uint32_t number, uint32_t value)
{
    char name[GPUCODE_NAME_MAX], text[CONSOLE_FIELDS_MAX];
    const struct gpucode_value shown = {
        .place = GPUCODE_VALUE_REGISTER, .space = space, .address = number, .size = 4, .number = value};
    struct gpucode_label label;
    if (!gpucode_machine_name(console->machine, space, number, name, sizeof name))
        snprintf(name, sizeof name, "0x%x", (unsigned)number);
    /* general registers are shown by their own names, and what the user calls them stands beside */
    for (unsigned i = 0; space == GPUCODE_SPACE_GENERAL && gpucode_symbols_at(console->symbols, i, &label); i++) {
        unsigned its_space;
        uint32_t its_number;
        if (label.kind == GPUCODE_LABEL_REGISTER &&
            gpucode_machine_find(console->machine, label.text, &its_space, &its_number) && its_space == space &&
            its_number == number) {
            snprintf(name, sizeof name, "%.40s %.80s", label.text, label.name);
            break;
        }
    }
    console_say(console, "%-24s 0x%08x  %" PRIu32, name, (unsigned)value, value);
    bool said = console_float_text(console->machine, space, number, value, text, sizeof text) ||
                console_fields_text(console->machine, &shown, text, sizeof text);
    console_say(console, "%s%s\n", said ? "  " : "", said ? text : "");
}

/* More general registers than this are too many to show with their zeros. */
#define FEW_REGISTERS 32

/* Registers of a space that are not zero; general ones all where they are few. Without any, nothing if `quiet`. */
static void show_space(struct console *console, unsigned space, bool quiet)
{
    unsigned processor = gpucode_debug_processor(console->debug);
    struct gpucode_space_info info;
    uint32_t value;
    if (!gpucode_machine_space(console->machine, space, &info))
        return;
    if (!quiet)
        console_say(console, "%s:\n", info.name);
    uint32_t count = info.count > 0x20000 ? 0 : info.count; /* byte addresses are not a list */
    for (uint32_t i = 0; i < count; i++)
        if (gpucode_machine_read(console->machine, processor, space, i, &value) == GPUCODE_OK &&
            (value || (space == GPUCODE_SPACE_GENERAL && count <= FEW_REGISTERS))) {
            if (quiet)
                console_say(console, "%s:\n", info.name);
            quiet = false;
            print_register_line(console, space, i, value);
        }
}

static void print_pc_line(struct console *console)
{
    unsigned processor = gpucode_debug_processor(console->debug);
    console_say(console, "%-24s ", "$pc");
    put_address(console, gpucode_machine_section(console->machine, processor),
                gpucode_machine_pc(console->machine, processor));
    console_say(console, "\n");
}

bool info_registers(struct console *console, const struct console_arguments *given)
{
    const char *arguments = given->at[0].text;
    struct gpucode_value value;
    struct gpucode_space_info info;
    if (!*arguments) {
        show_space(console, GPUCODE_SPACE_GENERAL, false);
        print_pc_line(console);
        return true;
    }
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++)
        if (gpucode_machine_space(console->machine, space, &info) && strcmp(info.name, arguments) == 0) {
            show_space(console, space, false);
            return true;
        }
    while (*arguments) {
        size_t length = strcspn(arguments, " ");
        if ((length == 2 && memcmp(arguments, "pc", 2) == 0) || (length == 3 && memcmp(arguments, "$pc", 3) == 0)) {
            print_pc_line(console);
            arguments = skip_blanks(arguments + length);
            continue;
        }
        if (!console_evaluate(console, arguments, length, &value))
            return false;
        if (value.place != GPUCODE_VALUE_REGISTER)
            return console_complain(console, "'%.*s' is not a register", (int)length, arguments);
        print_register_line(console, value.space, (uint32_t)value.address, (uint32_t)value.number);
        arguments = skip_blanks(arguments + length);
    }
    return true;
}

bool info_all_registers(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++)
        show_space(console, space, true);
    print_pc_line(console);
    return true;
}
