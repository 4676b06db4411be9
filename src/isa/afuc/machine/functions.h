/* SPDX-License-Identifier: MIT */
/* The rows of insn.def whose action is LONG: exec_<id>, which exec.c and access.c define. */
#ifndef ISA_AFUC_MACHINE_FUNCTIONS_H
#define ISA_AFUC_MACHINE_FUNCTIONS_H

#include "isa/afuc/machine/action.h"

#define ROW_action(id)
#define ROW_function(id) int64_t exec_##id(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
#define INSN(id, mnemonic, generations, bits, text, effects, evidence, source, doc, ...) ROW_KIND(__VA_ARGS__)(id)
#include "isa/afuc/text/insn.def"
#undef INSN
#undef ROW_action
#undef ROW_function

/* A word that is not an instruction, and one after the last. */
int64_t afuc_no_insn(struct afuc_machine *m, struct afuc_processor *p);
int64_t afuc_left_section(struct afuc_machine *m, struct afuc_processor *p);

/* Does a branch of that row go to its target, its register having that value? */
static inline bool afuc_is_met(unsigned row, const struct afuc_op *op, uint32_t value)
{
    switch (row) {
    case AFUC_BRNE_IMM:
        return value != op->shift;
    case AFUC_BREQ_IMM:
        return value == op->shift;
    case AFUC_BRNE_BIT:
        return !(value >> op->shift & 1);
    case AFUC_BREQ_BIT:
        return value >> op->shift & 1;
    default:
        return true;
    }
}

#endif
