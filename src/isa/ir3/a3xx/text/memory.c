/* SPDX-License-Identifier: MIT */
/* Operands of category 6: memory. */
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

/* --- registers ---------------------------------------------------------------------------------------------------- */

static bool half_data(uint64_t bits)
{
    return a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, MEMORY_TYPE));
}

static bool parse_register(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, bool half)
{
    unsigned number;
    if (!a3xx_take_gpr(scan, half, "a register", &number))
        return false;
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

A3XX_PRINT(data)
{
    (void)options;
    return shader_put_register(at, (unsigned)isa_field_get(field, insn->bits), half_data(insn->bits));
}

A3XX_PARSE(data)
{
    return parse_register(scan, build, field, half_data(build->bits));
}

A3XX_PRINT(address)
{
    (void)options;
    return shader_put_register(at, (unsigned)isa_field_get(field, insn->bits), false);
}

A3XX_PARSE(address)
{
    return parse_register(scan, build, field, false);
}

A3XX_PRINT(half_address)
{
    (void)options;
    return shader_put_register(at, (unsigned)isa_field_get(field, insn->bits), true);
}

A3XX_PARSE(half_address)
{
    return parse_register(scan, build, field, true);
}

/* Old texts have no space after the first operand. */
A3XX_PRINT(comma)
{
    (void)insn;
    (void)field;
    *at++ = ',';
    if (options->style == A3XX_MESA)
        *at++ = ' ';
    return at;
}

A3XX_PARSE(comma)
{
    (void)build;
    (void)field;
    return a3xx_take_mark(scan, ',') || isa_expected(scan, "','");
}

/* --- offsets ------------------------------------------------------------------------------------------------------ */

static char *put_offset(char *at, int offset)
{
    if (offset > 0)
        *at++ = '+';
    return offset ? text_signed(at, offset) : at;
}

/* "+16", "-4" or nothing. */
static bool parse_offset(struct isa_scan *scan, const struct isa_field *field, int low, int high, int *offset)
{
    *offset = 0;
    isa_skip(scan);
    const char *start = scan->at;
    if (start >= scan->end || (*start != '+' && *start != '-'))
        return true;
    struct isa_value value;
    if (!isa_expression(scan, &value) || !shader_is_known(scan, &value))
        return false;
    if (value.constant < low || value.constant > high)
        return isa_out_of_range(scan, field, start, (size_t)(scan->at - start), value.constant);
    *offset = (int)value.constant;
    return true;
}

A3XX_PRINT(load_offset)
{
    (void)options;
    return put_offset(at, shader_signed((unsigned)isa_field_get(field, insn->bits), field->width));
}

A3XX_PARSE(load_offset)
{
    int offset;
    if (!parse_offset(scan, field, -4096, 4095, &offset))
        return false;
    build->bits = isa_field_set(field, build->bits, (unsigned)offset & 0x1fff);
    return true;
}

A3XX_PRINT(store_offset)
{
    (void)field;
    (void)options;
    return put_offset(at, a3xx_store_offset(insn->bits));
}

A3XX_PARSE(store_offset)
{
    int offset;
    if (!parse_offset(scan, field, -4096, 4095, &offset))
        return false;
    build->bits |= a3xx_place_store_offset((unsigned)offset);
    return true;
}

A3XX_PRINT(short_offset)
{
    (void)options;
    return put_offset(at, (int)isa_field_get(field, insn->bits));
}

A3XX_PARSE(short_offset)
{
    int offset;
    if (!parse_offset(scan, field, 0, 255, &offset))
        return false;
    build->bits = isa_field_set(field, build->bits, (unsigned)offset);
    return true;
}

void a3xx_range_signed(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = -4096;
    *high = 4095;
}

static bool parse_plain(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
{
    struct isa_value value;
    if (!isa_expression(scan, &value) || !shader_is_known(scan, &value))
        return false;
    return isa_store(scan, build, field, &value);
}

A3XX_PRINT(components)
{
    (void)options;
    return text_decimal(at, isa_field_get(field, insn->bits));
}

A3XX_PARSE(components)
{
    return parse_plain(scan, build, field);
}

/* --- atomics and resinfo ------------------------------------------------------------------------------------------ */

/* ".untyped.1d", or ".1d" where the field has no bit for it */
A3XX_PRINT(access)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    if (field->width == 3)
        at = value & 4 ? TEXT_LITERAL(at, ".typed") : TEXT_LITERAL(at, ".untyped");
    *at++ = '.';
    *at++ = (char)('1' + (value & 3));
    *at++ = 'd';
    return at;
}

A3XX_PARSE(access)
{
    unsigned value = 0;
    if (field->width == 3) {
        if (isa_take(scan, ".typed"))
            value = 4;
        else if (!isa_take(scan, ".untyped"))
            return isa_expected(scan, ".typed or .untyped");
    }
    const char *at = scan->at;
    if (scan->end - at < 3 || at[0] != '.' || at[1] < '1' || at[1] > '4' || at[2] != 'd')
        return shader_expected_here(scan, "dimensions: .1d .2d .3d or .4d");
    scan->at += 3;
    build->bits = isa_field_set(field, build->bits, value | (unsigned)(at[1] - '1'));
    return true;
}

A3XX_PRINT(access_components)
{
    (void)options;
    *at++ = '.';
    *at++ = (char)('1' + isa_field_get(field, insn->bits));
    return at;
}

A3XX_PARSE(access_components)
{
    const char *at = scan->at;
    if (scan->end - at < 2 || at[0] != '.' || at[1] < '1' || at[1] > '4')
        return shader_expected_here(scan, "components: .1 .2 .3 or .4");
    scan->at += 2;
    build->bits = isa_field_set(field, build->bits, (unsigned)(at[1] - '1'));
    return true;
}

/* A register, or a number when the bit at `flag` is set. */
static char *put_either(char *at, const struct gpucode_insn *insn, const struct isa_field *field, unsigned flag)
{
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    return insn->bits >> flag & 1 ? text_decimal(at, value) : shader_put_register(at, value, false);
}

static bool parse_either(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, unsigned flag)
{
    isa_skip(scan);
    if (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9') {
        build->bits |= UINT64_C(1) << flag;
        return parse_plain(scan, build, field);
    }
    return parse_register(scan, build, field, false);
}

/* A register, or the number that a bit says it is. */
#define EITHER(kind, shift)                                                                                            \
    A3XX_PRINT(kind)                                                                                                   \
    {                                                                                                                  \
        (void)options;                                                                                                 \
        return put_either(at, insn, field, shift);                                                                     \
    }                                                                                                                  \
    A3XX_PARSE(kind)                                                                                                   \
    {                                                                                                                  \
        return parse_either(scan, build, field, shift);                                                                \
    }
EITHER(slot, A3XX_SLOT_IS_NUMBER_SHIFT)
EITHER(atomic_first, A3XX_ATOMIC_FIRST_IS_NUMBER_SHIFT)
EITHER(atomic_second, A3XX_ATOMIC_SECOND_IS_NUMBER_SHIFT)
