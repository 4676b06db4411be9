/* SPDX-License-Identifier: MIT */
/* Commands that make breakpoints and watchpoints: break, watch. */
#include "console/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool console_add_breakpoint(struct console *console, struct gpucode_breakpoint *breakpoint, const char *kind)
{
    if (!check_condition(console, breakpoint->condition))
        return false;
    switch (gpucode_debug_add(console->debug, breakpoint)) {
    case GPUCODE_OK:
        console_say(console, "%s %u at %s\n", kind, breakpoint->number, breakpoint->label ? breakpoint->label : "");
        return true;
    case GPUCODE_ERROR_RANGE:
        return console_complain(console, "no processor runs code at 0x%" PRIx64 " of that section",
                                breakpoint->address);
    default:
        return console_no_memory(console);
    }
}

/* How many packets share the handler at a place; a breakpoint there stops at each of them. */
static unsigned packets_at(struct console *console, unsigned section, uint64_t pc)
{
    unsigned count = 0;
    uint32_t handler;
    for (unsigned i = 0; gpucode_image_handler(gpucode_debug_image(console->debug), section, i, &handler); i++)
        count += handler == pc;
    return count;
}

static bool add_breakpoint_at(struct console *console, struct gpucode_breakpoint *breakpoint)
{
    char label[GPUCODE_NAME_MAX + 64], name[GPUCODE_NAME_MAX];
    struct gpucode_section room;
    size_t length = (size_t)snprintf(label, sizeof label, "%s:0x%04" PRIx64,
                                     section_name(console, breakpoint->section, &room), breakpoint->address);
    if (gpucode_debug_label(console->debug, breakpoint->section, breakpoint->address, name, sizeof name))
        snprintf(label + length, sizeof label - length, " <%s>", name);
    breakpoint->label = label;
    bool good =
        console_add_breakpoint(console, breakpoint, breakpoint->temporary ? "Temporary breakpoint" : "Breakpoint");
    breakpoint->label = NULL;
    unsigned packets = packets_at(console, breakpoint->section, breakpoint->address);
    if (good && packets > 1)
        console_say(console, "(this is the handler of %u packet types; `catch packet` tells them apart)\n", packets);
    const struct gpucode_outline *outline = gpucode_debug_outline(console->debug);
    uint32_t count, unit = gpucode_outline_find(outline, breakpoint->section, breakpoint->address);
    const struct gpucode_unit *units = gpucode_outline_units(outline, &count);
    if (good && unit != GPUCODE_NONE && units[unit].at < breakpoint->address)
        console_say(console, "(this is inside the instruction at 0x%04" PRIx64 ", and stops where code jumps to it)\n",
                    units[unit].at);
    return good;
}

/* The selected processor's section first, then the others that run on one. */
static bool add_at_entries(struct console *console, struct gpucode_breakpoint *breakpoint,
                           const uint64_t pcs[SECTIONS_MAX])
{
    bool done[SECTIONS_MAX] = {false};
    unsigned selected = gpucode_debug_processor(console->debug);
    for (unsigned i = 0; i == 0 || gpucode_machine_processor(console->machine, i - 1); i++) {
        unsigned section = gpucode_machine_section(console->machine, i ? i - 1 : selected);
        if (section >= SECTIONS_MAX || done[section] || pcs[section] == UINT64_MAX)
            continue;
        done[section] = true;
        breakpoint->section = section;
        breakpoint->address = pcs[section];
        if (!add_breakpoint_at(console, breakpoint))
            return false;
    }
    return true;
}

static bool add_breakpoints(struct console *console, const struct console_arguments *arguments, bool temporary)
{
    const struct console_argument *place = &arguments->at[0];
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE,
                                            .temporary = temporary,
                                            .condition = arguments->condition,
                                            .section = place->given ? place->section : console_section(console),
                                            .address = place->given ? place->pc : console_pc(console)};
    /* a user's label of a packet's name may mean another place */
    uint64_t entries[SECTIONS_MAX];
    if (packet_entries(console, place->text, entries) && breakpoint.section < SECTIONS_MAX &&
        entries[breakpoint.section] == breakpoint.address)
        return add_at_entries(console, &breakpoint, entries);
    bool source = is_source_place(console, place->text);
    do
        if (!add_breakpoint_at(console, &breakpoint))
            return false;
    while (source && next_place(console, &breakpoint.section, &breakpoint.address));
    return true;
}

bool do_break(struct console *console, const struct console_arguments *arguments)
{
    return add_breakpoints(console, arguments, false);
}

bool do_tbreak(struct console *console, const struct console_arguments *arguments)
{
    return add_breakpoints(console, arguments, true);
}

bool take_watched(struct console *console, const char *what, struct console_argument *argument)
{
    struct gpucode_breakpoint *breakpoint = &argument->watched;
    struct gpucode_value value = {0}, size = {.number = 4};
    if (*what == '{' && what[1] && what[strlen(what) - 1] == '}') {
        const char *comma = find_comma(what + 1);
        size_t end = strlen(what) - 1;
        if (*comma == ',') {
            if (!console_evaluate(console, comma + 1, end - (size_t)(comma + 1 - what), &size))
                return false;
            end = (size_t)(comma - what);
        }
        if (!console_evaluate(console, what + 1, end - 1, &value))
            return false;
        if (size.number < 1)
            return console_complain(console, "a size is at least 1");
        breakpoint->kind = GPUCODE_WATCHPOINT_MEMORY;
        breakpoint->address = (uint64_t)value.number;
        breakpoint->size = (uint64_t)size.number;
        struct gpucode_space_info gpu;
        if (gpucode_machine_space(console->machine, GPUCODE_SPACE_GPU, &gpu) && gpu.addressed) {
            breakpoint->kind = GPUCODE_WATCHPOINT_REGISTER;
            breakpoint->space = GPUCODE_SPACE_GPU;
        }
        return true;
    }
    char name[256];
    uint32_t number;
    snprintf(name, sizeof name, "%s", what + (*what == '\'')); /* registers that cannot be read can be watched */
    name[strcspn(name, "'")] = 0;
    bool is_number = isdigit((unsigned char)*what); /* a register's number needs quotes */
    if (!is_number && gpucode_machine_find(console->machine, name, &value.space, &number)) {
        value.place = GPUCODE_VALUE_REGISTER;
        value.address = number;
    } else if (!console_evaluate_all(console, what, &value)) {
        return false;
    }
    breakpoint->kind = value.place == GPUCODE_VALUE_REGISTER ? GPUCODE_WATCHPOINT_REGISTER : GPUCODE_WATCHPOINT_MEMORY;
    breakpoint->space = value.space;
    breakpoint->address = value.address;
    breakpoint->size = value.place == GPUCODE_VALUE_MEMORY ? value.size : 1;
    struct gpucode_space_info info;
    if (breakpoint->kind == GPUCODE_WATCHPOINT_REGISTER &&
        gpucode_machine_space(console->machine, value.space, &info) && !info.shared) { /* each processor has its own */
        breakpoint->one_processor = true;
        breakpoint->processor = gpucode_debug_processor(console->debug);
    }
    return value.place == GPUCODE_VALUE_REGISTER || value.place == GPUCODE_VALUE_MEMORY ||
           console_complain(console, "a register or memory can be watched: $02, *ADDRESS, {ADDRESS, SIZE}");
}

static bool add_watch(struct console *console, const struct console_arguments *arguments,
                      const struct console_argument *what, unsigned access)
{
    struct gpucode_breakpoint breakpoint = what->watched;
    breakpoint.access = access;
    breakpoint.condition = arguments->condition;
    breakpoint.label = what->text;
    if (breakpoint.kind == GPUCODE_WATCHPOINT_REGISTER && breakpoint.space == GPUCODE_SPACE_EVENT &&
        access != GPUCODE_ACCESS_READ)
        return console_complain(console, "events change outside; `rwatch` stops where a script has waited for one");
    return console_add_breakpoint(console, &breakpoint, "Watchpoint");
}

/* -l, -location: gdb's words for watching a place, which is what is always done here. */
bool do_watch(struct console *console, const struct console_arguments *arguments)
{
    unsigned access = 0;
    for (const char *at = arguments->at[1].text; *at; at++)
        access |= *at == 'r'   ? GPUCODE_ACCESS_READ
                  : *at == 'w' ? GPUCODE_ACCESS_WRITE
                  : *at == 'c' ? GPUCODE_ACCESS_CHANGE
                  : *at == 'a' ? GPUCODE_ACCESS_READ | GPUCODE_ACCESS_WRITE
                               : 0;
    return add_watch(console, arguments, &arguments->at[2], access ? access : GPUCODE_ACCESS_CHANGE);
}

bool do_rwatch(struct console *console, const struct console_arguments *arguments)
{
    return add_watch(console, arguments, &arguments->at[0], GPUCODE_ACCESS_READ);
}

bool do_awatch(struct console *console, const struct console_arguments *arguments)
{
    return add_watch(console, arguments, &arguments->at[0], GPUCODE_ACCESS_READ | GPUCODE_ACCESS_WRITE);
}
