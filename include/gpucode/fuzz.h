/* SPDX-License-Identifier: MIT */
/*
 * Fuzzing code of any instruction set: inputs made of records, which are changed where their structure allows it, kept
 * when they reach something new, and minimised when they find something.
 *
 *     struct gpucode_fuzz *fuzz;
 *     struct gpucode_fuzz_worker *worker;
 *     if (gpucode_fuzz_create(&subject, 1, &fuzz) == GPUCODE_OK &&
 *         gpucode_fuzz_worker_create(fuzz, &subject, &worker) == GPUCODE_OK) {
 *         struct gpucode_fuzz_result *result;
 *         for (uint64_t task = 0; task < 100; task++)
 *             if (gpucode_fuzz_work(worker, task, 1000, &result) == GPUCODE_OK)
 *                 gpucode_fuzz_merge(worker, result);
 *     }
 *
 * The host says what is fuzzed: struct gpucode_fuzz_subject has the kinds of records and runs them. This part is a
 * library of its own, libgpucode-fuzz. It knows no instruction set, does no input or output and uses no clock:
 * results hang on the seed, the subject and the order of calls alone. Workers may work in different threads at the same
 * time, each with a subject of its own; merging, adding and looking wait until all have stopped. The tasks of a round
 * see what was merged before it, so that who does which of them does not matter.
 */
#ifndef GPUCODE_FUZZ_H
#define GPUCODE_FUZZ_H

#include <gpucode/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- inputs ------------------------------------------------------------------------------------------------ */

#define GPUCODE_FUZZ_KINDS_MAX 256
#define GPUCODE_FUZZ_WORDS_MAX 63   /* of a record */
#define GPUCODE_FUZZ_RECORDS_MAX 64 /* of an input; what comes after them is left out */
#define GPUCODE_FUZZ_INPUT_MAX (GPUCODE_FUZZ_RECORDS_MAX * (2 + 4 * GPUCODE_FUZZ_WORDS_MAX)) /* bytes */

enum gpucode_fuzz_nesting {
    GPUCODE_FUZZ_FLAT,
    GPUCODE_FUZZ_OPENS, /* the records after it, up to one that closes, belong to it */
    GPUCODE_FUZZ_CLOSES,
};

/* A kind of records. */
struct gpucode_fuzz_kind {
    const char *name;       /* "CP_NOP"; without white space */
    unsigned weight;        /* how often one is made, compared with the other kinds; 0: never */
    unsigned least, most;   /* words that one is made with; at most GPUCODE_FUZZ_WORDS_MAX */
    const uint32_t *values; /* words that are worth trying in such a record; or null */
    size_t value_count;
    enum gpucode_fuzz_nesting nesting;
};

struct gpucode_fuzz_record {
    uint8_t kind, count;
    const uint32_t *words;
};

/*
 * An input is bytes, and any bytes are an input: a record is a byte for its kind (modulo the number of kinds), one
 * whose lower six bits count its words, and the words, little-endian; those that are missing at the end are left out.
 * Writes at most `room` records, whose words go to `words` (room for GPUCODE_FUZZ_WORDS_MAX each), and returns how
 * many.
 */
GPUCODE_API size_t gpucode_fuzz_read(unsigned kind_count, const void *bytes, size_t size,
                                     struct gpucode_fuzz_record *records, size_t room, uint32_t *words);
/* The bytes of records; returns their number, 0 when `room` is not enough. */
GPUCODE_API size_t gpucode_fuzz_write(const struct gpucode_fuzz_record *records, size_t count, void *bytes,
                                      size_t room);

/* --- what is fuzzed ---------------------------------------------------------------------------------------- */

enum gpucode_fuzz_judgement {
    GPUCODE_FUZZ_PASS,
    GPUCODE_FUZZ_FINDING,
    GPUCODE_FUZZ_GAP, /* the model does not know what happens: nothing is known to be wrong */
};

/* How a run ended. */
struct gpucode_fuzz_outcome {
    enum gpucode_fuzz_judgement judgement;
    char key[64];   /* findings with the same key are one: letters, digits, '-', '_'; good in a file's name */
    char text[320]; /* one sentence */
};

struct gpucode_fuzz_subject {
    unsigned kind_count; /* at least 1 */
    const struct gpucode_fuzz_kind *kinds;
    const uint32_t *values; /* words that are worth trying in any record; or null */
    size_t value_count;
    size_t map_size; /* bytes of the map of edges */
    /* The map that runs count in from now on, as gpucode_machine_edges() has it; null: none. */
    enum gpucode_status (*attach)(void *user, uint8_t *map, size_t size);
    /* Runs an input from the same state as every time. */
    void (*run)(void *user, const struct gpucode_fuzz_record *records, size_t count,
                struct gpucode_fuzz_outcome *outcome);
    /* Runs it and tells what it compares: a value, and another one that leads elsewhere. Or null. */
    void (*compare)(void *user, const struct gpucode_fuzz_record *records, size_t count,
                    void (*seen)(void *to, uint32_t value, uint32_t wanted), void *to);
    void *user;
};

/* --- fuzzing ------------------------------------------------------------------------------------------------- */

struct gpucode_fuzz;
struct gpucode_fuzz_worker;
struct gpucode_fuzz_result;

/*
 * Nothing found yet. Of the subject kinds, values and the size of the map are used, which must live as long. All return
 * GPUCODE_OK, GPUCODE_ERROR_ARGUMENT, GPUCODE_ERROR_MEMORY or what attach() returned.
 */
GPUCODE_API enum gpucode_status gpucode_fuzz_create(const struct gpucode_fuzz_subject *subject, uint64_t seed,
                                                    struct gpucode_fuzz **out);
/* null is allowed. Workers first. */
GPUCODE_API void gpucode_fuzz_free(struct gpucode_fuzz *fuzz);

/* The subject is copied; its kinds must be those of `fuzz`. */
GPUCODE_API enum gpucode_status gpucode_fuzz_worker_create(struct gpucode_fuzz *fuzz,
                                                           const struct gpucode_fuzz_subject *subject,
                                                           struct gpucode_fuzz_worker **out);
GPUCODE_API void gpucode_fuzz_worker_free(struct gpucode_fuzz_worker *worker);

/* A task: about `runs` runs of inputs made from the corpus; its number and the seed choose them. */
GPUCODE_API enum gpucode_status gpucode_fuzz_work(struct gpucode_fuzz_worker *worker, uint64_t task, uint64_t runs,
                                                  struct gpucode_fuzz_result **out);
/* Takes what is new from a result and frees it; new findings are minimised on the worker's subject. */
GPUCODE_API enum gpucode_status gpucode_fuzz_merge(struct gpucode_fuzz_worker *worker,
                                                   struct gpucode_fuzz_result *result);
/*
 * Runs a given input and keeps it when it reaches or finds something new. `op` says where it is from, in a word, and is
 * copied; `source` is the number of the input that it was made from, or SIZE_MAX. *kept may be null.
 */
GPUCODE_API enum gpucode_status gpucode_fuzz_add(struct gpucode_fuzz_worker *worker, const void *bytes, size_t size,
                                                 const char *op, bool *kept);

/* An input that was kept. */
struct gpucode_fuzz_entry {
    const void *bytes;
    size_t size;
    size_t source;  /* number of the one that it was made from, SIZE_MAX: none */
    const char *op; /* "havoc", "splice", "compare", or what gpucode_fuzz_add() was given */
    uint64_t runs;  /* that were done before */
};
/* Input number `index`, in the order in which they were kept; false after the last. Pointers hold until the next
 * merge. */
GPUCODE_API bool gpucode_fuzz_entry_at(const struct gpucode_fuzz *fuzz, size_t index, struct gpucode_fuzz_entry *entry);

struct gpucode_fuzz_finding {
    const struct gpucode_fuzz_outcome *outcome;
    const void *bytes; /* of the minimised input; gaps: of the first one */
    size_t size;
    uint64_t count; /* runs that ended so */
    uint64_t runs;  /* that were done before the round that found it */
};
/* Finding number `index`, gaps among them, in the order in which they were found; false after the last. */
GPUCODE_API bool gpucode_fuzz_finding_at(const struct gpucode_fuzz *fuzz, size_t index,
                                         struct gpucode_fuzz_finding *finding);

struct gpucode_fuzz_numbers {
    uint64_t runs;
    size_t entries, findings, gaps;
    size_t edges; /* bytes of the map that some run has raised */
};
GPUCODE_API void gpucode_fuzz_numbers(const struct gpucode_fuzz *fuzz, struct gpucode_fuzz_numbers *numbers);
/* A byte for each of the map, not 0 where some kept input has raised it. */
GPUCODE_API const uint8_t *gpucode_fuzz_seen(const struct gpucode_fuzz *fuzz);

/* One run, counted nowhere; *edges (may be null) is how many bytes of the map it has raised. */
GPUCODE_API enum gpucode_status gpucode_fuzz_try(struct gpucode_fuzz_worker *worker, const void *bytes, size_t size,
                                                 struct gpucode_fuzz_outcome *outcome, size_t *edges);
/*
 * The least input that ends with the same key as this one: records are taken out, then words, then words are made
 * simpler. Of one that passes: that raises the same bytes of the map. Writes to `out`, of GPUCODE_FUZZ_INPUT_MAX bytes,
 * and sets *out_size.
 */
GPUCODE_API enum gpucode_status gpucode_fuzz_minimise(struct gpucode_fuzz_worker *worker, const void *bytes,
                                                      size_t size, void *out, size_t *out_size);

/* --- for other fuzzers' loops ------------------------------------------------------------------------------- */

/*
 * A changed input: of `bytes`, or of it and `other` (may be null). `random` is the state of the generator, any number
 * at first. Writes at most `room` bytes and returns how many; at least one where there is room for a record.
 */
GPUCODE_API size_t gpucode_fuzz_mutate(const struct gpucode_fuzz_subject *subject, uint64_t *random, const void *bytes,
                                       size_t size, const void *other, size_t other_size, void *out, size_t room);

/*
 * Kinds and values as text, for mutators that run in other programs: a line `kind NAME WEIGHT LEAST MOST NESTING
 * WORD...`, or `values WORD...`. malloc'ed; null: no memory.
 */
GPUCODE_API char *gpucode_fuzz_kinds_text(const struct gpucode_fuzz_subject *subject, size_t *length);
/*
 * Reads such a text into a subject without callbacks, whose kinds are malloc'ed: gpucode_fuzz_kinds_free(). *line (may
 * be null) is the line that is wrong with GPUCODE_ERROR_INPUT.
 */
GPUCODE_API enum gpucode_status gpucode_fuzz_kinds_read(const char *text, size_t length,
                                                        struct gpucode_fuzz_subject *subject, unsigned *line);
GPUCODE_API void gpucode_fuzz_kinds_free(struct gpucode_fuzz_subject *subject);

#ifdef __cplusplus
}
#endif
#endif
