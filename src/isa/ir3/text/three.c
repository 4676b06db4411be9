/* SPDX-License-Identifier: MIT */
/* Sources of category 3, 13 bits each, whose meaning depends on row and generation; suffixes of dot products. */
#include "isa/ir3/text/sources.h"

#include "base/text.h"

static char *put_third(char *at, const struct gpucode_insn *insn, const struct isa_field *field, uint64_t neg,
                       uint64_t steps)
{
    const struct isa_row *row = ir3_row(insn);
    unsigned source = (unsigned)isa_field_get(field, insn->bits);
    bool half = ir3_half_sources(row, insn->bits), dot = row->marks & IR3_MARK_DOT;
    enum ir3_form form = ir3_form_3(row, insn->target->generation, source, neg == IR3_FIRST_NEG);
    bool third = neg == IR3_THIRD_NEG;
    if (dot ? third && insn->bits & neg : insn->bits & neg && !(row->marks & IR3_MARK_MATRIX && third))
        at = TEXT_LITERAL(at, "(neg)");
    if (insn->bits & steps && (!ir3_nops(insn->bits) || (dot && third)))
        at = TEXT_LITERAL(at, "(r)");
    switch (form) {
    case IR3_FORM_GPR:
        if (source & 0x400)
            at = TEXT_LITERAL(at, "(last)");
        return shader_put_register(at, source & 0xff, half);
    case IR3_FORM_RELATIVE:
    case IR3_FORM_RELATIVE_CONST:
        return ir3_put_relative(at, form == IR3_FORM_RELATIVE ? 'r' : 'c', shader_signed(source, 10), half, true);
    case IR3_FORM_NUMBER:
        return source & 0x1000 ? text_decimal(at, source & 0xfff) : text_signed(at, (int8_t)source);
    case IR3_FORM_CONST:
        return shader_put_place(at, 'c', source & 0x7ff, half);
    default:
        return ir3_put_float_entry(at, source & 15, form == IR3_FORM_HALF_FLOAT);
    }
}

IR3_PRINT(three_first)
{
    (void)options;
    return put_third(at, insn, field, IR3_FIRST_NEG, IR3_FIRST_R);
}

IR3_PRINT(three_third)
{
    (void)options;
    return put_third(at, insn, field, IR3_THIRD_NEG, IR3_THIRD_R);
}

IR3_PRINT(three_second)
{
    (void)options;
    const struct isa_row *row = ir3_row(insn);
    if (insn->bits & IR3_SECOND_NEG && !(row->marks & IR3_MARK_DOT))
        at = TEXT_LITERAL(at, "(neg)");
    if (insn->bits & IR3_SECOND_R_3 && !ir3_nops(insn->bits))
        at = TEXT_LITERAL(at, "(r)");
    return shader_put_register(at, (unsigned)isa_field_get(field, insn->bits), ir3_half_sources(row, insn->bits));
}

/* A number of category 3: where others have a const, or from a8xx on in the place of a register. */
static bool take_third_immediate(struct isa_scan *scan, struct isa_build *build, bool numbers, unsigned *source)
{
    bool half = false, newer = scan->target->generation >= IR3_A8XX;
    int64_t value;
    isa_skip(scan);
    const char *start = scan->at;
    if (!newer && !numbers)
        return isa_fail(scan, start, 1, MSG_IR3_IMMEDIATE,
                        "a8xx takes -128 to 127 and (1.0) and its like; here it wants a register or a const",
                        build->row->facts.mnemonic, -1, NULL);
    enum ir3_literal literal = IR3_LITERAL_NUMBER;
    if (newer)
        literal = ir3_take_literal(scan, -128, numbers ? 4095 : 127, &half, &value);
    else if (!ir3_take_number(scan, 0, 4095, "immediate", &value))
        return false;
    if (literal == IR3_LITERAL_WRONG)
        return false;
    if (literal == IR3_LITERAL_NUMBER) {
        *source = numbers && value >= 0 ? 0x1000u | (unsigned)value : 0x600u | ((unsigned)value & 0xff);
        return true;
    }
    *source = 0x700u | (half ? 0x80u : 0) | ((unsigned)value & 15);
    return value < 16 || isa_fail(scan, start, (size_t)(scan->at - start), MSG_IR3_NUMBER, NULL, start,
                                  (int)(scan->at - start), NULL);
}

static inline bool third_agrees(struct isa_build *build, const struct shader_name *name)
{
    if (build->row->marks & (IR3_MARK_EITHER | IR3_MARK_MATRIX))
        return ir3_agrees(build, name);
    return name->half == ((build->row->marks & SHADER_MARK_HALF) != 0);
}

static bool note_third_width(struct isa_scan *scan, struct isa_build *build, const struct shader_name *name)
{
    return third_agrees(build, name) || shader_wrong_width(scan, *name, !name->half, MSG_IR3_WIDTH);
}

/* Modifiers of category 3 that the row has; false with an error noted. */
static bool put_modifiers(struct isa_scan *scan, struct isa_build *build, const struct ir3_modifiers *modifiers,
                          uint64_t neg, uint64_t steps)
{
    uint32_t marks = build->row->marks;
    bool third = neg == IR3_THIRD_NEG;
    if (modifiers->abs || (modifiers->neg && ((marks & IR3_MARK_DOT && !third) || (marks & IR3_MARK_MATRIX && third))))
        return ir3_refuse_modifiers(scan, modifiers);
    build->bits |= (modifiers->neg ? neg : 0) | (modifiers->steps ? steps : 0);
    build->parse_state |= modifiers->steps && !third ? IR3_PARSED_STEPS : 0;
    return true;
}

static bool parse_third(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, uint64_t neg,
                        uint64_t steps)
{
    struct ir3_modifiers modifiers;
    struct shader_name name;
    unsigned source = 0;
    bool numbers = ir3_takes_numbers(build->row, neg == IR3_FIRST_NEG);
    ir3_take_modifiers(scan, &modifiers);
    if (!ir3_take_name(scan, &name) || !put_modifiers(scan, build, &modifiers, neg, steps))
        return false;
    if (modifiers.last && name.what > SHADER_IS_SPECIAL)
        return ir3_refuse_modifiers(scan, &modifiers);
    if (name.what == SHADER_IS_NOTHING) {
        if (!take_third_immediate(scan, build, numbers, &source))
            return false;
    } else if (!note_third_width(scan, build, &name)) {
        return false;
    } else if (name.what == SHADER_IS_RELATIVE || name.what == SHADER_IS_RELATIVE_CONST) {
        if (name.number < -512 || name.number > 511)
            return isa_fail(scan, name.start, name.span, MSG_IR3_OFFSET, "relative sources have -512 to 511",
                            name.start, (int)name.span, NULL);
        source = 0x800u | (name.what == SHADER_IS_RELATIVE_CONST ? 0x400u : 0) | ((unsigned)name.number & 0x3ff);
    } else {
        if (name.what == SHADER_IS_CONST && numbers)
            return isa_fail(scan, name.start, name.span, MSG_IR3_OPERAND, "a number or a register can stand here",
                            name.start, (int)name.span, NULL);
        source = (name.what == SHADER_IS_CONST ? 0x1000u : 0) | (modifiers.last ? 0x400u : 0) | (unsigned)name.number;
    }
    build->bits = isa_field_set(field, build->bits, source);
    return true;
}

/* A register, or a const if `with_const`, without modifiers; null: look closer. */
static inline const char *read_third(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                     const struct isa_field *field, bool with_const)
{
    struct shader_name name;
    const char *after = ir3_read_name(at, scan, &name);
    if (!after || (name.what == SHADER_IS_CONST && !with_const) || !third_agrees(build, &name))
        return NULL;
    unsigned source = (name.what == SHADER_IS_CONST ? 0x1000u : 0) | (unsigned)name.number;
    build->bits = isa_field_fill(field, build->bits, source);
    return after;
}

#define THIRD(kind, first, neg, steps)                                                                                 \
    IR3_PARSE(kind)                                                                                                    \
    {                                                                                                                  \
        return parse_third(scan, build, field, neg, steps);                                                            \
    }                                                                                                                  \
    IR3_READ(kind)                                                                                                     \
    {                                                                                                                  \
        const char *after = read_third(at, scan, build, field, !ir3_takes_numbers(build->row, first));                 \
        return after ? after : isa_read_by(ir3_parse_##kind, at, scan, build, field);                                  \
    }
THIRD(three_first, true, IR3_FIRST_NEG, IR3_FIRST_R)
THIRD(three_third, false, IR3_THIRD_NEG, IR3_THIRD_R)
#undef THIRD

IR3_PARSE(three_second)
{
    struct ir3_modifiers modifiers;
    struct shader_name name;
    ir3_take_modifiers(scan, &modifiers);
    if (!ir3_take_name(scan, &name) || !put_modifiers(scan, build, &modifiers, IR3_SECOND_NEG, IR3_SECOND_R_3))
        return false;
    if (name.what == SHADER_IS_NOTHING)
        return ir3_no_register(scan);
    if (modifiers.last)
        return ir3_refuse_modifiers(scan, &modifiers);
    if (name.what > SHADER_IS_SPECIAL)
        return isa_fail(scan, name.start, name.span, MSG_IR3_OPERAND,
                        "the second source of three is a register: move it to one, or exchange the factors", name.start,
                        (int)name.span, NULL);
    build->bits = isa_field_set(field, build->bits, (unsigned)name.number);
    return note_third_width(scan, build, &name);
}

IR3_READ(three_second)
{
    const char *after = read_third(at, scan, build, field, false);
    return after ? after : isa_read_by(ir3_parse_three_second, at, scan, build, field);
}

static const char packings[2][2][10] = {{".unsigned", ".mixed"}, {".low", ".high"}};

/* The half of the sources, then their signs: the bits of the second come first. */
IR3_PRINT(packing)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    return text_string(text_string(at, packings[0][value & 1]), packings[1][value >> 1]);
}

IR3_PARSE(packing)
{
    unsigned value = 0;
    for (unsigned part = 0; part < 2; part++) {
        unsigned which = 0;
        while (which < 2 && !ir3_take_suffix(scan, packings[part][which]))
            which++;
        if (which == 2)
            return shader_expected_here(scan, part ? "'.low' or '.high'" : "'.unsigned' or '.mixed'");
        value |= which << part;
    }
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}
