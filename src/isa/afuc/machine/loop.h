/* SPDX-License-Identifier: MIT */
/*
 * What happens between the instructions of the run loops (loop.inc): observers, what becomes of a branch, headers. All
 * of it is inlined so that the cursor stays in registers; a function that took its address would put it into memory.
 */
#ifndef ISA_AFUC_MACHINE_LOOP_H
#define ISA_AFUC_MACHINE_LOOP_H

#include "isa/afuc/machine/block.h"
#include "isa/afuc/machine/exec.h"

#include <string.h>

/*
 * Instructions with a function of their own, as blocks have them: each of these does at once what is usual, and says
 * false or less than 0, with nothing done, where it takes the function: faults, hooks, hosts that answer, registers
 * that do something. Operands are general registers (OP_QUICK).
 */

#define INLINED static inline __attribute__((always_inline))

/* Does somebody want to hear of accesses, or answer them? */
INLINED bool hears_of_memory(const struct afuc_machine *m)
{
    return m->core->access || m->core->hook_kinds;
}

INLINED void step_offset(struct afuc_processor *p, const struct afuc_op *op, uint32_t start)
{
    if (op->flags & OP_PREINCREMENT && op->b)
        p->gpr[op->b] = start + op->imm;
}

INLINED bool quick_load(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, uint32_t *value)
{
    uint32_t start = p->gpr[op->b];
    uint64_t address = afuc_memory_address(m, p, op, start);
    if (address & 3 || hears_of_memory(m) || !pages_read(&m->core->memory, address, value))
        return false;
    step_offset(p, op, start);
    p->gpr[op->d] = *value;
    afuc_note_poll(p, UINT8_MAX, (uint32_t)address, *value);
    return true;
}

INLINED bool quick_store(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    uint32_t start = p->gpr[op->b], value = p->gpr[op->a], old;
    uint64_t address = afuc_memory_address(m, p, op, start);
    if (address & 3 || hears_of_memory(m) || !pages_read(&m->core->memory, address, &old) ||
        !pages_write(&m->core->memory, address, value))
        return false;
    step_offset(p, op, start);
    if (old != value)
        afuc_rehash_memory(m, address, old, value);
    return true;
}

INLINED bool quick_cread(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, uint32_t *value)
{
    uint32_t start = p->gpr[op->b], number = start + op->imm;
    if (number >= CONTROL_COUNT || !(m->setup->plain[number] & PLAIN_READ) || m->core->hook_kinds)
        return false;
    *value = p->control[number];
    step_offset(p, op, start);
    p->gpr[op->d] = *value;
    afuc_note_poll(p, GPUCODE_SPACE_CONTROL, number, *value);
    return true;
}

INLINED bool quick_cwrite(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op)
{
    uint32_t start = p->gpr[op->b], value = p->gpr[op->a], number = start + op->imm;
    if (number >= CONTROL_COUNT || !(m->setup->plain[number] & PLAIN_WRITE))
        return false;
    step_offset(p, op, start);
    uint32_t old = p->control[number];
    afuc_control_set(p, number, value);
    afuc_rehash(&p->hash, KEY_CONTROL | number, old, value);
    return true;
}

INLINED bool quick_sread(struct afuc_processor *p, const struct afuc_op *op, uint32_t *value)
{
    uint32_t start = p->gpr[op->b], number = start + op->imm;
    if (number >= SQE_COUNT)
        return false;
    *value = p->sqe[number];
    step_offset(p, op, start);
    p->gpr[op->d] = *value;
    return true;
}

INLINED bool quick_swrite(struct afuc_processor *p, const struct afuc_op *op)
{
    uint32_t start = p->gpr[op->b], value = p->gpr[op->a], number = start + op->imm;
    if (number >= SQE_COUNT)
        return false;
    step_offset(p, op, start);
    p->sqe[number] = value;
    return true;
}

/* An access of that row; *value is the result of one that reads. */
INLINED bool quick_access(struct afuc_machine *m, struct afuc_processor *p, unsigned row, const struct afuc_op *op,
                          uint32_t *value)
{
    switch (row) {
    case AFUC_LOAD:
    case AFUC_LOAD_A5XX:
        return quick_load(m, p, op, value);
    case AFUC_STORE:
    case AFUC_STORE_A5XX:
        return quick_store(m, p, op);
    case AFUC_CREAD:
    case AFUC_CREAD_A5XX:
        return quick_cread(m, p, op, value);
    case AFUC_CWRITE:
    case AFUC_CWRITE_A5XX:
        return quick_cwrite(m, p, op);
    case AFUC_SREAD:
        return quick_sread(p, op, value);
    case AFUC_SWRITE:
        return quick_swrite(p, op);
    default:
        return false;
    }
}

/* Where calls, returns and jumps to registers go after their delay slot. */
INLINED int64_t quick_target(struct afuc_processor *p, unsigned row, const struct afuc_op *op)
{
    uint32_t depth = p->sqe[SQE_SP], back = (uint32_t)(op - p->code) + 2, target = op->imm;
    switch (row) {
    case AFUC_CALL:
        if (depth >= STACK_DEPTH)
            return -1;
        p->sqe[SQE_STACK + depth] = back;
        p->sqe[SQE_SP] = depth + 1;
        return (int64_t)target;
    case AFUC_RET:
        if (depth == 0 || depth > STACK_DEPTH || p->sqe[SQE_STACK + depth - 1] >= p->words)
            return -1;
        p->sqe[SQE_SP] = depth - 1;
        return (int64_t)p->sqe[SQE_STACK + depth - 1];
    case AFUC_BL:
        p->gpr[REG_LR] = back;
        return (int64_t)target;
    case AFUC_JUMP_REG:
        target = p->gpr[op->b];
        break;
    case AFUC_SRET:
        target = p->gpr[REG_LR];
        break;
    default:
        target = p->gpr[op->a];
        break;
    }
    return target < p->words ? (int64_t)target : -1;
}

/* Where the run loop is. */
struct cursor {
    const struct afuc_op *code;
    const struct afuc_op *at, *next; /* the instruction to run, and the one after it; in a block, `at` alone */
    const struct afuc_op *skip;      /* observers know of this instruction already; null: of none */
    uint64_t limit, left;            /* of instructions */
};

INLINED void note_place(struct afuc_machine *m, struct afuc_processor *p, const struct cursor *c)
{
    p->pc = (uint32_t)(c->at - c->code);
    p->next = (uint32_t)(c->next - c->code);
    m->left = c->left;
}

INLINED struct cursor begin_batch(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit)
{
    struct cursor c = {
        .code = p->code, .at = p->code + p->pc, .next = p->code + p->next, .limit = limit, .left = limit};
    if (p->broke)
        c.skip = c.at;
    m->chunk = limit;
    m->extra = m->cost = 0;
    m->halt = false;
    p->broke = false;
    return c;
}

INLINED int64_t end_batch(struct afuc_machine *m, struct afuc_processor *p, const struct cursor *c, int64_t flow,
                          uint64_t *ran)
{
    note_place(m, p, c);
    *ran = m->chunk - c->left;
    m->core->count += *ran;
    m->core->time += *ran;
    m->cost += c->limit - c->left;
    m->chunk = 0;
    return flow == FLOW_AGAIN ? FLOW_ON : flow;
}

/* --- observers ---------------------------------------------------------------------------------------------------- */

/* Is the processor where the hang detector saw it, with nothing changed? */
static bool is_at_watch(const struct afuc_processor *p, uint32_t pc, uint32_t next, uint64_t shared_hash)
{
    const struct afuc_watch *watch = &p->watch;
    return pc == watch->pc && next == watch->next && p->carry == watch->carry && p->hash == watch->hash &&
           shared_hash == watch->shared_hash && memcmp(p->gpr, watch->gpr, sizeof watch->gpr) == 0 &&
           memcmp(p->sqe, watch->sqe, sizeof watch->sqe) == 0;
}

INLINED int64_t stop_at_break(struct afuc_machine *m, struct afuc_processor *p, struct cursor *c)
{
    c->left++;
    p->broke = true;
    m->stop->reason = GPUCODE_STOP_BREAKPOINT;
    return FLOW_STOP;
}

/* Is the cursor where the hang detector watches, with nothing changed? Then the processor does not run on. */
INLINED bool stop_at_watch(struct afuc_machine *m, struct afuc_processor *p, struct cursor *c)
{
    if (!p->watching || !is_at_watch(p, (uint32_t)(c->at - c->code), (uint32_t)(c->next - c->code), m->shared_hash))
        return false;
    c->left++;
    p->spinning = true;
    return true;
}

/* Breakpoint, instruction hook and coverage of the instruction at the cursor; FLOW_STOP: it does not run now. */
INLINED int64_t tell_insn(struct afuc_machine *m, struct afuc_processor *p, struct cursor *c)
{
    uint32_t pc = (uint32_t)(c->at - c->code);
    if (c->at != c->skip && c->at->action == ACTION_BREAK)
        return stop_at_break(m, p, c);
    if (c->at != c->skip && m->core->hook_kinds & GPUCODE_EVENT_INSN && pc < p->words) {
        note_place(m, p, c);
        const struct gpucode_event event = {
            .kind = GPUCODE_EVENT_INSN, .processor = p->index, .pc = pc, .time = afuc_time(m)};
        if (isa_event(m->core, &event)) {
            m->stop->reason = GPUCODE_STOP_HOOK;
            p->broke = true; /* so that going on does not tell of it again */
            c->left++;
            return FLOW_STOP;
        }
    }
    c->skip = NULL;
    if (m->core->coverage && pc < p->words)
        p->cover[pc] = 1;
    return FLOW_ON;
}

/* The same, and the hang detector. */
INLINED int64_t observe_insn(struct afuc_machine *m, struct afuc_processor *p, struct cursor *c)
{
    return stop_at_watch(m, p, c) ? FLOW_STOP : tell_insn(m, p, c);
}

INLINED void tell_operands(struct afuc_machine *m, struct afuc_processor *p, const struct cursor *c)
{
    if (m->core->hook_kinds & (GPUCODE_EVENT_USE | GPUCODE_EVENT_COMPARE))
        afuc_decode_now(m, p, c->at);
    if (m->core->hook_kinds & GPUCODE_EVENT_USE) {
        note_place(m, p, c);
        afuc_tell_uses(m, p, c->at);
    }
    if (m->core->hook_kinds & GPUCODE_EVENT_COMPARE) {
        note_place(m, p, c);
        afuc_tell_comparison(m, p, c->at);
    }
}

INLINED void tell_result(struct afuc_machine *m, struct afuc_processor *p, const struct cursor *c, uint32_t number,
                         uint32_t value, uint32_t old)
{
    if (m->core->hook_kinds & GPUCODE_EVENT_WRITE && number != REG_NOWHERE) {
        note_place(m, p, c);
        afuc_tell_write(m, p, GPUCODE_SPACE_GENERAL, number, value, old);
    }
}

/* Sets `count` bytes to 1, most often less than ten: a call takes longer. */
INLINED void set_ones(uint8_t *at, size_t count)
{
    static const uint8_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    if (count > 16) {
        memset(at, 1, count);
    } else if (count >= 8) {
        memcpy(at, ones, 8);
        memcpy(at + count - 8, ones, 8);
    } else if (count >= 4) {
        memcpy(at, ones, 4);
        memcpy(at + count - 4, ones, 4);
    } else if (count) {
        at[0] = at[count / 2] = at[count - 1] = 1;
    }
}

/* The instruction and those after it are about to run. */
INLINED void cover_insns(const struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *from,
                         size_t count)
{
    if (m->core->coverage)
        set_ones(p->cover + (from - p->code), count);
}

/* Counts the way that the instruction at the cursor goes, if it has led anywhere. */
INLINED void count_edge(struct afuc_machine *m, struct afuc_processor *p, const struct cursor *c, int64_t flow)
{
    uint32_t at = (uint32_t)(c->at - c->code);
    if (m->core->edges.map && at < p->words &&
        (flow >= 0 || flow == FLOW_ON || flow == FLOW_SKIP2 || flow == FLOW_ENTER))
        isa_edge(&m->core->edges, p->section, at, flow >= 0, (uint64_t)flow);
}

/* --- what an instruction leads to --------------------------------------------------------------------------------- */

/* Repetitions of a (rep) count against the limit, but not as instructions. They may use it up in the middle. */
INLINED void pay_repetitions(struct afuc_machine *m, struct afuc_processor *p, struct cursor *c, int64_t flow)
{
    bool spent = m->extra > c->left;
    uint64_t paid = spent ? c->left : m->extra;
    p->repeating = spent && flow == FLOW_AGAIN;
    c->left -= paid;
    m->chunk -= paid;
    m->core->time += m->extra;
    m->cost += m->extra - paid;
    m->extra = 0;
}

/*
 * Where a branch goes, `last` being where one went last. What comes there waits for `at`, which comes from a load, and
 * the steps through the block on top of that; where the processor foresees that it is the same, nothing waits.
 */
INLINED const struct afuc_op *known_place(const struct afuc_op *at, const struct afuc_op **last)
{
    const struct afuc_op *same = *last;
    __asm__("" : "+r"(same)); /* so that the compiler does not know it for what it is compared with */
    if (at == *last)
        return same;
    return *last = at;
}

INLINED void go_to(struct cursor *c, const struct afuc_op *at)
{
    c->at = at;
    c->next = at + 1;
}

/* A taken branch; false: it is one in the delay slot of another, which is a fault. */
INLINED bool take_branch(struct afuc_machine *m, struct afuc_processor *p, struct cursor *c, uint32_t target)
{
    if (target >= p->words) {
        p->lost = target;
        target = p->words;
    }
    if (c->next != c->at + 1 && !m->setup->delay_reference) {
        note_place(m, p, c);
        afuc_two_branches(m, p, target);
        return false;
    }
    c->at = c->next;
    c->next = c->code + target;
    return true;
}

/*
 * Moves the cursor on as the instruction says that has just run. FLOW_ON: to the next instruction; FLOW_WAITIN: to a
 * delay slot that needs a header; FLOW_AGAIN: not at all; all else ends the batch, and the instruction has run unless
 * `left` has grown again.
 */
INLINED int64_t take_flow(struct afuc_machine *m, struct afuc_processor *p, struct cursor *c, int64_t flow)
{
    int64_t result = FLOW_ON;
    if (flow >= 0) {
        if (!take_branch(m, p, c, (uint32_t)flow)) {
            c->left++;
            return FLOW_STOP;
        }
    } else if (flow == FLOW_ON) {
        go_to(c, c->next);
    } else if (flow == FLOW_SKIP2) {
        go_to(c, c->next + 2 > c->code + p->words ? c->code + p->words : c->next + 2);
    } else if (flow == FLOW_ENTER) {
        p->lost = p->sqe[SQE_PREEMPT_INSTR];
        go_to(c, c->code + (p->lost < p->words ? p->lost : p->words));
        return FLOW_ON;
    } else if (flow == FLOW_WAITIN) {
        p->waiting = true;
        if (p->resumed && c->at == c->code + p->return_pc) /* back from iret: what stood after the waitin */
            c->next = c->code + p->return_next;
        p->resumed = false;
        go_to(c, c->next);
        result = FLOW_WAITIN;
    } else if (flow == FLOW_AGAIN) { /* it counts when its last repetition is done, so that a count tells one state */
        c->left++;
        return FLOW_AGAIN;
    } else {
        c->left++;                      /* stopped or blocked: it has not run */
        p->broke |= flow == FLOW_BLOCK; /* and observers know of it */
        /* No reason given: the instruction itself has changed the queue that it was reading, which is empty now. */
        return flow == FLOW_STOP && m->stop->reason == GPUCODE_STOP_LIMIT ? afuc_queue_dry(m, p) : flow;
    }
    if (!m->halt)
        return result;
    m->stop->reason = GPUCODE_STOP_HOOK;
    return FLOW_STOP;
}

/* --- headers ------------------------------------------------------------------------------------------------------ */

/* Is there nothing that waitin could look at? */
static bool waits_for_words(struct afuc_machine *m, struct afuc_processor *p)
{
    if (!p->header_pending) {
        afuc_queue_settle(m, p);
        afuc_groups_settle(m, p);
    }
    return !afuc_queue_words(m, p);
}

/* `at` is the delay slot of a waitin: finds the handler of the next header. FLOW_ON: the delay slot runs now. */
INLINED int64_t take_header(struct afuc_machine *m, struct afuc_processor *p, struct cursor *c)
{
    note_place(m, p, c);
    if (waits_for_words(m, p))
        return FLOW_BLOCK;
    c->left--;
    m->left = c->left; /* the packet comes with the delay slot, not with the waitin */
    if (observe_insn(m, p, c) != FLOW_ON)
        return FLOW_STOP;
    bool again = p->header_pending; /* the last handler has not taken it: nothing new */
    int64_t flow = afuc_dispatch(m, p);
    if (flow < 0) {
        c->left++;
        return flow;
    }
    p->waiting = false;
    c->next = c->code + flow;
    if (!again)
        m->fresh_left = c->left + 1;
    /* The hang detector starts anew at a new packet, which must not hang on how runs are cut. */
    bool restart = !again && (p->watch_at != WATCH_FIRST || p->watch_left);
    if (!m->halt && !restart)
        return FLOW_ON;
    p->broke = true; /* hooks have been told of the delay slot, but it has not run */
    c->left++;
    if (!m->halt)
        return FLOW_AGAIN;
    m->stop->reason = GPUCODE_STOP_HOOK;
    return FLOW_STOP;
}

#endif
