/* SPDX-License-Identifier: MIT */
/* What all benchmarks need: clocks, numbers that come out the same in each run, and an end when something is wrong. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double clock_now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds on the wall, and of processor time of this process. */
static inline double now(void)
{
    return clock_now(CLOCK_MONOTONIC);
}

static inline double processor_now(void)
{
    return clock_now(CLOCK_PROCESS_CPUTIME_ID);
}

static inline uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

static inline _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

#endif
