/* SPDX-License-Identifier: MIT */
/*
 * What code is made of, without running it: functions, basic blocks, calls, who reads and writes what with which
 * constants, and what those who send commands can make it do.
 *
 *     struct gpucode_analysis *analysis;
 *     if (gpucode_analyse(image, NULL, &analysis) == GPUCODE_OK) {
 *         const struct gpucode_function *function;
 *         for (unsigned i = 0; (function = gpucode_analysis_function(analysis, 0, i)); i++)
 *             printf("%u: %u blocks\n", function->start, function->block_count);
 *         gpucode_analysis_free(analysis);
 *     }
 *
 * docs/analysis.md says exactly what these words mean. An analysis is read-only and may be shared by threads, but for
 * gpucode_analysis_references() and gpucode_analysis_privileges(), which keep notes in it: one thread at a time. It
 * refers to the image, which must live as long.
 */
#ifndef GPUCODE_ANALYSIS_H
#define GPUCODE_ANALYSIS_H

#include <gpucode/image.h>
#include <gpucode/names.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_analysis;
struct gpucode_outline; /* gpucode/outline.h */

/* Control that was seen going from a transfer to some place while code ran: gpucode_walk_edges(). */
struct gpucode_seen_edge {
    unsigned section;
    uint32_t from, to; /* units from the section's start */
};

struct gpucode_analysis_options {
    const struct gpucode_names *names; /* of packets and registers, ahead of the built-in ones; or null */
    /* Edges that were seen, in any order; they are added to those that the code tells of, and marked. Copied. */
    const struct gpucode_seen_edge *seen;
    size_t seen_count;
};

/*
 * Analyses all sections of an image. `options` may be null. *out belongs to the caller: gpucode_analysis_free().
 * Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (nothing is known of such code), GPUCODE_ERROR_RANGE (functions share
 * so much code that their blocks are too many to list), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_analyse(const struct gpucode_image *image,
                                                const struct gpucode_analysis_options *options,
                                                struct gpucode_analysis **out);
/* Is enough known of the target's instruction set for gpucode_analyse()? Any thread. */
GPUCODE_API bool gpucode_can_analyse(const struct gpucode_target *target);
/*
 * Does an analysis of such code follow values as well: constants, notes, privileges, numbers that are places? Of other
 * code it knows the flow, and the references that instructions alone tell. Any thread.
 */
GPUCODE_API bool gpucode_can_follow_values(const struct gpucode_target *target);
/* Has the target's instruction set branches, jumps or calls? Else its programs are one block. Any thread. */
GPUCODE_API bool gpucode_has_branches(const struct gpucode_target *target);
/*
 * The same for a text that is to be edited (gpucode_disasm_options.constants): code that only jumps by a register lead
 * to is found as well. *complete, which may be null: all numbers that are places are known. Returns what
 * gpucode_analyse() does; GPUCODE_ERROR_UNSUPPORTED also where values are not followed.
 */
GPUCODE_API enum gpucode_status gpucode_analyse_places(const struct gpucode_image *image,
                                                       const struct gpucode_names *names, struct gpucode_analysis **out,
                                                       bool *complete);
/* null is allowed. */
GPUCODE_API void gpucode_analysis_free(struct gpucode_analysis *analysis);

/* --- blocks -------------------------------------------------------------------------------------------- */

enum gpucode_edge_kind {
    GPUCODE_EDGE_NEXT,
    GPUCODE_EDGE_TAKEN,
    GPUCODE_EDGE_TABLE,      /* by a register, out of a table of jumps */
    GPUCODE_EDGE_UNRESOLVED, /* by a register, it is not known where to */
    GPUCODE_EDGE_RETURN,     /* to whoever called, or was interrupted */
    GPUCODE_EDGE_DISPATCH,   /* to the handler of the next packet */
    GPUCODE_EDGE_SEEN,       /* code alone does not tell, but a run went there */
    GPUCODE_EDGE_STOP,       /* the program ends */
};
/* "next", "taken", ... */
GPUCODE_API const char *gpucode_edge_name(enum gpucode_edge_kind kind);

struct gpucode_edge {
    enum gpucode_edge_kind kind;
    bool known;  /* it leads to `to` */
    bool seen;   /* a run went there: gpucode_analysis_options.seen */
    uint32_t to; /* units from the section's start; after the code or in data: what is there is not known */
};

/* A basic block; what stands in delay slots belongs to the block of the branch. Calls end no block. */
struct gpucode_block {
    uint32_t start, end; /* units; `end` is exclusive */
    uint32_t edge_count;
    const struct gpucode_edge *edges;
};

/* Block number `index` of a section, by address; null after the last. */
GPUCODE_API const struct gpucode_block *gpucode_analysis_block(const struct gpucode_analysis *analysis,
                                                               unsigned section, unsigned index);

/* --- functions ----------------------------------------------------------------------------------------- */

enum gpucode_function_kind {
    GPUCODE_FUNCTION_BOOT,
    GPUCODE_FUNCTION_HANDLER, /* of packets */
    GPUCODE_FUNCTION_PREEMPT, /* entered where the hardware interrupts */
    GPUCODE_FUNCTION_ROUTINE,
    GPUCODE_FUNCTION_START, /* what a program runs first that is not a firmware: a shader, a macro, a script */
};
/* "boot", "handler", ... */
GPUCODE_API const char *gpucode_function_kind_name(enum gpucode_function_kind kind);

struct gpucode_function_call {
    uint32_t at, to;   /* units; `to` is the start of a function, or outside the code */
    bool linked;       /* the return address goes to a register, not on the hardware's stack */
    uint32_t function; /* index of the function called; GPUCODE_NONE: `to` is outside */
};

/* An edge into another function that is not a call. */
struct gpucode_tail {
    uint32_t at;       /* unit of the transfer, or of the last unit in front of where one function falls into another */
    uint32_t function; /* index of the other one */
};

struct gpucode_function {
    uint32_t start; /* units from the section's start */
    enum gpucode_function_kind kind;
    int depth;           /* return addresses on the stack above its level at most; -1: it, or what it calls, recurs */
    uint64_t packets[2]; /* bit n % 64 of word n / 64: it is the handler of packet n */
    uint64_t reached_by[2]; /* handlers of these packets lead here by calls and jumps */
    uint32_t block_count;
    const uint32_t *blocks; /* their numbers, ascending; functions may share blocks */
    uint32_t call_count;
    const struct gpucode_function_call *calls; /* by address */
    uint32_t tail_count;
    const struct gpucode_tail *tails; /* by address */
};

/* Function number `index` of a section, by address; null after the last. */
GPUCODE_API const struct gpucode_function *gpucode_analysis_function(const struct gpucode_analysis *analysis,
                                                                     unsigned section, unsigned index);
/*
 * Writes the function's name with a final zero: "boot", the first packet that has a name ("CP_NOP"), "preempt",
 * "fxn12". Returns its length, 0 where there is no such function or `size` is less than GPUCODE_NAME_MAX.
 */
GPUCODE_API size_t gpucode_analysis_name(const struct gpucode_analysis *analysis, unsigned section, unsigned index,
                                         char *text, size_t size);
/*
 * The same as listings call the function: by the label that `outline`, which is of the same image, has at its start
 * (the caller's name of the place, the packet's), else as above. null: without an outline.
 */
GPUCODE_API size_t gpucode_analysis_listed_name(const struct gpucode_analysis *analysis,
                                                const struct gpucode_outline *outline, unsigned section, unsigned index,
                                                char *text, size_t size);
/*
 * The function that a unit of code belongs to: of several the one that begins last at or before it, else the first.
 * GPUCODE_NONE: none does.
 */
GPUCODE_API uint32_t gpucode_analysis_owner(const struct gpucode_analysis *analysis, unsigned section, uint32_t unit);
/* The packets that lead to a unit, as in gpucode_function.reached_by. False: no function has it. */
GPUCODE_API bool gpucode_analysis_reached_by(const struct gpucode_analysis *analysis, unsigned section, uint32_t unit,
                                             uint64_t packets[2]);
/* Name of a packet as the analysis has it, "UNKN12" where it has none; final zero included. Returns its length. */
GPUCODE_API size_t gpucode_analysis_packet_name(const struct gpucode_analysis *analysis, unsigned packet, char *text,
                                                size_t size);

/* --- what stands in immediates --------------------------------------------------------------------------- */

enum gpucode_constant_kind {
    GPUCODE_CONSTANT_INTERRUPT, /* where the hardware goes to when it interrupts */
    GPUCODE_CONSTANT_JUMPS,     /* the first of a table of jumps */
    GPUCODE_CONSTANT_CODE,      /* any other place that control goes to: by a register, a packet table, a stack */
    GPUCODE_CONSTANT_PACKETS,   /* the packet table */
    GPUCODE_CONSTANT_SECTION,   /* the start of a section */
    GPUCODE_CONSTANT_END,       /* the end of the image */
};

/* Numbers of more than 16 bits come in two immediates. */
enum gpucode_constant_half { GPUCODE_HALF_NONE, GPUCODE_HALF_LOW, GPUCODE_HALF_HIGH };

/*
 * A number in the immediate of an instruction, or in a word that is not one, that is a place, or half of one: `scale`
 * times the units from the start of the section, or of the image, to the place.
 */
struct gpucode_code_constant {
    enum gpucode_constant_kind kind;
    unsigned section; /* where the number stands, */
    uint32_t at;      /* and its unit there */
    unsigned to_section;
    uint32_t to;                     /* the place, from the start of to_section */
    uint32_t count;                  /* of a table of jumps: its units */
    unsigned scale;                  /* 1, 2 or 4: bytes */
    bool from_image;                 /* counted from the start of the image */
    enum gpucode_constant_half half; /* the immediate is that of the number: its lower 16 bits, or those above */
};
/* All of them, by section and unit; *count is how many. They live as long as the analysis. */
GPUCODE_API const struct gpucode_code_constant *gpucode_analysis_constants(const struct gpucode_analysis *analysis,
                                                                           size_t *count);
/*
 * An instruction that uses a register as a place of code whose value, on some way to it, has no immediates that are
 * known: it comes from memory, from a packet, or is calculated. Where code is moved, it may have to change.
 */
struct gpucode_lost_place {
    enum gpucode_constant_kind kind;
    unsigned section;
    uint32_t at; /* unit from the section's start */
};
/* All of these, by section and unit, in the same way as gpucode_analysis_constants(). */
GPUCODE_API const struct gpucode_lost_place *gpucode_analysis_lost(const struct gpucode_analysis *analysis,
                                                                   size_t *count);

/* --- references ------------------------------------------------------------------------------------------ */

enum gpucode_reference_kind {
    GPUCODE_REFERENCE_READ,
    GPUCODE_REFERENCE_WRITE,
    GPUCODE_REFERENCE_CALL,
    GPUCODE_REFERENCE_JUMP,
    GPUCODE_REFERENCE_ADDRESS, /* a place of code stands in a table, or is written where the hardware goes to */
};
/* "read", "write", ... */
GPUCODE_API const char *gpucode_reference_kind_name(enum gpucode_reference_kind kind);

/* Spaces beside enum gpucode_space. */
enum { GPUCODE_SPACE_CODE = 64, GPUCODE_SPACE_MEMORY };

struct gpucode_reference {
    enum gpucode_reference_kind kind;
    unsigned section;
    uint32_t unit;   /* where the access stands, from the section's start */
    unsigned space;  /* enum gpucode_space, GPUCODE_SPACE_CODE or GPUCODE_SPACE_MEMORY */
    uint32_t number; /* of the register; of code the unit; memory: 0 */
    bool exact;      /* false: a register adds something unknown to `number` */
    bool has_value;  /* it writes `value`, on all paths */
    uint32_t value;
    const char *via; /* the register that selects: "addr", "usraddr", "regdata"; null: the instruction itself */
    bool in_table;   /* it stands in a packet table, whose entry is `packet` */
    unsigned packet;
};

/*
 * Calls `found` for each reference of all sections, by address. Stops where it returns false. Returns GPUCODE_OK,
 * GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status
gpucode_analysis_references(struct gpucode_analysis *analysis,
                            bool (*found)(void *user, const struct gpucode_reference *reference), void *user);

/*
 * The text of general register `number` where an instruction reads, or writes, it: "$12", "$data". Final zero included.
 * Returns its length, 0: there is no such register, or `size` is less than GPUCODE_NAME_MAX. Any thread.
 */
GPUCODE_API size_t gpucode_analysis_register(const struct gpucode_target *target, uint32_t number, bool written,
                                             char *text, size_t size);

/*
 * The name of the register that is referred to, with the mark that it has in text: "@IB1_BASE", "CP_SCRATCH[1].REG",
 * "$12". Final zero included. Returns its length, 0: it is not a register or has no name, or `size` is less than
 * GPUCODE_NAME_MAX + 1.
 */
GPUCODE_API size_t gpucode_analysis_reference_name(const struct gpucode_analysis *analysis,
                                                   const struct gpucode_reference *reference, char *text, size_t size);
/*
 * Names of packets (bit n % 64 of word n / 64: packet n) for people: at most `most` of them, "CP_NOP, CP_WAIT_MEM and
 * 12 more"; cut to `size` with its final zero. Returns the length of what was written, 0: there are none.
 */
GPUCODE_API size_t gpucode_analysis_packets(const struct gpucode_analysis *analysis, const uint64_t packets[2],
                                            unsigned most, char *text, size_t size);

/* --- notes: what the text of an instruction does not say -------------------------------------------------- */

struct gpucode_notes;

/*
 * Collects what is known of each instruction. The notes refer to the analysis, which must live as long. Returns
 * GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Notes are read-only and may be shared by threads.
 */
GPUCODE_API enum gpucode_status gpucode_notes_create(struct gpucode_analysis *analysis, struct gpucode_notes **out);
/* null is allowed. */
GPUCODE_API void gpucode_notes_free(struct gpucode_notes *notes);
/* Room for what gpucode_notes_text() writes. */
#define GPUCODE_NOTE_MAX 512
/*
 * Registers that an instruction reaches by a constant which its text does not show, and constants that it makes or
 * writes: "@IB1_BASE = 0x2000", "CP_SCRATCH[1].REG", "= 0x12340000". Final zero included. Returns the length, 0: its
 * text says it all, or `size` is less than GPUCODE_NOTE_MAX.
 */
GPUCODE_API size_t gpucode_notes_text(const struct gpucode_notes *notes, unsigned section, uint32_t unit, char *text,
                                      size_t size);

/* --- what ran ------------------------------------------------------------------------------------------- */

struct gpucode_walk;

/*
 * Follows processors that run code of an image, and keeps where branches and jumps led. The image must live as long.
 * Returns GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. One thread at a time.
 */
GPUCODE_API enum gpucode_status gpucode_walk_create(const struct gpucode_image *image, struct gpucode_walk **out);
/* null is allowed. */
GPUCODE_API void gpucode_walk_free(struct gpucode_walk *walk);
#define GPUCODE_WALK_PROCESSORS 8
/*
 * A processor (less than GPUCODE_WALK_PROCESSORS) is about to run the instruction at `pc` of a section: to be called
 * from a machine's hook for GPUCODE_EVENT_INSN. False: out of memory, or no such processor; the edge is lost.
 */
GPUCODE_API bool gpucode_walk_step(struct gpucode_walk *walk, unsigned processor, unsigned section, uint64_t pc);
/* The edges so far, each once, by section and place; the walk's, until its next step. null: out of memory. */
GPUCODE_API const struct gpucode_seen_edge *gpucode_walk_edges(struct gpucode_walk *walk, size_t *count);

/* --- privileges ------------------------------------------------------------------------------------------ */

/* Bits of what a packet can do. */
enum gpucode_privilege {
    GPUCODE_PRIVILEGE_REGISTER_ANY = 1, /* a register that the packet chooses, past the hardware's protection */
    GPUCODE_PRIVILEGE_PAGE_TABLE = 2,   /* the GPU's page tables are changed */
    GPUCODE_PRIVILEGE_REGISTER = 4,     /* a register that the firmware chooses, or that the hardware guards */
    GPUCODE_PRIVILEGE_MEMORY = 8,       /* memory is written */
};
/* Name of the lowest bit of `effects`: "register-any"; "none" for 0. */
GPUCODE_API const char *gpucode_privilege_name(unsigned effects);

struct gpucode_privileges {
    unsigned section, packet, level;
    const char *level_name; /* "RB", "IB1", ... */
    unsigned effects;       /* enum gpucode_privilege, 0: none */
    bool tried;             /* gpucode_analysis_trials() has run the handler, */
    unsigned seen;          /* and this is what it did */
    bool led;               /* the firmware's own packets led to that level, too, */
    unsigned led_seen;      /* where the handler did this; */
    unsigned put_seen;      /* with the same packets, but put at that level, it did that */
};

/*
 * Calls `found` for each section with a packet table, packet and level, in this order. Stops where it returns false.
 * Takes time: each handler is looked at anew at each level. Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (the target
 * has no levels that we know of), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status
gpucode_analysis_privileges(struct gpucode_analysis *analysis,
                            bool (*found)(void *user, const struct gpucode_privileges *row), void *user);

/*
 * The same, and each handler is run as well: on a machine that was booted, at each level, with some dozens of packets
 * whose words are marked, or numbers that the handler compares with. What a run shows is possible; what no run shows
 * may be. Then a few of these packets stand in indirect buffers, or groups of draw state, that the firmware itself
 * comes to from the ring. Takes some milliseconds. `tried` is false where boot does not come to its end, or no
 * processor runs the section.
 */
GPUCODE_API enum gpucode_status gpucode_analysis_trials(struct gpucode_analysis *analysis,
                                                        bool (*found)(void *user, const struct gpucode_privileges *row),
                                                        void *user);

#ifdef __cplusplus
}
#endif
#endif
