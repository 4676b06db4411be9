/* SPDX-License-Identifier: MIT */
/* Category 6: what goes into the const file, and loads from buffers of constants. */
#include "isa/ir3/machine/access.h"

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

void ir3_store_consts(struct ir3_run *run, const struct ir3_op *op)
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

void ir3_store_pushed(struct ir3_run *run, const struct ir3_op *op)
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

void ir3_load_constants(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t slots[IR3_WAVE_MAX], offsets[IR3_WAVE_MAX], values[IR3_WAVE_MAX];
    bool into_consts = op->row == IR3_LDC_K;
    unsigned count = into_consts ? 4 * (ir3_field(op, 'v') + 1) : ir3_field(op, 'v') + 1;
    if (!ir3_fetch_slots(run, op, slots))
        return;
    ir3_fetch_letter(run, op, 'L', offsets);
    for (unsigned k = 0; k < count && !run->halted; k++) {
        for (unsigned i = 0; i < (into_consts ? 1 : run->lanes); i++) {
            const struct ir3_bound *bound = ir3_bound_at(run, op, slots[i], true);
            unsigned component = into_consts ? 0 : ir3_field(op, 'Y');
            run->index = run->lane[i];
            if (!bound || !read_constants(run, bound, 16 * (uint64_t)offsets[i] + 4 * (component + k), &values[i]))
                return;
        }
        if (!into_consts)
            ir3_put(run, &op->result, 0, k, values);
        else if (!set_const(run, const_place(run, op) + k, values[0]))
            return;
    }
}

void ir3_load_global_consts(struct ir3_run *run, const struct ir3_op *op)
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
