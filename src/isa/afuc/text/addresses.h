/* SPDX-License-Identifier: MIT */
/* Addresses in brackets: [$r + N], [$r + N]!, and bits after them that the text shows as numbers. */
#ifndef ISA_AFUC_TEXT_ADDRESSES_H
#define ISA_AFUC_TEXT_ADDRESSES_H

#include "isa/afuc/text/numbers.h"

/* With pre-increment the base is a step, not a register: it has no name. */
static INLINE char *put_register_name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                                      const struct gpucode_format_options *options, enum gpucode_space space, char mark)
{
    uint32_t number = (uint32_t)isa_field_get(field, insn->bits);
    if (insn->bits >> 14 & 1)
        return text_hex(TEXT_LITERAL(at, "0x"), number);
    char *end = options->names ? afuc_name(insn->target, options->names, space, number, at + 1)
                               : isa_name_of(insn->target->names, NULL, space, number, at + 1);
    if (end == at + 1)
        return text_hex_fixed(TEXT_LITERAL(at, "0x"), number, 3);
    *at = mark;
    return end;
}

PRINT(control)
{
    return put_register_name(at, insn, field, options, GPUCODE_SPACE_CONTROL, '@');
}

PRINT(sqe)
{
    return put_register_name(at, insn, field, options, GPUCODE_SPACE_SQE, '%');
}

PARSE(control)
{
    return parse_immediate(scan, build, field);
}

PARSE(sqe)
{
    return parse_immediate(scan, build, field);
}

/* The mark and a name in brackets, if the target has such registers; or any number. */
static INLINE const char *read_register_name(const char *at, struct isa_scan *scan, struct isa_build *build,
                                             const struct isa_field *field, enum gpucode_space space, char mark)
{
    const char *name = at + 1, *behind = name;
    if (at == scan->end || *at != mark)
        return read_immediate(at, scan, build, field);
    while (behind < scan->end && isa_name_byte(*behind))
        behind++;
    const struct isa_names *names = scan->target->names;
    uint32_t number;
    if (behind == scan->end || *behind != ']' || !names || !names->spaces[space] ||
        !isa_number_of(names, scan->names, space, name, (size_t)(behind - name), &number) || number >> field->width)
        return isa_read_by(parse_immediate, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, number);
    return behind;
}

READ(control)
{
    return read_register_name(at, scan, build, field, GPUCODE_SPACE_CONTROL, '@');
}

READ(sqe)
{
    return read_register_name(at, scan, build, field, GPUCODE_SPACE_SQE, '%');
}

PRINT(preincrement)
{
    (void)options;
    if (isa_field_get(field, insn->bits))
        *at++ = '!';
    return at;
}

/*
 * Also takes the flags operand of texts from before 2024: `, 0x8` puts 8 into bits 15:12 as it stands. After a '!' the
 * bit that this stands for is set whatever the flags say.
 */
PARSE(preincrement)
{
    const char *before = scan->at;
    const bool steps = isa_take(scan, "!");
    if (steps)
        before = scan->at;
    if (isa_take(scan, ",")) {
        uint64_t flags;
        isa_skip(scan);
        const char *start = scan->at;
        if (!isa_number(scan, &flags))
            return false;
        if (flags > 15)
            return isa_out_of_range(scan, field, start, (size_t)(scan->at - start), (int64_t)flags);
        build->bits = (build->bits & ~UINT64_C(0xf000)) | flags << 12;
        if (steps)
            build->bits = isa_field_set(field, build->bits, 1);
        int row = isa_row_of(scan->target, build->bits);
        const struct isa_row *became = row < 0 ? NULL : &afuc_rows.rows[row];
        if (flags && became != build->row)
            isa_note(scan, start, (size_t)(scan->at - start), MSG_AFUC_FLAGS,
                     became ? became->facts.mnemonic : "no instruction", NULL);
        return true;
    }
    if (steps)
        build->bits = isa_field_set(field, build->bits, 1);
    scan->at = before;
    return true;
}

READ(preincrement)
{
    return at < scan->end && *at == '\n' ? at : isa_read_by(parse_preincrement, at, scan, build, field);
}

/* ".fN": bits 15, 13 and 12 as they stand in a hexadecimal digit (bit 14 is the '!'). */
PRINT(unknown_bits)
{
    (void)options;
    uint64_t value = isa_field_get(field, insn->bits);
    return value ? text_hex(TEXT_LITERAL(at, ".f"), (value & 4) << 1 | (value & 3)) : at;
}

PARSE(unknown_bits)
{
    const char *start = scan->at;
    if (scan->at >= scan->end || *scan->at != '.')
        return true;
    int digit = scan->end - start >= 3 && start[1] == 'f' ? text_hex_digit(start[2]) : -1;
    if (digit < 0 || digit & 4 || (scan->end - start > 3 && isa_name_byte(start[3])))
        return isa_expected(scan, "'.fN' with N = bits 15, 13 and 12");
    uint64_t value = (unsigned)(digit & 8) >> 1 | (unsigned)(digit & 3);
    if (value >> field->width)
        return isa_expected(scan, "'.fN' with N = bits 13 and 12");
    scan->at += 3;
    build->bits = isa_field_set(field, build->bits, value);
    return true;
}

READ(unknown_bits)
{
    return at < scan->end && *at != '.' ? at : isa_read_by(parse_unknown_bits, at, scan, build, field);
}

/* Places that control goes to. */

static INLINE char *put_label(char *at, const struct gpucode_insn *insn, int64_t target, int64_t plain,
                              const char *prefix, const struct gpucode_format_options *options)
{
    *at++ = '#';
    if (target < 0)
        return text_signed(at, plain);
    if (options->label) {
        size_t length = options->label(options->user, insn, (uint64_t)target, at, GPUCODE_NAME_MAX);
        return length ? at + length : text_signed(at, plain);
    }
    return text_decimal(text_string(at, prefix), (uint64_t)target);
}

PRINT(branch)
{
    int64_t offset = (int16_t)isa_field_get(field, insn->bits);
    return put_label(at, insn, (int64_t)insn->address + offset, offset, "l", options);
}

PRINT(call_target)
{
    int64_t target = afuc_absolute_target(isa_field_get(field, insn->bits));
    return put_label(at, insn, target, target, "fxn", options);
}

PRINT(jump_target)
{
    int64_t target = afuc_absolute_target(isa_field_get(field, insn->bits));
    return put_label(at, insn, target, target, "l", options);
}

PARSE(label)
{
    struct isa_value value;
    isa_skip(scan);
    const char *start = scan->at;
    if (start >= scan->end || *start != '#')
        return isa_expected(scan, "a label #name");
    if (scan->end - start >= 2 && (start[1] == '-' || (start[1] >= '0' && start[1] <= '9'))) {
        size_t span = 1;
        while (start + span < scan->end && (start[span] == '-' || isa_name_byte(start[span])))
            span++;
        return isa_fail(scan, start, span, MSG_AFUC_NOT_A_LABEL, NULL, NULL, 0, NULL);
    }
    return isa_expression(scan, &value) && isa_store(scan, build, field, &value);
}

READ(label)
{
    const char *behind = isa_read_label(at, scan, build, field);
    return behind ? behind : isa_read_by(parse_label, at, scan, build, field);
}

static bool store_branch(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    (void)field;
    if (value < 0) /* the difference could overflow */
        return false;
    int64_t offset = value - (int64_t)address;
    *encoded = (uint16_t)offset;
    return offset >= INT16_MIN && offset <= INT16_MAX;
}

static void range_branch(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = INT16_MIN;
    *high = INT16_MAX;
}

PRINT(secure_target)
{
    (void)field;
    return put_label(at, insn, (int64_t)insn->address + 3, 3, "l", options);
}

static bool store_secure_target(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    (void)field;
    *encoded = 0;
    return value == (int64_t)address + 3;
}

static void range_secure_target(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = *high = 3;
}

#endif
