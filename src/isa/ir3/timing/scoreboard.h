/* SPDX-License-Identifier: MIT */
/*
 * The scoreboard: how many issue slots ago each register was written, and whether a unit has still to write it back or
 * to read it. The checker reports what violates it, the scheduler repairs that; both ask this module alone.
 */
#ifndef ISA_IR3_TIMING_SCOREBOARD_H
#define ISA_IR3_TIMING_SCOREBOARD_H

#include "isa/ir3/timing/delay.h"

#define A3XX_READY (A3XX_DELAY_MAX + 1) /* an age at which no reader must wait */

/* What must be waited for before a register is used; bits of a3xx_scoreboard.wait. */
enum {
    A3XX_NEEDS_SS = 1,
    A3XX_NEEDS_SY = 2,
    A3XX_USED = 4,            /* a source that may still be read: (ss) */
    A3XX_FROM_LOCAL = 8,      /* (ss), and on some path not for category 4 */
    A3XX_USED_EITHER = 16,    /* a source: (ss) or (sy) */
    A3XX_USED_SY = 32,        /* a source: (sy) */
    A3XX_FROM_SCALAR = 64,    /* (ss), but not for the same unit */
    A3XX_USED_BY_SCALAR = 128 /* a source: (ss), but not for the same unit */
};
#define A3XX_WAITS_SS                                                                                                  \
    (A3XX_NEEDS_SS | A3XX_USED | A3XX_USED_EITHER | A3XX_USED_BY_SCALAR | A3XX_FROM_LOCAL | A3XX_FROM_SCALAR)
#define A3XX_WAITS_SY (A3XX_NEEDS_SY | A3XX_USED_SY | A3XX_USED_EITHER)
#define A3XX_USES (A3XX_USED | A3XX_USED_EITHER | A3XX_USED_SY | A3XX_USED_BY_SCALAR)
/* Which instruction did so; rows of a3xx_scoreboard.by. */
enum { A3XX_BY_WRITER, A3XX_BY_SS, A3XX_BY_SY, A3XX_BY_USER, A3XX_BY_COUNT };

/* What an operand a0.x + offset did, while the value of a0.x is not known; forgotten when it is written. */
struct a3xx_trace {
    int16_t offset;
    bool half;
    bool used;   /* a special function may still read it; else it was written */
    uint8_t age; /* slots since */
    uint32_t by;
};
#define A3XX_TRACES 8 /* only moves write so, and after six slots it does not matter */

/* Bits of a3xx_scoreboard.varyings: there is a path on which bary.f read ... */
enum { A3XX_VARYINGS_NONE = 1, A3XX_VARYINGS_SOME = 2, A3XX_VARYINGS_ALL = 4 /* and had (ei) */ };

struct a3xx_scoreboard {
    int8_t age[A3XX_REGISTERS];                 /* slots issued since arithmetic wrote it, at most A3XX_READY */
    uint8_t wait[A3XX_REGISTERS];               /* what must be waited for before it is used */
    uint32_t by[A3XX_BY_COUNT][A3XX_REGISTERS]; /* the instructions that did so */
    struct a3xx_path_state {
        struct a3xx_set written;      /* by some path */
        struct a3xx_set wide, narrow; /* of halves of registers: written as a full register, as a half one */
        struct a3xx_trace trace[A3XX_TRACES];
        uint8_t traces;
        uint8_t varyings;   /* what bary.f did on the paths here */
        uint8_t barrier;    /* one stands before: the next instruction needs (ss), (sy) */
        bool stored;        /* something was stored since the last (sy) */
        bool released;      /* a0.x has had its last user */
        bool address_known; /* a0.x has the same value on all paths */
        int16_t address;    /* which */
        struct a3xx_reached reached;
        uint32_t released_by; /* the instruction with (ul) */
        uint32_t barrier_by;
        uint32_t varyings_by; /* the last bary.f, or the one with (ei) */
    } path;
};

/* A state put away: of most registers there is nothing to say. */
struct a3xx_saved_scoreboard {
    struct a3xx_path_state path;
    unsigned count, room;
    struct a3xx_scoreboard_entry {
        uint16_t reg;
        int8_t age;
        uint8_t wait;
        uint32_t by[A3XX_BY_COUNT];
    } pending[];
};

enum a3xx_hazard {
    A3XX_EARLY,      /* a register is read `slots` too early */
    A3XX_NO_SS,      /* used before a special function or local memory has written it back */
    A3XX_NO_SS_TOO,  /* the same, both of category 4 */
    A3XX_NO_SY,      /* used before a texture or memory access has written it back */
    A3XX_IN_USE,     /* written while it may still be read */
    A3XX_USELESS_SS, /* (ss) and nothing to wait for */
    A3XX_USELESS_SY,
    A3XX_UNWRITTEN,  /* read, and no path has written it */
    A3XX_RELEASED,   /* a0.x is read after (ul) */
    A3XX_OUTSIDE,    /* a0.x is known, and with it the operand is not a register or const */
    A3XX_BEHIND_EI,  /* bary.f after (ei) */
    A3XX_WITHOUT_EI, /* end, with bary.f and without (ei) */
    A3XX_CONSTS_SS,  /* consts are read before (ss) has waited for what wrote them */
    A3XX_CONSTS_SY,  /* before (sy) has */
    A3XX_IN_USE_SY,  /* written while it may still be read, and (sy) waits for that */
    A3XX_UNFENCED,   /* after a barrier, or where everything is waited for, without (ss) and (sy) */
    A3XX_HAZARDS
};

struct a3xx_finding {
    enum a3xx_hazard hazard;
    int reg;                          /* number in the row of registers; -1: none is concerned, or a relative one */
    const struct a3xx_access *access; /* the operand concerned, during the call; null: none */
    unsigned step;                    /* of a repeat */
    unsigned slots;                   /* EARLY: missing */
    bool has_other;
    uint32_t other; /* the instruction that wrote, writes back or reads it, or has (ul) or (ei) */
    bool own;       /* an earlier step of the instruction itself did, so that nothing in front of it helps */
};

/* Who wants to know of hazards; the same one may be reported several times. */
struct a3xx_watch {
    void (*note)(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding);
    void *user;
    /* Operands relative to an a0.x that is not known are all registers that it may reach: what may be is to be safe.
     * Else only what is certain counts, which is what one of the same offset did since a0.x was written. */
    bool follow_relative;
    struct a3xx_reached given; /* by the instruction, to a0.x; step 0: it is not known */
    bool counts_issues;        /* else what may be issued beside others takes no slot, as compilers count */
};

/* Nothing is pending. */
void a3xx_scoreboard_start(struct a3xx_scoreboard *state);
/* Joins the state of another path; true when that made it worse. */
bool a3xx_scoreboard_join(struct a3xx_scoreboard *into, const struct a3xx_scoreboard *from);
/* The same for the registers that the wave has once, and nothing else. */
bool a3xx_scoreboard_join_shared(struct a3xx_scoreboard *into, const struct a3xx_scoreboard *from, bool merged);
/* Puts a state away, into *saved if it fits, else into new memory of malloc(). False: no memory. */
bool a3xx_scoreboard_save(const struct a3xx_scoreboard *state, struct a3xx_saved_scoreboard **saved);
void a3xx_scoreboard_load(struct a3xx_scoreboard *state, const struct a3xx_saved_scoreboard *saved);
/* Notes what a relative operand did; false: it was known. */
bool a3xx_scoreboard_add_trace(struct a3xx_scoreboard *state, struct a3xx_trace trace);
/* Over one instruction with all its steps. */
void a3xx_scoreboard_issue(struct a3xx_scoreboard *state, const struct gpucode_insn *insn,
                           const struct a3xx_watch *watch);
/* Over nops. */
void a3xx_scoreboard_pass_slots(struct a3xx_scoreboard *state, unsigned slots);
/* Over (ss), (sy). */
void a3xx_scoreboard_sync(struct a3xx_scoreboard *state, bool ss, bool sy);
/* Over an (ss) that stood in front of instruction `carrier`, when instructions from it to `at` have been gone over. */
void a3xx_scoreboard_sync_before(struct a3xx_scoreboard *state, uint32_t carrier, uint32_t at);

/* What must stand in front of, or on, an instruction. */
struct a3xx_need {
    unsigned slots;
    bool ss, sy;
    bool ss_trace;         /* a relative operand wants the (ss) */
    struct a3xx_set ss_of; /* registers that want it */
};
struct a3xx_need a3xx_scoreboard_need(const struct a3xx_scoreboard *state, const struct gpucode_insn *insn);

/* "r1.x" of a number in the row of the instruction's set; `half`: where both have it, the half register. */
const char *a3xx_register_name(const struct gpucode_insn *insn, int reg, bool half, char text[40]);

/* All that the instruction reads and writes; relative operands are all of their file. */
void a3xx_uses(const struct gpucode_insn *insn, struct a3xx_set *read, struct a3xx_set *written);
bool a3xx_set_meets(const struct a3xx_set *a, const struct a3xx_set *b);

/* Which registers an operand reaches at a step of a repeat, with a0.x known or not. */

enum a3xx_reach {
    A3XX_REACH_NAMED, /* the registers that the operand names */
    A3XX_REACH_ADDED, /* a0.x is known */
    A3XX_REACH_ANY,   /* all of its file that a0.x may reach */
    A3XX_REACH_TRACE  /* not known; what operands of the same offset did is */
};

/* Registers of one access at one step, one after the other. */
struct a3xx_range {
    const struct a3xx_access *access;
    unsigned step;
    enum a3xx_reach reach;
    int first, count, stride; /* relative: numbers in the file, of which the count is */
    int parts;                /* 2: each register is two halves in the row */
    bool merged;              /* they are halves there */
};

static inline bool a3xx_is_general(const struct a3xx_access *access)
{
    return access->file == A3XX_FILE_FULL || access->file == A3XX_FILE_HALF;
}

/* From where on, and how many, an operand reaches where a0.x has several values. */
static inline void a3xx_range_spread(struct a3xx_range *range, const struct a3xx_reached *reached, int number)
{
    int low = reached->low + number, high = reached->high + number, limit = A3XX_A0;
    if (range->merged && range->reach == A3XX_REACH_ANY)
        limit = SHADER_SHARED;
    range->stride = reached->step;
    if (low < 0)
        low += (-low + reached->step - 1) / reached->step * reached->step;
    high = high < limit ? high : limit - 1;
    range->first = low;
    range->count = high < low ? 0 : ((high - low) / reached->step + 1) * range->parts;
}

/* `state` null: a0.x is not known. */
static inline struct a3xx_range a3xx_range_of(const struct shader_family *family, const struct a3xx_access *access,
                                              unsigned step, const struct a3xx_scoreboard *state, bool follow)
{
    static const struct a3xx_reached all = {INT16_MIN, INT16_MAX, 1};
    struct a3xx_range range = {.access = access, .step = step, .stride = 1};
    range.merged = family->mixed && a3xx_is_general(access);
    range.parts = range.merged && access->file == A3XX_FILE_FULL ? 2 : 1;
    range.count = access->count * range.parts;
    if (!access->relative)
        return range;
    range.reach = state && state->path.address_known ? A3XX_REACH_ADDED : follow ? A3XX_REACH_ANY : A3XX_REACH_TRACE;
    range.count = 0;
    if (a3xx_is_general(access) && range.reach != A3XX_REACH_TRACE)
        a3xx_range_spread(&range, state ? &state->path.reached : &all,
                          access->number + (access->steps ? (int)step : 0));
    return range;
}

/* -1: there is none. */
static inline int a3xx_range_at(const struct a3xx_range *range, int index)
{
    bool half = range->access->file == A3XX_FILE_HALF;
    int reg, part = range->merged ? index % range->parts : 0, place = range->merged ? index / range->parts : index;
    if (range->reach == A3XX_REACH_NAMED)
        reg = a3xx_register_at(range->access, range->step, (unsigned)place);
    else
        reg = range->first + place * range->stride + (half ? A3XX_HALF_0 : A3XX_FULL_0);
    return reg < 0 || !range->merged ? reg
                                     : shader_half((unsigned)(half ? reg - A3XX_HALF_0 : reg), half, (unsigned)part);
}

#endif
