/* SPDX-License-Identifier: MIT */
/* The debugger's full-screen view: listing, registers, timeline, memory, console. */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "console/console.h"

/* Shows it until the user leaves. Returns null, or why it cannot be shown. */
const char *tui_run(struct console *console, struct gpucode_debug *debug);

#endif
