/* SPDX-License-Identifier: MIT */
#ifndef FUZZER_MUTATE_H
#define FUZZER_MUTATE_H

#include "fuzzer/draft.h"

/* Words that comparisons have asked for; the latest take the place of the oldest. */
#define LEARNED_MAX 64u
struct learned {
    unsigned count; /* that ever came */
    uint32_t words[LEARNED_MAX];
};
void learned_add(struct learned *learned, uint32_t word);

struct mutation {
    const struct gpucode_fuzz_subject *subject;
    const struct learned *learned; /* or null */
    uint64_t *random;
    uint32_t weight; /* of all kinds */
};

struct mutation mutation_begin(const struct gpucode_fuzz_subject *subject, uint64_t *random);
/* Changes the draft; `other` is another input, or null. Returns the name of what was done. */
const char *mutate(const struct mutation *mutation, struct draft *draft, const struct draft *other);

#endif
