/* SPDX-License-Identifier: MIT */
/*
 * A time line: what happened one thing after another, in lanes, as an answer. Whoever runs or decodes something puts
 * events into it; one description makes the records that viewers draw, the trace that Perfetto opens, and a picture for
 * pages of HTML.
 *
 *     struct gpucode_time_line_options options = {.unit = "words"};
 *     struct gpucode_time_line *line = gpucode_time_line_begin(answer, &options);
 *     gpucode_time_line_put(line, &(struct gpucode_time_line_event){.lane = "packets", .name = "CP_NOP", .end = 3});
 *     enum gpucode_status status = gpucode_time_line_end(line);
 *
 * An event is named by its lane and its number there: the same event of the same input has the same name always,
 * whatever part of the line is asked for.
 */
#ifndef GPUCODE_TIME_LINE_H
#define GPUCODE_TIME_LINE_H

#include <gpucode/answer.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_time_line;

enum gpucode_time_line_form {
    GPUCODE_TIME_LINE_RECORDS, /* a record of the unit, then one of each event */
    /* One object in the Trace Event Format ("JSON object format", with complete events), which ui.perfetto.dev opens */
    GPUCODE_TIME_LINE_TRACE,
    GPUCODE_TIME_LINE_PICTURE, /* a picture for HTML alone: text and JSON have nothing of it */
};

struct gpucode_time_line_options {
    enum gpucode_time_line_form form;
    const char *title; /* of a trace: what was run, such as the file's name; or null */
    const char *unit;  /* what times count: "words", "instructions", "clocks". Must not be null, and must live on */
    /* Lanes in the order in which viewers show them; null: as their events come. Must live on */
    const char *const *lanes;
    size_t lane_count;
    double nanoseconds; /* that a unit takes; 0: nothing tells, times are an order, and a trace has microseconds for
                           them */
};

/* How an event stands out. */
enum gpucode_time_line_mark {
    GPUCODE_TIME_LINE_PLAIN,
    GPUCODE_TIME_LINE_SKIPPED, /* it does not run */
    GPUCODE_TIME_LINE_MAYBE,   /* it depends on what is not known */
    GPUCODE_TIME_LINE_FAULT,   /* something is wrong there */
};

/* A place of a stream or a program that an event belongs to, as far as it has one. */
enum {
    GPUCODE_TIME_LINE_HAS_ADDRESS = 1 << 0,
    GPUCODE_TIME_LINE_HAS_STREAM = 1 << 1, /* submit, stream, frame */
    GPUCODE_TIME_LINE_HAS_DRAW = 1 << 2,
    GPUCODE_TIME_LINE_HAS_LINE = 1 << 3,
    GPUCODE_TIME_LINE_HAS_POSITION = 1 << 4,
};

struct gpucode_time_line_event {
    const char *lane;    /* constant: "packets"; 80 lanes at most */
    const char *name;    /* copied where it is kept */
    const char *detail;  /* more to say of it, or null */
    uint64_t number;     /* in its lane, from 0 */
    uint64_t start, end; /* in units; equal: a moment. Of one lane and level they do not overlap */
    unsigned level;      /* events that it is in, of its own lane */
    enum gpucode_time_line_mark mark;
    unsigned has;                   /* GPUCODE_TIME_LINE_HAS_... */
    uint64_t address;               /* GPU address, or where it stands in a program */
    uint64_t submit, stream, frame; /* as in records of <gpucode/stream_decode.h> */
    uint64_t draw;                  /* number in the file */
    uint64_t line;                  /* of the source */
    uint64_t position;              /* instructions that were run before it: gpucode_debug_goto() goes there */
};

/* Null: out of memory, or no unit. The options are copied, texts they point to are not. */
GPUCODE_API struct gpucode_time_line *gpucode_time_line_begin(struct gpucode_answer *answer,
                                                              const struct gpucode_time_line_options *options);
/* In any order. A null line takes everything and keeps nothing. */
GPUCODE_API void gpucode_time_line_put(struct gpucode_time_line *line, const struct gpucode_time_line_event *event);
/* Ends and frees the line. Returns the answer's status; GPUCODE_ERROR_MEMORY where the line is null. */
GPUCODE_API enum gpucode_status gpucode_time_line_end(struct gpucode_time_line *line);

/* The fields of the records, and of the trace. */
GPUCODE_API const struct gpucode_answer_table *gpucode_time_line_answer_table(void);

#ifdef __cplusplus
}
#endif
#endif
