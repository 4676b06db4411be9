/* SPDX-License-Identifier: MIT */
/* The MME machine: its state, shared by the file that runs macros and the one that lets others look into it. */
#ifndef ISA_MME_MACHINE_MACHINE_H
#define ISA_MME_MACHINE_MACHINE_H

#include "isa/machine.h"
#include "isa/mme/mme.h"

/* In machine_core.files: the values of methods by their byte address, and the parameters. */
#define MME_PARAMETERS (UINT64_C(1) << 32)

/* What the word before has left to be done after this one. */
enum mme_after { MME_GO_ON, MME_JUMP, MME_LEAVE };

/* Choices of the policies, by their number among the values. */
struct mme_choices {
    uint8_t carry, load_maddr, increment, unset, double_branch;
};

struct mme_insn {
    uint32_t word;
    int16_t row; /* -1: no instruction */
    bool is_branch;
};

struct mme_state {
    struct mme_choices choice;
    uint32_t registers[MME_REGISTERS]; /* number 0 stays 0 */
    uint32_t special[MME_LEFT];        /* by enum mme_special */
    uint32_t pc, units;
    uint32_t target;     /* of MME_JUMP */
    uint8_t after;       /* enum mme_after */
    bool behind_branch;  /* the word before is a delayed branch that was not taken */
    bool begun, ended;   /* a word has run; the macro has ended */
    bool seen;           /* a hook or a breakpoint has stopped in front of the next word */
    bool stop_asked;     /* by a hook, in the middle of a word */
    uint64_t fed, taken; /* parameters, the first one included */
    const struct mme_insn *code;
    uint8_t *breaks, *covered; /* per word; in the arena, no part of snapshots */
};

/* look.c: the members of struct isa_machine that run nothing. */
const char *mme_processor(const void *opaque, unsigned index);
unsigned mme_section(const void *opaque, unsigned index);
uint64_t mme_pc(const void *opaque, unsigned index);
bool mme_set_pc(void *opaque, unsigned index, uint64_t pc);
bool mme_read(const struct machine_core *core, const void *opaque, unsigned index, unsigned space, uint32_t number,
              uint32_t *value);
bool mme_write(struct machine_core *core, void *opaque, unsigned index, unsigned space, uint32_t number,
               uint32_t value);
bool mme_space(const struct machine_core *core, unsigned space, struct gpucode_space_info *info);
bool mme_find(const struct machine_core *core, const char *name, size_t length, unsigned *space, uint32_t *number);
size_t mme_name(const struct machine_core *core, unsigned space, uint32_t number, char *text);
bool mme_feed(struct machine_core *core, void *opaque, unsigned index, const uint32_t *words, size_t count);
bool mme_set_break(struct machine_core *core, void *opaque, unsigned index, uint64_t pc, bool on);
uint8_t *mme_covered(const void *opaque, unsigned index, size_t *units);
bool mme_pending(const struct machine_core *core, const void *opaque, unsigned index, uint64_t *target);

/* Value of a method as `read` sees it. */
uint32_t mme_shadow(const struct machine_core *core, uint32_t address);

#endif
