/* SPDX-License-Identifier: MIT */
/* The parts of the screen. */
#include "tui/screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A line cut or filled to the width. */
static void put_line(int row, int column, int width, const char *text)
{
    if (width > 0)
        mvprintw(row, column, "%-*.*s", width, width, text);
}

/* Tabs in instruction text separate its comment; on the screen they are blanks. */
static void clean(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            *text = ' ';
}

static bool has_breakpoint(struct screen *screen, unsigned section, uint64_t pc)
{
    struct gpucode_point point;
    for (unsigned i = 0; gpucode_debug_point_at(screen->debug, i, &point); i++)
        if (point.kind == GPUCODE_POINT_BREAK && !point.disabled && point.section == section && point.address == pc)
            return true;
    return false;
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

void draw_listing(struct screen *screen, int top, int left, int height, int width)
{
    unsigned processor = gpucode_debug_processor(screen->debug), units = 1;
    unsigned section = gpucode_machine_section(screen->machine, processor);
    uint64_t pc = gpucode_machine_pc(screen->machine, processor), target = 0;
    bool pending = gpucode_machine_pending(screen->machine, processor, &target);
    uint64_t at = first_line(screen, section, pc, height);
    for (int row = 0; row < height; row++, at += units) {
        char text[GPUCODE_TEXT_MAX], label[GPUCODE_NAME_MAX], line[GPUCODE_TEXT_MAX + GPUCODE_NAME_MAX + 64];
        units = gpucode_debug_text(screen->debug, section, at, text, sizeof text);
        if (!units) {
            put_line(top + row, left, width, "");
            units = 1;
            continue;
        }
        clean(text);
        gpucode_debug_label(screen->debug, section, at, label, sizeof label);
        if (strchr(label, '+'))
            label[0] = 0;
        bool here = at == pc;
        snprintf(line, sizeof line, "%c%s %04" PRIx64 " %-12.12s %s", has_breakpoint(screen, section, at) ? '*' : ' ',
                 here                      ? "=>"
                 : pending && at == target ? "->"
                                           : "  ",
                 at, here && pending ? "[delay slot]" : label, text);
        if (here)
            attron(A_REVERSE | COLOR_PAIR(COLOR_HERE));
        put_line(top + row, left, width, line);
        attroff(A_REVERSE | COLOR_PAIR(COLOR_HERE));
    }
}

void draw_registers(struct screen *screen, int top, int left, int height, int width)
{
    struct gpucode_space_info info;
    if (!gpucode_machine_space(screen->machine, GPUCODE_SPACE_GENERAL, &info))
        info.count = 0;
    int columns = width / 16 ? width / 16 : 1;
    for (int row = 0; row < height; row++)
        put_line(top + row, left, width, "");
    for (uint32_t i = 0; i < info.count && i < REGISTERS_SHOWN && (int)i < height * columns; i++) {
        char name[GPUCODE_NAME_MAX], line[GPUCODE_NAME_MAX + 32];
        if (!gpucode_machine_name(screen->machine, GPUCODE_SPACE_GENERAL, i, name, sizeof name))
            continue;
        bool changed = screen->before[i] != screen->now[i];
        const char *shown = strcmp(name, "$usraddr") == 0 ? "$usra" : name;
        snprintf(line, sizeof line, "%-5.5s%c%08x", shown, changed ? '*' : ' ', (unsigned)screen->now[i]);
        if (changed)
            attron(A_BOLD | COLOR_PAIR(COLOR_CHANGED));
        put_line(top + (int)i % height, left + (int)i / height * 16, 15, line);
        attroff(A_BOLD | COLOR_PAIR(COLOR_CHANGED));
    }
}

/* Where the present stands in what is recorded, and what waits to be worked on. */
void draw_timeline(struct screen *screen, int row, int width)
{
    uint64_t position = gpucode_debug_position(screen->debug), end = gpucode_debug_end(screen->debug);
    unsigned processor = gpucode_debug_processor(screen->debug), space;
    uint32_t number, level, rem;
    char line[512], bar[21];
    int filled = end ? (int)((double)position * 20.0 / (double)end) : 20;
    for (int i = 0; i < 20; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[20] = 0;
    int length = snprintf(line, sizeof line, " %s  insn %" PRIu64 "/%" PRIu64 " [%s] time %" PRIu64,
                          gpucode_machine_processor(screen->machine, processor), position, end, bar,
                          gpucode_machine_time(screen->machine));
    if (gpucode_machine_find(screen->machine, "@IB_LEVEL", &space, &number) &&
        gpucode_machine_read(screen->machine, processor, space, number, &level) == GPUCODE_OK &&
        gpucode_machine_find(screen->machine, "$rem", &space, &number) &&
        gpucode_machine_read(screen->machine, processor, space, number, &rem) == GPUCODE_OK)
        snprintf(line + length, sizeof line - (size_t)length, "  IB%u $rem %u", (unsigned)level, (unsigned)rem);
    attron(A_REVERSE | COLOR_PAIR(COLOR_BAR));
    put_line(row, 0, width, line);
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
        put_line(top + row, 0, width, line);
    }
}

void draw_console(struct screen *screen, int top, int height, int width)
{
    char line[LOG_WIDTH + 16];
    for (int row = 0; row < height - 1; row++) {
        int index = (int)screen->log_count - (height - 1) + row;
        put_line(top + row, 0, width, index >= 0 ? screen->log[index] : "");
    }
    snprintf(line, sizeof line, "(gpucode) %s", screen->input);
    size_t length = strlen(line), room = width > 1 ? (size_t)width - 1 : 1;
    put_line(top + height - 1, 0, width, length > room ? line + (length - room) : line);
    move(top + height - 1, (int)(length > room ? room : length));
}
