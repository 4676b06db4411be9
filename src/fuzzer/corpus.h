/* SPDX-License-Identifier: MIT */
/*
 * What the fuzzer's files share.
 *
 *   draft.c     inputs as bytes and as records
 *   mutate.c    changes
 *   corpus.c    what is kept: inputs, findings, bytes of the map
 *   work.c      a task: picking, changing, running
 *   compare.c   what an input is compared with goes back into it
 *   merge.c     results of tasks become part of the corpus
 *   minimise.c  the least input that does the same
 *   kinds.c     kinds and values as text
 *   mutator.c   a custom mutator for AFL++
 */
#ifndef FUZZER_CORPUS_H
#define FUZZER_CORPUS_H

#include "fuzzer/draft.h"
#include "fuzzer/mutate.h"

struct entry {
    unsigned char *bytes;
    size_t size, source;
    char op[16];
    uint64_t runs;
};

struct entries {
    struct entry *list;
    size_t count, room;
};

struct finding {
    struct gpucode_fuzz_outcome outcome;
    unsigned char *bytes;
    size_t size;
    uint64_t count, runs;
};

struct findings {
    struct finding *list;
    size_t count, room;
};

struct gpucode_fuzz {
    struct gpucode_fuzz_subject subject; /* kinds, values and the size of the map */
    uint64_t seed, runs;
    struct entries entries;
    struct findings findings;
    uint8_t *seen; /* bits: classes of counts, as count_class() has them */
    struct learned learned;
};

struct gpucode_fuzz_worker {
    struct gpucode_fuzz *fuzz;
    struct gpucode_fuzz_subject subject;
    uint8_t *map, *seen, *wanted;
    struct draft draft, other, trial;
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
};

struct gpucode_fuzz_result {
    struct entries entries;
    struct findings findings;
    struct learned learned; /* those of the corpus, and the task's own */
    unsigned learned_before;
    uint64_t runs;
};

struct task {
    struct gpucode_fuzz_worker *worker;
    struct gpucode_fuzz_result *result;
    struct mutation mutation;
    uint64_t random;
    bool failed; /* no memory */
};

/* Runs the worker's draft, which was made from input number `source`; true: it is kept. */
typedef bool task_runner(struct task *task, size_t source, const char *op);
/* Tries to turn each comparison of the input that was kept last, `source`. */
void turn_comparisons(struct task *task, size_t source, task_runner *run);

/* Counts of one class are not news: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more. A bit each. */
uint8_t count_class(uint8_t count);
/* Does the map have a class that `seen` lacks? With `note` it has it from now on. */
bool map_is_new(const uint8_t *map, uint8_t *seen, size_t size, bool note);

/* Adds a copy; false: no memory. */
bool entries_add(struct entries *entries, const void *bytes, size_t size, size_t source, const char *op, uint64_t runs);
void entries_free(struct entries *entries);
struct finding *findings_find(const struct findings *findings, const char *key);
/* Adds a copy, or counts one that is there; false: no memory. */
bool findings_note(struct findings *findings, const struct gpucode_fuzz_outcome *outcome, const void *bytes,
                   size_t size, uint64_t runs);
void findings_free(struct findings *findings);

/* Runs the draft on a clean map. */
void worker_run(struct gpucode_fuzz_worker *worker, const struct draft *draft, struct gpucode_fuzz_outcome *outcome);

#endif
