/* SPDX-License-Identifier: MIT */
/* Registers of the A3XX machine as its users see them: spaces, numbers, names. */
#include "isa/ir3/machine/spaces.h"
#include "isa/ir3/a3xx/machine/strict.h"

static const char *const flag_names[] = {"killed", "ended"};

static const struct shader_space spaces[] = {
    SHADER_SPACES(A3XX_A0),
    {"", {"flags", "", sizeof flag_names / sizeof *flag_names}, GPUCODE_A3XX_FLAGS, false, flag_names, 0},
};
const struct shader_spaces a3xx_spaces = {spaces, sizeof spaces / sizeof *spaces, 1};

static const uint32_t field_limits[GPUCODE_A3XX_TEXTURE_FIELDS] = {
    GPUCODE_A3XX_TEXTURE_SIDE_MAX, GPUCODE_A3XX_TEXTURE_SIDE_MAX, GPUCODE_A3XX_TEXTURE_SIDE_MAX,
    GPUCODE_A3XX_TEXTURE_LEVELS_MAX, GPUCODE_A3XX_KINDS - 1};

static bool is_there(const struct machine_core *core, unsigned space, uint32_t number)
{
    struct gpucode_space_info info;
    return shader_space_info(core, space, &info) && number < info.count;
}

static __attribute__((noinline)) bool read_other(const struct machine_core *core, struct a3xx_state *state,
                                                 unsigned index, unsigned space, uint32_t number, uint32_t *value)
{
    if (!is_there(core, space, number))
        return false;
    switch (space) {
    case GPUCODE_A3XX_FULL:
        *value = *a3xx_register(state, index, false, number);
        return true;
    case GPUCODE_A3XX_CONST:
        *value = state->all.consts[number];
        return true;
    case GPUCODE_A3XX_FLAT:
        *value = state->all.flat[number];
        return true;
    case GPUCODE_A3XX_TEXTURE:
        *value = state->texture[number / GPUCODE_A3XX_TEXTURE_FIELDS].field[number % GPUCODE_A3XX_TEXTURE_FIELDS];
        return true;
    default:
        *value = state->all.varying[space - GPUCODE_A3XX_VARYING][number];
        return true;
    }
}

/* Those that are asked for most, for each pixel of a picture, are not looked up. */
bool a3xx_space_read(const struct machine_core *core, const void *opaque, unsigned index, unsigned space,
                     uint32_t number, uint32_t *value)
{
    struct a3xx_state *state = (struct a3xx_state *)opaque;
    const struct a3xx_thread *thread = &state->thread[index];
    if ((space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF) && number < A3XX_A0)
        *value = *a3xx_register(state, index, space == GPUCODE_A3XX_HALF, number);
    else if (space == GPUCODE_A3XX_FLAGS && number < sizeof flag_names / sizeof *flag_names)
        *value = number ? thread->ended : thread->killed;
    else if (space == GPUCODE_A3XX_HALF || space == GPUCODE_A3XX_FLAGS)
        return false;
    else
        return read_other(core, state, index, space, number, value);
    return true;
}

bool a3xx_space_write(struct machine_core *core, void *opaque, unsigned index, unsigned space, uint32_t number,
                      uint32_t value)
{
    struct a3xx_state *state = opaque;
    struct a3xx_thread *thread = &state->thread[index];
    bool general = (space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF) && number < A3XX_A0;
    if (!general && !is_there(core, space, number))
        return false;
    state->changes->inputs |= space != GPUCODE_A3XX_FULL && space != GPUCODE_A3XX_HALF && space != GPUCODE_A3XX_FLAGS;
    switch (space) {
    case GPUCODE_A3XX_FULL:
        a3xx_changes_note(state, false, number);
        if (state->choice.strict)
            a3xx_strict_touch(state, index, false, number);
        *a3xx_register(state, index, false, number) = number == A3XX_A0 ? (uint32_t)(int16_t)value : value;
        return true;
    case GPUCODE_A3XX_HALF:
        if (value > 0xffff)
            return false;
        a3xx_changes_note(state, true, number);
        if (state->choice.strict)
            a3xx_strict_touch(state, index, true, number);
        *a3xx_register(state, index, true, number) = value;
        return true;
    case GPUCODE_A3XX_CONST:
        state->all.consts[number] = value;
        return true;
    case GPUCODE_A3XX_FLAT:
        if (value > 1)
            return false;
        state->all.flat[number] = (uint8_t)value;
        return true;
    case GPUCODE_A3XX_TEXTURE:
        if (value > field_limits[number % GPUCODE_A3XX_TEXTURE_FIELDS])
            return false;
        state->texture[number / GPUCODE_A3XX_TEXTURE_FIELDS].field[number % GPUCODE_A3XX_TEXTURE_FIELDS] = value;
        return true;
    case GPUCODE_A3XX_FLAGS:
        if (value > 1)
            return false;
        *(number ? &thread->ended : &thread->killed) = value;
        return true;
    case GPUCODE_A3XX_VARYING:
        for (unsigned i = 0; i < 3; i++)
            state->all.varying[i][number] = value;
        return true;
    default:
        state->all.varying[space - GPUCODE_A3XX_VARYING][number] = value;
        return true;
    }
}
