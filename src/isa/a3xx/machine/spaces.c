/* SPDX-License-Identifier: MIT */
/* Registers of the A3XX machine as its users see them: spaces, numbers, names. */
#include "isa/a3xx/machine/strict.h"

#include "base/text.h"

static const struct {
    const char *prefix; /* of names with a number and, in vectors, a component */
    struct gpucode_space_info info;
    unsigned space;
    bool vectors;
} spaces[] = {
    {"r", {"full", "", A3XX_R63, .float_bits = 32, .float_count = A3XX_A0}, GPUCODE_A3XX_FULL, true},
    {"hr", {"half", "", A3XX_A0, .float_bits = 16, .float_count = A3XX_A0}, GPUCODE_A3XX_HALF, true},
    {"c",
     {"const", "", A3XX_CONST_COUNT, .shared = true, .float_bits = 32, .float_count = A3XX_CONST_COUNT},
     GPUCODE_A3XX_CONST,
     true},
    {"v", {"varying", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING, false},
    {"vi", {"varying-i", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING_I, false},
    {"vj", {"varying-j", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_VARYING_J, false},
    {"vflat", {"flat", "", GPUCODE_A3XX_VARYINGS, .shared = true}, GPUCODE_A3XX_FLAT, false},
    {"t",
     {"texture", "", GPUCODE_A3XX_TEXTURES *GPUCODE_A3XX_TEXTURE_FIELDS, .shared = true},
     GPUCODE_A3XX_TEXTURE,
     false},
    {"", {"flags", "", 2}, GPUCODE_A3XX_FLAGS, false},
};
#define SPACE_COUNT (sizeof spaces / sizeof *spaces)

static const char *const flag_names[] = {"killed", "ended"};
static const char *const field_names[GPUCODE_A3XX_TEXTURE_FIELDS] = {".width", ".height", ".depth", ".levels", ".kind"};

static const uint32_t field_limits[GPUCODE_A3XX_TEXTURE_FIELDS] = {
    GPUCODE_A3XX_TEXTURE_SIDE_MAX, GPUCODE_A3XX_TEXTURE_SIDE_MAX, GPUCODE_A3XX_TEXTURE_SIDE_MAX,
    GPUCODE_A3XX_TEXTURE_LEVELS_MAX, GPUCODE_A3XX_KINDS - 1};

bool a3xx_space_info(const struct machine_core *core, unsigned space, struct gpucode_space_info *info)
{
    (void)core;
    for (size_t i = 0; i < SPACE_COUNT; i++)
        if (spaces[i].space == space) {
            *info = spaces[i].info;
            return true;
        }
    return false;
}

bool a3xx_space_read(const struct machine_core *core, const void *opaque, unsigned index, unsigned space,
                     uint32_t number, uint32_t *value)
{
    struct a3xx_state *state = (struct a3xx_state *)opaque;
    const struct a3xx_thread *thread = &state->thread[index];
    struct gpucode_space_info info;
    if (!(space == GPUCODE_A3XX_FULL && number < A3XX_A0) && /* what is asked for most */
        (!a3xx_space_info(core, space, &info) || number >= info.count))
        return false;
    switch (space) {
    case GPUCODE_A3XX_FULL:
        *value = *a3xx_register(state, index, false, number);
        return true;
    case GPUCODE_A3XX_HALF:
        *value = *a3xx_register(state, index, true, number);
        return true;
    case GPUCODE_A3XX_CONST:
        *value = state->consts[number];
        return true;
    case GPUCODE_A3XX_FLAT:
        *value = state->flat[number];
        return true;
    case GPUCODE_A3XX_TEXTURE:
        *value = state->texture[number / GPUCODE_A3XX_TEXTURE_FIELDS].field[number % GPUCODE_A3XX_TEXTURE_FIELDS];
        return true;
    case GPUCODE_A3XX_FLAGS:
        *value = number ? thread->ended : thread->killed;
        return true;
    default:
        *value = state->varying[space - GPUCODE_A3XX_VARYING][number];
        return true;
    }
}

bool a3xx_space_write(struct machine_core *core, void *opaque, unsigned index, unsigned space, uint32_t number,
                      uint32_t value)
{
    struct a3xx_state *state = opaque;
    struct a3xx_thread *thread = &state->thread[index];
    struct gpucode_space_info info;
    if (!(space == GPUCODE_A3XX_FULL && number < A3XX_A0) &&
        (!a3xx_space_info(core, space, &info) || number >= info.count))
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
        state->consts[number] = value;
        return true;
    case GPUCODE_A3XX_FLAT:
        if (value > 1)
            return false;
        state->flat[number] = (uint8_t)value;
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
            state->varying[i][number] = value;
        return true;
    default:
        state->varying[space - GPUCODE_A3XX_VARYING][number] = value;
        return true;
    }
}

/* --- names ------------------------------------------------------------------------------------------------------- */

static bool is_text(const char *name, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(name, text, length) == 0;
}

/* A decimal number without leading zeros; takes it off the front. */
static bool take_number(const char **name, size_t *length, uint32_t *number)
{
    size_t digits = 0;
    *number = 0;
    while (digits < *length && digits < 4 && (*name)[digits] >= '0' && (*name)[digits] <= '9')
        *number = *number * 10 + (uint32_t)((*name)[digits++] - '0');
    if (!digits || (digits > 1 && **name == '0'))
        return false;
    *name += digits;
    *length -= digits;
    return true;
}

/* Registers by the names that users give them. */
static bool find_user(const struct gpucode_names *names, const char *name, size_t length, unsigned *space,
                      uint32_t *number)
{
    struct gpucode_space_info info;
    for (size_t i = 0; names && i < SPACE_COUNT; i++) {
        *space = spaces[i].space;
        info = spaces[i].info;
        if (isa_number_of(NULL, names, (enum gpucode_space) * space, name, length, number) && *number < info.count)
            return true;
    }
    return false;
}

bool a3xx_space_find(const struct machine_core *core, const char *name, size_t length, unsigned *space,
                     uint32_t *number)
{
    static const char components[] = "xyzw";
    if (core && find_user(core->names, name, length, space, number))
        return true;
    *space = GPUCODE_A3XX_FLAGS;
    for (unsigned i = 0; i < 2; i++)
        if (is_text(name, length, flag_names[i])) {
            *number = i;
            return true;
        }
    if (length == 4 && (memcmp(name, "p0.", 3) == 0 || memcmp(name, "a0.x", 4) == 0)) {
        const char *component = name[3] ? strchr(components, name[3]) : NULL;
        *space = GPUCODE_A3XX_FULL;
        *number = (*name == 'a' ? A3XX_A0 : A3XX_P0) + (component ? (uint32_t)(component - components) : 0);
        return component;
    }
    for (size_t i = 0; i + 1 < SPACE_COUNT; i++) {
        const char *at = name;
        size_t left = length, prefix = strlen(spaces[i].prefix);
        if (left <= prefix || memcmp(at, spaces[i].prefix, prefix) != 0 || at[prefix] < '0' || at[prefix] > '9')
            continue;
        at += prefix;
        left -= prefix;
        if (!take_number(&at, &left, number))
            return false;
        uint32_t count = spaces[i].info.count;
        *space = spaces[i].space;
        if (spaces[i].vectors) {
            const char *component = left == 2 && *at == '.' && at[1] ? strchr(components, at[1]) : NULL;
            if (!component)
                return false;
            *number = *number * 4 + (uint32_t)(component - components);
            count = *space == GPUCODE_A3XX_FULL ? A3XX_A0 : count;
        } else if (*space == GPUCODE_A3XX_TEXTURE) {
            uint32_t field = 0;
            while (field < GPUCODE_A3XX_TEXTURE_FIELDS && !is_text(at, left, field_names[field]))
                field++;
            if (field == GPUCODE_A3XX_TEXTURE_FIELDS)
                return false;
            *number = *number * GPUCODE_A3XX_TEXTURE_FIELDS + field;
        } else if (left) {
            return false;
        }
        return *number < count;
    }
    return false;
}

size_t a3xx_space_name(const struct machine_core *core, unsigned space, uint32_t number, char *text)
{
    struct gpucode_space_info info;
    if (!a3xx_space_info(core, space, &info) || number >= info.count)
        return 0;
    char *at = text;
    if (space == GPUCODE_A3XX_FLAGS)
        return (size_t)(text_string(at, flag_names[number]) - text);
    if (space == GPUCODE_A3XX_FULL && number > A3XX_A0 && number < A3XX_P0)
        return 0;
    if (space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF)
        return (size_t)(shader_put_register(at, number, space == GPUCODE_A3XX_HALF) - text);
    if (space == GPUCODE_A3XX_CONST)
        return (size_t)(shader_put_place(at, 'c', number, false) - text);
    for (size_t i = 0; i < SPACE_COUNT; i++)
        if (spaces[i].space == space)
            at = text_string(at, spaces[i].prefix);
    bool texture = space == GPUCODE_A3XX_TEXTURE;
    at = text_decimal(at, texture ? number / GPUCODE_A3XX_TEXTURE_FIELDS : number);
    if (texture)
        at = text_string(at, field_names[number % GPUCODE_A3XX_TEXTURE_FIELDS]);
    return (size_t)(at - text);
}
