/* SPDX-License-Identifier: MIT */
/* Tables under data/: lines of columns with TABs between them. What is wrong ends the program. */
#ifndef TOOLS_TSV_H
#define TOOLS_TSV_H

#include <stddef.h>
#include <stdint.h>

#define TSV_COLUMNS_MAX 20

struct tsv_row {
    unsigned line; /* from 1 on */
    unsigned count;
    char *cell[TSV_COLUMNS_MAX]; /* without quoting: a cell is what stands between two TABs */
};

struct tsv {
    const char *path, *base; /* base: the path after its last slash */
    struct tsv_row *rows;    /* without comments and empty lines */
    unsigned count;
};

/* Reads a file whose rows have `least` to `most` columns; what it allocates stays until the program ends. */
void tsv_load(struct tsv *tsv, const char *path, unsigned least, unsigned most);
/* A number up to `greatest`, decimal or after 0x. */
uint32_t tsv_number(const struct tsv *tsv, const struct tsv_row *row, const char *text, uint32_t greatest);
/* Writes "PATH:LINE: error: " and the message, and ends the program; null for `tsv` or `row`: it is about neither. */
_Noreturn void tsv_fail(const struct tsv *tsv, const struct tsv_row *row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* realloc() that does not fail. */
void *tsv_grow(void *memory, size_t size);

#endif
