/* SPDX-License-Identifier: MIT */
/* A look into a texture: what the instruction says of it, and the texture it goes to. */
#ifndef ISA_IR3_A3XX_MACHINE_LOOKUP_H
#define ISA_IR3_A3XX_MACHINE_LOOKUP_H

#include "isa/ir3/a3xx/machine/group.h"
#include "isa/ir3/a3xx/machine/lanes.h"
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

/*
 * Looks of many threads into one texture: what is the same for all, found once for an instruction, and rows of what is
 * not. looks.c finds out where the threads look, lane_looks.inc what they see there.
 */

#define A3XX_LEVELS_ROOM (GPUCODE_A3XX_TEXTURE_LEVELS_MAX + 1)

/* Which texels become one value. */
enum a3xx_filter {
    A3XX_FILTER_WHOLE,   /* the one whose number is given */
    A3XX_FILTER_NEAREST, /* the one in which the place lies */
    A3XX_FILTER_LINEAR,  /* four or eight, by how near they are */
    A3XX_FILTER_GATHER,  /* a channel of each of four */
    A3XX_FILTERS
};

/* Of an instruction and its texture. */
struct a3xx_plan {
    struct pages *pages;
    uint64_t texels; /* where they begin */
    uint8_t filter, wrap, compare, axes, channel;
    uint8_t wanted; /* components of the result, bits */
    bool offset, shadow;
    uint32_t passed; /* what a comparison gives that holds */
    unsigned levels;
    int32_t side[3][A3XX_LEVELS_ROOM];
    uint32_t before[A3XX_LEVELS_ROOM]; /* texels in front of the level */
};

/* Of up to A3XX_LANES_BLOCK lanes. */
struct a3xx_looks {
    uint32_t count;
    const uint32_t *mask;              /* who looks: all ones, else 0; null: all */
    double given[3][A3XX_LANES_BLOCK]; /* as in struct a3xx_sample_position */
    double at[3][A3XX_LANES_BLOCK];
    int32_t whole[3][A3XX_LANES_BLOCK]; /* A3XX_FILTER_WHOLE */
    int32_t offset[3][A3XX_LANES_BLOCK];
    int32_t layer[A3XX_LANES_BLOCK];
    int32_t level[A3XX_LANES_BLOCK]; /* one that there is */
    float reference[A3XX_LANES_BLOCK];
};

typedef uint32_t a3xx_texels[4][A3XX_LANES_BLOCK];

/* The loops, as in struct a3xx_lane_set. */
struct a3xx_look_set {
    /* What the lanes see; false: some of it is not in memory. */
    bool (*see[A3XX_FILTERS])(const struct a3xx_plan *plan, const struct a3xx_looks *looks, a3xx_texels rgba);
    /* Registers as numbers. */
    void (*take)(const uint32_t *row, bool half, double *to, uint32_t count);
    /* Texels as a type, as encoded, from f32 or u32. */
    void (*convert)(unsigned type, bool half_even, uint32_t *values, uint32_t count);
};

/* A look of the issue's threads. */
struct a3xx_look {
    struct a3xx_run *run;
    const struct a3xx_issue *issue;
    const struct a3xx_op *op;
    const struct a3xx_look_set *set;
    struct a3xx_lookup lookup;
    struct a3xx_plan plan;
    enum a3xx_lookup_kind how;
    uint32_t first; /* lane of the block */
};

#endif
