/* SPDX-License-Identifier: MIT */
/*
 * What the fuzzer's files share.
 *
 *   draft.c     inputs as bytes and as records; kinds and values as text
 *   mutate.c    changes; what an input is compared with goes back into it
 *   corpus.c    what is kept: inputs, findings, bytes of the map
 *   work.c      a task: picking, changing, running
 *   merge.c     results of tasks become part of the corpus
 *   minimise.c  the least input that does the same
 *   mutator.c   a custom mutator for AFL++
 */
#ifndef FUZZER_CORPUS_H
#define FUZZER_CORPUS_H

#include <gpucode/fuzz.h>
#include <stdint.h>

/* --- Random numbers whose next one hangs on the state alone, the same on every machine ---------------------------- */

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

/* --- An input that is being changed: records in slots of fixed size, so that moving one moves a few bytes --------- */

#define DRAFT_SLOT (GPUCODE_FUZZ_WORDS_MAX + 1)

struct draft_record {
    uint8_t kind, count, slot;
};

struct draft {
    unsigned count;
    struct draft_record records[GPUCODE_FUZZ_RECORDS_MAX];
    uint8_t free_slots[GPUCODE_FUZZ_RECORDS_MAX]; /* the last GPUCODE_FUZZ_RECORDS_MAX - count are free */
    uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * DRAFT_SLOT];
};

void draft_clear(struct draft *draft);
/* Reads an input. */
void draft_read(struct draft *draft, unsigned kind_count, const void *bytes, size_t size);
/* As gpucode_fuzz_write(). */
size_t draft_write(const struct draft *draft, void *bytes, size_t room);
/* The records, for a run; room for GPUCODE_FUZZ_RECORDS_MAX. */
size_t draft_view(const struct draft *draft, struct gpucode_fuzz_record *records);

static inline uint32_t *draft_words(struct draft *draft, unsigned index)
{
    return draft->words + (size_t)DRAFT_SLOT * draft->records[index].slot;
}

/* A record without words at `index`; false: there are as many as there may be. */
bool draft_insert(struct draft *draft, unsigned index, unsigned kind);
void draft_remove(struct draft *draft, unsigned index);
/* A copy of a record of `from`, which may be the same draft, at `index`. */
bool draft_copy(struct draft *draft, unsigned index, const struct draft *from, unsigned which);

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
