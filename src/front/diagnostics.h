/* SPDX-License-Identifier: MIT */
/*
 * Showing diagnostics the way compilers do: place, message and code, the source line with a caret, a hint. With
 * --json: one object a line. All on standard error.
 */
#ifndef FRONT_DIAGNOSTICS_H
#define FRONT_DIAGNOSTICS_H

#include <gpucode/diagnostic.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * A message: the number of its table and its place in that. CLI_COMMAND and others of front/message.def are named here;
 * those of a set (CLI_SET_PACKET) and of gpu/ in cli_SET_messages.h, which the build makes, so that a new one does not
 * have the whole program compiled again.
 */
typedef unsigned cli_message;

#define CLI_ROOM_SHIFT 8
enum {
#define MESSAGE(id, ...) CLI_##id,
#include "front/message.def"
#undef MESSAGE
};

struct diagnostics {
    FILE *out;
    bool json, color;
    bool mute;  /* counted, not shown */
    bool brief; /* of many files: hints stand at lines of sources only, for they would be the same for each file */
    unsigned errors, warnings;
    bool lacked_memory;         /* out_of_memory() was called: no result is right */
    void (*before)(void *user); /* called before anything is written (clears a progress line); may be null */
    void *user;
};

/* For gpucode_diagnostic_handler.report; user is a struct diagnostics. */
void diagnostics_report(void *user, const struct gpucode_diagnostic *diagnostic);

static inline struct gpucode_diagnostic_handler diagnostics_handler(struct diagnostics *diagnostics)
{
    return (struct gpucode_diagnostic_handler){diagnostics_report, diagnostics};
}

/*
 * Keeps what is reported, to hand it on in the order of the lines: file by file as they came, notes and what has no
 * place after what they belong to. `user` is a struct held_diagnostics.
 */
struct held_diagnostics {
    struct gpucode_diagnostic_handler to;
    struct held *held;
    size_t count, room;
};
void diagnostics_hold(void *user, const struct gpucode_diagnostic *diagnostic);
/* Hands on all of it, and frees. */
void diagnostics_release(struct held_diagnostics *held);

/* Shows a message of the command line itself; `file` and `hint` may be null. Returns the message's exit code. */
int complain(struct diagnostics *diagnostics, cli_message message, const char *file, const char *hint, ...);
/* The same at a place: `place` gives file, line, column, length and source. */
int complain_at(struct diagnostics *diagnostics, cli_message message, const struct gpucode_diagnostic *place,
                const char *hint, ...);
/* How every command says that there is no memory left. Returns the exit code. */
int out_of_memory(struct diagnostics *diagnostics);

/* "2 errors, 1 warning", when there were any about a source and no JSON is wanted. */
void diagnostics_total(const struct diagnostics *diagnostics);

/* Explanation of one of the command line's own codes, or null; code number `index`, or null after the last. */
const char *cli_explain(const char *code);
const char *cli_diagnostic_code(unsigned index);

#endif
