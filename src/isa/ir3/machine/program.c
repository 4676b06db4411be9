/* SPDX-License-Identifier: MIT */
/* Words prepared for running: what instructions read and write, and what their values mean, found once. */
#include "isa/ir3/machine/access.h"
#include "isa/ir3/machine/meaning.h"
#include "isa/ir3/machine/values.h"

#include "base/text.h"

static enum shader_meaning meaning_of(const struct gpucode_insn *insn)
{
    return shader_meaning(ir3_row(insn), shader_category(insn->bits), ir3_source_type(insn->bits));
}

static uint32_t table_value(unsigned index, bool half)
{
    uint32_t bits = shader_entry_bits(index);
    return half ? a3xx_narrow((double)a3xx_float_of(bits), A3XX_ROUND_EVEN) : bits;
}

static void set_modifiers(struct ir3_operand *operand)
{
    const struct a3xx_access *access = &operand->access;
    uint32_t sign = access->half ? 0x8000 : 0x80000000;
    if (operand->meaning == SHADER_MEANS_FLOAT) {
        operand->keep = access->abs ? ~sign : UINT32_MAX;
        operand->flip = access->neg ? sign : 0;
    } else if (operand->meaning == SHADER_MEANS_BITS) {
        operand->flip = access->neg ? access->half ? 0xffff : UINT32_MAX : 0;
    } else {
        operand->integer = access->neg || access->abs;
    }
}

/* Are all registers that the steps may use below `end`? */
static bool is_below(const struct a3xx_access *access, int end)
{
    return access->number <= end - (int)access->count - IR3_STEPS;
}

static enum ir3_direct direct_of(const struct a3xx_access *access)
{
    if (access->relative)
        return IR3_DIRECT_NOT;
    switch (access->file) {
    case A3XX_FILE_FULL:
        return is_below(access, IR3_SHARED) ? IR3_DIRECT_FULL : IR3_DIRECT_NOT;
    case A3XX_FILE_CONST:
        return !access->half && is_below(access, A3XX_CONST_COUNT) ? IR3_DIRECT_CONST : IR3_DIRECT_NOT;
    case A3XX_FILE_IMMEDIATE:
        return IR3_DIRECT_IMMEDIATE;
    case A3XX_FILE_PREDICATE:
        return IR3_DIRECT_PREDICATE;
    default:
        return IR3_DIRECT_NOT;
    }
}

static struct ir3_operand operand_of(const struct a3xx_access *access, enum shader_meaning meaning)
{
    struct ir3_operand operand = {.access = *access, .meaning = (uint8_t)meaning, .keep = UINT32_MAX};
    if (access->file == A3XX_FILE_IMMEDIATE)
        for (unsigned step = 0; step < IR3_STEPS; step++) {
            uint32_t number = (uint32_t)access->number;
            bool counts = access->steps && !access->table;
            /* in the table a half entry is said so by the form, and has the operation's width */
            uint32_t value = access->table ? table_value(number & 0xff, access->half) : number + (counts ? step : 0);
            operand.value[step] = access->half ? value & 0xffff : value;
        }
    if (!access->write)
        set_modifiers(&operand);
    operand.direct = (uint8_t)direct_of(access);
    return operand;
}

static void set_operands(struct ir3_op *op)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = ir3_accesses(&op->insn, access);
    enum shader_meaning meaning = meaning_of(&op->insn);
    for (unsigned i = 0; i < count; i++) {
        if (access[i].file == A3XX_FILE_ORDER)
            continue;
        if (access[i].write) {
            op->result = operand_of(&access[i], meaning);
        } else if (access[i].source && access[i].source <= 4) {
            if (ir3_row(&op->insn)->marks & IR3_MARK_DOT && access[i].source < 3)
                access[i].neg = false; /* the bit says how bytes are read */
            op->source[access[i].source - 1] = operand_of(&access[i], meaning);
            op->sources = access[i].source > op->sources ? access[i].source : op->sources;
        }
    }
}

static void prepare_values(struct ir3_op *op)
{
    uint64_t bits = op->insn.bits;
    op->half = op->sources && op->source[0].access.half;
    if (op->category == 3)
        op->half = op->source[1].access.half;
    op->half_result = op->result.access.half;
    bool special = op->result.access.file == A3XX_FILE_PREDICATE || op->result.access.file == A3XX_FILE_ADDRESS;
    if (special)
        op->half_result = op->half;
    op->plain = op->row != IR3_SWZ && op->row != IR3_GAT && op->row != IR3_SCT && op->row != IR3_MOVMSK &&
                op->row != IR3_WMM && op->row != IR3_WMM_ACCU;
    op->saturate = bits & IR3_SAT && !(ir3_row(&op->insn)->marks & SHADER_MARK_UNSATURATED);
    op->average = op->category == 2 && bits & IR3_EI;
    op->scalar = ir3_is_scalar_predicate(&op->insn);
    if (op->category == 1) {
        op->from = (uint8_t)ir3_source_type(bits);
        op->to = (uint8_t)ir3_result_type(bits);
        op->rounding = (uint8_t)ir3_bits(bits, 56, 55);
        op->as_is = true;
    } else {
        op->as_is = op->half == op->half_result && !op->saturate && !op->half;
    }
}

static void prepare_op(const struct machine_core *core, uint32_t index, struct ir3_op *op)
{
    const unsigned char *bytes = core->layout->bytes + core->layout->info.prefix + 8 * (size_t)index;
    uint64_t bits = text_load64(bytes);
    int row = ir3_refine(core->target, isa_decode_row(&ir3_rows, core->target->generation, bits), bits);
    *op = (struct ir3_op){
        .row = (uint16_t)row,
        .insn = {.target = core->target, .bits = bits, .address = index, .row = (uint16_t)row, .size = 8},
        .category = (uint8_t)shader_category(bits),
        .steps = 1,
        .result = {.none = true},
        .source = {{.none = true}, {.none = true}, {.none = true}, {.none = true}},
    };
    if (row == IR3_RAW) {
        op->category = 0;
        op->flow = true;
        return;
    }
    op->steps = (uint8_t)ir3_steps(&op->insn);
    op->idle = (uint8_t)ir3_nops(bits);
    op->joins = bits & IR3_JP;
    op->result_kind = (uint8_t)shader_result(ir3_row(&op->insn), op->category);
    set_operands(op);
    if (op->category >= 1 && op->category <= 4)
        prepare_values(op);
    if (op->category == 2)
        op->condition = (uint8_t)ir3_bits(bits, 50, 48);
    op->flow = (op->category == 0 && row != IR3_NOP) || row == IR3_BAR;
    uint32_t zeros[IR3_VALUES_STEP] = {0}, results[IR3_VALUES_STEP];
    const struct ir3_values nothing = {zeros, zeros, zeros, results, IR3_VALUES_STEP};
    op->alike = op->plain && !op->average && !(op->saturate && op->result_kind != A3XX_RESULT_FLOAT) &&
                ir3_values_plain(op, false, &nothing);
    bool branches =
        row == IR3_BR || row == IR3_BRAA || row == IR3_BRAO || row == IR3_BANY || row == IR3_BALL || row == IR3_JUMP;
    bool of_one = row >= IR3_SAMGP0 && row <= IR3_SAMGP3; /* leaves one lane of four, and only for itself */
    op->steers = branches || (!op->flow && (op->category || row == IR3_NOP) && op->category < 7 && !of_one);
    op->straight = op->steers && !branches && !op->joins;
    op->offset = op->category == 6 ? ir3_signed_offset(op) : (int32_t)(uint32_t)bits;
    op->bindless = op->category == 6 && ir3_field_of(op, 'h') && bits & IR3_BIT(8);
    op->count = op->category == 6 ? (uint8_t)ir3_low_first_of(op, 'k') : 0;
    op->inverts[0] = bits >> 52 & 1;
    op->inverts[1] = bits >> 45 & 1;
}

bool ir3_prepare(struct machine_core *core, struct ir3_program *program)
{
    program->count = core->layout->info.units;
    program->ops = arena_array(&core->arena, program->count + 1, sizeof *program->ops);
    for (uint32_t i = 0; program->ops && i < program->count; i++)
        prepare_op(core, i, &program->ops[i]);
    return program->ops;
}
