/* SPDX-License-Identifier: MIT */
/* Commands that change breakpoints, named by numbers, ranges of them or a place. */
#include "console/internal.h"

#include <string.h>

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
