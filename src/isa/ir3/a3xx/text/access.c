/* SPDX-License-Identifier: MIT */
/* What instructions read and write. */
#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/text/access_list.h"

#include <gpucode/a3xx.h>

static void add_address(struct shader_list *list)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->access[i].relative) {
            shader_add(list, (struct a3xx_access){.file = A3XX_FILE_ADDRESS, .count = 1});
            return;
        }
}

/* A source of category 1 to 4, but for immediates of moves. */
static struct a3xx_access of_source(unsigned field, bool half)
{
    struct a3xx_access access;
    switch (a3xx_form(field)) {
    case A3XX_FORM_GPR:
        access = shader_register(field & A3XX_SOURCE_REGISTER, half, 1);
        break;
    case A3XX_FORM_RELATIVE:
        access = shader_relative(field & A3XX_SOURCE_OF_CONSTS ? A3XX_FILE_CONST
                                 : half                        ? A3XX_FILE_HALF
                                                               : A3XX_FILE_FULL,
                                 a3xx_source_offset(field), half);
        break;
    case A3XX_FORM_INTEGER:
        access = shader_number(a3xx_source_integer(field), half);
        break;
    case A3XX_FORM_FLOAT:
        access = shader_number((int32_t)(field & A3XX_SOURCE_OFFSET), half);
        access.table = true;
        break;
    default:
        access = shader_const(field & A3XX_SOURCE_NUMBER, half);
    }
    access.neg = a3xx_modifiers_of(field) & A3XX_NEG;
    access.abs = a3xx_modifiers_of(field) & A3XX_ABS;
    return access;
}

static void add_flow(struct shader_list *list, const struct gpucode_insn *insn)
{
    if (a3xx_has_letter(insn->row, 'P'))
        shader_add_source(list, shader_register(A3XX_P0 + A3XX_FIELD(insn->bits, PREDICATE), false, 1), 'P', 1, false);
}

static void add_move(struct shader_list *list, uint64_t bits)
{
    bool half = a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, FROM_TYPE));
    bool half_result = a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, TO_TYPE));
    bool immediate = A3XX_FIELD(bits, FROM_IMMEDIATE);
    shader_add_source(list,
                      immediate ? shader_number((int32_t)A3XX_FIELD(bits, MOVE_SOURCE), half)
                                : of_source(a3xx_move_source(bits), half),
                      'm', 1, A3XX_FIELD(bits, FIRST_STEPS));
    shader_add_result(list, shader_moved(A3XX_FIELD(bits, MOVE_RESULT), half_result, A3XX_FIELD(bits, TO_RELATIVE)),
                      'd', true);
}

static void add_arithmetic(struct shader_list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    const struct isa_row *row = &a3xx_rows.rows[insn->row];
    bool half = !(bits & A3XX_FULL), two = shader_category(bits) == 2 && a3xx_two_sources(row);
    shader_add_source(list, of_source(A3XX_FIELD(bits, FIRST), half), 'a', 1, A3XX_FIELD(bits, FIRST_STEPS));
    if (two) {
        struct a3xx_access second = of_source(A3XX_FIELD(bits, SECOND), half);
        if (row->marks & SHADER_MARK_VARYING) /* the barycentric pair */
            second.count = 2;
        shader_add_source(list, second, 'b', 2, A3XX_FIELD(bits, SECOND_STEPS));
    }
    bool half_result = half != (A3XX_FIELD(bits, CONVERTS) != 0);
    shader_add_result(list, shader_register(A3XX_FIELD(bits, RESULT), half_result, 1), 'D', true);
}

static void add_mad(struct shader_list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool half = a3xx_marks(insn->row) & SHADER_MARK_HALF;
    struct a3xx_access first = of_source(A3XX_FIELD(bits, MAD_FIRST), half);
    struct a3xx_access second = shader_register(A3XX_FIELD(bits, MAD_SECOND), half, 1);
    struct a3xx_access third = of_source(A3XX_FIELD(bits, MAD_THIRD), half);
    first.neg = A3XX_FIELD(bits, MAD_FIRST_NEG);
    second.neg = A3XX_FIELD(bits, MAD_SECOND_NEG);
    third.neg = A3XX_FIELD(bits, MAD_THIRD_NEG);
    shader_add_source(list, first, 'A', 1, A3XX_FIELD(bits, FIRST_STEPS));
    shader_add_source(list, second, 'B', 2, A3XX_FIELD(bits, MAD_SECOND_STEPS));
    shader_add_source(list, third, 'C', 3, A3XX_FIELD(bits, MAD_THIRD_STEPS));
    bool half_result = half != (A3XX_FIELD(bits, CONVERTS) != 0);
    shader_add_result(list, shader_register(A3XX_FIELD(bits, RESULT), half_result, 1), 'D', true);
}

/* Components of the first vector of a texture instruction (A3XX notes, category 5). */
static unsigned coordinate_count(uint32_t marks, uint64_t bits)
{
    unsigned mask = A3XX_FIELD(bits, WRITE_MASK);
    if (marks & A3XX_MARK_ONE_COORDINATE)
        return 1;
    if (marks & A3XX_MARK_DERIVATIVE)
        return mask ? 32 - (unsigned)__builtin_clz(mask) : 0;
    if (marks & A3XX_MARK_DERIVATIVES_GIVEN)
        return A3XX_COORDINATES_PADDED + 2 * a3xx_place_components(bits);
    return a3xx_coordinate_components(bits);
}

static void add_texture(struct shader_list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool half = !A3XX_FIELD(bits, SOURCES_FULL), offsets = a3xx_has_flag(bits, A3XX_TEXTURE_OFFSET);
    bool parameters = a3xx_has_letter(insn->row, 'V');
    if (a3xx_has_letter(insn->row, 'U')) {
        struct a3xx_access source = shader_register(A3XX_FIELD(bits, COORDINATES), half, 1);
        source.count = (uint8_t)coordinate_count(a3xx_marks(insn->row), bits);
        shader_add_source(list, source, 'U', 1, false);
    }
    if (offsets || parameters) {
        struct a3xx_access source = shader_register(A3XX_FIELD(bits, PARAMETERS), half, 1);
        source.count = (uint8_t)((offsets ? a3xx_place_components(bits) : 0) + parameters);
        shader_add_source(list, source, parameters ? 'V' : 'Q', 2, false);
    }
    if (bits & A3XX_S2EN) {
        struct a3xx_access source = shader_register(A3XX_FIELD(bits, TEXTURE_INDEX), true, 1);
        source.count = 2;
        shader_add_source(list, source, 'K', 3, false);
    }
    unsigned mask = A3XX_FIELD(bits, WRITE_MASK);
    if (!mask)
        return;
    struct a3xx_access result = shader_register(A3XX_FIELD(bits, TEXTURE_RESULT),
                                                a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, TEXTURE_TYPE)), 1);
    result.mask = (uint8_t)mask;
    result.count = (uint8_t)(32 - __builtin_clz(mask));
    shader_add_result(list, result, a3xx_has_letter(insn->row, 'w') ? 'w' : 'Y', false);
}

/* One operand of category 6; what is not a register and no number beside registers is none. */
static bool of_memory_operand(const struct isa_field *field, uint64_t bits, bool sized, struct a3xx_access *access)
{
    unsigned value = (unsigned)isa_field_get(field, bits);
    switch (field->letter) {
    case 'g':
        *access = shader_register(value, a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, MEMORY_TYPE)), 1);
        access->count = sized ? (uint8_t)A3XX_FIELD(bits, COMPONENTS) : 1;
        return access->count;
    case 'N':
        *access = shader_register(value, true, 1);
        return true;
    case 'R':
    case '4':
    case '6':
    case '9':
        *access = shader_register(value, false, 1);
        if (a3xx_is_number(field->letter, bits))
            *access = shader_number((int32_t)value, false);
        return true;
    default:
        return false;
    }
}

/* What the row's effects do with the data register. */
static bool writes_data(const struct isa_row *row)
{
    for (unsigned i = 0; i < row->effect_count; i++)
        if (row->effects[i].verb == ISA_EFFECT_OPERAND)
            return row->effects[i].use & GPUCODE_USE_WRITE;
    return false;
}

static void add_memory(struct shader_list *list, const struct gpucode_insn *insn)
{
    const struct isa_row *row = &a3xx_rows.rows[insn->row];
    bool sized = a3xx_has_letter(insn->row, 'l'), writes = writes_data(row), has_result = false;
    struct a3xx_access access, result;
    unsigned source = 0;
    for (unsigned e = 0; e < row->element_count; e++) {
        if (!row->elements[e].is_field)
            continue;
        const struct isa_field *field = &row->fields[row->elements[e].index];
        if (!of_memory_operand(field, insn->bits, sized, &access))
            continue;
        if (field->letter == 'g' && writes) {
            result = access;
            has_result = true;
        } else {
            shader_add_source(list, access, field->letter, ++source, false);
        }
    }
    if (has_result)
        shader_add_result(list, result, 'g', false);
}

unsigned a3xx_accesses(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX])
{
    struct shader_list list = {access, 0};
    if (insn->row == A3XX_RAW)
        return 0;
    switch (shader_category(insn->bits)) {
    case 0:
        add_flow(&list, insn);
        break;
    case 1:
        add_move(&list, insn->bits);
        break;
    case 2:
    case 4:
        add_arithmetic(&list, insn);
        break;
    case 3:
        add_mad(&list, insn);
        break;
    case 5:
        add_texture(&list, insn);
        break;
    case 6:
        add_memory(&list, insn);
        break;
    default:
        break;
    }
    add_address(&list);
    return list.count;
}

/*
 * The public record of an instruction: what its operands are, and what it reads and writes that the text does not
 * name.
 */

static void resolve_immediate(const struct a3xx_access *access, struct gpucode_operand *operand)
{
    operand->type = GPUCODE_OPERAND_VALUE;
    operand->use = GPUCODE_USE_NONE;
    operand->value = access->table ? (int64_t)shader_entry_bits((unsigned)access->number) : access->number;
}

/* r63, or a part of the text that this instruction leaves out, is none of the accesses. */
static void refine_register(const struct gpucode_insn *insn, const struct a3xx_access *access, unsigned count,
                            struct gpucode_operand *operand)
{
    unsigned i = 0;
    while (i < count && access[i].letter != operand->letter)
        i++;
    operand->space = GPUCODE_A3XX_FULL;
    if (i == count) {
        operand->count = 0;
        return;
    }
    if (access[i].file == A3XX_FILE_IMMEDIATE) {
        resolve_immediate(&access[i], operand);
        return;
    }
    operand->number = shader_place_of(&access[i], &operand->space);
    operand->value = (int32_t)operand->number;
    operand->count = (uint16_t)(access[i].count + (access[i].steps ? a3xx_repeat(insn->bits) : 0));
    operand->mask = access[i].mask;
    operand->known = !access[i].relative;
    operand->indirect = access[i].relative;
}

void a3xx_refine_operands(const struct gpucode_insn *insn, struct gpucode_operand *operands, unsigned count)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    const unsigned accesses = a3xx_accesses(insn, access);
    for (unsigned i = 0; i < count; i++)
        if (operands[i].type == GPUCODE_OPERAND_REGISTER)
            refine_register(insn, access, accesses, &operands[i]);
}

A3XX_RESOLVE(offset)
{
    operand->value = field->letter == 'O' ? a3xx_store_offset(insn->bits)
                                          : shader_signed((unsigned)isa_field_get(field, insn->bits), field->width);
}

A3XX_RESOLVE(target)
{
    (void)field;
    operand->value = (int64_t)insn->address + a3xx_branch_offset(insn->bits);
    operand->known = operand->value >= 0;
}

/* The texture's state: of that which the word names, or of any. */
static void add_texture_state(uint64_t bits, struct isa_effects *effects)
{
    struct gpucode_effect effect = {.use = GPUCODE_USE_READ, .space = GPUCODE_A3XX_TEXTURE, .operand = -1};
    if (!(bits & A3XX_S2EN) && A3XX_FIELD(bits, TEXTURE) < GPUCODE_A3XX_TEXTURES) {
        effect.number = GPUCODE_A3XX_TEXTURE_FIELDS * A3XX_FIELD(bits, TEXTURE);
        effect.count = GPUCODE_A3XX_TEXTURE_FIELDS;
        effect.known = true;
    }
    isa_add_effect(effects, effect);
}

void a3xx_refine_effects(const struct gpucode_insn *insn, struct isa_effects *effects)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    for (unsigned i = 0; i < count; i++)
        if (access[i].file == A3XX_FILE_ADDRESS && !access[i].letter && !access[i].write)
            isa_add_effect(effects, (struct gpucode_effect){.use = GPUCODE_USE_READ,
                                                            .space = GPUCODE_A3XX_FULL,
                                                            .number = A3XX_A0,
                                                            .count = 1,
                                                            .known = true,
                                                            .operand = -1});
    if (a3xx_marks(insn->row) & SHADER_MARK_VARYING)
        shader_add_varyings(&access[0], a3xx_repeat(insn->bits), effects);
    if (a3xx_has_letter(insn->row, 'E'))
        add_texture_state(insn->bits, effects);
    for (unsigned i = 0; i < effects->count && a3xx_marks(insn->row) & SHADER_MARK_KILL; i++)
        effects->effects[i].maybe |= effects->effects[i].space == GPUCODE_A3XX_FLAGS;
}
