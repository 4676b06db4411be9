/* SPDX-License-Identifier: MIT */
/* What every command gets: its arguments, and where messages go. */
#ifndef FRONT_SESSION_H
#define FRONT_SESSION_H

#include "cli/arguments.h"
#include "front/diagnostics.h"

/* Exit codes of all commands. */
enum {
    EXIT_DONE = 0,
    EXIT_FINDINGS = 1, /* differences, findings */
    EXIT_INPUT = 2,    /* bad usage or bad input */
    EXIT_FAULT = 3,    /* our own: no memory, output that cannot be written */
};

struct session {
    const struct command *command;
    struct arguments arguments;
    struct diagnostics diagnostics;
    bool json;
    bool color; /* on standard output */
};

#endif
