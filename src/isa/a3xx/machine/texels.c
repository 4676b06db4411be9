/* SPDX-License-Identifier: MIT */
/* The built-in textures: texels in memory, wrapped, compared and filtered. */
#include "isa/a3xx/machine/lookup.h"

#include <math.h>

/* --- texels ------------------------------------------------------------------------------------------------------ */

/* A coordinate inside the texture, by the way in which it wraps. Faces of cubes end at their edges. */
static int wrap_coordinate(const struct a3xx_lookup *lookup, int64_t at, int size)
{
    enum { CLAMP, REPEAT, MIRROR };
    if (at >= 0 && at < size) /* most are, and divisions take long */
        return (int)at;
    unsigned how = lookup->kind == GPUCODE_A3XX_CUBE ? CLAMP : lookup->run->state->choice.wrap;
    if (how == CLAMP)
        return at < 0 ? 0 : size - 1;
    int64_t period = how == MIRROR ? 2 * (int64_t)size : size, turn = at % period;
    turn = turn < 0 ? turn + period : turn;
    return (int)(turn < size ? turn : period - 1 - turn);
}

/* Texels in front of a level. */
static uint64_t texels_before_level(const struct a3xx_lookup *lookup, unsigned level)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < level; i++)
        count += (uint64_t)a3xx_side(lookup, 0, i) * (unsigned)a3xx_side(lookup, 1, i) *
                 (unsigned)a3xx_side(lookup, 2, i) * (unsigned)lookup->layers;
    return count;
}

static bool passes_comparison(unsigned how, float reference, float texel)
{
    enum { LE, LT, GE, GT, EQ, NE, ALWAYS };
    switch (how) {
    case LE:
        return reference <= texel;
    case LT:
        return reference < texel;
    case GE:
        return reference >= texel;
    case GT:
        return reference > texel;
    case EQ:
        return reference == texel;
    case NE:
        return reference != texel;
    default:
        return how == ALWAYS;
    }
}

void a3xx_texel(const struct a3xx_lookup *lookup, unsigned level, const int64_t at[3], int layer, uint32_t rgba[4])
{
    uint64_t index = (unsigned)layer;
    for (unsigned axis = 3; axis-- > 0;) {
        int side = a3xx_side(lookup, axis, level);
        index = index * (unsigned)side + (unsigned)wrap_coordinate(lookup, at[axis] + lookup->offset[axis], side);
    }
    uint64_t address = GPUCODE_A3XX_TEXELS(lookup->unit) + 16 * (texels_before_level(lookup, level) + index);
    for (unsigned i = 0; i < 4; i++) {
        rgba[i] = 0;
        if (!pages_read(&lookup->run->core->memory, address + 4 * i, &rgba[i]))
            A3XX_HALT(lookup->run, GPUCODE_STOP_FAULT, MSG_A3XX_TEXELS, lookup->unit);
    }
    if (!lookup->shadow)
        return;
    bool passes = passes_comparison(lookup->run->state->choice.compare, lookup->reference, a3xx_float_of(rgba[0]));
    for (unsigned i = 0; i < 4; i++)
        rgba[i] = !passes ? 0 : lookup->floats ? 0x3f800000 : 1;
}

/* --- filters ----------------------------------------------------------------------------------------------------- */

double a3xx_scaled(double coordinate, int side)
{
    double at = coordinate * side;
    return !(at > -1e9) ? -1e9 : at > 1e9 ? 1e9 : at;
}

static double mix_values(double one, double other, double part)
{
    return part > 0 ? one * (1 - part) + other * part : one; /* an infinity beside it does not count */
}

void a3xx_sample_level(const struct a3xx_lookup *lookup, unsigned level, const struct a3xx_sample_position *position,
                       uint32_t rgba[4])
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
                value[i][k] = mix_values(value[2 * i][k], value[2 * i + 1][k], part[axis]);
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
        rgba[i] = a3xx_single(mix_values((double)a3xx_float_of(rgba[i]), (double)a3xx_float_of(coarse[i]), part),
                              A3XX_ROUND_EVEN);
}
