/* SPDX-License-Identifier: MIT */
/* Two programs compared by basic blocks: for sets of which no more is known than what their instructions are. */
#ifndef CLI_BLOCKS_H
#define CLI_BLOCKS_H

#include "front/input.h"
#include <gpucode/compare.h>

/* An instruction, or units that are none. */
struct block_line {
    uint32_t unit;
    uint32_t block;
    uint32_t target; /* index of the line that it may jump to, the count of lines: their end; GPUCODE_NONE: nowhere */
    uint32_t pair;   /* index of the line that it is on the other side; GPUCODE_NONE: none */
    uint64_t hash;
    char *text; /* places of code are "_" */
};

struct block {
    uint32_t first, count; /* lines */
    uint32_t pair;         /* number of the block that it is on the other side */
    enum gpucode_change change;
};

struct block_side {
    const struct input *input;
    unsigned section;
    struct block_line *lines;
    uint32_t line_count, instructions;
    struct block *blocks;
    uint32_t block_count;
};

/* Reads the lines of a section and cuts them into blocks. False: out of memory; call blocks_free() whatever it is. */
bool blocks_read(struct block_side *side, const struct input *input, unsigned section);
void blocks_free(struct block_side *side);
/* Finds the pairs of lines and blocks, and what has become of blocks. False: out of memory. */
bool blocks_pair(struct block_side side[2]);
/* Is the line the same on the other side, and does it lead to the same? */
bool blocks_same(const struct block_side side[2], uint32_t old, uint32_t new);

/* How many blocks there are of each kind of change. */
void blocks_count(const struct block_side side[2], unsigned counts[GPUCODE_CHANGE_GONE + 1]);

/* --- the difference, for those who show it --- */

/* Two sides read together: a line of the old one, of the new one, or one that is both. */
struct block_row {
    uint32_t line[2];
    bool same;
};

struct block_rows {
    struct block_row *list;
    uint32_t count;
};

struct block_edit {
    char *text;
    unsigned count;
};

struct block_edits {
    struct block_edit *list;
    size_t count;
};

struct block_difference {
    struct block_rows rows;
    struct block_edits edits; /* the most frequent first */
};

/* False: out of memory; call blocks_difference_free() whatever it is. */
bool blocks_difference(const struct block_side side[2], struct block_difference *difference);
void blocks_difference_free(struct block_difference *difference);

#define BLOCK_TEXT_MAX (GPUCODE_TEXT_MAX + 16)
/* A line's text, where it leads to as "l12". */
void blocks_text(const struct block_side side[2], unsigned which, uint32_t line, char text[BLOCK_TEXT_MAX]);

struct session;
/* The page goes to the file `path`; returns an exit code. */
int blocks_html(struct session *session, const struct block_side side[2], const struct block_difference *difference,
                const char *path);
/* Compares and reports; returns an exit code. */
int blocks_report(struct session *session, const struct input *before, const struct input *after);

#endif
