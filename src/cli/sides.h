/* SPDX-License-Identifier: MIT */
/* What pages of `diff` have in common: their style, and the two sides beside each other. */
#ifndef CLI_SIDES_H
#define CLI_SIDES_H

#include <gpucode/compare.h>
#include <stdio.h>

struct session;

#define SIDES_CONTEXT 4 /* lines that are the same, around those that are not; more of them fold away */

/* The page's beginning, with the names of both files; page_end() ends it. */
void sides_put_head(FILE *out, const char *old, const char *new);
/* "changed 3 functions"; the plural of `what` ends with s. */
void sides_put_heading(FILE *out, const char *what, enum gpucode_change change, unsigned count);
/* A row of the table of edits. */
void sides_put_edit(FILE *out, const char *text, unsigned count);

/* A table of two columns in an element that sides_end() ends as well. */
void sides_begin(FILE *out);
void sides_end(FILE *out);
/* Lines that are not shown, 0: does nothing; `more` is said of them. */
void sides_put_hidden(FILE *out, unsigned lines, const char *more);
/* A line of both; unit GPUCODE_NONE: this side has none. */
void sides_put_row(FILE *out, const uint32_t unit[2], const char *const text[2], bool same);

#endif
