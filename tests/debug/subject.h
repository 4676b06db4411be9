/* SPDX-License-Identifier: MIT */
/* What tests of the debugger share: sessions over machines of source text, and fingerprints of their state. */
#ifndef TESTS_SUBJECT_H
#define TESTS_SUBJECT_H

#include "group.h"

#include <gpucode/gpucode.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct subject {
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_symbols *symbols;
    struct gpucode_machine *machine;
    struct gpucode_debug *debug;
    char message[256]; /* first diagnostic of what failed */
};

/* `gap` as in gpucode_debug_options. A test fails when the source is wrong. */
void subject_open(struct subject *subject, const char *target, const char *source,
                  const struct gpucode_setting *policies, uint64_t gap);
void subject_close(struct subject *subject);

/* A number that tells states apart: pcs, calls, the clock, registers of all spaces and a bit of memory. */
uint64_t subject_state(const struct subject *subject);

/* Evaluates an expression; a test fails when it cannot be. */
int64_t subject_value(struct subject *subject, const char *text);

/* The next number of a generator. */
uint32_t subject_random(uint64_t *seed);

#endif
