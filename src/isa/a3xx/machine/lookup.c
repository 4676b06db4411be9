/* SPDX-License-Identifier: MIT */
/*
 * Category 5 as far as it looks into textures. The first source is a vector: coordinates, the reference of a shadow
 * comparison, the index of an array, the divisor of a projection; after them, padded to four, the derivatives of
 * samgq. The second one: offsets, then a bias or level (A3XX notes, category 5).
 */
#include "isa/a3xx/machine/lookup.h"
#include "a3xx_messages.h"

#include <math.h>

/* --- texels in memory, wrapped, compared and filtered ------------------------------------------------------------- */

/* Texels in front of a level. */
static uint64_t texels_before_level(const struct a3xx_lookup *lookup, unsigned level)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < level; i++)
        count += (uint64_t)a3xx_side(lookup, 0, i) * (unsigned)a3xx_side(lookup, 1, i) *
                 (unsigned)a3xx_side(lookup, 2, i) * (unsigned)lookup->layers;
    return count;
}

/* All of a texel by whole coordinates, which are wrapped; shadow comparisons give 1.0 or 0. */
static void read_texel(const struct a3xx_lookup *lookup, unsigned level, const int64_t at[3], int layer,
                       uint32_t rgba[4])
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
        read_texel(lookup, level, first, position->layer, rgba);
        return;
    }
    double value[8][4];
    for (unsigned i = 0; i < 1u << axes; i++) {
        uint32_t corner[4];
        int64_t at[3] = {first[0] + (i & 1), first[1] + (i >> 1 & 1), first[2] + (i >> 2)};
        read_texel(lookup, level, at, position->layer, corner);
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
static void sample_levels(const struct a3xx_lookup *lookup, double level, const struct a3xx_sample_position *position,
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

/* --- operands ---------------------------------------------------------------------------------------------------- */

static void put_vector(struct a3xx_run *run, const struct a3xx_op *op, const uint32_t rgba[4])
{
    unsigned type = A3XX_FIELD(op->bits, TEXTURE_TYPE);
    struct a3xx_conversion how = {.from = type <= A3XX_F32 ? A3XX_F32 : A3XX_U32,
                                  .to = (uint8_t)type,
                                  .half_rounding = run->state->choice.half_even ? A3XX_ROUND_EVEN : A3XX_ROUND_ZERO};
    for (unsigned i = 0; i < 4; i++)
        if (A3XX_FIELD(op->bits, WRITE_MASK) >> i & 1)
            a3xx_put(run, &op->result, i, a3xx_convert(&how, rgba[i]));
}

/* --- the threads around ------------------------------------------------------------------------------------------ */

bool a3xx_looks_around(const struct a3xx_op *op)
{
    return a3xx_marks(op->row) & A3XX_MARK_IMPLICIT_LEVEL;
}

unsigned a3xx_around_count(const struct a3xx_op *op)
{
    return a3xx_looks_around(op) ? a3xx_lookup_values(op) : 4;
}

/* --- the host's textures ----------------------------------------------------------------------------------------- */

/* The host gets the flags as the word has them. */
_Static_assert((int)GPUCODE_A3XX_LOOKUP_3D == (int)A3XX_TEXTURE_3D &&
                   (int)GPUCODE_A3XX_LOOKUP_ARRAY == (int)A3XX_TEXTURE_ARRAY &&
                   (int)GPUCODE_A3XX_LOOKUP_SHADOW == (int)A3XX_TEXTURE_SHADOW &&
                   (int)GPUCODE_A3XX_LOOKUP_OFFSET == (int)A3XX_TEXTURE_OFFSET &&
                   (int)GPUCODE_A3XX_LOOKUP_PROJECTED == (int)A3XX_TEXTURE_PROJECTED,
               "flags of lookups and of words differ");

/* Asks the host; true: it has given the texels. */
static bool ask_host(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_lookup_kind how, unsigned unit,
                     unsigned sampler, uint32_t values[4])
{
    static const enum gpucode_a3xx_lookup_kind kinds[] = {[A3XX_SAMPLE] = GPUCODE_A3XX_SAMPLE,
                                                          [A3XX_FETCH] = GPUCODE_A3XX_FETCH,
                                                          [A3XX_GATHER] = GPUCODE_A3XX_GATHER,
                                                          [A3XX_SIZE] = GPUCODE_A3XX_SIZE,
                                                          [A3XX_LEVELS] = GPUCODE_A3XX_LEVELS};
    if (!run->core->texture)
        return false;
    struct gpucode_texture_lookup lookup = {
        .kind = kinds[how],
        .mnemonic = a3xx_rows.rows[op->row].facts.mnemonic,
        .thread = run->index,
        .pc = run->at,
        .flags = A3XX_FIELD(op->bits, TEXTURE_FLAGS) &
                 (GPUCODE_A3XX_LOOKUP_3D | GPUCODE_A3XX_LOOKUP_ARRAY | GPUCODE_A3XX_LOOKUP_SHADOW |
                  GPUCODE_A3XX_LOOKUP_OFFSET | GPUCODE_A3XX_LOOKUP_PROJECTED),
        .sampler = sampler,
        .texture = unit,
        .mask = A3XX_FIELD(op->bits, WRITE_MASK),
        .type = A3XX_FIELD(op->bits, TEXTURE_TYPE),
        .half = op->source[0].half,
    };
    unsigned values_count = how == A3XX_SIZE ? 1 : how == A3XX_LEVELS ? 0 : a3xx_lookup_values(op);
    if (a3xx_marks(op->row) & A3XX_MARK_DERIVATIVES_GIVEN)
        values_count = A3XX_COORDINATES_PADDED + 2 * a3xx_place_components(op->bits);
    bool second = a3xx_has_letter(op->row, 'V'); /* a bias or level */
    lookup.count[0] = values_count;
    lookup.count[1] = (a3xx_has_flag(op->bits, A3XX_TEXTURE_OFFSET) ? a3xx_place_components(op->bits) : 0) + second;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < lookup.count[i]; k++)
            lookup.source[i][k] = a3xx_raw(run, op, i, k);
    if (a3xx_looks_around(op) && run->quad) {
        lookup.quad = run->quad_count;
        lookup.around = run->quad->around;
    }
    return !run->halted && run->core->texture(run->core->texture_user, run->core->machine, &lookup, values);
}

/* --- the built-in textures --------------------------------------------------------------------------------------- */

/* What in the instruction's form does not fit this kind of texture; null: all does. */
static const char *misfit_of_form(const struct a3xx_lookup *lookup, enum a3xx_lookup_kind how)
{
    if (how == A3XX_SIZE || how == A3XX_LEVELS)
        return NULL;
    if (lookup->three != (lookup->kind != GPUCODE_A3XX_2D))
        return lookup->three ? ".3d on a texture of two dimensions" : "a volume or cube without .3d";
    if (lookup->array && lookup->kind == GPUCODE_A3XX_3D)
        return ".a on a volume";
    if (!lookup->array && lookup->layers > (lookup->kind == GPUCODE_A3XX_CUBE ? 6 : 1))
        return "an array without .a";
    if (lookup->kind == GPUCODE_A3XX_CUBE && (lookup->has_offset || how == A3XX_FETCH))
        return lookup->has_offset ? ".o on a cube" : "a texel of a cube by its number";
    if (how == A3XX_FETCH && (lookup->shadow || lookup->projected))
        return lookup->shadow ? ".s of a texel by its number" : ".p of a texel by its number";
    if (a3xx_marks(lookup->op->row) & A3XX_MARK_DERIVATIVES_GIVEN &&
        a3xx_lookup_values(lookup->op) > A3XX_COORDINATES_PADDED)
        return "samgq with more than four values in front of the derivatives";
    return how == A3XX_GATHER && lookup->kind == GPUCODE_A3XX_3D ? "gather4 in a volume" : NULL;
}

/* Of the unit's texture; null: there is no such unit. */
static const uint32_t *fields_of(const struct a3xx_lookup *lookup)
{
    return lookup->unit < GPUCODE_A3XX_TEXTURES ? lookup->run->state->texture[lookup->unit].field : NULL;
}

bool a3xx_has_texture(const struct a3xx_lookup *lookup)
{
    const uint32_t *field = fields_of(lookup);
    return field && field[GPUCODE_A3XX_TEXTURE_WIDTH] && field[GPUCODE_A3XX_TEXTURE_HEIGHT];
}

const char *a3xx_refusal_of_texture(struct a3xx_lookup *lookup, enum a3xx_lookup_kind how)
{
    const uint32_t *field = fields_of(lookup);
    uint64_t bits = lookup->op->bits;
    int depth = field[GPUCODE_A3XX_TEXTURE_DEPTH] ? (int)field[GPUCODE_A3XX_TEXTURE_DEPTH] : 1;
    lookup->kind = field[GPUCODE_A3XX_TEXTURE_KIND];
    lookup->side[0] = (int)field[GPUCODE_A3XX_TEXTURE_WIDTH];
    lookup->side[1] = (int)field[GPUCODE_A3XX_TEXTURE_HEIGHT];
    lookup->side[2] = lookup->kind == GPUCODE_A3XX_3D ? depth : 1;
    lookup->layers = lookup->kind == GPUCODE_A3XX_3D ? 1 : lookup->kind == GPUCODE_A3XX_CUBE ? 6 * depth : depth;
    lookup->levels = field[GPUCODE_A3XX_TEXTURE_LEVELS] ? (int)field[GPUCODE_A3XX_TEXTURE_LEVELS] : 1;
    lookup->three = a3xx_has_flag(bits, A3XX_TEXTURE_3D);
    lookup->array = a3xx_has_flag(bits, A3XX_TEXTURE_ARRAY);
    lookup->shadow = a3xx_has_flag(bits, A3XX_TEXTURE_SHADOW);
    lookup->has_offset = a3xx_has_flag(bits, A3XX_TEXTURE_OFFSET);
    lookup->projected = a3xx_has_flag(bits, A3XX_TEXTURE_PROJECTED);
    lookup->floats = A3XX_FIELD(bits, TEXTURE_TYPE) <= A3XX_F32;
    lookup->coordinates = a3xx_place_components(bits);
    uint64_t texels =
        (uint64_t)lookup->side[0] * (unsigned)lookup->side[1] * (unsigned)lookup->side[2] * (unsigned)lookup->layers;
    if (texels > GPUCODE_A3XX_TEXELS_MAX) /* its levels would reach into the next texture's memory */
        return "more than 2^26 texels";
    return misfit_of_form(lookup, how);
}

/* Finds the texture; false with the machine halted. */
static bool bind_texture(struct a3xx_lookup *lookup, enum a3xx_lookup_kind how)
{
    struct a3xx_run *run = lookup->run;
    if (!a3xx_has_texture(lookup)) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_NO_TEXTURE, lookup->unit);
        return false;
    }
    const char *refusal = a3xx_refusal_of_texture(lookup, how);
    if (refusal) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_TEXTURE_KIND, refusal);
        return false;
    }
    for (unsigned i = 0; i < lookup->coordinates && lookup->has_offset; i++)
        lookup->offset[i] = a3xx_integer_source(run, lookup->op, 1, i);
    if (lookup->shadow)
        lookup->reference = (float)a3xx_real(run, lookup->op, 0, lookup->coordinates);
    return true;
}

/* --- instructions ------------------------------------------------------------------------------------------------ */

static void gather_texels(const struct a3xx_lookup *lookup, const struct a3xx_sample_position *position,
                          unsigned channel, uint32_t rgba[4])
{
    /* counterclockwise from the lower left, as OpenGL orders them */
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    int64_t left = (int64_t)floor(a3xx_scaled(position->at[0], lookup->side[0]) - 0.5);
    int64_t top = (int64_t)floor(a3xx_scaled(position->at[1], lookup->side[1]) - 0.5);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t corner[4];
        read_texel(lookup, 0, (int64_t[]){left + order[i][0], top + order[i][1], 0}, position->layer, corner);
        rgba[i] = corner[channel];
    }
}

/* Whole coordinates; those of isaml come shifted left by the level. */
static void fetch_texel(const struct a3xx_lookup *lookup, uint32_t rgba[4])
{
    struct a3xx_run *run = lookup->run;
    int level = 0, layer = 0;
    if (a3xx_has_letter(lookup->op->row, 'V'))
        level = a3xx_integer_source(run, lookup->op, 1, lookup->has_offset ? lookup->coordinates : 0);
    int shift = level < 0 ? 0 : level > 31 ? 31 : level;
    int64_t at[3] = {0, 0, 0};
    for (unsigned i = 0; i < lookup->coordinates; i++)
        at[i] = a3xx_integer_source(run, lookup->op, 0, i) >> shift;
    if (lookup->array) {
        layer = a3xx_integer_source(run, lookup->op, 0, lookup->coordinates);
        layer = layer < 0 ? 0 : layer >= lookup->layers ? lookup->layers - 1 : layer;
    }
    read_texel(lookup, (unsigned)(shift < lookup->levels ? shift : lookup->levels - 1), at, layer, rgba);
}

static void measure_level(const struct a3xx_lookup *lookup, uint32_t rgba[4])
{
    unsigned level = a3xx_raw(lookup->run, lookup->op, 0, 0) & 31;
    rgba[0] = (uint32_t)a3xx_side(lookup, 0, level);
    rgba[1] = (uint32_t)a3xx_side(lookup, 1, level);
    rgba[2] = lookup->kind == GPUCODE_A3XX_3D     ? (uint32_t)a3xx_side(lookup, 2, level)
              : lookup->kind == GPUCODE_A3XX_CUBE ? (uint32_t)lookup->layers / 6
                                                  : (uint32_t)lookup->layers;
    rgba[3] = 1;
}

void a3xx_look_up(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_lookup_kind how, unsigned channel)
{
    struct a3xx_lookup lookup = {.run = run, .op = op, .unit = A3XX_FIELD(op->bits, TEXTURE)};
    unsigned sampler = A3XX_FIELD(op->bits, SAMPLER);
    if (op->bits & A3XX_S2EN) {
        sampler = a3xx_raw(run, op, 2, 0);
        lookup.unit = a3xx_raw(run, op, 2, 1);
    }
    uint32_t rgba[4] = {0, 0, 0, 0};
    if (ask_host(run, op, how, lookup.unit, sampler, rgba)) {
        put_vector(run, op, rgba);
        return;
    }
    if (run->halted || !bind_texture(&lookup, how))
        return;
    struct a3xx_sample_position position;
    if (how == A3XX_SAMPLE || how == A3XX_GATHER)
        a3xx_find_sample_position(&lookup, &position);
    switch (how) {
    case A3XX_FETCH:
        fetch_texel(&lookup, rgba);
        break;
    case A3XX_SAMPLE: {
        double level = a3xx_level(&lookup, &position);
        if (!run->halted)
            sample_levels(&lookup, level, &position, rgba);
        break;
    }
    case A3XX_GATHER:
        gather_texels(&lookup, &position, lookup.shadow ? 0 : channel, rgba);
        break;
    case A3XX_SIZE:
        measure_level(&lookup, rgba);
        break;
    default: /* levels less one is the third component, and the rest is not known */
        rgba[2] = (uint32_t)lookup.levels - 1;
        break;
    }
    if (!run->halted)
        put_vector(run, op, rgba);
}
