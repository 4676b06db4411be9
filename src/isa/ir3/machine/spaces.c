/* SPDX-License-Identifier: MIT */
/* Registers of the machine as its users see them: spaces, numbers, names. */
#include "isa/ir3/machine/machine.h"

#include "base/number.h"
#include "base/text.h"

#define TEXTURE_NUMBERS (GPUCODE_A3XX_TEXTURES * GPUCODE_A3XX_TEXTURE_FIELDS)

struct space {
    const char *prefix; /* of names with a number and, in vectors, a component */
    struct gpucode_space_info info;
    unsigned space;
    bool vectors;
    const char *const *fields; /* or one of these after the number */
    unsigned field_count;
};

static const char *const flag_names[] = {"killed", "ended", "waits"};
static const char *const texture_fields[GPUCODE_A3XX_TEXTURE_FIELDS] = {"width", "height", "depth", "levels", "kind"};
static const char *const buffer_fields[GPUCODE_IR3_BUFFER_FIELDS] = {"address", "high",  "size",  "format", "width",
                                                                     "height",  "depth", "pitch", "layer"};
static const char *const sampler_fields[GPUCODE_IR3_SAMPLER_FIELDS] = {"filter", "mip", "wrap", "compare"};
static const char *const target_fields[GPUCODE_IR3_TARGET_FIELDS] = {"x", "y", "z", "w", "given"};
static const char *const setup_names[GPUCODE_IR3_SETUP_COUNT] = {"groups.x", "groups.y", "groups.z",   "group.x",
                                                                 "group.y",  "group.z",  "group-place"};

static const struct space spaces[] = {
    {"r", {"full", "", IR3_R63, .float_bits = 32, .float_count = IR3_A0}, GPUCODE_A3XX_FULL, true, NULL, 0},
    {"hr", {"half", "", IR3_SHARED_END, .float_bits = 16, .float_count = IR3_A0}, GPUCODE_A3XX_HALF, true, NULL, 0},
    {"c",
     {"const", "", A3XX_CONST_COUNT, .shared = true, .float_bits = 32, .float_count = A3XX_CONST_COUNT},
     GPUCODE_A3XX_CONST,
     true,
     NULL,
     0},
    {"v", {"varying", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING, false, NULL, 0},
    {"vi", {"varying-i", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING_I, false, NULL, 0},
    {"vj", {"varying-j", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING_J, false, NULL, 0},
    {"vflat", {"flat", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_FLAT, false, NULL, 0},
    {"t",
     {"texture", "", TEXTURE_NUMBERS, .shared = true},
     GPUCODE_A3XX_TEXTURE,
     false,
     texture_fields,
     GPUCODE_A3XX_TEXTURE_FIELDS},
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
#define SPACE_COUNT (sizeof spaces / sizeof *spaces)

static const struct space *space_at(unsigned space)
{
    for (size_t i = 0; i < SPACE_COUNT; i++)
        if (spaces[i].space == space)
            return &spaces[i];
    return NULL;
}

bool ir3_space_info(const struct machine_core *core, unsigned space, struct gpucode_space_info *info)
{
    (void)core;
    const struct space *found = space_at(space);
    if (found)
        *info = found->info;
    return found;
}

/* A word that all fibers share; null: it is of another kind. */
static uint32_t *shared_word(struct ir3_state *state, unsigned space, uint32_t number)
{
    switch (space) {
    case GPUCODE_A3XX_CONST:
        return &state->consts[number];
    case GPUCODE_A3XX_VARYING:
    case GPUCODE_A3XX_VARYING_I:
    case GPUCODE_A3XX_VARYING_J:
        return &state->varying[space - GPUCODE_A3XX_VARYING][number];
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
    const struct space *found = space_at(space);
    (void)core;
    if (!found || number >= found->info.count)
        return false;
    const uint32_t *word = shared_word(state, space, number);
    if (word)
        *value = *word;
    else if (space == GPUCODE_A3XX_FLAT)
        *value = state->flat[number];
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
    const struct space *found = space_at(space);
    (void)core;
    if (!found || number >= found->info.count || !is_allowed(space, number, value))
        return false;
    uint32_t *word = shared_word(state, space, number);
    if (word)
        *word = value;
    if (space == GPUCODE_IR3_PUSH)
        state->push_given[number] = true;
    if (space == GPUCODE_A3XX_VARYING)
        state->varying[1][number] = state->varying[2][number] = value;
    if (space == GPUCODE_A3XX_FLAT)
        state->flat[number] = (uint8_t)value;
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

/* --- names -------------------------------------------------------------------------------------------------------- */

static int find_text(const char *const *list, unsigned count, const char *text, size_t length)
{
    for (unsigned i = 0; i < count; i++)
        if (strlen(list[i]) == length && memcmp(list[i], text, length) == 0)
            return (int)i;
    return -1;
}

static int component_of(const char *text, size_t length)
{
    static const char components[] = "xyzw";
    const char *found = length == 2 && text[0] == '.' ? memchr(components, text[1], 4) : NULL;
    return found ? (int)(found - components) : -1;
}

/* "c12.y", "buf0.size", "v3": the number and what follows it. */
static bool find_numbered(const struct space *space, const char *name, size_t length, uint32_t *number)
{
    size_t prefix = strlen(space->prefix), at = prefix;
    uint32_t value = 0;
    if (!prefix || length <= prefix || memcmp(name, space->prefix, prefix) != 0)
        return false;
    while (at < length && name[at] >= '0' && name[at] <= '9' && at - prefix < 4)
        value = value * 10 + (uint32_t)(name[at++] - '0');
    if (at == prefix || (at - prefix > 1 && name[prefix] == '0'))
        return false;
    int part = space->vectors ? component_of(name + at, length - at)
               : space->fields && at < length && name[at] == '.'
                   ? find_text(space->fields, space->field_count, name + at + 1, length - at - 1)
               : !space->fields && at == length ? 0
                                                : -1;
    *number = value * (space->vectors ? 4 : space->fields ? space->field_count : 1) + (uint32_t)part;
    bool general = space->space != GPUCODE_A3XX_FULL || *number < IR3_A0;
    return part >= 0 && general && *number < space->info.count;
}

static bool find_user(const struct gpucode_names *names, const char *name, size_t length, unsigned *space,
                      uint32_t *number)
{
    for (size_t i = 0; names && i < SPACE_COUNT; i++) {
        *space = spaces[i].space;
        if (isa_number_of(NULL, names, (enum gpucode_space) * space, name, length, number) &&
            *number < spaces[i].info.count)
            return true;
    }
    return false;
}

bool ir3_space_find(const struct machine_core *core, const char *name, size_t length, unsigned *space, uint32_t *number)
{
    int found = find_text(flag_names, sizeof flag_names / sizeof *flag_names, name, length);
    if (core && find_user(core->names, name, length, space, number))
        return true;
    *space = GPUCODE_A3XX_FLAGS;
    if (found < 0) {
        found = find_text(setup_names, GPUCODE_IR3_SETUP_COUNT, name, length);
        *space = GPUCODE_IR3_SETUP;
    }
    if (found < 0 && length == 4 && (name[0] == 'a' || name[0] == 'p') && component_of(name + 2, 2) >= 0) {
        *space = GPUCODE_A3XX_FULL;
        found = name[0] == 'p' && name[1] == '0' ? IR3_P0 + component_of(name + 2, 2)
                : name[0] == 'a' && name[3] == 'x' && (name[1] == '0' || name[1] == '1') ? IR3_A0 + (name[1] == '1')
                                                                                         : -1;
    }
    if (found >= 0) {
        *number = (uint32_t)found;
        return true;
    }
    for (size_t i = 0; i < SPACE_COUNT; i++)
        if (find_numbered(&spaces[i], name, length, number)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

size_t ir3_space_name(const struct machine_core *core, unsigned space, uint32_t number, char *text)
{
    const struct space *found = space_at(space);
    char *at = text;
    (void)core;
    if (!found || number >= found->info.count)
        return 0;
    if (space == GPUCODE_A3XX_FULL && number >= IR3_A0)
        at = number == IR3_A0 + 1                     ? text_string(at, "a1.x")
             : number > IR3_A0 + 1 && number < IR3_P0 ? at
                                                      : shader_put_register(at, number, false);
    else if (space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF)
        at = shader_put_place(at, 'r', number, space == GPUCODE_A3XX_HALF);
    else if (space == GPUCODE_A3XX_CONST)
        at = shader_put_place(at, 'c', number, false);
    else if (!*found->prefix)
        at = text_string(at, found->fields[number]);
    else if (found->fields)
        at = text_string(TEXT_LITERAL(text_decimal(text_string(at, found->prefix), number / found->field_count), "."),
                         found->fields[number % found->field_count]);
    else
        at = text_decimal(text_string(at, found->prefix), number);
    return (size_t)(at - text);
}
