/* SPDX-License-Identifier: MIT */
/* Sources of category 3. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/text/name.h"

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
