/* SPDX-License-Identifier: MIT */
/*
 * Debugging: a session over a machine that stops where it is asked to, and goes back in time.
 *
 *     struct gpucode_debug *debug;
 *     if (gpucode_debug_create(machine, NULL, &debug) == GPUCODE_OK) {
 *         struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE, .address = 0x20};
 *         struct gpucode_debug_stop stop;
 *         gpucode_debug_add(debug, &breakpoint);
 *         gpucode_debug_continue(debug, false, &stop);     // forwards to the breakpoint
 *         gpucode_debug_step(debug, true, &stop);          // one instruction back
 *         gpucode_debug_free(debug);
 *     }
 *
 * Going back is done by snapshots and deterministic replay. A point in time is named by its position: the number of
 * instructions that all processors together have run since the session began. What is done to the machine from outside
 * is recorded with its position and done again in a replay; so once a session exists, change its machine through the
 * session only. A change made in the past forgets the future.
 *
 * One session from one thread at a time; gpucode_debug_interrupt() alone may come from a signal or another thread.
 */
#ifndef GPUCODE_DEBUG_H
#define GPUCODE_DEBUG_H

#include <gpucode/diagnostic.h>
#include <gpucode/image.h>
#include <gpucode/insn.h>
#include <gpucode/machine.h>
#include <gpucode/outline.h>
#include <gpucode/symbols.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_debug;

struct gpucode_debug_options {
    /* Or null. Bound to the machine's image (gpucode_symbols_bind()); they must live as long as the session. */
    const struct gpucode_symbols *symbols;
    uint64_t gap;   /* least instructions between snapshots; 0: 65536 */
    size_t memory;  /* bytes that snapshots may take; 0: 256 MiB */
    uint64_t limit; /* the session goes no further than this position; 0: as far as there are numbers */
    /*
     * Or null. Asked again and again while the session moves, before each million instructions at the latest; true ends
     * the movement as gpucode_debug_interrupt() does. For programs of one thread that nothing else can reach.
     */
    bool (*wants_interrupt)(void *user);
    void *user;
};

/*
 * A session that begins at the machine's present state. The machine stays the caller's and must live longer than
 * the session. Returns GPUCODE_OK, GPUCODE_ERROR_ARGUMENT or GPUCODE_ERROR_MEMORY.
 */
GPUCODE_API enum gpucode_status gpucode_debug_create(struct gpucode_machine *machine,
                                                     const struct gpucode_debug_options *options,
                                                     struct gpucode_debug **out);
/* null is allowed. Takes its breakpoints and hook off the machine. */
GPUCODE_API void gpucode_debug_free(struct gpucode_debug *debug);
GPUCODE_API struct gpucode_machine *gpucode_debug_machine(const struct gpucode_debug *debug);
GPUCODE_API const struct gpucode_symbols *gpucode_debug_symbols(const struct gpucode_debug *debug);

/* The image as listings show it, whose names of places the session uses; it lives until gpucode_debug_rename(). */
GPUCODE_API const struct gpucode_outline *gpucode_debug_outline(const struct gpucode_debug *debug);
/*
 * Finds the names of places anew, after symbols were added and bound. Returns GPUCODE_OK, GPUCODE_ERROR_ARGUMENT or
 * GPUCODE_ERROR_MEMORY, with the names as they were.
 */
GPUCODE_API enum gpucode_status gpucode_debug_rename(struct gpucode_debug *debug);

/* The processor that step, next and finish mean, and whose registers expressions read. 0 at first. */
GPUCODE_API unsigned gpucode_debug_processor(const struct gpucode_debug *debug);
GPUCODE_API enum gpucode_status gpucode_debug_select(struct gpucode_debug *debug, unsigned processor);

/* --- breakpoints: where to stop ----------------------------------------------------------------------- */

enum gpucode_breakpoint_kind {
    GPUCODE_BREAKPOINT_CODE,     /* an instruction is about to run */
    GPUCODE_WATCHPOINT_REGISTER, /* a register is accessed */
    GPUCODE_WATCHPOINT_MEMORY,   /* memory is accessed */
    GPUCODE_CATCHPOINT_PACKET,   /* a packet is taken */
    GPUCODE_CATCHPOINT_ACTION,   /* the outside is acted upon: flags, waits, events */
    GPUCODE_CATCHPOINT_FAULT, /* the machine stands still by itself with a fault; it does so without a breakpoint too */
};

/* Bits of gpucode_breakpoint.access. */
enum {
    GPUCODE_ACCESS_READ = 1,
    GPUCODE_ACCESS_WRITE = 2,
    GPUCODE_ACCESS_CHANGE = 4, /* a write that leaves another value than before */
};

#define GPUCODE_ANY UINT64_MAX

struct gpucode_breakpoint {
    unsigned number; /* given by gpucode_debug_add(): 1, 2, ... */
    enum gpucode_breakpoint_kind kind;
    unsigned section;   /* CODE: of all processors that run it */
    bool one_processor; /* only on `processor`, else on any */
    unsigned processor;
    unsigned access;  /* REGISTER, MEMORY */
    unsigned space;   /* REGISTER */
    uint64_t address; /* CODE: units from the section's start; register number, memory address, opcode or GPUCODE_ANY */
    uint64_t size;    /* MEMORY: bytes; REGISTER: count; 0 counts as 1 */
    const char *condition; /* expression that must not be 0, or null; copied */
    const char *label;     /* what the user called it, or null; copied */
    const char *code;      /* FAULT: only stops whose code contains this, or null; copied */
    uint64_t ignore;       /* pass so many hits first */
    uint64_t hits;         /* those that passed the condition, going forwards into the unknown or again */
    bool temporary;        /* goes away when hit */
    bool disabled;
};

/*
 * Adds a breakpoint; breakpoint->number is set. Returns GPUCODE_OK, GPUCODE_ERROR_RANGE (no such address),
 * GPUCODE_ERROR_UNSUPPORTED (the machine has no such thing) or GPUCODE_ERROR_MEMORY.
 */
GPUCODE_API enum gpucode_status gpucode_debug_add(struct gpucode_debug *debug, struct gpucode_breakpoint *breakpoint);
GPUCODE_API enum gpucode_status gpucode_debug_remove(struct gpucode_debug *debug, unsigned number);
/* Breakpoint by its place in the list; strings are the session's, valid until the next change. False after the last.
 */
GPUCODE_API bool gpucode_debug_breakpoint_at(const struct gpucode_debug *debug, unsigned index,
                                             struct gpucode_breakpoint *breakpoint);
GPUCODE_API enum gpucode_status gpucode_debug_enable(struct gpucode_debug *debug, unsigned number, bool on);
GPUCODE_API enum gpucode_status gpucode_debug_ignore(struct gpucode_debug *debug, unsigned number, uint64_t hits);
/* null or "": no condition. The text is not checked here: gpucode_debug_evaluate() tells what is wrong with one. */
GPUCODE_API enum gpucode_status gpucode_debug_condition(struct gpucode_debug *debug, unsigned number,
                                                        const char *condition);
/*
 * The breakpoint tells in place of stopping: wherever the session would stop for it while it goes forwards, `tell` is
 * called with its number and the session goes on; going backwards it passes in silence. `tell` may evaluate
 * expressions, of the processor that was hit, without assignments, and do nothing else with the session. Null: it
 * stops again. Returns GPUCODE_OK, GPUCODE_ERROR_RANGE (no such breakpoint) or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_debug_tell(struct gpucode_debug *debug, unsigned number,
                                                   void (*tell)(void *user, unsigned number), void *user);

/* --- moving in time ----------------------------------------------------------------------------------- */

enum gpucode_debug_reason {
    GPUCODE_DEBUG_DONE,       /* what was asked for is reached */
    GPUCODE_DEBUG_BREAKPOINT, /* `breakpoint` was hit */
    GPUCODE_DEBUG_MACHINE,    /* the machine stands still: `machine` says why */
    GPUCODE_DEBUG_BEGINNING,  /* going back: nothing is known before this */
    GPUCODE_DEBUG_INTERRUPT,  /* gpucode_debug_interrupt() */
    GPUCODE_DEBUG_MEMORY,     /* out of memory; the position is where it was or where the run got to */
    GPUCODE_DEBUG_LIMIT,      /* the session's limit is reached */
};

struct gpucode_debug_stop {
    enum gpucode_debug_reason reason;
    unsigned processor;
    uint64_t pc; /* of the processor */
    uint64_t position;
    unsigned breakpoint;        /* BREAKPOINT: its number */
    bool temporary;             /* BREAKPOINT: it is gone now */
    bool condition_failed;      /* BREAKPOINT: its condition could not be evaluated */
    unsigned also[4];           /* BREAKPOINT: others that were hit at the same time, as many as there is room for; */
    unsigned also_count;        /* temporary ones are gone too */
    struct gpucode_event event; /* BREAKPOINT that watches or catches something but a fault: what happened */
    struct gpucode_stop machine;
};

/* Instructions run since the session began. */
GPUCODE_API uint64_t gpucode_debug_position(const struct gpucode_debug *debug);
/* The furthest position that was ever reached on this course of events. */
GPUCODE_API uint64_t gpucode_debug_end(const struct gpucode_debug *debug);

/*
 * To the next breakpoint that is hit, or backwards to the last one: a breakpoint is hit at the same positions both
 * ways, and the present position never counts.
 */
GPUCODE_API void gpucode_debug_continue(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop);
/* One instruction of the selected processor, and what the others run meanwhile. Breakpoints do not stop it. */
GPUCODE_API void gpucode_debug_step(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop);
/* The same, but a call counts as one instruction, unless a breakpoint is hit in it. */
GPUCODE_API void gpucode_debug_next(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop);
/* Until the present subroutine has returned; backwards: to the call that led here. UNSUPPORTED outside of one. */
GPUCODE_API enum gpucode_status gpucode_debug_finish(struct gpucode_debug *debug, bool back,
                                                     struct gpucode_debug_stop *stop);
/* Until the selected processor is about to run the instruction at `pc`, or a breakpoint is hit. */
GPUCODE_API enum gpucode_status gpucode_debug_until(struct gpucode_debug *debug, uint64_t pc,
                                                    struct gpucode_debug_stop *stop);
/*
 * The same with `count` places, until the first of them. Returns GPUCODE_OK, GPUCODE_ERROR_RANGE (there is no place, or
 * no code at one of them: nothing has moved), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_debug_until_any(struct gpucode_debug *debug, const uint64_t *pcs, size_t count,
                                                        struct gpucode_debug_stop *stop);
/* To a position in past or future. Breakpoints do not stop it. */
GPUCODE_API void gpucode_debug_goto(struct gpucode_debug *debug, uint64_t position, struct gpucode_debug_stop *stop);
/* Makes the running or the next movement end soon. May be called from a signal handler or another thread. */
GPUCODE_API void gpucode_debug_interrupt(struct gpucode_debug *debug);
/* Takes an interrupt back that no movement has heard of; false: there was none. For front ends, before they move. */
GPUCODE_API bool gpucode_debug_take_interrupt(struct gpucode_debug *debug);

/* How much the history takes. */
struct gpucode_history {
    unsigned snapshots;
    size_t bytes;     /* of them all, sharing considered */
    uint64_t gap;     /* present least distance of two, in instructions */
    unsigned inputs;  /* changes from outside that were recorded */
    uint64_t changes; /* all that were ever made */
};
GPUCODE_API void gpucode_debug_history(const struct gpucode_debug *debug, struct gpucode_history *history);

/* --- changes from outside, recorded -------------------------------------------------------------------- */

/* As the functions of <gpucode/machine.h>. */
GPUCODE_API enum gpucode_status gpucode_debug_write(struct gpucode_debug *debug, unsigned processor, unsigned space,
                                                    uint32_t number, uint32_t value);
GPUCODE_API enum gpucode_status gpucode_debug_set_pc(struct gpucode_debug *debug, unsigned processor, uint64_t pc);
GPUCODE_API enum gpucode_status gpucode_debug_store(struct gpucode_debug *debug, uint64_t address, const void *bytes,
                                                    size_t size);
GPUCODE_API enum gpucode_status gpucode_debug_map(struct gpucode_debug *debug, uint64_t address, uint64_t size);
GPUCODE_API enum gpucode_status gpucode_debug_feed(struct gpucode_debug *debug, unsigned processor,
                                                   const uint32_t *words, size_t count);
/*
 * Changes for later: from `on` until it is called with false, the functions above keep what they are asked to do, as
 * one portion. A portion is done when the machine waits for input that nothing in it will bring (GPUCODE_STOP_IDLE) and
 * would stand still; the movement goes on then. Each such wait gets the next portion. They are changes like others:
 * recorded, and made again in a replay; a change in their past forgets that they were made, and they come once more
 * when the machine waits. What the machine refuses at that time is left out. Returns GPUCODE_OK,
 * GPUCODE_ERROR_ARGUMENT or GPUCODE_ERROR_MEMORY (no portion was begun).
 */
GPUCODE_API enum gpucode_status gpucode_debug_defer(struct gpucode_debug *debug, bool on);
/* The machine becomes what a snapshot of it was; if a replay does not lead to that state, history begins anew. */
GPUCODE_API enum gpucode_status gpucode_debug_restore(struct gpucode_debug *debug,
                                                      const struct gpucode_snapshot *snapshot);

/* --- expressions --------------------------------------------------------------------------------------- */

/* Where a value can be assigned. */
enum gpucode_value_place { GPUCODE_VALUE_PLAIN, GPUCODE_VALUE_REGISTER, GPUCODE_VALUE_MEMORY, GPUCODE_VALUE_PC };

struct gpucode_value {
    int64_t number;
    enum gpucode_value_place place;
    unsigned space;   /* REGISTER */
    uint64_t address; /* register number or memory address */
    unsigned size;    /* bytes of what can be assigned: 4, and 1, 2 or 8 for {address, size} */
    bool is_code;     /* a label took part: the number is a code address */
    unsigned section; /* is_code: of this section; else GPUCODE_VALUE_FLOAT of floats, and 0 */
};

/*
 * In `section` of a value: `number` has the bits of a float, of 32 bits, in MEMORY of `size` bytes. A register that can
 * hold floats is none by itself: what its bits mean, nothing says.
 */
#define GPUCODE_VALUE_FLOAT 1u

/*
 * C's operators on 64-bit signed numbers, assignments included if `assign`, over
 *   numbers (0x1f, 017, 0b101), characters, casts to integer types;
 *   floats of 32 bits (2.5, 1e-3) with + - * / and comparisons: a register that can hold floats, or memory, is one where
 *     the other operand is, and where (float) stands before it; a float is assigned to these alone;
 *   registers by the names the text has ($02, @IB1_BASE, %SP, CP_SCRATCH[2].REG, r1.y), 'any name' in quotes;
 *     $pc, $position, $time;
 *   labels (name, #name, SECTION:name, packet names for their handlers), constants and other symbols;
 *   memory: *address and {address} for a word, {address, size} for 1, 2, 4 or 8 bytes, *(type *)address and
 * {type}address; on machines whose registers have addresses words are registers. Reading has no side effects.
 * Returns GPUCODE_OK, GPUCODE_ERROR_INPUT (the diagnostic handler was told) or, of an assignment, GPUCODE_ERROR_MEMORY.
 */
GPUCODE_API enum gpucode_status gpucode_debug_evaluate(struct gpucode_debug *debug, const char *text, size_t length,
                                                       bool assign, struct gpucode_diagnostic_handler on_diagnostic,
                                                       struct gpucode_value *value);
/*
 * The number to assign to `place` (gpucode_debug_assign()) that makes it `value`: of a float the bits that a register of
 * 32 or 16 bits, or memory of 2, 4 or 8 bytes, has for it; else the number itself. Returns GPUCODE_OK, or
 * GPUCODE_ERROR_INPUT where the place can hold no float.
 */
GPUCODE_API enum gpucode_status gpucode_debug_bits(const struct gpucode_debug *debug, const struct gpucode_value *place,
                                                   const struct gpucode_value *value, int64_t *number);
/* Assigns to what a value names. Returns GPUCODE_OK, GPUCODE_ERROR_ARGUMENT (nothing to assign to) or what writing
 * says. */
GPUCODE_API enum gpucode_status gpucode_debug_assign(struct gpucode_debug *debug, const struct gpucode_value *value,
                                                     int64_t number);

/* --- code ---------------------------------------------------------------------------------------------- */

/* The machine's image. Sections number 0 exists even where the image has no list of them. */
GPUCODE_API const struct gpucode_image *gpucode_debug_image(const struct gpucode_debug *debug);
GPUCODE_API bool gpucode_debug_section(const struct gpucode_debug *debug, unsigned section,
                                       struct gpucode_section *out);
/* The instruction at a place; `bytes` (null: not wanted) receives where it stands in the file. */
GPUCODE_API enum gpucode_status gpucode_debug_insn(const struct gpucode_debug *debug, unsigned section, uint64_t pc,
                                                   struct gpucode_insn *insn, const unsigned char **bytes);
/* Its text, labels and names included, or that of data; returns the units it takes, 0 where there is no code. */
GPUCODE_API unsigned gpucode_debug_text(const struct gpucode_debug *debug, unsigned section, uint64_t pc, char *text,
                                        size_t size);
/*
 * "draw_state+0x3" for a place: its name as listings have it, see gpucode_outline_near(). Returns the length, 0 when
 * there is none.
 */
GPUCODE_API size_t gpucode_debug_label(const struct gpucode_debug *debug, unsigned section, uint64_t pc, char *text,
                                       size_t size);
/* Source place of a code address; false when it is not known. */
GPUCODE_API bool gpucode_debug_place(const struct gpucode_debug *debug, unsigned section, uint64_t pc,
                                     struct gpucode_place *place);
/* Where the macros were used that it comes from, the innermost first; false after the last. */
GPUCODE_API bool gpucode_debug_use(const struct gpucode_debug *debug, unsigned section, uint64_t pc, unsigned index,
                                   struct gpucode_place *place);

#ifdef __cplusplus
}
#endif
#endif
