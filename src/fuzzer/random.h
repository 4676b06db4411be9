/* SPDX-License-Identifier: MIT */
/* Random numbers whose next one hangs on the state alone, the same on every machine. */
#ifndef FUZZER_RANDOM_H
#define FUZZER_RANDOM_H

#include <stdint.h>

static inline uint32_t random_next(uint64_t *state)
{
    uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(value >> 32);
}

/* Below `limit`, which is not 0. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((uint64_t)random_next(state) * limit >> 32);
}

/* A state for one part of the work of a seed. */
static inline uint64_t random_begin(uint64_t seed, uint64_t part)
{
    uint64_t state = seed ^ (part + 1) * UINT64_C(0xd6e8feb86659fd93);
    random_next(&state);
    return state;
}

#endif
