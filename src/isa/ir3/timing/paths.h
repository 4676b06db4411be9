/* SPDX-License-Identifier: MIT */
/*
 * All paths through a shader: the scoreboard before each basic block, where paths join the worse of both, until nothing
 * changes any more. A `ret` is taken to return after every call. What the wave has once goes other ways too: those that
 * the wave takes when its fibers went apart, one part after the other.
 */
#ifndef ISA_IR3_TIMING_PATHS_H
#define ISA_IR3_TIMING_PATHS_H

#include "base/arena.h"
#include "isa/ir3/timing/scoreboard.h"
#include "isa/lint.h"

struct a3xx_paths {
    const struct gpucode_insn *insn; /* the caller's */
    uint32_t count;
    bool *leader;                          /* a basic block begins at this instruction */
    bool *entered;                         /* by the caller */
    bool *reached;                         /* valid after settling */
    struct a3xx_saved_scoreboard **before; /* of leaders that are reached; malloc'ed each */
    /* Goes over instruction `at`; the last time for each is with its final state. */
    void (*visit)(void *user, uint32_t at, struct a3xx_scoreboard *state);
    void *user;
    /* its own */
    struct arena arena;
    struct a3xx_scoreboard *returned;      /* after any ret */
    struct a3xx_part *part;                /* null: none */
    struct a3xx_beside *beside;            /* sorted by `from` */
    uint32_t beside_count, *beside_from;   /* of each instruction the first of its own, or that of another one */
    struct a3xx_saved_scoreboard **shared; /* of leaders: what came there beside; malloc'ed each; null: none does */
    bool *queued;
    uint32_t *calls; /* all of them */
    uint32_t call_count;
    uint32_t next;
};

/* A way that the wave takes, though none of the fibers that were on it do. */
struct a3xx_beside {
    uint32_t from, to;
};
/* Where the fibers go on that predt or predf leaves out, or that took part before. */
struct a3xx_part {
    uint32_t skip; /* 0: it is none */
    bool other;    /* the second one of two: the next instruction is for those that the first one left out */
};
/* Finds both: beside.c. False: no memory. */
bool a3xx_find_beside(struct a3xx_paths *paths);

/* The instructions of `bytes`, `count` of them, into `insn`. */
void a3xx_decode_all(const struct gpucode_target *target, const unsigned char *bytes, uint32_t count,
                     struct gpucode_insn *insn);
/* Does it go to a place that it names? */
static inline bool a3xx_is_branch(const struct gpucode_insn *insn)
{
    enum gpucode_flow_kind flow = shader_flow(insn);
    return flow == GPUCODE_FLOW_BRANCH || flow == GPUCODE_FLOW_JUMP || flow == GPUCODE_FLOW_CALL;
}
static inline bool a3xx_is_call(const struct gpucode_insn *insn)
{
    return shader_flow(insn) == GPUCODE_FLOW_CALL;
}
/* Can the next instruction run right after it? */
static inline bool a3xx_goes_on(const struct gpucode_insn *insn)
{
    enum gpucode_flow_kind flow = shader_flow(insn);
    return flow == GPUCODE_FLOW_NEXT || flow == GPUCODE_FLOW_BRANCH;
}
/* Where the branch at `at` goes; count: outside the code. */
static inline uint32_t a3xx_target(const struct gpucode_insn *insn, uint32_t count, uint32_t at)
{
    int64_t target = (int64_t)at + shader_family(&insn[at])->offset(insn[at].bits);
    return target < 0 || target >= count ? count : (uint32_t)target;
}

/* address.c: which values instruction `at` may give to a0.x, where it is a move to it; step 0: it is none. */
struct a3xx_reached shader_address_given(const struct a3xx_paths *paths, uint32_t at);

/* False: no memory. a3xx_paths_close() is due in any case. */
bool a3xx_paths_open(struct a3xx_paths *paths, const struct gpucode_insn *insn, uint32_t count);
void a3xx_paths_close(struct a3xx_paths *paths);
/* Code is entered at `at` with nothing pending. False: no memory. */
bool a3xx_paths_entry(struct a3xx_paths *paths, uint32_t at);
/* Follows all that was entered until nothing changes. False: no memory. */
bool a3xx_paths_settle(struct a3xx_paths *paths);
/* From `at` on, where another program begins at a multiple of `unit` after an `end` that was reached, and nops; count:
 * nowhere. */
uint32_t a3xx_next_program(const struct a3xx_paths *paths, uint32_t at, unsigned unit);
/* Once more over each basic block with its final state, in the order of the program; changes nothing. */
void a3xx_paths_again(struct a3xx_paths *paths);

/* --- the checker: one run, for its two halves --------------------------------------------------------------------- */

/*
 * How a finding is worded: a message has the register's name, or the other instruction, or first one and then the
 * other; that of EARLY the name, slots, and the writer.
 */
struct shader_rule {
    message_id message; /* 0: the hazard does not exist */
    const char *reference, *fix;
    bool named;    /* the message begins with the register */
    bool needs_ss; /* instead of `fix`: it depends on the instruction */
};

/* The worst finding of a kind at one instruction. */
struct a3xx_worst {
    bool seen;
    struct a3xx_finding finding;
    struct a3xx_access access;
};

struct a3xx_check {
    struct lint_context *context;
    const struct shader_family *family;
    struct a3xx_paths *paths;
    bool report;          /* states are final */
    bool declares_inputs; /* so that registers read before they are written are known to be wrong */
    struct a3xx_set inputs;
    struct a3xx_worst worst[A3XX_HAZARDS]; /* of the instruction that is gone over */
};

/* Which operand of the text it is, from 1; results stand first where there are any. */
unsigned a3xx_operand_of(const struct gpucode_insn *insn, const struct a3xx_access *access);
/* Where a program may go wrong as a whole, of any set. */
struct shader_flow_rules {
    const char *reference, *end_reference;
    message_id unreachable, target, no_end, runs_out;
};
/* Looks at each instruction that is reached, and at where paths go and end. */
void shader_check_flow(struct a3xx_check *check, const struct shader_flow_rules *rules,
                       void (*look)(struct a3xx_check *check, uint32_t at));
/* A finding whose message has no arguments. */
void lint_shader_find(struct a3xx_check *check, uint32_t at, message_id rule, const char *reference, const char *fix);

/* A program on its way through the scheduler. Branches count the instructions as they stand in it. */

#define SHADER_NOPS_SHIFT 40 /* the repeat of a nop */
#define SHADER_NOPS (UINT64_C(7) << SHADER_NOPS_SHIFT)

struct a3xx_code {
    const struct gpucode_target *target;
    const struct shader_family *family;
    struct gpucode_insn *insn;
    uint32_t *origin; /* which instruction of the file each was, or GPUCODE_SCHEDULE_NEW */
    uint32_t count;   /* to the last instruction that is not padding */
    uint32_t padding; /* nops after it */
    uint32_t slots, sync_bits;
    uint32_t stalls; /* estimate of what sync bits wait for, in slots */
};

/* What must be added to each instruction; arrays of code.count. */
struct a3xx_repair {
    struct a3xx_paths paths; /* settled; `before` counts what is added in front of an instruction as after the place */
    uint32_t *pad;           /* slots in front of it */
    uint8_t *add;            /* A3XX_ADD_... */
};
enum { A3XX_ADD_SS = 1, A3XX_ADD_SY = 2, A3XX_ADD_NOP_SS = 4 /* (ss) on the nop in front */ };

/* Can hold an (ss) for the instruction after it, because it starts nothing that (ss) waits for. */
static inline bool a3xx_carries_ss(const struct gpucode_insn *insn)
{
    return shader_category(insn->bits) < 4;
}

static inline bool a3xx_has_sync(const struct gpucode_insn *insn)
{
    return insn->bits & SHADER_SY || (shader_takes_ss(insn) && insn->bits & SHADER_SS);
}

/*
 * Takes nops and sync bits out, and fixes the branches; padding is not looked at. Not `all`: the sync bits of the first
 * instruction and each (sy) that a store may want stay. place[i] (code->count + 1 of them): where instruction i, or the
 * next one kept, is now. False: no memory.
 */
bool a3xx_strip(struct a3xx_code *code, bool all, uint32_t *place);
/* Finds the least that makes it legal, as a3xx_watch has it. False: no memory. a3xx_repair_close() is due in any case.
 */
bool a3xx_repair_open(struct a3xx_repair *repair, const struct a3xx_code *code);
void a3xx_repair_close(struct a3xx_repair *repair);
/* Reorders instructions within basic blocks; nops and sync bits are gone already. Those that have sync bits stay where
 * they are. False: no memory. */
enum a3xx_order {
    A3XX_ORDER_WAIT,    /* what waits least, then what has the longest way after it */
    A3XX_ORDER_SLOTS,   /* what needs the fewest slots, sync bits aside; then the longest way */
    A3XX_ORDER_WAY,     /* the longest way, unless it costs many slots */
    A3XX_ORDER_PROGRAM, /* what waits least, then the order of the program */
    A3XX_ORDERS
};
bool a3xx_reorder(struct a3xx_code *code, enum a3xx_order order);

#endif
