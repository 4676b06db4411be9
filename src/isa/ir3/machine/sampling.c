/* SPDX-License-Identifier: MIT */
#include "isa/ir3/machine/sampling.h"

#include <math.h>
#include <string.h>

bool a3xx_take_texture(struct a3xx_seen *texture, const uint32_t field[GPUCODE_A3XX_TEXTURE_FIELDS])
{
    int depth = field[GPUCODE_A3XX_TEXTURE_DEPTH] ? (int)field[GPUCODE_A3XX_TEXTURE_DEPTH] : 1;
    texture->kind = field[GPUCODE_A3XX_TEXTURE_KIND];
    texture->side[0] = (int)field[GPUCODE_A3XX_TEXTURE_WIDTH];
    texture->side[1] = (int)field[GPUCODE_A3XX_TEXTURE_HEIGHT];
    texture->side[2] = texture->kind == GPUCODE_A3XX_3D ? depth : 1;
    texture->layers = texture->kind == GPUCODE_A3XX_3D ? 1 : texture->kind == GPUCODE_A3XX_CUBE ? 6 * depth : depth;
    texture->levels = field[GPUCODE_A3XX_TEXTURE_LEVELS] ? (int)field[GPUCODE_A3XX_TEXTURE_LEVELS] : 1;
    if (texture->kind == GPUCODE_A3XX_CUBE)
        texture->wrap = A3XX_WRAP_CLAMP;
    uint64_t texels = (uint64_t)texture->side[0] * (unsigned)texture->side[1] * (unsigned)texture->side[2] *
                      (unsigned)texture->layers;
    return texels <= GPUCODE_A3XX_TEXELS_MAX; /* the levels of more would reach into the next texture's memory */
}

/* --- the place --------------------------------------------------------------------------------------------------- */

int a3xx_layer(const struct a3xx_seen *texture, double index)
{
    int count = texture->kind == GPUCODE_A3XX_CUBE ? texture->layers / 6 : texture->layers;
    index = texture->floor_layer ? floor(index) : nearbyint(index);
    return !(index > 0) ? 0 : index > count - 1 ? count - 1 : (int)index;
}

unsigned a3xx_face(const double direction[3])
{
    double x = fabs(direction[0]), y = fabs(direction[1]), z = fabs(direction[2]);
    if (x >= y && x >= z && x > 0)
        return direction[0] < 0;
    if (y >= z && y > 0)
        return 2 + (direction[1] < 0);
    return 4 + (direction[2] < 0);
}

void a3xx_on_face(unsigned face, const double direction[3], double at[3])
{
    static const struct {
        int8_t axis[3], sign[3]; /* for s, t and the major axis */
    } faces[6] = {
        {{2, 1, 0}, {-1, -1, 1}}, {{2, 1, 0}, {1, -1, -1}}, {{0, 2, 1}, {1, 1, 1}},
        {{0, 2, 1}, {1, -1, -1}}, {{0, 1, 2}, {1, -1, 1}},  {{0, 1, 2}, {-1, -1, -1}},
    };
    double part[3];
    for (unsigned i = 0; i < 3; i++)
        part[i] = direction[faces[face].axis[i]] * faces[face].sign[i];
    at[0] = (part[0] / part[2] + 1) / 2;
    at[1] = (part[1] / part[2] + 1) / 2;
    at[2] = 0;
}

void a3xx_place_sample(const struct a3xx_seen *texture, struct a3xx_sample_position *position, const double *index)
{
    memcpy(position->at, position->given, sizeof position->at);
    position->layer = index ? a3xx_layer(texture, *index) : 0;
    position->face = 0;
    if (texture->kind == GPUCODE_A3XX_CUBE) {
        position->face = a3xx_face(position->given);
        a3xx_on_face(position->face, position->given, position->at);
        position->layer = 6 * position->layer + (int)position->face;
    }
}

/* --- levels ------------------------------------------------------------------------------------------------------ */

/* The level at which neighbours in x and y are one texel apart: log2 of the longer way, in texels of level 0. */
static double level_of(const struct a3xx_seen *texture, const double here[3], const double right[3],
                       const double below[3])
{
    double longest = 0;
    for (unsigned i = 0; i < 2; i++) {
        double sum = 0;
        for (unsigned k = 0; k < (texture->kind == GPUCODE_A3XX_3D ? 3u : 2u); k++) {
            double step = ((i ? below : right)[k] - here[k]) * texture->side[k];
            sum += step * step;
        }
        longest = sum > longest ? sum : longest;
    }
    return log2(longest) / 2; /* nothing: minus infinity */
}

double a3xx_level_between(const struct a3xx_seen *texture, unsigned face, double points[3][3])
{
    if (texture->kind == GPUCODE_A3XX_CUBE)
        for (unsigned i = 0; i < 3; i++) {
            double at[3];
            a3xx_on_face(face, points[i], at);
            memcpy(points[i], at, sizeof at);
        }
    return level_of(texture, points[0], points[1], points[2]);
}

/* --- texels in memory, wrapped, compared and filtered ------------------------------------------------------------- */

/* Texels in front of a level. */
static uint64_t texels_before_level(const struct a3xx_seen *texture, unsigned level)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < level; i++)
        count += (uint64_t)a3xx_side(texture, 0, i) * (unsigned)a3xx_side(texture, 1, i) *
                 (unsigned)a3xx_side(texture, 2, i) * (unsigned)texture->layers;
    return count;
}

/* All of a texel by whole coordinates, which are wrapped; shadow comparisons give 1.0 or 0. */
void a3xx_texel(struct a3xx_seen *texture, unsigned level, const int64_t at[3], int layer, uint32_t rgba[4])
{
    uint64_t index = (unsigned)layer;
    unsigned place[3];
    for (unsigned axis = 3; axis-- > 0;) {
        int side = a3xx_side(texture, axis, level);
        place[axis] =
            (unsigned)a3xx_wrap_coordinate((enum a3xx_wrap)texture->wrap, at[axis] + texture->offset[axis], side);
        index = index * (unsigned)side + place[axis];
    }
    uint64_t address = texture->texels + 16 * (texels_before_level(texture, level) + index);
    memset(rgba, 0, 4 * sizeof *rgba);
    bool good = texture->fetch ? texture->fetch(texture->user, level, place, layer, rgba)
                               : a3xx_read_texel(texture->memory, address, rgba);
    texture->absent |= !good;
    if (!texture->shadow)
        return;
    bool passes = a3xx_passes(texture->compare, texture->reference, a3xx_float_of(rgba[0]));
    for (unsigned i = 0; i < 4; i++)
        rgba[i] = !passes ? 0 : texture->floats ? 0x3f800000 : 1;
}

/* --- filters ----------------------------------------------------------------------------------------------------- */

static void sample_level(struct a3xx_seen *texture, unsigned level, const struct a3xx_sample_position *position,
                         uint32_t rgba[4])
{
    bool linear = texture->linear && texture->floats;
    unsigned axes = texture->kind == GPUCODE_A3XX_3D ? 3 : 2;
    int64_t first[3] = {0, 0, 0};
    double part[3] = {0, 0, 0};
    for (unsigned i = 0; i < axes; i++) {
        double at = a3xx_scaled(position->at[i], a3xx_side(texture, i, level)) - (linear ? 0.5 : 0);
        first[i] = (int64_t)floor(at);
        part[i] = at - (double)first[i];
    }
    if (!linear) {
        a3xx_texel(texture, level, first, position->layer, rgba);
        return;
    }
    double value[8][4];
    for (unsigned i = 0; i < 1u << axes; i++) {
        uint32_t corner[4];
        int64_t at[3] = {first[0] + (i & 1), first[1] + (i >> 1 & 1), first[2] + (i >> 2)};
        a3xx_texel(texture, level, at, position->layer, corner);
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

/* Between levels; `level` may lie outside of those there are. */
void a3xx_sample(struct a3xx_seen *texture, double level, const struct a3xx_sample_position *position, uint32_t rgba[4])
{
    double last = texture->levels - 1;
    level = !(level > 0) ? 0 : level > last ? last : level; /* NaN: 0 */
    if (!texture->linear_levels || !texture->floats) {
        sample_level(texture, (unsigned)ceil(level + 0.5) - 1, position, rgba); /* half way: the larger picture */
        return;
    }
    unsigned finer = (unsigned)floor(level);
    double part = level - finer;
    sample_level(texture, finer, position, rgba);
    if (!(part > 0))
        return;
    uint32_t coarse[4];
    sample_level(texture, finer + 1, position, coarse);
    for (unsigned i = 0; i < 4; i++)
        rgba[i] = a3xx_single(a3xx_mix((double)a3xx_float_of(rgba[i]), (double)a3xx_float_of(coarse[i]), part),
                              A3XX_ROUND_EVEN);
}

void a3xx_gather(struct a3xx_seen *texture, const struct a3xx_sample_position *position, unsigned channel,
                 uint32_t rgba[4])
{
    /* counterclockwise from the lower left, as OpenGL orders them */
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    int64_t left = (int64_t)floor(a3xx_scaled(position->at[0], texture->side[0]) - 0.5);
    int64_t top = (int64_t)floor(a3xx_scaled(position->at[1], texture->side[1]) - 0.5);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t corner[4];
        a3xx_texel(texture, 0, (int64_t[]){left + order[i][0], top + order[i][1], 0}, position->layer, corner);
        rgba[i] = corner[channel];
    }
}

void a3xx_measure(const struct a3xx_seen *texture, unsigned level, uint32_t rgba[4])
{
    rgba[0] = (uint32_t)a3xx_side(texture, 0, level);
    rgba[1] = (uint32_t)a3xx_side(texture, 1, level);
    rgba[2] = texture->kind == GPUCODE_A3XX_3D     ? (uint32_t)a3xx_side(texture, 2, level)
              : texture->kind == GPUCODE_A3XX_CUBE ? (uint32_t)texture->layers / 6
                                                   : (uint32_t)texture->layers;
    rgba[3] = 1;
}
