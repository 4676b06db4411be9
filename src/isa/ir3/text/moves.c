/* SPDX-License-Identifier: MIT */
/* Operands of category 1: the low 32 bits of a move are its source, in a form that bits 54:53 tell. */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"

#include "base/text.h"

#define RELATIVE_WIDTH 10

/* --- destinations ------------------------------------------------------------------------------------------------- */

/* Nine bits: whether it is relative, and its number or offset. */
IR3_PRINT(move_destination)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    bool half = ir3_half_move(ir3_result_type(insn->bits));
    return value >> 8 ? ir3_put_relative(at, 'r', (int)(value & 0xff), half, false)
                      : shader_put_register(at, value & 0xff, half);
}

IR3_PARSE(move_destination)
{
    bool half = ir3_half_move(ir3_result_type(build->bits));
    struct shader_name name;
    if (!ir3_take_name(scan, &name))
        return false;
    if (name.what == SHADER_IS_NOTHING)
        return isa_expected(scan, "a register");
    if (name.what == SHADER_IS_CONST || name.what == SHADER_IS_RELATIVE_CONST)
        return isa_fail(scan, name.start, name.span, MSG_IR3_DESTINATION, NULL, name.start, (int)name.span, NULL);
    if (name.what == SHADER_IS_RELATIVE && (name.number < 0 || name.number > 255))
        return isa_fail(scan, name.start, name.span, MSG_IR3_OFFSET, "relative results have 0 to 255", name.start,
                        (int)name.span, NULL);
    if (name.half != half)
        return shader_wrong_width(scan, name, half, MSG_IR3_WIDTH);
    build->bits =
        isa_field_set(field, build->bits, (unsigned)name.number | (name.what == SHADER_IS_RELATIVE ? 256u : 0));
    return true;
}

IR3_READ(move_destination)
{
    struct shader_name name;
    const char *after = ir3_read_name(at, scan, &name);
    if (!after || name.what != SHADER_IS_GPR || name.half != ir3_half_move(ir3_result_type(build->bits)))
        return isa_read_by(ir3_parse_move_destination, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, (unsigned)name.number);
    return after;
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

static char *put_immediate(char *at, uint64_t bits)
{
    uint32_t value = (uint32_t)bits;
    switch (ir3_source_type(bits)) {
    case IR3_F16:
        at = ir3_put_float(TEXT_LITERAL(at, "h("), value & 0xffff, true);
        *at++ = ')';
        return at;
    case IR3_F32:
        *at++ = '(';
        at = ir3_put_float(at, value, false);
        *at++ = ')';
        return at;
    case IR3_U32:
        return value > 0x1000 ? text_hex(TEXT_LITERAL(at, "0x"), value) : text_decimal(at, value);
    case IR3_S16:
        return text_signed(at, (int16_t)value);
    case IR3_S32:
        return text_signed(at, (int32_t)value);
    default:
        return text_decimal(at, value);
    }
}

/* Of movs and mova.r eight bits are a register, else 34 bits say what the source is. */
IR3_PRINT(move_source)
{
    (void)options;
    uint64_t bits = insn->bits;
    bool half = ir3_half_move(ir3_source_type(bits)), whole = field->width > 8;
    unsigned kind = whole ? ir3_bits(bits, 54, 53) : 0;
    if (kind == 2)
        return put_immediate(at, bits);
    if (insn->row == IR3_MOVA_R_GPR)
        return shader_put_register(at, bits & 0xff, half);
    bool relative = whole && !kind && bits & IR3_RELATIVE_MOVE;
    if (!kind && !relative && bits & IR3_LAST_BIT)
        at = TEXT_LITERAL(at, "(last)");
    if (bits & IR3_FIRST_R)
        at = TEXT_LITERAL(at, "(r)");
    if (relative)
        return ir3_put_relative(at, bits & IR3_RELATIVE_CONST ? 'c' : 'r',
                                shader_signed((unsigned)bits, RELATIVE_WIDTH), half, false);
    return kind ? shader_put_place(at, 'c', bits & 0x7ff, half) : shader_put_register(at, bits & 0xff, half);
}

/* A float in parentheses, marked half or not; a whole number is taken as its bits. */
static bool parse_float(struct isa_scan *scan, bool half, uint32_t *bits)
{
    const char *start = scan->at, *text;
    size_t length;
    scan->at += scan->at < scan->end && *scan->at == 'h';
    if (ir3_take_parentheses(scan, &text, &length)) {
        if (ir3_read_float(text, length, half, bits))
            return true;
        return isa_fail(scan, text, length ? length : 1, MSG_IR3_FLOAT, NULL, text, (int)length, NULL);
    }
    scan->at = start;
    int64_t value;
    if (!ir3_take_number(scan, 0, half ? UINT16_MAX : UINT32_MAX, "bits of a float", &value) ||
        ir3_is_bare_float(scan, start))
        return false;
    *bits = (uint32_t)value;
    return true;
}

static bool parse_immediate(struct isa_scan *scan, struct isa_build *build)
{
    unsigned type = ir3_source_type(build->bits);
    uint32_t bits;
    isa_skip(scan);
    build->bits |= UINT64_C(2) << 53;
    if (type == IR3_F16 || type == IR3_F32) {
        if (!parse_float(scan, type == IR3_F16, &bits))
            return false;
    } else {
        int64_t value;
        bool half = type == IR3_S16;
        if (!ir3_take_number(scan, half ? INT16_MIN : INT32_MIN, half ? UINT16_MAX : UINT32_MAX, "immediate", &value))
            return false;
        bits = (uint32_t)value & (half ? 0xffff : 0xffffffff);
    }
    build->bits |= bits;
    return true;
}

/* (r) and (last) in any order; the bits of them are at one place in all moves. */
static unsigned take_source_flags(struct isa_scan *scan)
{
    unsigned seen = 0;
    for (;;) {
        isa_skip(scan);
        if (scan->at == scan->end || *scan->at != '(')
            return seen;
        if (isa_take(scan, "(r)"))
            seen |= 1;
        else if (isa_take(scan, "(last)"))
            seen |= 2;
        else
            return seen;
    }
}

IR3_PARSE(move_source)
{
    bool half = ir3_half_move(ir3_source_type(build->bits)), whole = field->width > 8;
    const char *start = scan->at;
    unsigned flags = take_source_flags(scan);
    struct shader_name name;
    if (!ir3_take_name(scan, &name))
        return false;
    build->bits |= flags & 1 ? IR3_FIRST_R : 0;
    if (name.what == SHADER_IS_NOTHING && whole && !(flags & 2))
        return parse_immediate(scan, build);
    if (name.what == SHADER_IS_NOTHING)
        return isa_expected(scan, "a register");
    if (!whole && name.what > SHADER_IS_SPECIAL)
        return isa_fail(scan, name.start, name.span, MSG_IR3_OPERAND, "only a register can stand here", name.start,
                        (int)name.span, NULL);
    if (flags & 2 && name.what > SHADER_IS_SPECIAL)
        return isa_fail(scan, start, (size_t)(scan->at - start), MSG_IR3_MODIFIER, NULL, "(last)", -1, NULL);
    if (name.half != half)
        return shader_wrong_width(scan, name, half, MSG_IR3_WIDTH);
    build->bits |= flags & 2 ? IR3_LAST_BIT : 0;
    if (name.what == SHADER_IS_RELATIVE || name.what == SHADER_IS_RELATIVE_CONST) {
        if (name.number < -512 || name.number > 511)
            return isa_fail(scan, name.start, name.span, MSG_IR3_OFFSET, "relative sources have -512 to 511",
                            name.start, (int)name.span, NULL);
        build->bits |= IR3_RELATIVE_MOVE | (name.what == SHADER_IS_RELATIVE_CONST ? IR3_RELATIVE_CONST : 0) |
                       ((unsigned)name.number & 0x3ff);
        return true;
    }
    build->bits |= (name.what == SHADER_IS_CONST ? UINT64_C(1) << 53 : 0) | (unsigned)name.number;
    return true;
}

IR3_READ(move_source)
{
    struct shader_name name;
    const char *after = field->width > 8 ? ir3_read_name(at, scan, &name) : NULL;
    if (!after || name.half != ir3_half_move(ir3_source_type(build->bits)))
        return isa_read_by(ir3_parse_move_source, at, scan, build, field);
    build->bits |= (name.what == SHADER_IS_CONST ? UINT64_C(1) << 53 : 0) | (unsigned)name.number;
    return after;
}

/* --- several at once
 * --------------------------------------------------------------------------------------------------- */

/* Registers of eight bits each, the lowest first. */
static char *put_list(char *at, uint64_t value, unsigned count, bool half)
{
    for (unsigned i = 0; i < count; i++) {
        if (i)
            at = TEXT_LITERAL(at, ", ");
        at = shader_put_register(at, value >> 8 * i & 0xff, half);
    }
    return at;
}

static bool parse_list(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, bool half)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < field->width / 8u; i++) {
        unsigned number;
        if (i && !isa_take(scan, ","))
            return isa_expected(scan, "','");
        if (!ir3_take_register_of(scan, half, &number))
            return false;
        value |= (uint64_t)number << 8 * i;
    }
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

IR3_PRINT(move_sources)
{
    (void)options;
    return put_list(at, isa_field_get(field, insn->bits), field->width / 8u,
                    ir3_half_move(ir3_source_type(insn->bits)));
}

IR3_PARSE(move_sources)
{
    return parse_list(scan, build, field, ir3_half_move(ir3_source_type(build->bits)));
}

IR3_PRINT(move_destinations)
{
    (void)options;
    return put_list(at, isa_field_get(field, insn->bits), field->width / 8u,
                    ir3_half_move(ir3_result_type(insn->bits)));
}

IR3_PARSE(move_destinations)
{
    return parse_list(scan, build, field, ir3_half_move(ir3_result_type(build->bits)));
}
