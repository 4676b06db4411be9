/* SPDX-License-Identifier: MIT */
/*
 * What is not documented, or documents contradict each other on, and what a host would have set up. Every
 * ambiguity of the HWSQ notes (A1 to A26) has a name here; those that leave no choice have one value.
 */
#include "isa/hwsq/machine/machine.h"

#include "base/text.h"
#include "hwsq_messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gpucode_policy hwsq_policies[] = {
    /* what the host sets up */
    {"hwsq-entry", "0|1|2|3", "0", "Which entry point the script is started from when the machine is made."},
    {"hwsq-entry-points", "TEXT", "0", "Addresses of the entry points, separated by commas; missing ones are 0."},
    {"hwsq-start", "a|b|both|none", "a", "Which slots are started when the machine is made. With one slot: a or none."},
    {"hwsq-enable", "1|0", "1", "HWSQ_ENABLE, bit 3 of PBUS.DEBUG_6, at the start."},
    {"hwsq-override-mode", "normal|override", "normal",
     "HWSQ_OVERRIDE_MODE, bit 4 of PBUS.DEBUG_6, at the start: what the host reads of an overridden bit."},
    {"hwsq-fill", "exit|nop", "exit", "What the code RAM after the script holds."},
    {"hwsq-oversize", "no|yes", "no",
     "May the script be larger than the code RAM? Then the machine has as much as it needs."},
    {"hwsq-events", "satisfied|modelled", "satisfied",
     "Events that nothing else describes: every ewait ends at once, or they keep the value 0 until the host drives "
     "them."},
    {"hwsq-schedule", "TEXT", "",
     "Events by time: `CLOCK:EVENT=VALUE,...`; clocks may be written in nominal microseconds (100us), events by name."},
    {"hwsq-head0-vblank", "TEXT", "",
     "VBLANK of head 0: `PERIOD/LENGTH/PHASE` in clocks or microseconds; the phase is optional."},
    {"hwsq-head0-hblank", "TEXT", "", "HBLANK of head 0."},
    {"hwsq-head1-vblank", "TEXT", "", "VBLANK of head 1."},
    {"hwsq-head1-hblank", "TEXT", "", "HBLANK of head 1."},
    {"hwsq-pause-latency", "NUMBER", "0", "PTIMER clocks from FB_PAUSE to FB_PAUSED. Nobody has published it."},
    {"hwsq-release-latency", "NUMBER", "0", "PTIMER clocks from the release of FB_PAUSE to the fall of FB_PAUSED."},
    {"hwsq-host-lock", "block|ignore", "block",
     "Host accesses while memory is paused: on nv50 and nv92 none gets through, on nv41 none to PRAMIN; or all do."},
    {"hwsq-memory-poke", "paused|asked|never", "paused",
     "Writes of a script to memory: they block while memory is paused, so that a script that has paused it stops; from "
     "FB_PAUSE on, whether FB_PAUSED has come or not; or they get through. The notes have the pause block all accesses "
     "to "
     "memory, and do not say whether the sequencer's own are among them before it is complete."},
    {"hwsq-memory-windows", "TEXT", "0x700000-0x7fffff",
     "Addresses through which writes reach memory: `FIRST-LAST,...`. PRAMIN; where PEEPHOLE stands is not in the "
     "notes."},
    /* A1 to A26 */
    {"hwsq-flag-enables", "16-31", "16-31",
     "A1: override enables in FLAGS_n; the notes' bits 15 to 31 are a slip for 16 to 31."},
    {"hwsq-events-register", "nv41-up|nv41-only", "nv41-up", "A2: which variants have the EVENTS register 0x1578."},
    {"hwsq-footnotes", "ignored", "ignored",
     "A3: variant footnotes before the notes' register table, which nothing refers to."},
    {"hwsq-unit", "microsecond", "microsecond", "A4: the wait's unit in the notes is a damaged micro sign."},
    {"hwsq-clock-ns", "NUMBER", "32",
     "A5: nanoseconds per PTIMER clock, for reports. 32 with the usual calibration: a wait unit is 1024 ns, nominally "
     "1 us."},
    {"hwsq-tick-phase", "NUMBER", "0",
     "A6: clocks added to every wait that is not 0, for the phase of the tick (0 or 1)."},
    {"hwsq-opcode-clocks", "NUMBER", "0", "A7: clocks that every opcode takes, before it acts."},
    {"hwsq-poke-clocks", "NUMBER", "0", "A7: clocks that a register write takes besides."},
    {"hwsq-nop", "wait-0", "wait-0", "A8: opcode 0 is the wait of no length; the notes do not name it nop."},
    {"hwsq-run-off", "stop|wrap", "stop", "A9: code that runs past the code RAM, or an operand that crosses its end."},
    {"hwsq-illegal-ip", "after|at", "after", "A10: where the instruction pointer stands after an illegal opcode."},
    {"hwsq-start-running", "restart|ignore", "restart", "A11: a start trigger for a slot that is running."},
    {"hwsq-slot-order", "alternate|complete", "alternate",
     "A12: two running slots take turns by opcode, A first; or the one that began runs until it ends. A waiting slot "
     "holds the unit."},
    {"hwsq-addr-data", "keep|clear", "keep", "A13: ADDR and DATA are 0 after reset, and kept or cleared by a start."},
    {"hwsq-nv92-slot-bit", "ignored", "ignored", "A14: bit 1 of TRIGGER where there is one slot; drivers write both."},
    {"hwsq-abort-quirk", "off|on", "off",
     "A15: an abort during wait or ewait makes the slot illegal, so that a second one is needed (nv41 and nv50)."},
    {"hwsq-host-write", "at-once|when-stopped", "at-once",
     "A16: host writes to flags and code RAM while a slot is running."},
    {"hwsq-entry-sample", "trigger", "trigger", "A17: the entry point is read when the trigger is written."},
    {"hwsq-ewait-reserved", "masked|illegal", "masked", "A18: ewait with reserved bits of its operands set."},
    {"hwsq-unset-value", "keep|clear", "keep", "A19: the value bit of a flag in FLAGS_n after unset."},
    {"hwsq-flag-variants", "database|notes|names", "database",
     "A20: chipsets on which flags 4, 5 and 14, 15 drive their bits: 4 and 5 up to nv41 (a register database) or "
     "before "
     "NV40 (the notes), 14 and 15 from NV31 to nv41 (both); or all of them on nv17 and nv41, where envytools names "
     "them. "
     "A variant counts as its first chipset."},
    {"hwsq-nv92-windows", "both|old|new", "both",
     "A21: code windows that work on nv92; drivers disagree from which chipset on."},
    {"hwsq-unknown-length", "1", "1", "A22: bytes that an unknown opcode takes where it is skipped."},
    {"hwsq-other-slot", "runs|waits", "runs", "A23: the other slot while one hangs at an illegal opcode."},
    {"hwsq-self-poke", "acts|ignored", "acts", "A24: writes of a script to HWSQ's own registers."},
    {"hwsq-host-width", "32", "32", "A25: bits of a host access; others are refused."},
    {"hwsq-set-direction", "notes|swapped", "notes",
     "A26: opcodes a0 to bf force to 1 and c0 to df to 0; early envytools had them swapped."},
    {NULL, NULL, NULL, NULL},
};

/* A number with "us" after it or not, in clocks; null when there is none. */
static const char *take_clocks(const char *at, uint64_t *clocks)
{
    const char *end = text_read_number(at, at + strlen(at), clocks);
    if (!end)
        return NULL;
    if (end[0] == 'u' && end[1] == 's') {
        *clocks = *clocks > UINT64_MAX / 32 ? UINT64_MAX : *clocks * 32;
        end += 2;
    }
    return *clocks > UINT64_C(1) << 62 ? NULL : end;
}

static bool refuse_value(struct machine_core *core, const char *name, const char *value, const char *form)
{
    report(&core->on_diagnostic, NULL, MSG_POLICY_VALUE, NULL, name, value, form);
    return false;
}

static bool read_wave(struct machine_core *core, const struct gpucode_setting *settings, const char *name,
                      struct hwsq_wave *wave)
{
    const char *value = isa_policy(hwsq_policies, settings, name), *at = value;
    if (!*at)
        return true;
    at = take_clocks(at, &wave->period);
    if (at && *at == '/')
        at = take_clocks(at + 1, &wave->length);
    if (at && *at == '/')
        at = take_clocks(at + 1, &wave->phase);
    if (!at || *at || !wave->period || wave->length >= wave->period || !wave->length)
        return refuse_value(core, name, value, "PERIOD/LENGTH/PHASE with LENGTH less than PERIOD");
    wave->phase %= wave->period;
    return true;
}

static int compare_edges(const void *a, const void *b)
{
    const struct hwsq_edge *left = a, *right = b;
    if (left->time != right->time)
        return left->time < right->time ? -1 : 1;
    return left->event - right->event;
}

static const char *take_event(const struct gpucode_target *target, const char *at, uint8_t *event)
{
    size_t length = 0;
    uint32_t number;
    while (at[length] && at[length] != '=')
        length++;
    if (*at >= '0' && *at <= '9') {
        uint64_t given;
        if (text_read_number(at, at + length, &given) != at + length || given > 31)
            return NULL;
        number = (uint32_t)given;
    } else if (!isa_number_of(target->names, NULL, GPUCODE_SPACE_EVENT, at, length, &number)) {
        return NULL;
    }
    *event = (uint8_t)number;
    return number < 32 ? at + length : NULL;
}

static bool read_schedule(struct machine_core *core, struct hwsq_state *state, const struct gpucode_setting *settings)
{
    static const char form[] = "CLOCK:EVENT=VALUE,...";
    const char *value = isa_policy(hwsq_policies, settings, "hwsq-schedule"), *at = value;
    if (!*at)
        return true;
    uint32_t room = 1;
    for (const char *c = at; *c; c++)
        room += *c == ',';
    struct hwsq_edge *edges = arena_array(&core->arena, room, sizeof *edges);
    if (!edges)
        return false;
    for (;;) {
        struct hwsq_edge *edge = &edges[state->edge_count];
        at = take_clocks(at, &edge->time);
        if (!at || *at != ':')
            return refuse_value(core, "hwsq-schedule", value, form);
        at = take_event(core->target, at + 1, &edge->event);
        if (!at || *at != '=' || (at[1] != '0' && at[1] != '1'))
            return refuse_value(core, "hwsq-schedule", value, form);
        edge->value = at[1] == '1';
        state->edge_count++;
        at += 2;
        if (*at != ',')
            break;
        at++;
    }
    if (*at)
        return refuse_value(core, "hwsq-schedule", value, form);
    qsort(edges, state->edge_count, sizeof *edges, compare_edges);
    for (uint32_t i = 1; i < state->edge_count; i++)
        if (!compare_edges(&edges[i - 1], &edges[i]) && edges[i - 1].value != edges[i].value)
            return refuse_value(core, "hwsq-schedule", value, "one value for an event at a time");
    state->edges = edges;
    return true;
}

static bool read_entries(struct machine_core *core, struct hwsq_state *state, const struct gpucode_setting *settings)
{
    const char *value = isa_policy(hwsq_policies, settings, "hwsq-entry-points"), *at = value;
    for (unsigned i = 0; *at && i < HWSQ_ENTRIES; i++) {
        uint64_t number;
        const char *end = text_read_number(at, at + strlen(at), &number);
        if (!end || number > 0xffff || (*end && *end != ','))
            return refuse_value(core, "hwsq-entry-points", value, "up to four addresses, separated by commas");
        state->entry[i] = (uint32_t)number;
        at = *end ? end + 1 : end;
    }
    return !*at || refuse_value(core, "hwsq-entry-points", value, "up to four addresses, separated by commas");
}

static bool read_windows(struct machine_core *core, struct hwsq_state *state, const struct gpucode_setting *settings)
{
    static const char name[] = "hwsq-memory-windows";
    const char *value = isa_policy(hwsq_policies, settings, name), *at = value, *end = value + strlen(value);
    while (at && at < end) {
        uint64_t first, last = 0;
        const char *dash = text_read_number(at, end, &first);
        const char *comma = dash && *dash == '-' ? text_read_number(dash + 1, end, &last) : NULL;
        bool good = comma && (*comma == ',' || !*comma) && !(comma[0] && !comma[1]) && first <= last &&
                    last <= UINT32_MAX && state->window_count < HWSQ_WINDOWS_MAX;
        if (!good)
            return refuse_value(core, name, value, "FIRST-LAST,..., at most eight of them");
        state->windows[state->window_count++] = (struct hwsq_window){(uint32_t)first, (uint32_t)last};
        at = *comma ? comma + 1 : comma;
    }
    return true;
}

/* Reads the settings; false when one makes no sense (the diagnostic handler was told). */
static bool hwsq_read_policies(struct machine_core *core, struct hwsq_state *state,
                               const struct gpucode_setting *settings)
{
    struct hwsq_choices *choice = &state->choice;
    const struct isa_choice choices[] = {
        {"hwsq-events", &choice->events},
        {"hwsq-events-register", &choice->events_register},
        {"hwsq-run-off", &choice->run_off},
        {"hwsq-illegal-ip", &choice->illegal_ip},
        {"hwsq-start-running", &choice->start_running},
        {"hwsq-slot-order", &choice->slots},
        {"hwsq-addr-data", &choice->addr_data},
        {"hwsq-abort-quirk", &choice->abort_quirk},
        {"hwsq-host-write", &choice->host_write},
        {"hwsq-ewait-reserved", &choice->ewait_reserved},
        {"hwsq-unset-value", &choice->unset_value},
        {"hwsq-flag-variants", &choice->flag_variants},
        {"hwsq-nv92-windows", &choice->windows},
        {"hwsq-other-slot", &choice->other_slot},
        {"hwsq-self-poke", &choice->self_poke},
        {"hwsq-set-direction", &choice->set_direction},
        {"hwsq-host-lock", &choice->host_lock},
        {"hwsq-memory-poke", &choice->memory_poke},
    };
    isa_policy_choices(hwsq_policies, settings, choices, sizeof choices / sizeof *choices);
    const struct {
        const char *name;
        uint64_t *to;
    } numbers[] = {
        {"hwsq-tick-phase", &choice->tick_phase},           {"hwsq-opcode-clocks", &choice->opcode_clocks},
        {"hwsq-poke-clocks", &choice->poke_clocks},         {"hwsq-pause-latency", &choice->pause_latency},
        {"hwsq-release-latency", &choice->release_latency},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i].to = isa_policy_number(hwsq_policies, settings, numbers[i].name);
        if (*numbers[i].to > UINT32_MAX)
            return refuse_value(core, numbers[i].name, isa_policy(hwsq_policies, settings, numbers[i].name),
                                "at most 0xffffffff");
    }
    return read_wave(core, settings, "hwsq-head0-vblank", &state->vblank[0]) &&
           read_wave(core, settings, "hwsq-head1-vblank", &state->vblank[1]) &&
           read_wave(core, settings, "hwsq-head0-hblank", &state->hblank[0]) &&
           read_wave(core, settings, "hwsq-head1-hblank", &state->hblank[1]) && read_schedule(core, state, settings) &&
           read_entries(core, state, settings) && read_windows(core, state, settings);
}

/* Making a machine: the code RAM, and what the policies set up. */

#define EXIT_OPCODE 0x7f
#define CODE_MAX ((size_t)16 << 20) /* with hwsq-oversize */

static size_t code_room(const struct machine_core *core)
{
    size_t room = hwsq_chip_of(core->target)->code_bytes, size = (core->layout->size + 3) & ~(size_t)3;
    return size > room && size <= CODE_MAX ? size : room;
}

size_t hwsq_measure(const struct machine_core *core, const struct gpucode_setting *settings)
{
    (void)settings;
    return sizeof(struct hwsq_state) + code_room(core);
}

enum gpucode_status hwsq_create(struct machine_core *core, void *opaque, const struct gpucode_setting *settings)
{
    enum { A, B, BOTH, NONE };
    struct hwsq_state *state = opaque;
    state->chip = hwsq_chip_of(core->target);
    state->has_pause = core->target->generation != HWSQ_NV17;
    state->code_bytes = (uint32_t)code_room(core);
    if (core->layout->size > state->chip->code_bytes &&
        (!isa_policy_choice(hwsq_policies, settings, "hwsq-oversize") || core->layout->size > CODE_MAX)) {
        report(&core->on_diagnostic, &(struct place){.file = core->layout->file_name}, MSG_HWSQ_SCRIPT_LARGE, NULL,
               core->layout->size, core->target->name, (unsigned)state->chip->code_bytes);
        return GPUCODE_ERROR_INPUT;
    }
    if (!hwsq_read_policies(core, state, settings))
        return GPUCODE_ERROR_INPUT;
    memset(state->code, isa_policy_choice(hwsq_policies, settings, "hwsq-fill") ? 0 : EXIT_OPCODE, state->code_bytes);
    memcpy(state->code, core->layout->bytes, core->layout->size);
    state->breaks = arena_array(&core->arena, HWSQ_SLOTS, state->code_bytes);
    state->covered = arena_array(&core->arena, HWSQ_SLOTS, state->code_bytes);
    if (!state->breaks || !state->covered)
        return GPUCODE_ERROR_MEMORY;
    state->debug_6 = (isa_policy_choice(hwsq_policies, settings, "hwsq-enable") ? 0u : 1u << 3) |
                     isa_policy_choice(hwsq_policies, settings, "hwsq-override-mode") << 4;
    unsigned which = isa_policy_choice(hwsq_policies, settings, "hwsq-start");
    unsigned entry = isa_policy_choice(hwsq_policies, settings, "hwsq-entry");
    if (state->chip->slots == 1 && which != NONE)
        which = A;
    for (unsigned i = 0; i < state->chip->slots; i++)
        if (which == BOTH || which == i) {
            state->slot[i].running = true;
            state->slot[i].ip = state->entry[entry];
        }
    return GPUCODE_OK;
}
