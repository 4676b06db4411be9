/* SPDX-License-Identifier: MIT */
/*
 * Category 6: loads and stores by addresses, and which file has the others; before that consts and atomic operations.
 */
#include "ir3_messages.h"
#include "isa/ir3/machine/access.h"

/* Category 6: what goes into the const file, and loads from buffers of constants. */

/* Where in the const file it begins, components: a1.x is that of the first fiber. */
static uint32_t const_place(const struct ir3_run *run, const struct ir3_op *op)
{
    unsigned place = ir3_field(op, 'Z');
    bool indirect = op->row == IR3_LDC_K || place >> 8;
    uint32_t base = indirect ? ir3_read_register(run->state, run->lane[0], false, IR3_A0 + 1) & 0xffff : 0;
    return base + (op->row == IR3_LDC_K ? 0 : place & 0xff);
}

static bool set_const(struct ir3_run *run, uint32_t number, uint32_t value)
{
    if (number < A3XX_CONST_COUNT) {
        if (run->core->hook_kinds & GPUCODE_EVENT_WRITE)
            ir3_raise(run, GPUCODE_EVENT_WRITE, run->lane[0], GPUCODE_A3XX_CONST, number, value,
                      run->state->all.consts[number]);
        run->state->all.consts[number] = value;
        return true;
    }
    if (!run->state->choice.range_zero)
        IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_OUTSIDE, (int)number);
    return !run->halted;
}

/* stc: values of 16 bits lie in pairs, the lower first. */
static void ir3_store_consts(struct ir3_run *run, const struct ir3_op *op)
{
    const struct ir3_operand *data = ir3_operand_of(op, 'p');
    unsigned count = op->count;
    uint32_t place = const_place(run, op);
    bool half = ir3_type_bytes(ir3_memory_type(op->insn.bits)) < 4;
    for (unsigned k = 0; k < count; k += half ? 2 : 1) {
        uint32_t value = ir3_data(run, data, 0, k);
        if (half && k + 1 < count)
            value |= ir3_data(run, data, 0, k + 1) << 16;
        if (!set_const(run, place + (half ? k / 2 : k), value))
            return;
    }
}

/* stsc: words of the shared constants go to consts. */
static void ir3_store_pushed(struct ir3_run *run, const struct ir3_op *op)
{
    const struct ir3_state *state = run->state;
    unsigned first = ir3_field(op, 'n'), count = op->count, place = ir3_low_first_of(op, 'l');
    for (unsigned k = 0; k < count; k++) {
        if (first + k >= GPUCODE_IR3_PUSHES || !state->push_given[first + k]) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_PUSH, first + k);
            return;
        }
        if (!set_const(run, place + k, state->push[first + k]))
            return;
    }
}

static bool read_constants(struct ir3_run *run, const struct ir3_bound *bound, uint64_t offset, uint32_t *word)
{
    uint64_t value = 0;
    bool good = !ir3_is_within(bound, offset, 4) ||
                ir3_read_bytes(run, IR3_GLOBAL, ir3_bound_address(bound) + offset, 4, &value);
    *word = (uint32_t)value;
    return good;
}

/* ldc: the offset counts vectors; with .k vectors go to consts. */
static void ir3_load_constants(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t slots[IR3_WAVE_MAX], offsets[IR3_WAVE_MAX], values[IR3_WAVE_MAX];
    bool into_consts = op->row == IR3_LDC_K;
    unsigned count = into_consts ? 4 * (ir3_field(op, 'v') + 1) : ir3_field(op, 'v') + 1;
    if (!ir3_fetch_slots(run, op, slots))
        return;
    ir3_fetch_letter(run, op, 'L', offsets);
    for (unsigned k = 0; k < count && !run->halted; k++) {
        for (unsigned i = 0; i < (into_consts ? 1 : run->lanes); i++) {
            run->index = run->lane[i];
            const struct ir3_bound *bound = ir3_bound_at(run, op, slots[i], true);
            unsigned component = into_consts ? 0 : ir3_field(op, 'Y');
            if (!bound || !read_constants(run, bound, 16 * (uint64_t)offsets[i] + 4 * (component + k), &values[i]))
                return;
        }
        if (!into_consts)
            ir3_put(run, &op->result, 0, k, values);
        else if (!set_const(run, const_place(run, op) + k, values[0]))
            return;
    }
}

/* ldg.k: vectors from an address. */
static void ir3_load_global_consts(struct ir3_run *run, const struct ir3_op *op)
{
    uint64_t addresses[IR3_WAVE_MAX], value;
    uint32_t place = const_place(run, op);
    ir3_find_addresses(run, op, IR3_GLOBAL, addresses);
    run->index = run->lane[0];
    for (unsigned k = 0; k < 4 * op->count; k++)
        if (!ir3_read_bytes(run, IR3_GLOBAL, addresses[0] + 4 * k, 4, &value) ||
            !set_const(run, place + k, (uint32_t)value))
            return;
}

/* Atomic operations. */

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
        run->index = run->lane[i];
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

/* Category 6: loads and stores by addresses, and which file has the others. */

static void load(struct ir3_run *run, const struct ir3_op *op, enum ir3_space space)
{
    unsigned bytes = ir3_type_bytes(ir3_memory_type(op->insn.bits)), count = op->count;
    uint64_t addresses[IR3_WAVE_MAX], value;
    uint32_t values[IR3_WAVE_MAX];
    ir3_find_addresses(run, op, space, addresses);
    for (unsigned k = 0; k < count && !run->halted; k++) {
        if (bytes == 4 && !ir3_read_words(run, space, addresses, 4 * (uint64_t)k, values))
            return;
        for (unsigned i = 0; i < run->lanes && bytes != 4; i++) {
            run->index = run->lane[i];
            if (!ir3_read_bytes(run, space, addresses[i] + (uint64_t)k * bytes, bytes, &value))
                return;
            values[i] = (uint32_t)value;
        }
        ir3_put(run, &op->result, 0, k, values);
    }
}

static void store(struct ir3_run *run, const struct ir3_op *op, enum ir3_space space, char letter)
{
    unsigned bytes = ir3_type_bytes(ir3_memory_type(op->insn.bits)), count = op->count;
    const struct ir3_operand *data = ir3_operand_of(op, letter);
    uint64_t addresses[IR3_WAVE_MAX];
    ir3_find_addresses(run, op, space, addresses);
    for (unsigned i = 0; i < run->lanes; i++) {
        run->index = run->lane[i];
        for (unsigned k = 0; k < count && !ir3_is_dark(run, i); k++)
            if (!ir3_write_bytes(run, space, addresses[i] + (uint64_t)k * bytes, bytes, ir3_data(run, data, i, k)))
                return;
    }
}

static void load_varyings(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t values[IR3_WAVE_MAX];
    for (unsigned k = 0; k < op->count; k++) {
        uint32_t location = ir3_field(op, 'l') + k;
        if (location >= GPUCODE_A3XX_VARYINGS) {
            IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_VARYING, (unsigned)location);
            return;
        }
        for (unsigned i = 0; i < run->lanes; i++)
            values[i] = run->state->all.varying[0][location];
        ir3_put(run, &op->result, 0, k, values);
    }
}

static void tell_number(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t values[IR3_WAVE_MAX];
    for (unsigned i = 0; i < run->lanes; i++)
        values[i] = op->row == IR3_GETFIBERID ? run->lane[i] - run->first
                    : op->row == IR3_GETWID   ? run->first / run->state->choice.width % 16
                                              : 0;
    ir3_put(run, &op->result, 0, 0, values);
}

/* What is found by a number, not by an address. */
static void access_resource(struct ir3_run *run, const struct ir3_op *op)
{
    switch (op->row) {
    case IR3_STC:
        ir3_store_consts(run, op);
        return;
    case IR3_LDC:
    case IR3_LDC_K:
        ir3_load_constants(run, op);
        return;
    case IR3_LDIB_B:
    case IR3_LDGB_4:
    case IR3_LDGB_5:
    case IR3_LDIB:
        ir3_load_elements(run, op);
        return;
    case IR3_STIB_B:
    case IR3_STGB_4:
    case IR3_STGB_5:
    case IR3_STIB_4:
    case IR3_STIB_5:
        ir3_store_elements(run, op);
        return;
    case IR3_RESINFO:
    case IR3_RESINFO_B:
        ir3_tell_size(run, op);
        return;
    case IR3_GETFIBERID:
    case IR3_GETWID:
    case IR3_GETSPID:
        tell_number(run, op);
        return;
    case IR3_RESBASE:
        ir3_tell_base(run, op);
        return;
    case IR3_STSC:
        ir3_store_pushed(run, op);
        return;
    default:
        ir3_trap(run, op);
    }
}

void ir3_memory(struct ir3_run *run, const struct ir3_op *op)
{
    switch (op->row) {
    case IR3_LDG:
    case IR3_LDG_A6:
    case IR3_LDG_A7:
        load(run, op, IR3_GLOBAL);
        return;
    case IR3_STG:
    case IR3_STG_A6:
    case IR3_STG_A7:
        store(run, op, IR3_GLOBAL, 'g');
        return;
    case IR3_LDL:
    case IR3_LDLW:
        load(run, op, IR3_LOCAL);
        return;
    case IR3_STL:
    case IR3_STLW:
        store(run, op, IR3_LOCAL, 'p');
        return;
    case IR3_LDP:
        load(run, op, IR3_PRIVATE);
        return;
    case IR3_STP:
        store(run, op, IR3_PRIVATE, 'p');
        return;
    case IR3_LDG_K:
        ir3_load_global_consts(run, op);
        return;
    case IR3_LDLV:
        load_varyings(run, op);
        return;
    default:
        access_resource(run, op);
    }
}
