/* SPDX-License-Identifier: MIT */
/* Keys: commands, the line being typed, and its history. */
#include "tui/screen.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CONTROL(letter) ((letter)&31) /* the key with Ctrl */

static const char keys[] = "F1 keys  F5 continue  F6 back  F7 step back  F8 next back  F9 break  F10 next\n"
                           "F11 step  F12 finish  PgUp PgDn listing  memory ADDRESS  Tab completes  ^D leaves\n";

void show_keys(struct screen *screen)
{
    write_log(screen, keys, sizeof keys - 1);
}

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

/* Keys that change the line being typed; false: it is none. */
static bool edit_input(struct screen *screen, int key)
{
    size_t length = strlen(screen->input);
    switch (key) {
    case '\t':
        complete_input(screen);
        return true;
    case KEY_BACKSPACE:
    case 127:
    case CONTROL('H'):
        while (length && ((unsigned char)screen->input[--length] & 0xc0) == 0x80)
            ; /* all bytes of a character */
        screen->input[length] = 0;
        return true;
    case CONTROL('U'):
        screen->input[0] = 0;
        return true;
    case KEY_UP:
        recall_line(screen, -1);
        return true;
    case KEY_DOWN:
        recall_line(screen, 1);
        return true;
    default:
        if (key < 32 || key == 127 || key > UCHAR_MAX) /* bytes of UTF-8 come one by one */
            return false;
        if (length < sizeof screen->input - 1) {
            screen->input[length] = (char)key;
            screen->input[length + 1] = 0;
        }
        return true;
    }
}

/* A new size of the window is a key too, and the next drawing knows it. */
bool take_key(struct screen *screen, int key)
{
    if (run_command_key(screen, key) || edit_input(screen, key))
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
        return true;
    }
}

/* Most terminals send these, even where the description of $TERM lacks them. */
void define_keys(void)
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
