/* SPDX-License-Identifier: MIT */
/* Commands that make breakpoints: break, watch, catch. */
#include "console/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts "WHAT if CONDITION" in two; *condition is null without one. False: too long. */
static bool split(struct console *console, const char *arguments, char *what, size_t size, const char **condition)
{
    const char *at = strncmp(arguments, "if ", 3) == 0 ? arguments : strstr(arguments, " if ");
    size_t length = at ? (size_t)(at - arguments) : strlen(arguments);
    if (length >= size)
        return complain_of(console, "the arguments are too long");
    memcpy(what, arguments, length);
    what[length] = 0;
    *condition = at ? skip_blanks(at + (*at == ' ') + 3) : NULL;
    if (*condition && !**condition)
        return complain_of(console, "a condition is missing");
    return true;
}

bool check_condition(struct console *console, const char *condition)
{
    struct gpucode_value value;
    return !condition || gpucode_debug_evaluate(console->debug, condition, strlen(condition), false,
                                                console_diagnostic_handler(console), &value) == GPUCODE_OK;
}

static bool add(struct console *console, struct gpucode_breakpoint *breakpoint, const char *kind)
{
    if (!check_condition(console, breakpoint->condition))
        return false;
    switch (gpucode_debug_add(console->debug, breakpoint)) {
    case GPUCODE_OK:
        say(console, "%s %u at %s\n", kind, breakpoint->number, breakpoint->label ? breakpoint->label : "");
        return true;
    case GPUCODE_ERROR_RANGE:
        return complain_of(console, "no processor runs code at 0x%" PRIx64 " of that section", breakpoint->address);
    default:
        return complain_of(console, "out of memory");
    }
}

/* How many packets share the handler at a place: a breakpoint there is for all of them. */
static unsigned packets_at(struct console *console, unsigned section, uint64_t pc)
{
    unsigned count = 0;
    uint32_t handler;
    for (unsigned i = 0; gpucode_image_handler(gpucode_debug_image(console->debug), section, i, &handler); i++)
        count += handler == pc;
    return count;
}

static bool add_break_at(struct console *console, struct gpucode_breakpoint *breakpoint)
{
    char label[GPUCODE_NAME_MAX + 64], name[GPUCODE_NAME_MAX];
    struct gpucode_section room;
    size_t length = (size_t)snprintf(label, sizeof label, "%s:0x%04" PRIx64,
                                     section_name(console, breakpoint->section, &room), breakpoint->address);
    if (gpucode_debug_label(console->debug, breakpoint->section, breakpoint->address, name, sizeof name))
        snprintf(label + length, sizeof label - length, " <%s>", name);
    breakpoint->label = label;
    bool good = add(console, breakpoint, breakpoint->temporary ? "Temporary breakpoint" : "Breakpoint");
    breakpoint->label = NULL;
    unsigned packets = packets_at(console, breakpoint->section, breakpoint->address);
    if (good && packets > 1)
        say(console, "(this is the handler of %u packet types; `catch packet` tells them apart)\n", packets);
    return good;
}

static bool add_break(struct console *console, const char *arguments, bool temporary)
{
    char what[256];
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE, .temporary = temporary};
    unsigned processor = gpucode_debug_processor(console->debug);
    if (!split(console, arguments, what, sizeof what, &breakpoint.condition))
        return false;
    if (!*what) {
        breakpoint.section = gpucode_machine_section(console->machine, processor);
        breakpoint.address = gpucode_machine_pc(console->machine, processor);
    } else if (!console_place(console, what, &breakpoint.section, &breakpoint.address)) {
        return false;
    }
    bool source = is_source_place(console, what);
    do
        if (!add_break_at(console, &breakpoint))
            return false;
    while (source && next_place(console, &breakpoint.section, &breakpoint.address));
    return true;
}

bool do_break(struct console *console, const char *arguments)
{
    return add_break(console, arguments, false);
}

bool do_tbreak(struct console *console, const char *arguments)
{
    return add_break(console, arguments, true);
}

/* A register, *ADDRESS, or {ADDRESS, SIZE} of any size. */
static bool take_watched(struct console *console, const char *what, struct gpucode_breakpoint *breakpoint)
{
    struct gpucode_value value = {0}, size = {.number = 4};
    if (*what == '{' && what[1] && what[strlen(what) - 1] == '}') {
        const char *comma = find_comma(what + 1);
        size_t end = strlen(what) - 1;
        if (*comma == ',') {
            if (!evaluate(console, comma + 1, end - (size_t)(comma + 1 - what), &size))
                return false;
            end = (size_t)(comma - what);
        }
        if (!evaluate(console, what + 1, end - 1, &value))
            return false;
        if (size.number < 1)
            return complain_of(console, "a size is at least 1");
        breakpoint->kind = GPUCODE_WATCHPOINT_MEMORY;
        breakpoint->address = (uint64_t)value.number;
        breakpoint->size = (uint64_t)size.number;
        struct gpucode_space_info gpu;
        if (gpucode_machine_space(console->machine, GPUCODE_SPACE_GPU, &gpu) && gpu.count == UINT32_MAX) {
            breakpoint->kind =
                GPUCODE_WATCHPOINT_REGISTER; /* HWSQ: registers stand at addresses, and there is no memory */
            breakpoint->space = GPUCODE_SPACE_GPU;
        }
        return true;
    }
    char name[256];
    uint32_t number;
    snprintf(name, sizeof name, "%s", what + (*what == '\'')); /* a register need not be readable to be watched */
    name[strcspn(name, "'")] = 0;
    bool is_number = isdigit((unsigned char)*what); /* which would be a register's number in quotes only */
    if (!is_number && gpucode_machine_find(console->machine, name, &value.space, &number)) {
        value.place = GPUCODE_VALUE_REGISTER;
        value.address = number;
    } else if (!evaluate_all(console, what, &value)) {
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
    if (breakpoint->kind == GPUCODE_WATCHPOINT_REGISTER && breakpoint->space == GPUCODE_SPACE_EVENT &&
        breakpoint->access != GPUCODE_ACCESS_READ)
        return complain_of(console, "events change outside; `rwatch` stops where a script has waited for one");
    return value.place == GPUCODE_VALUE_REGISTER || value.place == GPUCODE_VALUE_MEMORY ||
           complain_of(console, "a register or memory can be watched: $02, *ADDRESS, {ADDRESS, SIZE}");
}

static bool add_watch(struct console *console, const char *arguments, unsigned access)
{
    char what[256];
    struct gpucode_breakpoint breakpoint = {.access = access, .label = what};
    if (!split(console, arguments, what, sizeof what, &breakpoint.condition))
        return false;
    if (!*what)
        return complain_of(console, "watch what?");
    return take_watched(console, what, &breakpoint) && add(console, &breakpoint, "Watchpoint");
}

bool do_watch(struct console *console, const char *arguments)
{
    unsigned access = 0;
    if (strncmp(arguments, "-l ", 3) == 0 || strncmp(arguments, "-location ", 10) == 0)
        arguments = skip_blanks(strchr(arguments, ' ')); /* gdb's way to say what is always so here */
    if (*arguments == '/')
        for (arguments++; *arguments && *arguments != ' '; arguments++) {
            unsigned bit = *arguments == 'r'   ? GPUCODE_ACCESS_READ
                           : *arguments == 'w' ? GPUCODE_ACCESS_WRITE
                           : *arguments == 'c' ? GPUCODE_ACCESS_CHANGE
                           : *arguments == 'a' ? GPUCODE_ACCESS_READ | GPUCODE_ACCESS_WRITE
                                               : 0;
            if (!bit)
                return complain_of(console, "'%c' is no access: r read, w write, a either, c change", *arguments);
            access |= bit;
        }
    return add_watch(console, skip_blanks(arguments), access ? access : GPUCODE_ACCESS_CHANGE);
}

bool do_rwatch(struct console *console, const char *arguments)
{
    return add_watch(console, arguments, GPUCODE_ACCESS_READ);
}

bool do_awatch(struct console *console, const char *arguments)
{
    return add_watch(console, arguments, GPUCODE_ACCESS_READ | GPUCODE_ACCESS_WRITE);
}

static bool catch_packet(struct console *console, const char *name, struct gpucode_breakpoint *breakpoint)
{
    const struct gpucode_target *target = gpucode_image_info(gpucode_debug_image(console->debug))->target;
    struct gpucode_value value;
    uint32_t number;
    breakpoint->kind = GPUCODE_CATCHPOINT_PACKET;
    breakpoint->address = GPUCODE_ANY;
    if (!*name)
        return true;
    if (gpucode_number_of(target, NULL, GPUCODE_SPACE_PACKET, name, strlen(name), &number)) {
        breakpoint->address = number;
        return true;
    }
    if (!evaluate_all(console, name, &value))
        return false;
    breakpoint->address = (uint64_t)value.number;
    return true;
}

/* A flag or an event by name: both can be of that name. */
static bool catch_action(struct console *console, const char *name, struct gpucode_breakpoint *breakpoint)
{
    const struct gpucode_target *target = gpucode_image_info(gpucode_debug_image(console->debug))->target;
    static const enum gpucode_space spaces[] = {GPUCODE_SPACE_FLAG, GPUCODE_SPACE_EVENT};
    uint32_t number;
    breakpoint->kind = GPUCODE_CATCHPOINT_ACTION;
    breakpoint->address = GPUCODE_ANY;
    if (strcmp(name, "action") == 0)
        return true;
    name += *name == '#';
    for (unsigned i = 0; i < 2; i++)
        if (gpucode_number_of(target, NULL, spaces[i], name, strlen(name), &number)) {
            breakpoint->space = spaces[i];
            breakpoint->address = number;
            return true;
        }
    return complain_of(console, "'%s' is nothing to catch: packet, fault, protected, action, a flag or an event", name);
}

/* Is it the name of a stop, with or without that of the instruction set in front? */
static bool is_code(const struct gpucode_target *target, const char *name)
{
    char code[128];
    snprintf(code, sizeof code, "%s-%s", gpucode_target_isa(target), name);
    return gpucode_explain(name) || gpucode_explain(code);
}

bool do_catch(struct console *console, const char *arguments)
{
    char what[256];
    struct gpucode_breakpoint breakpoint = {.label = what};
    if (!split(console, arguments, what, sizeof what, &breakpoint.condition))
        return false;
    char *rest = strchr(what, ' ');
    size_t length = rest ? (size_t)(rest - what) : strlen(what);
    const char *argument = rest ? skip_blanks(rest) : "";
    const struct gpucode_target *target = gpucode_image_info(gpucode_debug_image(console->debug))->target;
    bool good, packets = strcmp(gpucode_target_isa(target), "afuc") == 0;
    if (!packets && length >= 6 && (strcmp(what, "protected") == 0 || memcmp(what, "packet", 6) == 0))
        return complain_of(console, "this machine has no packets and no protected registers");
    if (length == 6 && memcmp(what, "packet", 6) == 0) {
        good = catch_packet(console, argument, &breakpoint);
    } else if ((length == 5 && memcmp(what, "fault", 5) == 0) || (length == 9 && memcmp(what, "protected", 9) == 0)) {
        breakpoint.kind = GPUCODE_CATCHPOINT_FAULT;
        breakpoint.code = *what == 'p' ? "protect" : *argument ? argument : NULL;
        good = true;
    } else {
        good = *what ? catch_action(console, what, &breakpoint) : complain_of(console, "catch what?");
    }
    if (!good || !add(console, &breakpoint, "Catchpoint"))
        return false;
    if (breakpoint.kind == GPUCODE_CATCHPOINT_FAULT && breakpoint.code == argument && !is_code(target, argument))
        say(console, "(no stop is called that; those whose name contains it count)\n");
    return true;
}
