/* SPDX-License-Identifier: MIT */
/*
 * AFUC instructions at work. The actions stand in insn.def and become the labels of the run loop (loop.inc) and the
 * cases of afuc_evaluate() (evaluate.c), so that there is no second list of instructions; a row whose action is LONG
 * needs a function exec_<id> here, or this file does not compile.
 */
#include "isa/afuc/machine/access.h"
#include "isa/afuc/machine/action.h"

/* --- control flow --- */
/* Does a branch of that row go to its target, its register having that value? */
static inline bool is_met(unsigned row, const struct afuc_op *op, uint32_t value)
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

/* A branch on a queue takes a word from it: no firmware is known to, but the encoding allows it. */
static int64_t branch_on_queue(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    bool taken;
    uint32_t value;
    if (op->a == REG_DATA && !afuc_queue_words(m, p))
        return afuc_queue_dry(m, p);
    if (!afuc_source(m, p, op->a, false, &taken, &value))
        return FLOW_STOP;
    return is_met(op->row, op, value) ? (int64_t)op->imm : FLOW_ON;
}

#define BRANCH_ROW(id)                                                                                                 \
    static inline int64_t exec_##id(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)        \
    {                                                                                                                  \
        if (__builtin_expect(op->a >= REG_FIRST_SPECIAL, 0))                                                           \
            return branch_on_queue(m, p, op);                                                                          \
        return is_met(AFUC_##id, op, p->gpr[op->a]) ? (int64_t)op->imm : FLOW_ON;                                      \
    }
BRANCH_ROW(BRNE_IMM)
BRANCH_ROW(BREQ_IMM)
BRANCH_ROW(BRNE_BIT)
BRANCH_ROW(BREQ_BIT)

static inline int64_t exec_JUMP(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)m, (void)p;
    return (int64_t)op->imm;
}

/* The stack lies in SQE registers, where firmware can see it (AFUC notes, call and ret). */
static int64_t exec_CALL(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    uint32_t depth = p->sqe[SQE_SP];
    if (depth >= STACK_DEPTH)
        return afuc_fault(m, p, MSG_AFUC_STACK_FULL, STACK_DEPTH);
    afuc_sqe_put(m, p, SQE_STACK + depth, p->pc + 2);
    afuc_sqe_put(m, p, SQE_SP, depth + 1);
    return (int64_t)op->imm;
}

static int64_t exec_RET(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)op;
    uint32_t depth = p->sqe[SQE_SP];
    if (depth == 0 || depth > STACK_DEPTH)
        return afuc_fault(m, p, MSG_AFUC_STACK_EMPTY, depth);
    afuc_sqe_put(m, p, SQE_SP, depth - 1);
    return (int64_t)p->sqe[SQE_STACK + depth - 1];
}

static int64_t exec_IRET(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)op;
    if (!p->interrupted)
        return afuc_fault(m, p, MSG_AFUC_IRET);
    p->interrupted = false;
    p->resumed = true;
    afuc_progress(p);
    return (int64_t)p->return_pc;
}

static int64_t exec_WAITIN(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
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

static int64_t exec_JUMP_REG(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return jump_to(m, p, op->b);
}

static int64_t exec_SRET(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)op;
    return jump_to(m, p, REG_LR);
}

static int64_t exec_JUMPD(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return jump_to(m, p, op->a);
}

static int64_t exec_JUMPD2(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return jump_to(m, p, op->a);
}

static int64_t exec_BL(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    afuc_gpr_put(m, p, REG_LR, p->pc + 2);
    return (int64_t)op->imm;
}

static inline int64_t exec_JUMPA(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)m, (void)p;
    return (int64_t)op->imm;
}

static inline int64_t exec_JUMPA_A5XX(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return exec_JUMPA(m, p, op);
}

/* The mode is stored where firmware looks for it; what the secure shader does is not modelled. */
static int64_t exec_SETSECURE(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)p, (void)op;
    return m->setup->secure_fails ? FLOW_ON : FLOW_SKIP2;
}

/* --- what is no instruction --- */
static uint32_t word_at(const struct afuc_machine *m, const struct afuc_processor *p)
{
    const struct isa_layout *layout = m->core->layout;
    uint64_t start = layout->info.sections[p->section].start + (uint64_t)p->pc;
    return page_word(layout->bytes + layout->info.prefix + 4 * start);
}

static int64_t fault_no_insn(struct afuc_machine *m, struct afuc_processor *p)
{
    return afuc_unknown(m, p, MSG_AFUC_NO_INSN, word_at(m, p));
}

static int64_t fault_left_section(struct afuc_machine *m, struct afuc_processor *p)
{
    return afuc_fault(m, p, MSG_AFUC_LEFT_SECTION, p->lost ? p->lost : p->pc, p->words);
}

#include "isa/afuc/machine/loop.h"

/* Labels as values are an extension of both compilers that we build with. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wgnu-label-as-value"
#endif
/*
 * clang takes minutes for checks in this many places; run_observed() and afuc_evaluate() have the same actions. Where
 * ways from each place to each are counted too, for libFuzzer, it takes a quarter of an hour: there run_observed() does
 * it all.
 */
#ifdef GPUCODE_FUZZED
#define OBSERVES_ALL true
#define run_plain run_observed
#define run_counted run_observed
#else
#define OBSERVES_ALL false
#define LOOP_ATTRIBUTES __attribute__((no_sanitize("address", "undefined")))
#define RUN_LOOP run_plain
#define OBSERVED 0
#define COUNTED 0
#include "isa/afuc/machine/loop.inc"
#undef RUN_LOOP
#undef COUNTED
#define RUN_LOOP run_counted
#define COUNTED 1
#include "isa/afuc/machine/loop.inc"
#undef RUN_LOOP
#undef COUNTED
#undef OBSERVED
#undef LOOP_ATTRIBUTES
#endif
#define LOOP_ATTRIBUTES
#define RUN_LOOP run_observed
#define OBSERVED 1
#define COUNTED 1
#include "isa/afuc/machine/loop.inc"
#undef RUN_LOOP
#undef OBSERVED
#undef COUNTED
#undef LOOP_ATTRIBUTES
#pragma GCC diagnostic pop

/* Events of functions that the loops share; the others need the observing one. */
#define TOLD_BY_ALL                                                                                                    \
    ((unsigned)(GPUCODE_EVENT_PACKET | GPUCODE_EVENT_HANDLED | GPUCODE_EVENT_READ | GPUCODE_EVENT_MEM_READ |           \
                GPUCODE_EVENT_MEM_WRITE))

int64_t afuc_run_batch(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit, uint64_t *ran)
{
    if (OBSERVES_ALL || m->core->hook_kinds & ~TOLD_BY_ALL)
        return run_observed(m, p, limit, ran);
    if (!p->watching)
        return m->core->edges.map || m->core->coverage ? run_counted(m, p, limit, ran) : run_plain(m, p, limit, ran);
    begin_watch(m, p);
    int64_t flow = run_counted(m, p, limit, ran);
    end_watch(p);
    return flow;
}

bool afuc_branches(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return op->a < REG_FIRST_SPECIAL ? is_met(op->row, op, p->gpr[op->a]) : branch_on_queue(m, p, op) != FLOW_ON;
}
