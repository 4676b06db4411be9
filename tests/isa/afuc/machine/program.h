/* SPDX-License-Identifier: MIT */
/*
 * Short programs: the text runs from the first word with `payload` as the packet in the queue and $rem counting it, and
 * ends in a waitin that finds nothing more.
 */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include "rig.h"

/* Generations by the first words of an image of theirs. */
#define A5XX "[005ff001]\n[00000000]\n"
#define A6XX "[016ee001]\n[01000000]\n"
#define A7XX "[01730001]\n[01000000]\n"
#define GEN8 "[01500001]\n[01000000]\n"

/* Assembles head, text and an end of `waitin`, and feeds the payload; nothing has run. */
void program_make(struct rig *rig, const char *head, const char *text, const uint32_t *payload, unsigned count,
                  const struct gpucode_setting *policies);
/* Makes it and runs it to its end, which must be the waitin; another machine that is watched must end the same. */
void program_run(struct rig *rig, const char *head, const char *text, const uint32_t *payload, unsigned count);
/* The same up to a stop with that reason and code. */
void program_stops(struct rig *rig, const char *head, const char *text, const uint32_t *payload, unsigned count,
                   enum gpucode_stop_reason reason, const char *code);

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4

#endif
