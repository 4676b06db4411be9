/* SPDX-License-Identifier: MIT */
/* Operands of category 1: destination and source of a move. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* --- destination and source of a move ------------------------------------------------------------------------- */

static enum a3xx_type source_type(uint64_t bits)
{
    return (enum a3xx_type)A3XX_FIELD(bits, FROM_TYPE);
}

static enum a3xx_type result_type(uint64_t bits)
{
    return (enum a3xx_type)A3XX_FIELD(bits, TO_TYPE);
}

A3XX_PRINT(move_destination)
{
    (void)options;
    unsigned number = (unsigned)isa_field_get(field, insn->bits);
    bool half = a3xx_is_half(result_type(insn->bits));
    if (A3XX_FIELD(insn->bits, TO_RELATIVE))
        return a3xx_put_relative(at, 'r', (int)number, half);
    return shader_put_register(at, number, half && !a3xx_is_special(number));
}

/* The type says which width a register has. Old texts leave the h of relative ones out. */
static bool check_width(struct isa_scan *scan, struct shader_name name, bool half)
{
    if (name.what == SHADER_IS_SPECIAL)
        half = false;
    bool relative = name.what == SHADER_IS_RELATIVE || name.what == SHADER_IS_RELATIVE_CONST;
    return name.half == half || (relative && !name.half) || shader_wrong_width(scan, name, half, MSG_A3XX_WIDTH);
}

A3XX_PARSE(move_destination)
{
    struct shader_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    switch (name.what) {
    case SHADER_IS_GPR:
    case SHADER_IS_SPECIAL:
        break;
    case SHADER_IS_RELATIVE:
        if (name.number < 0 || name.number > 255)
            return isa_fail(scan, name.start, name.span, MSG_A3XX_OFFSET, "offsets of destinations go from 0 to 255",
                            name.start, (int)name.span, NULL);
        build->bits |= A3XX_MASK(TO_RELATIVE);
        build->parse_state |= A3XX_PARSED_DESTINATION_RELATIVE;
        break;
    case SHADER_IS_NOTHING:
        return isa_expected(scan, "a destination register");
    default:
        return isa_fail(scan, name.start, name.span, MSG_A3XX_DESTINATION, NULL, a3xx_what_text(name.what), -1, NULL);
    }
    build->bits = isa_field_set(field, build->bits, (unsigned)name.number);
    return check_width(scan, name, a3xx_is_half(result_type(build->bits)));
}

A3XX_READ(move_destination)
{
    struct shader_name name;
    const char *behind = shader_read_name(at, scan->end, &name);
    if (!behind || name.what == SHADER_IS_CONST ||
        name.half != (name.what == SHADER_IS_GPR && a3xx_is_half(result_type(build->bits))))
        return isa_read_by(a3xx_parse_move_destination, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, (unsigned)name.number);
    return behind;
}

static char *put_immediate(char *at, uint32_t value, enum a3xx_type type, unsigned style)
{
    switch (type) {
    case A3XX_F16:
        return a3xx_put_float(at, value & 0xffff, true, style == A3XX_MESA);
    case A3XX_F32:
        return a3xx_put_float(at, value, false, false);
    case A3XX_U32:
        return value < 0x1000 ? text_decimal(at, value) : text_hex(TEXT_LITERAL(at, "0x"), value);
    case A3XX_S32:
        return text_signed(at, (int32_t)value);
    case A3XX_U16:
    case A3XX_U8:
        return text_decimal(at, value & 0xffff);
    default:
        return text_signed(at, (int16_t)value);
    }
}

A3XX_PRINT(move_source)
{
    (void)field;
    uint64_t bits = insn->bits;
    enum a3xx_type type = source_type(bits);
    bool half = a3xx_is_half(type);
    unsigned source = a3xx_move_source(bits), number = source & A3XX_SOURCE_REGISTER;
    if (A3XX_FIELD(bits, FIRST_STEPS))
        at = TEXT_LITERAL(at, "(r)");
    if (A3XX_FIELD(bits, FROM_IMMEDIATE))
        return put_immediate(at, A3XX_FIELD(bits, MOVE_SOURCE), type, options->style);
    switch (a3xx_form(source)) {
    case A3XX_FORM_CONST:
        return shader_put_place(at, 'c', source & A3XX_SOURCE_NUMBER, half);
    case A3XX_FORM_RELATIVE:
        return a3xx_put_relative(at, source & A3XX_SOURCE_OF_CONSTS ? 'c' : 'r', a3xx_source_offset(source), half);
    default:
        return shader_put_register(at, number, half && !a3xx_is_special(number));
    }
}

static bool fits_type(int64_t value, enum a3xx_type type)
{
    return a3xx_is_half(type) ? value >= INT16_MIN && value <= UINT16_MAX : value >= INT32_MIN && value <= UINT32_MAX;
}

/* An immediate of the type of the source. */
static bool parse_immediate(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
{
    enum a3xx_type type = source_type(build->bits);
    bool is_float = type == A3XX_F32 || type == A3XX_F16;
    struct a3xx_float value;
    isa_skip(scan);
    const char *start = scan->at;
    if (a3xx_take_float(scan, a3xx_is_half(type), &value)) {
        if (!is_float)
            return isa_fail(scan, start, value.span, MSG_A3XX_INTEGER_WANTED, NULL, start, (int)value.span, NULL);
        if (value.marked_half && type == A3XX_F32)
            return isa_fail(scan, start, value.span, MSG_A3XX_WIDTH, "leave the h out", start, (int)value.span, "full");
        build->bits |= A3XX_MASK(FROM_IMMEDIATE) | value.bits;
        return true;
    }
    bool marked = scan->end - start > 2 && start[0] == 'h' && start[1] == '(';
    scan->at += marked;
    if (scan->at >= scan->end || *scan->at == '\n' || *scan->at == ',' || *scan->at == '<')
        return isa_expected(scan, "a source");
    bool hex = scan->end - scan->at > 1 && scan->at[0] == '0' && (scan->at[1] == 'x' || scan->at[1] == 'X');
    uint64_t number;
    const char *behind = is_float || marked ? NULL : isa_plain_number(scan, &number);
    if (behind && fits_type((int64_t)number, type)) {
        build->bits |= A3XX_MASK(FROM_IMMEDIATE) | number;
        scan->at = behind;
        return true;
    }
    struct isa_value integer;
    if (!isa_expression(scan, &integer))
        return false;
    size_t span = (size_t)(scan->at - start);
    if (marked && !a3xx_is_half(type))
        return isa_fail(scan, start, span, MSG_A3XX_WIDTH, "leave the h out", start, (int)span, "full");
    if (is_float && !hex) {
        span = shader_float_span(scan, start, span);
        char digit = start[*start == '-'];
        bool decimal = span < 16 && digit >= '0' && digit <= '9', whole = !memchr(start, '.', span);
        snprintf(scan->hint, sizeof scan->hint, "write (%.*s%s), or its bits in hex", decimal ? (int)span : 3,
                 decimal ? start : "1.0", decimal && whole ? ".0" : "");
        return isa_fail(scan, start, span, MSG_A3XX_FLOAT_WANTED, scan->hint, start, (int)span, NULL);
    }
    build->bits |= A3XX_MASK(FROM_IMMEDIATE);
    if (!integer.term_count) {
        if (!fits_type(integer.constant, type))
            return isa_out_of_range(scan, field, start, span, integer.constant);
        build->bits |=
            a3xx_is_half(type) ? (uint64_t)integer.constant & 0xffff : (uint64_t)integer.constant & 0xffffffff;
        return true;
    }
    if (a3xx_is_half(type))
        return isa_fail(scan, start, span, MSG_A3XX_WIDTH, "a label has 32 bits", start, (int)span, "half");
    return isa_store(scan, build, field, &integer);
}

/* "(r)" or nothing; modifiers are refused. */
static bool take_stepping(struct isa_scan *scan, struct isa_build *build)
{
    if (isa_take(scan, "(r)"))
        build->bits |= A3XX_MASK(FIRST_STEPS);
    isa_skip(scan);
    if (scan->end - scan->at > 4 && (memcmp(scan->at, "(neg)", 5) == 0 || memcmp(scan->at, "(abs)", 5) == 0))
        return isa_fail(scan, scan->at, 5, MSG_A3XX_MODIFIER, "absneg.f and absneg.s move with modifiers",
                        scan->at[1] == 'n' ? "(neg)" : "(abs)", -1, "a move");
    return true;
}

A3XX_PARSE(move_source)
{
    struct shader_name name;
    if (!take_stepping(scan, build) || !a3xx_take_any_name(scan, &name))
        return false;
    bool half = a3xx_is_half(source_type(build->bits));
    switch (name.what) {
    case SHADER_IS_NOTHING:
        return parse_immediate(scan, build, field);
    case SHADER_IS_CONST:
        build->bits |= A3XX_MASK(FROM_CONST) | (unsigned)name.number;
        break;
    case SHADER_IS_RELATIVE:
    case SHADER_IS_RELATIVE_CONST:
        if (build->parse_state & A3XX_PARSED_DESTINATION_RELATIVE)
            return isa_fail(scan, name.start, name.span, MSG_A3XX_BOTH_RELATIVE, "move through a register", NULL, 0,
                            NULL);
        if (name.number < -512 || name.number > 511)
            return isa_fail(scan, name.start, name.span, MSG_A3XX_OFFSET, NULL, name.start, (int)name.span, NULL);
        build->bits |= a3xx_source(A3XX_FORM_RELATIVE, (unsigned)name.number & A3XX_SOURCE_OFFSET);
        build->bits |= name.what == SHADER_IS_RELATIVE_CONST ? A3XX_SOURCE_OF_CONSTS : 0;
        break;
    default:
        build->bits |= (unsigned)name.number;
    }
    return check_width(scan, name, half);
}

A3XX_READ(move_source)
{
    struct shader_name name;
    const char *behind = shader_read_name(at, scan->end, &name);
    if (!behind || name.half != (name.what != SHADER_IS_SPECIAL && a3xx_is_half(source_type(build->bits))))
        return isa_read_by(a3xx_parse_move_source, at, scan, build, field);
    build->bits |= (unsigned)name.number | (name.what == SHADER_IS_CONST ? A3XX_MASK(FROM_CONST) : 0);
    return behind;
}

/* Labels as immediates: 32 bits. */
bool a3xx_store_move_immediate(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    (void)field;
    (void)address;
    *encoded = (uint64_t)value & 0xffffffff;
    return value >= INT32_MIN && value <= UINT32_MAX;
}

void a3xx_range_move_immediate(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = INT32_MIN;
    *high = UINT32_MAX;
}

/* --- the type of mova -------------------------------------------------------------------------------------------- */

/* The old disassembler writes mova.s16s16, which its assembler does not take. */
A3XX_PRINT(old_type)
{
    (void)insn;
    (void)field;
    (void)options;
    return at;
}

A3XX_PARSE(old_type)
{
    (void)build;
    (void)field;
    static const char text[] = ".s16s16";
    if ((size_t)(scan->end - scan->at) >= sizeof text - 1 && memcmp(scan->at, text, sizeof text - 1) == 0)
        scan->at += sizeof text - 1;
    return true;
}
