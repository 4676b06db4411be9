/* SPDX-License-Identifier: MIT */
/* Where an instruction of category 5 looks: the place in the texture, the layer or face, and the level of detail. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/machine/lookup.h"

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

void a3xx_find_sample_position(struct a3xx_lookup *lookup, struct a3xx_sample_position *position)
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
