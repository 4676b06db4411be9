/* SPDX-License-Identifier: MIT */
/* What the view's files share. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "tui/tui.h"
#include <curses.h>
#include <gpucode/gpucode.h>

#define REGISTERS_MAX 1024
#define SHORT_NAME 5 /* letters of a register's name for which there are narrow columns */
#define LOG_LINES 500
#define LOG_WIDTH 512

struct shown_register {
    unsigned space;
    uint32_t number, before, now; /* at the stop before, and at this one */
    bool always;                  /* shown though it is zero and has not changed */
    char name[20];
};

struct screen {
    struct console *console;
    struct gpucode_debug *debug;
    struct gpucode_machine *machine;
    struct shown_register registers[REGISTERS_MAX];
    unsigned register_count;
    bool floats, runs;
    uint64_t position;              /* of the registers */
    uint64_t memory;                /* address shown */
    int scroll;                     /* lines that the listing is moved by */
    char log[LOG_LINES][LOG_WIDTH]; /* of the console, the newest last */
    unsigned log_count;
    char input[256];
    char history[50][256];
    unsigned history_count, history_at;
};

enum { COLOR_HERE = 1, COLOR_CHANGED, COLOR_BAR, COLOR_BREAK };

/* panels.c: each fills a part of the screen. */
void draw_listing(struct screen *screen, int top, int left, int height, int width);
/* Is there a breakpoint at the present place? */
bool has_breakpoint_here(struct screen *screen);
void draw_registers(struct screen *screen, int top, int left, int height, int width);
void draw_timeline(struct screen *screen, int row, int width);
void draw_memory(struct screen *screen, int top, int height, int width);
void draw_console(struct screen *screen, int top, int height, int width);

/* panels.c: source and calls, on screens that are wide. */
void draw_side(const struct screen *screen, int top, int left, int height, int width);

#endif
