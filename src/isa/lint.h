/* SPDX-License-Identifier: MIT */
/* What the analysis room asks of an instruction set's rules, and offers to them. */
#ifndef ISA_LINT_H
#define ISA_LINT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diagnostics.h"
#include "isa/layout.h"

#include <gpucode/lint.h>
#include <gpucode/schedule.h>

struct lint_context;

struct gpucode_analysis;
struct analysis_calls;

/* What a rule finds something in, and the same put right: pieces of source. */
struct isa_lint_example {
    const char *code, *target, *wrong, *right;
};

struct isa_lint {
    const struct gpucode_lint_limit *limits; /* with their defaults; ends with a null name */
    const char *const *limit_docs;
    const struct isa_lint_example *examples; /* of a rule the first one counts; ends with a null code; null: none */
    /* Looks at the image and reports by lint_find(). False: out of memory. */
    bool (*check)(struct lint_context *context, const struct isa_layout *layout);
    /* The same for rules that need the analysis of the code; in place of `check`. */
    bool (*check_analysed)(struct lint_context *context, struct gpucode_analysis *analysis,
                           const struct analysis_calls *calls);
};

/*
 * Notes a finding; those of one code at one place count once. `message` is a warning or error of message.def whose
 * explanation is the reason; `reference` is constant. Findings are reported by place when the check is done. Returns
 * the finding, for the rest of its members (the texts constant or by lint_text()); null: counted, and not kept.
 */
struct gpucode_finding *lint_find(struct lint_context *context, unsigned section, uint64_t unit, unsigned units,
                                  message_id message, const char *reference, ...);
/* A text that lives as long as the findings; null: no memory. */
const char *lint_text(struct lint_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t lint_limit(const struct lint_context *context, const char *name);
/* Where the caller says that code is entered; false after the last. */
bool lint_entry(const struct lint_context *context, unsigned index, uint64_t *unit);
/* What the source declares, number `index`; null after the last. */
const struct gpucode_declaration *lint_declaration(const struct lint_context *context, unsigned index);
/* Zeroed memory until the check is done; null when there is none. */
void *lint_memory(struct lint_context *context, size_t count, size_t size);

/* --- for the room that reports ------------------------------------------------------------------------- */

/* More are counted and not kept: code with so many is garbage. */
#define LINT_FINDINGS_MAX 1000

struct lint_found {
    struct gpucode_finding finding;
    unsigned number; /* keeps the order of those at one place */
    struct lint_found *next;
};

struct lint_context {
    const struct gpucode_lint_options *options;
    const struct isa_lint *rules;
    struct arena arena;
    struct lint_found *found;
    unsigned count;
    bool failed;
};

/* --- scheduling: what the analysis room asks of a set whose code needs delays ------------------------------------- */

struct isa_schedule {
    /* Writes the scheduled file's bytes; fills in counts and origins of *scheduled. Errors as gpucode_schedule(). */
    enum gpucode_status (*schedule)(const struct isa_layout *layout, const struct gpucode_schedule_options *options,
                                    struct buffer *out, struct gpucode_scheduled *scheduled);
};

#endif
