/* SPDX-License-Identifier: MIT */
/* Names of registers and consts, plain and relative to a0.x. */
#include "ir3_messages.h"
#include "isa/decimal.h"
#include "isa/ir3/ir3.h"

#include "base/text.h"

#include <stdio.h>

char *ir3_put_relative(char *at, char file, int offset, bool half, bool zero)
{
    *at = 'h';
    at += half;
    *at++ = file;
    at = TEXT_LITERAL(at, "<a0.x");
    if (offset || zero)
        at = text_signed(TEXT_LITERAL(at, " + "), offset);
    *at++ = '>';
    return at;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool settle(struct shader_name *name, char file, unsigned number)
{
    bool special = number / 4 == 61 || number / 4 == 62;
    name->number = (int)number;
    switch (file) {
    case 'r':
        name->what = special ? SHADER_IS_SPECIAL : SHADER_IS_GPR;
        return number < 256;
    case 'c':
        name->what = SHADER_IS_CONST;
        return number < 4 * IR3_CONST_VECTORS;
    case 'a': /* a1.x is the component after a0.x */
        name->what = SHADER_IS_SPECIAL;
        name->number = (int)(IR3_A0 + (number < 4 ? number : number - 3));
        return number < 8;
    default:
        name->what = SHADER_IS_SPECIAL;
        name->number += IR3_P0;
        return number < 4;
    }
}

static bool take_offset(struct isa_scan *scan, int64_t *value)
{
    return ir3_take_number(scan, -1024, 1024, "offset", value);
}

bool ir3_take_name(struct isa_scan *scan, struct shader_name *name)
{
    static const struct shader_naming how = {MSG_IR3_REGISTER, MSG_IR3_CONST, true, settle, take_offset};
    isa_skip(scan);
    const char *start = scan->at, *at = start, *end = scan->end;
    *name = (struct shader_name){.what = SHADER_IS_NOTHING, .start = start};
    if (at < end && *at < 'a') /* a number, a parenthesis */
        return true;
    const char *after = ir3_read_name(at, scan, name);
    if (after) {
        scan->at = after;
        return true;
    }
    if (end - at > 2 && at[0] == 's' &&
        (at[1] == 'r' || (at[1] == 'h' && at[2] == 'r'))) /* older names of shared ones */
        at++;
    bool half = end - at > 2 && at[0] == 'h' && at[1] == 'u';
    if (end - at > 4 + half && memcmp(at + half, "up0.", 4) == 0 && shader_component(at[4 + half]) >= 0) {
        scan->at = at + half + 5;
        *name = (struct shader_name){.what = SHADER_IS_SPECIAL,
                                     .half = half,
                                     .number = IR3_A0 + shader_component(at[4 + half]),
                                     .start = start,
                                     .span = (size_t)(scan->at - start)};
        return true;
    }
    return shader_take_name(scan, at, &how, name);
}

bool ir3_no_register(struct isa_scan *scan)
{
    isa_skip(scan);
    const char *at = scan->at, *end = scan->end;
    bool number =
        at < end && ((*at >= '0' && *at <= '9') || (*at == '-' && end - at > 1 && at[1] >= '0' && at[1] <= '9'));
    if (!number)
        return isa_expected(scan, "a register");
    size_t span = 1;
    while (at + span < end && (isa_name_byte(at[span]) || at[span] == '.'))
        span++;
    return isa_fail(scan, at, span, MSG_IR3_OPERAND, "move it to a register first", "an immediate", -1, NULL);
}

static bool take_plain(struct isa_scan *scan, struct shader_name *name)
{
    if (!ir3_take_name(scan, name))
        return false;
    if (name->what == SHADER_IS_NOTHING)
        return ir3_no_register(scan);
    if (name->what > SHADER_IS_SPECIAL)
        return isa_fail(scan, name->start, name->span, MSG_IR3_OPERAND, "only a register can stand here", name->start,
                        (int)name->span, NULL);
    return true;
}

bool ir3_take_register(struct isa_scan *scan, unsigned *number, bool *half)
{
    struct shader_name name;
    if (!take_plain(scan, &name))
        return false;
    *number = (unsigned)name.number;
    *half = name.half;
    return true;
}

bool ir3_take_register_of(struct isa_scan *scan, bool want_half, unsigned *number)
{
    struct shader_name name;
    if (!take_plain(scan, &name))
        return false;
    *number = (unsigned)name.number;
    return name.half == want_half || shader_wrong_width(scan, name, want_half, MSG_IR3_WIDTH);
}

/* Numbers and floats as the reference writes them. */

/* Decimal or octal digits that stand alone; false: it is something else, and nothing is taken. */
static bool take_digits(struct isa_scan *scan, int64_t *value)
{
    const char *at = scan->at, *end = scan->end;
    bool minus = at < end && *at == '-';
    at += minus;
    const char *digits = at;
    bool octal = end - at > 1 && at[0] == '0' && at[1] >= '0' && at[1] <= '7';
    int64_t number = 0;
    for (; at < end && *at >= '0' && *at <= (octal ? '7' : '9') && at - digits < 18; at++)
        number = number * (octal ? 8 : 10) + (*at - '0');
    if (at == digits || at == end || scan->listener)
        return false;
    if (*at != ',' && *at != '\n' && *at != ']' && *at != ')' && *at != '>' && *at != '\t' && *at != '.')
        return false;
    *value = minus ? -number : number;
    scan->at = at;
    return true;
}

bool ir3_in_range(struct isa_scan *scan, const char *start, int64_t value, int64_t low, int64_t high, const char *what)
{
    char text[32];
    if (value >= low && value <= high)
        return true;
    if (ir3_is_bare_float(scan, start))
        return false;
    snprintf(text, sizeof text, "%lld", (long long)value);
    snprintf(scan->hint, sizeof scan->hint, "it goes from %lld to %lld", (long long)low, (long long)high);
    return isa_fail(scan, start, (size_t)(scan->at - start), MSG_OUT_OF_RANGE, scan->hint, text, -1, what);
}

bool ir3_take_number(struct isa_scan *scan, int64_t low, int64_t high, const char *what, int64_t *value)
{
    isa_skip(scan);
    const char *start = scan->at;
    if (!take_digits(scan, value)) {
        struct isa_value sum;
        if (!isa_expression(scan, &sum) || !shader_is_known(scan, &sum))
            return false;
        *value = sum.constant;
    }
    return ir3_in_range(scan, start, *value, low, high, what);
}

bool ir3_is_bare_float(struct isa_scan *scan, const char *start)
{
    if (scan->at == scan->end || *scan->at != '.')
        return false;
    size_t span = shader_float_span(scan, start, (size_t)(scan->at - start));
    if (span <= 40)
        snprintf(scan->hint, sizeof scan->hint, "write it in parentheses: (%.*s)", (int)span, start);
    else
        snprintf(scan->hint, sizeof scan->hint, "write it in parentheses");
    isa_fail(scan, start, span, MSG_EXPECTED, scan->hint, "a whole number, or a float in parentheses", -1, NULL);
    return true;
}

/* --- floats ------------------------------------------------------------------------------------------------------- */

/* mantissa * 2^exponent, a whole number of up to 39 digits that is not 0 */
static char *put_whole(char *at, uint32_t mantissa, int exponent)
{
    uint8_t digits[48] = {0};
    unsigned count = 0;
    for (; mantissa; mantissa /= 10)
        digits[count++] = (uint8_t)(mantissa % 10);
    for (; exponent > 0; exponent--) {
        unsigned carry = 0;
        for (unsigned i = 0; i < count; i++) {
            carry += 2u * digits[i];
            digits[i] = (uint8_t)(carry % 10);
            carry /= 10;
        }
        if (carry)
            digits[count++] = (uint8_t)carry;
    }
    while (count)
        *at++ = (char)('0' + digits[--count]);
    return at;
}

/* The same for a negative exponent: six digits of the rest, to the nearest, of two the even one. */
static char *put_fraction(char *at, uint32_t mantissa, unsigned shift)
{
    uint32_t whole = shift < 32 ? mantissa >> shift : 0, millionths = 0;
    uint64_t rest = shift < 32 ? mantissa & ((UINT64_C(1) << shift) - 1) : mantissa;
    rest *= 1000000; /* below 2^44 */
    if (shift < 64) {
        millionths = (uint32_t)(rest >> shift);
        rest -= (uint64_t)millionths << shift;
        uint64_t half = UINT64_C(1) << (shift - 1);
        millionths += rest > half || (rest == half && millionths & 1);
    }
    if (millionths == 1000000) {
        millionths = 0;
        whole++;
    }
    at = text_decimal(at, whole);
    *at++ = '.';
    for (uint32_t unit = 100000; unit; unit /= 10)
        *at++ = (char)('0' + millionths / unit % 10);
    return at;
}

char *ir3_put_float(char *at, uint32_t bits, bool half)
{
    unsigned fraction = half ? 10 : 23, exponent_bits = half ? 5 : 8;
    uint32_t all = (1u << exponent_bits) - 1, biased = bits >> fraction & all;
    uint32_t mantissa = bits & ((1u << fraction) - 1);
    if (bits >> (fraction + exponent_bits) & 1)
        *at++ = '-';
    if (biased == all)
        return mantissa ? TEXT_LITERAL(at, "nan") : TEXT_LITERAL(at, "inf");
    int exponent = (int)(biased ? biased : 1) - (int)(all >> 1) - (int)fraction;
    mantissa |= biased ? 1u << fraction : 0;
    if (exponent < 0)
        return put_fraction(at, mantissa, (unsigned)-exponent);
    return TEXT_LITERAL(put_whole(at, mantissa, exponent), ".000000");
}

bool ir3_read_float(const char *text, size_t length, bool half, uint32_t *bits)
{
    bool minus = length && *text == '-', is_float;
    const char *word = text + minus;
    uint32_t sign = minus ? (half ? 0x8000 : 0x80000000) : 0;
    if (length - minus == 3 && memcmp(word, "nan", 3) == 0) {
        *bits = sign | (half ? 0x7e00 : 0x7fc00000);
        return true;
    }
    if (length - minus == 3 && memcmp(word, "inf", 3) == 0) {
        *bits = sign | (half ? 0x7c00 : 0x7f800000);
        return true;
    }
    struct decimal number;
    if (decimal_read(text, length, &number, &is_float) != length || !length)
        return false;
    *bits = decimal_to_bits(&number, half ? &decimal_f16 : &decimal_f32);
    return true;
}

uint32_t ir3_float_shown(uint32_t bits, bool half)
{
    unsigned fraction = half ? 10 : 23, exponent = bits >> fraction & (half ? 31 : 255);
    unsigned unit = (half ? 15 : 127) + fraction - 6; /* the exponent whose last bit is 1/64 */
    uint32_t below = exponent >= unit ? 0 : exponent + fraction < unit ? UINT32_MAX : (1u << (unit - exponent)) - 1;
    if (exponent != (half ? 31 : 255) && !(bits & below & ((1u << fraction) - 1)) && exponent + fraction >= unit)
        return bits; /* a multiple of 1/64 has six digits */
    char text[64];
    uint32_t shown = 0;
    ir3_read_float(text, (size_t)(ir3_put_float(text, bits, half) - text), half, &shown);
    return shown;
}

bool ir3_take_parentheses(struct isa_scan *scan, const char **text, size_t *length)
{
    const char *at = scan->at, *end = scan->end;
    if (at == end || *at != '(')
        return false;
    unsigned depth = 0;
    for (; at < end && *at != '\n'; at++) {
        depth += *at == '(';
        if (*at == ')' && --depth == 0)
            break;
    }
    if (at == end || *at != ')')
        return false;
    const char *from = scan->at + 1, *to = at;
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    *text = from;
    *length = (size_t)(to - from);
    scan->at = at + 1;
    return true;
}
