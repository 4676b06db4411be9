/* SPDX-License-Identifier: MIT */
/*
 * Lint: code that assembles and may even run, and is wrong all the same.
 *
 *     static void show(void *user, const struct gpucode_finding *finding)
 *     {
 *         printf("%llx: %s [%s]\n", (unsigned long long)finding->unit, finding->message, finding->code);
 *     }
 *     struct gpucode_lint_options options = {.report = show};
 *     unsigned count;
 *     gpucode_lint(image, &options, &count);
 *
 * Each rule has a code, which gpucode_explain() explains, and a reference to the fact that it rests on.
 */
#ifndef GPUCODE_LINT_H
#define GPUCODE_LINT_H

#include <gpucode/asm.h>
#include <gpucode/diagnostic.h>
#include <gpucode/image.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All pointers are valid during the call of report only, but for code, reason and reference, which are constant. */
struct gpucode_finding {
    /* GPUCODE_ERROR: it cannot work; GPUCODE_WARNING: it should not be written so; GPUCODE_NOTE: good to know */
    enum gpucode_severity severity;
    const char *code;      /* "hwsq-lint-no-exit" */
    unsigned section;      /* index into the image's sections */
    uint64_t unit;         /* place, units from the section's start */
    unsigned units;        /* units concerned, at least 1 */
    const char *message;   /* one sentence, no full stop */
    const char *reason;    /* why it matters: gpucode_explain(code) */
    const char *reference; /* where the fact comes from */
    bool has_other;        /* another instruction has part in it: */
    uint64_t other;        /* its place, units: the one that writes, delivers, branches here, ... */
    unsigned slots;        /* issue slots that are missing, 0: none are */
    unsigned operand;      /* 1 = the first in the text, up to the first comma; 0: the whole instruction */
    bool analysed;         /* the code was analysed (gpucode/analysis.h): */
    const char *function;  /* the function that it stands in, or null */
    const char *fix;       /* what to do, in a few words; null: that depends */
};

/* A number by name, for rules that have one. Lists end with a null name. */
struct gpucode_lint_limit {
    const char *name; /* "hwsq-pause-budget" */
    uint64_t value;
};

struct gpucode_lint_options {
    void (*report)(void *user, const struct gpucode_finding *finding); /* in the order of places; null: only count */
    void *user;
    const struct gpucode_lint_limit *limits; /* null: the defaults */
    const uint64_t *entries;                 /* where code is entered, units; null: where the instruction set says */
    unsigned entry_count;
    const struct gpucode_declaration
        *declarations; /* what the source says of the program (A3XX: its inputs), or null */
    unsigned declaration_count;
};

/*
 * Checks an image. *count (may be null) receives the number of findings, of which the first 1,000 are reported. Returns
 * GPUCODE_OK, also with findings, GPUCODE_ERROR_UNSUPPORTED (no rules for this instruction set), GPUCODE_ERROR_RANGE
 * (see gpucode_analyse()), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_lint(const struct gpucode_image *image,
                                             const struct gpucode_lint_options *options, unsigned *count);

/* Limit number `index` of the target's rules with its default and meaning; false after the last. */
GPUCODE_API bool gpucode_lint_limit_at(const struct gpucode_target *target, unsigned index,
                                       struct gpucode_lint_limit *limit, const char **doc);

/* What a rule finds something in, and the same put right: pieces of source, lines ended by newlines. */
struct gpucode_lint_example {
    const char *target; /* name of the target that they are for */
    const char *wrong, *right;
};
/* False: the target's instruction set has no rule of that code, or no example of it. Any thread. */
GPUCODE_API bool gpucode_lint_example(const struct gpucode_target *target, const char *code,
                                      struct gpucode_lint_example *example);

#ifdef __cplusplus
}
#endif
#endif
