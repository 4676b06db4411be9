/* SPDX-License-Identifier: MIT */
/* What every command gets: its arguments, and where messages go. */
#ifndef FRONT_SESSION_H
#define FRONT_SESSION_H

#include "front/arguments.h"
#include "front/diagnostics.h"

/* Exit codes of all commands. */
enum {
    EXIT_DONE = 0,
    EXIT_FINDINGS = 1, /* differences, findings */
    EXIT_INPUT = 2,    /* bad usage or bad input */
    EXIT_FAULT = 3,    /* our own: no memory, output that cannot be written */
};

struct gpucode_program;
struct paint;
struct file;
struct recorded;

struct session {
    const struct command *command;
    struct arguments arguments;
    struct diagnostics diagnostics;
    /* Runs a whole command line of gpucode: argv[1] names the command. For those who offer commands in other words. */
    int (*perform)(struct session *session, int argc, char **argv);
    /*
     * Called with a file of source or code that was read and is not opened yet; may add to it. Complains and returns an
     * exit code. Null: nothing is to be done.
     */
    int (*read)(struct session *session, struct file *file);
    /*
     * Called with the program of a source before it becomes an image; may cut it down. Complains and returns an exit
     * code. Null: nothing is to be done.
     */
    int (*assembled)(struct session *session, const char *file, struct gpucode_program *program);
    /* The command takes all programs that a source holds, one after another (input_next()): which one, of how many. */
    bool takes_parts;
    unsigned part, parts;
    const struct recorded *recorded; /* what the code of the input comes from: gpu/recorded.h; or null */
    const char *beside; /* a file that belongs to the source: what is in its folder may be included too; or null */
    struct gpucode_target *target; /* with the choices of --policy; null: none was made */
    bool json;
    bool markdown;       /* in place of text */
    bool many;           /* the command runs once for each of many files */
    bool color;          /* on standard output */
    struct paint *paint; /* which texts of answers go through to it in colour; or null */
    bool paged;          /* a pager was begun, or is not wanted */
    bool on_terminal;    /* it is one, perhaps with a pager in between */
};

#endif
