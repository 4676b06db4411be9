/* SPDX-License-Identifier: MIT */
/*
 * bary.f and category 5: varyings, textures, derivatives. Textures are the simplest that shaders can be tried with: two
 * dimensions, one level, texels of four 32-bit values in memory.
 */
#include "isa/a3xx/machine.h"

#include <math.h>

/* --- varyings ---------------------------------------------------------------------------------------------------- */

uint32_t a3xx_interpolate(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, uint32_t location)
{
    const struct a3xx_state *state = run->state;
    if (location >= GPUCODE_A3XX_VARYINGS) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_VARYING, (unsigned)location);
        return 0;
    }
    uint32_t at[3] = {state->varying[0][location], state->varying[1][location], state->varying[2][location]};
    uint32_t value = at[0];
    if (!state->flat[location]) {
        if (run->flush)
            for (unsigned i = 0; i < 3; i++)
                at[i] = a3xx_flush(at[i], false);
        double ij[2], corner[3];
        for (unsigned i = 0; i < 2; i++)
            ij[i] = a3xx_value(a3xx_fetch_component(run, &op->source[1], i + (op->source[1].steps ? step : 0)),
                               op->source[1].half);
        for (unsigned i = 0; i < 3; i++)
            corner[i] = (double)a3xx_float_of(at[i]);
        value = at[0];
        if (at[1] != at[0] || at[2] != at[0])
            value = a3xx_single(corner[0] + ij[0] * (corner[1] - corner[0]) + ij[1] * (corner[2] - corner[0]),
                                A3XX_ROUND_EVEN);
        if (run->flush)
            value = a3xx_flush(value, false);
    }
    return value;
}

/* --- textures ---------------------------------------------------------------------------------------------------- */

struct lookup {
    struct a3xx_run *run;
    const struct a3xx_op *op;
    const uint32_t *field;
    uint64_t base;
    int width, height;
    int offset[2];
};

/* A coordinate inside the texture, by the way in which it wraps. */
static int inside(const struct lookup *lookup, int64_t at, int size)
{
    enum { CLAMP, REPEAT, MIRROR };
    int64_t turn = at % size, twice = at % (2 * (int64_t)size);
    switch (lookup->run->state->choice.wrap) {
    case REPEAT:
        return (int)(turn < 0 ? turn + size : turn);
    case MIRROR:
        twice = twice < 0 ? twice + 2 * (int64_t)size : twice;
        return (int)(twice < size ? twice : 2 * (int64_t)size - 1 - twice);
    default:
        return (int)(at < 0 ? 0 : at >= size ? size - 1 : at);
    }
}

static void texel(const struct lookup *lookup, int64_t x, int64_t y, uint32_t rgba[4])
{
    uint64_t at = (uint64_t)inside(lookup, y + lookup->offset[1], lookup->height) * (unsigned)lookup->width +
                  (unsigned)inside(lookup, x + lookup->offset[0], lookup->width);
    for (unsigned i = 0; i < 4; i++) {
        rgba[i] = 0;
        if (!pages_read(&lookup->run->core->memory, lookup->base + 16 * at + 4 * i, &rgba[i]))
            A3XX_HALT(lookup->run, GPUCODE_STOP_FAULT, MSG_A3XX_TEXELS, (unsigned)(lookup->base >> 32) - 1);
    }
}

static bool returns_floats(const struct a3xx_op *op)
{
    return a3xx_bits(op->bits, 44, 3) <= A3XX_F32;
}

/* Texel coordinates of normalised ones, kept where integers have room. */
static double scaled(double coordinate, int size)
{
    double at = coordinate * size;
    return !(at > -1e9) ? -1e9 : at > 1e9 ? 1e9 : at;
}

static void sample(const struct lookup *lookup, double u, double v, uint32_t rgba[4])
{
    double x = scaled(u, lookup->width), y = scaled(v, lookup->height);
    if (!lookup->run->state->choice.linear || !returns_floats(lookup->op)) {
        texel(lookup, (int64_t)floor(x), (int64_t)floor(y), rgba);
        return;
    }
    int64_t left = (int64_t)floor(x - 0.5), top = (int64_t)floor(y - 0.5);
    double right_part = x - 0.5 - (double)left, low_part = y - 0.5 - (double)top;
    uint32_t corner[4][4];
    for (unsigned i = 0; i < 4; i++)
        texel(lookup, left + (i & 1), top + (i >> 1), corner[i]);
    for (unsigned i = 0; i < 4; i++) {
        double upper =
            (double)a3xx_float_of(corner[0][i]) * (1 - right_part) + (double)a3xx_float_of(corner[1][i]) * right_part;
        double lower =
            (double)a3xx_float_of(corner[2][i]) * (1 - right_part) + (double)a3xx_float_of(corner[3][i]) * right_part;
        rgba[i] = a3xx_single(upper * (1 - low_part) + lower * low_part, A3XX_ROUND_EVEN);
    }
}

static void put_vector(struct a3xx_run *run, const struct a3xx_op *op, const uint32_t rgba[4])
{
    unsigned type = a3xx_bits(op->bits, 44, 3);
    struct a3xx_conversion how = {.from = type <= A3XX_F32 ? A3XX_F32 : A3XX_U32,
                                  .to = (uint8_t)type,
                                  .half_rounding = run->state->choice.half_even ? A3XX_ROUND_EVEN : A3XX_ROUND_ZERO};
    for (unsigned i = 0; i < 4; i++)
        if (op->bits >> (40 + i) & 1)
            a3xx_put(run, &op->result, i, a3xx_convert(&how, rgba[i]));
}

/* Integer coordinates and offsets. */
static int whole(struct a3xx_run *run, const struct a3xx_operand *source, unsigned component)
{
    uint32_t value = a3xx_fetch_component(run, source, component);
    return source->half ? (int16_t)value : (int32_t)value;
}

static double coordinate(struct a3xx_run *run, const struct a3xx_op *op, unsigned component)
{
    return a3xx_value(a3xx_fetch_component(run, &op->source[0], component), op->source[0].half);
}

/* Finds the texture; false with the machine halted. */
static bool bind(struct lookup *lookup)
{
    struct a3xx_run *run = lookup->run;
    const struct a3xx_op *op = lookup->op;
    uint32_t unit = a3xx_bits(op->bits, 25, 7);
    if (op->bits & A3XX_S2EN)
        unit = a3xx_fetch_component(run, &op->source[2], 1);
    if (unit >= GPUCODE_A3XX_TEXTURES || !run->state->texture[unit].field[GPUCODE_A3XX_TEXTURE_WIDTH] ||
        !run->state->texture[unit].field[GPUCODE_A3XX_TEXTURE_HEIGHT]) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_NO_TEXTURE, (unsigned)unit);
        return false;
    }
    bool cube = op->bits >> 48 & 1, array = op->bits >> 49 & 1, shadow = op->bits >> 50 & 1;
    if (cube || array || shadow) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_TEXTURE_KIND, cube ? ".3d" : array ? ".a" : ".s");
        return false;
    }
    lookup->base = GPUCODE_A3XX_TEXELS(unit);
    lookup->width = (int)run->state->texture[unit].field[GPUCODE_A3XX_TEXTURE_WIDTH];
    lookup->height = (int)run->state->texture[unit].field[GPUCODE_A3XX_TEXTURE_HEIGHT];
    for (unsigned i = 0; i < 2 && op->bits >> 52 & 1; i++)
        lookup->offset[i] = whole(run, &op->source[1], i);
    return true;
}

void a3xx_look_up(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_lookup how, unsigned channel)
{
    struct lookup lookup = {.run = run, .op = op};
    uint32_t rgba[4] = {0, 0, 0, 0}, corner[4];
    if (!bind(&lookup))
        return;
    bool projected = op->bits >> 53 & 1;
    double divisor = projected ? coordinate(run, op, 2) : 1;
    switch (how) {
    case A3XX_FETCH:
        texel(&lookup, whole(run, &op->source[0], 0), whole(run, &op->source[0], 1), rgba);
        break;
    case A3XX_SAMPLE:
        sample(&lookup, coordinate(run, op, 0) / divisor, coordinate(run, op, 1) / divisor, rgba);
        break;
    case A3XX_GATHER: {
        /* counterclockwise from the lower left, as OpenGL orders them */
        static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
        double x = scaled(coordinate(run, op, 0) / divisor, lookup.width) - 0.5;
        double y = scaled(coordinate(run, op, 1) / divisor, lookup.height) - 0.5;
        for (unsigned i = 0; i < 4; i++) {
            texel(&lookup, (int64_t)floor(x) + order[i][0], (int64_t)floor(y) + order[i][1], corner);
            rgba[i] = corner[channel];
        }
        break;
    }
    case A3XX_SIZE: {
        unsigned level = a3xx_fetch_component(run, &op->source[0], 0) & 31;
        rgba[0] = (uint32_t)lookup.width >> level ? (uint32_t)lookup.width >> level : 1;
        rgba[1] = (uint32_t)lookup.height >> level ? (uint32_t)lookup.height >> level : 1;
        rgba[2] = rgba[3] = 1;
        break;
    }
    default: /* levels less one is the third component, and the rest is not known */
        break;
    }
    if (!run->halted)
        put_vector(run, op, rgba);
}

/* --- derivatives ------------------------------------------------------------------------------------------------- */

void a3xx_derive(struct a3xx_run *run, const struct a3xx_op *op, bool in_y)
{
    unsigned neighbour = in_y ? 2 : 1;
    bool has_neighbour = run->quad && neighbour < run->quad_count;
    if (!has_neighbour && !run->state->choice.derivative_zero) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_QUAD, in_y ? "dsy" : "dsx");
        return;
    }
    bool half = op->source[0].half;
    uint32_t sign = half ? 0x8000 : 0x80000000;
    for (unsigned i = 0; i < 4; i++) {
        if (!(op->bits >> (40 + i) & 1))
            continue;
        uint32_t value = 0;
        if (has_neighbour) /* coarse: one for all four threads */
            value = a3xx_add(run->quad->around[neighbour][i], run->quad->around[0][i] ^ sign, half, run->flush);
        if (half && op->result.place == A3XX_IN_FULL)
            value = a3xx_widen(value);
        else if (!half && op->result.place == A3XX_IN_HALF)
            value = a3xx_narrow((double)a3xx_float_of(value), A3XX_ROUND_EVEN);
        a3xx_put(run, &op->result, i, value);
    }
}
