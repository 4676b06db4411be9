/* SPDX-License-Identifier: MIT */
/*
 * Instructions with a function of their own, as blocks have them: each of these does at once what is usual, and says
 * false or less than 0, with nothing done, where it takes the function: faults, hooks, hosts that answer, registers
 * that do something. Operands are general registers (OP_QUICK).
 */
#ifndef ISA_AFUC_MACHINE_QUICK_H
#define ISA_AFUC_MACHINE_QUICK_H

#include "isa/afuc/machine/exec.h"

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

#endif
