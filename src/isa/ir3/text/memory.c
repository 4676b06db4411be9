/* SPDX-License-Identifier: MIT */
/* Operands of category 6. */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"

#include "base/text.h"

#include <stdio.h>

/* --- registers
 * -------------------------------------------------------------------------------------------------------- */

/* Of the data; in category 1 a result, both with the width that the type has. */
static bool half_of_type(uint64_t bits)
{
    return shader_category(bits) == 1 ? ir3_half_move(ir3_result_type(bits))
                                      : IR3_HALF_TYPES >> ir3_memory_type(bits) & 1;
}

IR3_PRINT(typed_register)
{
    (void)options;
    return shader_put_register(at, (unsigned)isa_field_get(field, insn->bits), half_of_type(insn->bits));
}

IR3_PARSE(typed_register)
{
    unsigned number;
    if (!ir3_take_register_of(scan, half_of_type(build->bits), &number))
        return false;
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

IR3_PRINT(plain_register)
{
    (void)options;
    return shader_put_register(at, (unsigned)isa_field_get(field, insn->bits), false);
}

/* The text shows no width; with a type of 16 bits an h may stand there. */
IR3_PARSE(plain_register)
{
    isa_skip(scan);
    struct shader_name name = {.start = scan->at};
    unsigned number;
    if (scan->at < scan->end && *scan->at == '(' &&
        (build->row == ir3_rows.rows + IR3_LDG_A7 || build->row == ir3_rows.rows + IR3_STG_A7))
        return isa_fail(scan, scan->at, 1, MSG_EXPECTED,
                        "registers are shifted on a6xx alone; here it is g[r1.x+r2.x+4]", "a register", -1, NULL);
    if (!ir3_take_register(scan, &number, &name.half))
        return false;
    name.span = (size_t)(scan->at - name.start);
    if (name.half && !half_of_type(build->bits))
        return shader_wrong_width(scan, name, false, MSG_IR3_WIDTH);
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

/* A register or, where there is a ninth bit after it, a const. */
IR3_PRINT(address)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    bool either = field->width > 8, is_const = either && value & 1;
    return shader_put_place(at, is_const ? 'c' : 'r', either ? value >> 1 : value, false);
}

IR3_PARSE(address)
{
    struct shader_name name;
    bool either = field->width > 8;
    if (!ir3_take_name(scan, &name))
        return false;
    if (name.what == SHADER_IS_NOTHING)
        return isa_expected(scan, either ? "a register or a const" : "a register");
    bool is_const = name.what == SHADER_IS_CONST;
    if (name.what > SHADER_IS_CONST || (is_const && !either))
        return isa_fail(scan, name.start, name.span, MSG_IR3_OPERAND, either ? NULL : "only a register can stand here",
                        name.start, (int)name.span, NULL);
    if (name.half)
        return shader_wrong_width(scan, name, false, MSG_IR3_WIDTH);
    if (name.number > 255)
        return isa_fail(scan, name.start, name.span, MSG_IR3_CONST, "it goes to c63.w here", name.start, (int)name.span,
                        NULL);
    build->bits =
        isa_field_set(field, build->bits, either ? (unsigned)name.number << 1 | is_const : (unsigned)name.number);
    return true;
}

/* --- registers or numbers
 * ------------------------------------------------------------------------------------------------ */

static char *put_either(char *at, unsigned value, bool is_number)
{
    return is_number ? text_decimal(at, value) : shader_put_place(at, 'r', value, false);
}

/* *is_number receives what it is. */
static bool take_either(struct isa_scan *scan, unsigned *value, bool *is_number)
{
    struct shader_name name;
    if (!ir3_take_name(scan, &name))
        return false;
    *is_number = name.what == SHADER_IS_NOTHING;
    if (*is_number) {
        int64_t number;
        if (!ir3_take_number(scan, 0, 255, "number", &number))
            return false;
        *value = (unsigned)number;
        return true;
    }
    if (name.what > SHADER_IS_SPECIAL)
        return isa_fail(scan, name.start, name.span, MSG_IR3_OPERAND, "a register or a number can stand here",
                        name.start, (int)name.span, NULL);
    *value = (unsigned)name.number;
    return !name.half || shader_wrong_width(scan, name, false, MSG_IR3_WIDTH);
}

/* The highest of nine bits says that it is a number. */
IR3_PRINT(high_source)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    return put_either(at, value & 0xff, value >> 8);
}

IR3_PARSE(high_source)
{
    unsigned value = 0;
    bool is_number = false;
    if (!take_either(scan, &value, &is_number))
        return false;
    build->bits = isa_field_set(field, build->bits, value | (is_number ? 256u : 0));
    return true;
}

/* The lowest one does. */
IR3_PRINT(low_source)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    return put_either(at, value >> 1, value & 1);
}

IR3_PARSE(low_source)
{
    unsigned value = 0;
    bool is_number = false;
    if (!take_either(scan, &value, &is_number))
        return false;
    build->bits = isa_field_set(field, build->bits, value << 1 | is_number);
    return true;
}

/* The mode says whether it is a number; it stands in front of it in the text. */
static bool is_direct(uint64_t bits)
{
    return !ir3_bits(bits, 7, 6);
}

IR3_PRINT(slot)
{
    (void)options;
    return put_either(at, (unsigned)isa_field_get(field, insn->bits), is_direct(insn->bits));
}

IR3_PARSE(slot)
{
    unsigned value = 0;
    bool is_number = false;
    isa_skip(scan);
    const char *start = scan->at;
    if (!take_either(scan, &value, &is_number))
        return false;
    if (is_number != is_direct(build->bits))
        return isa_fail(scan, start, (size_t)(scan->at - start), MSG_IR3_SLOT, NULL,
                        is_number ? "a number" : "a register", -1, is_number ? ".uniform and .nonuniform" : ".imm");
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

/*
 * The offset of constants: a register or a number (the bit after it), then whether a register is full, which is of
 * meaning from a8xx on.
 */
IR3_PRINT(constants_offset)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    bool is_number = value >> 1 & 1, half = insn->target->generation >= IR3_A8XX && !(value & 1);
    return is_number ? text_decimal(at, value >> 2) : shader_put_place(at, 'r', value >> 2, half);
}

IR3_PARSE(constants_offset)
{
    struct shader_name name;
    bool newer = scan->target->generation >= IR3_A8XX;
    if (!ir3_take_name(scan, &name))
        return false;
    int64_t number = name.number;
    bool is_number = name.what == SHADER_IS_NOTHING;
    if (is_number && !ir3_take_number(scan, 0, 255, "offset", &number))
        return false;
    if (!is_number && name.what > SHADER_IS_SPECIAL)
        return isa_fail(scan, name.start, name.span, MSG_IR3_OPERAND, "a register or a number can stand here",
                        name.start, (int)name.span, NULL);
    if (name.half && !newer)
        return shader_wrong_width(scan, name, false, MSG_IR3_WIDTH);
    build->bits = isa_field_set(field, build->bits, (unsigned)number << 2 | is_number << 1 | (newer && !name.half));
    return true;
}

/* --- offsets
 * ------------------------------------------------------------------------------------------------------------ */

/* "+5", "-176", or nothing for 0 */
IR3_PRINT(signed_offset)
{
    (void)options;
    int offset = shader_signed(ir3_low_first(field, insn->bits), field->width);
    if (offset > 0)
        *at++ = '+';
    return offset ? text_signed(at, offset) : at;
}

IR3_PARSE(signed_offset)
{
    isa_skip(scan);
    if (scan->at == scan->end || (*scan->at != '+' && *scan->at != '-'))
        return true;
    const char *start = scan->at++;
    int64_t value, half = INT64_C(1) << (field->width - 1);
    if (!ir3_take_number(scan, -INT64_MAX, INT64_MAX, "offset", &value))
        return false;
    value = *start == '-' ? -value : value;
    if (!ir3_in_range(scan, start, value, -half, half - 1, "offset"))
        return false;
    build->bits = ir3_set_low_first(field, build->bits, (unsigned)value & ((1u << field->width) - 1));
    return true;
}

/* The low bits, whether there is an offset, the high bits. */
IR3_PRINT(element_offset)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits), offset = (value & 3) << 5 | value >> 3;
    if (offset)
        *at++ = '+';
    return offset ? text_decimal(at, offset) : at;
}

IR3_PARSE(element_offset)
{
    isa_skip(scan);
    if (scan->at == scan->end || *scan->at != '+')
        return true;
    scan->at++;
    int64_t value;
    if (!ir3_take_number(scan, 0, 127, "offset in elements", &value))
        return false;
    unsigned offset = (unsigned)value;
    build->bits = isa_field_set(field, build->bits, (offset & 31) << 3 | (offset != 0) << 2 | offset >> 5);
    return true;
}

/*
 * "+(((r2.x<<1)+3)<<2)": register, shift and offset stand in another order in loads and stores; the type says how far
 * the sum is shifted.
 */
struct shifted {
    unsigned number, shift, offset;
};

static unsigned type_shift(uint64_t bits)
{
    unsigned type = ir3_memory_type(bits);
    return type >= IR3_U8 ? 0 : IR3_HALF_TYPES >> type & 1 ? 1 : 2;
}

static bool is_store(const struct isa_row *row)
{
    return row == &ir3_rows.rows[IR3_STG_A6];
}

IR3_PRINT(shifted_address)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits), shift = type_shift(insn->bits);
    bool store = is_store(ir3_row(insn));
    struct shifted part = store ? (struct shifted){value >> 4, value >> 2 & 3, value & 3}
                                : (struct shifted){value & 0xff, value >> 10, value >> 8 & 3};
    bool whole = shift && part.offset, inner = whole && part.shift;
    *at++ = '+';
    if (shift)
        *at++ = '(';
    if (whole)
        *at++ = '(';
    if (inner)
        *at++ = '(';
    at = shader_put_register(at, part.number, false);
    if (inner)
        at = TEXT_LITERAL(text_decimal(TEXT_LITERAL(at, "<<"), part.shift), ")");
    if (part.offset)
        at = text_decimal(TEXT_LITERAL(at, "+"), part.offset);
    if (whole)
        *at++ = ')';
    return shift ? TEXT_LITERAL(text_decimal(TEXT_LITERAL(at, "<<"), whole ? shift : shift + part.shift), ")") : at;
}

static bool take_shift(struct isa_scan *scan, int64_t low, int64_t high, unsigned *shift)
{
    int64_t value;
    if (!isa_take(scan, "<<"))
        return isa_expected(scan, "'<<'");
    if (!ir3_take_number(scan, low, high, "shift", &value))
        return false;
    *shift = (unsigned)value;
    return isa_take(scan, ")") || isa_expected(scan, "')'");
}

static bool take_offset(struct isa_scan *scan, unsigned *offset)
{
    int64_t value = 0;
    if (isa_take(scan, "+") && !ir3_take_number(scan, 0, 3, "offset", &value))
        return false;
    *offset = (unsigned)value;
    return true;
}

static bool take_shifted(struct isa_scan *scan, unsigned shift, struct shifted *part)
{
    unsigned depth = 0, outer;
    bool half;
    while (depth < 3 && isa_take(scan, "("))
        depth++;
    if (depth > 0 && !shift)
        return isa_fail(scan, scan->at - 1, 1, MSG_IR3_OPERAND, "bytes are not shifted", "'('", -1, NULL);
    if (!depth && shift)
        return isa_fail(scan, scan->at, 1, MSG_EXPECTED, "from a7xx on it is g[r1.x+r2.x+4], on a6xx g[r1.x+(r2.x<<2)]",
                        "'(' and a shifted register", -1, NULL);
    if (!ir3_take_register(scan, &part->number, &half))
        return false;
    if (depth == 1) {
        if (!take_shift(scan, shift, shift + 3, &outer))
            return false;
        part->shift = outer - shift;
        return true;
    }
    if (depth == 3 && !take_shift(scan, 0, 3, &part->shift))
        return false;
    if (!take_offset(scan, &part->offset) || !depth)
        return !depth && scan->at != NULL;
    return (isa_take(scan, ")") || isa_expected(scan, "')'")) && take_shift(scan, shift, shift, &outer);
}

IR3_PARSE(shifted_address)
{
    struct shifted part = {0};
    if (!isa_take(scan, "+"))
        return isa_expected(scan, "'+' and a register");
    if (!take_shifted(scan, type_shift(build->bits), &part))
        return false;
    unsigned value = is_store(build->row) ? part.number << 4 | part.shift << 2 | part.offset
                                          : part.shift << 10 | part.offset << 8 | part.number;
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

/* --- consts
 * -------------------------------------------------------------------------------------------------------------- */

/* "32", "a1.x" or "a1.x+32" */
IR3_PRINT(const_place)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    if (!(value >> 8))
        return text_decimal(at, value);
    at = TEXT_LITERAL(at, "a1.x");
    return value & 0xff ? text_decimal(TEXT_LITERAL(at, "+"), value & 0xff) : at;
}

IR3_PARSE(const_place)
{
    int64_t value = 0;
    bool indirect = isa_take(scan, "a1.x");
    if ((!indirect || isa_take(scan, "+")) && !ir3_take_number(scan, 0, 255, "const", &value))
        return false;
    build->bits = isa_field_set(field, build->bits, (unsigned)value | (indirect ? 256u : 0));
    return true;
}

/* --- suffixes
 * -------------------------------------------------------------------------------------------------------------- */

IR3_PRINT(access)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, "typed") : TEXT_LITERAL(at, "untyped");
}

IR3_PARSE(access)
{
    isa_skip(scan);
    if (ir3_take_suffix(scan, "untyped"))
        return true;
    if (!ir3_take_suffix(scan, "typed"))
        return shader_expected_here(scan, "typed or untyped");
    build->bits = isa_field_set(field, build->bits, 1);
    return true;
}

static const char modes[4][12] = {".imm", ".uniform", ".nonuniform", ".3"};

IR3_PRINT(mode)
{
    (void)options;
    return text_string(at, modes[isa_field_get(field, insn->bits)]);
}

/* The blob's way of writing it has four more values for those with a base: ".mode4". */
IR3_PARSE(mode)
{
    unsigned mode = 0;
    if (scan->end - scan->at > 5 && memcmp(scan->at, ".mode", 5) == 0 && scan->at[5] >= '0' && scan->at[5] <= '7') {
        mode = (unsigned)(scan->at[5] - '0');
        build->bits |= mode >> 2 ? IR3_BIT(8) : 0;
        scan->at += 6;
    } else {
        while (mode < 4 && !ir3_take_suffix(scan, modes[mode]))
            mode++;
        if (mode == 4)
            return shader_expected_here(scan, "'.imm', '.uniform' or '.nonuniform'");
    }
    build->bits = isa_field_set(field, build->bits, mode & 3);
    return true;
}

/* Whether it is bindless, and the number of the base. */
IR3_PRINT(base)
{
    (void)options;
    unsigned value = (unsigned)isa_field_get(field, insn->bits);
    return value >> 3 ? text_decimal(TEXT_LITERAL(at, ".base"), value & 7) : at;
}

IR3_PARSE(base)
{
    const char *at = scan->at;
    if (scan->end - at < 6 || memcmp(at, ".base", 5) != 0)
        return true;
    if (at[5] < '0' || at[5] > '7')
        return shader_expected_here(scan, "'.base0' to '.base7'");
    scan->at += 6;
    build->bits = isa_field_set(field, build->bits, (unsigned)(at[5] - '0') | 8);
    return true;
}

IR3_PRINT(residency)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, ".rck") : at;
}

IR3_PARSE(residency)
{
    if (ir3_take_suffix(scan, ".rck"))
        build->bits = isa_field_set(field, build->bits, 1);
    return true;
}

/* ".offset2": the component of a vector of four */
IR3_PRINT(component)
{
    (void)options;
    return text_decimal(TEXT_LITERAL(at, ".offset"), isa_field_get(field, insn->bits));
}

IR3_PARSE(component)
{
    if (!ir3_take_here(scan, ".offset") || scan->at == scan->end || *scan->at < '0' || *scan->at > '3')
        return shader_expected_here(scan, "'.offset0' to '.offset3'");
    build->bits = isa_field_set(field, build->bits, (unsigned)(*scan->at++ - '0'));
    return true;
}
