/* SPDX-License-Identifier: MIT */
/*
 * A3XX: what a shader uses, and what its machine has.
 *
 *     struct gpucode_a3xx_usage usage;
 *     if (gpucode_a3xx_usage(image, &usage) == GPUCODE_OK)
 *         printf("%u registers\n", usage.full.vectors);
 *
 * Counts are of the instructions as they stand; nothing is said of which of them run.
 */
#ifndef GPUCODE_A3XX_H
#define GPUCODE_A3XX_H

#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <gpucode/names.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Use of one register file. Bits of `read` and `written`: component number, r1.y is bit 5 (word 0, bit 5). */
struct gpucode_a3xx_file {
    uint32_t read[8], written[8];
    uint32_t
        inputs[8]; /* read where nothing before it in the text wrote them: the shader's inputs, if it has no loops */
    unsigned components; /* how many are used */
    unsigned vectors;    /* vectors of four up to the highest used: what the driver reserves per fiber */
    bool relative;       /* addressed through a0.x, so that more may be used */
};

struct gpucode_a3xx_usage {
    uint32_t instructions; /* up to the last `end`; nops behind it are padding */
    uint32_t padding;      /* behind it */
    uint32_t category[7];  /* instructions by category */
    uint32_t unknown;      /* words that no row explains */
    uint32_t nops;         /* nop instructions ... */
    uint32_t nop_slots;    /* ... and the issue slots they take */
    uint32_t slots;        /* issue slots of all, repeats counted, jumps not taken */
    uint32_t ss, sy;       /* sync points: instructions with (ss), with (sy) */
    struct gpucode_a3xx_file full, half;
    uint32_t consts; /* one more than the highest const read, in components; 0: none */
    bool relative_const;
    uint32_t samplers;    /* bit per sampler s#N */
    uint32_t textures[4]; /* bit per texture t#N */
    uint32_t varyings;    /* one more than the highest component that bary.f reads by number; 0: none */
    bool kills, calls, reads_memory, writes_memory;
};

/*
 * Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (the image is no A3XX code) or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_a3xx_usage(const struct gpucode_image *image, struct gpucode_a3xx_usage *usage);

/* --- the machine ------------------------------------------------------------------------------------------------- */

#define GPUCODE_A3XX_VARYINGS 128 /* components */
#define GPUCODE_A3XX_TEXTURES 16
#define GPUCODE_A3XX_THREADS_MAX 1024 /* of a group */

/*
 * Register spaces of an A3XX machine. Numbers count components: r1.y is 5. Processors are threads, "0", "1" and so on,
 * as many as the policy a3xx-threads says.
 */
enum gpucode_a3xx_space {
    GPUCODE_A3XX_FULL = GPUCODE_SPACE_GENERAL, /* "r0.x" to "r60.w"; "a0.x" (244) and "p0.x" to "p0.w" (248 to 251) */
    GPUCODE_A3XX_HALF = GPUCODE_SPACE_COUNT,   /* "hr0.x": the low 16 bits count */
    GPUCODE_A3XX_CONST,                        /* "c0.x" to "c511.w", one file for all threads */
    GPUCODE_A3XX_VARYING,   /* "v0": the component at the corner where i = j = 0; writing sets all three corners */
    GPUCODE_A3XX_VARYING_I, /* "vi0": at the corner i = 1 */
    GPUCODE_A3XX_VARYING_J, /* "vj0": at the corner j = 1 */
    GPUCODE_A3XX_FLAT,      /* "vflat0": 1: the component's bits are delivered as they are; 0: interpolated */
    GPUCODE_A3XX_TEXTURE,   /* "t0.width": number = GPUCODE_A3XX_TEXTURE_FIELDS * unit + field */
    GPUCODE_A3XX_FLAGS,     /* by thread: 0 "killed", 1 "ended" */
};

/*
 * A texture has two dimensions and one level. Its texels are four 32-bit values each, red first, row after row, in the
 * machine's memory from GPUCODE_A3XX_TEXELS(unit) on, out of reach of the shader's 32-bit addresses.
 */
enum gpucode_a3xx_texture_field {
    GPUCODE_A3XX_TEXTURE_WIDTH,
    GPUCODE_A3XX_TEXTURE_HEIGHT,
    GPUCODE_A3XX_TEXTURE_FIELDS
};
#define GPUCODE_A3XX_TEXTURE_SIDE_MAX 8192
#define GPUCODE_A3XX_TEXELS(unit) ((uint64_t)((unit) + 1) << 32)

/* --- an estimate of time ----------------------------------------------------------------------------------------- */

/*
 * What instructions cost: the machine counts issue slots; this adds the slots that (ss) and (sy) wait for results, from
 * latencies that the policies a3xx-latency-special, -local, -texture, -global and -private give. Of these only the
 * first is more than a guess; see docs/a3xx-machine.md. Results of different instructions are on their way side by
 * side, and sources are taken to be read at once.
 */
struct gpucode_a3xx_cost {
    uint64_t runs;    /* issues: the threads of a group that run it together count once */
    uint64_t slots;   /* of issue: steps of repeats count */
    uint64_t ss, sy;  /* slots that (ss) waited on top of that, and (sy) */
    uint64_t threads; /* runs, each thread for itself */
};
struct gpucode_a3xx_cycles;

/*
 * Starts counting for machines of this image. `policies` may be null; other policies than those above are not looked
 * at. Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (no A3XX code), GPUCODE_ERROR_RANGE (a latency above 1,000,000),
 * GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. gpucode_a3xx_cycles_free() frees it. One thread at a time.
 */
GPUCODE_API enum gpucode_status gpucode_a3xx_cycles_open(const struct gpucode_image *image,
                                                         const struct gpucode_setting *policies,
                                                         struct gpucode_a3xx_cycles **out);
/* Takes each GPUCODE_EVENT_INSN that a hook sees, in their order. */
GPUCODE_API void gpucode_a3xx_cycles_see(struct gpucode_a3xx_cycles *cycles, const struct gpucode_event *event);
/* Of the instruction at `pc`, or, from the end of the code on, of all. */
GPUCODE_API struct gpucode_a3xx_cost gpucode_a3xx_cycles_of(const struct gpucode_a3xx_cycles *cycles, uint64_t pc);
/* The latency that is reckoned with, number `index`, and what delivers results so ("special"); null behind the last. */
GPUCODE_API const char *gpucode_a3xx_cycles_latency(const struct gpucode_a3xx_cycles *cycles, unsigned index,
                                                    uint32_t *slots);
GPUCODE_API void gpucode_a3xx_cycles_free(struct gpucode_a3xx_cycles *cycles);

#ifdef __cplusplus
}
#endif
#endif
