/* SPDX-License-Identifier: MIT */
/* Operands of category 2 to 4: destination, sources with their modifiers, conditions. */
#include "isa/a3xx/a3xx.h"

#include "base/text.h"

#include <stdio.h>

/* --- modifiers ------------------------------------------------------------------------------------------------ */

enum { NEG = 1, ABS = 2, REPEATED = 4 };

static char *put_modifiers(char *at, unsigned modifiers)
{
    static const char text[4][9] = {"", "(neg)", "(abs)", "(absneg)"};
    at = text_string(at, text[modifiers & 3]);
    return modifiers & REPEATED ? TEXT_LITERAL(at, "(r)") : at;
}

/* Any order; false with an error noted when one stands twice. */
static bool take_modifiers(struct isa_scan *scan, unsigned *modifiers, unsigned allowed, const char *mnemonic)
{
    static const struct {
        const char *text;
        unsigned length, bits;
    } names[] = {{"(r)", 3, REPEATED}, {"(neg)", 5, NEG}, {"(abs)", 5, ABS}, {"(absneg)", 8, NEG | ABS}};
    *modifiers = 0;
    for (;;) {
        isa_skip(scan);
        size_t rest = (size_t)(scan->end - scan->at);
        if (rest < 3 || *scan->at != '(')
            return true;
        unsigned i = 0;
        while (i < 4 && (rest < names[i].length || memcmp(scan->at, names[i].text, names[i].length) != 0))
            i++;
        if (i == 4)
            return true;
        if (*modifiers & names[i].bits)
            return isa_fail(scan, scan->at, names[i].length, MSG_A3XX_FLAG_TWICE, NULL, NULL, 0, NULL);
        if (names[i].bits & ~allowed)
            return isa_fail(scan, scan->at, names[i].length, MSG_A3XX_MODIFIER, NULL, names[i].text, -1, mnemonic);
        *modifiers |= names[i].bits;
        scan->at += names[i].length;
    }
}

/* --- widths ----------------------------------------------------------------------------------------------------- */

/* A source shows its width; all sources that do must agree. */
static bool tell_width(struct isa_scan *scan, struct isa_build *build, const struct a3xx_name *name)
{
    unsigned half = name->half ? A3XX_MEMO_HALF : 0;
    if (build->memo & A3XX_MEMO_TOLD && (build->memo & A3XX_MEMO_HALF) != half)
        return a3xx_wrong_width(scan, name, !name->half);
    build->memo |= A3XX_MEMO_TOLD | half;
    return true;
}

/* Are sources of this word half? */
static bool half_sources(uint64_t bits)
{
    return !(bits & A3XX_FULL);
}

/* Must what shows no width be marked as half? Not where the destination says so. */
static bool marks_half(const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    unsigned result = a3xx_bits(bits, 32, 8);
    return half_sources(bits) && (bits & A3XX_CONV || a3xx_is_special(result)) &&
           !a3xx_width_is_told(&a3xx_rows.rows[insn->row], bits);
}

/* --- destination -------------------------------------------------------------------------------------------------- */

A3XX_PRINT(destination)
{
    (void)field;
    (void)options;
    uint64_t bits = insn->bits;
    unsigned number = a3xx_bits(bits, 32, 8);
    bool half = a3xx_category(bits) == 3 ? !a3xx_mad_full(a3xx_bits(bits, 55, 4)) : half_sources(bits);
    half ^= (bits & A3XX_CONV) != 0;
    return a3xx_put_register(at, number, half && !a3xx_is_special(number));
}

A3XX_PARSE(destination)
{
    (void)field;
    struct a3xx_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    if (name.what == A3XX_IS_NOTHING)
        return isa_expected(scan, "a destination register");
    if (name.what != A3XX_IS_GPR && name.what != A3XX_IS_SPECIAL)
        return isa_fail(scan, name.start, name.span, MSG_A3XX_DESTINATION,
                        name.what == A3XX_IS_REGISTER_RELATIVE ? "only mov and cov have relative destinations" : NULL,
                        a3xx_what_text(name.what), -1, NULL);
    if (name.what == A3XX_IS_SPECIAL && name.half)
        return a3xx_wrong_width(scan, &name, false);
    build->memo |= name.what == A3XX_IS_SPECIAL ? A3XX_MEMO_SPECIAL_RESULT : name.half ? A3XX_MEMO_HALF_RESULT : 0;
    build->bits |= (uint64_t)(unsigned)name.number << 32;
    return true;
}

/* --- sources of category 2 and 4 ------------------------------------------------------------------------------------
 */

static char *put_source(char *at, const struct gpucode_insn *insn, unsigned shift, unsigned repeat,
                        const struct gpucode_format_options *options)
{
    unsigned source = a3xx_bits(insn->bits, shift, 16);
    bool half = half_sources(insn->bits);
    unsigned modifiers = source >> 14 | a3xx_bits(insn->bits, repeat, 1) << 2;
    if (modifiers)
        at = put_modifiers(at, modifiers);
    switch (a3xx_form(source)) {
    case A3XX_FORM_GPR:
        if (a3xx_is_special(source & 0xff))
            half = half && marks_half(insn);
        return a3xx_put_register(at, source & 0xff, half);
    case A3XX_FORM_RELATIVE:
        return a3xx_put_relative(at, source & 0x400 ? 'c' : 'r', a3xx_signed(source & 0x3ff, 10), half);
    case A3XX_FORM_CONST:
    case A3XX_FORM_CONST_TOO:
        return a3xx_put_const(at, source & 0x7ff, half);
    case A3XX_FORM_INTEGER:
        if (half && (options->style == A3XX_MESA || marks_half(insn))) {
            at = text_signed(TEXT_LITERAL(at, "h("), a3xx_signed(source & 0x7ff, 11));
            *at++ = ')';
            return at;
        }
        return text_signed(at, a3xx_signed(source & 0x7ff, 11));
    default:
        if (source & 0x400)
            *at++ = 'h';
        *at++ = '(';
        at = text_string(at, a3xx_float_text(source & 0x3ff));
        *at++ = ')';
        return at;
    }
}

/* What a source of this instruction may be, beside a register; for category 4 nothing. */
static bool forbid(struct isa_scan *scan, const struct a3xx_name *name, const char *text, const char *hint)
{
    return isa_fail(scan, name->start, name->span, MSG_A3XX_OPERAND, hint, text, -1, NULL);
}

static const char move_first[] = "move it to a register first";

static bool take_const(struct isa_scan *scan, struct isa_build *build, const struct a3xx_name *name)
{
    if (a3xx_category(build->bits) == 4)
        return forbid(scan, name, a3xx_what_text(name->what), move_first);
    if (build->memo & A3XX_MEMO_CONST)
        return isa_fail(scan, name->start, name->span, MSG_A3XX_TWO_CONSTS, move_first, NULL, 0, NULL);
    build->memo |= A3XX_MEMO_CONST;
    return true;
}

static bool take_offset(struct isa_scan *scan, const struct a3xx_name *name, unsigned *bits)
{
    if (name->number < -512 || name->number > 511)
        return isa_fail(scan, name->start, name->span, MSG_A3XX_OFFSET, NULL, name->start, (int)name->span, NULL);
    *bits = (unsigned)name->number & 0x3ff;
    return true;
}

static bool float_wanted(struct isa_scan *scan, const char *start, size_t span)
{
    return isa_fail(scan, start, span, MSG_A3XX_FLOAT_WANTED,
                    "write (0.0), (0.5), (1.0), (2.0), (4.0), (e), (pi), (1/pi), (log2(e)), ...", start, (int)span,
                    NULL);
}

/* "5", "h(5)", "(1.0)", "h(1.0)" */
static bool take_immediate(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field,
                           unsigned shift, unsigned modifiers)
{
    struct a3xx_name place = {.start = scan->at, .span = 1};
    unsigned category = a3xx_category(build->bits);
    bool floats = category == 4 || a3xx_float_sources(build->bits);
    struct a3xx_float value;
    int taken = a3xx_take_float(scan, &value);
    if (taken < 0)
        return false;
    struct isa_value integer = {0};
    if (taken) {
        place.span = value.span;
        place.half = value.marked_half;
    } else {
        if (scan->end - scan->at > 2 && scan->at[0] == 'h' && scan->at[1] == '(') {
            place.half = true;
            scan->at++;
        }
        size_t name = isa_name(scan);
        if (scan->at >= scan->end || *scan->at == '\n' || *scan->at == ',' || *scan->at == '<')
            return isa_expected(scan, "a source");
        if (name && scan->at + name < scan->end && (scan->at[name] == '.' || scan->at[name] == '<'))
            return isa_fail(scan, scan->at, name, MSG_A3XX_REGISTER, NULL, scan->at, (int)name, NULL);
        if (!isa_expression(scan, &integer))
            return false;
        place.span = (size_t)(scan->at - place.start);
    }
    if (category == 4)
        return forbid(scan, &place, "an immediate", move_first);
    if (build->memo & A3XX_MEMO_IMMEDIATE)
        return isa_fail(scan, place.start, place.span, MSG_A3XX_TWO_IMMEDIATES, move_first, NULL, 0, NULL);
    build->memo |= A3XX_MEMO_IMMEDIATE;
    if (place.half && !tell_width(scan, build, &place))
        return false;
    if (taken) {
        if (!floats)
            return isa_fail(scan, place.start, place.span, MSG_A3XX_INTEGER_WANTED, NULL, place.start, (int)place.span,
                            NULL);
        int index = a3xx_float_index(value.f32);
        if (index < 0)
            return isa_fail(scan, place.start, place.span, MSG_A3XX_FLOAT_TABLE,
                            "0.0 0.5 1.0 2.0 4.0 e pi 1/pi log2(e) 1/log2(e) log2(10) 1/log2(10)", place.start,
                            (int)place.span, NULL);
        build->bits |= (uint64_t)((unsigned)index | A3XX_FORM_FLOAT << 11 | modifiers << 14) << shift;
        return true;
    }
    if (floats)
        return float_wanted(scan, place.start, place.span);
    build->bits |= (uint64_t)(A3XX_FORM_INTEGER << 11 | modifiers << 14) << shift;
    (void)field;
    if (integer.term_count)
        return isa_fail(scan, integer.start, integer.length, MSG_NOT_KNOWN_YET, NULL, integer.start,
                        (int)integer.length, NULL);
    if (integer.constant < -1024 || integer.constant > 1023)
        return isa_out_of_range(scan, field, integer.start, integer.length, integer.constant);
    build->bits |= (uint64_t)((uint64_t)integer.constant & 0x7ff) << shift;
    return true;
}

static bool parse_source(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, unsigned shift,
                         unsigned repeat)
{
    unsigned modifiers;
    if (!take_modifiers(scan, &modifiers, a3xx_modifiers(build->bits) | REPEATED, build->row->facts.mnemonic))
        return false;
    if (modifiers & REPEATED)
        build->bits |= UINT64_C(1) << repeat;
    modifiers &= 3;
    struct a3xx_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    unsigned source = modifiers << 14;
    switch (name.what) {
    case A3XX_IS_NOTHING:
        return take_immediate(scan, build, field, shift, modifiers);
    case A3XX_IS_SPECIAL:
        if (name.half && !tell_width(scan, build, &name))
            return false;
        source |= (unsigned)name.number;
        break;
    case A3XX_IS_GPR:
        if (!tell_width(scan, build, &name))
            return false;
        source |= (unsigned)name.number;
        break;
    case A3XX_IS_CONST:
        if (!take_const(scan, build, &name) || !tell_width(scan, build, &name))
            return false;
        source |= (unsigned)name.number | A3XX_FORM_CONST << 11;
        break;
    case A3XX_IS_CONST_RELATIVE:
        if (!take_const(scan, build, &name))
            return false;
        source |= 0x400;
        /* fall through */
    default: {
        unsigned offset = 0;
        if (!tell_width(scan, build, &name) || !take_offset(scan, &name, &offset))
            return false;
        source |= offset | A3XX_FORM_RELATIVE << 11;
    }
    }
    build->bits |= (uint64_t)source << shift;
    return true;
}

A3XX_PRINT(first)
{
    (void)field;
    return put_source(at, insn, 0, 43, options);
}

A3XX_PARSE(first)
{
    return parse_source(scan, build, field, 0, 43);
}

A3XX_PRINT(second)
{
    (void)field;
    return put_source(at, insn, 16, 51, options);
}

A3XX_PARSE(second)
{
    return parse_source(scan, build, field, 16, 51);
}

/* --- sources of category 3
 * -------------------------------------------------------------------------------------------- */

static char *put_mad_source(char *at, uint64_t bits, unsigned shift, unsigned neg, unsigned repeat)
{
    unsigned source = a3xx_bits(bits, shift, 13);
    bool half = !a3xx_mad_full(a3xx_bits(bits, 55, 4));
    at = put_modifiers(at, a3xx_bits(bits, neg, 1) | a3xx_bits(bits, repeat, 1) << 2);
    switch (source >> 11) {
    case 0:
        return a3xx_put_register(at, source & 0xff, half && !a3xx_is_special(source & 0xff));
    case 1:
        return a3xx_put_relative(at, source & 0x400 ? 'c' : 'r', a3xx_signed(source & 0x3ff, 10), half);
    default:
        return a3xx_put_const(at, source & 0x7ff, half);
    }
}

/* A source; `plain`: a register only. *source receives 13 bits. */
static bool parse_mad_source(struct isa_scan *scan, struct isa_build *build, unsigned neg, unsigned repeat, bool plain,
                             unsigned *source)
{
    unsigned modifiers;
    if (!take_modifiers(scan, &modifiers, a3xx_modifiers(build->bits) | REPEATED, build->row->facts.mnemonic))
        return false;
    build->bits |= (uint64_t)(modifiers & NEG) << neg | (uint64_t)(modifiers >> 2 & 1) << repeat;
    struct a3xx_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    bool half = !a3xx_mad_full(a3xx_bits(build->bits, 55, 4));
    if (name.what == A3XX_IS_NOTHING) {
        const char *at = scan->at;
        size_t span = 0;
        while (at + span < scan->end && at[span] != ',' && at[span] != '\n' && at[span] != ';' && at[span] != ' ')
            span++;
        bool number = span && ((*at >= '0' && *at <= '9') || *at == '-' || *at == '(' || *at == 'h');
        return number ? isa_fail(scan, at, span, MSG_A3XX_OPERAND, move_first, "an immediate", -1, NULL)
                      : isa_expected(scan, "a source");
    }
    if (plain && name.what != A3XX_IS_GPR && name.what != A3XX_IS_SPECIAL)
        return forbid(scan, &name, a3xx_what_text(name.what),
                      "the second source of category 3 is a register; move it to one, or exchange the factors");
    if (name.half != (half && name.what != A3XX_IS_SPECIAL))
        return a3xx_wrong_width(scan, &name, half && name.what != A3XX_IS_SPECIAL);
    *source = (unsigned)name.number;
    if (name.what == A3XX_IS_CONST)
        *source |= 0x1000;
    if (name.what == A3XX_IS_CONST_RELATIVE || name.what == A3XX_IS_REGISTER_RELATIVE) {
        if (!take_offset(scan, &name, source))
            return false;
        *source |= 0x800 | (name.what == A3XX_IS_CONST_RELATIVE ? 0x400 : 0);
    }
    return true;
}

A3XX_PRINT(mad_first)
{
    (void)field;
    (void)options;
    return put_mad_source(at, insn->bits, 0, 14, 43);
}

A3XX_PARSE(mad_first)
{
    (void)field;
    unsigned source = 0;
    if (!parse_mad_source(scan, build, 14, 43, false, &source))
        return false;
    build->bits |= source;
    return true;
}

A3XX_PRINT(mad_second)
{
    (void)field;
    (void)options;
    uint64_t bits = insn->bits;
    unsigned number = a3xx_bits(bits, 47, 8);
    at = put_modifiers(at, a3xx_bits(bits, 30, 1) | a3xx_bits(bits, 15, 1) << 2);
    return a3xx_put_register(at, number, !a3xx_mad_full(a3xx_bits(bits, 55, 4)) && !a3xx_is_special(number));
}

A3XX_PARSE(mad_second)
{
    (void)field;
    unsigned source = 0;
    if (!parse_mad_source(scan, build, 30, 15, true, &source))
        return false;
    build->bits |= (uint64_t)source << 47;
    return true;
}

A3XX_PRINT(mad_third)
{
    (void)field;
    (void)options;
    return put_mad_source(at, insn->bits, 16, 31, 29);
}

A3XX_PARSE(mad_third)
{
    (void)field;
    unsigned source = 0;
    if (!parse_mad_source(scan, build, 31, 29, false, &source))
        return false;
    build->bits |= (uint64_t)source << 16;
    return true;
}

/* --- conditions, (ei), the later names of mul
 * ---------------------------------------------------------------------------- */

static const char conditions[8][3] = {"lt", "le", "gt", "ge", "eq", "ne", "?", "?"};

A3XX_PRINT(condition)
{
    (void)options;
    *at++ = '.';
    return text_string(at, conditions[isa_field_get(field, insn->bits)]);
}

A3XX_PARSE(condition)
{
    const char *at = scan->at;
    if (scan->end - at >= 3 && *at == '.' && (scan->end - at == 3 || !isa_name_byte(at[3])))
        for (unsigned i = 0; i < 6; i++)
            if (memcmp(at + 1, conditions[i], 2) == 0) {
                build->bits = isa_field_set(field, build->bits, i);
                scan->at += 3;
                return true;
            }
    return a3xx_expected_here(scan, "a condition: .lt .le .gt .ge .eq or .ne");
}

A3XX_PRINT(end_input)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, "(ei)") : at;
}

A3XX_PARSE(end_input)
{
    if (isa_take(scan, "(ei)"))
        build->bits = isa_field_set(field, build->bits, 1);
    return true;
}

A3XX_PRINT(factor_width)
{
    (void)insn;
    (void)field;
    return options->style == A3XX_MESA ? TEXT_LITERAL(at, "24") : at;
}

/* mul.u24 and mul.s24 are read as old names of mul.u and mul.s. */
A3XX_PARSE(factor_width)
{
    (void)scan;
    (void)build;
    (void)field;
    return true;
}
