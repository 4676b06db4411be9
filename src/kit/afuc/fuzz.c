/* SPDX-License-Identifier: MIT */
#include "kit/afuc/fuzz.h"

#include "front/session.h"

#include <stdlib.h>
#include <string.h>

#define MAP_REST 4096u /* bytes of the map after the edges of the code */

/* --- one run ------------------------------------------------------------------------------------------------- */

static void run_records(void *user, const struct gpucode_fuzz_record *records, size_t count,
                        struct gpucode_fuzz_outcome *outcome)
{
    struct fuzzed *fuzzed = user;
    fuzzed->outcome = outcome;
    fuzzed->records = records;
    fuzzed->record_count = count;
    fuzz_plan(fuzzed, records, count);
    fuzz_begin_effects(fuzzed);
    fuzz_run_plan(fuzzed);
    if (fuzzed->other)
        fuzz_compare_other(fuzzed);
    else if (outcome->judgement == GPUCODE_FUZZ_PASS)
        fuzz_judge(fuzzed);
    else
        fuzz_assert_confirm(fuzzed);
    if (outcome->judgement != GPUCODE_FUZZ_PASS && !fuzzed->other)
        fuzz_find_cause(fuzzed);
}

static void compare_records(void *user, const struct gpucode_fuzz_record *records, size_t count,
                            void (*seen)(void *to, uint32_t value, uint32_t wanted), void *to)
{
    struct fuzzed *fuzzed = user;
    struct gpucode_fuzz_outcome outcome = {.judgement = GPUCODE_FUZZ_PASS};
    fuzzed->compared = seen;
    fuzzed->compared_to = to;
    fuzz_watch_on(fuzzed, GPUCODE_EVENT_COMPARE);
    run_records(user, records, count, &outcome);
    fuzz_watch_on(fuzzed, 0);
    fuzzed->compared = NULL;
}

static enum gpucode_status attach_map(void *user, uint8_t *map, size_t size)
{
    struct fuzzed *fuzzed = user;
    uint8_t *kept = map ? realloc(fuzzed->kept_map, size) : NULL;
    if (map && !kept)
        return GPUCODE_ERROR_MEMORY;
    fuzzed->kept_map = map ? kept : fuzzed->kept_map;
    fuzzed->map = map;
    fuzzed->map_size = size;
    return gpucode_machine_edges(fuzzed->machine, map, size);
}

/* --- the hooks of the kit ---------------------------------------------------------------------------------------- */

static bool lacks_memory(const struct gpucode_fuzz_subject *subject)
{
    const struct fuzzed *fuzzed = fuzzed_of(subject);
    return fuzzed->lacks_memory || (fuzzed->other && fuzzed->other->lacks_memory);
}

static int open_subject(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject)
{
    *subject = (struct gpucode_fuzz_subject){0};
    struct fuzzed *fuzzed = calloc(1, sizeof *fuzzed);
    if (!fuzzed)
        return out_of_memory(&session->diagnostics);
    subject->user = fuzzed;
    int code = fuzz_make(fuzzed, session, input);
    if (!code)
        code = fuzz_open_other(fuzzed);
    if (!code && lacks_memory(subject))
        code = out_of_memory(&session->diagnostics);
    if (code)
        return code;
    fuzz_watch_on(fuzzed, 0);
    if (fuzzed->other)
        fuzz_watch_on(fuzzed->other, 0);
    size_t map = 1;
    while (map < gpucode_machine_edge_count(fuzzed->machine) + 1 + MAP_REST)
        map *= 2;
    *subject = (struct gpucode_fuzz_subject){.kind_count = fuzzed->kind_count,
                                             .kinds = fuzzed->kinds,
                                             .values = fuzzed->values[FUZZ_OPCODES + 1],
                                             .value_count = fuzzed->value_counts[FUZZ_OPCODES + 1],
                                             .map_size = map,
                                             .attach = attach_map,
                                             .run = run_records,
                                             .compare = compare_records,
                                             .user = fuzzed};
    return EXIT_DONE;
}

static void close_subject(struct gpucode_fuzz_subject *subject)
{
    if (subject->user)
        fuzz_free(fuzzed_of(subject));
    subject->user = NULL;
}

/* --- for `run` --------------------------------------------------------------------------------------------------- */

static int check_file(struct session *session, struct gpucode_fuzz_subject *subject, const char *path,
                      struct gpucode_fuzz_outcome *outcome)
{
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
    static struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    static uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    struct fuzzed *fuzzed = fuzzed_of(subject);
    size_t size;
    fuzzed->checked = false;
    int code = fuzz_read_text(session, subject, path, bytes, &size);
    if (code || !fuzzed->checked)
        return code;
    size_t count = gpucode_fuzz_read(fuzzed->kind_count, bytes, size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
    run_records(fuzzed, records, count, outcome);
    return fuzzed->lacks_memory ? out_of_memory(&session->diagnostics) : EXIT_DONE;
}

int fuzz_check_files(struct session *session, const struct input *input, struct gpucode_fuzz_outcome *outcome)
{
    struct gpucode_fuzz_subject subject;
    const char *path;
    *outcome = (struct gpucode_fuzz_outcome){.judgement = GPUCODE_FUZZ_PASS};
    int code = open_subject(session, input, &subject);
    for (unsigned i = 0; !code && !*outcome->key; i++) {
        path = arguments_value_at(&session->arguments, OPTION_AFUC_PACKETS, i);
        if (!path)
            break;
        code = check_file(session, &subject, path, outcome);
    }
    close_subject(&subject);
    return code;
}

static struct gpucode_machine *subject_machine(const struct gpucode_fuzz_subject *subject)
{
    return fuzzed_of(subject)->machine;
}

static const struct kit_fuzz_facts *subject_facts(const struct gpucode_fuzz_subject *subject)
{
    return &fuzzed_of(subject)->facts;
}

const struct kit_fuzz afuc_fuzz = {
    .open = open_subject,
    .close = close_subject,
    .machine = subject_machine,
    .facts = subject_facts,
    .lacks_memory = lacks_memory,
    .write = fuzz_write_text,
    .debugger = fuzz_write_debugger,
    .read = fuzz_read_text,
    .seeds = fuzz_take_seeds,
};
