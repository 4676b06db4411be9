/* SPDX-License-Identifier: MIT */
/*
 * Workers that share a round. The tasks of a round are the same however many there are, and their results are merged in
 * the order of the tasks, so that findings do not hang on --jobs.
 */
#include "cli/fuzz.h"

#include "front/code.h"
#include "front/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* --- subjects ---------------------------------------------------------------------------------------------------- */

/* Does the key begin with one of the words of --ignore? */
static bool is_ignored(const struct fuzz_subject *subject, const char *key)
{
    for (const char *const *word = subject->ignored; word && *word; word++)
        if (strncmp(key, *word, strlen(*word)) == 0)
            return true;
    return false;
}

static void run_subject(void *user, const struct gpucode_fuzz_record *records, size_t count,
                        struct gpucode_fuzz_outcome *outcome)
{
    struct fuzz_subject *subject = user;
    subject->inner.run(subject->inner.user, records, count, outcome);
    if (outcome->judgement != GPUCODE_FUZZ_PASS &&
        (is_ignored(subject, outcome->key) || subject->kit->lacks_memory(&subject->inner)))
        outcome->judgement = GPUCODE_FUZZ_PASS;
}

static void compare_subject(void *user, const struct gpucode_fuzz_record *records, size_t count,
                            void (*seen)(void *to, uint32_t value, uint32_t wanted), void *to)
{
    struct fuzz_subject *subject = user;
    subject->inner.compare(subject->inner.user, records, count, seen, to);
}

static enum gpucode_status attach_subject(void *user, uint8_t *map, size_t size)
{
    struct fuzz_subject *subject = user;
    return subject->inner.attach(subject->inner.user, map, size);
}

int fuzz_subject_open(struct fuzzing *fuzzing, struct fuzz_subject *subject)
{
    *subject = (struct fuzz_subject){.ignored = fuzzing->ignored, .kit = fuzzing->kit};
    int code = fuzzing->kit->open(fuzzing->session, fuzzing->input, &subject->inner);
    if (code)
        return code;
    subject->outer = subject->inner;
    subject->outer.run = run_subject;
    subject->outer.attach = attach_subject;
    subject->outer.compare = subject->inner.compare ? compare_subject : NULL;
    subject->outer.user = subject;
    return EXIT_DONE;
}

bool fuzz_lacks_memory(const struct fuzzing *fuzzing)
{
    bool lacks = fuzzing->failed;
    for (unsigned i = 0; i < fuzzing->subject_count; i++) {
        const struct gpucode_fuzz_subject *inner = &fuzzing->subjects[i].inner;
        lacks |= inner->user && fuzzing->kit->lacks_memory(inner);
    }
    return lacks;
}

void fuzz_subject_close(struct fuzzing *fuzzing, struct fuzz_subject *subject)
{
    fuzzing->failed |= subject->inner.user && fuzzing->kit->lacks_memory(&subject->inner);
    fuzzing->kit->close(&subject->inner);
}

/* --- workers ----------------------------------------------------------------------------------------------------- */

int fuzz_workers_open(struct fuzzing *fuzzing)
{
    int code = EXIT_DONE;
    fuzzing->subjects = calloc((size_t)fuzzing->jobs, sizeof *fuzzing->subjects);
    if (!fuzzing->subjects)
        return out_of_memory(&fuzzing->session->diagnostics);
    for (unsigned i = 0; !code && i < fuzzing->jobs; i++) {
        code = fuzz_subject_open(fuzzing, &fuzzing->subjects[i]);
        fuzzing->subject_count++;
    }
    enum gpucode_status status = GPUCODE_OK;
    if (!code)
        status = gpucode_fuzz_create(&fuzzing->subjects[0].outer, fuzzing->seed, &fuzzing->fuzz);
    for (unsigned i = 0; !code && status == GPUCODE_OK && i < fuzzing->jobs; i++)
        status = gpucode_fuzz_worker_create(fuzzing->fuzz, &fuzzing->subjects[i].outer, &fuzzing->workers[i]);
    return code || status == GPUCODE_OK ? code : code_status(fuzzing->session, fuzzing->input->file.name, status);
}

void fuzz_workers_close(struct fuzzing *fuzzing)
{
    for (unsigned i = 0; i < fuzzing->jobs; i++)
        gpucode_fuzz_worker_free(fuzzing->workers[i]);
    gpucode_fuzz_free(fuzzing->fuzz);
    for (unsigned i = 0; i < fuzzing->subject_count; i++)
        fuzz_subject_close(fuzzing, &fuzzing->subjects[i]);
    fuzzing->subject_count = 0;
    free(fuzzing->subjects);
}

/* --- rounds ------------------------------------------------------------------------------------------------------ */

struct round {
    struct fuzzing *fuzzing;
    uint64_t first, runs; /* number of the first task; runs of each */
    unsigned tasks;
    atomic_uint next;
    atomic_bool failed;
    struct gpucode_fuzz_result *results[FUZZ_TASKS];
};

struct job {
    struct round *round;
    struct gpucode_fuzz_worker *worker;
    pthread_t thread;
    bool started;
};

static void *work(void *user)
{
    struct job *job = user;
    struct round *round = job->round;
    for (unsigned task; !fuzz_stopped && (task = atomic_fetch_add(&round->next, 1)) < round->tasks;)
        if (gpucode_fuzz_work(job->worker, round->first + task, round->runs, &round->results[task]) != GPUCODE_OK)
            round->failed = true;
    return NULL;
}

bool fuzz_round(struct fuzzing *fuzzing, uint64_t first, uint64_t runs)
{
    struct round round = {.fuzzing = fuzzing, .first = first};
    struct job jobs[FUZZ_JOBS_MAX];
    round.tasks = runs < FUZZ_TASKS ? (unsigned)runs : FUZZ_TASKS;
    round.runs = runs / (round.tasks ? round.tasks : 1);
    for (unsigned i = 0; i < fuzzing->jobs; i++) {
        jobs[i] = (struct job){.round = &round, .worker = fuzzing->workers[i]};
        /* where no thread can be had, the others do its work */
        jobs[i].started = i && pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) == 0;
    }
    work(&jobs[0]);
    for (unsigned i = 1; i < fuzzing->jobs; i++)
        if (jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
    bool good = !round.failed;
    for (unsigned i = 0; i < round.tasks; i++)
        if (round.results[i])
            good &= gpucode_fuzz_merge(fuzzing->workers[0], round.results[i]) == GPUCODE_OK;
    good &= !fuzz_lacks_memory(fuzzing);
    fuzzing->failed |= !good;
    return good && !fuzz_stopped;
}
