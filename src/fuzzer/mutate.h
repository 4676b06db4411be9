/* SPDX-License-Identifier: MIT */
#ifndef FUZZER_MUTATE_H
#define FUZZER_MUTATE_H

#include "fuzzer/draft.h"

struct mutation {
    const struct gpucode_fuzz_subject *subject;
    uint64_t *random;
    uint32_t weight; /* of all kinds */
};

struct mutation mutation_begin(const struct gpucode_fuzz_subject *subject, uint64_t *random);
/* Changes the draft; `other` is another input, or null. Returns the name of what was done. */
const char *mutate(const struct mutation *mutation, struct draft *draft, const struct draft *other);

#endif
