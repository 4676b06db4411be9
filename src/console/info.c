/* SPDX-License-Identifier: MIT */
/* info and processor: parts of the state. */
#include "console/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* info registers, info all-registers. */

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

static bool info_registers(struct console *console, const struct console_arguments *given)
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

static bool info_all_registers(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++)
        show_space(console, space, true);
    print_pc_line(console);
    return true;
}

static bool is_prefix(const char *text, const char *of)
{
    return *text && strncmp(of, text, strlen(text)) == 0;
}

static bool list_breakpoints(struct console *console, bool watches)
{
    static const char *const kinds[] = {"break", "watch", "watch", "catch", "catch", "catch"};
    struct gpucode_breakpoint breakpoint;
    unsigned shown = 0;
    for (unsigned i = 0; gpucode_debug_breakpoint_at(console->debug, i, &breakpoint); i++) {
        if (watches && breakpoint.kind != GPUCODE_WATCHPOINT_REGISTER && breakpoint.kind != GPUCODE_WATCHPOINT_MEMORY)
            continue;
        shown++;
        console_say(console, "%-3u %s %s%s %s", breakpoint.number, breakpoint.disabled ? "-" : "+",
                    kinds[breakpoint.kind], breakpoint.temporary ? " once" : "",
                    breakpoint.label ? breakpoint.label : "");
        if (breakpoint.access & GPUCODE_ACCESS_READ)
            console_say(console, " read");
        if (breakpoint.access & (GPUCODE_ACCESS_WRITE | GPUCODE_ACCESS_CHANGE))
            console_say(console, breakpoint.access & GPUCODE_ACCESS_WRITE ? " write" : " change");
        if (breakpoint.condition)
            console_say(console, " if %s", breakpoint.condition);
        if (breakpoint.ignore)
            console_say(console, ", ignore %" PRIu64, breakpoint.ignore);
        if (breakpoint.hits)
            console_say(console, ", hit %" PRIu64 " time%s", breakpoint.hits, breakpoint.hits == 1 ? "" : "s");
        console_say(console, "\n");
        for (const char *line = bp_commands_find(console, breakpoint.number); line && *line;
             line = strchr(line, '\n') + 1)
            console_say(console, "        %.*s\n", (int)strcspn(line, "\n"), line);
    }
    if (!shown)
        console_say(console, watches ? "no watchpoints\n" : "no points\n");
    return true;
}

static bool info_breakpoints(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    return list_breakpoints(console, false);
}

static bool info_watchpoints(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    return list_breakpoints(console, true);
}

static bool info_flags(struct console *console, const struct console_arguments *arguments)
{
    unsigned processor = gpucode_debug_processor(console->debug), found = 0;
    char name[GPUCODE_NAME_MAX];
    uint32_t value;
    (void)arguments;
    for (unsigned space = GPUCODE_SPACE_FLAG; space <= GPUCODE_SPACE_EVENT; space++)
        for (uint32_t i = 0; i < 32; i++) {
            if (gpucode_machine_read(console->machine, processor, space, i, &value) != GPUCODE_OK)
                continue;
            found++;
            bool named = gpucode_machine_name(console->machine, space, i, name, sizeof name);
            if (!named) /* nobody knows what it drives: worth a line when something has touched it */
                snprintf(name, sizeof name, "%u", (unsigned)i);
            if (named || value)
                console_say(console, "%-6s %-24s %u%s\n", space == GPUCODE_SPACE_FLAG ? "flag" : "event", name,
                            (unsigned)value & 1, space == GPUCODE_SPACE_FLAG && value & 2 ? " driven" : "");
        }
    return found || console_complain(console, "this machine has no flags");
}

static bool info_processors(struct console *console, const struct console_arguments *arguments)
{
    const char *name;
    struct gpucode_section room;
    (void)arguments;
    for (unsigned i = 0; (name = gpucode_machine_processor(console->machine, i)); i++) {
        console_say(console, "%s %-6s %s:", i == gpucode_debug_processor(console->debug) ? "*" : " ", name,
                    section_name(console, gpucode_machine_section(console->machine, i), &room));
        put_address(console, gpucode_machine_section(console->machine, i), gpucode_machine_pc(console->machine, i));
        console_say(console, "\n");
    }
    return true;
}

static bool info_symbols(struct console *console, const struct console_arguments *arguments)
{
    struct gpucode_label label;
    (void)arguments;
    for (unsigned i = 0; gpucode_symbols_at(console->symbols, i, &label); i++) {
        if (label.kind == GPUCODE_LABEL_REGISTER)
            console_say(console, "%-8s %-18s %s\n", "reg", label.text, label.name);
        else
            console_say(console, "%-8s 0x%-16" PRIx64 " %s\n",
                        label.kind == GPUCODE_LABEL_CODE       ? label.section
                        : label.kind == GPUCODE_LABEL_CONSTANT ? "="
                                                               : "mem",
                        (uint64_t)label.value, label.name);
    }
    return true;
}

static bool info_snapshots(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        if (console->kept[i].snapshot)
            console_say(console, "%-3u instruction %" PRIu64 "%s%s%s\n", i + 1, console->kept[i].position,
                        console->kept[i].name[0] ? " " : "", console->kept[i].name,
                        console->kept[i].foreign ? " (another course of events)" : "");
    return true;
}

static bool info_line(struct console *console, const struct console_arguments *arguments)
{
    const struct console_argument *place = &arguments->at[0];
    unsigned section = place->given ? place->section : console_section(console);
    uint64_t pc = place->given ? place->pc : console_pc(console);
    put_address(console, section, pc);
    console_say(console, "%s\n", put_source(console, section, pc, " is ") ? "" : " has no source place");
    return true;
}

static bool info_display(struct console *console, const struct console_arguments *arguments)
{
    bool any = false;
    (void)arguments;
    for (unsigned i = 0; i < DISPLAYS_MAX; i++)
        if (console->displays[i].text[0]) {
            any = true;
            console_say(console, "%-3u %s\n", i + 1, console->displays[i].text);
        }
    console_say(console, "%s", any ? "" : "no displays\n");
    return true;
}

/* What an address or a register is called. */
static bool info_symbol(struct console *console, const struct console_arguments *arguments)
{
    const struct gpucode_value value = arguments->at[0].value;
    struct gpucode_label label;
    char name[GPUCODE_NAME_MAX];
    if (!arguments->at[0].given)
        return info_symbols(console, arguments);
    for (unsigned i = 0; value.place == GPUCODE_VALUE_MEMORY && gpucode_symbols_at(console->symbols, i, &label); i++)
        if (label.kind == GPUCODE_LABEL_MEMORY && (uint64_t)label.value == value.address) {
            console_say(console, "%s is memory at 0x%" PRIx64 "\n", label.name, value.address);
            return true;
        }
    unsigned section = value.is_code ? value.section : console_section(console);
    if (value.place == GPUCODE_VALUE_MEMORY ||
        !gpucode_debug_label(console->debug, section, (uint64_t)value.number, name, sizeof name))
        return console_complain(console, "no symbol is there");
    struct gpucode_section room;
    console_say(console, "%s is %s:0x%04" PRIx64 "\n", name, section_name(console, section, &room),
                (uint64_t)value.number);
    return true;
}

static bool info_address(struct console *console, const struct console_arguments *arguments)
{
    const char *text = arguments->at[0].text;
    const struct gpucode_value value = arguments->at[0].value;
    struct gpucode_section room;
    struct gpucode_space_info info;
    if (value.place == GPUCODE_VALUE_REGISTER && gpucode_machine_space(console->machine, value.space, &info))
        console_say(console, "%s is register 0x%" PRIx64 " of the space %s\n", text, value.address, info.name);
    else if (value.is_code)
        console_say(console, "%s is code at %s:0x%04" PRIx64 "\n", text, section_name(console, value.section, &room),
                    (uint64_t)value.number);
    else if (value.place == GPUCODE_VALUE_MEMORY)
        console_say(console, "%s is memory at 0x%" PRIx64 "\n", text, value.address);
    else
        console_say(console, "%s is the number 0x%" PRIx64 "\n", text, (uint64_t)value.number);
    return true;
}

static bool info_policies(struct console *console, const struct console_arguments *arguments)
{
    struct gpucode_policy policy;
    (void)arguments;
    for (unsigned i = 0; gpucode_policy_at(console_target(console), i, &policy); i++)
        console_say(console, "%-20s %s (default %s)\n", policy.name, policy.values, policy.preset);
    return true;
}

static bool info_frame(struct console *console, const struct console_arguments *arguments)
{
    char packets[GPUCODE_NOTE_MAX];
    uint64_t pc;
    bool link;
    if (!do_frame(console, arguments))
        return false;
    if (frame_place(console, console->frame, &pc, &link) &&
        console_packets(console, console_section(console), pc, packets))
        console_say(console, "    from %s\n", packets);
    return true;
}

/* The routines of the code, as listings divide it; of those whose name has the argument in it. */
static bool info_functions(struct console *console, const struct console_arguments *arguments)
{
    uint32_t count;
    const struct gpucode_outline *outline = gpucode_debug_outline(console->debug);
    const struct gpucode_routine *routines = gpucode_outline_routines(outline, &count);
    const struct gpucode_unit *units = gpucode_outline_units(outline, &(uint32_t){0});
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        struct gpucode_section section;
        const struct gpucode_unit *first = &units[routines[i].first], *last = first + routines[i].count - 1;
        if (!strstr(routines[i].name, arguments->text) ||
            !gpucode_debug_section(console->debug, first->section, &section))
            continue;
        console_say(console, "%s%s0x%04" PRIx64 " to 0x%04" PRIx64 "  %s", section.name, *section.name ? ":" : "",
                    first->at, last->at, routines[i].name);
        put_function(console, first->section, first->at);
        console_say(console, "\n");
        found = true;
    }
    return found || console_complain(console, "no routine has '%s' in its name", arguments->text);
}

static const struct console_part first_parts[] = {
    {"registers", "[REGISTER...]", info_registers},
    {"all-registers", "", info_all_registers},
    {"breakpoints", "", info_breakpoints},
    {"watchpoints", "", info_watchpoints},
    {"stack", "[COUNT]", do_backtrace},
    {"frame", "[LEVEL]", info_frame},
    {0},
};
/* listed after the parts of the set */
static const struct console_part last_parts[] = {
    {"flags", "", info_flags},         {"processors", "", info_processors},     {"functions", "[TEXT]", info_functions},
    {"symbols", "", info_symbols},     {"symbol", "[EXPRESSION]", info_symbol}, {"address", "EXPRESSION", info_address},
    {"line", "[PLACE]", info_line},    {"display", "", info_display},           {"history", "", do_record},
    {"snapshots", "", info_snapshots}, {"policies", "", info_policies},         {0},
};
/* gdb's names for some of them, which are not listed */
static const struct console_part other_names[] = {
    {"threads", "", info_processors},
    {"record", "", do_record},
    {0},
};

/* Part number `index`; `listed`: of those that are listed. */
static const struct console_part *part_at(const struct console *console, unsigned index, bool listed)
{
    const struct console_part *const lists[] = {first_parts, console->words ? console->words->parts : NULL, last_parts,
                                                other_names};
    for (unsigned i = 0; i < (listed ? 3 : 4); i++)
        for (const struct console_part *part = lists[i]; part && part->name; part++)
            if (index-- == 0)
                return part;
    return NULL;
}

const char *info_part_at(const struct console *console, unsigned index)
{
    const struct console_part *part = part_at(console, index, true);
    return part ? part->name : NULL;
}

const char *info_part_column(const struct console *console, unsigned index)
{
    const struct console_part *part = part_at(console, index, true);
    return part ? part->arguments : NULL;
}

void info_list_parts(const struct console *console, const char *between, const char *last, char *text, size_t size)
{
    const char *name;
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; (name = info_part_at(console, i)) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 !i                             ? ""
                                 : info_part_at(console, i + 1) ? between
                                                                : last,
                                 name);
}

static bool show_part(struct console *console, const struct console_part *part, const char *text)
{
    struct console_arguments arguments;
    char name[64];
    snprintf(name, sizeof name, "info %s", part->name);
    return take_arguments(console, name, part->arguments, text, &arguments) && part->show(console, &arguments);
}

bool do_info(struct console *console, const struct console_arguments *arguments)
{
    const struct console_part *part;
    char word[32], names[512];
    size_t length = strcspn(arguments->text, " ");
    const char *rest = skip_blanks(arguments->text + length);
    snprintf(word, sizeof word, "%.*s", (int)length, arguments->text);
    for (unsigned i = 0; (part = part_at(console, i, false)); i++)
        if (strcmp(word, part->name) == 0)
            return show_part(console, part, rest);
    for (unsigned i = 0; (part = part_at(console, i, false)); i++)
        if (is_prefix(word, part->name))
            return show_part(console, part, rest);
    info_list_parts(console, ", ", " or ", names, sizeof names);
    return length ? console_complain(console, "there is no 'info %s'; it is info %s", word, names)
                  : console_complain(console, "info %s", names);
}

bool do_processor(struct console *console, const struct console_arguments *arguments)
{
    if (!arguments->at[0].given)
        return info_processors(console, arguments);
    gpucode_debug_select(console->debug, (unsigned)arguments->at[0].number);
    console->next_section = UINT32_MAX;
    show_current(console);
    return true;
}
