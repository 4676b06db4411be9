/* SPDX-License-Identifier: MIT */
/* Registers of the machine as its users see them: spaces, numbers, names. */
#include "isa/ir3/machine/spaces.h"
#include "isa/ir3/machine/machine.h"

static const char *const flag_names[] = {"killed", "ended", "waits"};
static const char *const buffer_fields[GPUCODE_IR3_BUFFER_FIELDS] = {"address", "high",  "size",  "format", "width",
                                                                     "height",  "depth", "pitch", "layer"};
static const char *const sampler_fields[GPUCODE_IR3_SAMPLER_FIELDS] = {"filter", "mip", "wrap", "compare"};
static const char *const target_fields[GPUCODE_IR3_TARGET_FIELDS] = {"x", "y", "z", "w", "given"};
static const char *const setup_names[GPUCODE_IR3_SETUP_COUNT] = {"groups.x", "groups.y", "groups.z",   "group.x",
                                                                 "group.y",  "group.z",  "group-place"};

static const struct shader_space spaces[] = {
    SHADER_SPACES(IR3_SHARED_END),
    {"buf",
     {"buffer", "", GPUCODE_IR3_BUFFERS *GPUCODE_IR3_BUFFER_FIELDS, .shared = true},
     GPUCODE_IR3_BUFFER,
     false,
     buffer_fields,
     GPUCODE_IR3_BUFFER_FIELDS},
    {"ubo",
     {"ubo", "", GPUCODE_IR3_UBOS *GPUCODE_IR3_BUFFER_FIELDS, .shared = true},
     GPUCODE_IR3_UBO,
     false,
     buffer_fields,
     GPUCODE_IR3_BUFFER_FIELDS},
    {"s",
     {"sampler", "", GPUCODE_IR3_SAMPLERS *GPUCODE_IR3_SAMPLER_FIELDS, .shared = true},
     GPUCODE_IR3_SAMPLER,
     false,
     sampler_fields,
     GPUCODE_IR3_SAMPLER_FIELDS},
    {"base", {"bindless", "", 2 * GPUCODE_IR3_BASES, .shared = true}, GPUCODE_IR3_BINDLESS, false, buffer_fields, 2},
    {"push", {"push", "", GPUCODE_IR3_PUSHES, .shared = true}, GPUCODE_IR3_PUSH, false, NULL, 0},
    {"rt",
     {"target", "", GPUCODE_IR3_TARGETS *GPUCODE_IR3_TARGET_FIELDS, .shared = true},
     GPUCODE_IR3_TARGET,
     false,
     target_fields,
     GPUCODE_IR3_TARGET_FIELDS},
    {"", {"flags", "", sizeof flag_names / sizeof *flag_names}, GPUCODE_A3XX_FLAGS, false, flag_names, 0},
    {"", {"setup", "", GPUCODE_IR3_SETUP_COUNT, .shared = true}, GPUCODE_IR3_SETUP, false, setup_names, 0},
};
const struct shader_spaces ir3_spaces = {spaces, sizeof spaces / sizeof *spaces, 2};

/* A word that all fibers share; null: it is of another kind. */
static uint32_t *shared_word(struct ir3_state *state, unsigned space, uint32_t number)
{
    switch (space) {
    case GPUCODE_A3XX_CONST:
        return &state->all.consts[number];
    case GPUCODE_A3XX_VARYING:
    case GPUCODE_A3XX_VARYING_I:
    case GPUCODE_A3XX_VARYING_J:
        return &state->all.varying[space - GPUCODE_A3XX_VARYING][number];
    case GPUCODE_A3XX_TEXTURE:
        return &state->texture[number / GPUCODE_A3XX_TEXTURE_FIELDS][number % GPUCODE_A3XX_TEXTURE_FIELDS];
    case GPUCODE_IR3_BUFFER:
        return &state->buffer[number / GPUCODE_IR3_BUFFER_FIELDS].field[number % GPUCODE_IR3_BUFFER_FIELDS];
    case GPUCODE_IR3_UBO:
        return &state->ubo[number / GPUCODE_IR3_BUFFER_FIELDS].field[number % GPUCODE_IR3_BUFFER_FIELDS];
    case GPUCODE_IR3_SETUP:
        return &state->setup[number];
    case GPUCODE_IR3_BINDLESS:
        return &state->bindless[number / 2][number % 2];
    case GPUCODE_IR3_PUSH:
        return &state->push[number];
    case GPUCODE_IR3_TARGET:
        return &state->target[number / GPUCODE_IR3_TARGET_FIELDS][number % GPUCODE_IR3_TARGET_FIELDS];
    case GPUCODE_IR3_SAMPLER:
        return &state->sampler[number / GPUCODE_IR3_SAMPLER_FIELDS][number % GPUCODE_IR3_SAMPLER_FIELDS];
    default:
        return NULL;
    }
}

bool ir3_space_read(const struct machine_core *core, const void *opaque, unsigned index, unsigned space,
                    uint32_t number, uint32_t *value)
{
    struct ir3_state *state = (struct ir3_state *)opaque;
    const struct ir3_fiber *fiber = &state->fiber[index];
    struct gpucode_space_info info;
    if (!shader_space_info(core, space, &info) || number >= info.count)
        return false;
    const uint32_t *word = shared_word(state, space, number);
    if (word)
        *value = *word;
    else if (space == GPUCODE_A3XX_FLAT)
        *value = state->all.flat[number];
    else if (space == GPUCODE_A3XX_FLAGS)
        *value = number == 0 ? fiber->killed : number == 1 ? fiber->ended : fiber->waits;
    else
        *value = ir3_read_register(state, index, space == GPUCODE_A3XX_HALF, number);
    return true;
}

/* 1 and the last value of their policies. */
static const uint32_t most_of_sampler[GPUCODE_IR3_SAMPLER_FIELDS] = {2, 2, 3, 8};
static const uint32_t most_of_texture[GPUCODE_A3XX_TEXTURE_FIELDS] = {
    GPUCODE_IR3_TEXTURE_SIDE_MAX, GPUCODE_IR3_TEXTURE_SIDE_MAX, GPUCODE_IR3_TEXTURE_SIDE_MAX,
    GPUCODE_A3XX_TEXTURE_LEVELS_MAX, GPUCODE_A3XX_KINDS - 1};

/* May the register have the value? */
static bool is_allowed(unsigned space, uint32_t number, uint32_t value)
{
    switch (space) {
    case GPUCODE_A3XX_FLAT:
    case GPUCODE_A3XX_FLAGS:
        return value <= 1;
    case GPUCODE_A3XX_HALF:
        return value <= 0xffff;
    case GPUCODE_IR3_TARGET:
        return number % GPUCODE_IR3_TARGET_FIELDS != GPUCODE_IR3_TARGET_GIVEN || value < 16;
    case GPUCODE_IR3_SAMPLER:
        return value <= most_of_sampler[number % GPUCODE_IR3_SAMPLER_FIELDS];
    case GPUCODE_A3XX_TEXTURE:
        return value <= most_of_texture[number % GPUCODE_A3XX_TEXTURE_FIELDS];
    case GPUCODE_IR3_BUFFER:
    case GPUCODE_IR3_UBO:
        return number % GPUCODE_IR3_BUFFER_FIELDS != GPUCODE_IR3_BUFFER_FORMAT || value < GPUCODE_IR3_FORMATS;
    default:
        return true;
    }
}

bool ir3_space_write(struct machine_core *core, void *opaque, unsigned index, unsigned space, uint32_t number,
                     uint32_t value)
{
    struct ir3_state *state = opaque;
    struct ir3_fiber *fiber = &state->fiber[index];
    struct gpucode_space_info info;
    if (!shader_space_info(core, space, &info) || number >= info.count || !is_allowed(space, number, value))
        return false;
    uint32_t *word = shared_word(state, space, number);
    if (word)
        *word = value;
    if (space == GPUCODE_IR3_PUSH)
        state->push_given[number] = true;
    if (space == GPUCODE_A3XX_VARYING)
        state->all.varying[1][number] = state->all.varying[2][number] = value;
    if (space == GPUCODE_A3XX_FLAT)
        state->all.flat[number] = (uint8_t)value;
    else if (space == GPUCODE_A3XX_FLAGS)
        *(number == 0 ? &fiber->killed : number == 1 ? &fiber->ended : &fiber->waits) = value;
    else if (!word) {
        bool predicate = space == GPUCODE_A3XX_FULL && number >= IR3_P0;
        bool address = space == GPUCODE_A3XX_FULL && number == IR3_A0;
        ir3_write_register(state, index, space == GPUCODE_A3XX_HALF, number,
                           predicate ? value & 1
                           : address ? (uint32_t)(int16_t)value
                                     : value);
    }
    return true;
}
