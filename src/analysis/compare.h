/* SPDX-License-Identifier: MIT */
/*
 * How two images are compared, step by step: compare_words.c gives words that mean the same the same number,
 * compare_match.c finds which functions belong together, compare_equal.c which of these are equal, compare_align.c
 * lays the words of the others side by side. compare.c makes of it what can be asked.
 */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "analysis/build.h"
#include <gpucode/compare.h>

/* One section of one image. */
struct compare_side {
    const struct gpucode_analysis *analysis;
    const struct analysis_code *code; /* null: there is no such section */
    uint32_t *ids;                    /* of each unit: equal for words that mean the same, wherever they lead */
    uint16_t *rows;                   /* of each unit: row of its instruction, UINT16_MAX: none */
    uint32_t *places;                 /* of each unit: the place of code that it has as a number, or GPUCODE_NONE */
    uint64_t *hashes;                 /* of each function: of its words in any order */
    uint32_t *partner;                /* of each function: the other side's, or GPUCODE_NONE */
    uint32_t standard;                /* the handler that most packets have, or GPUCODE_NONE */
};

struct compare_pair {
    struct compare_side side[2];
    struct gpucode_compared_section *out;
    struct arena *arena; /* what is kept with the comparison */
    struct arena scratch;
    uint64_t work; /* steps that may still be spent on alignments */
};

struct gpucode_comparison {
    const struct gpucode_analysis *analysis[2];
    struct arena arena;
    unsigned section_count;
    struct gpucode_compared_section *sections;
    unsigned edit_count;
    struct gpucode_edit *edits;
};

/* The steps; false: out of memory. */
bool compare_number(struct compare_pair *pair);
bool compare_match(struct compare_pair *pair);
bool compare_judge(struct compare_pair *pair);
bool compare_align(struct compare_pair *pair);
/* Adds the edits of the pair to a list, which compare_count_edits() counts and keeps. */
bool compare_list_edits(struct compare_pair *pair, struct list *edits);
bool compare_count_edits(struct gpucode_comparison *comparison, struct list *edits);

/*
 * Units of a function in the order of its listing: from the entry on, then what stands in front of it. `units` is
 * emptied first. False: out of memory.
 */
bool compare_units(const struct compare_side *side, uint32_t function, struct list *units);

/* The instruction at a unit and its bits; false: it is none. */
bool compare_decode(const struct compare_side *side, uint32_t unit, struct gpucode_insn *insn, uint64_t *bits);

/* General registers by order of appearance. */
#define COMPARE_REGISTERS 14
struct compare_registers {
    unsigned count;
    uint32_t number[COMPARE_REGISTERS];
};

/* The function that a call at a unit goes to; GPUCODE_NONE: it is not a call, or goes outside. */
uint32_t compare_callee(const struct compare_side *side, uint32_t unit);

/* The function that handles a packet, or GPUCODE_NONE. */
uint32_t compare_handler(const struct compare_side *side, unsigned packet);

static inline void compare_join(struct compare_pair *pair, uint32_t a, uint32_t b)
{
    pair->side[0].partner[a] = b;
    pair->side[1].partner[b] = a;
}

static inline uint32_t compare_function_count(const struct compare_side *side)
{
    return side->code ? side->code->function_count : 0;
}

#endif
