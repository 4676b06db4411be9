/* SPDX-License-Identifier: MIT */
/* Operands and addresses of category 6. */
#include "isa/ir3/machine/access.h"
#include "ir3_messages.h"

const char *ir3_mnemonic(const struct ir3_op *op)
{
    return ir3_rows.rows[op->row].facts.mnemonic;
}

void ir3_refuse(struct ir3_run *run, const struct ir3_op *op, const char *what)
{
    IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_FORM, ir3_mnemonic(op), what);
}

bool ir3_is_dark(const struct ir3_run *run, unsigned lane)
{
    return run->state->fiber[run->lane[lane]].killed;
}

uint32_t ir3_data(const struct ir3_run *run, const struct ir3_operand *operand, unsigned lane, unsigned component)
{
    if (!operand || operand->none)
        return 0;
    return operand->access.file == A3XX_FILE_IMMEDIATE
               ? operand->value[0]
               : ir3_read_register(run->state, run->lane[lane], operand->access.half,
                                   (uint32_t)operand->access.number + component);
}

/* A component of a source of one fiber, most of them full registers as they are. */
static uint32_t fetch_component(struct ir3_run *run, const struct ir3_operand *operand, unsigned component)
{
    const struct a3xx_access *access = &operand->access;
    uint32_t value;
    if (ir3_is_bare(operand) && component < access->count + 1u)
        return *ir3_lanes_row(run, (uint32_t)access->number + component);
    ir3_fetch(run, operand, 0, component, &value);
    return value;
}

void ir3_fetch_addresses(struct ir3_run *run, const struct ir3_operand *operand, uint64_t *addresses)
{
    uint32_t low[IR3_WAVE_MAX], high[IR3_WAVE_MAX];
    static const struct ir3_operand nothing = {.none = true};
    if (operand && run->lanes == 1) {
        addresses[0] = fetch_component(run, operand, 0);
        if (operand->access.count >= 2)
            addresses[0] |= (uint64_t)fetch_component(run, operand, 1) << 32;
        return;
    }
    ir3_fetch(run, operand ? operand : &nothing, 0, 0, low);
    for (unsigned i = 0; i < run->lanes; i++)
        addresses[i] = low[i];
    if (!operand || operand->access.count < 2)
        return;
    ir3_fetch(run, operand, 0, 1, high);
    for (unsigned i = 0; i < run->lanes; i++)
        addresses[i] |= (uint64_t)high[i] << 32;
}

void ir3_fetch_letter(struct ir3_run *run, const struct ir3_op *op, char letter, uint32_t *values)
{
    const struct ir3_operand *operand = ir3_operand_of(op, letter);
    static const struct ir3_operand nothing = {.none = true};
    ir3_fetch(run, operand ? operand : &nothing, 0, 0, values);
}

const struct isa_field *ir3_field_of(const struct ir3_op *op, char letter)
{
    const struct isa_row *row = &ir3_rows.rows[op->row];
    for (unsigned i = 0; i < row->field_count; i++)
        if (row->fields[i].letter == letter)
            return &row->fields[i];
    return NULL;
}

unsigned ir3_low_first_of(const struct ir3_op *op, char letter)
{
    const struct isa_field *field = ir3_field_of(op, letter);
    return field ? ir3_low_first(field, op->insn.bits) : 0;
}

int32_t ir3_signed_offset(const struct ir3_op *op)
{
    const struct isa_field *field = ir3_field_of(op, 'o');
    return field ? (int32_t)shader_signed(ir3_low_first(field, op->insn.bits), field->width) : 0;
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

/* The form of a6xx: ((R2 << S) + O) << T, where loads and stores have the parts in another order. */
static void add_shifted(struct ir3_run *run, const struct ir3_op *op, uint64_t *addresses)
{
    unsigned value = ir3_field(op, 'G'), bytes = ir3_type_bytes(ir3_memory_type(op->insn.bits));
    bool store = op->row == IR3_STG_A6;
    unsigned shift = store ? value >> 2 & 3 : value >> 10, offset = store ? value & 3 : value >> 8 & 3;
    uint32_t index[IR3_WAVE_MAX];
    ir3_fetch_letter(run, op, 'G', index);
    for (unsigned i = 0; i < run->lanes; i++)
        addresses[i] += (((uint64_t)index[i] << shift) + offset) * bytes;
}

static void add_bytes(struct ir3_run *run, const struct ir3_op *op, uint64_t *addresses)
{
    uint32_t index[IR3_WAVE_MAX];
    ir3_fetch_letter(run, op, 'p', index);
    for (unsigned i = 0; i < run->lanes; i++)
        addresses[i] += (uint64_t)index[i] + ir3_field(op, 'l');
}

void ir3_find_addresses(struct ir3_run *run, const struct ir3_op *op, enum ir3_space space, uint64_t *addresses)
{
    ir3_fetch_addresses(run, ir3_operand_of(op, space == IR3_GLOBAL ? 'J' : 'q'), addresses);
    if (op->row == IR3_LDG_A6 || op->row == IR3_STG_A6)
        add_shifted(run, op, addresses);
    else if (op->row == IR3_LDG_A7 || op->row == IR3_STG_A7)
        add_bytes(run, op, addresses);
    const uint64_t offset = (uint64_t)(int64_t)op->offset;
    const uint64_t mask = space != IR3_GLOBAL || run->core->target->generation == IR3_A4XX ? UINT32_MAX : UINT64_MAX;
    for (unsigned i = 0; i < run->lanes; i++)
        addresses[i] = (addresses[i] + offset) & mask;
}
