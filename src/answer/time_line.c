/* SPDX-License-Identifier: MIT */
/* Events as records, as a trace, or kept for a picture. */
#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

#include <gpucode/time_line.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/*
 * The picture of a time line: a row for each lane and level. Events that are narrower than can be seen are drawn
 * together with those beside them, so that the picture of a million events is as large as that of a thousand.
 */

#define LEFT 90
#define WIDTH 1000
#define ROW_HEIGHT 18
#define HEAD 20
#define LEVELS_MAX 8
#define LETTER 6.2 /* of a name in a bar */

static const char *const colors[] = {"#7a9cc6", "#6b9a8a", "#8a7fb5", "#b58a5c", "#5c9ab5", "#a0748f"};
#define FAULT_COLOR "#c2410c"
#define IDLE_COLOR "#9a9a9a"

static int by_row(const void *left, const void *right)
{
    const struct time_line_kept *a = left, *b = right;
    return a->lane != b->lane     ? ORDER(a->lane, b->lane)
           : a->level != b->level ? ORDER(a->level, b->level)
           : a->start != b->start ? ORDER(a->start, b->start)
                                  : ORDER(a->number, b->number);
}

static void put_text(struct buffer *out, const char *text)
{
    for (; *text; text++)
        if (strchr("<>&\"", *text))
            buffer_format(out, "&#%d;", *text);
        else if ((unsigned char)*text >= ' ')
            buffer_append(out, text, 1);
}

/* A bar for events that are drawn together. */
static void put_bar(struct buffer *out, const struct time_line_kept *first, size_t count, double from, double to, int y)
{
    const struct time_line_kept *last = first + count - 1;
    bool fault = false, runs = false;
    for (size_t i = 0; i < count; i++) {
        fault |= first[i].mark == GPUCODE_TIME_LINE_FAULT;
        runs |= first[i].mark == GPUCODE_TIME_LINE_PLAIN;
    }
    double width = to - from < 0.6 ? 0.6 : to - from;
    if (first->has_draw)
        buffer_format(out, "<a href=\"#d%" PRIu64 "\">", first->draw);
    buffer_format(out, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>", from, y, width,
                  ROW_HEIGHT - 3,
                  fault   ? FAULT_COLOR
                  : !runs ? IDLE_COLOR
                          : colors[first->lane % (sizeof colors / sizeof *colors)]);
    put_text(out, first->name);
    if (count > 1) {
        buffer_format(out, " and %zu more, to ", count - 1);
        put_text(out, last->name);
    }
    buffer_format(out, ": %" PRIu64 " to %" PRIu64 "</title></rect>", first->start, last->end);
    size_t room = (size_t)(width / LETTER), length = strlen(first->name);
    if (count == 1 && room > 3 && length) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length < room ? length : room < 60 ? room : 60), first->name);
        buffer_format(out, "<text x=\"%.1f\" y=\"%d\" fill=\"#fff\">", from + 3, y + ROW_HEIGHT - 7);
        put_text(out, name);
        buffer_text(out, "</text>");
    }
    if (first->has_draw)
        buffer_text(out, "</a>");
    buffer_text(out, "\n");
}

/* The events of a row: those that end within a pixel of where the bar began are one with it. */
static void put_row(struct buffer *out, const struct time_line_kept *events, size_t count, double scale, int y)
{
    for (size_t i = 0, next; i < count; i = next) {
        double from = LEFT + (double)events[i].start * scale, to = LEFT + (double)events[i].end * scale;
        for (next = i + 1; next < count && to - from < 1; next++) {
            double end = LEFT + (double)events[next].end * scale;
            if (end - from >= 1.5)
                break;
            to = end > to ? end : to;
        }
        put_bar(out, events + i, next - i, from, to, y);
    }
}

/* The picture of what was kept, as SVG; `unit` says what times are. */
static void time_line_draw(struct gpucode_time_line *line, const char *unit, struct buffer *out)
{
    uint64_t total = 1;
    unsigned rows = 0;
    int y = HEAD;
    if (line->count)
        qsort(line->kept, line->count, sizeof *line->kept, by_row);
    for (size_t i = 0; i < line->count; i++) {
        const struct time_line_kept *event = &line->kept[i];
        total = event->end > total ? event->end : total;
        bool begins = !i || event->lane != event[-1].lane || event->level != event[-1].level;
        rows += begins && event->level < LEVELS_MAX;
    }
    buffer_format(
        out,
        "<svg class=time-line role=img aria-label=\"time line: %s\" viewBox=\"0 0 %d %d\" style=\"width:100%%\" "
        "font-size=\"11\" fill=\"currentColor\">\n<text x=\"%d\" y=\"12\">%" PRIu64 " ",
        unit, LEFT + WIDTH + 10, HEAD + (int)rows * ROW_HEIGHT + 4, LEFT, total);
    put_text(out, unit);
    buffer_text(out, "</text>\n");
    for (size_t i = 0, next; i < line->count; i = next) {
        const struct time_line_kept *first = &line->kept[i];
        for (next = i;
             next < line->count && line->kept[next].lane == first->lane && line->kept[next].level == first->level;)
            next++;
        if (first->level >= LEVELS_MAX)
            continue;
        if (!first->level) {
            buffer_format(out, "<text x=\"0\" y=\"%d\">", y + ROW_HEIGHT - 7);
            put_text(out, line->lanes[first->lane]);
            buffer_text(out, "</text>\n");
        }
        put_row(out, first, next - i, WIDTH / (double)total, y);
        y += ROW_HEIGHT;
    }
    buffer_text(out, "</svg>");
}

#define ANSWER_ROWS "answer/time_line.answer.def"
#include <gpucode/answer_rows.h>

const struct gpucode_answer_table *gpucode_time_line_answer_table(void)
{
    static const struct gpucode_answer_table table = {"time-line",
                                                      "A line of `--time-line --json`, and what --perfetto writes.",
                                                      fields, sizeof fields / sizeof *fields};
    return &table;
}

static const char *const marks[] = {
    [GPUCODE_TIME_LINE_SKIPPED] = "skipped", [GPUCODE_TIME_LINE_MAYBE] = "maybe", [GPUCODE_TIME_LINE_FAULT] = "fault"};

/* What the unit is, as a sentence: "words in their order, not time". */
static void put_unit(const struct gpucode_time_line_options *options, char *text, size_t size)
{
    if (options->nanoseconds > 0)
        snprintf(text, size, "%s of %g ns", options->unit, options->nanoseconds);
    else
        snprintf(text, size, "%s in their order, not time", options->unit);
}

/* The number of the lane, from 0; TIME_LINE_LANES: there are too many. */
static unsigned lane_of(struct gpucode_time_line *line, const char *lane)
{
    unsigned i = 0;
    while (i < line->lane_count && strcmp(line->lanes[i], lane) != 0)
        i++;
    if (i == line->lane_count && i < TIME_LINE_LANES)
        line->lanes[line->lane_count++] = lane;
    return i;
}

/* Rows of EVENT and of the arguments of TRACE_EVENT from the address on, which are alike. */
static void put_place(struct gpucode_answer *answer, const struct gpucode_time_line_event *event, unsigned first)
{
    const uint64_t stream[] = {event->submit, event->stream, event->frame};
    if (event->has & GPUCODE_TIME_LINE_HAS_ADDRESS)
        gpucode_answer_number(answer, &fields[first], event->address);
    if (event->has & GPUCODE_TIME_LINE_HAS_STREAM)
        gpucode_answer_numbers(answer, &fields[first + 1], stream, 3);
    if (event->has & GPUCODE_TIME_LINE_HAS_DRAW)
        gpucode_answer_number(answer, &fields[first + 4], event->draw);
    if (event->has & GPUCODE_TIME_LINE_HAS_LINE)
        gpucode_answer_number(answer, &fields[first + 5], event->line);
    if (event->has & GPUCODE_TIME_LINE_HAS_POSITION)
        gpucode_answer_number(answer, &fields[first + 6], event->position);
}

static void put_record(struct gpucode_answer *answer, const struct gpucode_time_line_event *event)
{
    const uint64_t times[] = {event->start, event->end};
    char indent[33];
    gpucode_answer_begin(answer, &fields[EVENT]);
    gpucode_answer_numbers(answer, &fields[EVENT_START], times, 2);
    gpucode_answer_text(answer, &fields[EVENT_LANE], event->lane);
    gpucode_answer_number(answer, &fields[EVENT_NUMBER], event->number);
    gpucode_answer_number(answer, &fields[EVENT_LEVEL], event->level);
    if (event->level) {
        snprintf(indent, sizeof indent, "%*s", 2 * (int)(event->level < 16 ? event->level : 16), "");
        gpucode_answer_text(answer, &fields[EVENT_INDENT], indent);
    }
    gpucode_answer_text(answer, &fields[EVENT_NAME], event->name);
    gpucode_answer_text(answer, &fields[EVENT_DETAIL], event->detail);
    gpucode_answer_text(answer, &fields[EVENT_MARK], marks[event->mark]);
    put_place(answer, event, EVENT_ADDRESS);
    gpucode_answer_end(answer);
}

/* Names the trace, or a lane of it, with its place among them. */
static void put_name(struct gpucode_answer *answer, const char *kind, unsigned lane, const char *name)
{
    gpucode_answer_begin(answer, &fields[TRACE_EVENT]);
    gpucode_answer_text(answer, &fields[TRACE_NAME], kind);
    gpucode_answer_text(answer, &fields[TRACE_KIND], "M");
    gpucode_answer_number(answer, &fields[TRACE_PROCESS], 1);
    if (lane)
        gpucode_answer_number(answer, &fields[TRACE_THREAD], lane);
    gpucode_answer_begin(answer, &fields[TRACE_ARGUMENTS]);
    gpucode_answer_text(answer, &fields[TRACE_NAMED], name);
    if (!name)
        gpucode_answer_number(answer, &fields[TRACE_INDEX], lane);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

static void put_lane(struct gpucode_answer *answer, const char *lane, unsigned number)
{
    put_name(answer, "thread_name", number, lane);
    put_name(answer, "thread_sort_index", number, NULL);
}

static void put_trace(struct gpucode_time_line *line, const struct gpucode_time_line_event *event)
{
    struct gpucode_answer *answer = line->answer;
    unsigned before = line->lane_count, lane = lane_of(line, event->lane) + 1;
    double scale = line->options.nanoseconds > 0 ? line->options.nanoseconds / 1000 : 1;
    if (line->lane_count > before)
        put_lane(answer, event->lane, lane);
    gpucode_answer_begin(answer, &fields[TRACE_EVENT]);
    gpucode_answer_text(answer, &fields[TRACE_NAME], event->name);
    gpucode_answer_text(answer, &fields[TRACE_LANE], event->lane);
    gpucode_answer_text(answer, &fields[TRACE_KIND], event->end > event->start ? "X" : "i");
    if (event->end == event->start)
        gpucode_answer_text(answer, &fields[TRACE_SCOPE], "t");
    gpucode_answer_real(answer, &fields[TRACE_START], (double)event->start * scale);
    if (event->end > event->start)
        gpucode_answer_real(answer, &fields[TRACE_LENGTH], (double)(event->end - event->start) * scale);
    gpucode_answer_number(answer, &fields[TRACE_PROCESS], 1);
    gpucode_answer_number(answer, &fields[TRACE_THREAD], lane);
    gpucode_answer_begin(answer, &fields[TRACE_ARGUMENTS]);
    gpucode_answer_format(answer, &fields[TRACE_ID], "%s:%llu", event->lane, (unsigned long long)event->number);
    gpucode_answer_text(answer, &fields[TRACE_DETAIL], event->detail);
    gpucode_answer_text(answer, &fields[TRACE_MARK], marks[event->mark]);
    put_place(answer, event, TRACE_ADDRESS);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

static void keep(struct gpucode_time_line *line, const struct gpucode_time_line_event *event)
{
    unsigned lane = lane_of(line, event->lane);
    if (lane == TIME_LINE_LANES || line->failed)
        return;
    if (line->count == line->room) {
        size_t room = line->room ? 2 * line->room : 1024;
        struct time_line_kept *kept = realloc(line->kept, room * sizeof *kept);
        line->failed = !kept;
        if (!kept)
            return;
        line->kept = kept;
        line->room = room;
    }
    const char *name = arena_copy(&line->arena, event->name, strlen(event->name));
    line->failed = !name;
    line->kept[line->count++] = (struct time_line_kept){
        .start = event->start,
        .end = event->end,
        .number = event->number,
        .draw = event->draw,
        .name = name,
        .level = (uint16_t)(event->level < UINT16_MAX ? event->level : UINT16_MAX),
        .lane = (uint8_t)lane,
        .mark = (uint8_t)event->mark,
        .has_draw = event->has & GPUCODE_TIME_LINE_HAS_DRAW,
    };
}

struct gpucode_time_line *gpucode_time_line_begin(struct gpucode_answer *answer,
                                                  const struct gpucode_time_line_options *options)
{
    struct gpucode_time_line *line = options && options->unit ? calloc(1, sizeof *line) : NULL;
    char unit[96], text[256];
    if (!line)
        return NULL;
    line->answer = answer;
    line->options = *options;
    for (size_t i = 0; i < options->lane_count; i++)
        lane_of(line, options->lanes[i]);
    put_unit(options, unit, sizeof unit);
    if (options->form == GPUCODE_TIME_LINE_RECORDS) {
        gpucode_answer_begin(answer, &fields[LINE]);
        gpucode_answer_text(answer, &fields[LINE_UNIT], options->unit);
        if (options->nanoseconds > 0)
            gpucode_answer_real(answer, &fields[LINE_NANOSECONDS], options->nanoseconds);
        else
            gpucode_answer_flag(answer, &fields[LINE_ORDER], true);
        gpucode_answer_begin(answer, &fields[LINE_LANES]);
        for (unsigned i = 0; i < line->lane_count; i++)
            gpucode_answer_text(answer, &fields[LINE_LANE], line->lanes[i]);
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
    } else if (options->form == GPUCODE_TIME_LINE_TRACE) {
        gpucode_answer_begin(answer, &fields[TRACE]);
        gpucode_answer_text(answer, &fields[TRACE_UNIT], "ns");
        gpucode_answer_begin(answer, &fields[TRACE_EVENTS]);
        snprintf(text, sizeof text, "%.120s: %s%s", options->title ? options->title : "gpucode", unit,
                 options->nanoseconds > 0 ? "" : "; a microsecond is one of them");
        put_name(answer, "process_name", 0, text);
        for (unsigned i = 0; i < line->lane_count; i++)
            put_lane(answer, line->lanes[i], i + 1);
    }
    return line;
}

void gpucode_time_line_put(struct gpucode_time_line *line, const struct gpucode_time_line_event *event)
{
    if (!line)
        return;
    if (line->options.form == GPUCODE_TIME_LINE_RECORDS)
        put_record(line->answer, event);
    else if (line->options.form == GPUCODE_TIME_LINE_TRACE)
        put_trace(line, event);
    else
        keep(line, event);
}

enum gpucode_status gpucode_time_line_end(struct gpucode_time_line *line)
{
    struct buffer out = {0};
    char unit[96];
    if (!line)
        return GPUCODE_ERROR_MEMORY;
    struct gpucode_answer *answer = line->answer;
    if (line->options.form == GPUCODE_TIME_LINE_TRACE) {
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
    } else if (line->options.form == GPUCODE_TIME_LINE_PICTURE && !line->failed) {
        put_unit(&line->options, unit, sizeof unit);
        time_line_draw(line, unit, &out);
        line->failed = out.failed;
        if (!line->failed)
            gpucode_answer_bytes(answer, &fields[PICTURE], out.bytes, out.length);
    }
    if (line->failed)
        gpucode_answer_fail(answer, GPUCODE_ERROR_MEMORY);
    buffer_free(&out);
    arena_free(&line->arena);
    free(line->kept);
    free(line);
    return gpucode_answer_status(answer);
}
