/* SPDX-License-Identifier: MIT */
#include "front/terminal.h"
#include "front/excerpt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_color(FILE *stream, const char *when)
{
    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no_color && *no_color) && isatty(fileno(stream)) && terminal && strcmp(terminal, "dumb") != 0;
}

#define COLUMNS_USUAL 80
#define COLUMNS_LEAST 40

unsigned terminal_columns(FILE *stream)
{
    struct winsize size;
    const char *asked = getenv("COLUMNS");
    unsigned columns = asked ? (unsigned)strtoul(asked, NULL, 10) : 0;
    if (!columns && isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    return !columns ? COLUMNS_USUAL : columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

void progress_begin(struct progress *progress)
{
    clock_gettime(CLOCK_MONOTONIC, &progress->started);
    progress->shown = progress->started;
    progress->visible = false;
}

void progress_show(struct progress *progress, const char *name, int done, int total)
{
    if (!isatty(STDERR_FILENO) || seconds_since(&progress->started) < 1 || seconds_since(&progress->shown) < 0.1)
        return;
    size_t length = strlen(name), shown = length > 50 ? 50 : length;
    fprintf(stderr, "\r\033[K%d/%d ", done, total);
    excerpt_text(stderr, name + length - shown, shown);
    fflush(stderr);
    clock_gettime(CLOCK_MONOTONIC, &progress->shown);
    progress->visible = true;
}

void progress_clear(void *user)
{
    struct progress *progress = user;
    if (progress->visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->visible = false;
}
