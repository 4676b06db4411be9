/* SPDX-License-Identifier: MIT */
/* Lines from a terminal, with history and completion where the build has libedit; and single keys. */
#ifndef CLI_LINE_EDITOR_H
#define CLI_LINE_EDITOR_H

#include <stdbool.h>

struct console;
struct gpucode_debug;
struct line_editor;

/* Null when standard input is not a terminal, or there is no libedit. */
struct line_editor *line_editor_open(struct console *console);
void line_editor_close(struct line_editor *editor);
/* The next line without its newline, valid until the next call; null at the end. `editor` may be null. */
const char *line_editor_read(struct line_editor *editor);

/* keys.c: the debugger by keys of standard input, until the last one. False: out of memory. */
bool keys_serve(struct console *console, struct gpucode_debug *debug);

#endif
