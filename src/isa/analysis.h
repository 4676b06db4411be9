/* SPDX-License-Identifier: MIT */
/*
 * What the room analysis/ finds out about code, as plain data, and what it asks of an instruction set to find it. The
 * room knows how control flows and how values travel along; the set says what an instruction is and does.
 */
#ifndef ISA_ANALYSIS_H
#define ISA_ANALYSIS_H

#include "base/arena.h"
#include "isa/layout.h"

#include <gpucode/analysis.h>
#include <gpucode/insn.h>
#include <gpucode/machine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a register may hold at a place, as far as code alone tells: nothing yet, one of a few constants, or something
 * unknown, with what is known of its origin. Sets of constants are kept once in a pool, so that a value is a number and
 * equal values are equal numbers.
 */

typedef uint32_t isa_value;

/* Joining goes up in this order: constants, unknown, derived from the level, payload. */
enum {
    ISA_VALUE_NONE,    /* no path has come here */
    ISA_VALUE_UNKNOWN, /* anything */
    ISA_VALUE_PAYLOAD, /* anything that the one who sends commands chooses */
    ISA_VALUE_FIRST    /* a set of the pool */
};

/* Where paths meet, more constants than these are unknown, */
#define ISA_CONSTANTS_JOINED 8
/* and these where a routine begins, with what all its calls bring. */
#define ISA_CONSTANTS_MAX 128
/* Masks that are kept of a value derived from the level. */
#define ISA_LEVELS_MAX 4

/* A level of privilege as it is, or after a mask that stands at `at`. */
struct isa_level {
    uint32_t mask, at; /* at UINT32_MAX: no mask yet */
};

struct isa_value_set {
    uint32_t first; /* of the pool's items: constants, ascending; or a mask and its place for each level */
    uint8_t count;  /* of constants; 0: derived from a level */
    uint8_t level_count;
};

struct isa_value_pool {
    struct isa_value_set *sets;
    uint32_t count, room;
    uint32_t *items;
    size_t item_count, item_room;
    uint32_t *index; /* open addressing: 1 + index into sets, 0: free */
    uint32_t index_room;
    bool failed; /* out of memory: all values are unknown from then on */
};

void isa_values_free(struct isa_value_pool *pool);

/* The constants of a value; null and *count 0: it is not a set of constants. Valid until the next value is made. */
const uint32_t *isa_value_constants(const struct isa_value_pool *pool, isa_value value, unsigned *count);
/* Is it one constant, and which? */
bool isa_value_is(const struct isa_value_pool *pool, isa_value value, uint32_t *constant);
/* The masks of a value derived from the level; returns how many, 0: it is none. */
unsigned isa_value_levels(const struct isa_value_pool *pool, isa_value value, struct isa_level levels[ISA_LEVELS_MAX]);

isa_value isa_value_of(struct isa_value_pool *pool, uint32_t constant);
/* Of constants in any order, repeated or not; unknown where there are too many. They lie outside the pool. */
isa_value isa_value_of_set(struct isa_value_pool *pool, const uint32_t *constants, unsigned count);
isa_value isa_value_of_levels(struct isa_value_pool *pool, const struct isa_level *levels, unsigned count);
isa_value isa_value_join(struct isa_value_pool *pool, isa_value a, isa_value b);
/* The same where a routine begins. */
isa_value isa_value_join_calls(struct isa_value_pool *pool, isa_value a, isa_value b);

/* How control leaves a unit. */
enum analysis_kind {
    ANALYSIS_PLAIN,    /* goes on */
    ANALYSIS_BRANCH,   /* goes to `target`, or on */
    ANALYSIS_JUMP,     /* goes to `target` */
    ANALYSIS_INDIRECT, /* goes where a register says */
    ANALYSIS_CALL,     /* goes to `target` and comes back after the delay slot */
    ANALYSIS_RETURN,   /* goes back */
    ANALYSIS_DISPATCH, /* goes to the handler of the next packet */
    ANALYSIS_SKIP,     /* goes on, or to `target`, without a delay slot and without being a branch */
    ANALYSIS_STOP,     /* the program ends */
    ANALYSIS_WRONG,    /* nothing that can be run */
};

struct analysis_word {
    uint32_t target;
    uint8_t kind;  /* enum analysis_kind */
    bool slot;     /* it has a delay slot; of transfers alone */
    bool known;    /* `target` is known */
    bool linked;   /* calls: the return address goes to a register */
    bool unstacks; /* returns: the address comes from the stack that calls push to */
    bool ends;     /* branches: where it is not taken the program ends */
    bool inside;   /* part of the instruction in front of it, which has several units */
};

static inline bool analysis_is_transfer(const struct analysis_word *word)
{
    return word->kind != ANALYSIS_PLAIN && word->kind != ANALYSIS_SKIP && word->kind != ANALYSIS_WRONG;
}

/* A table of jumps, two units each, that a register jump goes to. */
struct analysis_table {
    uint32_t at;    /* the jump */
    uint32_t adds;  /* the instruction whose immediate is `base` */
    uint32_t base;  /* first unit of the table */
    uint32_t count; /* of its entries */
};

/* A jump by a register to a place whose number was found. */
struct analysis_jump {
    struct gpucode_seen_edge edge; /* first: lists of both are looked through by one function */
    bool alone;                    /* the numbers that were found for it are all that there are */
};

/*
 * A stretch of a block that runs as a whole: up to and with the delay slot of its last transfer. Blocks are cut after
 * calls.
 */
struct analysis_piece {
    uint32_t start, end;
    uint32_t block;
    uint32_t call; /* the call that it ends with; GPUCODE_NONE: it is the last of its block */
};

enum {
    ANALYSIS_REACHED = 1, /* some function has it */
    ANALYSIS_LEADER = 2,
    ANALYSIS_ENTRY = 4, /* a function begins here */
    ANALYSIS_RUNS = 8,  /* reached, and not only as a delay slot */
};

struct analysis_code {
    const struct gpucode_section *place;
    unsigned section;
    uint32_t units;               /* of code: tables not counted */
    uint32_t boot;                /* after the header */
    uint32_t interrupt;           /* where the hardware goes to when it interrupts, or GPUCODE_NONE */
    uint32_t interrupt_at;        /* what tells it so */
    uint32_t interrupt_immediate; /* and the instruction that has the number, or GPUCODE_NONE */
    const struct analysis_word *words;
    uint8_t *marks;
    const struct gpucode_seen_edge *seen; /* of the section, by place */
    size_t seen_count;
    const struct analysis_jump *jumps; /* the same */
    size_t jump_count;
    struct analysis_table *tables; /* by `at` */
    uint32_t table_count;
    struct gpucode_block *blocks; /* by address */
    uint32_t block_count;
    uint32_t *block_of;            /* of each leader, its block */
    struct analysis_piece *pieces; /* those of a block together, by address */
    uint32_t piece_count;
    uint32_t *piece_of;                 /* of each block, its first piece */
    struct gpucode_function *functions; /* by address */
    uint32_t function_count;
    uint32_t *function_at; /* of each unit that is an entry, its function */
    uint32_t *owners;      /* of block b: functions owners[owner_of[b]] .. owners[owner_of[b + 1]] - 1, ascending */
    uint32_t *owner_of;
    uint64_t *writes;    /* of each function: registers of the state that it or anything below it writes */
    uint32_t *component; /* of each function: those that lead to one another have the same */
    uint32_t *order;     /* functions, those that are called first; where calls recur, somehow */
    bool recurs;         /* some functions lead to one another */
    bool *returns;       /* of each function: some path leads to a return */
    isa_value *states;   /* of each piece, in front of it: see analysis_state() */
    struct isa_value_pool pool;
    void *facts; /* the set's, of begin() */
};

/* No set has more registers whose values are followed. */
#define ANALYSIS_REGISTERS_MAX 64

struct analysis_run; /* one way of following values; the room's */

/* What sets may ask of the room. */
struct analysis_calls {
    /* gpucode_analysis_packet_name() and gpucode_analysis_reached_by(). */
    size_t (*packet_name)(const struct gpucode_analysis *analysis, unsigned packet, char *text, size_t size);
    bool (*reached_by)(const struct gpucode_analysis *analysis, unsigned section, uint32_t unit, uint64_t packets[2]);
    /*
     * Follows values from one function on, `levels` of privilege being known: level `level`. Branches on constants go
     * one way. Then calls `visit` with the state in front of each piece that is reached. False: out of memory.
     */
    bool (*at_level)(struct gpucode_analysis *analysis, struct analysis_code *code, uint32_t function, unsigned level,
                     void (*visit)(void *user, struct analysis_code *code, uint32_t piece, const isa_value *state),
                     void *user);
};

/* Where words of packets are in a run, and what writes go to. */
struct isa_watch {
    uint64_t payload;  /* bit n: general register n has one, or what was made of one */
    unsigned selected; /* the register by which writes were directed last; 0: none yet */
    bool chosen;       /* by a word of the packet */
    bool writes;       /* the instruction at hand writes to where that register directs */
};

#define ISA_LEAD_MAX 16

/* Numbers that are places of code, one by one. */
struct isa_constants {
    void (*add)(void *user, const struct gpucode_code_constant *constant);
    /* A use of a place whose number cannot be found. */
    void (*lost)(void *user, const struct gpucode_lost_place *lost);
    /*
     * A number where a packet table, a section or the end of the image is wanted, at a use none of whose numbers is
     * one: `to` counts from the start of the section or the image.
     */
    void (*stale)(void *user, const struct gpucode_code_constant *constant);
    void (*jump)(void *user, const struct analysis_jump *jump);
    void *user;
};

struct isa_analysis {
    unsigned registers; /* of a state: values that are followed; 0: none are, and flow is all that is known */
    const char *start;  /* the name of what runs first; null: "boot", which ends where packets are waited for */

    /* Facts of a section before anything else is asked; they live in the arena. null: out of memory. */
    void *(*begin)(struct arena *arena, const struct isa_layout *layout, unsigned section);
    /* Units at the section's start that are not code. */
    uint32_t (*header)(const void *facts, uint32_t units);
    /*
     * What a unit is. Called for all units in order, before the other functions are. Flow comes from the rows; the set
     * adds what they do not say.
     */
    struct analysis_word (*word)(void *facts, uint32_t unit);
    /* The table that the register jump at `table->at` uses, as far as the instructions in front of it tell. */
    bool (*table)(const void *facts, const struct analysis_word *words, struct analysis_table *table);

    /* The state at the entry of a function that no code calls. */
    void (*enter)(const void *facts, struct isa_value_pool *pool, enum gpucode_function_kind kind, isa_value *state);
    /* What the unit does to the state. `level` is UINT_MAX: not known. */
    void (*step)(void *facts, struct isa_value_pool *pool, uint32_t unit, unsigned level, isa_value *state);
    /* Registers of the state that the unit writes. */
    uint64_t (*writes)(const void *facts, uint32_t unit);
    /* Does a branch go to its target (1) or on (-1), by constants alone? 0: nobody knows. */
    int (*decide)(const void *facts, const struct isa_value_pool *pool, uint32_t unit, const isa_value *state);
    /* A unit that tells the hardware where to go when it interrupts: the place, or GPUCODE_NONE. */
    uint32_t (*interrupt)(const void *facts, const struct isa_value_pool *pool, uint32_t unit, const isa_value *state);
    /* The instruction whose immediate is the place that such a unit tells; GPUCODE_NONE: it is none alone. */
    uint32_t (*immediate)(const void *facts, uint32_t unit, uint32_t place);
    /* Has the packet the name of an interruption, not of a packet? */
    bool (*interrupts)(const struct gpucode_target *target, unsigned packet);

    /*
     * Reports the numbers of a section that are places, but for those of tables of jumps, which the room knows. Called
     * when all else is known. False: out of memory.
     */
    bool (*constants)(struct gpucode_analysis *analysis, struct analysis_code *code, const struct isa_constants *out);

    /* Reports what the unit reads and writes; `add` fills in section and unit. */
    void (*references)(void *facts, struct isa_value_pool *pool, uint32_t unit, const isa_value *state,
                       void (*add)(void *user, const struct gpucode_reference *reference), void *user);

    /* The text of a general register at `text` (room: GPUCODE_NAME_MAX); returns its length, 0: there is none. */
    size_t (*register_text)(uint32_t number, bool written, char *text);

    /* Names of the levels of privilege on a target, ended by null; null: nothing is known. */
    const char *const *(*levels)(const struct gpucode_target *target);
    /* The state at a handler's entry, the level being known. */
    void (*enter_level)(const void *facts, struct isa_value_pool *pool, unsigned level, isa_value *state);
    /* enum gpucode_privilege of a unit. */
    unsigned (*effects)(void *facts, struct isa_value_pool *pool, uint32_t unit, const isa_value *state);

    /* Handlers begin with their level in this general register, and with the words of their packet in that one. */
    unsigned level_register, count_register;
    /*
     * The same by running: enum gpucode_privilege of an instruction that is about to run (`empty`: count_register is
     * 0), and of an event of the machine while it does. Null: handlers are not run.
     */
    unsigned (*watch_insn)(const void *facts, struct isa_watch *watch, uint32_t unit, bool empty);
    unsigned (*watch_event)(const void *facts, const struct isa_watch *watch, const struct gpucode_event *event);
    /*
     * Packets by which firmware itself comes to `count` words at an address, at the level of privilege of that name,
     * when they stand at level *from; one of them is handled before. Returns how many words they are, at most
     * ISA_LEAD_MAX; 0: none leads to that level. Null: none.
     */
    unsigned (*lead)(const struct gpucode_target *target, unsigned level, const char *name, uint64_t address,
                     uint32_t count, unsigned *from, uint32_t words[ISA_LEAD_MAX]);
};

struct gpucode_analysis {
    const struct gpucode_image *image;
    const struct isa_layout *layout;
    const struct isa_analysis *set;
    const struct gpucode_target *target;
    const struct gpucode_names *names;
    struct gpucode_seen_edge *seen; /* by section and place */
    size_t seen_count;
    struct analysis_jump *jumps; /* the same: what the last round of the analysis found */
    size_t jump_count;
    unsigned section_count;
    struct analysis_code *code;              /* of each section */
    struct analysis_run *run;                /* of the last at_level(), to be used again; or null */
    struct gpucode_code_constant *constants; /* by section and unit */
    struct gpucode_lost_place *lost;         /* the same */
    struct gpucode_code_constant *stale;     /* isa_constants.stale */
    size_t lost_count, constant_count, stale_count;
    struct arena arena;
};

/* The state in front of a piece. */
static inline isa_value *analysis_state(const struct gpucode_analysis *analysis, const struct analysis_code *code,
                                        uint32_t piece)
{
    return code->states + (size_t)piece * analysis->set->registers;
}

#endif
