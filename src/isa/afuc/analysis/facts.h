/* SPDX-License-Identifier: MIT */
/*
 * AFUC for the analysis: what its parts share.
 *
 *   analysis.c    what a word is, headers, levels, tables of jumps; the plug
 *   step.c        what a word does to values: the rows' actions on sets of constants
 *   references.c  who reads and writes what
 *   origins.c     which immediates the value of a register comes from
 *   constants.c   numbers that are places of code
 *   effects.c     what those who send packets can make it do, also in a run; how they come to a level
 */
#ifndef ISA_AFUC_ANALYSIS_FACTS_H
#define ISA_AFUC_ANALYSIS_FACTS_H

#include "isa/afuc/machine/exec.h"
#include "isa/analysis.h"

/* Registers of a state: the general ones, and what else values are followed through. */
enum {
    STATE_LEVEL = 0x12, /* mirrors the level of privilege (custom of firmware) */
    STATE_SELECT = 32,  /* what $addr or $usraddr holds, whichever was written last */
    STATE_VIA,          /* which: VIA_ADDR or VIA_USRADDR */
    STATE_READ,         /* the GPU register that $regdata reads next */
    STATE_CARRY,
    STATE_COUNT
};
enum { VIA_ADDR = 1, VIA_USRADDR = 2 };

/* What a row is, from its fields and effects. */
struct row_facts {
    bool acts;                       /* its action is a line of insn.def: arithmetic */
    bool has_s, has_t, has_d, has_o; /* fields of that letter */
    bool reads_d, reads_carry, writes_carry;
    bool shifts;    /* the second operand is a count */
    uint32_t reads; /* general registers that it reads without naming them */
};

struct afuc_facts {
    const struct gpucode_target *target;
    const unsigned char *bytes; /* of the section */
    uint32_t units;             /* words with an op */
    const struct afuc_op *ops;
    struct afuc_machine *machine; /* for evaluating actions: nothing runs on it */
    struct afuc_processor *processor;
    struct afuc_setup *setup;
    uint32_t read_address, ib_level; /* control registers, UINT32_MAX: there is none */
    uint32_t smmu_info;              /* GPU register */
    const struct row_facts *rows;
};

static inline uint32_t afuc_facts_word(const struct afuc_facts *facts, uint32_t unit)
{
    return page_word(facts->bytes + 4 * (size_t)unit);
}

static inline bool afuc_is_insn(const struct afuc_op *op)
{
    return op->real != ACTION_UNKNOWN && op->real != ACTION_END;
}

/* Extra moves of (xmovN). */
static inline unsigned afuc_extra(const struct afuc_facts *facts, const struct afuc_op *op)
{
    return facts->rows[op->row].acts ? afuc_op_count(op) : 0;
}

/* What stands in a register as a source. */
isa_value afuc_source_value(struct isa_value_pool *pool, const isa_value *state, unsigned reg);
/* Offset register plus base: a number of constants, or a value that says what is not known. */
isa_value afuc_number(const struct afuc_facts *facts, struct isa_value_pool *pool, const struct afuc_op *op,
                      const isa_value *state);
/* As isa_analysis.step; *written becomes what went to the destination, ISA_VALUE_NONE without one. */
void afuc_step(struct afuc_facts *facts, struct isa_value_pool *pool, uint32_t unit, unsigned level, isa_value *state,
               isa_value *written);
/* One write to a register: what it selects, or steps. */
void afuc_put(struct isa_value_pool *pool, unsigned reg, isa_value value, isa_value *state);
/* General registers that a word writes, and those of the state. */
uint64_t afuc_writes(const void *facts, uint32_t unit);
int afuc_decide(const void *facts, const struct isa_value_pool *pool, uint32_t unit, const isa_value *state);

void afuc_references(void *facts, struct isa_value_pool *pool, uint32_t unit, const isa_value *state,
                     void (*add)(void *user, const struct gpucode_reference *reference), void *user);
bool afuc_constants(struct gpucode_analysis *analysis, struct analysis_code *code, const struct isa_constants *out);
unsigned afuc_watch_insn(const void *facts, struct isa_watch *watch, uint32_t unit, bool empty);
unsigned afuc_watch_event(const void *facts, const struct isa_watch *watch, const struct gpucode_event *event);
unsigned afuc_lead(const struct gpucode_target *target, unsigned level, const char *name, uint64_t address,
                   uint32_t count, unsigned *from, uint32_t words[ISA_LEAD_MAX]);
unsigned afuc_effects(void *facts, struct isa_value_pool *pool, uint32_t unit, const isa_value *state);

/* --- Where the value of a register comes from: the immediates of instructions, back along all paths --------------- */

struct afuc_origin {
    uint32_t at;     /* the instruction with the number */
    uint32_t low;    /* the one with its lower 16 bits, `at` having those above; GPUCODE_NONE: `at` has all of it */
    uint64_t number; /* as it stands there, */
    uint64_t value;  /* and what it brings: shifted as it is there and on the way */
    bool added;      /* to something else */
};

struct afuc_origins {
    const struct afuc_facts *facts;
    const struct analysis_code *code;
    uint32_t *before, *before_of;   /* of block b: what comes in front of it, before[before_of[b]] .., calls last */
    uint32_t *returns, *returns_of; /* of function f: its blocks that return, in the same way */
    bool *unknown;                  /* of each function: it has jumps that lead nobody knows where */
    uint64_t left; /* words that may still be looked at, so that all takes time in proportion to the code */
};

/* False: out of memory; call afuc_origins_end() whatever it is. */
bool afuc_origins_begin(struct afuc_origins *origins, const struct afuc_facts *facts, const struct analysis_code *code);
void afuc_origins_end(struct afuc_origins *origins);
/*
 * Calls `found` for each origin of register `reg` in front of a unit of a piece. False: there are others, which are no
 * immediates: from memory, packets, other arithmetic, or too far away.
 */
bool afuc_origins_each(struct afuc_origins *origins, uint32_t piece, uint32_t unit, unsigned reg,
                       void (*found)(void *user, const struct afuc_origin *origin), void *user);

#endif
