/* SPDX-License-Identifier: MIT */
#include "fuzzer/corpus.h"

#include <string.h>

static uint32_t get_word(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static unsigned char *put_word(unsigned char *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        *at++ = (unsigned char)(word >> 8 * i);
    return at;
}

/* Takes the next record's head and words; returns how many bytes it has. */
static size_t read_record(const unsigned char *at, size_t left, unsigned kind_count, uint8_t *kind, uint8_t *count,
                          uint32_t *words)
{
    size_t wanted = left > 1 ? at[1] & 63u : 0, there = left > 2 ? (left - 2) / 4 : 0;
    *kind = (uint8_t)(at[0] % kind_count);
    *count = (uint8_t)(wanted < there ? wanted : there);
    for (unsigned i = 0; i < *count; i++)
        words[i] = get_word(at + 2 + 4 * i);
    return wanted <= there ? 2 + 4 * wanted : left;
}

size_t gpucode_fuzz_read(unsigned kind_count, const void *bytes, size_t size, struct gpucode_fuzz_record *records,
                         size_t room, uint32_t *words)
{
    size_t count = 0;
    const unsigned char *at = bytes;
    if (!bytes || !records || !words || !kind_count)
        return 0;
    for (size_t used; size && count < room && count < GPUCODE_FUZZ_RECORDS_MAX; at += used, size -= used, count++) {
        struct gpucode_fuzz_record *record = &records[count];
        used = read_record(at, size, kind_count, &record->kind, &record->count, words);
        used = used < size ? used : size;
        record->words = words;
        words += record->count;
    }
    return count;
}

size_t gpucode_fuzz_write(const struct gpucode_fuzz_record *records, size_t count, void *bytes, size_t room)
{
    size_t needed = 0;
    if (!records || !bytes)
        return 0;
    for (size_t i = 0; i < count; i++)
        needed += 2 + 4 * (size_t)records[i].count;
    if (needed > room)
        return 0;
    unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        *at++ = records[i].kind;
        *at++ = records[i].count;
        for (unsigned k = 0; k < records[i].count; k++)
            at = put_word(at, records[i].words[k]);
    }
    return needed;
}

void draft_clear(struct draft *draft)
{
    draft->count = 0;
    for (unsigned i = 0; i < GPUCODE_FUZZ_RECORDS_MAX; i++)
        draft->free_slots[i] = (uint8_t)i;
}

void draft_read(struct draft *draft, unsigned kind_count, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    draft_clear(draft);
    for (size_t used; size && draft->count < GPUCODE_FUZZ_RECORDS_MAX; at += used, size -= used) {
        struct draft_record *record = &draft->records[draft->count];
        record->slot = (uint8_t)draft->count;
        used = read_record(at, size, kind_count, &record->kind, &record->count, draft_words(draft, draft->count));
        used = used < size ? used : size;
        draft->count++;
    }
}

size_t draft_view(const struct draft *draft, struct gpucode_fuzz_record *records)
{
    for (unsigned i = 0; i < draft->count; i++)
        records[i] = (struct gpucode_fuzz_record){draft->records[i].kind, draft->records[i].count,
                                                  draft->words + (size_t)DRAFT_SLOT * draft->records[i].slot};
    return draft->count;
}

size_t draft_write(const struct draft *draft, void *bytes, size_t room)
{
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    return gpucode_fuzz_write(records, draft_view(draft, records), bytes, room);
}

bool draft_insert(struct draft *draft, unsigned index, unsigned kind)
{
    if (draft->count == GPUCODE_FUZZ_RECORDS_MAX)
        return false;
    memmove(draft->records + index + 1, draft->records + index, (draft->count - index) * sizeof *draft->records);
    draft->records[index] = (struct draft_record){(uint8_t)kind, 0, draft->free_slots[draft->count]};
    draft->count++;
    return true;
}

void draft_remove(struct draft *draft, unsigned index)
{
    uint8_t slot = draft->records[index].slot;
    draft->count--;
    draft->free_slots[draft->count] = slot;
    memmove(draft->records + index, draft->records + index + 1, (draft->count - index) * sizeof *draft->records);
}

bool draft_copy(struct draft *draft, unsigned index, const struct draft *from, unsigned which)
{
    struct draft_record record = from->records[which];
    if (!draft_insert(draft, index, record.kind))
        return false;
    draft->records[index].count = record.count;
    memcpy(draft_words(draft, index), from->words + (size_t)DRAFT_SLOT * record.slot, 4 * (size_t)record.count);
    return true;
}
