/* SPDX-License-Identifier: MIT */
/*
 * Two shaders run with the same inputs.
 *
 *   compare.c          the runs, and which one tells the shaders apart
 *   compare_inputs.c   what is varied, and with which values; memory that holds random words wherever one looks, and
 *                      what is stored there
 *   compare_answer.c   the result, told
 */
#ifndef ISA_IR3_ANSWER_COMPARE_H
#define ISA_IR3_ANSWER_COMPARE_H

#include <gpucode/ir3.h>
#include <gpucode/shader.h>

/* --- numbers ------------------------------------------------------------------------------------------------------ */

#define COMPARE_NUMBERS_MAX 512u
#define COMPARE_PAIRS_MAX 32u

/* Values that are worth trying: corners of arithmetic, numbers of the code, and what was compared. */
struct compare_numbers {
    uint32_t list[COMPARE_NUMBERS_MAX];
    unsigned count, next; /* next: what is replaced when there is no room */
    struct {
        uint32_t value, wanted;
    } pairs[COMPARE_PAIRS_MAX]; /* what instructions of the last run compared */
    unsigned pair_count;
};

void compare_numbers_init(struct compare_numbers *numbers, const struct gpucode_image *const images[2]);
void compare_numbers_add(struct compare_numbers *numbers, uint32_t value);
/* The next random number of a state, which may be any number at first. */
uint64_t compare_random(uint64_t *state);
/* A value: one of `corners` out of 8 is from the list. */
uint32_t compare_value(const struct compare_numbers *numbers, uint64_t *state, unsigned corners);

/* --- inputs ------------------------------------------------------------------------------------------------------- */

struct compare_input {
    unsigned thread;
    struct gpucode_shader_place place;
    bool skip[2];   /* this machine keeps what it has */
    uint32_t start; /* index of the first input of the same place, those of all threads standing together */
};

struct compare_inputs {
    struct compare_input *list;
    uint32_t *value; /* of each */
    size_t count, room;
    uint32_t *places; /* index of the first input of each place */
    size_t place_count;
};

/* False: no memory. */
bool compare_inputs_find(struct compare_inputs *inputs, struct gpucode_machine *const machines[2],
                         const struct gpucode_shader_compare_options *options);
/* What both write and do not read after that; returns how many, at most `room`. */
#define COMPARE_OUTPUTS_MAX 512u
size_t compare_outputs_find(const struct gpucode_image *const images[2], struct gpucode_shader_place *list);

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* A word that was read or written in this run. */
struct compare_word {
    uint64_t run; /* what is of another run does not count */
    uint64_t address;
    uint32_t start, value; /* before the run, and now */
    bool written, read;
    unsigned thread; /* who wrote it last, */
    uint64_t pc;     /* and with which instruction */
};

struct compare_memory {
    struct gpucode_machine *machine;
    const struct compare_numbers *numbers;
    uint64_t run, seed;
    bool zero; /* what is not given is 0 */
    bool failed;
    struct compare_word *words; /* by hash */
    size_t count, room;
};

/* Asks to be asked. */
enum gpucode_status compare_memory_open(struct compare_memory *memory, struct gpucode_machine *machine,
                                        const struct compare_numbers *numbers);
void compare_memory_close(struct compare_memory *memory);
/* A run begins whose words follow from the seed. */
void compare_memory_begin(struct compare_memory *memory, uint64_t seed, bool zero);
/* A word as the run left it. */
uint32_t compare_memory_value(struct compare_memory *memory, uint64_t address);
/* Word number `index` of the run, in no order; false after the last. Null: that place holds none. */
bool compare_memory_at(const struct compare_memory *memory, size_t index, const struct compare_word **word);

/* Gives slots of buffers that nobody has bound a place. */
void compare_bind_buffers(struct gpucode_machine *const machines[2]);

/* Textures that nobody has bound. */
struct compare_textures {
    uint8_t unit[GPUCODE_A3XX_TEXTURES];
    unsigned count;
    unsigned texels[GPUCODE_A3XX_TEXTURES];
};
void compare_textures_bind(struct compare_textures *textures, struct gpucode_machine *const machines[2]);
/* Where the texels of a unit lie in a machine's memory. */
uint64_t compare_texels(const struct gpucode_machine *machine, unsigned unit);

#endif
