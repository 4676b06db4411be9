/* SPDX-License-Identifier: MIT */
/* A task: inputs are picked from the corpus as it was when the round began, changed, and run. */
#include "fuzzer/corpus.h"

#include <stdlib.h>
#include <string.h>

#define RECENT 16       /* inputs kept last, which are picked more often */
#define SHORTENINGS 64u /* runs at most that make a new input shorter */

enum gpucode_status gpucode_fuzz_worker_create(struct gpucode_fuzz *fuzz, const struct gpucode_fuzz_subject *subject,
                                               struct gpucode_fuzz_worker **out)
{
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!fuzz || !subject || !subject->run || !subject->attach || subject->kind_count != fuzz->subject.kind_count ||
        subject->map_size != fuzz->subject.map_size)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_fuzz_worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return GPUCODE_ERROR_MEMORY;
    worker->fuzz = fuzz;
    worker->subject = *subject;
    worker->map = calloc(1, subject->map_size);
    worker->seen = calloc(1, subject->map_size);
    worker->wanted = calloc(1, subject->map_size);
    enum gpucode_status status = GPUCODE_ERROR_MEMORY;
    if (worker->map && worker->seen && worker->wanted)
        status = subject->attach(subject->user, worker->map, subject->map_size);
    if (status != GPUCODE_OK) {
        gpucode_fuzz_worker_free(worker);
        return status;
    }
    *out = worker;
    return GPUCODE_OK;
}

void gpucode_fuzz_worker_free(struct gpucode_fuzz_worker *worker)
{
    if (!worker)
        return;
    worker->subject.attach(worker->subject.user, NULL, 0);
    free(worker->map);
    free(worker->seen);
    free(worker->wanted);
    free(worker);
}

void worker_run(struct gpucode_fuzz_worker *worker, const struct draft *draft, struct gpucode_fuzz_outcome *outcome)
{
    outcome->judgement = GPUCODE_FUZZ_PASS;
    outcome->key[0] = outcome->text[0] = 0;
    memset(worker->map, 0, worker->subject.map_size);
    worker->subject.run(worker->subject.user, worker->records, draft_view(draft, worker->records), outcome);
}

/* --- one input ----------------------------------------------------------------------------------------------- */

/* The worker's draft reaches something new: records that it does so without are taken out. */
static void shorten(struct task *task)
{
    struct gpucode_fuzz_worker *worker = task->worker;
    struct gpucode_fuzz_outcome outcome;
    size_t size = worker->subject.map_size, news = 0;
    for (size_t i = 0; i < size; i++) {
        worker->wanted[i] = worker->map[i] ? count_class(worker->map[i]) & (uint8_t)~worker->seen[i] : 0;
        news += worker->wanted[i] != 0;
    }
    unsigned tries = 0;
    for (unsigned i = worker->draft.count; i-- && worker->draft.count > 1 && tries < SHORTENINGS; tries++) {
        worker->trial = worker->draft;
        draft_remove(&worker->trial, i);
        worker_run(worker, &worker->trial, &outcome);
        task->result->runs++;
        size_t kept = 0;
        for (size_t k = 0; k < size; k++)
            kept += worker->wanted[k] && worker->map[k] && count_class(worker->map[k]) & worker->wanted[k];
        if (kept == news && outcome.judgement == GPUCODE_FUZZ_PASS)
            worker->draft = worker->trial;
    }
    worker_run(worker, &worker->draft, &outcome);
    task->result->runs++;
}

/* Runs the worker's draft; true: it is kept. */
static bool run_draft(struct task *task, size_t source, const char *op)
{
    struct gpucode_fuzz_worker *worker = task->worker;
    struct gpucode_fuzz_outcome outcome;
    worker_run(worker, &worker->draft, &outcome);
    task->result->runs++;
    if (outcome.judgement != GPUCODE_FUZZ_PASS) {
        size_t size = draft_write(&worker->draft, worker->bytes, sizeof worker->bytes);
        task->failed |= !findings_note(&task->result->findings, &outcome, worker->bytes, size, 0);
        /* where it ends is new once, but no place to go on from */
        map_is_new(worker->map, worker->seen, worker->subject.map_size, true);
        return false;
    }
    if (!map_is_new(worker->map, worker->seen, worker->subject.map_size, false))
        return false;
    if (worker->draft.count > 1)
        shorten(task);
    map_is_new(worker->map, worker->seen, worker->subject.map_size, true);
    size_t size = draft_write(&worker->draft, worker->bytes, sizeof worker->bytes);
    task->failed |= !entries_add(&task->result->entries, worker->bytes, size, source, op, 0);
    return true;
}

/* --- the task ------------------------------------------------------------------------------------------------ */

/* Entries of the corpus, and after them those of the task itself. */
static const struct entry *pick_entry(struct task *task, size_t *index)
{
    const struct entries *old = &task->worker->fuzz->entries, *mine = &task->result->entries;
    size_t count = old->count + mine->count;
    if (!count)
        return NULL;
    uint32_t all = (uint32_t)(count < UINT32_MAX ? count : UINT32_MAX);
    *index = random_below(&task->random, all);
    if (all > RECENT && !random_below(&task->random, 3))
        *index = all - 1 - random_below(&task->random, RECENT);
    return *index < old->count ? &old->list[*index] : &mine->list[*index - old->count];
}

static void run_one(struct task *task)
{
    struct gpucode_fuzz_worker *worker = task->worker;
    size_t source = SIZE_MAX, ignored;
    const struct entry *entry = pick_entry(task, &source), *other = NULL;
    draft_clear(&worker->draft);
    if (entry) {
        draft_read(&worker->draft, worker->subject.kind_count, entry->bytes, entry->size);
        other = pick_entry(task, &ignored);
        draft_read(&worker->other, worker->subject.kind_count, other->bytes, other->size);
    }
    const char *op = mutate(&task->mutation, &worker->draft, other ? &worker->other : NULL);
    if (run_draft(task, source, op))
        turn_comparisons(task, worker->fuzz->entries.count + task->result->entries.count - 1, run_draft);
}

enum gpucode_status gpucode_fuzz_work(struct gpucode_fuzz_worker *worker, uint64_t number, uint64_t runs,
                                      struct gpucode_fuzz_result **out)
{
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!worker)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_fuzz_result *result = calloc(1, sizeof *result);
    if (!result)
        return GPUCODE_ERROR_MEMORY;
    struct task task = {.worker = worker, .result = result, .random = random_begin(worker->fuzz->seed, number)};
    task.mutation = mutation_begin(&worker->subject, &task.random);
    memcpy(worker->seen, worker->fuzz->seen, worker->subject.map_size);
    result->learned = worker->fuzz->learned;
    result->learned_before = result->learned.count;
    task.mutation.learned = &result->learned;
    while (result->runs < runs && !task.failed)
        run_one(&task);
    if (task.failed) {
        entries_free(&result->entries);
        findings_free(&result->findings);
        free(result);
        return GPUCODE_ERROR_MEMORY;
    }
    *out = result;
    return GPUCODE_OK;
}
