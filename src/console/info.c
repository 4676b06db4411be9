/* SPDX-License-Identifier: MIT */
/* info and processor: parts of the state. */
#include "console/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        say(console, "%-3u %s %s%s %s", breakpoint.number, breakpoint.disabled ? "-" : "+", kinds[breakpoint.kind],
            breakpoint.temporary ? " once" : "", breakpoint.label ? breakpoint.label : "");
        if (breakpoint.access & GPUCODE_ACCESS_READ)
            say(console, " read");
        if (breakpoint.access & (GPUCODE_ACCESS_WRITE | GPUCODE_ACCESS_CHANGE))
            say(console, breakpoint.access & GPUCODE_ACCESS_WRITE ? " write" : " change");
        if (breakpoint.condition)
            say(console, " if %s", breakpoint.condition);
        if (breakpoint.ignore)
            say(console, ", ignore %" PRIu64, breakpoint.ignore);
        if (breakpoint.hits)
            say(console, ", hit %" PRIu64 " time%s", breakpoint.hits, breakpoint.hits == 1 ? "" : "s");
        say(console, "\n");
        for (const char *line = bp_commands_find(console, breakpoint.number); line && *line;
             line = strchr(line, '\n') + 1)
            say(console, "        %.*s\n", (int)strcspn(line, "\n"), line);
    }
    if (!shown)
        say(console, watches ? "no watchpoints\n" : "no points\n");
    return true;
}

static bool info_breakpoints(struct console *console, const char *arguments)
{
    (void)arguments;
    return list_breakpoints(console, false);
}

static bool info_watchpoints(struct console *console, const char *arguments)
{
    (void)arguments;
    return list_breakpoints(console, true);
}

static bool info_packets(struct console *console, const char *arguments)
{
    unsigned section = gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
    const struct gpucode_image *image = gpucode_debug_image(console->debug);
    char name[GPUCODE_NAME_MAX];
    uint32_t handler;
    unsigned i;
    (void)arguments;
    for (i = 0; gpucode_image_handler(image, section, i, &handler); i++) {
        if (!gpucode_name_of(gpucode_image_info(image)->target, NULL, GPUCODE_SPACE_PACKET, i, name, sizeof name))
            continue; /* nobody knows such a packet; its handler is the default one */
        say(console, "0x%02x %-32s 0x%04x\n", i, name, (unsigned)handler);
    }
    return i || complain_of(console, "the section has no packet table");
}

/* The registers that tell of queues, wherever the chip has them. */
static bool info_queues(struct console *console, const char *arguments)
{
    static const char *const names[] = {"@IB_LEVEL",
                                        "@IB1_BASE",
                                        "@IB1_DWORDS",
                                        "@IB2_BASE",
                                        "@IB2_DWORDS",
                                        "@IB3_BASE",
                                        "@IB3_DWORDS",
                                        "@SDS_BASE",
                                        "@SDS_DWORDS",
                                        "@MEM_READ_ADDR",
                                        "@MEM_READ_DWORDS",
                                        "@REG_READ_ADDR",
                                        "@REG_READ_DWORDS",
                                        "CP_RB_BASE",
                                        "CP_RB_RPTR",
                                        "CP_RB_WPTR",
                                        "$rem"};
    unsigned processor = gpucode_debug_processor(console->debug), space, found = 0;
    uint32_t number, value, high;
    (void)arguments;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!gpucode_machine_find(console->machine, names[i], &space, &number) ||
            gpucode_machine_read(console->machine, processor, space, number, &value) != GPUCODE_OK)
            continue;
        found++;
        bool wide = strstr(names[i], "BASE") || strstr(names[i], "ADDR");
        if (wide && strncmp(names[i], "@REG", 4) != 0 &&
            gpucode_machine_read(console->machine, processor, space, number + 1, &high) == GPUCODE_OK)
            say(console, "%-20s 0x%" PRIx64 "\n", names[i], (uint64_t)high << 32 | value);
        else
            say(console, "%-20s 0x%x\n", names[i], (unsigned)value);
    }
    return found || complain_of(console, "this machine has no queues");
}

static bool info_flags(struct console *console, const char *arguments)
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
            if (gpucode_machine_name(console->machine, space, i, name, sizeof name))
                say(console, "%-6s %-24s %u%s\n", space == GPUCODE_SPACE_FLAG ? "flag" : "event", name,
                    (unsigned)value & 1, space == GPUCODE_SPACE_FLAG && value & 2 ? " driven" : "");
        }
    return found || complain_of(console, "this machine has no flags");
}

static bool info_processors(struct console *console, const char *arguments)
{
    const char *name;
    struct gpucode_section room;
    (void)arguments;
    for (unsigned i = 0; (name = gpucode_machine_processor(console->machine, i)); i++) {
        say(console, "%s %-6s %s:", i == gpucode_debug_processor(console->debug) ? "*" : " ", name,
            section_name(console, gpucode_machine_section(console->machine, i), &room));
        put_address(console, gpucode_machine_section(console->machine, i), gpucode_machine_pc(console->machine, i));
        say(console, "\n");
    }
    return true;
}

static bool info_symbols(struct console *console, const char *arguments)
{
    struct gpucode_label label;
    (void)arguments;
    for (unsigned i = 0; gpucode_symbols_at(console->symbols, i, &label); i++) {
        if (label.kind == GPUCODE_LABEL_REGISTER)
            say(console, "%-8s %-18s %s\n", "reg", label.text, label.name);
        else
            say(console, "%-8s 0x%-16" PRIx64 " %s\n",
                label.kind == GPUCODE_LABEL_CODE       ? label.section
                : label.kind == GPUCODE_LABEL_CONSTANT ? "="
                                                       : "mem",
                (uint64_t)label.value, label.name);
    }
    return true;
}

static bool info_snapshots(struct console *console, const char *arguments)
{
    (void)arguments;
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        if (console->kept[i].snapshot)
            say(console, "%-3u instruction %" PRIu64 "%s%s%s\n", i + 1, console->kept[i].position,
                console->kept[i].name[0] ? " " : "", console->kept[i].name,
                console->kept[i].foreign ? " (another course of events)" : "");
    return true;
}

static bool info_line(struct console *console, const char *arguments)
{
    unsigned section = gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
    uint64_t pc = gpucode_machine_pc(console->machine, gpucode_debug_processor(console->debug));
    if (*arguments && !console_place(console, arguments, &section, &pc))
        return false;
    put_address(console, section, pc);
    say(console, "%s\n", put_source(console, section, pc, " is ") ? "" : " has no source place");
    return true;
}

static bool info_display(struct console *console, const char *arguments)
{
    bool any = false;
    (void)arguments;
    for (unsigned i = 0; i < DISPLAYS_MAX; i++)
        if (console->displays[i].text[0]) {
            any = true;
            say(console, "%-3u %s\n", i + 1, console->displays[i].text);
        }
    say(console, "%s", any ? "" : "no displays\n");
    return true;
}

/* What an address or a register is called. */
static bool info_symbol(struct console *console, const char *arguments)
{
    struct gpucode_value value;
    struct gpucode_label label;
    char name[GPUCODE_NAME_MAX];
    if (!*arguments)
        return info_symbols(console, arguments);
    if (!evaluate_all(console, arguments, &value))
        return false;
    for (unsigned i = 0; value.place == GPUCODE_VALUE_MEMORY && gpucode_symbols_at(console->symbols, i, &label); i++)
        if (label.kind == GPUCODE_LABEL_MEMORY && (uint64_t)label.value == value.address) {
            say(console, "%s is memory at 0x%" PRIx64 "\n", label.name, value.address);
            return true;
        }
    unsigned section = value.is_code
                           ? value.section
                           : gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
    if (value.place == GPUCODE_VALUE_MEMORY ||
        !gpucode_debug_label(console->debug, section, (uint64_t)value.number, name, sizeof name))
        return complain_of(console, "no symbol is there");
    struct gpucode_section room;
    say(console, "%s is %s:0x%04" PRIx64 "\n", name, section_name(console, section, &room), (uint64_t)value.number);
    return true;
}

static bool info_address(struct console *console, const char *arguments)
{
    struct gpucode_value value;
    struct gpucode_section room;
    struct gpucode_space_info info;
    if (!evaluate_all(console, arguments, &value))
        return false;
    if (value.place == GPUCODE_VALUE_REGISTER && gpucode_machine_space(console->machine, value.space, &info))
        say(console, "%s is register 0x%" PRIx64 " of the space %s\n", arguments, value.address, info.name);
    else if (value.is_code)
        say(console, "%s is code at %s:0x%04" PRIx64 "\n", arguments, section_name(console, value.section, &room),
            (uint64_t)value.number);
    else if (value.place == GPUCODE_VALUE_MEMORY)
        say(console, "%s is memory at 0x%" PRIx64 "\n", arguments, value.address);
    else
        say(console, "%s is the number 0x%" PRIx64 "\n", arguments, (uint64_t)value.number);
    return true;
}

static bool info_policies(struct console *console, const char *arguments)
{
    struct gpucode_policy policy;
    (void)arguments;
    for (unsigned i = 0; gpucode_policy_at(gpucode_image_info(gpucode_debug_image(console->debug))->target, i, &policy);
         i++)
        say(console, "%-20s %s (default %s)\n", policy.name, policy.values, policy.preset);
    return true;
}

static bool info_frame(struct console *console, const char *arguments)
{
    return do_frame(console, arguments);
}

bool do_info(struct console *console, const char *arguments)
{
    static const struct {
        const char *name;
        bool (*show)(struct console *console, const char *arguments);
    } parts[] = {
        {"registers", info_registers},
        {"all-registers", info_all_registers},
        {"breakpoints", info_breakpoints},
        {"watchpoints", info_watchpoints},
        {"stack", do_backtrace},
        {"frame", info_frame},
        {"packets", info_packets},
        {"queues", info_queues},
        {"flags", info_flags},
        {"processors", info_processors},
        {"threads", info_processors},
        {"symbols", info_symbols},
        {"symbol", info_symbol},
        {"address", info_address},
        {"display", info_display},
        {"history", do_record},
        {"record", do_record},
        {"snapshots", info_snapshots},
        {"line", info_line},
        {"policies", info_policies},
    };
    char word[32];
    size_t length = strcspn(arguments, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, arguments);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(word, parts[i].name) == 0)
            return parts[i].show(console, skip_blanks(arguments + length));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_prefix(word, parts[i].name))
            return parts[i].show(console, skip_blanks(arguments + length));
    return complain_of(console,
                       "info registers, all-registers, breakpoints, watchpoints, stack, frame, packets, queues, flags, "
                       "processors, symbols, symbol, address, line, display, history, snapshots or policies");
}

bool do_processor(struct console *console, const char *arguments)
{
    const char *name;
    if (!*arguments)
        return info_processors(console, "");
    char *end;
    unsigned long number = strtoul(arguments, &end, 10); /* gdb's threads have numbers from 1 on; names go first */
    for (unsigned i = 0; !*end && (name = gpucode_machine_processor(console->machine, i)); i++)
        if (strcmp(name, arguments) == 0)
            number = 0;
    for (unsigned i = 0; (name = gpucode_machine_processor(console->machine, i)); i++)
        if (strcmp(name, arguments) == 0 || (!*end && number == i + 1)) {
            gpucode_debug_select(console->debug, i);
            console->next_section = UINT32_MAX;
            show_current(console);
            return true;
        }
    return complain_of(console, "there is no processor '%s'", arguments);
}
