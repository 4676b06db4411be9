/* SPDX-License-Identifier: MIT */
/*
 * What an instruction set's listing writes to: the text and, when somebody wants it, a record of what stands where in
 * it. Both come from one pass over the code, so that nothing is decoded twice and they cannot differ.
 */
#ifndef ISA_LINES_H
#define ISA_LINES_H

#include "base/buffer.h"
#include "isa/layout.h"
#include <gpucode/outline.h>

struct isa_lines {
    struct buffer text; /* text.failed: out of memory, for the records too */
    /*
     * Runs `image` a little, to tell code from data that no known path leads to: a byte per unit, not 0 where it ran,
     * to be freed by the caller; or null. A null pointer: the text is to come from the bytes alone.
     */
    uint8_t *(*explore)(const struct gpucode_image *image);
    const struct gpucode_image *image;
    bool recorded; /* keep units and marks */
    bool begins;   /* the next unit begins a routine */
    struct gpucode_unit *units;
    uint32_t unit_count, unit_room;
    struct gpucode_mark *marks;
    uint32_t mark_count, mark_room;
    uint32_t marks_taken; /* of units so far; those after belong to the next one */
};

void isa_lines_free(struct isa_lines *listing);

/* Adds a unit with the marks and `begins` that wait for it; nothing unless recorded. */
void isa_lines_keep_unit(struct isa_lines *listing, const struct gpucode_unit *unit);
void isa_lines_keep_mark(struct isa_lines *listing, enum gpucode_mark_kind kind, size_t offset, size_t length);
/* `length` bytes were put in front of the text at `offset`: what stands after has moved. */
void isa_lines_move(struct isa_lines *listing, size_t offset, size_t length);

/* Records the unit of the line that is being written: see isa_lines_keep_unit(). */
static inline void isa_lines_unit(struct isa_lines *listing, const struct gpucode_unit *unit)
{
    if (listing->recorded)
        isa_lines_keep_unit(listing, unit);
}

/* Records a label of the unit that comes next; its name stands at `offset` of the text. */
static inline void isa_lines_mark(struct isa_lines *listing, enum gpucode_mark_kind kind, size_t offset, size_t length)
{
    if (listing->recorded)
        isa_lines_keep_mark(listing, kind, offset, length);
}

/* The rank of the label that was recorded last. */
static inline void isa_lines_rank(struct isa_lines *listing, uint16_t rank)
{
    if (listing->recorded && listing->mark_count)
        listing->marks[listing->mark_count - 1].rank = rank;
}

/*
 * The spans of a line in the text's buffer: the instruction from `start` to `middle`, its comment from there to `end`,
 * white space and the mark `comment` in front of it left out.
 */
void isa_lines_spans(const struct isa_lines *listing, struct gpucode_unit *unit, const char *comment, const char *start,
                     const char *middle, const char *end);

/* The bytes after the last whole unit as one `.byte` line; nothing when there are none. */
void isa_lines_tail(struct isa_lines *listing, const struct isa_layout *layout, unsigned section, uint64_t at);

#endif
