/* SPDX-License-Identifier: MIT */
/* What reports of two programs have in common: the listing of both sides, and what has become of how many. */
#ifndef REPORT_SIDES_H
#define REPORT_SIDES_H

#include "report/subject.h"

#define ANSWER_ROWS "report/changes.answer.def"
#ifndef SIDES_FIELDS /* sides.c has them */
#define ANSWER_IDS_ONLY
#endif
#include <gpucode/answer_rows.h>

/* The rows of changes.answer.def. */
extern const struct gpucode_answer_field *const report_changes;

#define SIDES_TEXT_MAX (GPUCODE_TEXT_MAX + 16)

/* Two sides that are read together. */
struct sides {
    const struct gpucode_compared_line *lines; /* their units are what `line` is asked for */
    uint32_t count;
    const void *user;
    /* The text of a line of a side; returns its place. */
    uint32_t (*line)(const void *user, unsigned side, uint32_t unit, char text[SIDES_TEXT_MAX]);
};

/* Puts the listing of the rows LISTING_OF() from `first` on, if any line differs; else returns false. */
bool sides_put(struct gpucode_answer *answer, unsigned first, const struct sides *sides);
/* Puts how many there are of each enum gpucode_change; the rows COUNTED() from `first` on. */
void sides_put_counts(struct gpucode_answer *answer, unsigned first, const unsigned counts[GPUCODE_CHANGE_GONE + 1]);
/* Puts a kind of edit; the rows KINDS_OF() from `first` on, of which the list was begun. */
void sides_put_kind(struct gpucode_answer *answer, unsigned first, const char *text, unsigned count);

#endif
