/* SPDX-License-Identifier: MIT */
/*
 * Something small to fuzz: a lock. A record `turn` with the word 0x1234 opens it, `push` after that with two words of
 * which the second is the first plus one finds it broken, and `gap` is what nobody knows.
 */
#ifndef TESTS_FUZZER_TOY_H
#define TESTS_FUZZER_TOY_H

#include "group.h"
#include <gpucode/fuzz.h>

enum { TOY_NOTHING, TOY_TURN, TOY_PUSH, TOY_OPENS, TOY_CLOSES, TOY_GAP, TOY_KINDS };

#define TOY_ASKED 0x12345678u /* with `asks`, what `nothing` looks for; byte 30 of the map tells of it */

struct toy {
    uint8_t *map;
    size_t map_size;      /* that it takes */
    uint64_t runs, stale; /* of these with an outcome that was not empty */
    size_t last;          /* records of the last of these */
    bool compares, asks;
    bool pairs; /* what opens and is not closed is a gap at once */
};

struct gpucode_fuzz_subject toy_subject(struct toy *toy);

#endif
