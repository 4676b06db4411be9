/* SPDX-License-Identifier: MIT */
/* Where an instruction of category 5 looks: the place in the texture, the layer or face, and the level of detail. */
#include "a3xx_messages.h"
#include "isa/a3xx/machine/lookup.h"

#include <math.h>

/* --- the place --------------------------------------------------------------------------------------------------- */

int a3xx_layer(const struct a3xx_lookup *lookup, double index)
{
    int count = lookup->kind == GPUCODE_A3XX_CUBE ? lookup->layers / 6 : lookup->layers;
    index = lookup->run->state->choice.floor_layer ? floor(index) : nearbyint(index);
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

/* Coordinates of the first source, divided where it is a projection, from registers or from what was seen of a thread.
 */
static void take_coordinates(const struct a3xx_lookup *lookup, const uint32_t *seen, double at[3])
{
    bool half = lookup->op->source[0].half;
    unsigned divisor = lookup->coordinates + lookup->shadow + lookup->array;
    at[2] = 0;
    for (unsigned i = 0; i < lookup->coordinates; i++)
        at[i] = seen ? a3xx_value(seen[i], half) : a3xx_real(lookup->run, lookup->op, 0, i);
    if (!lookup->projected)
        return;
    double by = seen ? a3xx_value(seen[divisor], half) : a3xx_real(lookup->run, lookup->op, 0, divisor);
    for (unsigned i = 0; i < lookup->coordinates; i++)
        at[i] /= by;
}

void a3xx_find_sample_position(struct a3xx_lookup *lookup, struct a3xx_sample_position *position)
{
    take_coordinates(lookup, NULL, position->given);
    if (lookup->shadow && lookup->projected)
        lookup->reference /= (float)a3xx_real(lookup->run, lookup->op, 0, lookup->coordinates + 1u + lookup->array);
    memcpy(position->at, position->given, sizeof position->at);
    position->layer = 0;
    if (lookup->array)
        position->layer =
            a3xx_layer(lookup, a3xx_real(lookup->run, lookup->op, 0, lookup->coordinates + lookup->shadow));
    position->face = 0;
    if (lookup->kind == GPUCODE_A3XX_CUBE) {
        position->face = a3xx_face(position->given);
        a3xx_on_face(position->face, position->given, position->at);
        position->layer = 6 * position->layer + (int)position->face;
    }
}

/* --- levels ------------------------------------------------------------------------------------------------------ */

/* The level at which neighbours in x and y are one texel apart: log2 of the longer way, in texels of level 0. */
static double level_of(const struct a3xx_lookup *lookup, const double here[3], const double right[3],
                       const double below[3])
{
    double longest = 0;
    for (unsigned i = 0; i < 2; i++) {
        double sum = 0;
        for (unsigned k = 0; k < (lookup->kind == GPUCODE_A3XX_3D ? 3u : 2u); k++) {
            double step = ((i ? below : right)[k] - here[k]) * lookup->side[k];
            sum += step * step;
        }
        longest = sum > longest ? sum : longest;
    }
    return log2(longest) / 2; /* nothing: minus infinity */
}

double a3xx_level_between(const struct a3xx_lookup *lookup, unsigned face, double points[3][3])
{
    if (lookup->kind == GPUCODE_A3XX_CUBE)
        for (unsigned i = 0; i < 3; i++) {
            double at[3];
            a3xx_on_face(face, points[i], at);
            memcpy(points[i], at, sizeof at);
        }
    return level_of(lookup, points[0], points[1], points[2]);
}

static double level_of_quad(const struct a3xx_lookup *lookup, unsigned face)
{
    struct a3xx_run *run = lookup->run;
    if (lookup->levels == 1)
        return 0;
    if (!run->quad || run->quad_count < 3) {
        if (!run->state->choice.derivative_zero)
            A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_QUAD, a3xx_rows.rows[lookup->op->row].facts.mnemonic);
        return 0;
    }
    double points[3][3]; /* coarse, as dsx and dsy: one for all four threads */
    for (unsigned i = 0; i < 3; i++)
        take_coordinates(lookup, run->quad->around[i], points[i]);
    return a3xx_level_between(lookup, face, points);
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
    return a3xx_level_between(lookup, position->face, points);
}

double a3xx_level(const struct a3xx_lookup *lookup, const struct a3xx_sample_position *position)
{
    double given = 0;
    uint32_t marks = a3xx_marks(lookup->op->row);
    if (marks & A3XX_MARK_DERIVATIVES_GIVEN)
        return level_of_derivatives(lookup, position);
    if (a3xx_has_letter(lookup->op->row, 'V')) /* the level, or a bias */
        given = a3xx_real(lookup->run, lookup->op, 1, lookup->has_offset ? lookup->coordinates : 0);
    return marks & A3XX_MARK_IMPLICIT_LEVEL ? level_of_quad(lookup, position->face) + given : given;
}
