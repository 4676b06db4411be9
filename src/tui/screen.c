/* SPDX-License-Identifier: MIT */
/* The view's life: what it shows, drawing it, and the console's lines. */
#include "tui/screen.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEAST_COLUMNS 80
#define LEAST_LINES 24
#define WIDE_COLUMNS 160 /* have room for the source too */

static char *begin_log_line(struct screen *screen)
{
    if (screen->log_count == LOG_LINES)
        memmove(screen->log[0], screen->log[1], sizeof screen->log - sizeof screen->log[0]);
    else
        screen->log_count++;
    screen->log[screen->log_count - 1][0] = 0;
    return screen->log[screen->log_count - 1];
}

void write_log(void *user, const char *text, size_t length)
{
    struct screen *screen = user;
    if (!screen->log_count)
        begin_log_line(screen);
    for (size_t i = 0; i < length; i++) {
        char *line = screen->log[screen->log_count - 1];
        size_t used = strlen(line);
        if (text[i] == '\n') {
            begin_log_line(screen);
        } else if (used + 8 < LOG_WIDTH) {
            if (text[i] == '\t') {
                do
                    line[used++] = ' ';
                while (used % 8);
            } else {
                line[used++] = text[i];
            }
            line[used] = 0;
        }
    }
}

/* Registers of a space that have names; few ones are always shown, others when they are not zero or have changed. */
static void follow_space(struct screen *screen, unsigned space)
{
    struct gpucode_space_info info;
    char name[GPUCODE_NAME_MAX];
    if (!gpucode_machine_space(screen->machine, space, &info))
        return;
    for (uint32_t i = 0; i < info.count && i < 256 && screen->register_count < REGISTERS_MAX; i++) {
        if (!gpucode_machine_name(screen->machine, space, i, name, sizeof name))
            continue;
        struct shown_register *shown = &screen->registers[screen->register_count++];
        *shown = (struct shown_register){.space = space, .number = i, .always = info.count <= 32};
        /* prefixed names are short but for a few, for whose sake the columns are not made wider */
        int longest = space == GPUCODE_SPACE_GENERAL && *info.prefix ? SHORT_NAME : (int)sizeof shown->name - 1;
        snprintf(shown->name, sizeof shown->name, "%.*s", longest, name + (*name == '#'));
    }
}

static void note_registers(struct screen *screen)
{
    unsigned processor = gpucode_debug_processor(screen->debug);
    uint64_t position = gpucode_debug_position(screen->debug);
    for (unsigned i = 0; i < screen->register_count; i++) {
        struct shown_register *shown = &screen->registers[i];
        if (position != screen->position)
            shown->before = shown->now;
        if (gpucode_machine_read(screen->machine, processor, shown->space, shown->number, &shown->now) != GPUCODE_OK)
            shown->now = 0;
    }
    screen->position = position;
}

static void follow_all(struct screen *screen)
{
    const struct gpucode_target *target = gpucode_image_info(gpucode_debug_image(screen->debug))->target;
    struct gpucode_space_info info;
    screen->floats = gpucode_target_facts(target)->float_registers;
    follow_space(screen, GPUCODE_SPACE_GENERAL);
    follow_space(screen, GPUCODE_SPACE_FLAG);
    follow_space(screen, GPUCODE_SPACE_EVENT);
    /* more registers of each processor's own that hold floats */
    for (unsigned space = GPUCODE_SPACE_COUNT; space < GPUCODE_SPACE_COUNT + 16; space++)
        if (gpucode_machine_space(screen->machine, space, &info) && info.float_bits && !info.shared)
            follow_space(screen, space);
    screen->position = gpucode_debug_position(screen->debug);
    note_registers(screen);
    for (unsigned i = 0; i < screen->register_count; i++)
        screen->registers[i].before = screen->registers[i].now;
}

void draw_screen(struct screen *screen)
{
    int lines = LINES, columns = COLS;
    erase();
    if (lines < LEAST_LINES || columns < LEAST_COLUMNS) {
        mvprintw(0, 0, "80 columns and 24 lines are needed");
        refresh();
        return;
    }
    note_registers(screen);
    /* 32 general registers fit beside the listing on the least screen */
    int console = lines < 28 ? 5 : lines / 4, memory = lines < 28 ? 2 : lines / 6, upper = lines - console - memory - 1,
        registers = columns >= 120 ? 48 : 32, side = columns >= WIDE_COLUMNS ? (columns - registers) / 2 : 0;
    draw_listing(screen, 0, 0, upper, columns - registers - side - 1);
    if (side)
        draw_side(screen, 0, columns - registers - side, upper, side - 1);
    draw_registers(screen, 0, columns - registers, upper, registers);
    draw_timeline(screen, upper, columns);
    draw_memory(screen, upper + 1, memory, columns);
    draw_console(screen, upper + 1 + memory, console, columns);
    refresh();
}

static void write_out(void *user, const char *text, size_t length)
{
    (void)user;
    fwrite(text, 1, length, stdout);
}

const char *tui_run(struct console *console, struct gpucode_debug *debug)
{
    int code;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return "no terminal";
    struct screen *screen = calloc(1, sizeof *screen);
    if (!screen)
        return "out of memory";
    setlocale(LC_CTYPE, "");
    SCREEN *terminal = newterm(NULL, stdout, stdin);
    if (!terminal) {
        free(screen);
        return "the terminal is not known";
    }
    if (!tigetstr("cup") ||
        !tigetstr("clear")) { /* without these the screen would be drawn as lines one below the other */
        endwin();
        delscreen(terminal);
        free(screen);
        return "the terminal cannot place its cursor; is $TERM right?";
    }
    screen->console = console;
    screen->debug = debug;
    screen->machine = gpucode_debug_machine(debug);
    screen->memory = 0x100000;
    follow_all(screen);
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    define_keys();
    set_escdelay(50);
    if (has_colors()) {
        start_color();
        use_default_colors();
        init_pair(COLOR_HERE, COLOR_GREEN, -1);
        init_pair(COLOR_CHANGED, COLOR_YELLOW, -1);
        init_pair(COLOR_BAR, COLOR_CYAN, -1);
        init_pair(COLOR_BREAK, COLOR_RED, -1);
    }
    console_output(console, write_log, screen);
    show_keys(screen);
    do
        draw_screen(screen);
    while (take_key(screen, getch()) && !console_quit(console, &code));
    console_output(console, write_out, NULL);
    endwin();
    delscreen(terminal);
    free(screen);
    return NULL;
}
