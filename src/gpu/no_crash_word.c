/* SPDX-License-Identifier: MIT */
/* The debugger's command `crash` in builds without zlib. */
#include "gpu/crash_word.h"

bool crash_word(struct console *console, const char *arguments, console_catcher *catcher)
{
    (void)arguments;
    (void)catcher;
    return console_complain(console, "this build has no zlib, which crash dumps need");
}
