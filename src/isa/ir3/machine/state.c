/* SPDX-License-Identifier: MIT */
/*
 * What machines of all generations share: state, names in their spaces, which of the vector code the processor can
 * run.
 */
#include "isa/ir3/machine/state.h"
#include "isa/ir3/machine/spaces.h"
#include "isa/ir3/text/text.h"

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

const char *const shader_texture_fields[] = {"width", "height", "depth", "levels", "kind"};

static const struct shader_spaces *spaces_of(const struct machine_core *core)
{
    return shader_family_of(core->target)->spaces;
}

static const struct shader_space *space_at(const struct shader_spaces *spaces, unsigned space)
{
    for (unsigned i = 0; i < spaces->count; i++)
        if (spaces->list[i].space == space)
            return &spaces->list[i];
    return NULL;
}

bool shader_space_info(const struct machine_core *core, unsigned space, struct gpucode_space_info *info)
{
    const struct shader_space *found = space_at(spaces_of(core), space);
    if (found)
        *info = found->info;
    return found;
}

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
static bool find_numbered(const struct shader_space *space, const char *name, size_t length, uint32_t *number)
{
    size_t prefix = strlen(space->prefix), at = prefix;
    uint32_t value = 0;
    if (length <= prefix || memcmp(name, space->prefix, prefix) != 0)
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
    bool general = space->space != GPUCODE_A3XX_FULL || *number < A3XX_A0;
    return part >= 0 && general && *number < space->info.count;
}

/* "a0.x", "p0.y" */
static int special_of(const struct shader_spaces *spaces, const char *name, size_t length)
{
    int component = length == 4 ? component_of(name + 2, 2) : -1;
    if (component < 0)
        return -1;
    if (name[0] == 'p' && name[1] == '0')
        return A3XX_P0 + component;
    bool address = name[0] == 'a' && name[1] >= '0' && (unsigned)(name[1] - '0') < spaces->addresses && !component;
    return address ? A3XX_A0 + (name[1] - '0') : -1;
}

bool shader_find_register(const struct shader_spaces *spaces, const char *name, size_t length, unsigned *space,
                          uint32_t *number)
{
    int special = special_of(spaces, name, length);
    if (special >= 0) {
        *space = GPUCODE_A3XX_FULL;
        *number = (uint32_t)special;
        return true;
    }
    for (unsigned i = 0; i < spaces->count; i++) {
        const struct shader_space *one = &spaces->list[i];
        int field = *one->prefix ? -1 : find_text(one->fields, one->info.count, name, length);
        *space = one->space;
        if (field >= 0)
            *number = (uint32_t)field;
        if (field >= 0 || (*one->prefix && find_numbered(one, name, length, number)))
            return true;
    }
    return false;
}

/* Registers by the names that users give them. */
static bool find_user(const struct shader_spaces *spaces, const struct gpucode_names *names, const char *name,
                      size_t length, unsigned *space, uint32_t *number)
{
    for (unsigned i = 0; names && i < spaces->count; i++) {
        *space = spaces->list[i].space;
        if (isa_number_of(NULL, names, (enum gpucode_space) * space, name, length, number) &&
            *number < spaces->list[i].info.count)
            return true;
    }
    return false;
}

bool shader_space_find(const struct machine_core *core, const char *name, size_t length, unsigned *space,
                       uint32_t *number)
{
    const struct shader_spaces *spaces = spaces_of(core);
    return find_user(spaces, core->names, name, length, space, number) ||
           shader_find_register(spaces, name, length, space, number);
}

size_t shader_space_name(const struct machine_core *core, unsigned space, uint32_t number, char *text)
{
    const struct shader_spaces *spaces = spaces_of(core);
    const struct shader_space *found = space_at(spaces, space);
    char *at = text;
    if (!found || number >= found->info.count)
        return 0;
    if (space == GPUCODE_A3XX_FULL && number > A3XX_A0 && number < A3XX_P0)
        at = number < A3XX_A0 + spaces->addresses ? text_string(at, "a1.x") : at;
    else if (space == GPUCODE_A3XX_FULL && number >= A3XX_A0)
        at = shader_put_register(at, number, false);
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

#if defined(__GLIBC__) && defined(GPUCODE_WITH_AVX2) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

/*
 * glibc has asked the processor when the program was loaded. The compiler's way asks it once more at each start of a
 * program, also of one that runs no shader; under a hypervisor each such question takes microseconds.
 */
bool a3xx_has_avx2(void)
{
#ifndef GPUCODE_WITH_AVX2
    return false;
#elif defined CPU_FEATURE_ACTIVE
    return CPU_FEATURE_ACTIVE(AVX2);
#else
    return __builtin_cpu_supports("avx2");
#endif
}
