/* SPDX-License-Identifier: MIT */
/* Operands: numbers (immediates, shifts, bits and halves of registers), and how all kinds are declared. */
#ifndef ISA_AFUC_TEXT_NUMBERS_H
#define ISA_AFUC_TEXT_NUMBERS_H

#include "afuc_messages.h"
#include "base/text.h"
#include "isa/afuc/text/meaning.h"
#include "isa/scan.h"
#include <stdio.h>
#include <string.h>

/* --- How the functions of an operand kind are declared; operands.c alone includes them ---------------------------- */

/* Inline: the functions of rows at the end are made of these, with fields that are constants. */
#define INLINE inline __attribute__((always_inline))
#define PRINT(name)                                                                                                    \
    static INLINE char *print_##name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,         \
                                     const struct gpucode_format_options *options)
#define PARSE(name)                                                                                                    \
    static bool parse_##name(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
/* The operand at `at` as listings have it, and however else it may be written by PARSE(); the place after it, or null.
 */
#define READ(name)                                                                                                     \
    static INLINE const char *read_##name(const char *at, struct isa_scan *scan, struct isa_build *build,              \
                                          const struct isa_field *field)

PRINT(immediate)
{
    char *named = afuc_immediate_name(at, insn, options);
    if (named > at)
        return named;
    return text_hex(TEXT_LITERAL(at, "0x"), isa_field_get(field, insn->bits));
}

/* "b12" is a bit number and never the name of a constant. */
static bool is_bit(const struct isa_scan *scan)
{
    return scan->end - scan->at >= 2 && *scan->at == 'b' && scan->at[1] >= '0' && scan->at[1] <= '9';
}

PARSE(immediate)
{
    uint64_t number;
    struct isa_value value;
    isa_skip(scan);
    const char *behind = isa_plain_number(scan, &number);
    if (behind && !(number >> field->width)) {
        build->bits = isa_field_set(field, build->bits, number);
        scan->at = behind;
        return true;
    }
    if (scan->at < scan->end && (*scan->at == '$' || *scan->at == '[' || is_bit(scan)))
        return isa_expected(scan, scan->isa->text.operand_classes[field->kind].name);
    return isa_expression(scan, &value) && isa_store(scan, build, field, &value);
}

READ(immediate)
{
    uint64_t number;
    const char *behind = isa_read_hex(at, scan->end, &number);
    if (behind && !(number >> field->width)) {
        build->bits = isa_field_fill(field, build->bits, number);
        return behind;
    }
    if (scan->end - at > 1 && (*at == '$' || (*at == 'b' && at[1] <= '9'))) /* a register or a bit: another row's */
        return NULL;
    return isa_read_by(parse_immediate, at, scan, build, field);
}

/* Immediates that no label can be meant for. */
PARSE(small)
{
    isa_skip(scan);
    if (scan->at < scan->end && *scan->at == '#')
        return isa_expected(scan, scan->isa->text.operand_classes[field->kind].name);
    return parse_immediate(scan, build, field);
}

READ(small)
{
    return at < scan->end && *at == '#' ? NULL : read_immediate(at, scan, build, field);
}

PRINT(shift)
{
    (void)options;
    uint64_t shift = isa_field_get(field, insn->bits);
    return shift ? text_decimal(TEXT_LITERAL(at, " << "), shift) : at;
}

PARSE(shift)
{
    const char *before = scan->at;
    if (!isa_take(scan, "<<")) {
        scan->at = before;
        return true;
    }
    return parse_immediate(scan, build, field);
}

/* Most have none. */
READ(shift)
{
    bool none = scan->end - at > 1 && *at == '\n' && at[1] > '<';
    return none ? at : isa_read_by(parse_shift, at, scan, build, field);
}

PRINT(bit)
{
    (void)options;
    *at++ = 'b';
    return text_decimal(at, isa_field_get(field, insn->bits));
}

PARSE(bit)
{
    isa_skip(scan);
    const char *start = scan->at;
    if (!is_bit(scan))
        return isa_expected(scan, "a bit number b0 to b31");
    scan->at++;
    uint64_t number;
    if (!isa_number(scan, &number))
        return false;
    if (number > 31)
        return isa_out_of_range(scan, field, start, (size_t)(scan->at - start), (int64_t)number);
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

/* 'b' and one or two digits, no zero in front. */
READ(bit)
{
    if (scan->end - at > 3 && *at == 'b') {
        unsigned number = (unsigned char)(at[1] - '0'), second = (unsigned char)(at[2] - '0');
        const char *behind = at + 2;
        bool digit = number <= 9;
        if (second <= 9 && number) {
            number = 10 * number + second;
            behind++;
        }
        if (digit && number <= 31 && *behind < '0') {
            build->bits = isa_field_fill(field, build->bits, number);
            return behind;
        }
    }
    return isa_read_by(parse_bit, at, scan, build, field);
}

/* The high bit stands after the low one; where it is lower, afuc_check() has a word to say. */
static bool is_reversed(const struct isa_build *build)
{
    return (build->bits & 31) > (build->bits >> 5 & 31);
}

PARSE(high_bit)
{
    if (!parse_bit(scan, build, field))
        return false;
    build->parse_state = is_reversed(build);
    return true;
}

READ(high_bit)
{
    at = read_bit(at, scan, build, field);
    build->parse_state = is_reversed(build);
    return at;
}

#endif
