/* SPDX-License-Identifier: MIT */
/* Category 6: loads and stores by addresses, and which file has the others. */
#include "isa/ir3/machine/access.h"

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
