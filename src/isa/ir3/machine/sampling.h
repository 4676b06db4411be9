/* SPDX-License-Identifier: MIT */
/*
 * A texture as the machines of shaders have it (enum gpucode_a3xx_texture_field), and looks into it: places, levels of
 * detail, filters. Instructions and their operands are the sets' own.
 */
#ifndef ISA_IR3_MACHINE_SAMPLING_H
#define ISA_IR3_MACHINE_SAMPLING_H

#include "isa/ir3/machine/arithmetic.h"
#include "isa/machine.h"
#include <gpucode/a3xx.h>

/* A place in a texture. */
struct a3xx_sample_position {
    double given[3]; /* coordinates as the instruction has them, divided where they are projected: cubes' directions */
    double at[3];    /* normalised: 0 to 1 from edge to edge; volumes have three */
    unsigned face;   /* of a cube */
    int layer;       /* of an array; faces of cubes are layers */
};

/* How coordinates outside of a texture wrap: policies a3xx-wrap, ir3-wrap, and what that is where sides are powers of
 * two. */
enum a3xx_wrap { A3XX_WRAP_CLAMP, A3XX_WRAP_REPEAT, A3XX_WRAP_MIRROR, A3XX_WRAP_REPEAT_BITS, A3XX_WRAP_MIRROR_BITS };

struct a3xx_seen {
    struct pages *memory;
    uint64_t texels; /* where they begin in it */
    unsigned kind;   /* enum gpucode_a3xx_texture_kind */
    int side[3];     /* of level 0; side[2] is 1 but for volumes */
    int layers;      /* of an array, or faces of all cubes */
    int levels;
    /* how it is looked at */
    uint8_t wrap;    /* enum a3xx_wrap; faces of cubes end at their edges */
    uint8_t compare; /* policies a3xx-compare, ir3-compare */
    bool linear, linear_levels, floor_layer;
    bool floats; /* the result is of a float type */
    bool shadow;
    float reference;
    int offset[3];
    bool absent; /* a texel that was looked for is not in memory */
    /* Reads texels that do not lie in the machine's own form, by wrapped coordinates; false: it is absent. Or null. */
    bool (*fetch)(void *user, unsigned level, const unsigned at[3], int layer, uint32_t rgba[4]);
    void *user;
};

/* Takes the fields of a texture; false: it is larger than textures may be. */
bool a3xx_take_texture(struct a3xx_seen *texture, const uint32_t field[GPUCODE_A3XX_TEXTURE_FIELDS]);

/* Side `axis` of a level. */
static inline int a3xx_side(const struct a3xx_seen *texture, unsigned axis, unsigned level)
{
    int side = texture->side[axis] >> level;
    return side ? side : 1;
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
int a3xx_layer(const struct a3xx_seen *texture, double index);
/* The face that a direction meets, in the order +x -x +y -y +z -z; a direction without length meets the last. */
unsigned a3xx_face(const double direction[3]);
/* Where on the face's plane a direction arrives, as OpenGL lays the faces out. */
void a3xx_on_face(unsigned face, const double direction[3], double at[3]);
/* The level of three neighbours, which for cubes are directions that are all seen on one face; changes those. */
double a3xx_level_between(const struct a3xx_seen *texture, unsigned face, double points[3][3]);

/* --- texels ------------------------------------------------------------------------------------------------------ */

/* Policies a3xx-compare and ir3-compare. */
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

/* --- looks -------------------------------------------------------------------------------------------------------- */

/* A texel's words at a place that is a multiple of 16, and so in one page; false: they are not in memory. */
static inline bool a3xx_read_texel(struct pages *pages, uint64_t address, uint32_t rgba[4])
{
    const struct pages_cached *slot = pages_slot(pages, address);
    if (slot->number != (address >> PAGE_BITS) + 1) {
        bool good = true;
        for (unsigned i = 0; i < 4; i++)
            good &= pages_read(pages, address + 4 * i, &rgba[i]);
        return good;
    }
    const unsigned char *bytes = slot->bytes + (address & (PAGE_BYTES - 1));
    for (unsigned i = 0; i < 4; i++)
        rgba[i] = page_word(bytes + 4 * (size_t)i);
    return true;
}

/* All of a texel by whole coordinates, which are wrapped; shadow comparisons give 1.0 or 0. */
void a3xx_texel(struct a3xx_seen *texture, unsigned level, const int64_t at[3], int layer, uint32_t rgba[4]);
/* Between levels; `level` may lie outside of those there are. */
void a3xx_sample(struct a3xx_seen *texture, double level, const struct a3xx_sample_position *position,
                 uint32_t rgba[4]);
/* A channel of four texels, counterclockwise from the lower left. */
void a3xx_gather(struct a3xx_seen *texture, const struct a3xx_sample_position *position, unsigned channel,
                 uint32_t rgba[4]);
/* What getsize tells of a level. */
void a3xx_measure(const struct a3xx_seen *texture, unsigned level, uint32_t rgba[4]);
/* Finds layer and face of coordinates that are given; `index` is that of an array, or null. */
void a3xx_place_sample(const struct a3xx_seen *texture, struct a3xx_sample_position *position, const double *index);

#endif
