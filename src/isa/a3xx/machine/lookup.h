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

/* --- textures ---------------------------------------------------------------------------------------------------- */

/* Is anything bound to the unit? */
bool a3xx_has_texture(const struct a3xx_lookup *lookup);
/* Finds out about the texture and how the instruction looks into it; null, or why the machine cannot do that. */
const char *a3xx_refusal_of_texture(struct a3xx_lookup *lookup, enum a3xx_lookup_kind how);

/* --- places ------------------------------------------------------------------------------------------------------ */

/* How coordinates outside of a texture wrap: policy a3xx-wrap, and what that is where sides are powers of two. */
enum a3xx_wrap { A3XX_WRAP_CLAMP, A3XX_WRAP_REPEAT, A3XX_WRAP_MIRROR, A3XX_WRAP_REPEAT_BITS, A3XX_WRAP_MIRROR_BITS };

/* Faces of cubes end at their edges. */
static inline enum a3xx_wrap a3xx_wrap_of(const struct a3xx_lookup *lookup)
{
    return lookup->kind == GPUCODE_A3XX_CUBE ? A3XX_WRAP_CLAMP : (enum a3xx_wrap)lookup->run->state->choice.wrap;
}

/* A coordinate inside the texture, by one of the first three ways. */
static inline int a3xx_wrap_coordinate(enum a3xx_wrap how, int64_t at, int size)
{
    if (at >= 0 && at < size) /* most are, and divisions take long */
        return (int)at;
    if (how == A3XX_WRAP_CLAMP)
        return at < 0 ? 0 : size - 1;
    int64_t period = how == A3XX_WRAP_MIRROR ? 2 * (int64_t)size : size, turn = at % period;
    turn = turn < 0 ? turn + period : turn;
    return (int)(turn < size ? turn : period - 1 - turn);
}

/* A normalised coordinate in texels of a level, kept where integers have room. */
A3XX_INLINE double a3xx_scaled(double coordinate, int side)
{
    double at = coordinate * side;
    at = at > -1e9 ? at : -1e9; /* NaN too */
    return at < 1e9 ? at : 1e9;
}

/* The layer that an array index, which is a number in sampling, means. */
int a3xx_layer(const struct a3xx_lookup *lookup, double index);
/* The face that a direction meets, in the order +x -x +y -y +z -z; a direction without length meets the last. */
unsigned a3xx_face(const double direction[3]);
/* Where on the face's plane a direction arrives, as OpenGL lays the faces out. */
void a3xx_on_face(unsigned face, const double direction[3], double at[3]);
/* The level of three neighbours, which for cubes are directions that are all seen on one face; changes those. */
double a3xx_level_between(const struct a3xx_lookup *lookup, unsigned face, double points[3][3]);

/* --- texels ------------------------------------------------------------------------------------------------------ */

/* Policy a3xx-compare. */
static inline bool a3xx_passes(unsigned how, float reference, float texel)
{
    enum { PASS_LE, PASS_LT, PASS_GE, PASS_GT, PASS_EQ, PASS_NE, PASS_ALWAYS };
    switch (how) {
    case PASS_LE:
        return reference <= texel;
    case PASS_LT:
        return reference < texel;
    case PASS_GE:
        return reference >= texel;
    case PASS_GT:
        return reference > texel;
    case PASS_EQ:
        return reference == texel;
    case PASS_NE:
        return reference != texel;
    default:
        return how == PASS_ALWAYS;
    }
}

A3XX_INLINE double a3xx_mix(double one, double other, double part)
{
    double mixed = one * (1 - part) + other * part;
    return part > 0 ? mixed : one; /* an infinity beside it does not count */
}

/* --- steps of a look --------------------------------------------------------------------------------------------- */

/* sample_position.c: the place of a sample; divides lookup->reference too. */
void a3xx_find_sample_position(struct a3xx_lookup *lookup, struct a3xx_sample_position *position);
/* The level of detail, which may lie outside of those there are; 0 with the machine halted. */
double a3xx_level(const struct a3xx_lookup *lookup, const struct a3xx_sample_position *position);

#endif
