/* SPDX-License-Identifier: MIT */
/*
 * ir3, the shaders of Adreno 4xx to 8xx: what a shader uses.
 *
 * Counts are of the instructions as they stand; it is not known which of them run.
 */
#ifndef GPUCODE_IR3_H
#define GPUCODE_IR3_H

#include <gpucode/a3xx.h>

#ifdef __cplusplus
extern "C" {
#endif

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
#ifdef __cplusplus
}
#endif

#endif
