/* SPDX-License-Identifier: MIT */
/* Atomic operations. */
#include "isa/ir3/machine/access.h"

static uint64_t atomic_result(enum ir3_atomic action, bool is_signed, uint64_t old, uint64_t data, uint64_t compared)
{
    bool less = is_signed ? (int32_t)old < (int32_t)data : old < data;
    switch (action) {
    case IR3_ADD:
        return old + data;
    case IR3_SUB:
        return old - data;
    case IR3_XCHG:
        return data;
    case IR3_INC:
        return old + 1;
    case IR3_DEC:
        return old - 1;
    case IR3_CMPXCHG:
        return old == compared ? data : old;
    case IR3_MIN:
        return less ? old : data;
    case IR3_MAX:
        return less ? data : old;
    case IR3_AND:
        return old & data;
    case IR3_OR:
        return old | data;
    default:
        return old ^ data;
    }
}

/* Where each fiber's value lies, and whether it is within its buffer. False with the machine halted. */
static bool find_values(struct ir3_run *run, const struct ir3_op *op, enum ir3_atomic_form form, unsigned bytes,
                        uint64_t *addresses, bool *within)
{
    for (unsigned i = 0; i < run->lanes; i++)
        within[i] = true;
    if (form == IR3_ATOMIC_LOCAL || form == IR3_ATOMIC_G) {
        ir3_fetch_addresses(run, ir3_operand_of(op, 'I'), addresses);
        return true;
    }
    struct ir3_access access;
    struct ir3_held held = {NULL, 0};
    if (!ir3_fetch_access(run, op, &access))
        return false;
    access.bytes = bytes;
    if (!access.typed)
        ir3_fetch_offsets(run, op, &access);
    for (unsigned i = 0; i < run->lanes; i++) {
        const struct ir3_bound *bound = ir3_bound_still(run, op, access.slot[i], &held);
        const uint32_t place[3] = {access.place[0][i], access.place[1][i], access.place[2][i]};
        if (!bound)
            return false;
        if (access.typed)
            within[i] = ir3_texel_offset(bound, place, &access.offset[i]);
        within[i] = within[i] && ir3_is_within(bound, access.offset[i], bytes);
        addresses[i] = ir3_bound_address(bound) + access.offset[i];
    }
    return true;
}

static uint64_t value_of(const struct ir3_run *run, const struct ir3_operand *data, unsigned lane, unsigned component,
                         bool wide)
{
    uint64_t low = ir3_data(run, data, lane, component);
    return wide ? low | (uint64_t)ir3_data(run, data, lane, component + 1) << 32 : low;
}

void ir3_atomic(struct ir3_run *run, const struct ir3_op *op, enum ir3_atomic_form form, enum ir3_atomic action)
{
    unsigned type = ir3_memory_type(op->insn.bits);
    bool wide = type == IR3_U8, within[IR3_WAVE_MAX], first = !run->state->choice.compare_first;
    unsigned bytes = wide ? 8 : 4, words = bytes / 4;
    uint64_t addresses[IR3_WAVE_MAX], old;
    uint32_t values[2][IR3_WAVE_MAX] = {0};
    if (type != IR3_U32 && type != IR3_S32 && (!wide || form < IR3_ATOMIC_G)) {
        ir3_refuse(run, op, "its type");
        return;
    }
    if (!find_values(run, op, form, bytes, addresses, within))
        return;
    const struct ir3_operand *data =
        form == IR3_ATOMIC_B ? &op->result : ir3_operand_of(op, form == IR3_ATOMIC_S ? 'I' : 'H');
    unsigned from = form == IR3_ATOMIC_B ? words : 0; /* the data stand after the result */
    enum ir3_space space = form == IR3_ATOMIC_LOCAL ? IR3_LOCAL : IR3_GLOBAL;
    for (unsigned i = 0; i < run->lanes; i++) {
        run->index = run->lane[i];
        if (ir3_is_dark(run, i) || !within[i])
            continue;
        uint64_t one = value_of(run, data, i, from, wide);
        uint64_t other = action == IR3_CMPXCHG ? value_of(run, data, i, from + words, wide) : 0;
        if (addresses[i] % bytes) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_UNALIGNED, (unsigned long long)addresses[i], bytes);
            return;
        }
        bool swaps = action == IR3_CMPXCHG && !first;
        if (!ir3_read_bytes(run, space, addresses[i], bytes, &old) ||
            !ir3_write_bytes(run, space, addresses[i], bytes,
                             atomic_result(action, type == IR3_S32, old, swaps ? other : one, swaps ? one : other)))
            return;
        values[0][i] = (uint32_t)old;
        values[1][i] = (uint32_t)(old >> 32);
    }
    for (unsigned k = 0; k < words; k++)
        ir3_put(run, &op->result, 0, k, values[k]);
}
