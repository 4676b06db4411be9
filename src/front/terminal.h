/* SPDX-License-Identifier: MIT */
#ifndef FRONT_TERMINAL_H
#define FRONT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* May colours go to this stream? `when` is the value of --color, or null. */
bool terminal_color(FILE *stream, const char *when);

/* Columns that text for this stream is wrapped to: of the environment variable COLUMNS, of the terminal, or 80. */
unsigned terminal_columns(FILE *stream);

/* One line on a terminal that tells how far a long command is; shows itself after a second, and never elsewhere. */
struct progress {
    struct timespec started, shown;
    bool visible;
};

void progress_begin(struct progress *progress);
void progress_show(struct progress *progress, const char *name, int done, int total);
/* Takes the line off the terminal; `progress` is a struct progress. */
void progress_clear(void *progress);

#endif
