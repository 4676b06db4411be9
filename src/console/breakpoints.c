/* SPDX-License-Identifier: MIT */
/* Commands that make breakpoints and watchpoints: break, watch. */
#include "console/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds it and tells so, with what it is called. False: an error was written. */
static bool console_add_breakpoint(struct console *console, struct gpucode_breakpoint *breakpoint, const char *kind)
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

/* Commands that change breakpoints, named by numbers, ranges of them or a place. */

typedef enum gpucode_status change(struct gpucode_debug *debug, unsigned number);

/* Changes those with numbers from first to last; false: there are none. */
static bool change_between(struct console *console, uint64_t first, uint64_t last, change *each)
{
    struct gpucode_breakpoint breakpoint, now;
    bool found = false;
    for (unsigned i = 0; gpucode_debug_breakpoint_at(console->debug, i, &breakpoint);) {
        bool meant = breakpoint.number >= first && breakpoint.number <= last;
        found |= meant;
        if (meant)
            each(console->debug, breakpoint.number);
        /* after a removal the next one has this index */
        i += gpucode_debug_breakpoint_at(console->debug, i, &now) && now.number == breakpoint.number;
    }
    return found;
}

/* All breakpoints when no numbers are given. */
static bool change_listed(struct console *console, const struct console_argument *numbers, change *each)
{
    uint64_t first, last;
    if (!numbers->given)
        change_between(console, 1, UINT64_MAX, each);
    for (const char *at = numbers->text, *number = at; next_range(&at, &first, &last); number = at)
        if (!change_between(console, first, last, each))
            return console_complain(console, "there is no point '%.*s'", (int)strcspn(number, " "), number);
    return true;
}

static enum gpucode_status switch_on(struct gpucode_debug *debug, unsigned number)
{
    return gpucode_debug_enable(debug, number, true);
}

static enum gpucode_status switch_off(struct gpucode_debug *debug, unsigned number)
{
    return gpucode_debug_enable(debug, number, false);
}

/* gdb says which list is meant. */
bool do_delete(struct console *console, const struct console_arguments *arguments)
{
    return strcmp(arguments->at[0].text, "display") == 0
               ? console_command(console, "undisplay", arguments->at[1].text)
               : change_listed(console, &arguments->at[1], gpucode_debug_remove);
}

bool do_clear(struct console *console, const struct console_arguments *arguments)
{
    const struct console_argument *place = &arguments->at[0];
    struct gpucode_breakpoint breakpoint;
    unsigned section = place->given ? place->section : console_section(console), count = 0;
    uint64_t pc = place->given ? place->pc : console_pc(console);
    for (unsigned i = 0; gpucode_debug_breakpoint_at(console->debug, i, &breakpoint);)
        if (breakpoint.kind == GPUCODE_BREAKPOINT_CODE && breakpoint.section == section && breakpoint.address == pc) {
            console_say(console, "%s %u", count++ ? "," : "Deleted breakpoint", breakpoint.number);
            gpucode_debug_remove(console->debug, breakpoint.number);
        } else {
            i++;
        }
    console_say(console, "%s", count ? "\n" : "");
    return count || console_complain(console, "there is no breakpoint at that place");
}

bool do_enable(struct console *console, const struct console_arguments *arguments)
{
    return change_listed(console, &arguments->at[0], switch_on);
}

bool do_disable(struct console *console, const struct console_arguments *arguments)
{
    return change_listed(console, &arguments->at[0], switch_off);
}

bool do_condition(struct console *console, const struct console_arguments *arguments)
{
    unsigned number = (unsigned)arguments->at[0].number;
    return gpucode_debug_condition(console->debug, number, arguments->at[1].text) == GPUCODE_OK ||
           console_complain(console, "there is no point %u", number);
}

bool do_ignore(struct console *console, const struct console_arguments *arguments)
{
    unsigned number = (unsigned)arguments->at[0].number;
    return gpucode_debug_ignore(console->debug, number, arguments->at[1].number) == GPUCODE_OK ||
           console_complain(console, "there is no point %u", number);
}

/*
 * Commands that breakpoints have: `commands N`, lines, `end`. They run when the breakpoint is hit. A command that
 * moves in time ends the list, because a breakpoint that it hits has its own.
 */

const char *bp_commands_find(const struct console *console, unsigned breakpoint)
{
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++)
        if (console->bp_commands[i].breakpoint == breakpoint && console->bp_commands[i].text)
            return console->bp_commands[i].text;
    return NULL;
}

static void forget_commands(struct console *console, unsigned breakpoint)
{
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++)
        if (console->bp_commands[i].breakpoint == breakpoint) {
            free(console->bp_commands[i].text);
            console->bp_commands[i] = (struct bp_commands){0};
        }
}

void bp_commands_free(struct console *console)
{
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++)
        free(console->bp_commands[i].text);
}

static bool breakpoint_exists(struct console *console, unsigned number)
{
    struct gpucode_breakpoint breakpoint;
    for (unsigned i = 0; gpucode_debug_breakpoint_at(console->debug, i, &breakpoint); i++)
        if (breakpoint.number == number)
            return true;
    return false;
}

bool do_commands(struct console *console, const struct console_arguments *arguments)
{
    struct gpucode_breakpoint breakpoint = {0};
    uint64_t number = arguments->at[0].number;
    if (!arguments->at[0].given) { /* the newest */
        for (unsigned i = 0; gpucode_debug_breakpoint_at(console->debug, i, &breakpoint); i++)
            ;
        number = breakpoint.number;
    }
    if (!number || !breakpoint_exists(console, (unsigned)number))
        return console_complain(console, "there is no such point");
    forget_commands(console, (unsigned)number);
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++) /* lists of breakpoints that are gone */
        if (console->bp_commands[i].breakpoint && !breakpoint_exists(console, console->bp_commands[i].breakpoint))
            forget_commands(console, console->bp_commands[i].breakpoint);
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++)
        if (!console->bp_commands[i].breakpoint) {
            console->bp_commands[i].breakpoint = (unsigned)number;
            console->collecting = (unsigned)number;
            return true;
        }
    return console_complain(console, "at most %d points can have commands", BP_COMMANDS_MAX);
}

bool bp_commands_add_line(struct console *console, const char *line)
{
    line = skip_blanks(line);
    size_t length = strcspn(line, "\r\n");
    if (length == 3 && memcmp(line, "end", 3) == 0) {
        console->collecting = 0;
        return true;
    }
    for (unsigned i = 0; i < BP_COMMANDS_MAX; i++) {
        struct bp_commands *bp_commands = &console->bp_commands[i];
        if (bp_commands->breakpoint != console->collecting || !length)
            continue;
        size_t used = bp_commands->text ? strlen(bp_commands->text) : 0;
        char *grown = used + length + 2 <= BP_COMMANDS_BYTES ? realloc(bp_commands->text, used + length + 2) : NULL;
        if (!grown)
            return console_complain(console, "the list of commands is too long");
        bp_commands->text = grown;
        snprintf(grown + used, length + 2, "%.*s\n", (int)length, line);
        break;
    }
    return true;
}

bool bp_commands_run(struct console *console, bool (*run)(struct console *console, const char *line))
{
    const char *text = bp_commands_find(console, console->hit);
    char *lines = text ? strdup(text) : NULL; /* a command may change the list */
    console->hit = 0;
    bool good = lines || !text || console_no_memory(console), moved = false;
    console->runs_bp_commands = true;
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
    console->runs_bp_commands = false;
    free(lines);
    return good;
}

/* catch: stops at faults, at flags and events, and at what the instruction set can catch of its own. */

/* "packet, fault, protected, action": what the arguments of `catch` begin with, NAME left out. */
static void list_catchable(const struct console *console, char *text, size_t size)
{
    const struct console_command *command = command_named(console, "catch");
    size_t used = 0;
    char word[32];
    *text = 0;
    for (unsigned i = 0; command && alternative_at(command->arguments, i, word, sizeof word); i++)
        if (used + strlen(word) + 3 < size)
            used += (size_t)snprintf(text + used, size - used, "%s, ", word);
}

/* A flag or an event by name: both can be of that name. */
static bool catch_action(struct console *console, const char *name, struct gpucode_breakpoint *breakpoint)
{
    static const enum gpucode_space spaces[] = {GPUCODE_SPACE_FLAG, GPUCODE_SPACE_EVENT};
    char known[128];
    uint32_t number;
    breakpoint->kind = GPUCODE_CATCHPOINT_ACTION;
    breakpoint->address = GPUCODE_ANY;
    if (strcmp(name, "action") == 0)
        return true;
    name += *name == '#';
    for (unsigned i = 0; i < 2; i++)
        if (gpucode_number_of(console_target(console), NULL, spaces[i], name, strlen(name), &number)) {
            breakpoint->space = spaces[i];
            breakpoint->address = number;
            return true;
        }
    list_catchable(console, known, sizeof known);
    return console_complain(console, "'%s' cannot be caught: %sa flag or an event can", name, known);
}

/* Is it the name of a stop, with or without that of the instruction set in front? */
static bool is_stop_code(const struct gpucode_target *target, const char *name)
{
    char code[128];
    snprintf(code, sizeof code, "%s-%s", gpucode_target_isa(target), name);
    return gpucode_explain(name) || gpucode_explain(code);
}

bool console_catch(struct console *console, const struct console_arguments *arguments, console_catcher *own)
{
    char label[256];
    const char *word = arguments->at[0].text, *argument = arguments->at[1].text;
    struct gpucode_breakpoint breakpoint = {.label = label, .condition = arguments->condition};
    snprintf(label, sizeof label, "%s%s%s", word, *argument ? " " : "", argument);
    enum console_caught caught = own ? own(console, word, argument, &breakpoint) : CONSOLE_OTHER;
    bool faults = caught == CONSOLE_OTHER && strcmp(word, "fault") == 0;
    if (caught == CONSOLE_WRONG)
        return false;
    if (faults) {
        breakpoint.kind = GPUCODE_CATCHPOINT_FAULT;
        breakpoint.code = *argument ? argument : NULL;
    } else if (caught == CONSOLE_OTHER) {
        if (strcmp(word, "protected") == 0 || (strncmp(word, "packet", 6) == 0 && strchr(" ", word[6])))
            return console_complain(console, "this machine has no packets and no protected registers");
        if (!catch_action(console, word, &breakpoint))
            return false;
    }
    if (!console_add_breakpoint(console, &breakpoint, "Catchpoint"))
        return false;
    if (faults && *argument && !is_stop_code(console_target(console), argument))
        console_say(console, "(no stop is called that; those whose name contains it count)\n");
    return true;
}

bool do_catch(struct console *console, const struct console_arguments *arguments)
{
    return console_catch(console, arguments, NULL);
}
