/* SPDX-License-Identifier: MIT */
/*
 * The chapters of a manual: Markdown of a simple kind. "## " begins a chapter, "### " a section of it; a comment on the
 * next line lists words under which it is looked up. A row of a table is looked up by the code in its first cell.
 */
#ifndef FRONT_CHAPTERS_H
#define FRONT_CHAPTERS_H

#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What was found: lines from `text` on, the comment left out when it is printed. */
struct chapters_part {
    const char *text;
    size_t length;
    /* Rows of tables: the line that names the columns; null: not a row. */
    const char *columns;
    size_t columns_length;
};

/* Calls `found` for every section and row with that word, in their order; returns how many there were. */
unsigned chapters_find(const char *manual, const char *word,
                       void (*found)(void *user, const struct chapters_part *part), void *user);
/* Calls `offer` with every word that can be looked up; it lives during the call. */
void chapters_words(const char *manual, void (*offer)(void *user, const char *word), void *user);

/* Prints as Markdown, without the comments. */
void chapters_print(const char *text, size_t length, FILE *out);
/* Prints Markdown with lines of at most 100 columns: longer ones are wrapped, wide tables become lists. */
void chapters_print_markdown(const char *text, size_t length, FILE *out);
/* Prints Markdown as text for a terminal; `bold` with escape sequences for headings. */
void chapters_print_plain(const char *text, size_t length, bool bold, FILE *out);
/* Prints Markdown as the body of a man page. */
void chapters_print_man(const char *text, size_t length, FILE *out);

/* How an instruction is written, from its row and the manual's table of letters. */

/* What a field of a row is, "destination register"; null: it has no such field. */
const char *row_kind(const struct gpucode_target *target, uint32_t row, char letter);
/*
 * The form of a row, "add $dst, $src, IMM16", cut where there is no room; returns its length. *parts
 * (GPUCODE_FIELDS_MAX pairs) receives where each operand begins and ends in it; both may be null.
 */
size_t row_form(const struct gpucode_target *target, uint32_t row, char *text, size_t size, size_t *parts,
                unsigned *part_count);

#endif
