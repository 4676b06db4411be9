/* SPDX-License-Identifier: MIT */
/* Snapshots that the user keeps, and what is recorded always. */
#include "console/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool do_record(struct console *console, const struct console_arguments *arguments)
{
    struct gpucode_history history;
    (void)arguments;
    gpucode_debug_history(console->debug, &history);
    console_say(console,
                "instruction %" PRIu64 " of %" PRIu64 " recorded; %u snapshots, %zu KiB, at least %" PRIu64
                " instructions apart; %u changes from outside\n",
                gpucode_debug_position(console->debug), gpucode_debug_end(console->debug), history.snapshots,
                history.bytes >> 10, history.gap, history.inputs);
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
