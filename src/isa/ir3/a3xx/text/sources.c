/* SPDX-License-Identifier: MIT */
/*
 * Operands of categories 2 to 4: destination, sources with their modifiers, conditions; then the sources of category
 * 3.
 */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Operands of category 2 and 4: destination (of category 3 too), sources with their modifiers, conditions. */

/* --- widths ----------------------------------------------------------------------------------------------------- */

/* A source shows its width; all sources that do must agree. */
static bool note_width(struct isa_scan *scan, struct isa_build *build, struct shader_name name)
{
    unsigned half = name.half ? A3XX_PARSED_HALF : 0;
    if (build->parse_state & A3XX_PARSED_WIDTH && (build->parse_state & A3XX_PARSED_HALF) != half)
        return shader_wrong_width(scan, name, !name.half, MSG_A3XX_WIDTH);
    build->parse_state |= A3XX_PARSED_WIDTH | half;
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
    unsigned result = A3XX_FIELD(bits, RESULT);
    return half_sources(bits) && (bits & A3XX_MASK(CONVERTS) || a3xx_is_special(result)) &&
           !a3xx_shows_width(&a3xx_rows.rows[insn->row], bits);
}

/* --- destination -------------------------------------------------------------------------------------------------- */

A3XX_PRINT(destination)
{
    (void)field;
    (void)options;
    uint64_t bits = insn->bits;
    unsigned number = A3XX_FIELD(bits, RESULT);
    bool half = a3xx_half_sources(bits, a3xx_marks(insn->row));
    half ^= (bits & A3XX_MASK(CONVERTS)) != 0;
    return shader_put_register(at, number, half && !a3xx_is_special(number));
}

A3XX_PARSE(destination)
{
    (void)field;
    struct shader_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    if (name.what == SHADER_IS_NOTHING)
        return isa_expected(scan, "a destination register");
    if (name.what != SHADER_IS_GPR && name.what != SHADER_IS_SPECIAL)
        return isa_fail(scan, name.start, name.span, MSG_A3XX_DESTINATION,
                        name.what == SHADER_IS_RELATIVE ? "only mov and cov have relative destinations" : NULL,
                        a3xx_what_text(name.what), -1, NULL);
    if (name.what == SHADER_IS_SPECIAL && name.half)
        return shader_wrong_width(scan, name, false, MSG_A3XX_WIDTH);
    build->parse_state |= name.what == SHADER_IS_SPECIAL ? A3XX_PARSED_SPECIAL_RESULT
                          : name.half                    ? A3XX_PARSED_HALF_RESULT
                                                         : 0;
    build->bits |= A3XX_PLACE(RESULT, (unsigned)name.number);
    return true;
}

A3XX_READ(destination)
{
    struct shader_name name;
    const char *behind = shader_read_name(at, scan->end, &name);
    if (!behind || name.what == SHADER_IS_CONST || (name.what == SHADER_IS_SPECIAL && name.half))
        return isa_read_by(a3xx_parse_destination, at, scan, build, field);
    build->parse_state |= name.what == SHADER_IS_SPECIAL ? A3XX_PARSED_SPECIAL_RESULT
                          : name.half                    ? A3XX_PARSED_HALF_RESULT
                                                         : 0;
    build->bits |= A3XX_PLACE(RESULT, (unsigned)name.number);
    return behind;
}

/* --- sources of category 2 and 4 ---------------------------------------------------------------------------------- */

static char *put_source(char *at, const struct gpucode_insn *insn, unsigned shift, unsigned repeat,
                        const struct gpucode_format_options *options)
{
    unsigned source = a3xx_bits(insn->bits, shift, A3XX_FIRST_WIDTH);
    bool half = half_sources(insn->bits);
    unsigned modifiers = a3xx_modifiers_of(source) | (insn->bits >> repeat & 1 ? A3XX_REPEATED : 0);
    if (modifiers)
        at = a3xx_put_modifiers(at, modifiers);
    switch (a3xx_form(source)) {
    case A3XX_FORM_GPR:
        if (a3xx_is_special(source & A3XX_SOURCE_REGISTER))
            half = half && marks_half(insn);
        return shader_put_register(at, source & A3XX_SOURCE_REGISTER, half);
    case A3XX_FORM_RELATIVE:
        return a3xx_put_relative(at, source & A3XX_SOURCE_OF_CONSTS ? 'c' : 'r', a3xx_source_offset(source), half);
    case A3XX_FORM_CONST:
    case A3XX_FORM_CONST_TOO:
        return shader_put_place(at, 'c', source & A3XX_SOURCE_NUMBER, half);
    case A3XX_FORM_INTEGER:
        if (half && (options->style == A3XX_MESA || marks_half(insn))) {
            at = text_signed(TEXT_LITERAL(at, "h("), a3xx_source_integer(source));
            *at++ = ')';
            return at;
        }
        return text_signed(at, a3xx_source_integer(source));
    default:
        if (source & A3XX_SOURCE_HALF_FLOAT)
            *at++ = 'h';
        *at++ = '(';
        at = text_short(at, shader_entry_text(source & A3XX_SOURCE_OFFSET));
        *at++ = ')';
        return at;
    }
}

static bool take_const(struct isa_scan *scan, struct isa_build *build, struct shader_name name)
{
    if (shader_category(build->bits) == 4)
        return a3xx_refuse_operand(scan, name, a3xx_what_text(name.what), a3xx_move_first);
    if (build->parse_state & A3XX_PARSED_CONST)
        return isa_fail(scan, name.start, name.span, MSG_A3XX_TWO_CONSTS, a3xx_move_first, NULL, 0, NULL);
    build->parse_state |= A3XX_PARSED_CONST;
    return true;
}

/* A number where floats stand: `0.5` is told to be "(0.5)". */
static bool float_wanted(struct isa_scan *scan, const char *start, size_t span)
{
    span = shader_float_span(scan, start, span);
    const char *digits = start + (*start == '-');
    bool hex = span > (size_t)(digits - start) + 1 && (digits[1] | 32) == 'x';
    if (span < 16 && *digits >= '0' && *digits <= '9' && !hex)
        snprintf(scan->hint, sizeof scan->hint, "write it in parentheses: (%.*s%s)", (int)span, start,
                 memchr(start, '.', span) ? "" : ".0");
    else
        snprintf(scan->hint, sizeof scan->hint,
                 "write (0.0), (0.5), (1.0), (2.0), (4.0), (e), (pi), (1/pi), (log2(e)), ...");
    return isa_fail(scan, start, span, MSG_A3XX_FLOAT_WANTED, scan->hint, start, (int)span, NULL);
}

/* "5", "h(5)", "(1.0)", "h(1.0)" */
static bool take_immediate(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field,
                           unsigned shift, unsigned modifiers)
{
    struct shader_name place = {.start = scan->at, .span = 1};
    unsigned category = shader_category(build->bits);
    bool floats = a3xx_takes_floats(build->row->marks);
    struct a3xx_float value;
    bool taken = a3xx_take_float(scan, false, &value);
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
        return a3xx_refuse_operand(scan, place, "an immediate", a3xx_move_first);
    if (build->parse_state & A3XX_PARSED_IMMEDIATE)
        return isa_fail(scan, place.start, place.span, MSG_A3XX_TWO_IMMEDIATES, a3xx_move_first, NULL, 0, NULL);
    build->parse_state |= A3XX_PARSED_IMMEDIATE;
    if (place.half && !note_width(scan, build, place))
        return false;
    if (taken) {
        if (!floats)
            return isa_fail(scan, place.start, place.span, MSG_A3XX_INTEGER_WANTED, NULL, place.start, (int)place.span,
                            NULL);
        int index = shader_entry_index(value.bits);
        if (index < 0)
            return isa_fail(scan, place.start, place.span, MSG_A3XX_FLOAT_TABLE,
                            "0.0 0.5 1.0 2.0 4.0 e pi 1/pi log2(e) 1/log2(e) log2(10) 1/log2(10)", place.start,
                            (int)place.span, NULL);
        build->bits |= (uint64_t)(a3xx_source(A3XX_FORM_FLOAT, (unsigned)index) | modifiers) << shift;
        return true;
    }
    if (floats)
        return float_wanted(scan, place.start, place.span);
    build->bits |= (uint64_t)(a3xx_source(A3XX_FORM_INTEGER, 0) | modifiers) << shift;
    if (!shader_is_known(scan, &integer))
        return false;
    if (integer.constant < A3XX_SOURCE_INTEGER_MIN || integer.constant > A3XX_SOURCE_INTEGER_MAX)
        return isa_out_of_range(scan, field, integer.start, integer.length, integer.constant);
    build->bits |= ((uint64_t)integer.constant & A3XX_SOURCE_NUMBER) << shift;
    return true;
}

/* A register or const, plain or relative, as the source at `shift`. */
static bool take_named(struct isa_scan *scan, struct isa_build *build, struct shader_name name, unsigned shift,
                       unsigned modifiers)
{
    bool relative = name.what == SHADER_IS_RELATIVE || name.what == SHADER_IS_RELATIVE_CONST;
    bool is_const = name.what == SHADER_IS_CONST || name.what == SHADER_IS_RELATIVE_CONST;
    unsigned source = (unsigned)name.number;
    if (is_const && !take_const(scan, build, name))
        return false;
    if ((name.what != SHADER_IS_SPECIAL || name.half) && !note_width(scan, build, name))
        return false;
    if (relative) {
        if (!a3xx_take_offset(scan, name, &source))
            return false;
        source = a3xx_source(A3XX_FORM_RELATIVE, source) | (is_const ? A3XX_SOURCE_OF_CONSTS : 0);
    } else if (is_const) {
        source = a3xx_source(A3XX_FORM_CONST, source);
    }
    build->bits |= (uint64_t)(source | modifiers) << shift;
    return true;
}

static bool parse_source(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, unsigned shift,
                         unsigned repeat)
{
    unsigned modifiers;
    struct shader_name name;
    if (!a3xx_take_modifiers(scan, build->row, &modifiers) || !a3xx_take_any_name(scan, &name))
        return false;
    if (modifiers & A3XX_REPEATED)
        build->bits |= UINT64_C(1) << repeat;
    modifiers = (modifiers & (A3XX_NEG | A3XX_ABS)) << A3XX_SOURCE_MODIFIERS_SHIFT;
    return name.what == SHADER_IS_NOTHING ? take_immediate(scan, build, field, shift, modifiers)
                                          : take_named(scan, build, name, shift, modifiers);
}

/* A whole number where category 2 may have one; null: look closer. */
static const char *read_integer(const char *at, const struct isa_scan *scan, struct isa_build *build, unsigned shift)
{
    unsigned number;
    const char *behind = isa_read_small(at, scan->end, &number);
    if (!behind || shader_category(build->bits) == 4 || a3xx_takes_floats(build->row->marks) ||
        build->parse_state & A3XX_PARSED_IMMEDIATE)
        return NULL;
    build->parse_state |= A3XX_PARSED_IMMEDIATE;
    build->bits |= (uint64_t)a3xx_source(A3XX_FORM_INTEGER, number) << shift;
    return behind;
}

/* A register, const or whole number; null: look closer. */
static inline const char *read_unmodified(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                          unsigned shift)
{
    struct shader_name name;
    const char *behind = shader_read_name(at, scan->end, &name);
    if (!behind)
        return read_integer(at, scan, build, shift);
    unsigned source = (unsigned)name.number, state = build->parse_state;
    const unsigned shown = A3XX_PARSED_WIDTH | (name.half ? A3XX_PARSED_HALF : 0);
    if (name.what == SHADER_IS_CONST) {
        if (state & A3XX_PARSED_CONST || shader_category(build->bits) == 4)
            return NULL;
        state |= A3XX_PARSED_CONST;
        source = a3xx_source(A3XX_FORM_CONST, source);
    } else if (name.what != SHADER_IS_GPR) {
        return NULL;
    }
    if (((state ^ shown) & (A3XX_PARSED_WIDTH | A3XX_PARSED_HALF)) == A3XX_PARSED_HALF) /* another width was shown */
        return NULL;
    build->parse_state = state | shown;
    build->bits |= (uint64_t)source << shift;
    return behind;
}

/* The same after modifiers. */
static __attribute__((noinline)) const char *read_modified(const char *at, const struct isa_scan *scan,
                                                           struct isa_build *build, unsigned shift, unsigned repeat)
{
    unsigned modifiers;
    at = a3xx_read_modifiers(at, scan->end, build->row, &modifiers);
    const char *behind = at ? read_unmodified(at, scan, build, shift) : NULL;
    if (!behind)
        return NULL;
    build->bits |= modifiers & A3XX_REPEATED ? UINT64_C(1) << repeat : 0;
    build->bits |= (uint64_t)(modifiers & (A3XX_NEG | A3XX_ABS)) << A3XX_SOURCE_MODIFIERS_SHIFT << shift;
    return behind;
}

static inline const char *read_source(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                      unsigned shift, unsigned repeat)
{
    return at < scan->end && *at == '(' ? read_modified(at, scan, build, shift, repeat)
                                        : read_unmodified(at, scan, build, shift);
}

#define SOURCE(kind, shift, steps_shift)                                                                               \
    A3XX_PRINT(kind)                                                                                                   \
    {                                                                                                                  \
        (void)field;                                                                                                   \
        return put_source(at, insn, shift, steps_shift, options);                                                      \
    }                                                                                                                  \
    A3XX_PARSE(kind)                                                                                                   \
    {                                                                                                                  \
        return parse_source(scan, build, field, shift, steps_shift);                                                   \
    }                                                                                                                  \
    A3XX_READ(kind)                                                                                                    \
    {                                                                                                                  \
        const char *after = read_source(at, scan, build, shift, steps_shift);                                          \
        return after ? after : isa_read_by(a3xx_parse_##kind, at, scan, build, field);                                 \
    }
SOURCE(first, A3XX_FIRST_SHIFT, A3XX_FIRST_STEPS_SHIFT)
SOURCE(second, A3XX_SECOND_SHIFT, A3XX_SECOND_STEPS_SHIFT)

/* --- conditions, (ei), the later names of mul ----------------------------------------------------------------- */

static const char conditions[8][3] = {"lt", "le", "gt", "ge", "eq", "ne", "?", "?"};

A3XX_PRINT(condition)
{
    (void)options;
    *at++ = '.';
    return text_short(at, conditions[isa_field_get(field, insn->bits)]);
}

A3XX_PARSE(condition)
{
    const char *at = scan->at;
    if (scan->end - at >= 3 && *at == '.' && (scan->end - at == 3 || !isa_name_byte(at[3])))
        for (unsigned i = 0; i < A3XX_CONDITION_COUNT; i++)
            if (memcmp(at + 1, conditions[i], 2) == 0) {
                build->bits = isa_field_set(field, build->bits, i);
                scan->at += 3;
                return true;
            }
    return shader_expected_here(scan, "a condition: .lt .le .gt .ge .eq or .ne");
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

/* Sources of category 3. */

/* Where a source of category 3 and its modifiers lie. */
struct mad_source {
    uint8_t shift, neg, repeat;
};
static const struct mad_source mad_first = {A3XX_MAD_FIRST_SHIFT, A3XX_MAD_FIRST_NEG_SHIFT, A3XX_FIRST_STEPS_SHIFT};
static const struct mad_source mad_second = {A3XX_MAD_SECOND_SHIFT, A3XX_MAD_SECOND_NEG_SHIFT,
                                             A3XX_MAD_SECOND_STEPS_SHIFT};
static const struct mad_source mad_third = {A3XX_MAD_THIRD_SHIFT, A3XX_MAD_THIRD_NEG_SHIFT, A3XX_MAD_THIRD_STEPS_SHIFT};

static char *put_mad_modifiers(char *at, uint64_t bits, const struct mad_source *where)
{
    unsigned neg = bits >> where->neg & 1 ? A3XX_NEG : 0, repeated = bits >> where->repeat & 1 ? A3XX_REPEATED : 0;
    return a3xx_put_modifiers(at, neg | repeated);
}

static char *put_mad_source(char *at, const struct gpucode_insn *insn, const struct mad_source *where)
{
    uint64_t bits = insn->bits;
    unsigned source = a3xx_bits(bits, where->shift, A3XX_MAD_FIRST_WIDTH);
    bool half = a3xx_marks(insn->row) & SHADER_MARK_HALF;
    unsigned number = source & A3XX_SOURCE_REGISTER;
    at = put_mad_modifiers(at, bits, where);
    switch (a3xx_form(source)) {
    case A3XX_FORM_GPR:
        return shader_put_register(at, number, half && !a3xx_is_special(number));
    case A3XX_FORM_RELATIVE:
        return a3xx_put_relative(at, source & A3XX_SOURCE_OF_CONSTS ? 'c' : 'r', a3xx_source_offset(source), half);
    default:
        return shader_put_place(at, 'c', source & A3XX_SOURCE_NUMBER, half);
    }
}

/* Nothing that names a register or const stands at the cursor. */
static bool refuse_other(struct isa_scan *scan)
{
    const char *at = scan->at;
    size_t span = 0;
    while (at + span < scan->end && at[span] != ',' && at[span] != '\n' && at[span] != ';' && at[span] != ' ')
        span++;
    bool number = span && ((*at >= '0' && *at <= '9') || *at == '-' || *at == '(' || *at == 'h');
    return number ? isa_fail(scan, at, span, MSG_A3XX_OPERAND, a3xx_move_first, "an immediate", -1, NULL)
                  : isa_expected(scan, "a source");
}

/* A source; `plain`: a register only. */
static bool parse_mad_source(struct isa_scan *scan, struct isa_build *build, const struct mad_source *where, bool plain)
{
    unsigned modifiers;
    struct shader_name name;
    if (!a3xx_take_modifiers(scan, build->row, &modifiers) || !a3xx_take_any_name(scan, &name))
        return false;
    build->bits |= modifiers & A3XX_NEG ? UINT64_C(1) << where->neg : 0;
    build->bits |= modifiers & A3XX_REPEATED ? UINT64_C(1) << where->repeat : 0;
    if (name.what == SHADER_IS_NOTHING)
        return refuse_other(scan);
    bool half = build->row->marks & SHADER_MARK_HALF;
    if (plain && name.what != SHADER_IS_GPR && name.what != SHADER_IS_SPECIAL)
        return a3xx_refuse_operand(
            scan, name, a3xx_what_text(name.what),
            "the second source of category 3 is a register; move it to one, or exchange the factors");
    if (name.half != (half && name.what != SHADER_IS_SPECIAL))
        return shader_wrong_width(scan, name, half && name.what != SHADER_IS_SPECIAL, MSG_A3XX_WIDTH);
    unsigned source = (unsigned)name.number, offset = 0;
    if (name.what == SHADER_IS_CONST)
        source = a3xx_source(A3XX_FORM_CONST, source);
    if (name.what == SHADER_IS_RELATIVE_CONST || name.what == SHADER_IS_RELATIVE) {
        if (!a3xx_take_offset(scan, name, &offset))
            return false;
        source = a3xx_source(A3XX_FORM_RELATIVE, offset);
        source |= name.what == SHADER_IS_RELATIVE_CONST ? A3XX_SOURCE_OF_CONSTS : 0;
    }
    build->bits |= (uint64_t)source << where->shift;
    return true;
}

/* A register, or a const where it need not be `plain`; null: look closer. */
static inline const char *read_mad_source(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                          const struct mad_source *where, bool plain)
{
    struct shader_name name;
    unsigned modifiers = 0;
    if (at < scan->end && *at == '(' && !(at = a3xx_read_modifiers(at, scan->end, build->row, &modifiers)))
        return NULL;
    const char *behind = shader_read_name(at, scan->end, &name);
    if (!behind || name.half != ((build->row->marks & SHADER_MARK_HALF) != 0))
        return NULL;
    unsigned source = (unsigned)name.number;
    if (name.what == SHADER_IS_CONST && !plain)
        source = a3xx_source(A3XX_FORM_CONST, source);
    else if (name.what != SHADER_IS_GPR)
        return NULL;
    if (modifiers)
        build->bits |= (uint64_t)((modifiers & A3XX_NEG) != 0) << where->neg |
                       (uint64_t)((modifiers & A3XX_REPEATED) != 0) << where->repeat;
    build->bits |= (uint64_t)source << where->shift;
    return behind;
}

A3XX_PRINT(mad_first)
{
    (void)field;
    (void)options;
    return put_mad_source(at, insn, &mad_first);
}

A3XX_PARSE(mad_first)
{
    (void)field;
    return parse_mad_source(scan, build, &mad_first, false);
}

A3XX_READ(mad_first)
{
    const char *behind = read_mad_source(at, scan, build, &mad_first, false);
    return behind ? behind : isa_read_by(a3xx_parse_mad_first, at, scan, build, field);
}

A3XX_PRINT(mad_second)
{
    (void)field;
    (void)options;
    uint64_t bits = insn->bits;
    unsigned number = A3XX_FIELD(bits, MAD_SECOND);
    at = put_mad_modifiers(at, bits, &mad_second);
    return shader_put_register(at, number, a3xx_marks(insn->row) & SHADER_MARK_HALF && !a3xx_is_special(number));
}

A3XX_PARSE(mad_second)
{
    (void)field;
    return parse_mad_source(scan, build, &mad_second, true);
}

A3XX_READ(mad_second)
{
    const char *behind = read_mad_source(at, scan, build, &mad_second, true);
    return behind ? behind : isa_read_by(a3xx_parse_mad_second, at, scan, build, field);
}

A3XX_PRINT(mad_third)
{
    (void)field;
    (void)options;
    return put_mad_source(at, insn, &mad_third);
}

A3XX_PARSE(mad_third)
{
    (void)field;
    return parse_mad_source(scan, build, &mad_third, false);
}

A3XX_READ(mad_third)
{
    const char *behind = read_mad_source(at, scan, build, &mad_third, false);
    return behind ? behind : isa_read_by(a3xx_parse_mad_third, at, scan, build, field);
}
