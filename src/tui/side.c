/* SPDX-License-Identifier: MIT */
/* What wide screens have room for: the source with its comments, and the calls that have not returned. */
#include "tui/screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void draw_side_line(int row, int column, int width, const char *text)
{
    draw_text(row, column, 2, "| ");
    draw_text(row, column + 2, width - 2, text);
}

/* Reads the next line without its end. False: there is none. */
static bool read_source_line(FILE *in, char *text, size_t size)
{
    if (!fgets(text, (int)size, in))
        return false;
    size_t length = strcspn(text, "\n");
    if (!text[length]) /* longer than there is room for */
        for (int c = 0; c != '\n' && c != EOF;)
            c = getc(in);
    text[length] = 0;
    return true;
}

/* The source around the present place; false: it is not known, or cannot be read. */
static bool draw_source(const struct screen *screen, int top, int left, int height, int width)
{
    unsigned processor = gpucode_debug_processor(screen->debug);
    struct gpucode_place place;
    if (!gpucode_debug_place(screen->debug, gpucode_machine_section(screen->machine, processor),
                             gpucode_machine_pc(screen->machine, processor), &place))
        return false;
    FILE *in = fopen(place.file, "r");
    if (!in)
        return false;
    unsigned above = (unsigned)height / 3, first = place.line > above ? place.line - above : 1, number = 1;
    char text[512], line[544];
    int row = 0;
    for (; row < height && read_source_line(in, text, sizeof text); number++) {
        if (number < first)
            continue;
        bool here = number == place.line;
        snprintf(line, sizeof line, "%s%5u  %s", here ? "=>" : "  ", number, text);
        if (here)
            attron(A_BOLD);
        draw_side_line(top + row++, left, width, line);
        attroff(A_BOLD);
    }
    fclose(in);
    for (; row < height; row++)
        draw_side_line(top + row, left, width, "");
    return true;
}

static void draw_calls(const struct screen *screen, int top, int left, int height, int width)
{
    unsigned processor = gpucode_debug_processor(screen->debug);
    unsigned section = gpucode_machine_section(screen->machine, processor);
    struct gpucode_frame frame = {.pc = gpucode_machine_pc(screen->machine, processor)};
    bool more = true;
    for (int row = 0; row < height; row++) {
        char line[GPUCODE_NAME_MAX + 96] = "", label[GPUCODE_NAME_MAX];
        if (more) {
            gpucode_debug_label(screen->debug, section, frame.pc, label, sizeof label);
            snprintf(line, sizeof line, "#%-2d %04" PRIx64 "  %s%s", row, frame.pc, label,
                     frame.link ? "  (may be old)" : "");
        }
        draw_side_line(top + row, left, width, line);
        more = more && gpucode_machine_frame(screen->machine, processor, (unsigned)row, &frame);
    }
}

void draw_side(const struct screen *screen, int top, int left, int height, int width)
{
    const struct gpucode_target *target = gpucode_image_info(gpucode_debug_image(screen->debug))->target;
    int calls = gpucode_target_facts(target)->calls ? height / 4 : 0;
    if (!draw_source(screen, top, left, height - calls, width))
        for (int row = 0; row < height - calls; row++)
            draw_side_line(top + row, left, width, row ? "" : "(no source)");
    draw_calls(screen, top + height - calls, left, calls, width);
}
