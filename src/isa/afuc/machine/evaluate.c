/* SPDX-License-Identifier: MIT */
/* The result of one instruction that calculates, for those with modifiers or with queues as operands. */
#include "isa/afuc/machine/action.h"
#include "isa/afuc/machine/exec.h"

#define ROW_action(id, bits, ...)                                                                                      \
    case AFUC_##id:                                                                                                    \
        __VA_ARGS__ break;
#define ROW_function(id, bits, ...)
#define CARRY p->carry
#define SHIFT op->shift
#define LOW op->shift
#define HIGH op->imm
uint32_t afuc_evaluate(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, uint32_t a,
                       uint32_t b, uint32_t d)
{
    const uint32_t A = a, B = b;
    uint32_t D = d;
    switch (op->row) {
#define INSN(id, mnemonic, generations, bits, text, effects, evidence, source, doc, ...)                               \
    ROW_KIND(__VA_ARGS__)(id, bits, __VA_ARGS__)
#include "isa/afuc/text/insn.def"
#undef INSN
    default:
        break;
    }
    return D;
}
