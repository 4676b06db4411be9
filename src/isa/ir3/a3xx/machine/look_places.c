/* SPDX-License-Identifier: MIT */
/* Where many threads look in a texture: rows of coordinates, layers, faces, levels. */
#include "isa/ir3/a3xx/machine/group.h"
#include "isa/ir3/a3xx/machine/looks.h"

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

bool a3xx_take_offsets(const struct a3xx_look *look, struct a3xx_looks *looks)
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

void a3xx_find_look_places(const struct a3xx_look *look, struct a3xx_looks *looks, unsigned *face)
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

void a3xx_find_look_levels(const struct a3xx_look *look, const struct a3xx_looks *looks, const unsigned *face,
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

void a3xx_find_whole_places(const struct a3xx_look *look, struct a3xx_looks *looks)
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
