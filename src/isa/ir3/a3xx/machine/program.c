/* SPDX-License-Identifier: MIT */
/* Words prepared for running: operands found once, immediates in a pool. */
#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/machine/meaning.h"

#define POOL_PER_OP 12 /* three sources of four steps */

static enum shader_meaning meaning_of(const struct gpucode_insn *insn)
{
    return shader_meaning(&a3xx_rows.rows[insn->row], shader_category(insn->bits), A3XX_FIELD(insn->bits, FROM_TYPE));
}

static int32_t add_immediate(struct a3xx_program *program, uint32_t *used, const struct a3xx_access *access,
                             const struct a3xx_op *op)
{
    uint32_t first = *used;
    unsigned category = shader_category(op->bits);
    for (unsigned step = 0; step <= (access->steps ? op->repeat : 0u); step++) {
        uint32_t value = (uint32_t)access->number;
        if (access->table)
            value = access->half ? a3xx_narrow((double)a3xx_float_of(shader_entry_bits(value)), A3XX_ROUND_EVEN)
                                 : shader_entry_bits(value);
        else if (category == 2)
            value = (uint32_t)a3xx_source_integer(value + step);
        else
            value += step;
        program->pool[(*used)++] = access->half ? value & 0xffff : value;
    }
    return (int32_t)first;
}

static void set_modifiers(struct a3xx_operand *operand, const struct a3xx_access *access, enum shader_meaning meaning)
{
    uint32_t sign = operand->half ? 0x8000 : 0x80000000;
    operand->keep = UINT32_MAX;
    if (meaning == SHADER_MEANS_FLOAT) {
        operand->keep = access->abs ? ~sign : UINT32_MAX;
        operand->flip = access->neg ? sign : 0;
    } else if (meaning == SHADER_MEANS_BITS && !access->abs) {
        operand->flip = access->neg ? operand->half ? 0xffff : UINT32_MAX : 0;
    } else if (access->neg || access->abs) {
        operand->slow |= A3XX_SLOW_INTEGER;
        operand->neg = access->neg;
        operand->abs = access->abs;
    }
}

static struct a3xx_operand operand_of(struct a3xx_program *program, uint32_t *used, const struct a3xx_access *access,
                                      const struct a3xx_op *op, enum shader_meaning meaning, bool half)
{
    struct a3xx_operand operand = {.half = access->half, .steps = access->steps, .number = access->number};
    unsigned last = (unsigned)access->number + (access->steps ? op->repeat : 0u), room = A3XX_A0;
    switch (access->file) {
    case A3XX_FILE_ADDRESS:
        operand.number = A3XX_A0 + access->number;
        room = 1;
        break;
    case A3XX_FILE_PREDICATE:
        operand.number = A3XX_P0 + access->number;
        room = 4;
        break;
    case A3XX_FILE_CONST:
        operand.place = A3XX_IN_CONST;
        room = A3XX_CONST_COUNT;
        if (access->half)
            operand.slow |= meaning == SHADER_MEANS_FLOAT ? A3XX_SLOW_FLOAT : A3XX_SLOW_LOW;
        break;
    case A3XX_FILE_IMMEDIATE:
        operand.place = A3XX_IN_POOL;
        operand.steps = access->steps && !access->table;
        operand.number = add_immediate(program, used, access, op);
        last = room = 0;
        break;
    default:
        operand.place = access->file == A3XX_FILE_HALF ? A3XX_IN_HALF : A3XX_IN_FULL;
        break;
    }
    /* a0 and p0 have no width; a half operation sees their low 16 bits */
    if ((access->file == A3XX_FILE_ADDRESS || access->file == A3XX_FILE_PREDICATE) && !access->write && half) {
        operand.half = true;
        operand.slow |= A3XX_SLOW_LOW;
    }
    if (access->relative)
        operand.slow |= A3XX_SLOW_RELATIVE;
    else if (last && last >= room)
        operand.slow |= A3XX_SLOW_RANGE;
    set_modifiers(&operand, access, access->write ? SHADER_MEANS_BITS : meaning);
    return operand;
}

static unsigned group_role_of(const struct gpucode_insn *insn)
{
    bool quad = a3xx_marks(insn->row) & (A3XX_MARK_DERIVATIVE | A3XX_MARK_IMPLICIT_LEVEL);
    return (insn->bits & A3XX_JP ? A3XX_GROUP_MARK : 0) |
           (a3xx_flow(insn->row) != GPUCODE_FLOW_NEXT ? A3XX_GROUP_FLOW : 0) | (quad ? A3XX_GROUP_QUAD : 0);
}

static void prepare_op(struct a3xx_program *program, uint32_t *used, const struct gpucode_insn *insn,
                       struct a3xx_op *op)
{
    static const struct a3xx_operand nothing = {.place = A3XX_IN_POOL, .keep = UINT32_MAX};
    uint64_t bits = insn->bits;
    unsigned category = shader_category(bits);
    *op = (struct a3xx_op){
        .row = insn->row,
        .bits = bits,
        .source = {nothing, nothing, nothing, nothing},
        .result = {.place = A3XX_IN_FULL, .number = A3XX_NOWHERE, .keep = UINT32_MAX},
        .result_kind = (uint8_t)shader_result(&a3xx_rows.rows[insn->row], shader_category(insn->bits)),
    };
    if (insn->row == A3XX_RAW)
        return;
    op->repeat = (uint8_t)a3xx_repeat(bits);
    op->group_role = (uint8_t)group_role_of(insn);
    op->plain = category >= 1 && category <= 4;
    op->offset = (int16_t)a3xx_branch_offset(bits);
    op->invert = A3XX_FIELD(bits, INVERTS);
    op->condition = (uint8_t)(category ? A3XX_FIELD(bits, CONDITION) : A3XX_FIELD(bits, PREDICATE));
    op->from = (uint8_t)A3XX_FIELD(bits, FROM_TYPE);
    op->to = (uint8_t)A3XX_FIELD(bits, TO_TYPE);
    op->rounding = (uint8_t)A3XX_FIELD(bits, ROUNDING);
    op->saturate = category >= 2 && category <= 4 && A3XX_FIELD(bits, SAT);
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    enum shader_meaning meaning = meaning_of(insn);
    op->half = category >= 2 && category <= 4 && a3xx_half_sources(bits, a3xx_marks(insn->row));
    op->half_result = op->half != ((bits & A3XX_MASK(CONVERTS)) != 0);
    bool half = category == 1 ? a3xx_is_half(op->from) : op->half;
    for (unsigned i = 0; i < count; i++) {
        if (!access[i].write && (access[i].source < 1 || access[i].source > 4))
            continue;
        struct a3xx_operand operand = operand_of(program, used, &access[i], op, meaning, half);
        if (access[i].write) {
            op->result = operand;
            op->half_result = access[i].file == A3XX_FILE_HALF;
        } else {
            op->source[access[i].source - 1] = operand;
            op->sources = access[i].source > op->sources ? access[i].source : op->sources;
        }
    }
    if (a3xx_marks(insn->row) & SHADER_MARK_VARYING) /* they have 32 bits, whatever the pair has */
        op->half = false;
    if (op->result.place == A3XX_IN_FULL && op->result.number == A3XX_A0 && !(op->result.slow & A3XX_SLOW_RELATIVE))
        op->result.slow |= A3XX_SLOW_ADDRESS;
    /* a result in a0 or p0 has the width of the sources */
    if (op->result.number >= A3XX_A0 && op->result.number < A3XX_R63 && !(op->result.slow & ~A3XX_SLOW_ADDRESS))
        op->half_result = op->half;
}

/* Sets where the operand's value lies by its place and number. */
static void a3xx_locate(struct a3xx_operand *operand, uint32_t stride)
{
    bool is_register = operand->place == A3XX_IN_FULL || operand->place == A3XX_IN_HALF;
    int32_t apart = is_register ? (int32_t)stride : 1;
    operand->at = operand->number * apart;
    operand->pace = operand->steps ? apart : 0;
}

bool a3xx_prepare(struct machine_core *core, bool all_saturate, uint32_t stride, struct a3xx_program *program)
{
    uint32_t count = core->layout->info.units, used = 1; /* pool[0] is for sources that are not there */
    *program = (struct a3xx_program){.count = count};
    program->ops = arena_array(&core->arena, (size_t)count + 1, sizeof *program->ops);
    if (!program->ops)
        return false;
    program->pool = arena_array(&core->arena, (size_t)count * POOL_PER_OP + 4, sizeof *program->pool);
    if (!program->pool)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct gpucode_insn insn = a3xx_insn_at(core->target, core->layout->bytes, i);
        struct a3xx_op *op = &program->ops[i];
        prepare_op(program, &used, &insn, op);
        for (unsigned k = 0; k < 4; k++)
            a3xx_locate(&op->source[k], stride);
        op->result.steps = 1;
        a3xx_locate(&op->result, stride);
        if (!all_saturate && a3xx_marks(insn.row) & SHADER_MARK_UNSATURATED)
            program->ops[i].saturate = false;
        program->ops[i].as_is = !program->ops[i].half && !program->ops[i].half_result && !program->ops[i].saturate;
    }
    return true;
}
