/* SPDX-License-Identifier: MIT */
/*
 * What a stretch of code leaves behind for the instructions after it: how many issue slots ago each register was
 * written, and whether an asynchronous unit still delivers or uses it. The checker tells what is wrong with it, the
 * scheduler repairs it; both ask this module alone.
 */
#ifndef ISA_A3XX_HAZARD_H
#define ISA_A3XX_HAZARD_H

#include "isa/a3xx/delay.h"

struct a3xx_state {
    uint8_t age[A3XX_REGISTERS];     /* slots issued since the one that wrote it; enough is enough */
    uint8_t wait[A3XX_REGISTERS];    /* what must be waited for before it is used, and more; hazard.c */
    uint32_t writer[A3XX_REGISTERS]; /* the instruction that age is of */
    uint8_t varyings;                /* what bary.f did on the paths here */
};

enum a3xx_hazard {
    A3XX_EARLY,      /* a register is read `slots` too early */
    A3XX_NO_SS,      /* used while a special function or local memory delivers it */
    A3XX_NO_SS_TOO,  /* the same, both of category 4 */
    A3XX_NO_SY,      /* used while a texture or memory delivers it */
    A3XX_IN_USE,     /* written while it may still be read */
    A3XX_USELESS_SS, /* (ss) and nothing to wait for */
    A3XX_USELESS_SY,
    A3XX_UNWRITTEN, /* read, and no path has written it */
    A3XX_RELEASED,  /* a0.x is read behind (ul) */
    A3XX_BEHIND_EI, /* bary.f behind (ei) */
    A3XX_WITHOUT_EI /* end, with bary.f and without (ei) */
};

struct a3xx_finding {
    enum a3xx_hazard hazard;
    int reg;         /* number in the row of registers; -1: none is concerned */
    unsigned slots;  /* EARLY: missing */
    uint32_t writer; /* EARLY, NO_...: which instruction wrote it */
    bool own;        /* EARLY: an earlier step of the instruction itself did, so that nothing in front of it helps */
    bool pair;       /* UNWRITTEN: as the barycentric pair of bary.f */
};

/* Told of each hazard, the same one perhaps several times. */
struct a3xx_watch {
    void (*note)(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding);
    void *user;
    bool follow_relative; /* operands relative to a0.x are any register of the file; else they are none */
};

/* Nothing is pending. */
void a3xx_state_start(struct a3xx_state *state);
/* Joins the state of another path; true when that made it worse. */
bool a3xx_state_join(struct a3xx_state *into, const struct a3xx_state *from);
/* Over one instruction with all its steps. */
void a3xx_state_step(struct a3xx_state *state, const struct gpucode_insn *insn, const struct a3xx_watch *watch);
/* Over nops. */
void a3xx_state_slots(struct a3xx_state *state, unsigned slots);
/* Over (ss), (sy). */
void a3xx_state_sync(struct a3xx_state *state, bool ss, bool sy);

/* What must stand in front of, or on, an instruction. */
struct a3xx_need {
    unsigned slots;
    bool ss, sy;
};
struct a3xx_need a3xx_state_need(const struct a3xx_state *state, const struct gpucode_insn *insn, bool follow_relative);

/* "r1.x" of a number in the row. */
const char *a3xx_register_name(int reg, char text[16]);

/* All that the instruction reads and writes; relative operands are all of their file. */
void a3xx_uses(const struct gpucode_insn *insn, struct a3xx_set *read, struct a3xx_set *written);
bool a3xx_set_meets(const struct a3xx_set *a, const struct a3xx_set *b);

#endif
