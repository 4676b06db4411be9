/* SPDX-License-Identifier: MIT */
/*
 * A picture of a HWSQ script. Above, a strip in true time: waits, event waits and the pause of memory. Below, one
 * column per action in order, so that writes at one moment can be told apart: waits, events, flags as lanes, writes by
 * name. The root says where they stand (data-left and so on), for viewers in which one moves through time.
 */
#include "kit/hwsq/kit.h"

#include "front/input.h"
#include "front/output.h"
#include "front/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN 17
#define LEFT 150
#define RIGHT 40
#define STRIP_TOP 56
#define STRIP_HEIGHT 34
#define LANES_TOP 150
#define LANE 24
#define LABELS 330 /* room for the names of written registers */
#define WIDTH_LEAST 760
#define FB_PAUSE 16

#define PAUSE_COLOR "#f6c7c0"
#define WAIT_COLOR "#7a9cc6"
#define EVENT_COLOR "#d9a441"
#define WRITE_COLOR "#3f7d4e"
#define FLAG_COLOR "#6b5b95"

struct plot {
    FILE *out;
    const struct input *input;
    const struct actions *actions;
    double clock_ns;
    double width, height;
    unsigned lanes;       /* of flags */
    uint32_t lane_of[32]; /* lane + 1 of each flag; 0: unused */
    uint64_t total;
};

/* Text without control characters, which XML does not have. */
static void put_words(FILE *out, const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= ' ')
            markup_put(out, *text);
}

static void draw_text(const struct plot *plot, double x, double y, const char *style, const char *text)
{
    fprintf(plot->out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    put_words(plot->out, text);
    fputs("</text>\n", plot->out);
}

static void draw_box(const struct plot *plot, double x, double y, double width, double height, const char *color,
                     const char *title)
{
    fprintf(plot->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>", x, y, width,
            height, color);
    put_words(plot->out, title);
    fputs("</title></rect>\n", plot->out);
}

static double us(const struct plot *plot, uint64_t clocks)
{
    return (double)clocks * plot->clock_ns / 1000;
}

static double column_x(size_t index)
{
    return LEFT + (double)index * COLUMN;
}

/* "1.5 ms" */
static void duration(const struct plot *plot, uint64_t clocks, char *text, size_t size)
{
    double time = us(plot, clocks);
    if (time >= 1e6)
        snprintf(text, size, "%.3g s", time / 1e6);
    else if (time >= 1e4)
        snprintf(text, size, "%.3g ms", time / 1e3);
    else
        snprintf(text, size, "%.4g us", time);
}

/* --- the strip in true time -------------------------------------------------------------------------------- */

static double strip_x(const struct plot *plot, uint64_t time)
{
    double width = plot->width - LEFT - RIGHT;
    return LEFT + (plot->total ? width * (double)time / (double)plot->total : 0);
}

static uint64_t end_of(const struct plot *plot, const struct action *action)
{
    return action->end == UINT64_MAX || action->end > plot->total ? plot->total : action->end;
}

static void draw_pauses_strip(const struct plot *plot)
{
    uint64_t begin = UINT64_MAX;
    for (size_t i = 0; i <= plot->actions->count; i++) {
        const struct action *action = i < plot->actions->count ? &plot->actions->items[i] : NULL;
        bool flag = action && action->kind == ACTION_FLAG && action->number == FB_PAUSE;
        if (begin == UINT64_MAX && flag && action->value == 3)
            begin = action->time;
        else if (begin != UINT64_MAX && (!action || (flag && action->value != 3))) {
            uint64_t end = action ? action->time : plot->total;
            char title[96], text[40];
            duration(plot, end - begin, text, sizeof text);
            snprintf(title, sizeof title, "memory paused for %s", text);
            double x = strip_x(plot, begin), width = strip_x(plot, end) - x;
            draw_box(plot, x, STRIP_TOP - 12, width < 1.5 ? 1.5 : width, STRIP_HEIGHT + 24, PAUSE_COLOR, title);
            begin = UINT64_MAX;
        }
    }
}

static void draw_strip(const struct plot *plot)
{
    char text[96];
    draw_text(plot, 12, STRIP_TOP + 21, "", "true time");
    draw_pauses_strip(plot);
    for (size_t i = 0; i < plot->actions->count; i++) {
        const struct action *action = &plot->actions->items[i];
        if (action->kind == ACTION_WRITE) {
            action_named(plot->input, action, text, sizeof text);
            draw_box(plot, strip_x(plot, action->time) - 0.5, STRIP_TOP - 6, 1, STRIP_HEIGHT + 12, WRITE_COLOR, text);
        } else if ((action->kind == ACTION_WAIT || action->kind == ACTION_EWAIT) &&
                   end_of(plot, action) > action->time) {
            double x = strip_x(plot, action->time);
            action_named(plot->input, action, text, sizeof text);
            draw_box(plot, x, STRIP_TOP + 6, strip_x(plot, end_of(plot, action)) - x, STRIP_HEIGHT - 12,
                     action->kind == ACTION_WAIT ? WAIT_COLOR : EVENT_COLOR, text);
        }
    }
    for (unsigned tick = 0; tick <= 4; tick++) {
        duration(plot, plot->total / 4 * tick + plot->total % 4 * tick / 4, text, sizeof text);
        double x = strip_x(plot, plot->total / 4 * tick + plot->total % 4 * tick / 4);
        fprintf(plot->out, "<path d=\"M%.1f %dv6\" stroke=\"#888\"/>\n", x, STRIP_TOP + STRIP_HEIGHT + 12);
        draw_text(plot, x, STRIP_TOP + STRIP_HEIGHT + 30, "text-anchor=\"middle\" fill=\"#555\"", text);
        if (!plot->total)
            break;
    }
}

/* --- columns -------------------------------------------------------------------------------------------------- */

static double lane_y(unsigned lane)
{
    return LANES_TOP + (double)lane * LANE;
}

static void draw_lane_names(const struct plot *plot)
{
    char name[GPUCODE_NAME_MAX];
    double right = column_x(plot->actions->count);
    draw_text(plot, 12, lane_y(0) + 16, "", "waits");
    draw_text(plot, 12, lane_y(1) + 16, "", "events");
    for (uint32_t flag = 0; flag < 32; flag++) {
        if (!plot->lane_of[flag])
            continue;
        if (!gpucode_name_of(plot->input->target, input_names(plot->input), GPUCODE_SPACE_FLAG, flag, name,
                             sizeof name))
            snprintf(name, sizeof name, "flag %" PRIu32, flag);
        draw_text(plot, 12, lane_y(1 + plot->lane_of[flag]) + 16, "", name);
    }
    draw_text(plot, 12, lane_y(plot->lanes + 2) + 16, "", "writes");
    for (unsigned lane = 0; lane <= plot->lanes + 3; lane++)
        fprintf(plot->out, "<path d=\"M12 %.1fH%.1f\" stroke=\"#e4e4e4\"/>\n", lane_y(lane), right);
}

/* The time during which memory is paused, behind all columns. */
static void draw_pause_columns(const struct plot *plot)
{
    size_t begin = SIZE_MAX;
    for (size_t i = 0; i <= plot->actions->count; i++) {
        const struct action *action = i < plot->actions->count ? &plot->actions->items[i] : NULL;
        bool flag = action && action->kind == ACTION_FLAG && action->number == FB_PAUSE;
        if (begin == SIZE_MAX && flag && action->value == 3) {
            begin = i;
        } else if (begin != SIZE_MAX && (!action || (flag && action->value != 3))) {
            draw_box(plot, column_x(begin), LANES_TOP, column_x(i) - column_x(begin),
                     lane_y(plot->lanes + 3) - LANES_TOP, PAUSE_COLOR, "memory paused");
            begin = SIZE_MAX;
        }
    }
}

static void draw_flag(const struct plot *plot, size_t index)
{
    const struct action *action = &plot->actions->items[index];
    double x = column_x(index), y = lane_y(1 + plot->lane_of[action->number]);
    size_t last = index + 1;
    while (last < plot->actions->count &&
           !(plot->actions->items[last].kind == ACTION_FLAG && plot->actions->items[last].number == action->number))
        last++;
    char text[96];
    action_named(plot->input, action, text, sizeof text);
    if (action->value == 3)
        draw_box(plot, x, y + 3, column_x(last) - x, LANE - 6, FLAG_COLOR, text);
    else if (action->value == 2)
        fprintf(plot->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"#fff\" stroke=\"%s\"/>\n",
                x + 0.5, y + LANE - 9.5, column_x(last) - x - 1, 6, FLAG_COLOR);
    draw_text(plot, x + 3, y + 16, action->value == 3 ? "fill=\"#fff\"" : "fill=\"#6b5b95\"",
              action->value == 3   ? "1"
              : action->value == 2 ? "0"
                                   : "-");
}

static void draw_column(const struct plot *plot, size_t index)
{
    const struct action *action = &plot->actions->items[index];
    double x = column_x(index), middle = x + COLUMN / 2.0, bottom = lane_y(plot->lanes + 3);
    char text[256], style[128];
    action_named(plot->input, action, text, sizeof text);
    const char *color = "#333";
    switch (action->kind) {
    case ACTION_WAIT:
        color = WAIT_COLOR;
        draw_box(plot, x + 1, lane_y(0) + 3, COLUMN - 2, LANE - 6, color, text);
        break;
    case ACTION_EWAIT:
        color = EVENT_COLOR;
        draw_box(plot, x + 1, lane_y(1) + 3, COLUMN - 2, LANE - 6, color, text);
        break;
    case ACTION_FLAG:
        color = FLAG_COLOR;
        draw_flag(plot, index);
        break;
    case ACTION_WRITE:
        color = WRITE_COLOR;
        draw_box(plot, middle - 2, lane_y(plot->lanes + 2) + 3, 4, LANE - 6, color, text);
        break;
    default:
        color = "#a33";
        break;
    }
    snprintf(style, sizeof style, "transform=\"rotate(60 %.1f %.1f)\" fill=\"%s\" font-size=\"11\"", middle - 3,
             bottom + 12,
             action->kind == ACTION_WAIT    ? "#44658f"
             : action->kind == ACTION_EWAIT ? "#8a6414"
                                            : color);
    draw_text(plot, middle - 3, bottom + 12, style, text);
}

/* A time above the columns wherever it has moved on. */
static void draw_column_times(const struct plot *plot)
{
    uint64_t shown = UINT64_MAX;
    double free_from = 0;
    char text[40];
    for (size_t i = 0; i < plot->actions->count; i++) {
        uint64_t time = plot->actions->items[i].time;
        if (time == shown)
            continue;
        double x = column_x(i);
        fprintf(plot->out, "<path d=\"M%.1f %dV%.1f\" stroke=\"#bbb\" stroke-dasharray=\"2 3\"/>\n", x, LANES_TOP - 4,
                lane_y(plot->lanes + 3));
        shown = time;
        if (x < free_from)
            continue;
        duration(plot, time, text, sizeof text);
        draw_text(plot, x, LANES_TOP - 8, "fill=\"#555\" font-size=\"10\"", text);
        free_from = x + 6.5 * (double)strlen(text);
    }
}

static void draw_legend(const struct plot *plot)
{
    static const struct {
        const char *color, *text;
    } entries[] = {{PAUSE_COLOR, "memory paused"},
                   {WAIT_COLOR, "wait"},
                   {EVENT_COLOR, "event wait"},
                   {WRITE_COLOR, "register write"},
                   {FLAG_COLOR, "flag forced to 1"}};
    double x = LEFT;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        draw_box(plot, x, 12, 12, 12, entries[i].color, entries[i].text);
        draw_text(plot, x + 17, 22, "", entries[i].text);
        x += 34 + 6.6 * (double)strlen(entries[i].text);
    }
}

static void find_lanes(struct plot *plot)
{
    for (size_t i = 0; i < plot->actions->count; i++) {
        const struct action *action = &plot->actions->items[i];
        if (action->kind == ACTION_FLAG && action->number < 32 && !plot->lane_of[action->number])
            plot->lane_of[action->number] = ++plot->lanes;
    }
}

bool plot_actions(const struct input *input, const struct actions *actions, double clock_ns, char **text,
                  size_t *length)
{
    struct plot plot = {.input = input, .actions = actions, .clock_ns = clock_ns, .total = actions->stop.time};
    plot.out = text_stream_open(text, length);
    if (!plot.out)
        return false;
    find_lanes(&plot);
    plot.width = column_x(actions->count) + 190;
    if (plot.width < WIDTH_LEAST)
        plot.width = WIDTH_LEAST;
    plot.height = lane_y(plot.lanes + 3) + LABELS;
    fprintf(plot.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"DejaVu Sans, sans-serif\" font-size=\"12\" data-clocks=\"%" PRIu64
            "\" data-clock-ns=\"%g\" data-left=\"%d\" "
            "data-strip-width=\"%.0f\" data-column-width=\"%d\" data-columns-top=\"%d\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            plot.width, plot.height, plot.width, plot.height, plot.total, clock_ns, LEFT, plot.width - LEFT - RIGHT,
            COLUMN, LANES_TOP);
    draw_text(&plot, 12, 22, "font-weight=\"bold\"", gpucode_target_name(input->target));
    draw_legend(&plot);
    draw_strip(&plot);
    draw_pause_columns(&plot);
    draw_lane_names(&plot);
    draw_column_times(&plot);
    for (size_t i = 0; i < actions->count; i++)
        draw_column(&plot, i);
    fputs("</svg>\n", plot.out);
    return text_stream_close(plot.out);
}
