/* SPDX-License-Identifier: MIT */
/* Numbers, types and suffixes that several categories have, and the operands of categories 0 and 7. */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"

#include "base/text.h"

#include <stdio.h>

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static unsigned most(const struct isa_field *field)
{
    return (1u << field->width) - 1;
}

IR3_PRINT(number)
{
    (void)options;
    return text_decimal(at, ir3_low_first(field, insn->bits));
}

IR3_PARSE(number)
{
    int64_t value;
    if (!ir3_take_number(scan, 0, most(field), "number", &value))
        return false;
    build->bits = ir3_set_low_first(field, build->bits, (unsigned)value);
    return true;
}

IR3_PRINT(count)
{
    (void)options;
    return text_decimal(at, isa_field_get(field, insn->bits) + 1);
}

/* All digits at a place; a number that is too large for every field stays so. */
static const char *read_digits(const struct isa_scan *scan, const char *at, unsigned *value)
{
    for (*value = 0; at < scan->end && *at >= '0' && *at <= '9'; at++)
        *value = *value < 100000 ? *value * 10 + (unsigned)(*at - '0') : *value;
    return at;
}

/* Digits, since letters follow some of them: "1d". */
IR3_PARSE(count)
{
    isa_skip(scan);
    unsigned value;
    const char *start = scan->at, *at = read_digits(scan, start, &value);
    if (at == start)
        return isa_expected(scan, "a number");
    if (!value || value - 1 > most(field)) {
        snprintf(scan->hint, sizeof scan->hint, "it goes from 1 to %u", most(field) + 1);
        return isa_fail(scan, start, (size_t)(at - start), MSG_IR3_NUMBER, scan->hint, start, (int)(at - start), NULL);
    }
    scan->at = at;
    build->bits = isa_field_set(field, build->bits, value - 1);
    return true;
}

/* A bit that is always set in stores, as it seems; the text does not show it. */
IR3_PRINT(store)
{
    (void)insn;
    (void)field;
    (void)options;
    return at;
}

IR3_PARSE(store)
{
    (void)scan;
    (void)field;
    build->bits |= IR3_STORES;
    return true;
}

/* --- suffixes ----------------------------------------------------------------------------------------------------- */

/* ".w8": of movmsk 32 fibers and more, else a power of two */
IR3_PRINT(fibers)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    at = TEXT_LITERAL(at, ".w");
    return text_decimal(at, shader_category(insn->bits) == 1 ? (value + 1) * 32 : 2u << value);
}

IR3_PARSE(fibers)
{
    const char *start = scan->at;
    unsigned value = 0, number;
    if (!ir3_take_here(scan, ".w"))
        return shader_expected_here(scan, "'.w' and a number of fibers");
    const char *at = read_digits(scan, scan->at, &number);
    bool mask = shader_category(build->bits) == 1;
    while (value < most(field) && number != (mask ? (value + 1) * 32 : 2u << value))
        value++;
    if (number != (mask ? (value + 1) * 32 : 2u << value))
        return isa_fail(scan, start, (size_t)(at - start), MSG_IR3_NUMBER,
                        mask ? "it is 32, 64, 96 or 128" : "it is a power of two from 2 on", start, (int)(at - start),
                        NULL);
    scan->at = at;
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

IR3_PRINT(uniform)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, ".u") : at;
}

IR3_PARSE(uniform)
{
    if (ir3_take_suffix(scan, ".u"))
        build->bits = isa_field_set(field, build->bits, 1);
    return true;
}

/* --- kinds of the family ------------------------------------------------------------------------------------------ */

shader_type_names ir3_type_names = {"f16", "f32", "u16", "u32", "s16", "s32", "u8", "u8_32"};
static const char ir3_type_wanted[] = "a type: f16 f32 u16 u32 s16 s32 u8 or u8_32";

#define PRINT(name) IR3_PRINT(name)
#define PARSE(name) IR3_PARSE(name)
#define READ(name) IR3_READ(name)
#define SET(name) ir3_##name
#define MESSAGES(name) MSG_IR3_##name
#define HAS_U64(row) ((row)->marks & IR3_MARK_ATOMIC)
#include "isa/ir3/text/kinds.inc"

/* --- category 0 --------------------------------------------------------------------------------------------------- */

IR3_PRINT(target)
{
    return shader_put_target(at, insn, (int32_t)isa_field_get(field, insn->bits), options);
}

IR3_PARSE(target)
{
    return shader_take_target(scan, build, field);
}

IR3_READ(target)
{
    const char *after = scan->listener ? NULL : isa_read_label(at, scan, build, field);
    return after ? after : isa_read_by(ir3_parse_target, at, scan, build, field);
}

/* --- category 7 --------------------------------------------------------------------------------------------------- */

static const char memory_letters[4][3] = {".w", ".r", ".l", ".g"}; /* by bit */

IR3_PRINT(memories)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    for (unsigned i = 4; i-- > 0;)
        if (value >> i & 1)
            at = text_put(at, memory_letters[i], 2);
    return at;
}

IR3_PARSE(memories)
{
    unsigned value = 0;
    for (unsigned i = 0; i < 4; i++)
        if (!(value >> i & 1) && ir3_take_suffix(scan, memory_letters[i])) {
            value |= 1u << i;
            i = ~0u; /* from the first again: in any order */
        }
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

/* Words of which an instruction has one, by row. */
static const struct variants {
    uint16_t row; /* the first of those that have them: the rows up to the next ones here */
    char text[8][7];
} variants[] = {
    {IR3_SHFL, {".0", ".xor", ".up", ".down", ".4", ".5", ".rup", ".rdown"}},
    {IR3_SLEEP, {".s", ".l"}},
    {IR3_DCCLN, {".shr", ".all"}},
};

static const struct variants *variants_of(const struct isa_row *row)
{
    unsigned i = sizeof variants / sizeof *variants - 1;
    while (i && row < &ir3_rows.rows[variants[i].row])
        i--;
    return &variants[i];
}

IR3_PRINT(variant)
{
    (void)options;
    return text_string(at, variants_of(ir3_row(insn))->text[isa_field_get(field, insn->bits)]);
}

IR3_PARSE(variant)
{
    const struct variants *list = variants_of(build->row);
    char wanted[80];
    size_t used = 0;
    for (unsigned value = 0; value < 8 && list->text[value][0]; value++) {
        if (ir3_take_suffix(scan, list->text[value])) {
            build->bits = isa_field_set(field, build->bits, value);
            return true;
        }
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%s", value ? " or " : "", list->text[value]);
    }
    return shader_expected_here(scan, wanted);
}

/* --- alias
 * ------------------------------------------------------------------------------------------------------------ */

static const char *const scopes[] = {"tex", "rt", "mem", "mem"};

/* Scope, type, size and how many follow: "rt.f16.0". The field: size, high bit of the scope, type, low bit, number. */
IR3_PRINT(alias_table)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    at = text_string(at, scopes[(value >> 6 & 1) << 1 | (value >> 4 & 1)]);
    at = text_string(at, value >> 5 & 1 ? ".b" : ".f");
    at = text_string(at, value >> 7 & 1 ? "32." : "16.");
    return text_decimal(at, value & 15);
}

IR3_PARSE(alias_table)
{
    unsigned scope = 0, value = 0;
    while (scope < 3 && !ir3_take_here(scan, scopes[scope]))
        scope++;
    if (scope == 3)
        return shader_expected_here(scan, "tex, rt or mem");
    if (ir3_take_here(scan, ".b"))
        value |= 1u << 5;
    else if (!ir3_take_here(scan, ".f"))
        return shader_expected_here(scan, "'.f' or '.b'");
    if (ir3_take_here(scan, "32."))
        value |= 1u << 7;
    else if (!ir3_take_here(scan, "16."))
        return shader_expected_here(scan, "'16.' or '32.'");
    const char *start = scan->at;
    unsigned number;
    scan->at = read_digits(scan, start, &number);
    if (scan->at == start)
        return shader_expected_here(scan, "a number from 0 to 15");
    if (number > 15)
        return isa_fail(scan, start, (size_t)(scan->at - start), MSG_IR3_NUMBER, "it goes from 0 to 15", start,
                        (int)(scan->at - start), NULL);
    value |= (scope >> 1) << 6 | (scope & 1) << 4 | number;
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

static bool is_render_target(uint64_t bits)
{
    return (bits & (IR3_BIT(49) | IR3_BIT(47))) == IR3_BIT(47);
}
static bool is_half_alias(uint64_t bits)
{
    return !(bits & IR3_BIT(50));
}

IR3_PRINT(alias_place)
{
    (void)options;
    unsigned number = (unsigned)isa_field_get(field, insn->bits);
    if (is_render_target(insn->bits)) {
        *at++ = 'r';
        return shader_put_place(at, 't', number & 31, false);
    }
    return shader_put_register(at, number, is_half_alias(insn->bits));
}

IR3_PARSE(alias_place)
{
    isa_skip(scan);
    const char *start = scan->at;
    unsigned number;
    if (!is_render_target(build->bits)) {
        if (!ir3_take_register_of(scan, is_half_alias(build->bits), &number))
            return false;
    } else {
        if (scan->end - start < 5 || memcmp(start, "rt", 2) != 0 || start[2] < '0' || start[2] > '7' ||
            start[3] != '.' || !memchr("xyzw", start[4], 4))
            return isa_expected(scan, "a component of a render target, rt0.x to rt7.w");
        number = (unsigned)(start[2] - '0') * 4 + (start[4] == 'w' ? 3 : (unsigned)(start[4] - 'x'));
        scan->at += 5;
    }
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

IR3_PRINT(alias_source)
{
    (void)options;
    (void)field;
    bool half = is_half_alias(insn->bits);
    unsigned kind = ir3_bits(insn->bits, 52, 51);
    if (kind == 0)
        return shader_put_register(at, insn->bits & 0xff, half);
    if (kind == 1)
        return shader_put_place(at, 'c', insn->bits & 0x7ff, half);
    uint32_t value = (uint32_t)insn->bits & (half ? 0xffff : 0xffffffff);
    *at = 'h';
    at += half;
    *at++ = '(';
    if (insn->bits & IR3_BIT(48))
        at = text_hex(TEXT_LITERAL(at, "0x"), value);
    else
        at = ir3_put_float(at, value, half);
    *at++ = ')';
    return at;
}

/* "(0x5)", "(1.0)", h in front of half ones */
static bool parse_alias_value(struct isa_scan *scan, struct isa_build *build)
{
    bool half = is_half_alias(build->bits), whole = build->bits & IR3_BIT(48);
    const char *start = scan->at, *text;
    size_t length;
    uint32_t bits;
    scan->at += scan->at < scan->end && *scan->at == 'h';
    const char *open = scan->at;
    if (!ir3_take_parentheses(scan, &text, &length)) {
        scan->at = start;
        return isa_expected(scan, "a register, a const or a value in parentheses");
    }
    if (whole || memchr(text, 'x', length)) {
        int64_t value;
        scan->at = open + 1;
        if (!ir3_take_number(scan, half ? INT16_MIN : INT32_MIN, half ? UINT16_MAX : UINT32_MAX, "value", &value))
            return false;
        if (!isa_take(scan, ")"))
            return isa_expected(scan, "')'");
        bits = (uint32_t)value & (half ? 0xffff : 0xffffffff);
    } else if (!ir3_read_float(text, length, half, &bits)) {
        return isa_fail(scan, text, length ? length : 1, MSG_IR3_FLOAT, NULL, text, (int)length, NULL);
    }
    build->bits |= UINT64_C(2) << 51 | bits;
    return true;
}

IR3_PARSE(alias_source)
{
    (void)field;
    struct shader_name name;
    if (!ir3_take_name(scan, &name))
        return false;
    if (name.what == SHADER_IS_NOTHING)
        return parse_alias_value(scan, build);
    if (name.what > SHADER_IS_CONST) {
        return isa_fail(scan, name.start, name.span, MSG_IR3_OPERAND, NULL, name.start, (int)name.span, NULL);
    }
    if (name.half != is_half_alias(build->bits))
        return shader_wrong_width(scan, name, !name.half, MSG_IR3_WIDTH);
    build->bits |= (name.what == SHADER_IS_CONST ? UINT64_C(1) << 51 : 0) | (unsigned)name.number;
    return true;
}
