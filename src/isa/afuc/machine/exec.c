/* SPDX-License-Identifier: MIT */
/*
 * AFUC instructions at work. The actions stand in insn.def and become the labels of the run loop (loop.inc) and the
 * cases of afuc_evaluate(), so that there is no second list of instructions; a row whose action is LONG needs a
 * function exec_<id> here, or this file does not compile.
 */
#include "isa/afuc/machine/access.h"

#include <string.h>

/* Does the row's bit pattern have a field of that letter? A constant for the compiler. */
#define HAS(bits, letter) (__builtin_strchr(bits, letter) != NULL)

/* LONG has a comma where an action has none: ROW_KIND() gives ROW_function or ROW_action. */
#define LONG ~, ROW_function
#define ROW_KIND(...) ROW_KIND_OF(__VA_ARGS__, ROW_action, ~)
#define ROW_KIND_OF(first, second, ...) second

enum { FLOW_WAITIN = -6, FLOW_ENTER = -7 }; /* wait for a header; go to the preemption entry without a delay slot */

/* --- what actions are written in --- */
#define CARRY p->carry
#define SHIFT_LEFT(a, b) ((b) < 32 ? (a) << (b) : m->setup->shift_zero ? 0 : (a) << ((b)&31))
#define SHIFT_RIGHT(a, b) ((b) < 32 ? (a) >> (b) : m->setup->shift_zero ? 0 : (a) >> ((b)&31))
#define SHIFT_RIGHT_SIGNED(a, b) shift_right_signed(a, (b) < 32 ? (b) : m->setup->shift_zero ? 31 : (b)&31)
#define ROTATE_LEFT(a, b) ((a) << ((b)&31) | (a) >> (-(b)&31))
#define COMPARE(a, b) ((a) > (b) ? 0x00 : (a) == (b) ? 0x2b : 0x1e)
#define SET_BIT_TO(a, b) (((a) & ~(UINT32_C(1) << ((b) >> 1 & 31))) | ((b)&1) << ((b) >> 1 & 31))
#define HIGHEST_BIT(b) ((b) ? 31 - (uint32_t)__builtin_clz(b) : 0)
#define BIT_COUNT(b) ((uint32_t)__builtin_popcount(b))
#define FIELD_GET(a, low, high) ((a) >> (low)&field_mask(low, high))
#define FIELD_SET(d, a, low, high)                                                                                     \
    ((m->setup->bfi_or ? (d) : (d) & ~(field_mask(low, high) << (low))) | ((a)&field_mask(low, high)) << (low))

static inline uint32_t shift_right_signed(uint32_t value, uint32_t count)
{
    return value >> count | (value & UINT32_C(0x80000000) && count ? ~UINT32_C(0) << (32 - count) : 0);
}

/* As many ones as the field has bits; none when its ends are the wrong way round. */
static inline uint32_t field_mask(uint32_t low, uint32_t high)
{
    return high < low ? 0 : ~UINT32_C(0) >> (31 - (high - low));
}

/* --- control flow --- */
/* A branch on a queue takes a word from it: no firmware is known to, but the encoding allows it. */
static int64_t branch_on_queue(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool bit,
                               bool equal)
{
    bool taken;
    uint32_t value;
    if (op->a == REG_DATA && !afuc_queue_words(m, p))
        return afuc_queue_dry(m, p);
    if (!afuc_source(m, p, op->a, false, &taken, &value))
        return FLOW_STOP;
    bool met = bit ? value >> op->shift & 1 : value == op->shift;
    return met == equal ? (int64_t)op->imm : FLOW_ON;
}

static inline int64_t branch(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, bool bit,
                             bool equal)
{
    if (__builtin_expect(op->a >= REG_FIRST_SPECIAL, 0))
        return branch_on_queue(m, p, op, bit, equal);
    uint32_t value = p->gpr[op->a];
    bool met = bit ? value >> op->shift & 1 : value == op->shift;
    return met == equal ? (int64_t)op->imm : FLOW_ON;
}

static inline int64_t exec_BRNE_IMM(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return branch(m, p, op, false, false);
}

static inline int64_t exec_BREQ_IMM(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return branch(m, p, op, false, true);
}

static inline int64_t exec_BRNE_BIT(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return branch(m, p, op, true, false);
}

static inline int64_t exec_BREQ_BIT(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    return branch(m, p, op, true, true);
}

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
    return (int64_t)p->return_pc;
}

static int64_t exec_WAITIN(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    (void)op;
    if (m->setup->preempt_enters && !p->interrupted && afuc_control_get(m, p, CONTROL_PREEMPT_TRIGGER) & 1) {
        p->interrupted = true;
        p->return_pc = p->pc; /* iret comes back to this waitin */
        return FLOW_ENTER;
    }
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

static int64_t afuc_no_insn(struct afuc_machine *m, struct afuc_processor *p)
{
    return afuc_unknown(m, p, MSG_AFUC_NO_INSN, word_at(m, p));
}

static int64_t afuc_left_section(struct afuc_machine *m, struct afuc_processor *p)
{
    return afuc_fault(m, p, MSG_AFUC_LEFT_SECTION, p->lost ? p->lost : p->pc, p->words);
}

static int64_t afuc_two_branches(struct afuc_machine *m, struct afuc_processor *p, uint32_t target)
{
    return afuc_fault(m, p, MSG_AFUC_TWO_BRANCHES, p->next, target);
}

/* Is there nothing that waitin could look at? */
static bool afuc_queue_waits(struct afuc_machine *m, struct afuc_processor *p)
{
    if (!p->header_pending)
        afuc_queue_settle(m, p);
    return !afuc_queue_words(m, p);
}

/* --- observers --- */

/* Is the processor where the hang detector saw it, with nothing changed? */
static bool watched(const struct afuc_processor *p, uint32_t pc, uint32_t next, uint64_t shared_hash)
{
    const struct afuc_watch *watch = &p->watch;
    return pc == watch->pc && next == watch->next && p->carry == watch->carry && p->hash == watch->hash &&
           shared_hash == watch->shared_hash && memcmp(p->gpr, watch->gpr, sizeof watch->gpr) == 0;
}

/* The instruction hook; false: it wants to stop. */
static bool looked_at(struct afuc_machine *m, struct afuc_processor *p, uint32_t pc, uint32_t next, uint64_t left)
{
    if (!(m->core->hook_kinds & GPUCODE_EVENT_INSN) || pc >= p->words)
        return true;
    p->pc = pc;
    p->next = next;
    m->left = left;
    const struct gpucode_event event = {
        .kind = GPUCODE_EVENT_INSN, .processor = p->index, .pc = pc, .time = afuc_time(m)};
    if (!isa_event(m->core, &event))
        return true;
    m->stop->reason = GPUCODE_STOP_HOOK;
    p->broke = true; /* the instruction has been told of */
    return false;
}

/* Does the effect of a row read a general register, and which? False also where a field of the word says it does not.
 */
static bool reads_general(const struct isa_row *row, const struct isa_effect *effect, const struct afuc_op *op,
                          unsigned *number)
{
    if (!(effect->use & GPUCODE_USE_READ) || (effect->when && !(op->flags & OP_REP)))
        return false; /* "if r" is the only condition that rows have on reads */
    *number = effect->verb == ISA_EFFECT_REGISTER ? effect->number : op->d;
    return (effect->verb == ISA_EFFECT_REGISTER && effect->space == GPUCODE_SPACE_GENERAL) ||
           (effect->verb == ISA_EFFECT_OPERAND && row->fields[effect->field - 1].letter == 'd');
}

/* Queues are told of where they are read. */
void afuc_tell_uses(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    const struct isa_row *row = &afuc_rows.rows[op->row];
    unsigned number;
    if (op->real == ACTION_UNKNOWN || op->real == ACTION_END)
        return;
    for (unsigned i = 0; i < row->field_count; i++) {
        char letter = row->fields[i].letter;
        number = letter == 's' ? op->a : op->b;
        if ((letter == 's' || letter == 't' || letter == 'o') && number < REG_FIRST_SPECIAL)
            afuc_tell_use(m, p, number, p->gpr[number]);
    }
    for (unsigned i = 0; i < row->effect_count; i++)
        if (reads_general(row, &row->effects[i], op, &number) && number < REG_FIRST_SPECIAL)
            afuc_tell_use(m, p, number, p->gpr[number]);
}

/* Labels as values are an extension of both compilers that we build with. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wgnu-label-as-value"
#endif
#define LOOP run_plain
#define OBSERVED 0
#include "isa/afuc/machine/loop.inc"
#undef LOOP
#undef OBSERVED
#define LOOP run_observed
#define OBSERVED 1
#include "isa/afuc/machine/loop.inc"
#undef LOOP
#undef OBSERVED
#pragma GCC diagnostic pop

int64_t afuc_stretch(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit, uint64_t *ran)
{
    bool observed = m->core->hook_kinds || m->core->coverage || p->watching;
    return observed ? run_observed(m, p, limit, ran) : run_plain(m, p, limit, ran);
}

/* --- single results --- */
#define ROW_action(id, bits, ...)                                                                                      \
    case AFUC_##id:                                                                                                    \
        __VA_ARGS__ break;
#define ROW_function(id, bits, ...)
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

bool afuc_branches(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    switch (op->row) {
    case AFUC_BRNE_IMM:
        return exec_BRNE_IMM(m, p, op) != FLOW_ON;
    case AFUC_BREQ_IMM:
        return exec_BREQ_IMM(m, p, op) != FLOW_ON;
    case AFUC_BRNE_BIT:
        return exec_BRNE_BIT(m, p, op) != FLOW_ON;
    default:
        return exec_BREQ_BIT(m, p, op) != FLOW_ON;
    }
}
