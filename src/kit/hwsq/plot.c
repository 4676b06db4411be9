/* SPDX-License-Identifier: MIT */
/*
 * A picture of a HWSQ script. Above, a strip in true time: waits, event waits and the pause of memory; what is so long
 * that nothing else could be seen beside it is broken, and as wide as its mark. Below, one column per action in order,
 * so that writes at one moment can be told apart: waits, events, flags as lanes, writes by name. Times are those since
 * the time before. The root says where all stands (data-left and so on), for viewers in which one moves through time.
 */
#include "kit/hwsq/kit.h"

#include "front/input.h"
#include "front/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN 17
#define LEFT 150
#define RIGHT 40
#define STRIP_TOP 56
#define STRIP_HEIGHT 34
#define LANES_TOP 166
#define LANE 24
#define LABELS 330 /* room for the names of written registers */
#define WIDTH_LEAST 760
#define BREAKS_MAX 32
#define BREAK_WIDTH 54
#define BREAK_FACTOR 8 /* a time that is longer than so many times all that is not broken is broken */

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
    struct {
        uint64_t from, to;
    } breaks[BREAKS_MAX]; /* of the strip, in order */
    unsigned break_count;
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

/* "1.5 ms"; in the larger unit from where rounding would reach it, and never with an exponent. */
static void duration(const struct plot *plot, uint64_t clocks, char *text, size_t size)
{
    double time = us(plot, clocks);
    if (time >= 999.5e6)
        snprintf(text, size, "%.0f s", time / 1e6);
    else if (time >= 999.5e3)
        snprintf(text, size, "%.3g s", time / 1e6);
    else if (time >= 9999.5)
        snprintf(text, size, "%.3g ms", time / 1e3);
    else
        snprintf(text, size, "%.4g us", time);
}

/* --- the strip in true time -------------------------------------------------------------------------------- */

/* The time of the action after `time`, or the end. *at moves on to that action. */
static uint64_t next_time(const struct plot *plot, uint64_t time, size_t *at)
{
    while (*at < plot->actions->count && plot->actions->items[*at].time <= time)
        ++*at;
    return *at < plot->actions->count && plot->actions->items[*at].time < plot->total ? plot->actions->items[*at].time
                                                                                      : plot->total;
}

/* The longest time between two actions that is not broken yet. */
static uint64_t longest_gap(const struct plot *plot, uint64_t *begin)
{
    uint64_t longest = 0;
    size_t at = 0;
    for (uint64_t time = 0, next; time < plot->total; time = next) {
        next = next_time(plot, time, &at);
        bool broken = false;
        for (unsigned i = 0; i < plot->break_count; i++)
            broken |= plot->breaks[i].from == time;
        if (!broken && next - time > longest) {
            longest = next - time;
            *begin = time;
        }
    }
    return longest;
}

/* Breaks the longest times as long as each is much longer than all that is left together. */
static void find_breaks(struct plot *plot)
{
    uint64_t left = plot->total, begin = 0, gap;
    while (plot->break_count < BREAKS_MAX && (gap = longest_gap(plot, &begin)) != 0 && gap < left &&
           gap / BREAK_FACTOR > left - gap) {
        unsigned i = plot->break_count++;
        for (; i && plot->breaks[i - 1].from > begin; i--)
            plot->breaks[i] = plot->breaks[i - 1];
        plot->breaks[i].from = begin;
        plot->breaks[i].to = begin + gap;
        left -= gap;
    }
}

/* Clocks from the start to `time` that are not broken; *width: what those that are broken take. */
static uint64_t whole_clocks(const struct plot *plot, uint64_t time, double *width)
{
    uint64_t whole = time;
    *width = 0;
    for (unsigned i = 0; i < plot->break_count && plot->breaks[i].from < time; i++) {
        uint64_t length = plot->breaks[i].to - plot->breaks[i].from;
        uint64_t part = time < plot->breaks[i].to ? time - plot->breaks[i].from : length;
        whole -= part;
        *width += BREAK_WIDTH * (double)part / (double)length;
    }
    return whole;
}

static double strip_x(const struct plot *plot, uint64_t time)
{
    double all_broken, broken;
    uint64_t all = whole_clocks(plot, plot->total, &all_broken), clocks = whole_clocks(plot, time, &broken);
    double width = plot->width - LEFT - RIGHT - all_broken;
    return LEFT + broken + (all ? width * (double)clocks / (double)all : 0);
}

static uint64_t end_of(const struct plot *plot, const struct action *action)
{
    return action->end == UINT64_MAX || action->end > plot->total ? plot->total : action->end;
}

static void draw_pauses_strip(const struct plot *plot)
{
    uint64_t begin = plot->actions->paused_before ? 0 : UINT64_MAX;
    for (size_t i = 0; i <= plot->actions->count; i++) {
        const struct action *action = i < plot->actions->count ? &plot->actions->items[i] : NULL;
        bool paused = action && action->paused;
        if (begin == UINT64_MAX && paused)
            begin = action->time;
        else if (begin != UINT64_MAX && !paused) {
            uint64_t end = action ? action->time : plot->total;
            char title[96], text[40];
            duration(plot, end - begin, text, sizeof text);
            snprintf(title, sizeof title, "memory paused for %s", text);
            double x = strip_x(plot, begin), width = strip_x(plot, end) - x;
            draw_box(plot, x, STRIP_TOP - 12, width < 1.5 ? 1.5 : width, STRIP_HEIGHT + 24, PAUSE_COLOR, title);
            draw_text(plot, x, STRIP_TOP - 16, "fill=\"#a0483c\" font-size=\"11\"", text);
            begin = UINT64_MAX;
        }
    }
}

/* How long it is from each time at which something happens to the next, where there is room for it. */
static void draw_strip_times(const struct plot *plot)
{
    const double y = STRIP_TOP + STRIP_HEIGHT + 12;
    char text[40];
    size_t at = 0;
    for (uint64_t time = 0, next; time < plot->total; time = next) {
        next = next_time(plot, time, &at);
        double x = strip_x(plot, time), end = strip_x(plot, next);
        fprintf(plot->out, "<path d=\"M%.1f %.1fv6M%.1f %.1fv6\" stroke=\"#888\"/>\n", x, y, end, y);
        duration(plot, next - time, text, sizeof text);
        if (end - x > 6.6 * (double)strlen(text))
            draw_text(plot, (x + end) / 2, y + 16, "text-anchor=\"middle\" fill=\"#555\" font-size=\"11\"", text);
    }
    for (unsigned i = 0; i < plot->break_count; i++) {
        double middle = (strip_x(plot, plot->breaks[i].from) + strip_x(plot, plot->breaks[i].to)) / 2;
        fprintf(plot->out,
                "<path d=\"M%.1f %dl6 %d\" stroke=\"#fff\" stroke-width=\"7\"/>\n"
                "<path d=\"M%.1f %dl6 %dM%.1f %dl6 %d\" stroke=\"#555\"/>\n",
                middle - 3, STRIP_TOP - 12, STRIP_HEIGHT + 24, middle - 6.5, STRIP_TOP - 12, STRIP_HEIGHT + 24,
                middle + 0.5, STRIP_TOP - 12, STRIP_HEIGHT + 24);
    }
    duration(plot, plot->total, text, sizeof text);
    char sum[64];
    snprintf(sum, sizeof sum, "%s in all", text);
    draw_text(plot, strip_x(plot, plot->total), y + 32, "text-anchor=\"end\" fill=\"#333\"", sum);
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
    draw_strip_times(plot);
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

/* The time during which memory is paused, after all columns. */
static void draw_pause_columns(const struct plot *plot)
{
    size_t begin = plot->actions->paused_before ? 0 : SIZE_MAX;
    for (size_t i = 0; i <= plot->actions->count; i++) {
        bool paused = i < plot->actions->count && plot->actions->items[i].paused;
        if (begin == SIZE_MAX && paused) {
            begin = i;
        } else if (begin != SIZE_MAX && !paused) {
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

/* Above the columns, wherever time has moved on, by how much. */
static void draw_column_times(const struct plot *plot)
{
    uint64_t shown = 0;
    double free_from[2] = {0};
    char text[40];
    for (size_t i = 0; i < plot->actions->count; i++) {
        uint64_t time = plot->actions->items[i].time;
        if (time == shown)
            continue;
        double x = column_x(i);
        fprintf(plot->out, "<path d=\"M%.1f %dV%.1f\" stroke=\"#bbb\" stroke-dasharray=\"2 3\"/>\n", x, LANES_TOP - 4,
                lane_y(plot->lanes + 3));
        *text = '+';
        duration(plot, time - shown, text + 1, sizeof text - 1);
        shown = time;
        unsigned row = x < free_from[0]; /* two rows, so that each has room */
        if (x < free_from[row])
            continue;
        draw_text(plot, x, LANES_TOP - 8 - 12.0 * row, "fill=\"#555\" font-size=\"10\"", text);
        free_from[row] = x + 6.5 * (double)strlen(text);
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
    find_breaks(&plot);
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
