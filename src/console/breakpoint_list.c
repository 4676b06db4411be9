/* SPDX-License-Identifier: MIT */
/* Commands that change breakpoints, named by numbers, ranges of them or a place. */
#include "console/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef enum gpucode_status change(struct gpucode_debug *debug, unsigned number);

/* Changes those with numbers from first to last; false: there are none. */
static bool change_between(struct console *console, unsigned long first, unsigned long last, change *each)
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

/* Numbers and ranges of them; all breakpoints when there are none. */
static bool change_listed(struct console *console, const char *arguments, change *each)
{
    if (!*arguments)
        change_between(console, 1, ULONG_MAX, each);
    while (*arguments) {
        char *end;
        unsigned long first = strtoul(arguments, &end, 10), last = first;
        bool good = end != arguments && first;
        if (good && *end == '-') {
            const char *digits = end + 1;
            last = strtoul(digits, &end, 10);
            good = end != digits && last >= first;
        }
        if (!good || (*end && *end != ' '))
            return console_complain(console, "'%.*s' is no number of a point", (int)strcspn(arguments, " "), arguments);
        if (!change_between(console, first, last, each))
            return console_complain(console, "there is no point '%.*s'", (int)strcspn(arguments, " "), arguments);
        arguments = skip_blanks(end);
    }
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

bool do_delete(struct console *console, const char *arguments)
{
    if (strncmp(arguments, "display", 7) == 0)
        return do_undisplay(console, skip_blanks(arguments + 7));
    if (strncmp(arguments, "breakpoints", 11) == 0)
        arguments = skip_blanks(arguments + 11);
    return change_listed(console, arguments, gpucode_debug_remove);
}

bool do_clear(struct console *console, const char *arguments)
{
    struct gpucode_breakpoint breakpoint;
    unsigned processor = gpucode_debug_processor(console->debug), count = 0;
    unsigned section = gpucode_machine_section(console->machine, processor);
    uint64_t pc = gpucode_machine_pc(console->machine, processor);
    if (*arguments && !console_place(console, arguments, &section, &pc))
        return false;
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

bool do_enable(struct console *console, const char *arguments)
{
    return change_listed(console, arguments, switch_on);
}

bool do_disable(struct console *console, const char *arguments)
{
    return change_listed(console, arguments, switch_off);
}

/* The number of a breakpoint that an argument begins with; false: an error was written. */
static bool take_breakpoint_number(struct console *console, const char *arguments, unsigned *number, const char **rest)
{
    char *end;
    unsigned long long value = strtoull(arguments, &end, 10);
    *number = (unsigned)value;
    *rest = skip_blanks(end);
    return (value && value <= UINT_MAX) || console_complain(console, "there is no point %llu", value);
}

bool do_condition(struct console *console, const char *arguments)
{
    const char *condition;
    unsigned number;
    if (!take_breakpoint_number(console, arguments, &number, &condition) ||
        (*condition && !check_condition(console, condition)))
        return false;
    return gpucode_debug_condition(console->debug, number, condition) == GPUCODE_OK ||
           console_complain(console, "there is no point %u", number);
}

bool do_ignore(struct console *console, const char *arguments)
{
    const char *count;
    unsigned number;
    struct gpucode_value value;
    if (!take_breakpoint_number(console, arguments, &number, &count) || !console_evaluate_all(console, count, &value))
        return false;
    if (value.number < 0)
        return console_complain(console, "a count is at least 0");
    return gpucode_debug_ignore(console->debug, number, (uint64_t)value.number) == GPUCODE_OK ||
           console_complain(console, "there is no point %u", number);
}
