/* SPDX-License-Identifier: MIT */
/* What a debug session is inside the library. */
#ifndef DEBUG_SESSION_H
#define DEBUG_SESSION_H

#include "base/diagnostics.h"
#include <gpucode/debug.h>
#include <gpucode/outline.h>
#include <stdatomic.h>

/* A snapshot of a position, so that the session can go back to it at once. */
struct checkpoint {
    uint64_t position;
    size_t applied; /* inputs done before it */
    struct gpucode_snapshot *snapshot;
    size_t bytes; /* beyond what it shares with the checkpoint before it */
};

enum input_kind { INPUT_WRITE, INPUT_PC, INPUT_STORE, INPUT_MAP, INPUT_FEED };

/* A change from outside, made again in a replay. */
struct input {
    uint64_t position;
    enum input_kind kind;
    unsigned processor, space;
    uint64_t address; /* register number, pc, memory address */
    uint64_t value;   /* or size for MAP */
    void *bytes;      /* STORE, FEED; malloc'ed */
    size_t size;
};

/* Changes that wait until the machine does. */
struct portion {
    struct input *inputs; /* their bytes are the portion's own */
    size_t count, room;
    size_t done; /* which of the session's inputs its first one has become; SIZE_MAX: it waits */
};

struct breakpoint {
    struct gpucode_breakpoint shown; /* strings malloc'ed */
    bool internal;                   /* made for one movement, which ends there as DONE */
    bool has_depth;                  /* internal: only when at most so many calls are open */
    unsigned depth;
    bool has_event; /* `event` is the first that it wants, of the instruction that ran last */
    struct gpucode_event event;
    void (*tell)(void *user, unsigned number); /* in place of a stop; or null */
    void *user;
};

struct gpucode_debug {
    struct gpucode_machine *machine;
    const struct gpucode_symbols *symbols;
    struct gpucode_outline *outline; /* names of places, as listings have them */
    uint64_t first;                  /* the machine's count when the session began */
    unsigned processor;              /* selected */
    atomic_bool interrupt;
    bool (*wants_interrupt)(void *user); /* or null */
    void *user;

    struct checkpoint *checkpoints; /* by position; the first is the beginning */
    size_t checkpoint_count, checkpoint_room;
    struct input *inputs; /* by position */
    size_t input_count, input_room;
    size_t applied; /* inputs done before the present position */
    uint64_t end, changes;
    struct portion *portions;
    size_t portion_count;
    bool defers;           /* changes go to the last portion */
    uint64_t gap, density; /* least distance of checkpoints, and how many per doubling of the distance from now */
    size_t memory;
    uint64_t limit; /* the last position */

    struct breakpoint *breakpoints;
    size_t breakpoint_count, breakpoint_room;
    unsigned last_number;
    bool armed;       /* the machine has the breakpoints and the hook */
    unsigned *hooked; /* indices of the breakpoints that the hook serves, while armed */
    size_t hooked_count;

    bool has_event; /* a breakpoint has one */
    bool is_told;   /* the user has seen an event at position `told`, and has not moved since */
    uint64_t told;
    bool counts; /* the run that ended last counted hits */
    bool ran;    /* the selected processor ran an instruction (while stepping) */
};

/* session.c */
uint64_t debug_position(const struct gpucode_debug *debug);
/* Fills processor, pc and position of a stop. */
void debug_stand(const struct gpucode_debug *debug, struct gpucode_debug_stop *stop, enum gpucode_debug_reason reason,
                 unsigned processor);
unsigned debug_depth(const struct gpucode_debug *debug, unsigned processor);

/* history.c */
/* Makes a checkpoint of the present position if it is far enough from others; false when out of memory. */
bool history_keep(struct gpucode_debug *debug, uint64_t now, bool always);
/* The last checkpoint at or before a position. */
size_t history_before(const struct gpucode_debug *debug, uint64_t position);
void history_load(struct gpucode_debug *debug, size_t checkpoint);
/* How far the machine may run until the next snapshot is due, seen from `now`, the position it runs to. */
uint64_t history_room(const struct gpucode_debug *debug, uint64_t now);
void history_free(struct gpucode_debug *debug);
/* Forgets what comes after the present position, because it is about to be changed. */
void history_cut(struct gpucode_debug *debug);
/* The present position becomes the beginning. */
bool history_restart(struct gpucode_debug *debug);

/* changes.c */
/* Does all inputs of the present position that are not done yet. */
void changes_replay(struct gpucode_debug *debug);

/* history.c: changes for later */
/* Room for one more input in a list; false: no memory. */
bool portions_make_room(struct input **inputs, size_t count, size_t *room);
enum gpucode_status portions_keep(struct gpucode_debug *debug, const struct input *input);
/* Makes the inputs of the next portion that waits inputs of the present position; false: none waits, or no memory. */
bool portions_bring(struct gpucode_debug *debug, uint64_t position, bool *no_memory);

/* breakpoints.c */
/* Gives the machine what the breakpoints need, or takes all of it away. */
void breakpoints_arm(struct gpucode_debug *debug, bool on);
void breakpoints_forget_events(struct gpucode_debug *debug);
void breakpoints_free(struct gpucode_debug *debug);
struct breakpoint *breakpoints_find(struct gpucode_debug *debug, unsigned number);
/* A breakpoint that one movement needs; its number is 0. Null when out of memory. */
struct breakpoint *breakpoints_add_internal(struct gpucode_debug *debug, unsigned processor, uint64_t pc);
void breakpoints_remove_internal(struct gpucode_debug *debug);

/* run.c */
enum run_end { RUN_TARGET, RUN_BREAKPOINT, RUN_INTERNAL, RUN_MACHINE, RUN_INTERRUPT, RUN_MEMORY, RUN_LIMIT };
struct run {
    uint64_t target;   /* position to stop at */
    bool breakpoints;  /* stop where one is hit */
    bool count;        /* and count the hits: the user asked for this run */
    bool internal;     /* `breakpoints` means internal ones only */
    bool start_counts; /* a breakpoint at the position where the run begins is hit too */
    bool keep;         /* take snapshots */
    bool whole;        /* heed no interrupts: the way is short, and the state has to become that of the target */
    uint64_t now; /* snapshots are close together around this position, where the user will be; 0: where the run ends */
};
/* Runs; *stop is filled for BREAKPOINT and MACHINE. */
enum run_end debug_run(struct gpucode_debug *debug, const struct run *run, struct gpucode_debug_stop *stop);
/* To a position that was reached before. */
enum run_end debug_replay(struct gpucode_debug *debug, uint64_t position);
/* Fills *stop for the end of a movement of the selected processor. */
void debug_report(struct gpucode_debug *debug, enum run_end end, struct gpucode_debug_stop *stop);
/* One instruction of any processor; debug->ran tells whether the selected one ran it. */
enum run_end debug_single(struct gpucode_debug *debug, struct gpucode_debug_stop *stop);
/* The same, on the way to somewhere else: no snapshots are taken. */
enum run_end debug_look(struct gpucode_debug *debug, struct gpucode_debug_stop *stop);

#endif
