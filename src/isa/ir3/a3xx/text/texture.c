/* SPDX-License-Identifier: MIT */
/* Operands of category 5: textures. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

/* --- .3d.a.o.p.s.s2en, in the order in which they are printed ---------------------------------------------------- */

static const struct {
    char text[7];
    uint8_t flag;
} suffixes[] = {{".3d", A3XX_TEXTURE_3D},       {".a", A3XX_TEXTURE_ARRAY},  {".o", A3XX_TEXTURE_OFFSET},
                {".p", A3XX_TEXTURE_PROJECTED}, {".s", A3XX_TEXTURE_SHADOW}, {".s2en", A3XX_TEXTURE_S2EN}};

A3XX_PRINT(texture_flags)
{
    (void)field;
    if (!(insn->bits & A3XX_MASK(TEXTURE_FLAGS)))
        return at;
    for (unsigned i = 0; i < 6; i++)
        if (a3xx_has_flag(insn->bits, suffixes[i].flag))
            at = text_short(at, suffixes[i].text);
    if (insn->bits & A3XX_S2EN && options->style == A3XX_MESA)
        at = TEXT_LITERAL(at, ".uniform");
    return at;
}

A3XX_PARSE(texture_flags)
{
    (void)field;
    while (scan->at < scan->end && *scan->at == '.') {
        size_t length = 1;
        while (scan->at + length < scan->end && isa_name_byte(scan->at[length]))
            length++;
        unsigned i = 0;
        while (i < 6 && (strlen(suffixes[i].text) != length || memcmp(scan->at, suffixes[i].text, length) != 0))
            i++;
        /* A3XX takes an index that differs between fibers; the word for it exists on later generations only */
        bool uniform = i == 6 && length == 8 && memcmp(scan->at, ".uniform", 8) == 0 && build->bits & A3XX_S2EN;
        if (i == 6 && !uniform)
            return shader_expected_here(scan, ".3d .a .o .p .s or .s2en");
        if (!uniform && a3xx_has_flag(build->bits, suffixes[i].flag))
            return isa_fail(scan, scan->at, length, MSG_A3XX_FLAG_TWICE, NULL, NULL, 0, NULL);
        if (!uniform)
            build->bits |= A3XX_PLACE(TEXTURE_FLAGS, suffixes[i].flag);
        scan->at += length;
    }
    return true;
}

/* --- (f32)(xyzw)r0.x ---------------------------------------------------------------------------------------------- */

static enum a3xx_type result_type(uint64_t bits)
{
    return (enum a3xx_type)A3XX_FIELD(bits, TEXTURE_TYPE);
}

A3XX_PRINT(masked_destination)
{
    (void)field;
    (void)options;
    unsigned mask = A3XX_FIELD(insn->bits, WRITE_MASK);
    *at++ = '(';
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            *at++ = "xyzw"[i];
    *at++ = ')';
    return shader_put_register(at, A3XX_FIELD(insn->bits, TEXTURE_RESULT), a3xx_is_half(result_type(insn->bits)));
}

A3XX_PRINT(texture_destination)
{
    *at++ = '(';
    at = text_short(at, a3xx_type_names[result_type(insn->bits)]);
    *at++ = ')';
    return a3xx_print_masked_destination(at, insn, field, options);
}

/* "(xz)": components in their order, each once. */
static bool parse_mask(struct isa_scan *scan, struct isa_build *build)
{
    static const char wanted[] = "components to write: (xyzw) or some of them, in this order";
    if (!a3xx_take_mark(scan, '('))
        return isa_expected(scan, wanted);
    unsigned next = 0;
    for (; scan->at < scan->end && *scan->at != ')'; scan->at++) {
        unsigned i = next;
        while (i < 4 && *scan->at != "xyzw"[i])
            i++;
        if (i == 4)
            return isa_expected(scan, wanted);
        build->bits |= A3XX_PLACE(WRITE_MASK, 1u << i);
        next = i + 1;
    }
    return a3xx_take_mark(scan, ')') || isa_expected(scan, "')'");
}

A3XX_PARSE(texture_destination)
{
    (void)field;
    isa_skip(scan);
    static const char wanted[] = "the type of the result, as (f32) or (u16)";
    if (scan->at >= scan->end || *scan->at != '(')
        return isa_expected(scan, wanted);
    scan->at++;
    const char *name = scan->at;
    int type = shader_take_type(scan, a3xx_type_names, false);
    if (type < 0 || (scan->at < scan->end && isa_name_byte(*scan->at))) {
        scan->at = name;
        return isa_expected(scan, wanted);
    }
    if (!a3xx_take_mark(scan, ')'))
        return isa_expected(scan, "')'");
    build->bits |= A3XX_PLACE(TEXTURE_TYPE, type);
    unsigned number;
    if (!parse_mask(scan, build) ||
        !a3xx_take_gpr(scan, a3xx_is_half((enum a3xx_type)type), "a destination register", &number))
        return false;
    build->bits |= A3XX_PLACE(TEXTURE_RESULT, number);
    return true;
}

/* The type is not written: f32 or f16 by the register. */
A3XX_PARSE(masked_destination)
{
    (void)field;
    if (!parse_mask(scan, build))
        return false;
    isa_skip(scan);
    bool half = scan->at < scan->end && *scan->at == 'h';
    unsigned number;
    if (!a3xx_take_gpr(scan, half, "a destination register", &number))
        return false;
    build->bits |= A3XX_PLACE(TEXTURE_RESULT, number) | A3XX_PLACE(TEXTURE_TYPE, half ? A3XX_F16 : A3XX_F32);
    return true;
}

/* --- sources -------------------------------------------------------------------------------------------------- */

static char *put_source(char *at, const struct gpucode_insn *insn, unsigned shift)
{
    return shader_put_register(at, a3xx_bits(insn->bits, shift, A3XX_COORDINATES_WIDTH),
                               !A3XX_FIELD(insn->bits, SOURCES_FULL));
}

/* All sources have one width; the first says which. */
static bool parse_source(struct isa_scan *scan, struct isa_build *build, unsigned shift)
{
    isa_skip(scan);
    bool half = build->parse_state & A3XX_PARSED_WIDTH ? (build->parse_state & A3XX_PARSED_HALF) != 0
                                                       : scan->at < scan->end && *scan->at == 'h';
    unsigned number;
    if (!a3xx_take_gpr(scan, half, "a source register", &number))
        return false;
    build->parse_state |= A3XX_PARSED_WIDTH | (half ? A3XX_PARSED_HALF : 0);
    build->bits |= (uint64_t)number << shift | A3XX_PLACE(SOURCES_FULL, !half);
    return true;
}

static bool parse_comma(struct isa_scan *scan)
{
    return a3xx_take_mark(scan, ',') || isa_expected(scan, "','");
}

A3XX_PRINT(coordinates)
{
    (void)field;
    (void)options;
    return put_source(at, insn, A3XX_COORDINATES_SHIFT);
}

A3XX_PARSE(coordinates)
{
    (void)field;
    return parse_source(scan, build, A3XX_COORDINATES_SHIFT);
}

A3XX_PRINT(parameters)
{
    (void)field;
    (void)options;
    return put_source(TEXT_LITERAL(at, ", "), insn, A3XX_PARAMETERS_SHIFT);
}

A3XX_PARSE(parameters)
{
    (void)field;
    return parse_comma(scan) && parse_source(scan, build, A3XX_PARAMETERS_SHIFT);
}

static bool has_offsets(uint64_t bits)
{
    return a3xx_has_flag(bits, A3XX_TEXTURE_OFFSET);
}

A3XX_PRINT(offsets)
{
    return has_offsets(insn->bits) ? a3xx_print_parameters(at, insn, field, options) : at;
}

A3XX_PARSE(offsets)
{
    return !has_offsets(build->bits) || a3xx_parse_parameters(scan, build, field);
}

/* --- s#0, t#1, or a register with both ---------------------------------------------------------------------------- */

static char *put_number(char *at, char letter, unsigned number)
{
    at = TEXT_LITERAL(at, ", ");
    *at++ = letter;
    *at++ = '#';
    return text_decimal(at, number);
}

/* The number after "s#" or "t#", and a comma in front of that. */
static bool parse_number(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field,
                         const char *mark)
{
    if (!parse_comma(scan))
        return false;
    isa_skip(scan);
    const char *start = scan->at;
    if (scan->end - start < 2 || memcmp(start, mark, 2) != 0)
        return isa_expected(scan, *mark == 's' ? "a sampler s#0 to s#15" : "a texture t#0 to t#127");
    scan->at += 2;
    return isa_take_number(scan, build, field, start);
}

/* The same of listings; null: look closer. */
static inline const char *read_number(const char *at, const struct isa_scan *scan, struct isa_build *build,
                                      const struct isa_field *field, const char mark[static 5])
{
    unsigned number;
    if (build->bits & A3XX_S2EN || scan->end - at < 4 || memcmp(at, mark, 4) != 0)
        return NULL;
    const char *behind = isa_read_small(at + 4, scan->end, &number);
    if (!behind || number >> field->width)
        return NULL;
    build->bits = isa_field_fill(field, build->bits, number);
    return behind;
}

/* "s#1" and "t#1", which the word has where S2EN does not put them into a register. */
#define NUMBERED(kind, letter)                                                                                         \
    A3XX_PRINT(kind)                                                                                                   \
    {                                                                                                                  \
        (void)options;                                                                                                 \
        return insn->bits & A3XX_S2EN ? at : put_number(at, *letter, (unsigned)isa_field_get(field, insn->bits));      \
    }                                                                                                                  \
    A3XX_PARSE(kind)                                                                                                   \
    {                                                                                                                  \
        return build->bits & A3XX_S2EN || parse_number(scan, build, field, letter "#");                                \
    }                                                                                                                  \
    A3XX_READ(kind)                                                                                                    \
    {                                                                                                                  \
        const char *after = read_number(at, scan, build, field, ", " letter "#");                                      \
        return after ? after : isa_read_by(a3xx_parse_##kind, at, scan, build, field);                                 \
    }
NUMBERED(sampler, "s")
NUMBERED(texture, "t")

A3XX_PRINT(texture_index)
{
    (void)field;
    (void)options;
    return insn->bits & A3XX_S2EN
               ? shader_put_register(TEXT_LITERAL(at, ", "), A3XX_FIELD(insn->bits, TEXTURE_INDEX), true)
               : at;
}

A3XX_PARSE(texture_index)
{
    (void)field;
    if (!(build->bits & A3XX_S2EN))
        return true;
    unsigned number;
    if (!parse_comma(scan) || !a3xx_take_gpr(scan, true, "a half register with sampler and texture", &number))
        return false;
    build->bits |= A3XX_PLACE(TEXTURE_INDEX, number);
    return true;
}
