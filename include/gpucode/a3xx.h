/* SPDX-License-Identifier: MIT */
/*
 * A3XX: what a shader uses, and what its machine has.
 *
 *     struct gpucode_a3xx_usage usage;
 *     if (gpucode_a3xx_usage(image, &usage) == GPUCODE_OK)
 *         printf("%u registers\n", usage.full.vectors);
 *
 * Counts are of the instructions as they stand; it is not known which of them run.
 */
#ifndef GPUCODE_A3XX_H
#define GPUCODE_A3XX_H

#include <gpucode/answer.h>
#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <gpucode/names.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Use of one register file. Bits of `read` and `written`: component number, r1.y is bit 5 (word 0, bit 5). */
struct gpucode_a3xx_file {
    uint32_t read[8], written[8];
    uint32_t
        inputs[8]; /* read where nothing before it in the text wrote them: the shader's inputs, if it has no loops */
    uint32_t outputs[8]; /* written, and not read after that in the text: its outputs, if it has no loops */
    unsigned components; /* how many are used */
    unsigned vectors;    /* vectors of four up to the highest used: what the driver reserves per fiber */
    bool relative;       /* addressed through a0.x, so that more may be used */
};

struct gpucode_a3xx_usage {
    uint32_t instructions; /* up to the last `end`; nops after it are padding */
    uint32_t padding;      /* after it */
    uint32_t category[7];  /* instructions by category */
    uint32_t unknown;      /* words that no row explains */
    uint32_t nops;         /* nop instructions ... */
    uint32_t nop_slots;    /* ... and the issue slots they take */
    uint32_t slots;        /* issue slots of all, repeats counted, jumps not taken */
    uint32_t ss, sy;       /* sync points: instructions with (ss), with (sy) */
    struct gpucode_a3xx_file full, half;
    uint32_t consts;          /* one more than the highest const read, in components; 0: none */
    uint32_t const_reads[64]; /* bit per component c0.x to c511.w that is read by number */
    bool relative_const;
    uint32_t samplers;         /* bit per sampler s#N */
    uint32_t textures[4];      /* bit per texture t#N */
    uint32_t varyings;         /* one more than the highest component that bary.f reads by number; 0: none */
    uint32_t varying_reads[4]; /* bit per component 0 to 127 that it reads */
    bool kills, calls, reads_memory, writes_memory;
};

/*
 * Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (the image is not A3XX code) or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_a3xx_usage(const struct gpucode_image *image, struct gpucode_a3xx_usage *usage);
/*
 * Puts the same into an answer, as one object: outermost, or, within an object, its members. Text leaves out what is
 * not used. `answer` stays the caller's. Returns what gpucode_a3xx_usage() does, or gpucode_answer_status(); nothing is
 * put into the answer of an image that is not A3XX code. A thread may call it for an answer that no other thread uses.
 */
GPUCODE_API enum gpucode_status gpucode_a3xx_usage_tell(const struct gpucode_image *image,
                                                        struct gpucode_answer *answer);
/* The fields of it, constants. Any thread. */
GPUCODE_API const struct gpucode_answer_table *gpucode_a3xx_usage_answer_table(void);

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
 * Textures: what is built in. Texels are four 32-bit values each, red first, in the machine's memory from
 * GPUCODE_A3XX_TEXELS(unit) on, out of reach of the shader's 32-bit addresses: level after level, the largest first;
 * within a level layer after layer (slices of a volume; faces of a cube in the order +x -x +y -y +z -z, cube after
 * cube), row after row. Sides of a level are half of those of the one before, rounded down, and at least 1; layers of
 * arrays and faces stay. A texture is bound when its width and height are not 0.
 */
enum gpucode_a3xx_texture_field {
    GPUCODE_A3XX_TEXTURE_WIDTH,  /* "t0.width" */
    GPUCODE_A3XX_TEXTURE_HEIGHT, /* "t0.height" */
    GPUCODE_A3XX_TEXTURE_DEPTH,  /* "t0.depth": slices of a volume, layers of an array, cubes of an array; 0: 1 */
    GPUCODE_A3XX_TEXTURE_LEVELS, /* "t0.levels"; 0: 1 */
    GPUCODE_A3XX_TEXTURE_KIND,   /* "t0.kind": enum gpucode_a3xx_texture_kind */
    GPUCODE_A3XX_TEXTURE_FIELDS
};
enum gpucode_a3xx_texture_kind { GPUCODE_A3XX_2D, GPUCODE_A3XX_3D, GPUCODE_A3XX_CUBE, GPUCODE_A3XX_KINDS };
#define GPUCODE_A3XX_TEXTURE_SIDE_MAX 8192
#define GPUCODE_A3XX_TEXTURE_LEVELS_MAX 14
#define GPUCODE_A3XX_TEXELS_MAX (UINT64_C(1) << 26) /* of a texture's first level */
#define GPUCODE_A3XX_TEXELS(unit) ((uint64_t)((unit) + 1) << 32)

/*
 * What an instruction asks of a texture, for textures that the host provides instead: gpucode_machine_texture() in
 * <gpucode/machine.h>.
 */
enum gpucode_a3xx_lookup_kind {
    GPUCODE_A3XX_SAMPLE, /* sam, samb, saml, samgq */
    GPUCODE_A3XX_FETCH,  /* isam, isaml: coordinates are integers */
    GPUCODE_A3XX_GATHER, /* gather4r, gather4g, gather4b, gather4a */
    GPUCODE_A3XX_SIZE,   /* getsize: source[0][0] is the level */
    GPUCODE_A3XX_LEVELS, /* getinfo */
};
enum { /* flags */
       GPUCODE_A3XX_LOOKUP_3D = 1,
       GPUCODE_A3XX_LOOKUP_ARRAY = 2,
       GPUCODE_A3XX_LOOKUP_SHADOW = 4,
       GPUCODE_A3XX_LOOKUP_OFFSET = 16,
       GPUCODE_A3XX_LOOKUP_PROJECTED = 32,
};
#define GPUCODE_A3XX_LOOKUP_VALUES 10
struct gpucode_texture_lookup {
    enum gpucode_a3xx_lookup_kind kind;
    const char *mnemonic; /* "gather4r", without suffixes */
    unsigned thread;      /* which one looks */
    uint64_t pc;
    unsigned flags;
    unsigned sampler, texture; /* s#, t#; of .s2en what the registers say, any number */
    unsigned mask;             /* which of the four values are used: bit 0 the first */
    unsigned type;             /* of the result: 0 f16, 1 f32, 2 u16, 3 u32, 4 s16, 5 s32, 6 u8, 7 s8 */
    /*
     * The sources' registers, as they are: bits of floats of 32 bits, or 16 where `half`, or integers. The first:
     * coordinates (3 with 3D, else 2), reference (SHADOW), array index (ARRAY), divisor (PROJECTED); samgq: padded to
     * four, then the derivatives in x and in y. The second: offsets (OFFSET), then the bias of samb or level of saml,
     * isaml.
     */
    bool half;
    unsigned count[2];
    uint32_t source[2][GPUCODE_A3XX_LOOKUP_VALUES];
    /*
     * sam and samb: the first source of the threads of the quad (0: here, 1: next in x, 2: next in y, 3), for the level
     * of detail. Null when the machine has no quads; `quad` says how many threads there are.
     */
    const uint32_t (*around)[GPUCODE_A3XX_LOOKUP_VALUES];
    unsigned quad;
};
#define gpucode_a3xx_lookup gpucode_texture_lookup /* its name in version 0.1 */

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
/* The latency that is reckoned with, number `index`, and what delivers results so ("special"); null after the last. */
GPUCODE_API const char *gpucode_a3xx_cycles_latency(const struct gpucode_a3xx_cycles *cycles, unsigned index,
                                                    uint32_t *slots);
GPUCODE_API void gpucode_a3xx_cycles_free(struct gpucode_a3xx_cycles *cycles);

#ifdef __cplusplus
}
#endif
#endif
