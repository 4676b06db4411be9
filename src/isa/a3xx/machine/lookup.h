/* SPDX-License-Identifier: MIT */
/* A look into a texture: what the instruction says of it, and the texture it goes to. */
#ifndef ISA_A3XX_MACHINE_LOOKUP_H
#define ISA_A3XX_MACHINE_LOOKUP_H

#include "isa/a3xx/machine/machine.h"

/* A place in a texture. */
struct a3xx_sample_position {
    double given[3]; /* coordinates as the instruction has them, divided where they are projected: cubes' directions */
    double at[3];    /* normalised: 0 to 1 from edge to edge; volumes have three */
    unsigned face;   /* of a cube */
    int layer;       /* of an array; faces of cubes are layers */
};

struct a3xx_lookup {
    struct a3xx_run *run;
    const struct a3xx_op *op;
    unsigned unit;
    bool three, array, shadow, has_offset, projected; /* .3d .a .s .o .p */
    bool floats;                                      /* the result is of a float type */
    unsigned coordinates;                             /* 2 or 3 */
    /* the texture */
    unsigned kind; /* enum gpucode_a3xx_texture_kind */
    int side[3];   /* of level 0; side[2] is 1 but for volumes */
    int layers;    /* of an array, or faces of all cubes */
    int levels;
    int offset[3];
    float reference; /* .s */
};

/* Side `axis` of a level. */
static inline int a3xx_side(const struct a3xx_lookup *lookup, unsigned axis, unsigned level)
{
    int side = lookup->side[axis] >> level;
    return side ? side : 1;
}

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

/* --- steps of a look --------------------------------------------------------------------------------------------- */

/* sample_position.c: the place of a sample; divides lookup->reference too. */
void a3xx_find_sample_position(struct a3xx_lookup *lookup, struct a3xx_sample_position *position);
/* The level of detail, which may lie outside of those there are; 0 with the machine halted. */
double a3xx_level(const struct a3xx_lookup *lookup, const struct a3xx_sample_position *position);
/* texels.c: all of a texel by whole coordinates, which are wrapped; shadow comparisons give 1.0 or 0. */
void a3xx_texel(const struct a3xx_lookup *lookup, unsigned level, const int64_t at[3], int layer, uint32_t rgba[4]);
/* Filtered within a level as the policy says. */
void a3xx_sample_level(const struct a3xx_lookup *lookup, unsigned level, const struct a3xx_sample_position *position,
                       uint32_t rgba[4]);
/* And between levels; `level` may lie outside of those there are. */
void a3xx_sample(const struct a3xx_lookup *lookup, double level, const struct a3xx_sample_position *position,
                 uint32_t rgba[4]);
/* A normalised coordinate in texels of a level, kept where integers have room. */
double a3xx_scaled(double coordinate, int side);

#endif
