/* SPDX-License-Identifier: MIT */
/* What outlines are inside the library. */
#ifndef OUTLINE_OUTLINE_H
#define OUTLINE_OUTLINE_H

#include "base/arena.h"
#include "isa/lines.h"
#include <gpucode/machine.h>
#include <gpucode/outline.h>

struct gpucode_outline {
    const struct gpucode_image *image;
    struct isa_lines listing;
    struct arena arena; /* names of routines */
    struct gpucode_routine *routines;
    uint32_t routine_count;
    uint32_t *section_start; /* per section and after the last: its first unit in the listing's list */
    unsigned section_count;
    uint32_t *near; /* of each unit: the last one with a name at or before it in its section; GPUCODE_NONE: none */
};

/* --- Patterns of instructions: their words, and whether an instruction is what one of them says ------------------- */

#define PATTERN_STEPS_MAX 64
#define PATTERN_NAMES_MAX 26 /* that operands are bound to */

/* A word of a pattern, or of an instruction's text. */
struct pattern_word {
    const char *at;
    uint32_t length;
    char kind;    /* PATTERN_... or the character itself */
    uint8_t name; /* BOUND, REGISTER: index of the name */
    bool glued;   /* nothing stands between it and the word in front of it */
    bool number;
    uint64_t value;
};
enum { PATTERN_WORD = 'w', PATTERN_ANY = '*', PATTERN_BOUND = '?', PATTERN_REGISTER = '$' };

/* One element: an instruction, or any number of them. */
struct pattern_step {
    const struct pattern_word *words;
    uint32_t count;
    bool gap;
    uint32_t head; /* pattern_head() of the instructions that it may be; 0: of any */
    uint32_t most; /* instructions of a gap */
};

struct gpucode_pattern {
    struct arena arena;
    const struct gpucode_target *target;
    const struct gpucode_names *names;
    struct pattern_step steps[PATTERN_STEPS_MAX];
    unsigned step_count;
    const char *bound[PATTERN_NAMES_MAX]; /* names with their mark */
    unsigned bound_count;
};

/* What names are bound to; an empty text: nothing yet. */
struct pattern_values {
    char text[PATTERN_NAMES_MAX][GPUCODE_NAME_MAX];
};

/* A number of the word that names an instruction, never 0 where it is one: to pass over others quickly. */
uint32_t pattern_head(const struct gpucode_pattern *pattern, const struct gpucode_outline *outline, uint32_t index);

/*
 * Is instruction number `index` of the outline what the step says? What it binds is added to the values; they are to be
 * forgotten where it is not.
 */
bool pattern_matches(const struct gpucode_pattern *pattern, const struct pattern_step *step,
                     const struct gpucode_outline *outline, uint32_t index, struct pattern_values *values);

#endif
