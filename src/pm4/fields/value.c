/* SPDX-License-Identifier: MIT */
/* Values of fields as text. */
#include "pm4/fields/fields.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *field_put_hex(char *at, uint64_t value)
{
    static const char digits[] = "0123456789abcdef";
    unsigned shift = 0;
    if (value) {
        *at++ = '0';
        *at++ = 'x';
        while (shift < 60 && value >> (shift + 4))
            shift += 4;
    }
    for (;; shift -= 4) {
        *at++ = digits[value >> shift & 15];
        if (!shift)
            break;
    }
    *at = 0;
    return at;
}

static char *put_unsigned(char *at, uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        *at++ = digits[--count];
    *at = 0;
    return at;
}

/* Two's complement of so many bits. */
static int64_t to_signed(uint64_t value, unsigned width)
{
    if (width < 64 && value >> (width - 1) & 1)
        value |= UINT64_MAX << width;
    return (int64_t)value;
}

static double half_value(uint64_t bits)
{
    unsigned exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                   : exponent     ? (1024.0 + fraction) / 1024.0
                                  : fraction / 1024.0;
    for (unsigned i = exponent ? exponent : 1; exponent != 31 && i < 15; i++)
        value /= 2;
    for (unsigned i = 15; exponent != 31 && i < exponent; i++)
        value *= 2;
    return bits >> 15 & 1 ? -value : value;
}

static char *put_double(char *to, double number)
{
    int length = snprintf(to, GPUCODE_FIELD_TEXT_MAX, "%f", number);
    return to + (length < GPUCODE_FIELD_TEXT_MAX ? length : GPUCODE_FIELD_TEXT_MAX - 1);
}

#define RADIX_MAX 43 /* 10^6 times a fraction of so many bits has 63 */
#define VISIBLE                                                                                                        \
    106 /* the exponent of floats from 2^-21 on: of smaller ones six places are zeros, 5 * 10^-7 is more               \
         */

/* magnitude / 2^radix as "%f" has it: six places, the nearest, of two equally near ones the even one. */
static char *put_fraction(char *to, uint64_t magnitude, unsigned radix)
{
    uint64_t whole = magnitude >> radix, half = radix ? UINT64_C(1) << (radix - 1) : 0;
    uint64_t scaled = (magnitude & ((UINT64_C(1) << radix) - 1)) * 1000000, places = scaled >> radix;
    uint64_t rest = scaled & ((UINT64_C(1) << radix) - 1);
    places += half && (rest > half || (rest == half && places & 1));
    whole += places / 1000000;
    places %= 1000000;
    to = put_unsigned(to, whole);
    *to = '.';
    for (unsigned i = 6; i; i--, places /= 10)
        to[i] = (char)('0' + places % 10);
    to[7] = 0;
    return to + 7;
}

/* Floats of ordinary size without printf, which is slow. */
static char *put_single(char *to, uint32_t bits)
{
    unsigned exponent = bits >> 23 & 0xff;
    uint64_t fraction = (bits & 0x7fffff) | (exponent ? 0x800000 : 0);
    float number;
    memcpy(&number, &bits, sizeof number);
    if (exponent < VISIBLE)
        fraction = 0;
    /* fraction * 2^(exponent - 150) */
    if ((exponent < 150 - RADIX_MAX && fraction) || exponent > 150 + 39)
        return put_double(to, (double)number);
    if (bits >> 31)
        *to++ = '-';
    if (exponent >= 150)
        return put_fraction(to, fraction << (exponent - 150), 0);
    return put_fraction(to, fraction, fraction ? 150 - exponent : 0);
}

static char *put_float(char *to, uint64_t value, unsigned width)
{
    if (width == 16)
        return put_double(to, half_value(value));
    return width == 32 ? put_single(to, (uint32_t)value) : field_put_hex(to, value);
}

static char *put_fixed(char *to, const struct field_row *row, uint64_t value, bool negative)
{
    unsigned radix = row->radix & 63;
    double divisor = (double)(UINT64_C(1) << radix);
    /* beyond 53 bits printf would see a rounded number */
    if (radix > RADIX_MAX || value >> 53)
        return put_double(to, (negative ? -(double)value : (double)value) / divisor);
    if (negative)
        *to++ = '-';
    return put_fraction(to, value, radix);
}

static char *put_register_id(char *to, uint64_t value)
{
    *to++ = 'r';
    to = put_unsigned(to, value >> 2);
    *to++ = '.';
    *to++ = "xyzw"[value & 3];
    *to = 0;
    return to;
}

static char *put_text(char *to, const char *text)
{
    size_t length = strlen(text);
    if (length >= GPUCODE_FIELD_TEXT_MAX)
        length = GPUCODE_FIELD_TEXT_MAX - 1;
    to = text_put_name(to, text, length);
    *to = 0;
    return to;
}

/* The first name that the chip has for the value; null: none. */
static const char *name_of(const struct field_set *set, unsigned family, unsigned of, uint64_t value)
{
    const struct field_enum *type = &set->enums[of];
    for (unsigned i = type->first; i < type->first + type->count; i++)
        if (set->values[i] == value && field_on_family(set->value_chips[i], family))
            return set->strings + set->value_names[i];
    return NULL;
}

/*
 * A value's text with a final zero, at most GPUCODE_FIELD_TEXT_MAX bytes; returns its end. *named: it is the name of an
 * enumeration's value.
 */
static char *field_put_value(const struct field_set *set, unsigned family, const struct field_row *row, uint64_t value,
                             char *to, bool *named)
{
    unsigned width = row->high - row->low + 1u, shifted = width + row->shr < 64 ? width + row->shr : 64;
    int64_t number;
    const char *name;
    *named = false;
    switch (field_type_of(row)) {
    case GPUCODE_FIELD_UINT:
        return put_unsigned(to, value);
    case GPUCODE_FIELD_INT:
        number = to_signed(value, shifted);
        *to = '-';
        return put_unsigned(to + (number < 0), number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
    case GPUCODE_FIELD_FLOAT:
        return put_float(to, value, shifted);
    case GPUCODE_FIELD_FIXED:
        number = to_signed(value, shifted);
        return put_fixed(to, row, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0);
    case GPUCODE_FIELD_UFIXED:
        return put_fixed(to, row, value, false);
    case GPUCODE_FIELD_BOOLEAN:
        return put_text(to, value ? "set" : "0");
    case GPUCODE_FIELD_REGID:
        return put_register_id(to, value);
    case GPUCODE_FIELD_ENUM:
        name = name_of(set, family, row->of, value);
        *named = name != NULL;
        return name ? put_text(to, name) : field_put_hex(to, value);
    default:
        return field_put_hex(to, value);
    }
}

void field_read(const struct field_set *set, unsigned family, const struct field_row *row, uint64_t word,
                struct gpucode_field_value *field)
{
    field->name = set->strings + row->name;
    field->low = row->low;
    field->high = row->high;
    field->type = field_type_of(row);
    field->value = field_value_of(row, word);
    field_put_value(set, family, row, field->value, field->text, &field->named);
}

size_t field_read_layout(const struct field_set *set, unsigned family, unsigned layout, uint64_t word,
                         struct gpucode_field_value *fields, size_t size)
{
    size_t count = 0;
    uint64_t rest = word;
    const struct field_layout *rows = layout == FIELD_NO_LAYOUT ? NULL : &set->layouts[layout];
    for (unsigned i = 0; rows && i < rows->count && count < GPUCODE_FIELD_VALUES_MAX - 1; i++) {
        const struct field_row *row = &set->rows[rows->first + i];
        if (!field_on_family(row->chips, family))
            continue;
        rest &= ~field_mask(row->low, row->high);
        if (field_is_quiet(row, field_value_of(row, word)))
            continue;
        if (count < size)
            field_read(set, family, row, word, &fields[count]);
        count++;
    }
    if (rest || !count) {
        if (count < size) {
            fields[count] = (struct gpucode_field_value){.name = "-", .high = word >> 32 ? 63 : 31, .value = rest};
            field_put_hex(fields[count].text, rest);
        }
        count++;
    }
    return count;
}

/* All fields of a word in one text. */

void field_append(struct field_text *text, const char *part, size_t length)
{
    if (text->length < text->size) {
        size_t room = text->size - text->length - 1, some = length < room ? length : room;
        memcpy(text->text + text->length, part, some);
        text->text[text->length + some] = 0;
    }
    text->length += length;
}

static void append_string(struct field_text *text, const char *part)
{
    field_append(text, part, strlen(part));
}

void field_put_layout(const struct field_set *set, unsigned family, unsigned layout, uint64_t word,
                      struct field_text *text)
{
    char value_text[GPUCODE_FIELD_TEXT_MAX];
    uint64_t rest = word;
    unsigned count = 0;
    bool named;
    const struct field_layout *rows = layout == FIELD_NO_LAYOUT ? NULL : &set->layouts[layout];
    field_append(text, "{ ", 2);
    for (unsigned i = 0; rows && i < rows->count && count < GPUCODE_FIELD_VALUES_MAX - 1; i++) {
        const struct field_row *row = &set->rows[rows->first + i];
        if (!field_on_family(row->chips, family))
            continue;
        rest &= ~field_mask(row->low, row->high);
        uint64_t value = field_value_of(row, word);
        if (field_is_quiet(row, value))
            continue;
        if (count++)
            field_append(text, " | ", 3);
        append_string(text, set->strings + row->name);
        if (row->type == GPUCODE_FIELD_BOOLEAN)
            continue;
        field_append(text, " = ", 3);
        char *end = field_put_value(set, family, row, value, value_text, &named);
        field_append(text, value_text, (size_t)(end - value_text));
    }
    if (rest || !count) {
        if (count)
            field_append(text, " | ", 3);
        field_append(text, value_text, (size_t)(field_put_hex(value_text, rest) - value_text));
    }
    field_append(text, " }", 2);
}
