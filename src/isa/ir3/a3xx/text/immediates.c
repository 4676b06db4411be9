/* SPDX-License-Identifier: MIT */
/* Floats as operands: literals, and entries of the table by their names. */
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"
#include "isa/decimal.h"

char *a3xx_put_float(char *at, uint32_t bits, bool half, bool marked)
{
    const struct decimal_format *format = half ? &decimal_f16 : &decimal_f32;
    uint32_t infinity = half ? 0x7c00 : 0x7f800000, sign = half ? 0x8000 : 0x80000000;
    uint32_t quiet = half ? 0x7e00 : 0x7fc00000, magnitude = bits & ~sign;
    if (magnitude > infinity && bits != quiet) /* a NaN with something in it */
        return text_hex(TEXT_LITERAL(at, "0x"), bits);
    if (marked)
        *at++ = 'h';
    *at++ = '(';
    if (bits == quiet)
        at = TEXT_LITERAL(at, "nan");
    else if (magnitude == infinity)
        at = bits & sign ? TEXT_LITERAL(at, "-inf") : TEXT_LITERAL(at, "inf");
    else
        at = decimal_print(at, bits, format);
    *at++ = ')';
    return at;
}

/* Bits of a word of the table or of inf or nan; false: it is none. */
static bool find_named_float(const char *at, size_t length, bool half, uint32_t *bits)
{
    bool minus = length && *at == '-';
    const char *text = at + minus;
    size_t rest = length - minus;
    uint32_t sign = minus ? 0x80000000 : 0;
    if (rest == 3 && memcmp(text, "nan", 3) == 0)
        *bits = 0x7fc00000 | sign;
    else if (rest == 3 && memcmp(text, "inf", 3) == 0)
        *bits = 0x7f800000 | sign;
    else {
        int entry = shader_entry_named(at, length);
        if (entry < 0)
            return false;
        *bits = shader_entry_bits((unsigned)entry);
    }
    if (half)
        *bits = decimal_half(*bits);
    return true;
}

/* Bits of a float in digits, with a point or an exponent; returns its end, null where there is none. */
static const char *read_digits(const char *at, const char *end, bool half, uint32_t *bits)
{
    struct decimal number;
    bool is_float;
    size_t taken = decimal_read(at, (size_t)(end - at), &number, &is_float);
    if (!taken || !is_float)
        return NULL;
    *bits = decimal_to_bits(&number, half ? &decimal_f16 : &decimal_f32);
    return at + taken;
}

/* Where the parenthesis in front of `at` is closed, on its line and in front of a comment; null: it is not. */
static const char *find_close(const char *at, const char *end)
{
    unsigned depth = 0;
    for (; at < end && *at != '\n' && *at != ';' && (*at != ')' || depth); at++) {
        depth += *at == '(';
        depth -= *at == ')';
    }
    return at < end && *at == ')' ? at : NULL;
}

bool a3xx_take_float(struct isa_scan *scan, bool half, struct a3xx_float *value)
{
    isa_skip(scan);
    const char *start = scan->at, *at = start, *end = scan->end;
    *value = (struct a3xx_float){.start = start};
    if (at < end && *at == 'h') {
        value->marked_half = true;
        at++;
    }
    if (at >= end || *at != '(')
        return false;
    at++;
    const char *close = read_digits(at, end, half, &value->bits);
    if (!close || close >= end || *close != ')') { /* with spaces, or a name */
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        close = find_close(at, end);
        if (!close)
            return false;
        const char *last = close;
        while (last > at && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        if (!find_named_float(at, (size_t)(last - at), half, &value->bits) &&
            read_digits(at, last, half, &value->bits) != last)
            return false;
    }
    scan->at = close + 1;
    value->span = (size_t)(scan->at - start);
    return true;
}
