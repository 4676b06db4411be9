/* SPDX-License-Identifier: MIT */
/* The parts of the screen. */
#include "tui/screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A line cut or filled to the width. */
static void draw_text(int row, int column, int width, const char *text)
{
    if (width > 0)
        mvprintw(row, column, "%-*.*s", width, width, text);
}

/* Tabs in instruction text separate its comment; on the screen they are blanks. */
static void replace_tabs(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            *text = ' ';
}

static bool has_breakpoint(struct screen *screen, unsigned section, uint64_t pc)
{
    struct gpucode_breakpoint breakpoint;
    for (unsigned i = 0; gpucode_debug_breakpoint_at(screen->debug, i, &breakpoint); i++)
        if (breakpoint.kind == GPUCODE_BREAKPOINT_CODE && !breakpoint.disabled && breakpoint.section == section &&
            breakpoint.address == pc)
            return true;
    return false;
}

bool has_breakpoint_here(struct screen *screen)
{
    unsigned processor = gpucode_debug_processor(screen->debug);
    return has_breakpoint(screen, gpucode_machine_section(screen->machine, processor),
                          gpucode_machine_pc(screen->machine, processor));
}

/* Where the listing begins so that the present place is in its upper third. */
static uint64_t first_line(struct screen *screen, unsigned section, uint64_t pc, int height)
{
    int64_t before = height / 3 - screen->scroll;
    unsigned unit = gpucode_target_unit_bytes(gpucode_image_info(gpucode_debug_image(screen->debug))->target);
    char text[GPUCODE_TEXT_MAX];
    if (unit > 1)
        return before > (int64_t)pc ? 0 : pc - (uint64_t)before;
    /* instructions of several lengths: count those in front of the place */
    int64_t count = 0;
    unsigned units;
    for (uint64_t at = 0; at < pc && (units = gpucode_debug_text(screen->debug, section, at, text, sizeof text));
         at += units)
        count++;
    uint64_t at = 0;
    for (int64_t skip = count - before;
         skip > 0 && (units = gpucode_debug_text(screen->debug, section, at, text, sizeof text)); skip--)
        at += units;
    return at;
}

#define SLOT_WIDTH 12 /* of "[delay slot]" */

/* How wide the column of labels may become: all of a label where there is room. */
static int most_label_width(int width)
{
    return width < 70 ? 12 : width / 3;
}

/* The label of a line, not that of a line before it. */
static void own_label(struct screen *screen, unsigned section, uint64_t at, char label[GPUCODE_NAME_MAX])
{
    gpucode_debug_label(screen->debug, section, at, label, GPUCODE_NAME_MAX);
    if (strchr(label, '+'))
        label[0] = 0;
}

/* How wide the column of labels must be for the lines to be shown. */
static int label_width(struct screen *screen, unsigned section, uint64_t at, int height, bool slot, int most)
{
    char text[GPUCODE_TEXT_MAX], label[GPUCODE_NAME_MAX];
    const struct gpucode_target *target = gpucode_image_info(gpucode_debug_image(screen->debug))->target;
    /* delay slots are marked there; the column must not jump with each of them */
    int width = slot || gpucode_target_facts(target)->delay_slots ? SLOT_WIDTH : 0;
    unsigned units = 1;
    for (int row = 0; row < height && units && width < most; row++, at += units) {
        units = gpucode_debug_text(screen->debug, section, at, text, sizeof text);
        own_label(screen, section, at, label);
        int length = (int)strlen(label);
        width = length > width ? length : width;
    }
    return width < most ? width : most;
}

/* The line below the listing: what is known of the present place, which narrow screens have no room for beside it. */
static void draw_known(struct screen *screen, int row, int left, int width)
{
    unsigned processor = gpucode_debug_processor(screen->debug);
    unsigned section = gpucode_machine_section(screen->machine, processor);
    uint64_t pc = gpucode_machine_pc(screen->machine, processor);
    char packets[GPUCODE_NOTE_MAX], note[GPUCODE_NOTE_MAX], line[2 * GPUCODE_NOTE_MAX + 16];
    bool reached = console_packets(screen->console, section, pc, packets);
    console_note(screen->console, section, pc, note);
    snprintf(line, sizeof line, "%s%s%s%s%s", reached || *note ? "; " : "", note, reached && *note ? ", " : "",
             reached ? "from " : "", packets);
    attron(A_DIM);
    draw_text(row, left, width, line);
    attroff(A_DIM);
}

void draw_listing(struct screen *screen, int top, int left, int height, int width)
{
    if (console_knows(screen->console))
        draw_known(screen, top + --height, left, width);
    unsigned processor = gpucode_debug_processor(screen->debug), units = 1;
    unsigned section = gpucode_machine_section(screen->machine, processor);
    uint64_t pc = gpucode_machine_pc(screen->machine, processor), target = 0;
    bool pending = gpucode_machine_pending(screen->machine, processor, &target);
    uint64_t at = first_line(screen, section, pc, height);
    int labels = label_width(screen, section, at, height, pending, most_label_width(width));
    for (int row = 0; row < height; row++, at += units) {
        char text[CONSOLE_NOTED_MAX], label[GPUCODE_NAME_MAX], line[CONSOLE_NOTED_MAX + GPUCODE_NAME_MAX + 64];
        units = gpucode_debug_text(screen->debug, section, at, text, GPUCODE_TEXT_MAX);
        if (!units) {
            draw_text(top + row, left, width, "");
            units = 1;
            continue;
        }
        console_add_note(screen->console, section, at, text);
        replace_tabs(text);
        own_label(screen, section, at, label);
        bool here = at == pc;
        snprintf(line, sizeof line, "%c%s %04" PRIx64 " %-*.*s%s%s", has_breakpoint(screen, section, at) ? '*' : ' ',
                 here                      ? "=>"
                 : pending && at == target ? "->"
                                           : "  ",
                 at, labels, labels, here && pending ? "[delay slot]" : label, labels ? " " : "", text);
        if (here)
            attron(A_REVERSE | COLOR_PAIR(COLOR_HERE));
        draw_text(top + row, left, width, line);
        attroff(A_REVERSE | COLOR_PAIR(COLOR_HERE));
    }
}

static void format_register_value(const struct screen *screen, const struct shown_register *shown, char *text,
                                  size_t size)
{
    float value;
    memcpy(&value, &shown->now, sizeof value);
    if (shown->space == GPUCODE_SPACE_FLAG)
        snprintf(text, size, "%u%s", (unsigned)shown->now & 1, shown->now & 2 ? " driven" : "");
    else if (shown->space == GPUCODE_SPACE_EVENT)
        snprintf(text, size, "%u", (unsigned)shown->now);
    else if (screen->floats && shown->space == GPUCODE_SPACE_GENERAL && shown->now & 0x7f800000)
        snprintf(text, size, "%08x  %.6g", (unsigned)shown->now, (double)value);
    else
        snprintf(text, size, "%08x", (unsigned)shown->now);
}

void draw_registers(struct screen *screen, int top, int left, int height, int width)
{
    int names = SHORT_NAME, row = 0, column = 0, room = 16;
    for (unsigned i = 0; i < screen->register_count; i++) {
        int length = (int)strlen(screen->registers[i].name);
        names = length > names ? length : names;
    }
    if (names > SHORT_NAME || screen->floats)
        room = names + 11 > 24 ? names + 11 : 24;
    for (int i = 0; i < height; i++)
        draw_text(top + i, left, width, "");
    for (unsigned i = 0; i < screen->register_count && column + room <= width; i++) {
        const struct shown_register *shown = &screen->registers[i];
        char line[96], value[48];
        bool changed = shown->before != shown->now;
        if (!shown->always && !shown->now && !changed)
            continue;
        format_register_value(screen, shown, value, sizeof value);
        snprintf(line, sizeof line, "%-*s%c%s", names, shown->name, changed ? '*' : ' ', value);
        if (changed)
            attron(A_BOLD | COLOR_PAIR(COLOR_CHANGED));
        draw_text(top + row, left + column, room - 1, line);
        attroff(A_BOLD | COLOR_PAIR(COLOR_CHANGED));
        if (++row == height) {
            row = 0;
            column += room;
        }
    }
}

/* The bar: the position in what is recorded, and what the instruction set says of the processor. */
void draw_timeline(struct screen *screen, int row, int width)
{
    uint64_t position = gpucode_debug_position(screen->debug), end = gpucode_debug_end(screen->debug);
    unsigned processor = gpucode_debug_processor(screen->debug);
    char line[512], status[128], bar[21];
    int filled = end ? (int)((double)position * 20.0 / (double)end) : 20;
    for (int i = 0; i < 20; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[20] = 0;
    int length = snprintf(line, sizeof line, " %s  %sinsn %" PRIu64 "/%" PRIu64 " [%s] time %" PRIu64,
                          gpucode_machine_processor(screen->machine, processor),
                          screen->runs ? "running: Ctrl-C interrupts  " : "", position, end, bar,
                          gpucode_machine_time(screen->machine));
    console_status(screen->console, status, sizeof status);
    if (*status)
        length += snprintf(line + length, sizeof line - (size_t)length, "  %s", status);
    struct gpucode_place place;
    if (gpucode_debug_place(screen->debug, gpucode_machine_section(screen->machine, processor),
                            gpucode_machine_pc(screen->machine, processor), &place)) {
        const char *slash = strrchr(place.file, '/');
        snprintf(line + length, sizeof line - (size_t)length, "  %s:%u", slash ? slash + 1 : place.file, place.line);
    }
    attron(A_REVERSE | COLOR_PAIR(COLOR_BAR));
    draw_text(row, 0, width, line);
    attroff(A_REVERSE | COLOR_PAIR(COLOR_BAR));
}

void draw_memory(struct screen *screen, int top, int height, int width)
{
    for (int row = 0; row < height; row++) {
        uint64_t address = screen->memory + (uint64_t)row * 16;
        unsigned char bytes[16];
        char line[160], ascii[17] = "";
        int length = snprintf(line, sizeof line, " %010" PRIx64 ": ", address);
        if (gpucode_machine_load(screen->machine, address, bytes, 16) == GPUCODE_OK) {
            for (unsigned i = 0; i < 16; i += 4)
                length += snprintf(line + length, sizeof line - (size_t)length, " %02x%02x%02x%02x", bytes[i + 3],
                                   bytes[i + 2], bytes[i + 1], bytes[i]);
            for (unsigned i = 0; i < 16; i++)
                ascii[i] = bytes[i] >= 32 && bytes[i] < 127 ? (char)bytes[i] : '.';
            ascii[16] = 0;
            snprintf(line + length, sizeof line - (size_t)length, "  %s", ascii);
        } else {
            snprintf(line + length, sizeof line - (size_t)length, " (nothing is mapped)");
        }
        draw_text(top + row, 0, width, line);
    }
}

void draw_console(struct screen *screen, int top, int height, int width)
{
    char line[LOG_WIDTH + 16];
    int count = (int)screen->log_count;
    if (count && !screen->log[count - 1][0]) /* the line that the next text will begin in */
        count--;
    for (int row = 0; row < height - 1; row++) {
        int index = count - (height - 1) + row;
        draw_text(top + row, 0, width, index >= 0 ? screen->log[index] : "");
    }
    snprintf(line, sizeof line, "(gpucode) %s", screen->input);
    size_t length = strlen(line), room = width > 1 ? (size_t)width - 1 : 1;
    draw_text(top + height - 1, 0, width, length > room ? line + (length - room) : line);
    move(top + height - 1, (int)(length > room ? room : length));
}
