/* SPDX-License-Identifier: MIT */
/* What rows say of instructions in all generations of the family: words of the effects column, struct isa_row.marks. */
#ifndef ISA_IR3_TEXT_MARKS_H
#define ISA_IR3_TEXT_MARKS_H

/* Bits 18 to 21 and 23 to 31 are of the sets: enum a3xx_mark and enum ir3_mark of their rows.h. */
enum shader_row_mark {
    SHADER_MARK_SFU = 1, /* unit and latency: how results are waited for */
    SHADER_MARK_TEXTURE = 2,
    SHADER_MARK_MEMORY = 3,
    SHADER_MARK_UNIT = 3,            /* the two bits; 0: the ALU */
    SHADER_MARK_LOCAL = 1 << 2,      /* the result comes as that of local memory does */
    SHADER_MARK_PRIVATE = 1 << 3,    /* from private memory */
    SHADER_MARK_LATE_THIRD = 1 << 4, /* the third source is read later than the factors (A3XX wiki page, Scheduling) */
    SHADER_MARK_FENCE = 1 << 5,      /* nothing moves over it: what it does is not known, or it concerns all */
    SHADER_MARK_FLOATS = 1 << 6,     /* sources, and the result: floats, bits, signed numbers, else unsigned ones */
    SHADER_MARK_BITS = 1 << 7,
    SHADER_MARK_SIGNED = 1 << 8,
    SHADER_MARK_HALF = 1 << 9, /* category 3: sources have 16 bits, as A3XX-era tools have it (sad.s32 too) */
    SHADER_MARK_NEG = 1 << 10, /* sources may have (neg); on logical operations it inverts the bits */
    SHADER_MARK_ABS = 1 << 11, /* (abs); a3xx refuses both on others, from a4xx on texts may have them anywhere */
    SHADER_MARK_RESULT_MOVED = 1 << 12,  /* a result of the other width: a float that keeps denormals */
    SHADER_MARK_RESULT_ZEROS = 2 << 12,  /* extended with zeros whatever the sources are */
    SHADER_MARK_RESULT_SIGNED = 3 << 12, /* with the sign: all ones stay all ones */
    SHADER_MARK_RESULT_WIDE = 4 << 12,   /* calculated with 32 bits */
    SHADER_MARK_RESULT = 7 << 12,        /* the three bits; 0: as the sources say */
    SHADER_MARK_UNSATURATED = 1 << 15,   /* (sat) is not known to work */
    SHADER_MARK_VARYING = 1 << 16, /* the first source is the number of a varying, the second a barycentric pair */
    SHADER_MARK_KILL = 1 << 17,
    SHADER_MARK_COMPARES = 1 << 22, /* the result says how the two sources compare */
};

#define SHADER_ROW_MARKS(MARK)                                                                                         \
    MARK("unit sfu", SHADER_MARK_SFU)                                                                                  \
    MARK("unit texture", SHADER_MARK_TEXTURE)                                                                          \
    MARK("unit memory", SHADER_MARK_MEMORY)                                                                            \
    MARK("latency local", SHADER_MARK_LOCAL)                                                                           \
    MARK("latency private", SHADER_MARK_PRIVATE)                                                                       \
    MARK("late third", SHADER_MARK_LATE_THIRD)                                                                         \
    MARK("fence", SHADER_MARK_FENCE)                                                                                   \
    MARK("floats", SHADER_MARK_FLOATS)                                                                                 \
    MARK("bits", SHADER_MARK_BITS)                                                                                     \
    MARK("signed", SHADER_MARK_SIGNED)                                                                                 \
    MARK("half", SHADER_MARK_HALF)                                                                                     \
    MARK("neg", SHADER_MARK_NEG)                                                                                       \
    MARK("abs", SHADER_MARK_ABS)                                                                                       \
    MARK("result moved", SHADER_MARK_RESULT_MOVED)                                                                     \
    MARK("result unsigned", SHADER_MARK_RESULT_ZEROS)                                                                  \
    MARK("result signed", SHADER_MARK_RESULT_SIGNED)                                                                   \
    MARK("result wide", SHADER_MARK_RESULT_WIDE)                                                                       \
    MARK("unsaturated", SHADER_MARK_UNSATURATED)                                                                       \
    MARK("varying", SHADER_MARK_VARYING)                                                                               \
    MARK("kill", SHADER_MARK_KILL)                                                                                     \
    MARK("compares", SHADER_MARK_COMPARES)

#endif
