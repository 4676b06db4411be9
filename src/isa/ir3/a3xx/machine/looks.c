/* SPDX-License-Identifier: MIT */
/* Looks into textures of many threads at once: where they look, and then the texels. */
#include "isa/ir3/a3xx/machine/group.h"
#include "isa/ir3/a3xx/machine/lookup.h"
#include "isa/ir3/a3xx/machine/machine.h"

#include <math.h>

/* Where many threads look in a texture: rows of coordinates, layers, faces, levels. */

/* --- sources ----------------------------------------------------------------------------------------------------- */

static const uint32_t *source_row(const struct a3xx_look *look, unsigned source, unsigned component)
{
    return a3xx_vector_source(look->run, look->issue, look->op, source, component) + look->first;
}

static void take_reals(const struct a3xx_look *look, unsigned source, unsigned component, double *to, uint32_t count)
{
    look->set->take(source_row(look, source, component), look->op->source[source].half, to, count);
}

static void take_integers(const struct a3xx_look *look, unsigned source, unsigned component, int32_t *to,
                          uint32_t count)
{
    const uint32_t *row = source_row(look, source, component);
    bool half = look->op->source[source].half;
    for (uint32_t i = 0; i < count; i++)
        to[i] = half ? (int16_t)row[i] : (int32_t)row[i];
}

/* Offsets; false: so large that their sum with a number of a texel has more than 32 bits. */
static bool a3xx_take_offsets(const struct a3xx_look *look, struct a3xx_looks *looks)
{
    for (unsigned axis = 0; axis < look->plan.axes && look->plan.offset; axis++) {
        take_integers(look, 1, axis, looks->offset[axis], looks->count);
        for (uint32_t i = 0; i < looks->count; i++) {
            int32_t *offset = &looks->offset[axis][i], sum;
            if (looks->mask && !looks->mask[i])
                *offset = 0;
            bool large = *offset < -(1 << 29) || *offset > 1 << 29;
            if (look->how == A3XX_FETCH ? __builtin_add_overflow(*offset, looks->whole[axis][i], &sum) : large)
                return false;
        }
    }
    return true;
}

/* --- places ------------------------------------------------------------------------------------------------------ */

static void take_layers(const struct a3xx_look *look, struct a3xx_looks *looks)
{
    const struct a3xx_lookup *lookup = &look->lookup;
    double index[A3XX_LANES_BLOCK];
    if (!lookup->array)
        return;
    take_reals(look, 0, lookup->coordinates + lookup->texture.shadow, index, looks->count);
    for (uint32_t i = 0; i < looks->count; i++)
        looks->layer[i] = a3xx_layer(&lookup->texture, index[i]);
}

static void take_references(const struct a3xx_look *look, struct a3xx_looks *looks, const double *divisor)
{
    double reference[A3XX_LANES_BLOCK];
    if (!look->lookup.texture.shadow)
        return;
    take_reals(look, 0, look->lookup.coordinates, reference, looks->count);
    for (uint32_t i = 0; i < looks->count; i++)
        looks->reference[i] = (float)reference[i];
    for (uint32_t i = 0; i < looks->count && look->lookup.projected; i++)
        looks->reference[i] /= (float)divisor[i];
}

static void take_face(struct a3xx_looks *looks, uint32_t lane, unsigned *face)
{
    double direction[3] = {looks->given[0][lane], looks->given[1][lane], looks->given[2][lane]}, at[3];
    *face = a3xx_face(direction);
    a3xx_on_face(*face, direction, at);
    for (unsigned axis = 0; axis < 3; axis++)
        looks->at[axis][lane] = at[axis];
    looks->layer[lane] = 6 * looks->layer[lane] + (int32_t)*face;
}

/* a3xx_find_sample_position() of all; `face` is filled for cubes. */
static void a3xx_find_look_places(const struct a3xx_look *look, struct a3xx_looks *looks, unsigned *face)
{
    const struct a3xx_lookup *lookup = &look->lookup;
    double divisor[A3XX_LANES_BLOCK];
    if (lookup->projected)
        take_reals(look, 0, lookup->coordinates + lookup->texture.shadow + lookup->array, divisor, looks->count);
    for (unsigned axis = 0; axis < lookup->coordinates; axis++) {
        take_reals(look, 0, axis, looks->given[axis], looks->count);
        for (uint32_t i = 0; i < looks->count && lookup->projected; i++)
            looks->given[axis][i] /= divisor[i];
        if (lookup->texture.kind != GPUCODE_A3XX_CUBE)
            memcpy(looks->at[axis], looks->given[axis], looks->count * sizeof *looks->at[axis]);
    }
    take_references(look, looks, divisor);
    take_layers(look, looks);
    for (uint32_t i = 0; i < looks->count && lookup->texture.kind == GPUCODE_A3XX_CUBE; i++)
        take_face(looks, i, &face[i]);
}

/* --- levels ------------------------------------------------------------------------------------------------------ */

static void point_of(const struct a3xx_look *look, const struct a3xx_looks *looks, uint32_t lane, double point[3])
{
    point[2] = 0;
    for (unsigned axis = 0; axis < look->lookup.coordinates; axis++)
        point[axis] = looks->given[axis][lane];
}

static void level_by_quads(const struct a3xx_look *look, const struct a3xx_looks *looks, const unsigned *face,
                           double *level)
{
    bool cube = look->lookup.texture.kind == GPUCODE_A3XX_CUBE;
    for (uint32_t i = 0; i < looks->count; i++) {
        double points[3][3];
        uint32_t quad = i / A3XX_QUAD * A3XX_QUAD;
        level[i] = level[quad];
        if (i != quad && !cube)
            continue;
        for (unsigned k = 0; k < 3; k++)
            point_of(look, looks, quad + k, points[k]);
        level[i] = a3xx_level_between(&look->lookup.texture, cube ? face[i] : 0, points);
    }
}

static void level_by_derivatives(const struct a3xx_look *look, const struct a3xx_looks *looks, const unsigned *face,
                                 double *level)
{
    unsigned coordinates = look->lookup.coordinates;
    double step[2][3][A3XX_LANES_BLOCK];
    for (unsigned i = 0; i < 2; i++)
        for (unsigned axis = 0; axis < coordinates; axis++)
            take_reals(look, 0, A3XX_COORDINATES_PADDED + i * coordinates + axis, step[i][axis], looks->count);
    for (uint32_t i = 0; i < looks->count; i++) {
        double points[3][3];
        for (unsigned k = 0; k < 3; k++) {
            point_of(look, looks, i, points[k]);
            for (unsigned axis = 0; axis < coordinates && k; axis++)
                points[k][axis] += step[k - 1][axis][i];
        }
        level[i] = a3xx_level_between(&look->lookup.texture,
                                      look->lookup.texture.kind == GPUCODE_A3XX_CUBE ? face[i] : 0, points);
    }
}

/* a3xx_level() of all, of a texture with more than one, kept to those there are. */
static void a3xx_find_look_levels(const struct a3xx_look *look, const struct a3xx_looks *looks, const unsigned *face,
                                  double *level)
{
    double given[A3XX_LANES_BLOCK], last = look->lookup.texture.levels - 1;
    uint32_t count = looks->count;
    bool has_level = a3xx_has_letter(look->op->row, 'V');
    if (a3xx_marks(look->op->row) & A3XX_MARK_DERIVATIVES_GIVEN)
        level_by_derivatives(look, looks, face, level);
    else if (a3xx_looks_around(look->op))
        level_by_quads(look, looks, face, level);
    else
        memset(level, 0, count * sizeof *level);
    if (has_level)
        take_reals(look, 1, look->lookup.has_offset ? look->lookup.coordinates : 0, given, count);
    for (uint32_t i = 0; i < count; i++) {
        double whole = has_level ? level[i] + given[i] : level[i];
        level[i] = !(whole > 0) ? 0 : whole > last ? last : whole;
    }
}

/* --- whole numbers ----------------------------------------------------------------------------------------------- */

static void a3xx_find_whole_places(const struct a3xx_look *look, struct a3xx_looks *looks)
{
    const struct a3xx_lookup *lookup = &look->lookup;
    uint32_t count = looks->count;
    for (unsigned axis = 0; axis < lookup->coordinates; axis++)
        take_integers(look, 0, axis, looks->whole[axis], count);
    if (lookup->array) {
        take_integers(look, 0, lookup->coordinates, looks->layer, count);
        for (uint32_t i = 0; i < count; i++)
            looks->layer[i] = looks->layer[i] < 0                         ? 0
                              : looks->layer[i] >= lookup->texture.layers ? lookup->texture.layers - 1
                                                                          : looks->layer[i];
    }
    if (!a3xx_has_letter(look->op->row, 'V'))
        return;
    take_integers(look, 1, lookup->has_offset ? lookup->coordinates : 0, looks->level, count);
    for (uint32_t i = 0; i < count; i++) {
        int shift = looks->level[i] < 0 ? 0 : looks->level[i] > 31 ? 31 : looks->level[i];
        for (unsigned axis = 0; axis < lookup->coordinates; axis++)
            looks->whole[axis][i] >>= shift;
        looks->level[i] = shift < lookup->texture.levels ? shift : lookup->texture.levels - 1;
    }
}

/*
 * Looks into textures of many threads. What the instruction, the texture and the policies say is found once; then come
 * the places of blocks of threads, their levels, and the texels. Where some thread would stop the machine, or the host
 * has the textures, nothing is done, and each thread does its own.
 */

/* --- plans ------------------------------------------------------------------------------------------------------- */

static bool is_power(int side)
{
    return !(side & (side - 1));
}

static enum a3xx_wrap wrap_way(const struct a3xx_lookup *lookup)
{
    enum a3xx_wrap how = (enum a3xx_wrap)lookup->texture.wrap;
    bool bits =
        is_power(lookup->texture.side[0]) && is_power(lookup->texture.side[1]) && is_power(lookup->texture.side[2]);
    return bits && how == A3XX_WRAP_REPEAT   ? A3XX_WRAP_REPEAT_BITS
           : bits && how == A3XX_WRAP_MIRROR ? A3XX_WRAP_MIRROR_BITS
                                             : how;
}

static void plan_levels(struct a3xx_plan *plan, const struct a3xx_lookup *lookup)
{
    plan->levels = (unsigned)lookup->texture.levels;
    for (unsigned level = 0; level < plan->levels; level++)
        for (unsigned axis = 0; axis < 3; axis++)
            plan->side[axis][level] = a3xx_side(&lookup->texture, axis, level);
    plan->before[0] = 0;
    for (unsigned level = 1; level < plan->levels; level++)
        plan->before[level] =
            plan->before[level - 1] + (uint32_t)plan->side[0][level - 1] * (uint32_t)plan->side[1][level - 1] *
                                          (uint32_t)plan->side[2][level - 1] * (uint32_t)lookup->texture.layers;
}

static void plan_look(struct a3xx_look *look)
{
    const struct a3xx_lookup *lookup = &look->lookup;
    const struct a3xx_choices *choice = &look->run->state->choice;
    bool linear = choice->linear && lookup->texture.floats;
    look->plan = (struct a3xx_plan){
        .pages = &look->run->core->memory,
        .texels = GPUCODE_A3XX_TEXELS(lookup->unit),
        .filter = look->how == A3XX_FETCH    ? A3XX_FILTER_WHOLE
                  : look->how == A3XX_GATHER ? A3XX_FILTER_GATHER
                  : linear                   ? A3XX_FILTER_LINEAR
                                             : A3XX_FILTER_NEAREST,
        .wrap = (uint8_t)wrap_way(lookup),
        .compare = choice->compare,
        .axes = lookup->texture.kind == GPUCODE_A3XX_3D ? 3 : 2,
        .channel = lookup->texture.shadow ? 0 : A3XX_LOOK_CHANNEL(look->op->look),
        .wanted = (uint8_t)A3XX_FIELD(look->op->bits, WRITE_MASK),
        .offset = lookup->has_offset,
        .shadow = lookup->texture.shadow,
        .passed = lookup->texture.floats ? 0x3f800000 : 1,
    };
    plan_levels(&look->plan, lookup);
}

/* Do levels depend on what the threads of quads look at? */
static bool compares_places(const struct a3xx_look *look)
{
    return look->how == A3XX_SAMPLE && look->lookup.texture.levels > 1 && a3xx_looks_around(look->op);
}

/* Finds out whether it can be done; false: each thread does its own. */
static bool begin_look(struct a3xx_look *look)
{
    struct a3xx_run *run = look->run;
    uint32_t threads = run->state->choice.threads, beyond = threads % A3XX_QUAD;
    if (run->core->texture || !a3xx_has_texture(&look->lookup) || a3xx_refusal_of_texture(&look->lookup, look->how))
        return false;
    /* quads that have no third thread stop or not; under strict timing those that wait have accounts of their own */
    if (compares_places(look) && (beyond == 1 || beyond == 2 || (run->strict && look->issue->masked)))
        return false;
    plan_look(look);
    return true;
}

/* --- kinds of looks ---------------------------------------------------------------------------------------------- */

/* Where `part` is more than nothing, the next level too. */
static bool mix_levels(const struct a3xx_look *look, struct a3xx_looks *looks, const double *part, a3xx_texels rgba)
{
    a3xx_texels coarse;
    bool any = false;
    for (uint32_t i = 0; i < looks->count; i++) {
        bool mixed = part[i] > 0 && (!looks->mask || looks->mask[i]);
        looks->level[i] += mixed;
        any |= mixed;
    }
    if (!any)
        return true;
    if (!look->set->see[look->plan.filter](&look->plan, looks, coarse))
        return false;
    for (unsigned k = 0; k < 4; k++)
        for (uint32_t i = 0; i < looks->count && look->plan.wanted >> k & 1; i++)
            if (part[i] > 0)
                rgba[k][i] = a3xx_nearest(
                    a3xx_mix((double)a3xx_float_of(rgba[k][i]), (double)a3xx_float_of(coarse[k][i]), part[i]));
    return true;
}

static bool sample_texture(const struct a3xx_look *look, struct a3xx_looks *looks, a3xx_texels rgba)
{
    unsigned face[A3XX_LANES_BLOCK];
    double level[A3XX_LANES_BLOCK], part[A3XX_LANES_BLOCK];
    bool between =
        look->run->state->choice.linear_levels && look->lookup.texture.floats && look->lookup.texture.levels > 1;
    a3xx_find_look_places(look, looks, face);
    if (look->how == A3XX_SAMPLE && look->lookup.texture.levels > 1) {
        a3xx_find_look_levels(look, looks, face, level);
        for (uint32_t i = 0; i < looks->count; i++) {
            looks->level[i] = between ? (int32_t)level[i] : (int32_t)ceil(level[i] + 0.5) - 1;
            part[i] = level[i] - (double)looks->level[i];
        }
    }
    return look->set->see[look->plan.filter](&look->plan, looks, rgba) &&
           (!between || look->how != A3XX_SAMPLE || mix_levels(look, looks, part, rgba));
}

static bool look_of_block(const struct a3xx_look *look, struct a3xx_looks *looks, a3xx_texels rgba)
{
    memset(looks->layer, 0, sizeof looks->layer);
    memset(looks->level, 0, sizeof looks->level);
    if (look->how == A3XX_FETCH)
        a3xx_find_whole_places(look, looks);
    if (!a3xx_take_offsets(look, looks))
        return false;
    return look->how == A3XX_FETCH ? look->set->see[look->plan.filter](&look->plan, looks, rgba)
                                   : sample_texture(look, looks, rgba);
}

/* Results go to their registers, or on their way. */
static void put_texels(const struct a3xx_look *look, uint32_t (*found)[A3XX_LANES_ROOM], uint32_t width)
{
    struct a3xx_run *run = look->run;
    uint32_t threads = run->state->choice.threads;
    const uint32_t *mask = look->issue->masked ? look->issue->mask : NULL;
    a3xx_vector_begin(run, look->issue, look->op, width);
    for (unsigned k = 0; k < 4; k++) {
        if (!(look->plan.wanted >> k & 1))
            continue;
        uint32_t *row = a3xx_vector_result(run, look->issue, look->op, k);
        if (!row)
            continue;
        look->set->convert(A3XX_FIELD(look->op->bits, TEXTURE_TYPE), run->state->choice.half_even, found[k], threads);
        run->state->lanes->copy(row, found[k], mask, threads);
    }
    a3xx_vector_end(run, look->issue, look->op);
}

bool a3xx_look_up_lanes(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width)
{
    struct a3xx_look look = {.run = run,
                             .issue = issue,
                             .op = op,
                             .set = run->state->lanes->looks,
                             .lookup = {.run = run, .op = op, .unit = A3XX_FIELD(op->bits, TEXTURE)},
                             .how = A3XX_LOOK_KIND(op->look)};
    uint32_t found[4][A3XX_LANES_ROOM], threads = run->state->choice.threads;
    if (!begin_look(&look))
        return false;
    for (; look.first < threads; look.first += A3XX_LANES_BLOCK) {
        uint32_t left = threads - look.first;
        struct a3xx_looks looks;
        a3xx_texels rgba;
        looks.count = left < A3XX_LANES_BLOCK ? left : A3XX_LANES_BLOCK;
        looks.mask = issue->masked ? issue->mask + look.first : NULL;
        if (!look_of_block(&look, &looks, rgba))
            return false;
        for (unsigned k = 0; k < 4; k++)
            if (look.plan.wanted >> k & 1)
                memcpy(found[k] + look.first, rgba[k], looks.count * sizeof *rgba[k]);
    }
    put_texels(&look, found, width);
    return true;
}
