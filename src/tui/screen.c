/* SPDX-License-Identifier: MIT */
/* The view's life: what it shows, drawing it, and the console's lines. */
#include "tui/screen.h"

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Keys: commands, the line being typed, and its history. */

#define CONTROL(letter) ((letter)&31) /* the key with Ctrl */

static const char keys[] = "F1 keys  F5 continue  F6 back  F7 step back  F8 next back  F9 break  F10 next\n"
                           "F11 step  F12 finish  PgUp PgDn listing  memory ADDRESS  Tab completes  ^D leaves\n";

static void write_log(void *user, const char *text, size_t length);

/* Shows in the log which keys there are. */
static void show_keys(struct screen *screen)
{
    write_log(screen, keys, sizeof keys - 1);
}

static void draw_screen(struct screen *screen);

static void run_line(struct screen *screen, const char *line)
{
    unsigned long long address;
    screen->scroll = 0;
    if (sscanf(line, "memory %llx", &address) == 1) { /* the view's own command */
        screen->memory = address & ~UINT64_C(15);
        return;
    }
    write_log(screen, "(gpucode) ", 10);
    write_log(screen, line, strlen(line));
    write_log(screen, "\n", 1);
    gpucode_debug_take_interrupt(screen->debug); /* Ctrl-C while nothing ran is over */
    screen->runs = true;
    draw_screen(screen);
    screen->runs = false;
    console_run(screen->console, line);
}

static void take_line(struct screen *screen)
{
    char line[sizeof screen->input];
    strcpy(line, screen->input);
    screen->input[0] = 0;
    if (*line) {
        if (screen->history_count == 50)
            memmove(screen->history[0], screen->history[1], sizeof screen->history - sizeof screen->history[0]);
        else
            screen->history_count++;
        strcpy(screen->history[screen->history_count - 1], line);
    }
    screen->history_at = screen->history_count;
    run_line(screen, line);
}

static void complete_input(struct screen *screen)
{
    size_t word = 0, common = 0;
    char text[256] = "";
    const char *candidate;
    unsigned count = 0;
    for (; (candidate = console_complete(screen->console, screen->input, count, &word)); count++) {
        if (!count) {
            snprintf(text, sizeof text, "%s", candidate);
            common = strlen(text);
        }
        while (strncmp(text, candidate, common) != 0)
            common--;
    }
    if (count && word + common < sizeof screen->input - 2) {
        memcpy(screen->input + word, text, common);
        screen->input[word + common] = 0;
        if (count == 1)
            strcat(screen->input, " ");
    }
}

static void recall_line(struct screen *screen, int by)
{
    if ((by < 0 && screen->history_at == 0) || (by > 0 && screen->history_at >= screen->history_count))
        return;
    screen->history_at += (unsigned)by;
    strcpy(screen->input, screen->history_at < screen->history_count ? screen->history[screen->history_at] : "");
}

/* Function keys that are commands; false: it is none. */
static bool run_command_key(struct screen *screen, int key)
{
    static const struct {
        int key;
        const char *command;
    } commands[] = {{KEY_F(5), "continue"},     {KEY_F(6), "reverse-continue"},
                    {KEY_F(7), "reverse-step"}, {KEY_F(8), "reverse-next"},
                    {KEY_F(10), "next"},        {KEY_F(11), "step"},
                    {KEY_F(12), "finish"}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (key == commands[i].key) {
            run_line(screen, commands[i].command);
            return true;
        }
    if (key == KEY_F(9))
        run_line(screen, has_breakpoint_here(screen) ? "clear" : "break");
    return key == KEY_F(9);
}

/* Keys that change the line being typed; others do nothing. */
static void edit_input(struct screen *screen, int key)
{
    size_t length = strlen(screen->input);
    switch (key) {
    case '\t':
        complete_input(screen);
        break;
    case KEY_BACKSPACE:
    case 127:
    case CONTROL('H'):
        while (length && ((unsigned char)screen->input[--length] & 0xc0) == 0x80)
            ; /* all bytes of a character */
        screen->input[length] = 0;
        break;
    case CONTROL('U'):
        screen->input[0] = 0;
        break;
    case KEY_UP:
        recall_line(screen, -1);
        break;
    case KEY_DOWN:
        recall_line(screen, 1);
        break;
    default:
        /* bytes of UTF-8 come one by one */
        if (key >= 32 && key <= UCHAR_MAX && length < sizeof screen->input - 1) {
            screen->input[length] = (char)key;
            screen->input[length + 1] = 0;
        }
        break;
    }
}

/* A new size of the window is a key too, and the next drawing knows it. */
static bool take_key(struct screen *screen, int key)
{
    if (run_command_key(screen, key))
        return true;
    switch (key) {
    case KEY_F(1):
        show_keys(screen);
        return true;
    case CONTROL('D'):
        return *screen->input;
    case '\n':
    case '\r':
    case KEY_ENTER:
        take_line(screen);
        return true;
    case CONTROL('L'):
        clear();
        return true;
    case KEY_PPAGE:
        screen->scroll -= 8;
        return true;
    case KEY_NPAGE:
        screen->scroll += 8;
        return true;
    default:
        edit_input(screen, key);
        return true;
    }
}

/* Most terminals send these, even where the description of $TERM lacks them. */
/* Tells curses of keys that descriptions of terminals lack. */
static void define_keys(void)
{
    static const struct {
        int key;
        const char *sequence;
    } sequences[] = {
        {KEY_F(1), "\033OP"},    {KEY_F(5), "\033[15~"}, {KEY_F(6), "\033[17~"},  {KEY_F(7), "\033[18~"},
        {KEY_F(8), "\033[19~"},  {KEY_F(9), "\033[20~"}, {KEY_F(10), "\033[21~"}, {KEY_F(11), "\033[23~"},
        {KEY_F(12), "\033[24~"}, {KEY_PPAGE, "\033[5~"}, {KEY_NPAGE, "\033[6~"},  {KEY_UP, "\033[A"},
        {KEY_DOWN, "\033[B"},    {KEY_UP, "\033OA"},     {KEY_DOWN, "\033OB"},
    };
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        if (!key_defined(sequences[i].sequence))
            define_key(sequences[i].sequence, sequences[i].key);
}

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

/* The console's output; text that does not end its line is continued by the next. `user` is the screen. */
static void write_log(void *user, const char *text, size_t length)
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
        snprintf(shown->name, sizeof shown->name, "%.*s", longest, name);
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

/* screen.c */
static void draw_screen(struct screen *screen)
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
