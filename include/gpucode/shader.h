/* SPDX-License-Identifier: MIT */
/* Shaders of any set: what they use, and whether two of them do the same. */
#ifndef GPUCODE_SHADER_H
#define GPUCODE_SHADER_H

#include <gpucode/answer.h>
#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <gpucode/report.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_a3xx_usage; /* <gpucode/a3xx.h> */

/* What a shader of either set uses, as far as both have it. Returns what gpucode_a3xx_usage() does. Any thread. */
GPUCODE_API enum gpucode_status gpucode_shader_usage(const struct gpucode_image *image,
                                                     struct gpucode_a3xx_usage *usage);
/*
 * The same in words: gpucode_a3xx_usage_tell() of <gpucode/a3xx.h> or gpucode_ir3_usage_tell() of <gpucode/ir3.h>, by
 * the image's instruction set; the fields are those of gpucode_a3xx_usage_answer_table(). `answer` stays the caller's.
 * Returns what they do: GPUCODE_ERROR_UNSUPPORTED, and nothing is put into the answer, of other sets. A thread may call
 * it for an answer that no other thread uses.
 */
GPUCODE_API enum gpucode_status gpucode_shader_usage_tell(const struct gpucode_image *image,
                                                          struct gpucode_answer *answer);

/* --- two shaders, run with the same inputs ------------------------------------------------------------------------ */

/*
 *     struct gpucode_shader_comparison found;
 *     if (gpucode_shader_compare(machine_a, machine_b, NULL, &found) == GPUCODE_OK) {
 *         puts(found.differs ? "they differ" : "no input tells them apart");
 *         gpucode_shader_comparison_free(&found);
 *     }
 */

/* A register, const or varying: a space of <gpucode/a3xx.h> or <gpucode/ir3.h> and a number in it. */
struct gpucode_shader_place {
    unsigned space;
    uint32_t number;
};

/* A list of them; `list` may be null where `count` is 0. */
struct gpucode_shader_places {
    const struct gpucode_shader_place *list;
    size_t count;
};

struct gpucode_shader_compare_options {
    uint64_t seed;  /* the same one makes the same inputs */
    uint64_t runs;  /* of each shader; 0: 10,000 */
    uint64_t limit; /* instructions of a run; 0: 20,000 */
    /*
     * What inputs are made for; without any: the registers that either shader reads before its text writes them, and
     * the consts and varyings that either reads.
     */
    struct gpucode_shader_places inputs;
    struct gpucode_shader_places kept[2]; /* what keeps the value that this machine has for it */
    /*
     * What is compared beside memory; without any: the registers that both shaders write and do not read after that in
     * their texts.
     */
    struct gpucode_shader_places outputs;
};

/* In what two shaders differ. */
enum gpucode_shader_differs {
    GPUCODE_SHADER_SAME,     /* in nothing that was found */
    GPUCODE_SHADER_STOPS,    /* why they end */
    GPUCODE_SHADER_KILLED,   /* one kills the thread */
    GPUCODE_SHADER_REGISTER, /* an output */
    GPUCODE_SHADER_MEMORY,   /* a word of global memory */
    GPUCODE_SHADER_DIFFERENCES
};
/* "same", "stops", "killed", "register", "memory"; null: not one of them. Any thread. */
GPUCODE_API const char *gpucode_shader_differs_name(enum gpucode_shader_differs differs);

/* What an input is in the run that tells the two apart. */
struct gpucode_shader_given {
    unsigned thread; /* 0 where all threads share it */
    struct gpucode_shader_place place;
    uint32_t value;
};
/* A word of memory that was read. */
struct gpucode_shader_word {
    uint64_t address;
    uint32_t value;
};

struct gpucode_shader_comparison {
    enum gpucode_shader_differs differs;
    uint64_t seed, runs; /* runs that were done; the last one tells them apart where they differ */
    uint64_t ended;      /* in which both came to their ends: these are compared */
    uint64_t stopped;    /* in which both stopped in front of them for the same reason, by a fault for example */
    uint64_t undecided;  /* in which one reached the limit, or did what nobody knows the effect of */
    struct gpucode_stop stop[2];                /* of the run that tells them apart, else of the last one not ended */
    unsigned threads;                           /* of the machines */
    const struct gpucode_shader_place *outputs; /* that were compared */
    size_t output_count;
    /* --- where they differ --- */
    unsigned thread;
    struct gpucode_shader_place place; /* GPUCODE_SHADER_REGISTER */
    uint64_t address;                  /* GPUCODE_SHADER_MEMORY: of the word */
    uint32_t value[2];                 /* what it is with each of them; GPUCODE_SHADER_KILLED: 1 killed */
    bool made[2];                      /* an instruction wrote it last: */
    uint64_t pc[2];                    /* its place, units from the start of the section */
    /* The inputs of that run that are not 0, after as many of their bits as possible were made 0. */
    const struct gpucode_shader_given *given;
    size_t given_count;
    const struct gpucode_shader_word *words; /* that were not 0 before the run; 64 at most */
    size_t word_count;
    bool texels; /* what the textures hold matters: it is random, by the seed */
};

/*
 * Runs the shaders of two machines with the same inputs, again and again, and looks for one with which they do
 * something else: how they end, which threads they kill, what they leave in their outputs and in global memory. The
 * order of stores does not count. Of threads that are killed registers do not count either.
 *
 * Inputs are made at random, many of them where arithmetic has its corners (powers of two, the ends of integers and
 * floats, numbers that stand in the code), each input with each of them while the others are random; and where an
 * instruction compares, with what would make both sides equal. What machines hold from the start is part of the
 * shaders: `kept`, words of memory that are not 0, bound textures and buffers. All other memory holds random words,
 * whatever the address. Textures that no one has bound have 8x8 random texels (8x8x8 where an instruction has .3d, two
 * layers where it has .a), and slots of buffers 64 KiB.
 *
 * The machines must not have run yet, be of sets of shaders and have as many threads. Afterwards they are as before,
 * but for hooks and callbacks of memory, which are taken away. *out is the caller's: gpucode_shader_comparison_free().
 * That nothing was found is no proof. Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (other sets), GPUCODE_ERROR_RANGE
 * (another number of threads), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_shader_compare(struct gpucode_machine *first, struct gpucode_machine *second,
                                                       const struct gpucode_shader_compare_options *options,
                                                       struct gpucode_shader_comparison *out);
/* Frees what a result holds, and empties it. */
GPUCODE_API void gpucode_shader_comparison_free(struct gpucode_shader_comparison *comparison);

/*
 * Puts it into an answer as one object. Of the subjects the images, which must be those of the machines, count, and
 * their files and programs, for lines, where they are known. `first` names registers. Returns GPUCODE_OK,
 * GPUCODE_ERROR_ARGUMENT or gpucode_answer_status().
 */
GPUCODE_API enum gpucode_status gpucode_shader_comparison_tell(const struct gpucode_shader_comparison *comparison,
                                                               const struct gpucode_machine *first,
                                                               const struct gpucode_subject subjects[2],
                                                               struct gpucode_answer *answer);
/* The fields of it, constants. Any thread. */
GPUCODE_API const struct gpucode_answer_table *gpucode_shader_comparison_table(void);

#ifdef __cplusplus
}
#endif

#endif
