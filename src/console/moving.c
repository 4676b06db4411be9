/* SPDX-License-Identifier: MIT */
/* Commands that move in time, and telling where they ended. */
#include "console/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *register_name(struct console *console, unsigned space, uint64_t number, char *text)
{
    if (!gpucode_machine_name(console->machine, space, (uint32_t)number, text, GPUCODE_NAME_MAX))
        snprintf(text, GPUCODE_NAME_MAX, "register 0x%" PRIx64, number);
    return text;
}

static void tell_event(struct console *console, const struct gpucode_event *event)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_target *target = console_target(console);
    switch (event->kind) {
    case GPUCODE_EVENT_WRITE:
    case GPUCODE_EVENT_CHANGE:
        console_say(console, "%s: 0x%" PRIx64 " -> 0x%" PRIx64 "\n",
                    register_name(console, event->space, event->address, name), event->old, event->value);
        break;
    case GPUCODE_EVENT_READ:
    case GPUCODE_EVENT_USE:
        console_say(console, "%s read: 0x%" PRIx64 "\n", register_name(console, event->space, event->address, name),
                    event->value);
        break;
    case GPUCODE_EVENT_MEM_WRITE:
        console_say(console, "*0x%" PRIx64 ": 0x%" PRIx64 " -> 0x%" PRIx64 "\n", event->address, event->old,
                    event->value);
        break;
    case GPUCODE_EVENT_MEM_READ:
        console_say(console, "*0x%" PRIx64 " read: 0x%" PRIx64 "\n", event->address, event->value);
        break;
    case GPUCODE_EVENT_PACKET:
        if (!gpucode_name_of(target, NULL, GPUCODE_SPACE_PACKET, (uint32_t)event->address, name, sizeof name))
            snprintf(name, sizeof name, "0x%02" PRIx64, event->address);
        console_say(console, "packet %s, header 0x%08" PRIx64 "\n", name, event->value);
        break;
    default: /* GPUCODE_EVENT_ACTION: no breakpoint waits for others */
        if (event->space == GPUCODE_SPACE_GENERAL ||
            !gpucode_name_of(target, NULL, event->space, (uint32_t)event->address, name, sizeof name))
            snprintf(name, sizeof name, "action %" PRIu64, event->address);
        console_say(console, "%s: 0x%" PRIx64 "\n", name, event->value);
    }
    console_say(console, "by ");
    put_address(console, gpucode_machine_section(console->machine, event->processor), event->pc);
    console_say(console, "\n");
}

static void tell_breakpoint(struct console *console, const struct gpucode_debug_stop *stop)
{
    static const char *const kinds[] = {"breakpoint", "watchpoint", "watchpoint",
                                        "catchpoint", "catchpoint", "catchpoint"};
    struct gpucode_breakpoint breakpoint = {0};
    for (unsigned i = 0;
         gpucode_debug_breakpoint_at(console->debug, i, &breakpoint) && breakpoint.number != stop->breakpoint; i++)
        ;
    const char *kind = stop->event.kind
                           ? stop->event.kind == GPUCODE_EVENT_PACKET || stop->event.kind == GPUCODE_EVENT_ACTION
                                 ? "catchpoint"
                                 : "watchpoint"
                       : breakpoint.number == stop->breakpoint ? kinds[breakpoint.kind]
                                                               : "breakpoint";
    if (stop->temporary)
        console_say(console, "Temporary %s %u\n", kind, stop->breakpoint);
    else
        console_say(console, "%c%s %u\n", *kind - 'a' + 'A', kind + 1, stop->breakpoint);
    if (stop->condition_failed)
        console_say(console, "(its condition cannot be evaluated here)\n");
    if (stop->event.kind)
        tell_event(console, &stop->event);
    for (unsigned i = 0; i < stop->also_count; i++)
        console_say(console, "%s%u%s", i ? ", " : "(hit at the same time: ", stop->also[i],
                    i + 1 < stop->also_count ? "" : ")\n");
}

void console_tell_stop(struct console *console, const struct gpucode_debug_stop *stop)
{
    console->stop = *stop;
    console->next_section = UINT32_MAX;
    console->next_line = 0;
    console->shower = SHOWED_NOTHING;
    console->frame = 0;
    console->faulted = false;
    const char *bp_commands = stop->breakpoint ? bp_commands_find(console, stop->breakpoint) : NULL;
    console->hit = bp_commands ? stop->breakpoint : 0;
    memset(console->waiting, 0, sizeof console->waiting);
    for (unsigned i = 0, count = 0; i < stop->also_count; i++)
        if (bp_commands_find(console, stop->also[i]) && !console->hit)
            console->hit = stop->also[i];
        else if (bp_commands_find(console, stop->also[i]))
            console->waiting[count++] = stop->also[i];
    if (bp_commands && strncmp(bp_commands, "silent\n", 7) == 0)
        return;
    switch (stop->reason) {
    case GPUCODE_DEBUG_BREAKPOINT:
        tell_breakpoint(console, stop);
        break;
    case GPUCODE_DEBUG_MACHINE:
        console->faulted = stop->machine.reason == GPUCODE_STOP_FAULT || stop->machine.reason == GPUCODE_STOP_UNKNOWN ||
                           stop->machine.reason == GPUCODE_STOP_HANG;
        console->lacked_memory |= stop->machine.code && strcmp(stop->machine.code, "machine-memory") == 0;
        if (stop->breakpoint)
            console_say(console, "Catchpoint %u\n", stop->breakpoint);
        console_say(console, "%s: %s%s%s%s\n",
                    console->faulted                           ? "Fault"
                    : stop->machine.reason == GPUCODE_STOP_END ? "End"
                                                               : "Stopped",
                    stop->machine.text[0] ? stop->machine.text : "the machine cannot go on",
                    stop->machine.code ? " [" : "", stop->machine.code ? stop->machine.code : "",
                    stop->machine.code ? "]" : "");
        break;
    case GPUCODE_DEBUG_BEGINNING:
        console_say(console, "Nothing is recorded before this\n");
        break;
    case GPUCODE_DEBUG_INTERRUPT:
        console_say(console, "Interrupted\n");
        break;
    case GPUCODE_DEBUG_LIMIT:
        console->faulted = true;
        console_say(console, "The limit of %llu instructions is reached\n", (unsigned long long)stop->position);
        break;
    case GPUCODE_DEBUG_MEMORY:
        console_no_memory(console);
        break;
    case GPUCODE_DEBUG_DONE:
        break;
    }
    show_current(console);
    show_displays(console);
}

/* Repeats a movement until something else stops it, a breakpoint or an interrupt. */
static bool repeat_movement(struct console *console, uint64_t count, bool back, bool until_breakpoints,
                            void (*move)(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop))
{
    struct gpucode_debug_stop stop;
    do
        move(console->debug, back, &stop);
    while (--count && stop.reason == (until_breakpoints ? GPUCODE_DEBUG_BREAKPOINT : GPUCODE_DEBUG_DONE));
    console_tell_stop(console, &stop);
    return true;
}

#define MOVEMENT(name, back, many, move)                                                                               \
    bool name(struct console *console, const struct console_arguments *arguments)                                      \
    {                                                                                                                  \
        return repeat_movement(console, arguments->at[0].number, back, many, move);                                    \
    }
MOVEMENT(do_continue, false, true, gpucode_debug_continue)
MOVEMENT(do_reverse_continue, true, true, gpucode_debug_continue)
MOVEMENT(do_step, false, false, gpucode_debug_step)
MOVEMENT(do_reverse_step, true, false, gpucode_debug_step)
MOVEMENT(do_next, false, false, gpucode_debug_next)
MOVEMENT(do_reverse_next, true, false, gpucode_debug_next)

static bool finish_call(struct console *console, bool back)
{
    struct gpucode_debug_stop stop;
    if (gpucode_debug_finish(console->debug, back, &stop) != GPUCODE_OK)
        return console_complain(console, "no call is open here");
    console_tell_stop(console, &stop);
    return true;
}

bool do_finish(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    return finish_call(console, false);
}

bool do_reverse_finish(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    return finish_call(console, true);
}

/* Repeats `next` until the pc is greater than now, so that a loop runs to its end. */
static bool out_of_loop(struct console *console)
{
    struct gpucode_debug_stop stop;
    uint64_t start = console_pc(console);
    do
        gpucode_debug_next(console->debug, false, &stop);
    while (stop.reason == GPUCODE_DEBUG_DONE && console_pc(console) <= start);
    console_tell_stop(console, &stop);
    return true;
}

/* To the end of the packet's handler that runs. */
static bool to_handler_end(struct console *console)
{
    struct gpucode_debug_stop stop;
    uint64_t *pcs;
    size_t count;
    if (!find_handler_ends(console, &pcs, &count))
        return false;
    enum gpucode_status status = gpucode_debug_until_any(console->debug, pcs, count, &stop);
    free(pcs);
    if (status == GPUCODE_ERROR_MEMORY)
        return console_no_memory(console);
    if (status != GPUCODE_OK)
        return console_complain(console, "there is no code where handlers end");
    console_tell_stop(console, &stop);
    return true;
}

bool do_until(struct console *console, const struct console_arguments *arguments)
{
    const struct console_argument *place = &arguments->at[0];
    struct gpucode_debug_stop stop;
    if (!place->given)
        return out_of_loop(console);
    if (place->is_end)
        return to_handler_end(console);
    if (place->section != console_section(console))
        return console_complain(console, "the selected processor does not run that section");
    if (gpucode_debug_until(console->debug, place->pc, &stop) != GPUCODE_OK)
        return console_complain(console, "there is no code at 0x%" PRIx64, place->pc);
    console_tell_stop(console, &stop);
    return true;
}

bool do_jump(struct console *console, const struct console_arguments *arguments)
{
    const struct console_argument *place = &arguments->at[0];
    if (place->section != console_section(console) ||
        gpucode_debug_set_pc(console->debug, gpucode_debug_processor(console->debug), place->pc) != GPUCODE_OK)
        return console_complain(console, "the selected processor has no code there");
    return repeat_movement(console, 1, false, true, gpucode_debug_continue);
}

bool do_run(struct console *console, const struct console_arguments *arguments)
{
    struct gpucode_debug_stop stop;
    (void)arguments;
    gpucode_debug_goto(console->debug, 0, &stop);
    return repeat_movement(console, 1, false, true, gpucode_debug_continue);
}

static bool go_to(struct console *console, uint64_t position)
{
    struct gpucode_debug_stop stop;
    gpucode_debug_goto(console->debug, position, &stop);
    console_tell_stop(console, &stop);
    return true;
}

bool do_start(struct console *console, const struct console_arguments *arguments)
{
    (void)arguments;
    return go_to(console, 0);
}

bool do_goto(struct console *console, const struct console_arguments *arguments)
{
    return go_to(console, arguments->at[0].number);
}

/* Snapshots that the user keeps, and what is recorded always. */

bool do_record(struct console *console, const struct console_arguments *arguments)
{
    struct gpucode_history history;
    (void)arguments;
    gpucode_debug_history(console->debug, &history);
    console_say(console,
                "instruction %" PRIu64 " of %" PRIu64 " recorded; %u snapshot%s, %zu KiB, at least %" PRIu64
                " instructions apart; %u change%s from outside\n",
                gpucode_debug_position(console->debug), gpucode_debug_end(console->debug), history.snapshots,
                history.snapshots == 1 ? "" : "s", history.bytes >> 10, history.gap, history.inputs,
                history.inputs == 1 ? "" : "s");
    return true;
}

bool do_snapshot(struct console *console, const struct console_arguments *arguments)
{
    const char *name = arguments->at[0].text;
    if (strlen(name) >= sizeof console->kept[0].name)
        return console_complain(console, "a name has at most %zu characters", sizeof console->kept[0].name - 1);
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++) {
        struct kept *kept = &console->kept[i];
        if (kept->snapshot)
            continue;
        if (gpucode_machine_snapshot(console->machine, &kept->snapshot) != GPUCODE_OK)
            return console_no_memory(console);
        snprintf(kept->name, sizeof kept->name, "%s", name);
        kept->position = gpucode_debug_position(console->debug);
        kept->foreign = false;
        console_say(console, "Snapshot %u%s%s at instruction %" PRIu64 "\n", i + 1, *name ? " " : "", kept->name,
                    kept->position);
        return true;
    }
    return console_complain(console, "at most %d snapshots can be kept", SNAPSHOTS_MAX);
}

bool do_restore(struct console *console, const struct console_arguments *arguments)
{
    struct gpucode_debug_stop stop = {0};
    struct kept *kept = &console->kept[arguments->at[0].number];
    if (!kept->foreign) {
        gpucode_debug_goto(console->debug, kept->position, &stop);
        console_tell_stop(console, &stop);
        return true;
    }
    if (gpucode_debug_restore(console->debug, kept->snapshot) != GPUCODE_OK)
        return console_no_memory(console);
    kept->foreign = false; /* the recorded history begins at this snapshot now */
    for (unsigned i = 0; i < SNAPSHOTS_MAX; i++)
        if (&console->kept[i] != kept)
            console->kept[i].foreign = true;
    console_say(console, "What was recorded belongs to another course of events and is forgotten\n");
    stop.reason = GPUCODE_DEBUG_DONE;
    console_tell_stop(console, &stop);
    return true;
}
