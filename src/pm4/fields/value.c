/* SPDX-License-Identifier: MIT */
/* Values of fields as text. */
#include "pm4/fields/fields.h"

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

static void put_unsigned(char *at, uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        *at++ = digits[--count];
    *at = 0;
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

static void put_float(struct gpucode_field_value *field, unsigned width)
{
    uint32_t bits = (uint32_t)field->value;
    float number;
    memcpy(&number, &bits, sizeof number);
    if (width == 16)
        snprintf(field->text, sizeof field->text, "%f", half_value(field->value));
    else if (width == 32)
        snprintf(field->text, sizeof field->text, "%f", (double)number);
    else
        field_put_hex(field->text, field->value);
}

static void put_register_id(struct gpucode_field_value *field)
{
    char *at = field->text;
    *at++ = 'r';
    put_unsigned(at, field->value >> 2);
    at += strlen(at);
    *at++ = '.';
    *at++ = "xyzw"[field->value & 3];
    *at = 0;
}

/* The first name that the chip has for the value. */
static bool put_name(struct gpucode_field_value *field, unsigned family, unsigned of)
{
    const struct field_enum *type = &field_enums[of];
    for (unsigned i = type->first; i < type->first + type->count; i++)
        if (field_values[i] == field->value && field_on_family(field_value_chips[i], family)) {
            const char *name = field_string(field_value_names[i]);
            size_t length = strlen(name);
            if (length >= sizeof field->text)
                length = sizeof field->text - 1;
            memcpy(field->text, name, length);
            field->text[length] = 0;
            return true;
        }
    return false;
}

static bool is_unknown_name(const char *name)
{
    return strncmp(name, "UNK", 3) == 0 && name[3] >= '0' && name[3] <= '9';
}

bool field_is_quiet(const struct gpucode_field_value *field)
{
    return !field->value && (field->type == GPUCODE_FIELD_BOOLEAN || is_unknown_name(field->name));
}

static void put_value(struct gpucode_field_value *field, unsigned family, const struct field_row *row)
{
    unsigned width = row->high - row->low + 1u, shifted = width + row->shr < 64 ? width + row->shr : 64;
    switch (field->type) {
    case GPUCODE_FIELD_UINT:
        put_unsigned(field->text, field->value);
        return;
    case GPUCODE_FIELD_INT: {
        int64_t number = to_signed(field->value, shifted);
        field->text[0] = '-';
        put_unsigned(field->text + (number < 0), number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
        return;
    }
    case GPUCODE_FIELD_FLOAT:
        put_float(field, shifted);
        return;
    case GPUCODE_FIELD_FIXED:
        snprintf(field->text, sizeof field->text, "%f",
                 (double)to_signed(field->value, shifted) / (double)(UINT64_C(1) << (row->radix & 63)));
        return;
    case GPUCODE_FIELD_UFIXED:
        snprintf(field->text, sizeof field->text, "%f",
                 (double)field->value / (double)(UINT64_C(1) << (row->radix & 63)));
        return;
    case GPUCODE_FIELD_BOOLEAN:
        memcpy(field->text, field->value ? "set" : "0", field->value ? 4 : 2);
        return;
    case GPUCODE_FIELD_REGID:
        put_register_id(field);
        return;
    case GPUCODE_FIELD_ENUM:
        field->named = put_name(field, family, row->of);
        if (field->named)
            return;
        break;
    default:
        break;
    }
    field_put_hex(field->text, field->value);
}

void field_read(unsigned family, const struct field_row *row, uint64_t word, struct gpucode_field_value *field)
{
    field->name = field_string(row->name);
    field->low = row->low;
    field->high = row->high;
    field->named = false;
    field->type = row->type > GPUCODE_FIELD_ENUM ? GPUCODE_FIELD_HEX : (enum gpucode_field_type)row->type;
    if (is_unknown_name(field->name) && field->type != GPUCODE_FIELD_REGID && field->type != GPUCODE_FIELD_BOOLEAN)
        field->type = GPUCODE_FIELD_HEX;
    field->value = (word & field_mask(row->low, row->high)) >> row->low << row->shr;
    put_value(field, family, row);
}

size_t field_read_layout(unsigned family, unsigned layout, uint64_t word, struct gpucode_field_value *fields,
                         size_t size)
{
    size_t count = 0;
    uint64_t rest = word;
    struct gpucode_field_value field;
    const struct field_layout *rows = layout == FIELD_NO_LAYOUT ? NULL : &field_layouts[layout];
    for (unsigned i = 0; rows && i < rows->count && count < GPUCODE_FIELD_VALUES_MAX - 1; i++) {
        const struct field_row *row = &field_rows[rows->first + i];
        if (!field_on_family(row->chips, family))
            continue;
        rest &= ~field_mask(row->low, row->high);
        field_read(family, row, word, &field);
        if (field_is_quiet(&field))
            continue;
        if (count < size)
            fields[count] = field;
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
