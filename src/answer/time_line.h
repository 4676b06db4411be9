/* SPDX-License-Identifier: MIT */
/* What the forms of a time line share. */
#ifndef ANSWER_TIME_LINE_H
#define ANSWER_TIME_LINE_H

#include "base/arena.h"
#include "base/buffer.h"
#include <gpucode/time_line.h>

#define TIME_LINE_LANES 80

/* An event that is kept for the picture; its texts are in the arena. */
struct time_line_kept {
    uint64_t start, end, number, draw;
    const char *name;
    uint16_t level;
    uint8_t lane, mark;
    bool has_draw;
};

struct gpucode_time_line {
    struct gpucode_answer *answer;
    struct gpucode_time_line_options options;
    const char *lanes[TIME_LINE_LANES]; /* in the order in which they came */
    unsigned lane_count;
    struct arena arena;
    struct time_line_kept *kept;
    size_t count, room;
    bool failed;
};

/* The picture of what was kept, as SVG; `unit` says what times are. */
void time_line_draw(struct gpucode_time_line *line, const char *unit, struct buffer *out);

#endif
