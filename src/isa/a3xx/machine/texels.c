/* SPDX-License-Identifier: MIT */
/* The built-in textures: texels in memory, wrapped, compared and filtered. */
#include "a3xx_messages.h"
#include "isa/a3xx/machine/lookup.h"

#include <math.h>

/* --- texels ------------------------------------------------------------------------------------------------------ */

/* Texels in front of a level. */
static uint64_t texels_before_level(const struct a3xx_lookup *lookup, unsigned level)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < level; i++)
        count += (uint64_t)a3xx_side(lookup, 0, i) * (unsigned)a3xx_side(lookup, 1, i) *
                 (unsigned)a3xx_side(lookup, 2, i) * (unsigned)lookup->layers;
    return count;
}

void a3xx_texel(const struct a3xx_lookup *lookup, unsigned level, const int64_t at[3], int layer, uint32_t rgba[4])
{
    uint64_t index = (unsigned)layer;
    for (unsigned axis = 3; axis-- > 0;) {
        int side = a3xx_side(lookup, axis, level);
        index = index * (unsigned)side +
                (unsigned)a3xx_wrap_coordinate(a3xx_wrap_of(lookup), at[axis] + lookup->offset[axis], side);
    }
    uint64_t address = GPUCODE_A3XX_TEXELS(lookup->unit) + 16 * (texels_before_level(lookup, level) + index);
    for (unsigned i = 0; i < 4; i++) {
        rgba[i] = 0;
        if (!pages_read(&lookup->run->core->memory, address + 4 * i, &rgba[i]))
            A3XX_HALT(lookup->run, GPUCODE_STOP_FAULT, MSG_A3XX_TEXELS, lookup->unit);
    }
    if (!lookup->shadow)
        return;
    bool passes = a3xx_passes(lookup->run->state->choice.compare, lookup->reference, a3xx_float_of(rgba[0]));
    for (unsigned i = 0; i < 4; i++)
        rgba[i] = !passes ? 0 : lookup->floats ? 0x3f800000 : 1;
}

/* --- filters ----------------------------------------------------------------------------------------------------- */

static void a3xx_sample_level(const struct a3xx_lookup *lookup, unsigned level,
                              const struct a3xx_sample_position *position, uint32_t rgba[4])
{
    bool linear = lookup->run->state->choice.linear && lookup->floats;
    unsigned axes = lookup->kind == GPUCODE_A3XX_3D ? 3 : 2;
    int64_t first[3] = {0, 0, 0};
    double part[3] = {0, 0, 0};
    for (unsigned i = 0; i < axes; i++) {
        double at = a3xx_scaled(position->at[i], a3xx_side(lookup, i, level)) - (linear ? 0.5 : 0);
        first[i] = (int64_t)floor(at);
        part[i] = at - (double)first[i];
    }
    if (!linear) {
        a3xx_texel(lookup, level, first, position->layer, rgba);
        return;
    }
    double value[8][4];
    for (unsigned i = 0; i < 1u << axes; i++) {
        uint32_t corner[4];
        int64_t at[3] = {first[0] + (i & 1), first[1] + (i >> 1 & 1), first[2] + (i >> 2)};
        a3xx_texel(lookup, level, at, position->layer, corner);
        for (unsigned k = 0; k < 4; k++)
            value[i][k] = (double)a3xx_float_of(corner[k]);
    }
    for (unsigned axis = 0; axis < axes; axis++)
        for (unsigned i = 0; i < 1u << (axes - 1 - axis); i++)
            for (unsigned k = 0; k < 4; k++)
                value[i][k] = a3xx_mix(value[2 * i][k], value[2 * i + 1][k], part[axis]);
    for (unsigned k = 0; k < 4; k++)
        rgba[k] = a3xx_single(value[0][k], A3XX_ROUND_EVEN);
}

void a3xx_sample(const struct a3xx_lookup *lookup, double level, const struct a3xx_sample_position *position,
                 uint32_t rgba[4])
{
    double last = lookup->levels - 1;
    level = !(level > 0) ? 0 : level > last ? last : level; /* NaN: 0 */
    if (!lookup->run->state->choice.linear_levels || !lookup->floats) {
        a3xx_sample_level(lookup, (unsigned)ceil(level + 0.5) - 1, position, rgba); /* half way: the larger picture */
        return;
    }
    unsigned finer = (unsigned)floor(level);
    double part = level - finer;
    a3xx_sample_level(lookup, finer, position, rgba);
    if (!(part > 0))
        return;
    uint32_t coarse[4];
    a3xx_sample_level(lookup, finer + 1, position, coarse);
    for (unsigned i = 0; i < 4; i++)
        rgba[i] = a3xx_single(a3xx_mix((double)a3xx_float_of(rgba[i]), (double)a3xx_float_of(coarse[i]), part),
                              A3XX_ROUND_EVEN);
}
