/* SPDX-License-Identifier: MIT */
/* A look into a texture: what the instruction says of it, and the texture it goes to. */
#ifndef ISA_IR3_A3XX_MACHINE_LOOKUP_H
#define ISA_IR3_A3XX_MACHINE_LOOKUP_H

#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/machine/sampling.h"

struct a3xx_lookup {
    struct a3xx_run *run;
    const struct a3xx_op *op;
    unsigned unit;
    bool three, array, has_offset, projected; /* .3d .a .o .p */
    unsigned coordinates;                     /* 2 or 3 */
    struct a3xx_seen texture;
};

/* --- operands ---------------------------------------------------------------------------------------------------- */

/* How many values of the first source say where the instruction looks. */
static inline unsigned a3xx_lookup_values(const struct a3xx_op *op)
{
    return a3xx_coordinate_components(op->bits);
}

static inline uint32_t a3xx_raw(struct a3xx_run *run, const struct a3xx_op *op, unsigned source, unsigned component)
{
    return a3xx_fetch_component(run, &op->source[source], component);
}

static inline double a3xx_real(struct a3xx_run *run, const struct a3xx_op *op, unsigned source, unsigned component)
{
    return a3xx_value(a3xx_raw(run, op, source, component), op->source[source].half);
}

static inline int a3xx_integer_source(struct a3xx_run *run, const struct a3xx_op *op, unsigned source,
                                      unsigned component)
{
    uint32_t value = a3xx_raw(run, op, source, component);
    return op->source[source].half ? (int16_t)value : (int32_t)value;
}

/* --- textures ---------------------------------------------------------------------------------------------------- */

/* Is anything bound to the unit? */
bool a3xx_has_texture(const struct a3xx_lookup *lookup);
/* Finds out about the texture and how the instruction looks into it; null, or why the machine cannot do that. */
const char *a3xx_refusal_of_texture(struct a3xx_lookup *lookup, enum a3xx_lookup_kind how);

/* --- steps of a look --------------------------------------------------------------------------------------------- */

/* sample_position.c: the place of a sample; divides the texture's reference too. */
void a3xx_find_sample_position(struct a3xx_lookup *lookup, struct a3xx_sample_position *position);
/* The level of detail, which may lie outside of those there are; 0 with the machine halted. */
double a3xx_level(const struct a3xx_lookup *lookup, const struct a3xx_sample_position *position);

#endif
