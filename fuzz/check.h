/* SPDX-License-Identifier: MIT */
/* What every fuzz target has: its function, and the end where something does not hold. */
#ifndef FUZZ_CHECK_H
#define FUZZ_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void check(bool holds)
{
    if (!holds)
        abort();
}

/* A hash with one more value in it. */
static inline uint64_t mix_hash(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

#endif
