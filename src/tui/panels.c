/* SPDX-License-Identifier: MIT */
/* The parts of the screen. */
#include "tui/screen.h"

#include "utf8/utf8.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/*
 * Text on the screen, in columns. Texts are UTF-8 whatever the terminal's encoding is: what that lacks, and what no
 * terminal shows as a character, becomes a question mark, so that the columns beside stand where they are. Nothing
 * reaches the terminal that it would act on.
 */

/* Can the terminal's encoding say it? */
static bool is_encoded(wchar_t character)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    return wcrtomb(bytes, character, &state) != (size_t)-1;
}

/* The first character of a text as it is shown; returns its bytes, and the columns that it takes. */
static size_t take_character(const char *text, wchar_t *shown, int *columns)
{
    uint32_t character;
    size_t length = utf8_decode(text, strnlen(text, UTF8_MOST), &character);
    *columns = 1;
    *shown = L'?';
    if (!length)
        return 1;
    if (character < ' ' || character == 0x7f)
        *shown = L' ';
    else if (character < 0x7f)
        *shown = (wchar_t)character;
#ifdef __STDC_ISO_10646__ /* else nobody can tell what a wchar_t is */
    else if (!utf8_is_format(character) && wcwidth((wchar_t)character) >= 0 && is_encoded((wchar_t)character)) {
        *shown = (wchar_t)character;
        *columns = wcwidth(*shown);
    }
#endif
    return length;
}

/* panels.c: a line of UTF-8, cut or filled to the width; controls, tabs too, are blanks. */
static void draw_text(int row, int column, int width, const char *text)
{
    int used = 0, columns;
    wchar_t shown;
    if (width <= 0 || move(row, column) == ERR)
        return;
    for (size_t length; *text; text += length, used += columns) {
        length = take_character(text, &shown, &columns);
        if (used + columns > width)
            break;
        if (columns || used) /* what stands above a character needs one */
            addnwstr(&shown, 1);
    }
    for (; used < width; used++)
        addch(' ');
}

/* How many columns it takes. */
static int text_columns(const char *text)
{
    int used = 0, columns;
    wchar_t shown;
    for (; *text; used += columns)
        text += take_character(text, &shown, &columns);
    return used;
}

/* The end of a text that fits into so many columns. */
static const char *text_end(const char *text, int room)
{
    wchar_t shown;
    for (int used = text_columns(text), columns; used > room && *text; used -= columns)
        text += take_character(text, &shown, &columns);
    return text;
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
    const char *shown = text_end(line, width > 1 ? width - 1 : 1);
    draw_text(top + height - 1, 0, width, shown);
    move(top + height - 1, text_columns(shown));
}

/* What wide screens have room for: the source with its comments, and the calls that have not returned. */

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
