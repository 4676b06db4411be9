/* SPDX-License-Identifier: MIT */
/* Findings of lint, shown as messages are: place, text, the source line, the reason once for each code. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include <gpucode/lint.h>
#include <stdbool.h>
#include <stddef.h>

struct session;
struct input;
struct gpucode_answer;

#define FINDINGS_EXPLAINED_MAX 64

struct kept_finding;

struct findings {
    struct session *session;
    const struct input *input;
    struct gpucode_answer *answer;                 /* JSON goes there */
    unsigned errors, warnings, notes, ignored;     /* so far */
    const char *explained[FINDINGS_EXPLAINED_MAX]; /* codes whose reason was shown: once is enough */
    unsigned explained_count;
    struct kept_finding *kept;
    size_t count, room;
    bool failed; /* out of memory */
};

/*
 * For gpucode_lint_options.report; `user` is a struct findings. Leaves out what --ignore names, and what a comment on
 * the source line does: `lint: ignore`, or `lint: ignore CODE, CODE`.
 */
void findings_take(void *user, const struct gpucode_finding *finding);
/* Shows them: of a source in the order of its lines, a file after another, else of places. False: out of memory. */
bool findings_show(struct findings *findings);
/* "1 error, 2 warnings" of all that there is; `hidden` are those that the library did not hand over. */
void findings_total(const struct findings *findings, unsigned hidden);

#endif
