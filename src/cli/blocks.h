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

struct session;
/* Compares and reports; returns an exit code. */
int blocks_report(struct session *session, const struct input *before, const struct input *after);

#endif
