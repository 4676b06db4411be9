/* SPDX-License-Identifier: MIT */
/* The operand kinds in the order of the letters in rows.h; the functions stand in the files of this folder, by idea. */
#include "isa/ir3/ir3.h"

#include "base/text.h"
#include "isa/ir3/text/access.h"

#include <gpucode/a3xx.h>

/* --- what operands are for gpucode_insn_operands() ---------------------------------------------------------------- */

static void set_register(struct gpucode_operand *operand, unsigned number, bool half)
{
    operand->space = half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL;
    operand->number = number;
    operand->value = (int32_t)number;
    operand->count = number == IR3_R63 ? 0 : 1;
}

/* A number in a register's place, as the instruction reads it; floats of the table are their 32 bits. */
static void set_number(const struct gpucode_insn *insn, const struct isa_field *field, struct gpucode_operand *operand)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    const unsigned count = ir3_accesses(insn, access);
    operand->type = GPUCODE_OPERAND_VALUE;
    operand->use = GPUCODE_USE_NONE;
    for (unsigned i = 0; i < count; i++)
        if (access[i].letter == field->letter && access[i].file == A3XX_FILE_IMMEDIATE)
            operand->value = access[i].table && access[i].number < SHADER_FLOATS
                                 ? (int64_t)shader_entry_bits((unsigned)access[i].number)
                                 : access[i].number;
}

/* As many registers as the instruction takes from there on: components, and one more for each repeat. */
static void set_extent(const struct gpucode_insn *insn, const struct isa_field *field, struct gpucode_operand *operand)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    const unsigned count = ir3_accesses(insn, access);
    for (unsigned i = 0; i < count; i++) {
        unsigned extent = access[i].count + (access[i].steps ? ir3_repeat(insn->bits) : 0);
        if (access[i].letter == field->letter && extent > operand->count) {
            operand->count = (uint16_t)extent;
            operand->mask = access[i].mask;
        }
    }
}

/* What the text of an operand names; its text is read back, which says all that its kind knows. */
static void ir3_resolve_registers(const struct gpucode_insn *insn, const struct isa_field *field,
                                  struct gpucode_operand *operand)
{
    char text[GPUCODE_NAME_MAX + 32];
    const struct gpucode_format_options plain = {0};
    char *end = insn->target->isa->text.operand_classes[field->kind].print(text, insn, field, &plain);
    struct isa_scan scan = {.at = text, .end = end, .isa = insn->target->isa, .target = insn->target, .quiet = true};
    struct shader_name name;
    *end = 0;
    operand->space = GPUCODE_A3XX_FULL;
    operand->count = 0;
    while (scan.at < end &&
           (*scan.at == '(' || *scan.at == ',' || *scan.at == ' ' || *scan.at == '!' || *scan.at == '+'))
        scan.at += *scan.at == '(' && strchr(scan.at, ')') ? strchr(scan.at, ')') + 1 - scan.at : 1;
    if (scan.at >= end || !ir3_take_name(&scan, &name) || name.what == SHADER_IS_NOTHING) {
        set_number(insn, field, operand);
        return;
    }
    set_register(operand, (unsigned)name.number, name.half);
    operand->known = name.what < SHADER_IS_RELATIVE;
    operand->indirect = !operand->known;
    if (name.what == SHADER_IS_CONST || name.what == SHADER_IS_RELATIVE_CONST)
        operand->space = GPUCODE_A3XX_CONST;
    if (name.what > SHADER_IS_CONST)
        operand->count = 1;
    set_extent(insn, field, operand);
}

static void ir3_resolve_target(const struct gpucode_insn *insn, const struct isa_field *field,
                               struct gpucode_operand *operand)
{
    operand->value = (int64_t)insn->address + (int32_t)isa_field_get(field, insn->bits);
    operand->known = operand->value >= 0;
}

/* The roles of rows.h: store and range, then type, use and space of struct isa_operand_class, and what completes it. */
#define ROLE_modifier NULL, NULL, false, GPUCODE_OPERAND_MODIFIER, 0, 0, NULL
#define ROLE_value NULL, NULL, false, GPUCODE_OPERAND_VALUE, 0, 0, NULL
#define ROLE_target shader_store_target, shader_range_target, false, GPUCODE_OPERAND_TARGET, 0, 0, ir3_resolve_target
#define ROLE_read NULL, NULL, false, GPUCODE_OPERAND_REGISTER, GPUCODE_USE_READ, 0, ir3_resolve_registers
#define ROLE_written NULL, NULL, false, GPUCODE_OPERAND_REGISTER, GPUCODE_USE_WRITE, 0, ir3_resolve_registers
#define ROLE_used NULL, NULL, false, GPUCODE_OPERAND_REGISTER, 0, 0, ir3_resolve_registers

const struct isa_operand_class ir3_kinds[] = {
#define OPERAND(letter, name, role, functions) {name, ir3_print_##functions, ir3_parse_##functions, ROLE_##role},
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};

/* What a word is that no row takes. */
char *ir3_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    if (insn->row != IR3_RAW)
        return at;
    uint64_t shown;
    int row = isa_decode_row(&ir3_rows, insn->target->generation, insn->bits);
    if (row == IR3_RAW || row < 0)
        return TEXT_LITERAL(at, "\t; no instruction of this generation");
    if (ir3_shown(&ir3_rows.rows[row], insn->target->generation, insn->bits, &shown))
        return TEXT_LITERAL(at, "\t; two instructions");
    (void)options;
    return TEXT_LITERAL(text_string(TEXT_LITERAL(at, "\t; nearly "), ir3_rows.rows[row].facts.mnemonic),
                        ", an operand of which has no form");
}

/* Operands that are seldom there, and begin with a parenthesis. */
#define READ_FLAG(name)                                                                                                \
    static inline IR3_READ(name)                                                                                       \
    {                                                                                                                  \
        return at != scan->end && *at > '(' ? at : isa_read_by(ir3_parse_##name, at, scan, build, field);              \
    }
READ_FLAG(flags)
READ_FLAG(rounding)
#undef READ_FLAG

/* Operands that IR3_PARSE() alone reads. */
#define READ_BY(name)                                                                                                  \
    static inline IR3_READ(name)                                                                                       \
    {                                                                                                                  \
        return isa_read_by(ir3_parse_##name, at, scan, build, field);                                                  \
    }
READ_BY(access)
READ_BY(address)
READ_BY(alias_place)
READ_BY(alias_source)
READ_BY(alias_table)
READ_BY(base)
READ_BY(component)
READ_BY(condition)
READ_BY(const_place)
READ_BY(constants_offset)
READ_BY(count)
READ_BY(element_offset)
READ_BY(fibers)
READ_BY(high_source)
READ_BY(low_source)
READ_BY(memories)
READ_BY(mode)
READ_BY(move_destinations)
READ_BY(move_sources)
READ_BY(number)
READ_BY(packing)
READ_BY(plain_register)
READ_BY(residency)
READ_BY(shifted_address)
READ_BY(signed_offset)
READ_BY(slot)
READ_BY(store)
READ_BY(texture_flags)
READ_BY(type)
READ_BY(type_suffix)
READ_BY(typed_register)
READ_BY(uniform)
READ_BY(variant)
READ_BY(word)
#undef READ_BY

/* Rows as functions, of the functions of this folder. */
#define ROW_PRINT(name) ir3_print_##name
#define ROW_READ(name, at, scan, build, field) ir3_read_##name(at, scan, build, field)
#include "ir3_texts.inc"
