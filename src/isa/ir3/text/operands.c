/* SPDX-License-Identifier: MIT */
/* The operand kinds in the order of the letters in rows.h; the functions stand in the files of this folder, by idea. */
#include "isa/ir3/ir3.h"
#include "isa/ir3/machine/spaces.h"

#include "base/text.h"
#include "isa/ir3/text/access.h"
#include "isa/ir3/text/access_list.h"

#include <gpucode/a3xx.h>

/* --- what operands are for gpucode_insn_operands() ---------------------------------------------------------------- */

static void set_register(struct gpucode_operand *operand, unsigned number, bool half)
{
    operand->space = half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL;
    operand->number = number;
    operand->value = (int32_t)number;
    operand->count = number >= IR3_R63 ? 0 : 1;
}

/* What the text of an operand names that the accesses do not have: its text is read back. */
static void resolve_by_text(const struct gpucode_insn *insn, const struct isa_field *field,
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
    while (scan.at < end && strchr("(, !+", *scan.at)) {
        const size_t flag = strspn(scan.at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
        scan.at += *scan.at == '(' && scan.at[1 + flag] == ')' ? flag + 2 : 1;
    }
    if (scan.at >= end || !ir3_take_name(&scan, &name) || name.what == SHADER_IS_NOTHING) {
        operand->type = GPUCODE_OPERAND_VALUE;
        operand->use = GPUCODE_USE_NONE;
        return;
    }
    set_register(operand, (unsigned)name.number, name.half);
    operand->known = name.what < SHADER_IS_RELATIVE;
    operand->indirect = !operand->known;
    if (name.what == SHADER_IS_CONST || name.what == SHADER_IS_RELATIVE_CONST)
        operand->space = GPUCODE_A3XX_CONST;
    if (name.what > SHADER_IS_CONST)
        operand->count = 1;
}

/* A number in a register's place, as the instruction reads it; floats of the table are their 32 bits. */
static void refine_number(const struct a3xx_access *access, struct gpucode_operand *operand)
{
    operand->type = GPUCODE_OPERAND_VALUE;
    operand->use = GPUCODE_USE_NONE;
    operand->space = GPUCODE_A3XX_FULL;
    operand->count = 0;
    operand->value = access->table && access->number < SHADER_FLOATS
                         ? (int64_t)shader_entry_bits((unsigned)access->number)
                         : access->number;
}

/* Which registers it takes: hp0.x and up0.x are p0.x, components are several, and one more for each repeat. */
static void refine_register(const struct gpucode_insn *insn, const struct a3xx_access *access,
                            struct gpucode_operand *operand)
{
    operand->number = shader_place_of(access, &operand->space);
    operand->value = (int32_t)operand->number;
    operand->count = (uint16_t)(access->count + (access->steps ? ir3_repeat(insn->bits) : 0));
    operand->mask = access->mask;
    operand->known = !access->relative;
    operand->indirect = access->relative;
}

void ir3_refine_operands(const struct gpucode_insn *insn, struct gpucode_operand *operands, unsigned count)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    const unsigned accesses = ir3_accesses(insn, access);
    const struct isa_row *row = ir3_row(insn);
    for (unsigned i = 0; i < count; i++) {
        unsigned of = 0;
        if (operands[i].type != GPUCODE_OPERAND_REGISTER)
            continue;
        while (of < accesses && access[of].letter != operands[i].letter)
            of++;
        if (of == accesses || row->marks & IR3_MARK_MULTI) { /* of several r63.x may be the first */
            unsigned at = 0;
            while (row->fields[at].letter != operands[i].letter)
                at++;
            resolve_by_text(insn, &row->fields[at], &operands[i]);
        }
        if (of < accesses && access[of].file == A3XX_FILE_IMMEDIATE)
            refine_number(&access[of], &operands[i]);
        else if (of < accesses && access[of].file < A3XX_FILE_IMMEDIATE && operands[i].count)
            refine_register(insn, &access[of], &operands[i]);
    }
}

/* Does the operand, or the row, say it already? a1.x may be what the text names, beside what is found by it. */
static bool has_effect(const struct isa_effects *effects, const struct gpucode_effect *wanted)
{
    for (unsigned i = 0; i < effects->count; i++) {
        const struct gpucode_effect *effect = &effects->effects[i];
        const bool same = effect->operand == wanted->operand || wanted->number == IR3_A0 + 1;
        if (same && effect->space == wanted->space && effect->known && (effect->use & wanted->use) &&
            effect->number == wanted->number && effect->count >= wanted->count)
            return true;
    }
    return false;
}

/* After others of the operand, or at the end where the text does not name it. */
static void add_in_order(struct isa_effects *effects, struct gpucode_effect effect)
{
    const unsigned count = effects->count;
    isa_add_effect(effects, effect);
    for (unsigned i = count; effects->count > count && effect.operand >= 0 && i > 0; i--) {
        struct gpucode_effect *at = &effects->effects[i];
        if (at[-1].operand >= 0 && at[-1].operand <= effect.operand)
            break;
        *at = at[-1];
        at[-1] = effect;
    }
}

/* Operands that name several registers, and what the text does not name: addresses, predicates, results that stay. */
void ir3_refine_effects(const struct gpucode_insn *insn, struct isa_effects *effects)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    const unsigned count = ir3_accesses(insn, access);
    for (unsigned i = 0; i < count; i++) {
        if (access[i].file >= A3XX_FILE_IMMEDIATE || access[i].relative)
            continue;
        struct gpucode_effect effect = {.use = access[i].write ? GPUCODE_USE_WRITE : GPUCODE_USE_READ,
                                        .count = access[i].count,
                                        .mask = access[i].mask,
                                        .known = true,
                                        .operand = (int8_t)isa_operand_index(insn, access[i].letter)};
        effect.number = shader_place_of(&access[i], &effect.space);
        if (!has_effect(effects, &effect))
            add_in_order(effects, effect);
    }
    if (count && ir3_row(insn)->marks & SHADER_MARK_VARYING)
        shader_add_varyings(&access[0], ir3_repeat(insn->bits), effects);
}

/* Of the machine's registers those that effects of instructions name. */
bool ir3_own_register(const char *text, size_t length, unsigned *space, uint32_t *number)
{
    return shader_find_register(&ir3_spaces, text, length, space, number) &&
           (*space == GPUCODE_A3XX_FULL || *space == GPUCODE_A3XX_HALF || *space == GPUCODE_A3XX_CONST ||
            *space == GPUCODE_A3XX_VARYING);
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
#define ROLE_read NULL, NULL, false, GPUCODE_OPERAND_REGISTER, GPUCODE_USE_READ, 0, NULL
#define ROLE_written NULL, NULL, false, GPUCODE_OPERAND_REGISTER, GPUCODE_USE_WRITE, 0, NULL
#define ROLE_used NULL, NULL, false, GPUCODE_OPERAND_REGISTER, 0, 0, NULL

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
