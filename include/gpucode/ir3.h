/* SPDX-License-Identifier: MIT */
/*
 * ir3, the shaders of Adreno 4xx to 8xx: what a shader uses, and the spaces of its machine.
 */
#ifndef GPUCODE_IR3_H
#define GPUCODE_IR3_H

#include <gpucode/a3xx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts are of the instructions as they stand; it is not known which of them run. */
struct gpucode_ir3_usage {
    /*
     * As for A3XX. Slots of (nopN) count as slots of nops. Registers r48.x to r55.w are not among `full` and `half`.
     */
    struct gpucode_a3xx_usage shader;
    uint32_t barriers;   /* instructions of category 7: barriers, caches, alias */
    uint32_t idle_slots; /* of (nopN) */
    uint32_t branches;   /* and jumps */
    uint32_t joins;      /* instructions with (jp) */
    uint32_t shared;     /* shared registers up to the highest used, in vectors of four from r48 on */
    /*
     * Vectors of four that a fiber takes in the file of full registers: from a6xx on half registers lie in it, two in
     * one (docs of the driver: mergedregs, which is the usual mode).
     */
    uint32_t registers;
    uint32_t constlen; /* consts up to the last one read by number, in vectors, rounded up to the 4 of uploads */
    /*
     * An estimate: how many waves can be resident on a shader core, by the registers alone and at most as many as the
     * chip has; `double_waves` where they are of double width. Of a target that is a generation, by the smallest of its
     * usual register files. Sizes are those of Mesa's tables of chips. 0: the registers do not fit.
     */
    uint32_t waves, double_waves;
};

/*
 * Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (the image is not of a target ir3:a4xx to ir3:a8xx or one of its chips)
 * or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_ir3_usage(const struct gpucode_image *image, struct gpucode_ir3_usage *usage);
/*
 * Puts the same into an answer, as one object of gpucode_a3xx_usage_answer_table(): outermost, or, within an object,
 * its members. Text leaves out what is not used. `answer` stays the caller's. Returns what gpucode_ir3_usage() does, or
 * gpucode_answer_status(); nothing is put into the answer of an image that is not ir3 code. A thread may call it for an
 * answer that no other thread uses.
 */
GPUCODE_API enum gpucode_status gpucode_ir3_usage_tell(const struct gpucode_image *image,
                                                       struct gpucode_answer *answer);

/* --- the machine -------------------------------------------------------------------------------------------------- */

#define GPUCODE_IR3_FIBERS_MAX 1024 /* of a work group */
#define GPUCODE_IR3_BUFFERS 64      /* slots of buffers and images */
#define GPUCODE_IR3_UBOS 32

/*
 * Spaces of the machine: those of enum gpucode_a3xx_space with the same numbers and names, and these. Registers r48.x
 * to r55.w, and half ones in them, are those of the fiber's wave. Processors are the fibers of a work group.
 */
enum gpucode_ir3_space {
    GPUCODE_IR3_BUFFER = GPUCODE_A3XX_FLAGS + 1, /* "buf0.size": number = GPUCODE_IR3_BUFFER_FIELDS * slot + field */
    GPUCODE_IR3_UBO,                             /* "ubo0.size": the same */
    GPUCODE_IR3_SETUP,                           /* enum gpucode_ir3_setup */
    GPUCODE_IR3_SAMPLER,                         /* "s0.filter": number = GPUCODE_IR3_SAMPLER_FIELDS * slot + field */
    /*
     * "base0.address", "base0.high": number = 2 * base + word. Descriptors of bindless buffers lie there in memory,
     * in the form of a6xx and a7xx; the low two bits of the first word say how far they are apart, 2 << N words.
     */
    GPUCODE_IR3_BINDLESS,
    /*
     * "push0": a word of the shared constants that stsc reads. The machine stops where stsc reads one that was not
     * written by gpucode_machine_write().
     */
    GPUCODE_IR3_PUSH,
    /*
     * "rt0.x": what alias.rt put in the place of a component of render target 0, as it stands there; of .f16 as a float
     * of 32 bits. "rt0.given": bits of the components that have such a value in this work group, x the lowest. number
     * = GPUCODE_IR3_TARGET_FIELDS * target + component.
     */
    GPUCODE_IR3_TARGET,
};
#define GPUCODE_IR3_BASES 8
#define GPUCODE_IR3_PUSHES 128
#define GPUCODE_IR3_TARGETS 8
#define GPUCODE_IR3_TARGET_GIVEN 4
#define GPUCODE_IR3_TARGET_FIELDS 5
enum gpucode_ir3_buffer_field {
    GPUCODE_IR3_BUFFER_ADDRESS, /* "buf0.address": low word of where it begins */
    GPUCODE_IR3_BUFFER_HIGH,    /* "buf0.high": the high one */
    GPUCODE_IR3_BUFFER_SIZE,    /* "buf0.size": bytes */
    GPUCODE_IR3_BUFFER_FORMAT,  /* "buf0.format": of typed accesses: enum gpucode_ir3_format */
    GPUCODE_IR3_BUFFER_WIDTH,   /* "buf0.width": of an image, texels */
    GPUCODE_IR3_BUFFER_HEIGHT,  /* "buf0.height" */
    GPUCODE_IR3_BUFFER_DEPTH,   /* "buf0.depth": slices or layers */
    GPUCODE_IR3_BUFFER_PITCH,   /* "buf0.pitch": bytes from row to row; 0: rows follow one another */
    GPUCODE_IR3_BUFFER_LAYER,   /* "buf0.layer": bytes from slice to slice; 0: they follow one another */
    GPUCODE_IR3_BUFFER_FIELDS
};
/*
 * Textures are those of <gpucode/a3xx.h>, "t0.width" and so on, but for the place of their texels, which is beyond all
 * addresses of GPUs. Samplers: each field has 0, which leaves it to the policy of its name, or 1 and the number of the
 * policy's value.
 */
#define GPUCODE_IR3_TEXELS(unit) (UINT64_C(1) << 60 | (uint64_t)(unit) << 32)
#define GPUCODE_IR3_TEXTURE_SIDE_MAX 32767
#define GPUCODE_IR3_SAMPLERS 16
enum gpucode_ir3_sampler_field {
    GPUCODE_IR3_SAMPLER_FILTER,  /* "s0.filter": ir3-filter */
    GPUCODE_IR3_SAMPLER_MIP,     /* "s0.mip": ir3-mip */
    GPUCODE_IR3_SAMPLER_WRAP,    /* "s0.wrap": ir3-wrap */
    GPUCODE_IR3_SAMPLER_COMPARE, /* "s0.compare": ir3-compare */
    GPUCODE_IR3_SAMPLER_FIELDS
};
/* Texels of typed accesses. The machine stores rows linearly. */
enum gpucode_ir3_format {
    GPUCODE_IR3_R32,    /* one word, whatever its type */
    GPUCODE_IR3_RG32,   /* two */
    GPUCODE_IR3_RGBA32, /* four */
    GPUCODE_IR3_R16,    /* 16 bits: integers or f16, as the access has it */
    GPUCODE_IR3_RG16,
    GPUCODE_IR3_RGBA16,
    GPUCODE_IR3_R8, /* bytes: integers as the access has it */
    GPUCODE_IR3_RG8,
    GPUCODE_IR3_RGBA8,
    GPUCODE_IR3_RGBA8_UNORM, /* floats of 0 to 1 */
    GPUCODE_IR3_FORMATS
};
/* What work groups begin with. They run one after the other, x counting fastest. */
enum gpucode_ir3_setup {
    GPUCODE_IR3_GROUPS,          /* "groups.x", .y, .z: how many; 0 counts as 1 */
    GPUCODE_IR3_GROUP = 3,       /* "group.x", .y, .z: the one that runs */
    GPUCODE_IR3_GROUP_PLACE = 6, /* "group-place": register or const in which a group finds its number: 1 + its number,
                                    + 65536 for consts; 0: nowhere */
    GPUCODE_IR3_SETUP_COUNT
};

#ifdef __cplusplus
}
#endif

#endif
