/* SPDX-License-Identifier: MIT */
/* An input that is being changed: records in slots of fixed size, so that moving one moves a few bytes. */
#ifndef FUZZER_DRAFT_H
#define FUZZER_DRAFT_H

#include <gpucode/fuzz.h>

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

#endif
