/* SPDX-License-Identifier: MIT */
/*
 * Conditions and results of categories 2, 3 and 4, sources of categories 2 and 4, and what those of category 3 share
 * with them: modifiers, immediates, widths.
 */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"

#include "base/text.h"

/* --- conditions and results --------------------------------------------------------------------------------------- */

static const char conditions[6][3] = {"lt", "le", "gt", "ge", "eq", "ne"};

IR3_PRINT(condition)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    *at++ = '.';
    return value < 6 ? text_put(at, conditions[value], 2) : text_decimal(at, value);
}

/* Letters, or the number of a condition that has none: 6, 7. */
IR3_PARSE(condition)
{
    unsigned value = 0;
    if (!ir3_take_here(scan, "."))
        return shader_expected_here(scan, "'.' and a condition: lt le gt ge eq ne");
    const char *at = scan->at;
    size_t length = 0, rest = (size_t)(scan->end - at);
    while (length < rest && length < 3 && isa_name_byte(at[length]))
        length++;
    while (value < 6 && (length != 2 || memcmp(at, conditions[value], 2) != 0))
        value++;
    if (value == 6 && (length != 1 || *at < '6' || *at > '7'))
        return shader_expected_here(scan, "a condition: lt le gt ge eq ne");
    value += length == 1 && *at == '7';
    scan->at = at + length;
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

static bool half_result(const struct isa_row *row, uint64_t bits, unsigned number)
{
    if (row->marks & IR3_MARK_DOT)
        return false;
    if (row->marks & IR3_MARK_MATRIX)
        return !(bits & IR3_MATRIX_RESULT);
    return !ir3_half_sources(row, bits) == ((bits & IR3_CONVERTS) != 0) && number <= IR3_LAST_HALF_SHOWN;
}

IR3_PRINT(destination)
{
    (void)options;
    unsigned number = (unsigned)isa_field_get(field, insn->bits), category = shader_category(insn->bits);
    bool half = half_result(ir3_row(insn), insn->bits, number);
    if (category != 2)
        return shader_put_register(at, number, half);
    if (insn->bits & IR3_EI)
        at = TEXT_LITERAL(at, "(ei)");
    if (number >> 2 != IR3_A0 >> 2)
        return shader_put_register(at, number, half);
    *at = 'h';
    at = TEXT_LITERAL(at + half, "up0.");
    *at++ = "xyzw"[number & 3];
    return at;
}

IR3_PARSE(destination)
{
    struct shader_name name;
    if (shader_category(build->bits) == 2 && isa_take(scan, "(ei)"))
        build->bits |= IR3_EI;
    if (!ir3_take_name(scan, &name))
        return false;
    if (name.what == SHADER_IS_NOTHING)
        return ir3_no_register(scan);
    if (name.what > SHADER_IS_SPECIAL)
        return isa_fail(scan, name.start, name.span, MSG_IR3_DESTINATION,
                        name.what == SHADER_IS_RELATIVE ? "moves alone write relative to a0.x" : NULL, name.start,
                        (int)name.span, NULL);
    build->bits = isa_field_set(field, build->bits, (unsigned)name.number);
    build->parse_state |= name.half ? IR3_PARSED_HALF_RESULT : 0;
    return true;
}

IR3_READ(destination)
{
    struct shader_name name;
    const char *after = ir3_read_name(at, scan, &name);
    if (!after || name.what != SHADER_IS_GPR)
        return isa_read_by(ir3_parse_destination, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, (unsigned)name.number);
    build->parse_state |= name.half ? IR3_PARSED_HALF_RESULT : 0;
    return after;
}

/* --- sources of categories 2 and 4 -------------------------------------------------------------------------------- */

static char *ir3_put_float_entry(char *at, unsigned index, bool half)
{
    *at = 'h';
    at += half;
    if (index >= SHADER_FLOATS)
        return text_decimal(at, index);
    *at++ = '(';
    at = text_string(at, shader_entry_text(index));
    *at++ = ')';
    return at;
}

static char *put_source(char *at, uint64_t bits, unsigned source, bool steps)
{
    static const char *const modifiers[] = {"", "(neg)", "(abs)", "(absneg)"};
    bool half = !(bits & IR3_FULL);
    enum ir3_form form = ir3_form_2(source);
    if (form == IR3_FORM_GPR && source & 0x400)
        at = TEXT_LITERAL(at, "(last)");
    if (source >> 14)
        at = text_string(at, modifiers[source >> 14]);
    if (steps)
        at = TEXT_LITERAL(at, "(r)");
    switch (form) {
    case IR3_FORM_GPR:
        return shader_put_register(at, source & 0xff, half);
    case IR3_FORM_CONST:
        return shader_put_place(at, 'c', source & 0x7ff, half);
    case IR3_FORM_RELATIVE:
    case IR3_FORM_RELATIVE_CONST:
        return ir3_put_relative(at, form == IR3_FORM_RELATIVE ? 'r' : 'c', shader_signed(source, 10), half, false);
    case IR3_FORM_NUMBER:
        at = text_signed(half ? TEXT_LITERAL(at, "h(") : at, shader_signed(source, 11));
        return half ? TEXT_LITERAL(at, ")") : at;
    default:
        return ir3_put_float_entry(at, source & 0x3ff, form == IR3_FORM_HALF_FLOAT);
    }
}

/* (r), unless the bits of it are a number of idle slots. */
static bool shows_steps(uint64_t bits, uint64_t bit)
{
    return bits & bit && (shader_category(bits) == 4 || ir3_repeat(bits));
}

IR3_PRINT(first)
{
    (void)options;
    return put_source(at, insn->bits, (unsigned)isa_field_get(field, insn->bits), shows_steps(insn->bits, IR3_FIRST_R));
}

IR3_PRINT(second)
{
    (void)options;
    return put_source(at, insn->bits, (unsigned)isa_field_get(field, insn->bits),
                      shows_steps(insn->bits, IR3_SECOND_R_2));
}

static void ir3_take_modifiers(struct isa_scan *scan, struct ir3_modifiers *modifiers)
{
    *modifiers = (struct ir3_modifiers){0};
    isa_skip(scan);
    modifiers->start = scan->at;
    if (scan->at < scan->end && *scan->at != '(') /* as most are */
        return;
    while (scan->at < scan->end && *scan->at == '(') {
        if (ir3_take_here(scan, "(neg)"))
            modifiers->neg = true;
        else if (ir3_take_here(scan, "(abs)"))
            modifiers->abs = true;
        else if (ir3_take_here(scan, "(absneg)"))
            modifiers->neg = modifiers->abs = true;
        else if (ir3_take_here(scan, "(r)"))
            modifiers->steps = true;
        else if (ir3_take_here(scan, "(last)"))
            modifiers->last = true;
        else
            break;
        modifiers->span = (size_t)(scan->at - modifiers->start);
        isa_skip(scan);
    }
}

static bool ir3_refuse_modifiers(struct isa_scan *scan, const struct ir3_modifiers *modifiers)
{
    return isa_fail(scan, modifiers->start, modifiers->span, MSG_IR3_MODIFIER, NULL, modifiers->start,
                    (int)modifiers->span, NULL);
}

static bool note_width(struct isa_scan *scan, struct isa_build *build, const struct shader_name *name)
{
    return ir3_agrees(build, name) || shader_wrong_width(scan, *name, !name->half, MSG_IR3_WIDTH);
}

static void note_weak_width(struct isa_build *build, bool half)
{
    if (!(build->parse_state & IR3_PARSED_WEAK))
        build->parse_state |= IR3_PARSED_WEAK | (half ? IR3_PARSED_WEAK_HALF : 0);
}

/* The entry of the table with this text, or the value of one that is written in digits; -1: there is none. */
static int find_float(const char *text, size_t length)
{
    uint32_t value;
    int entry = shader_entry_named(text, length);
    if (entry >= 0 || !ir3_read_float(text, length, false, &value))
        return entry;
    entry = shader_entry_index(value);
    return entry >= 0 && strchr(shader_entry_text((unsigned)entry), '.') ? entry : -1;
}

/* A number from `low` to `high`, or an entry of the table of floats. */
static enum ir3_literal ir3_take_literal(struct isa_scan *scan, int64_t low, int64_t high, bool *half, int64_t *value)
{
    isa_skip(scan);
    const char *start = scan->at, *text;
    size_t length;
    *half = start < scan->end && *start == 'h';
    scan->at += *half;
    const char *open = scan->at;
    if (ir3_take_parentheses(scan, &text, &length)) {
        int entry = find_float(text, length);
        if (entry >= 0 && memchr("0123456789-", *text, 11) && !memchr(text, '.', length) && !memchr(text, '/', length))
            entry = -1; /* "h(1)" is a whole number */
        *value = entry;
        if (entry >= 0)
            return IR3_LITERAL_FLOAT;
        if (memchr(text, '.', length)) {
            isa_fail(scan, text, length, MSG_IR3_FLOAT_TABLE,
                     "0.0 0.5 1.0 2.0 e pi 1/pi 1/log2(e) log2(e) 1/log2(10) log2(10) 4.0", text, (int)length, NULL);
            return IR3_LITERAL_WRONG;
        }
        scan->at = open + 1;
        if (!ir3_take_number(scan, low, high, "immediate", value))
            return IR3_LITERAL_WRONG;
        if (!isa_take(scan, ")")) {
            isa_expected(scan, "')'");
            return IR3_LITERAL_WRONG;
        }
        return IR3_LITERAL_NUMBER;
    }
    if (*half && (open == scan->end || *open < '0' || *open > '9')) {
        scan->at = start;
        isa_expected(scan, "a register, a const or an immediate");
        return IR3_LITERAL_WRONG;
    }
    if (!ir3_take_number(scan, *half ? 0 : low, *half ? 1023 : high, "immediate", value) ||
        ir3_is_bare_float(scan, start))
        return IR3_LITERAL_WRONG;
    return *half ? IR3_LITERAL_ENTRY : IR3_LITERAL_NUMBER;
}

/* An immediate of categories 2 and 4, in the low bits of a source. */
static bool take_immediate(struct isa_scan *scan, struct isa_build *build, unsigned *source)
{
    bool half;
    int64_t value;
    unsigned small;
    const char *after = scan->listener ? NULL : isa_read_small(scan->at, scan->end, &small);
    if (after) {
        scan->at = after;
        *source |= 4u << 11 | small;
        note_weak_width(build, false);
        return true;
    }
    struct shader_name place = {.start = scan->at, .half = true};
    enum ir3_literal literal = ir3_take_literal(scan, -1024, 1023, &half, &value);
    place.span = (size_t)(scan->at - place.start);
    switch (literal) {
    case IR3_LITERAL_NUMBER:
        *source |= 4u << 11 | ((unsigned)value & 0x7ff);
        if (half)
            return note_width(scan, build, &place);
        note_weak_width(build, false);
        return true;
    case IR3_LITERAL_FLOAT:
    case IR3_LITERAL_ENTRY:
        *source |= 5u << 11 | (half ? 0x400u : 0) | (unsigned)value;
        note_weak_width(build, half);
        return true;
    default:
        return false;
    }
}

static bool parse_source(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, uint64_t steps)
{
    struct ir3_modifiers modifiers;
    struct shader_name name;
    ir3_take_modifiers(scan, &modifiers);
    if (!ir3_take_name(scan, &name))
        return false;
    unsigned source = (modifiers.neg ? 1u << 14 : 0) | (modifiers.abs ? 1u << 15 : 0);
    if (modifiers.last && name.what > SHADER_IS_SPECIAL)
        return ir3_refuse_modifiers(scan, &modifiers);
    if (name.what == SHADER_IS_NOTHING) {
        if (!take_immediate(scan, build, &source))
            return false;
    } else if (name.what == SHADER_IS_RELATIVE || name.what == SHADER_IS_RELATIVE_CONST) {
        if (name.number < -512 || name.number > 511)
            return isa_fail(scan, name.start, name.span, MSG_IR3_OFFSET, "relative sources have -512 to 511",
                            name.start, (int)name.span, NULL);
        source |= 1u << 11 | (name.what == SHADER_IS_RELATIVE_CONST ? 0x400u : 0) | ((unsigned)name.number & 0x3ff);
    } else {
        source |= (name.what == SHADER_IS_CONST ? 2u << 11 : 0) | (modifiers.last ? 0x400u : 0) | (unsigned)name.number;
    }
    if (name.what != SHADER_IS_NOTHING && !note_width(scan, build, &name))
        return false;
    build->bits = isa_field_set(field, build->bits, source);
    build->bits |= modifiers.steps ? steps : 0;
    build->parse_state |= modifiers.steps ? IR3_PARSED_STEPS : 0;
    return true;
}

/* A small number; null: look closer. */
static inline const char *read_immediate(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                         const struct isa_field *field)
{
    unsigned value;
    const char *after = isa_read_small(at, scan->end, &value);
    if (!after)
        return NULL;
    note_weak_width(build, false);
    build->bits = isa_field_fill(field, build->bits, 4u << 11 | value);
    return after;
}

/* A register, a const or a number without modifiers; null: look closer. */
static inline const char *read_source(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                      const struct isa_field *field)
{
    struct shader_name name;
    const char *after = ir3_read_name(at, scan, &name);
    if (!after)
        return scan->listener ? NULL : read_immediate(at, scan, build, field);
    if (!ir3_agrees(build, &name))
        return NULL;
    unsigned source = (name.what == SHADER_IS_CONST ? 2u << 11 : 0) | (unsigned)name.number;
    build->bits = isa_field_fill(field, build->bits, source);
    return after;
}

#define SOURCE(kind, steps)                                                                                            \
    IR3_PARSE(kind)                                                                                                    \
    {                                                                                                                  \
        return parse_source(scan, build, field, steps);                                                                \
    }                                                                                                                  \
    IR3_READ(kind)                                                                                                     \
    {                                                                                                                  \
        const char *after = read_source(at, scan, build, field);                                                       \
        return after ? after : isa_read_by(ir3_parse_##kind, at, scan, build, field);                                  \
    }
SOURCE(first, IR3_FIRST_R)
SOURCE(second, IR3_SECOND_R_2)
#undef SOURCE

/* Sources of category 3, 13 bits each, whose meaning depends on row and generation; suffixes of dot products. */

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
