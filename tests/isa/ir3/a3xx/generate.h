/* SPDX-License-Identifier: MIT */
/* Shaders made up for tests: legal or not by the whim of the generator, ending always, deterministic by their seed. */
#ifndef TESTS_A3XX_GENERATE_H
#define TESTS_A3XX_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GENERATE_ROOM 65536

struct generate {
    uint64_t seed;       /* not 0; the generator moves it on */
    bool relative;       /* registers are reached through a0.x too */
    bool padded;         /* slots and sync bits between all instructions, so that nothing can come too early */
    bool quads;          /* derivatives too, and no branches, so that all threads of a quad run them together */
    unsigned statements; /* at the outermost level */
};

/*
 * Writes a program's text. It reads r0 to r5, hr0 to hr2, c0 to c7, texture 0, and global memory from 0x1000 to 0x10ff,
 * whose address is in r7.z; r7.x and r7.y count loops, hr3.x to hr3.w hold numbers from 0 to 7 that go to a0.x.
 */
void generate(struct generate *how, char text[GENERATE_ROOM]);

#endif
