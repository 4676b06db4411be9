/* SPDX-License-Identifier: MIT */
/* catch: stops at faults, at flags and events, and at what the instruction set can catch of its own. */
#include "console/internal.h"

#include <stdio.h>
#include <string.h>

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
