/* SPDX-License-Identifier: MIT */
/*
 * The least input that ends in the same way: halves, quarters and so on of the records are left out, then single ones,
 * then words from the end, then words become 0, 1 or lose bits; all of it again until nothing changes.
 */
#include "fuzzer/corpus.h"

#include <string.h>

#define ROUNDS 8u

struct minimising {
    struct gpucode_fuzz_worker *worker;
    struct gpucode_fuzz_outcome wanted;
    struct draft *best, *trial;
};

/* Does the trial end as wanted? Then it is the best so far. */
static bool is_as_good(struct minimising *minimising)
{
    struct gpucode_fuzz_worker *worker = minimising->worker;
    struct gpucode_fuzz_outcome outcome;
    worker_run(worker, minimising->trial, &outcome);
    if (outcome.judgement != minimising->wanted.judgement || strcmp(outcome.key, minimising->wanted.key) != 0)
        return false;
    if (outcome.judgement == GPUCODE_FUZZ_PASS)
        for (size_t i = 0; i < worker->subject.map_size; i++)
            if (worker->wanted[i] && !worker->map[i])
                return false;
    *minimising->best = *minimising->trial;
    return true;
}

static bool drop_records(struct minimising *minimising)
{
    struct draft *best = minimising->best, *trial = minimising->trial;
    bool any = false;
    for (unsigned length = best->count / 2 + 1; length; length /= 2)
        for (unsigned at = 0; at + length <= best->count;) {
            *trial = *best;
            for (unsigned i = 0; i < length; i++)
                draft_remove(trial, at);
            bool good = is_as_good(minimising);
            any |= good;
            at += !good;
        }
    return any;
}

/* A record that opens goes together with the one that closes. */
static bool drop_pairs(struct minimising *minimising)
{
    struct draft *best = minimising->best, *trial = minimising->trial;
    const struct gpucode_fuzz_kind *kinds = minimising->worker->subject.kinds;
    bool any = false;
    for (unsigned at = 0; at < best->count; at++) {
        if (kinds[best->records[at].kind].nesting != GPUCODE_FUZZ_OPENS)
            continue;
        unsigned end = at + 1, depth = 1;
        for (; end < best->count; end++) {
            enum gpucode_fuzz_nesting nesting = kinds[best->records[end].kind].nesting;
            depth += nesting == GPUCODE_FUZZ_OPENS;
            depth -= nesting == GPUCODE_FUZZ_CLOSES;
            if (!depth)
                break;
        }
        *trial = *best;
        if (end < best->count)
            draft_remove(trial, end);
        draft_remove(trial, at);
        any |= is_as_good(minimising);
    }
    return any;
}

static bool drop_words(struct minimising *minimising)
{
    struct draft *best = minimising->best, *trial = minimising->trial;
    bool any = false;
    for (unsigned i = 0; i < best->count; i++)
        for (unsigned drop = best->records[i].count; drop; drop /= 2)
            while (best->records[i].count >= drop) {
                *trial = *best;
                trial->records[i].count = (uint8_t)(trial->records[i].count - drop);
                if (!is_as_good(minimising))
                    break;
                any = true;
            }
    return any;
}

/* Puts a value into a word of the best; true: that does as well. */
static bool try_word(struct minimising *minimising, unsigned record, unsigned word, uint32_t value)
{
    *minimising->trial = *minimising->best;
    draft_words(minimising->trial, record)[word] = value;
    return is_as_good(minimising);
}

static bool simplify_words(struct minimising *minimising)
{
    struct draft *best = minimising->best;
    bool any = false;
    for (unsigned i = 0; i < best->count; i++)
        for (unsigned k = 0; k < best->records[i].count; k++) {
            uint32_t value = draft_words(best, i)[k];
            if (!value || try_word(minimising, i, k, 0)) {
                any |= value != 0;
                continue;
            }
            if (value != 1 && try_word(minimising, i, k, 1)) {
                any = true;
                continue;
            }
            for (unsigned bit = 32; bit--;) {
                uint32_t less = draft_words(best, i)[k] & ~(UINT32_C(1) << bit);
                if (less && less != draft_words(best, i)[k])
                    any |= try_word(minimising, i, k, less);
            }
        }
    return any;
}

enum gpucode_status gpucode_fuzz_try(struct gpucode_fuzz_worker *worker, const void *bytes, size_t size,
                                     struct gpucode_fuzz_outcome *outcome, size_t *edges)
{
    if (!worker || (!bytes && size) || !outcome)
        return GPUCODE_ERROR_ARGUMENT;
    draft_read(&worker->draft, worker->subject.kind_count, bytes, size);
    worker_run(worker, &worker->draft, outcome);
    size_t count = 0;
    for (size_t i = 0; edges && i < worker->subject.map_size; i++)
        count += worker->map[i] != 0;
    if (edges)
        *edges = count;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_fuzz_minimise(struct gpucode_fuzz_worker *worker, const void *bytes, size_t size, void *out,
                                          size_t *out_size)
{
    if (!worker || (!bytes && size) || !out || !out_size)
        return GPUCODE_ERROR_ARGUMENT;
    struct minimising minimising = {.worker = worker, .best = &worker->draft, .trial = &worker->trial};
    draft_read(&worker->draft, worker->subject.kind_count, bytes, size);
    worker_run(worker, &worker->draft, &minimising.wanted);
    memcpy(worker->wanted, worker->map, worker->subject.map_size);
    bool again = true;
    for (unsigned round = 0; again && round < ROUNDS; round++) {
        again = drop_records(&minimising);
        again |= drop_pairs(&minimising);
        again |= drop_words(&minimising);
        again |= simplify_words(&minimising);
    }
    *out_size = draft_write(&worker->draft, out, GPUCODE_FUZZ_INPUT_MAX);
    return GPUCODE_OK;
}
