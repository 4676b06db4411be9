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

#define POLICIES hwsq_policies
#define POLICY_ROWS "isa/hwsq/machine/policies.def"
#define POLICY_SET(name) "hwsq-" name
#define POLICY_CHOICES struct hwsq_choices
#include "isa/policies.inc"

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
    if (!read_policies(core, choice, settings, MSG_POLICY_VALUE))
        return false;
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
