/* SPDX-License-Identifier: MIT */
/*
 * The picture of a time line: a row for each lane and level. Events that are narrower than can be seen are drawn
 * together with those beside them, so that the picture of a million events is as large as that of a thousand.
 */
#include "answer/time_line.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEFT 90
#define WIDTH 1000
#define ROW 18
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
                  ROW - 3,
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
        buffer_format(out, "<text x=\"%.1f\" y=\"%d\" fill=\"#fff\">", from + 3, y + ROW - 7);
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

void time_line_draw(struct gpucode_time_line *line, const char *unit, struct buffer *out)
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
        unit, LEFT + WIDTH + 10, HEAD + (int)rows * ROW + 4, LEFT, total);
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
            buffer_format(out, "<text x=\"0\" y=\"%d\">", y + ROW - 7);
            put_text(out, line->lanes[first->lane]);
            buffer_text(out, "</text>\n");
        }
        put_row(out, first, next - i, WIDTH / (double)total, y);
        y += ROW;
    }
    buffer_text(out, "</svg>");
}
