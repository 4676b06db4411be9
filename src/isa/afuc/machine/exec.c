/* SPDX-License-Identifier: MIT */
/*
 * AFUC instructions at work. The actions stand in insn.def and become the labels of the run loops (loop.inc) and the
 * cases of afuc_evaluate() (evaluate.c), so that there is no second list of instructions; a row whose action is LONG
 * needs a function exec_<id> here or in access.c, or the loops do not link.
 */
#include "afuc_messages.h"
#include "isa/afuc/machine/action.h"

/* --- control flow --- */
/* A branch on a queue takes a word from it: no firmware is known to, but the encoding allows it. */
static int64_t branch_on_queue(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    bool taken;
    uint32_t value;
    if (op->a == REG_DATA && !afuc_queue_words(m, p))
        return afuc_queue_dry(m, p);
    if (!afuc_source(m, p, op->a, false, &taken, &value))
        return FLOW_STOP;
    return afuc_is_met(op->row, op, value) ? (int64_t)op->imm : FLOW_ON;
}

#define BRANCH_ROW(id)                                                                                                 \
    int64_t exec_##id(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)                      \
    {                                                                                                                  \
        if (__builtin_expect(op->a >= REG_FIRST_SPECIAL, 0))                                                           \
            return branch_on_queue(m, p, op);                                                                          \
        return afuc_is_met(AFUC_##id, op, p->gpr[op->a]) ? (int64_t)op->imm : FLOW_ON;                                 \
    }
BRANCH_ROW(BRNE_IMM)
BRANCH_ROW(BREQ_IMM)
BRANCH_ROW(BRNE_BIT)
BRANCH_ROW(BREQ_BIT)

int64_t exec_JUMP(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)m, (void)p;
    return (int64_t)op->imm;
}

/* The stack lies in SQE registers, where firmware can see it (AFUC notes, call and ret). */
int64_t exec_CALL(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    uint32_t depth = p->sqe[SQE_SP];
    if (depth >= STACK_DEPTH)
        return afuc_fault(m, p, MSG_AFUC_STACK_FULL, STACK_DEPTH);
    afuc_sqe_put(m, p, SQE_STACK + depth, p->pc + 2);
    afuc_sqe_put(m, p, SQE_SP, depth + 1);
    return (int64_t)op->imm;
}

int64_t exec_RET(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)op;
    uint32_t depth = p->sqe[SQE_SP];
    if (depth == 0 || depth > STACK_DEPTH)
        return afuc_fault(m, p, MSG_AFUC_STACK_EMPTY, depth);
    afuc_sqe_put(m, p, SQE_SP, depth - 1);
    return (int64_t)p->sqe[SQE_STACK + depth - 1];
}

int64_t afuc_two_branches(struct afuc_machine *m, struct afuc_processor *p, uint32_t target)
{
    return afuc_fault(m, p, MSG_AFUC_TWO_BRANCHES, p->next, target);
}

int64_t exec_IRET(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)op;
    if (!p->interrupted)
        return afuc_fault(m, p, MSG_AFUC_IRET);
    p->interrupted = false;
    p->resumed = true;
    afuc_progress(p);
    return (int64_t)p->return_pc;
}

int64_t exec_WAITIN(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)op;
    if (m->setup->preempt_enters && !p->interrupted && afuc_control_get(m, p, CONTROL_PREEMPT_TRIGGER) & 1) {
        if (!p->resumed) /* else the target that stands since the last time is still to come */
            p->return_next = p->next;
        p->return_pc = p->pc; /* iret comes back to this waitin */
        p->interrupted = true;
        p->resumed = false;
        afuc_progress(p);
        return FLOW_ENTER;
    }
    if (m->core->hook_kinds & GPUCODE_EVENT_HANDLED)
        afuc_tell_handled(m, p);
    return FLOW_WAITIN;
}

/* A register as target: queues can be read that way, though no firmware is known to. */
static int64_t jump_to(struct afuc_machine *m, struct afuc_processor *p, unsigned reg)
{
    bool taken;
    uint32_t target;
    if (reg == REG_DATA && !afuc_queue_words(m, p))
        return afuc_queue_dry(m, p);
    return afuc_source(m, p, reg, false, &taken, &target) ? (int64_t)target : FLOW_STOP;
}

int64_t exec_JUMP_REG(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return jump_to(m, p, op->b);
}

int64_t exec_SRET(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)op;
    return jump_to(m, p, REG_LR);
}

int64_t exec_JUMPD(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return jump_to(m, p, op->a);
}

int64_t exec_JUMPD2(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return jump_to(m, p, op->a);
}

int64_t exec_BL(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    afuc_gpr_put(m, p, REG_LR, p->pc + 2);
    return (int64_t)op->imm;
}

int64_t exec_JUMPA(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)m, (void)p;
    return (int64_t)op->imm;
}

int64_t exec_JUMPA_A5XX(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return exec_JUMPA(m, p, op);
}

/* The mode is stored where firmware looks for it; what the secure shader does is not modelled. */
int64_t exec_SETSECURE(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)p, (void)op;
    return m->setup->secure_fails ? FLOW_ON : FLOW_SKIP2;
}

/* --- what is not an instruction --- */
static uint32_t word_at(const struct afuc_machine *m, const struct afuc_processor *p)
{
    const struct isa_layout *layout = m->core->layout;
    uint64_t start = layout->info.sections[p->section].start + (uint64_t)p->pc;
    return page_word(layout->bytes + layout->info.prefix + 4 * start);
}

int64_t afuc_no_insn(struct afuc_machine *m, struct afuc_processor *p)
{
    return afuc_unknown(m, p, MSG_AFUC_NO_INSN, word_at(m, p));
}

int64_t afuc_left_section(struct afuc_machine *m, struct afuc_processor *p)
{
    return afuc_fault(m, p, MSG_AFUC_LEFT_SECTION, p->lost ? p->lost : p->pc, p->words);
}

bool afuc_branches(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return op->a < REG_FIRST_SPECIAL ? afuc_is_met(op->row, op, p->gpr[op->a]) : branch_on_queue(m, p, op) != FLOW_ON;
}
