/* SPDX-License-Identifier: MIT */
#include "isa/ir3/machine/state.h"

#include "base/text.h"

enum { NAME_ROOM = 9 }; /* of a fiber's name, as text_decimal() wants it */

bool shader_state_begin(struct machine_core *core, struct shader_state *state, uint32_t fibers)
{
    size_t units = core->layout->info.units;
    char *names = arena_array(&core->arena, fibers, NAME_ROOM);
    state->count = (uint32_t)units;
    state->fibers = fibers;
    state->breaks = arena_array(&core->arena, units + 1, sizeof *state->breaks);
    state->own_breaks = arena_array(&core->arena, (units * fibers + 7) / 8 + 1, 1);
    state->covered = arena_array(&core->arena, units + 1, 1);
    state->names = names;
    for (uint32_t i = 0; names && i < fibers; i++)
        *text_decimal(names + (size_t)NAME_ROOM * i, i) = 0;
    return names && state->breaks && state->own_breaks && state->covered;
}

const char *shader_fiber_name(const void *opaque, unsigned index)
{
    const struct shader_state *state = opaque;
    return index < state->fibers ? state->names + (size_t)NAME_ROOM * index : NULL;
}

unsigned shader_fiber_section(const void *state, unsigned index)
{
    (void)state;
    (void)index;
    return 0;
}

bool shader_set_break(struct machine_core *core, void *opaque, unsigned index, uint64_t where, bool on)
{
    struct shader_state *state = opaque;
    (void)core;
    if (where >= state->count)
        return false;
    if (shader_breaks(state, index, (uint32_t)where) != on) {
        size_t bit = (size_t)where * state->fibers + index;
        state->own_breaks[bit / 8] ^= (uint8_t)(1u << bit % 8);
        state->breaks[where] = (uint16_t)(on ? state->breaks[where] + 1 : state->breaks[where] - 1);
    }
    return true;
}

uint8_t *shader_coverage(const void *opaque, unsigned index, size_t *units)
{
    const struct shader_state *state = opaque;
    (void)index;
    *units = state->count;
    return state->covered;
}
