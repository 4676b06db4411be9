/* SPDX-License-Identifier: MIT */
/* Category 6: loads and stores of buffers and images by their slots. */
#include "ir3_messages.h"
#include "isa/ir3/machine/access.h"

bool ir3_fetch_slots(struct ir3_run *run, const struct ir3_op *op, uint32_t *slots)
{
    char letter = ir3_field_of(op, 'h') ? 'h' : 'F';
    bool uniform = ir3_bits(op->insn.bits, 7, 6) == 1;
    ir3_fetch_letter(run, op, letter, slots);
    for (unsigned i = 1; i < run->lanes && letter == 'h' && uniform; i++) {
        if (slots[i] != slots[0] && run->state->choice.uniform_traps) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_UNIFORM, "the slot");
            return false;
        }
        slots[i] = slots[0];
    }
    return true;
}

bool ir3_is_within(const struct ir3_bound *bound, uint64_t offset, unsigned bytes)
{
    uint64_t size = bound->field[GPUCODE_IR3_BUFFER_SIZE];
    return bytes <= size && offset <= size - bytes;
}

static void fetch_place(struct ir3_run *run, const struct ir3_op *op, struct ir3_access *access)
{
    char letter = ir3_field_of(op, 'h') ? ir3_field_of(op, 'O') ? 'p' : 'q' : 'H';
    const struct ir3_operand *operand = ir3_operand_of(op, letter);
    static const struct ir3_operand nothing = {.none = true};
    unsigned dimensions = ir3_field(op, 'v') + 1;
    for (unsigned d = 0; d < 3; d++)
        ir3_fetch(run, operand && d < dimensions ? operand : &nothing, 0, d, access->place[d]);
}

void ir3_fetch_offsets(struct ir3_run *run, const struct ir3_op *op, struct ir3_access *access)
{
    bool old = !ir3_field_of(op, 'h'), atomic = ir3_field_of(op, 'q') != NULL && !old;
    unsigned number = ir3_field(op, 'O'), element = (number & 3) << 5 | number >> 3;
    uint32_t offset[IR3_WAVE_MAX];
    unsigned unit = atomic && access->bytes == 8 ? 2 : access->bytes;
    bool loads = op->row == IR3_LDGB_4 || op->row == IR3_LDGB_5 || op->row == IR3_LDIB;
    bool stores = op->row == IR3_STGB_4 || op->row == IR3_STGB_5 || op->row == IR3_STIB_4 || op->row == IR3_STIB_5;
    ir3_fetch_letter(run, op, !old ? (atomic ? 'q' : 'p') : loads || stores ? 'I' : 'q', offset);
    for (unsigned i = 0; i < run->lanes; i++)
        access->offset[i] = old ? offset[i] : ((uint64_t)offset[i] + element) * unit;
}

bool ir3_fetch_access(struct ir3_run *run, const struct ir3_op *op, struct ir3_access *access)
{
    access->type = ir3_memory_type(op->insn.bits);
    access->bytes = ir3_type_bytes(access->type);
    access->count = ir3_field(op, 'E') + 1;
    access->typed = ir3_field(op, 'f');
    if (!ir3_fetch_slots(run, op, access->slot))
        return false;
    if (access->typed)
        fetch_place(run, op, access);
    return true;
}

static bool load_texels(struct ir3_run *run, const struct ir3_op *op, const struct ir3_access *access)
{
    struct ir3_held held = {NULL, 0};
    uint32_t values[4][IR3_WAVE_MAX];
    for (unsigned i = 0; i < run->lanes; i++) {
        run->index = run->lane[i];
        const struct ir3_bound *bound = ir3_bound_still(run, op, access->slot[i], &held);
        const uint32_t place[3] = {access->place[0][i], access->place[1][i], access->place[2][i]};
        uint32_t texel[4];
        if (!bound || !ir3_load_texel(run, bound, place, access->type, texel))
            return false;
        for (unsigned k = 0; k < 4; k++)
            values[k][i] = texel[k];
    }
    for (unsigned k = 0; k < access->count; k++)
        ir3_put(run, &op->result, 0, k, values[k]);
    return true;
}

void ir3_load_elements(struct ir3_run *run, const struct ir3_op *op)
{
    struct ir3_held held = {NULL, 0};
    struct ir3_access access;
    uint32_t values[IR3_WAVE_MAX];
    if (ir3_field(op, 'w')) {
        ir3_refuse(run, op, "a residency code");
        return;
    }
    if (!ir3_fetch_access(run, op, &access) || (access.typed && (load_texels(run, op, &access), true)))
        return;
    ir3_fetch_offsets(run, op, &access);
    for (unsigned k = 0; k < access.count; k++) {
        for (unsigned i = 0; i < run->lanes; i++) {
            run->index = run->lane[i];
            const struct ir3_bound *bound = ir3_bound_still(run, op, access.slot[i], &held);
            uint64_t value = 0, offset = access.offset[i] + (uint64_t)k * access.bytes;
            if (!bound || (ir3_is_within(bound, offset, access.bytes) &&
                           !ir3_read_bytes(run, IR3_GLOBAL, ir3_bound_address(bound) + offset, access.bytes, &value)))
                return;
            values[i] = (uint32_t)value;
        }
        ir3_put(run, &op->result, 0, k, values);
    }
}

void ir3_store_elements(struct ir3_run *run, const struct ir3_op *op)
{
    struct ir3_held held = {NULL, 0};
    struct ir3_access access;
    const struct ir3_operand *data = ir3_operand_of(op, ir3_field_of(op, 'g') ? 'g' : 'p');
    if (!ir3_fetch_access(run, op, &access))
        return;
    if (!access.typed)
        ir3_fetch_offsets(run, op, &access);
    for (unsigned i = 0; i < run->lanes; i++) {
        run->index = run->lane[i];
        const struct ir3_bound *bound = ir3_is_dark(run, i) ? NULL : ir3_bound_still(run, op, access.slot[i], &held);
        const uint32_t place[3] = {access.place[0][i], access.place[1][i], access.place[2][i]};
        uint32_t texel[4] = {0};
        for (unsigned k = 0; bound && k < access.count; k++) {
            uint64_t offset = access.offset[i] + (uint64_t)k * access.bytes;
            texel[k] = ir3_data(run, data, i, k);
            if (!access.typed && ir3_is_within(bound, offset, access.bytes) &&
                !ir3_write_bytes(run, IR3_GLOBAL, ir3_bound_address(bound) + offset, access.bytes, texel[k]))
                return;
        }
        if (run->halted || (bound && access.typed && !ir3_store_texel(run, bound, place, access.type, texel)))
            return;
    }
}

void ir3_tell_size(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t slots[IR3_WAVE_MAX], values[3][IR3_WAVE_MAX] = {0};
    unsigned bytes = ir3_type_bytes(ir3_memory_type(op->insn.bits));
    if (!ir3_fetch_slots(run, op, slots))
        return;
    for (unsigned i = 0; i < run->lanes; i++) {
        run->index = run->lane[i];
        const struct ir3_bound *bound = ir3_bound_at(run, op, slots[i], false);
        if (!bound)
            return;
        uint32_t width = bound->field[GPUCODE_IR3_BUFFER_WIDTH],
                 elements = bound->field[GPUCODE_IR3_BUFFER_SIZE] / bytes;
        bool old = run->core->target->generation < IR3_A6XX;
        values[0][i] = width ? width : old ? elements & 0xffff : elements;
        values[1][i] = width ? bound->field[GPUCODE_IR3_BUFFER_HEIGHT] : old ? elements >> 16 : 0;
        values[2][i] = width ? bound->field[GPUCODE_IR3_BUFFER_DEPTH] : 0;
    }
    for (unsigned k = 0; k < 3; k++)
        ir3_put(run, &op->result, 0, k, values[k]);
}

void ir3_tell_base(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t slots[IR3_WAVE_MAX], values[2][IR3_WAVE_MAX];
    if (!op->bindless) {
        ir3_trap(run, op);
        return;
    }
    if (!ir3_fetch_slots(run, op, slots))
        return;
    for (unsigned i = 0; i < run->lanes; i++) {
        uint64_t address;
        if (!ir3_find_descriptor(run, op, ir3_bits(op->insn.bits, 3, 1), slots[i], &address))
            return;
        values[0][i] = (uint32_t)address;
        values[1][i] = (uint32_t)(address >> 32);
    }
    for (unsigned k = 0; k < 2; k++)
        ir3_put(run, &op->result, 0, k, values[k]);
}
