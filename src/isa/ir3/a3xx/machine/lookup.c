/* SPDX-License-Identifier: MIT */
/* Category 5 as far as it looks into textures: the place that is meant, and then the texels there. */
#include "isa/ir3/a3xx/machine/lookup.h"
#include "a3xx_messages.h"

/* Where an instruction of category 5 looks: the place in the texture, the layer or face, and the level of detail. */

/* --- the place --------------------------------------------------------------------------------------------------- */

/* Coordinates of the first source, divided where it is a projection, from registers or from what was seen of a thread.
 */
static void take_coordinates(const struct a3xx_lookup *lookup, const uint32_t *seen, double at[3])
{
    bool half = lookup->op->source[0].half;
    unsigned divisor = lookup->coordinates + lookup->texture.shadow + lookup->array;
    at[2] = 0;
    for (unsigned i = 0; i < lookup->coordinates; i++)
        at[i] = seen ? a3xx_value(seen[i], half) : a3xx_real(lookup->run, lookup->op, 0, i);
    if (!lookup->projected)
        return;
    double by = seen ? a3xx_value(seen[divisor], half) : a3xx_real(lookup->run, lookup->op, 0, divisor);
    for (unsigned i = 0; i < lookup->coordinates; i++)
        at[i] /= by;
}

/* lookup.c: the place of a sample; divides the texture's reference too. */
static void a3xx_find_sample_position(struct a3xx_lookup *lookup, struct a3xx_sample_position *position)
{
    take_coordinates(lookup, NULL, position->given);
    if (lookup->texture.shadow && lookup->projected)
        lookup->texture.reference /=
            (float)a3xx_real(lookup->run, lookup->op, 0, lookup->coordinates + 1u + lookup->array);
    double index = 0;
    if (lookup->array)
        index = a3xx_real(lookup->run, lookup->op, 0, lookup->coordinates + lookup->texture.shadow);
    a3xx_place_sample(&lookup->texture, position, lookup->array ? &index : NULL);
}

/* --- levels ------------------------------------------------------------------------------------------------------ */

static double level_of_quad(const struct a3xx_lookup *lookup, unsigned face)
{
    struct a3xx_run *run = lookup->run;
    if (lookup->texture.levels == 1)
        return 0;
    if (!run->quad || run->quad_count < 3) {
        if (!run->state->choice.derivative_zero)
            A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_QUAD, a3xx_rows.rows[lookup->op->row].facts.mnemonic);
        return 0;
    }
    double points[3][3]; /* coarse, as dsx and dsy: one for all four threads */
    for (unsigned i = 0; i < 3; i++)
        take_coordinates(lookup, run->quad->around[i], points[i]);
    return a3xx_level_between(&lookup->texture, face, points);
}

static double level_of_derivatives(const struct a3xx_lookup *lookup, const struct a3xx_sample_position *position)
{
    double points[3][3];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) {
            points[i][k] = position->given[k];
            if (i && k < lookup->coordinates)
                points[i][k] +=
                    a3xx_real(lookup->run, lookup->op, 0, A3XX_COORDINATES_PADDED + (i - 1) * lookup->coordinates + k);
        }
    return a3xx_level_between(&lookup->texture, position->face, points);
}

/* The level of detail, which may lie outside of those there are; 0 with the machine halted. */
static double a3xx_level(const struct a3xx_lookup *lookup, const struct a3xx_sample_position *position)
{
    double given = 0;
    uint32_t marks = a3xx_marks(lookup->op->row);
    if (marks & A3XX_MARK_DERIVATIVES_GIVEN)
        return level_of_derivatives(lookup, position);
    if (a3xx_has_letter(lookup->op->row, 'V')) /* the level, or a bias */
        given = a3xx_real(lookup->run, lookup->op, 1, lookup->has_offset ? lookup->coordinates : 0);
    return marks & A3XX_MARK_IMPLICIT_LEVEL ? level_of_quad(lookup, position->face) + given : given;
}

/*
 * Category 5 as far as it looks into textures. The first source is a vector: coordinates, the reference of a shadow
 * comparison, the index of an array, the divisor of a projection; after them, padded to four, the derivatives of
 * samgq. The second one: offsets, then a bias or level (A3XX notes, category 5).
 */

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
    if (lookup->three != (lookup->texture.kind != GPUCODE_A3XX_2D))
        return lookup->three ? ".3d on a texture of two dimensions" : "a volume or cube without .3d";
    if (lookup->array && lookup->texture.kind == GPUCODE_A3XX_3D)
        return ".a on a volume";
    if (!lookup->array && lookup->texture.layers > (lookup->texture.kind == GPUCODE_A3XX_CUBE ? 6 : 1))
        return "an array without .a";
    if (lookup->texture.kind == GPUCODE_A3XX_CUBE && (lookup->has_offset || how == A3XX_FETCH))
        return lookup->has_offset ? ".o on a cube" : "a texel of a cube by its number";
    if (how == A3XX_FETCH && (lookup->texture.shadow || lookup->projected))
        return lookup->texture.shadow ? ".s of a texel by its number" : ".p of a texel by its number";
    if (a3xx_marks(lookup->op->row) & A3XX_MARK_DERIVATIVES_GIVEN &&
        a3xx_lookup_values(lookup->op) > A3XX_COORDINATES_PADDED)
        return "samgq with more than four values in front of the derivatives";
    return how == A3XX_GATHER && lookup->texture.kind == GPUCODE_A3XX_3D ? "gather4 in a volume" : NULL;
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
    const struct a3xx_choices *choice = &lookup->run->state->choice;
    struct a3xx_seen *texture = &lookup->texture;
    *texture = (struct a3xx_seen){.memory = &lookup->run->core->memory,
                                  .texels = GPUCODE_A3XX_TEXELS(lookup->unit),
                                  .wrap = choice->wrap,
                                  .compare = choice->compare,
                                  .linear = choice->linear,
                                  .linear_levels = choice->linear_levels,
                                  .floor_layer = choice->floor_layer};
    bool fits = a3xx_take_texture(texture, field);
    lookup->three = a3xx_has_flag(bits, A3XX_TEXTURE_3D);
    lookup->array = a3xx_has_flag(bits, A3XX_TEXTURE_ARRAY);
    lookup->texture.shadow = a3xx_has_flag(bits, A3XX_TEXTURE_SHADOW);
    lookup->has_offset = a3xx_has_flag(bits, A3XX_TEXTURE_OFFSET);
    lookup->projected = a3xx_has_flag(bits, A3XX_TEXTURE_PROJECTED);
    lookup->texture.floats = A3XX_FIELD(bits, TEXTURE_TYPE) <= A3XX_F32;
    lookup->coordinates = a3xx_place_components(bits);
    if (!fits)
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
        lookup->texture.offset[i] = a3xx_integer_source(run, lookup->op, 1, i);
    if (lookup->texture.shadow)
        lookup->texture.reference = (float)a3xx_real(run, lookup->op, 0, lookup->coordinates);
    return true;
}

/* --- instructions ------------------------------------------------------------------------------------------------ */

/* Whole coordinates; those of isaml come shifted left by the level. */
static void fetch_texel(struct a3xx_lookup *lookup, uint32_t rgba[4])
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
        layer = layer < 0 ? 0 : layer >= lookup->texture.layers ? lookup->texture.layers - 1 : layer;
    }
    a3xx_texel(&lookup->texture, (unsigned)(shift < lookup->texture.levels ? shift : lookup->texture.levels - 1), at,
               layer, rgba);
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
            a3xx_sample(&lookup.texture, level, &position, rgba);
        break;
    }
    case A3XX_GATHER:
        a3xx_gather(&lookup.texture, &position, lookup.texture.shadow ? 0 : channel, rgba);
        break;
    case A3XX_SIZE:
        a3xx_measure(&lookup.texture, a3xx_raw(run, op, 0, 0) & 31, rgba);
        break;
    default: /* levels less one is the third component, and the rest is not known */
        rgba[2] = (uint32_t)lookup.texture.levels - 1;
        break;
    }
    if (lookup.texture.absent)
        A3XX_HALT(run, GPUCODE_STOP_FAULT, MSG_A3XX_TEXELS, lookup.unit);
    if (!run->halted)
        put_vector(run, op, rgba);
}
