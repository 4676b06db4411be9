/* SPDX-License-Identifier: MIT */
/* What tasks bring becomes part of the corpus, in the order in which it is merged. */
#include "fuzzer/corpus.h"

#include <stdlib.h>
#include <string.h>

/* A finding that was not there gets the least input that shows it. */
static bool take_finding(struct gpucode_fuzz_worker *worker, const struct finding *found)
{
    struct gpucode_fuzz *fuzz = worker->fuzz;
    struct finding *known = findings_find(&fuzz->findings, found->outcome.key);
    if (known) {
        known->count += found->count;
        return true;
    }
    size_t size = found->size;
    struct gpucode_fuzz_outcome outcome = found->outcome;
    const void *bytes = found->bytes;
    if (gpucode_fuzz_minimise(worker, found->bytes, found->size, worker->bytes, &size) == GPUCODE_OK) {
        bytes = worker->bytes;
        gpucode_fuzz_try(worker, bytes, size, &outcome, NULL); /* the sentence of this input */
    }
    if (!findings_note(&fuzz->findings, &outcome, bytes, size, fuzz->runs))
        return false;
    fuzz->findings.list[fuzz->findings.count - 1].count = found->count;
    return true;
}

/* An input of a task may not be news any more, since another one has brought the same. */
static bool take_entry(struct gpucode_fuzz_worker *worker, const struct entry *entry, const char *op, bool *kept)
{
    struct gpucode_fuzz *fuzz = worker->fuzz;
    struct gpucode_fuzz_outcome outcome;
    draft_read(&worker->draft, worker->subject.kind_count, entry->bytes, entry->size);
    worker_run(worker, &worker->draft, &outcome);
    *kept = false;
    if (outcome.judgement != GPUCODE_FUZZ_PASS) {
        const struct finding found = {outcome, entry->bytes, entry->size, 1, 0};
        *kept = !findings_find(&fuzz->findings, outcome.key);
        return take_finding(worker, &found);
    }
    if (!map_is_new(worker->map, fuzz->seen, worker->subject.map_size, true))
        return true;
    *kept = true;
    return entries_add(&fuzz->entries, entry->bytes, entry->size, entry->source, op, fuzz->runs);
}

enum gpucode_status gpucode_fuzz_merge(struct gpucode_fuzz_worker *worker, struct gpucode_fuzz_result *result)
{
    if (!worker || !result)
        return GPUCODE_ERROR_ARGUMENT;
    bool good = true, kept;
    size_t before = worker->fuzz->entries.count;
    for (size_t i = 0; good && i < result->entries.count; i++) {
        struct entry *entry = &result->entries.list[i];
        if (entry->source != SIZE_MAX && entry->source >= before) /* one of the task's own, numbered otherwise now */
            entry->source = SIZE_MAX;
        good = take_entry(worker, entry, entry->op, &kept);
    }
    for (size_t i = 0; good && i < result->findings.count; i++)
        good = take_finding(worker, &result->findings.list[i]);
    unsigned most = result->learned.count - result->learned_before;
    for (unsigned i = most < LEARNED_MAX ? most : LEARNED_MAX; i; i--)
        learned_add(&worker->fuzz->learned, result->learned.words[(result->learned.count - i) % LEARNED_MAX]);
    worker->fuzz->runs += result->runs;
    entries_free(&result->entries);
    findings_free(&result->findings);
    free(result);
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_fuzz_add(struct gpucode_fuzz_worker *worker, const void *bytes, size_t size, const char *op,
                                     bool *kept)
{
    bool mine;
    if (!worker || (!bytes && size) || !op)
        return GPUCODE_ERROR_ARGUMENT;
    const struct entry entry = {.bytes = (unsigned char *)bytes, .size = size, .source = SIZE_MAX};
    worker->fuzz->runs++;
    return take_entry(worker, &entry, op, kept ? kept : &mine) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}
