/* SPDX-License-Identifier: MIT */
/*
 * Floats in expressions. A value whose `section` is VALUE_FLOAT holds the bits of one. Registers that hold floats, and
 * memory, are taken for them where the other operand is one; else they are integers, as they always were.
 */
#include "debug/evaluation.h"

#include "isa/decimal.h"

#include <string.h>

static bool is_float(const struct gpucode_value *value)
{
    return !value->is_code && value->section == GPUCODE_VALUE_FLOAT;
}

/* 32 or 16, and 0 for what holds no floats. */
static unsigned register_bits(const struct gpucode_debug *debug, const struct gpucode_value *value)
{
    struct gpucode_space_info info;
    return value->place == GPUCODE_VALUE_REGISTER && gpucode_machine_space(debug->machine, value->space, &info) &&
                   value->address < info.float_count
               ? info.float_bits
               : 0;
}

static double single(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint32_t single_bits(double value)
{
    float rounded = (float)value;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static double half(uint32_t bits)
{
    uint32_t sign = (bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    if (magnitude >= 0x7c00)
        return single(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    return magnitude >= 0x400 ? single(sign | ((magnitude << 13) + (112u << 23)))
                              : (sign ? -1.0 : 1.0) * (double)magnitude / 16777216;
}

static void set_float(struct gpucode_value *value, double number)
{
    set_plain(value, single_bits(number));
    value->section = GPUCODE_VALUE_FLOAT;
}

bool evaluation_is_float(const struct gpucode_value *value)
{
    return is_float(value);
}

/* The number itself; false: told. */
static bool number_of(struct evaluation *e, const char *at, const struct gpucode_value *value, double *number)
{
    double wide;
    unsigned bits = register_bits(e->debug, value);
    unsigned size = value->place == GPUCODE_VALUE_MEMORY ? value->size : bits / 8;
    if (!value->is_code && value->section == VALUE_BITS)
        return evaluation_fail(e, at, 1, MSG_EXPR_FLOAT_BITS, NULL);
    if (size == 8) {
        memcpy(&wide, &value->number, sizeof wide);
        *number = wide;
    } else if (size == 4 || (!size && is_float(value))) {
        *number = single((uint32_t)value->number);
    } else {
        *number = size == 2 ? half((uint32_t)value->number) : (double)value->number;
    }
    return true;
}

/* "2.5", "1e-3", "0.5f"; false: no such number stands here. */
bool evaluate_float(struct evaluation *e, struct gpucode_value *value, bool *good)
{
    struct decimal number;
    bool point;
    const char *start = e->at;
    size_t taken = decimal_read(e->at, (size_t)(e->end - e->at), &number, &point);
    if (!taken || !point)
        return false;
    e->at += taken;
    e->at += (evaluation_peek(e, 0) | 32) == 'f';
    *good = !is_name_character(evaluation_peek(e, 0)) && evaluation_peek(e, 0) != '.';
    if (!*good)
        evaluation_fail(e, start, (size_t)(e->at - start) + 1, MSG_EXPR_EXPECTED, "a float like 2.5");
    set_plain(value, decimal_to_bits(&number, &decimal_f32));
    value->section = GPUCODE_VALUE_FLOAT;
    return true;
}

bool evaluation_to_float(struct evaluation *e, const char *at, struct gpucode_value *value)
{
    double number = 0;
    if (!number_of(e, at, value, &number))
        return false;
    set_float(value, number);
    return true;
}

void evaluation_to_integer(struct gpucode_value *value)
{
    double number = is_float(value) ? single((uint32_t)value->number) : 0;
    if (is_float(value)) /* what is not an integer of 64 bits becomes the one that processors make of it */
        set_plain(value, number > -0x1p63 && number < 0x1p63 ? (uint64_t)(int64_t)number : (uint64_t)INT64_MIN);
}

bool compute_unary_float(struct evaluation *e, const char *at, char operator, struct gpucode_value * value)
{
    double number = 0;
    if (!strchr("-+!", operator))
        return evaluation_fail(e, at, 1, MSG_EXPR_FLOAT, NULL);
    if (!number_of(e, at, value, &number))
        return false;
    if (operator== '!')
        set_plain(value, number == 0);
    else
        set_float(value, operator== '-' ? -number : number);
    return true;
}

/* What is compared with a half register is rounded as its value was. */
static double rounded(const struct evaluation *e, const struct gpucode_value *other, double number)
{
    return register_bits(e->debug, other) == 16 ? half(decimal_half(single_bits(number))) : number;
}

bool compute_float(struct evaluation *e, const char *at, const char *text, struct gpucode_value *left,
                   const struct gpucode_value *right)
{
    double a = 0, b = 0;
    if (!number_of(e, at, left, &a) || !number_of(e, at, right, &b))
        return false;
    double near = rounded(e, right, a), there = rounded(e, left, b);
    bool equal = text[1] == '=';
    switch (text[1] == '<' || text[1] == '>' ? '%' : text[0]) {
    case '=':
        set_plain(left, near == there);
        return true;
    case '!':
        set_plain(left, near != there);
        return true;
    case '<':
        set_plain(left, equal ? near <= there : near < there);
        return true;
    case '>':
        set_plain(left, equal ? near >= there : near > there);
        return true;
    case '+':
        set_float(left, a + b);
        return true;
    case '-':
        set_float(left, a - b);
        return true;
    case '*':
        set_float(left, a * b);
        return true;
    case '/':
        set_float(left, a / b);
        return true;
    default:
        return evaluation_fail(e, at, 1, MSG_EXPR_FLOAT, NULL);
    }
}

void evaluation_mark_bits(const struct gpucode_debug *debug, const struct gpucode_value *operand,
                          struct gpucode_value *result)
{
    if (!result->is_code && (register_bits(debug, operand) || (!operand->is_code && operand->section == VALUE_BITS)))
        result->section = VALUE_BITS;
}

enum gpucode_status gpucode_debug_bits(const struct gpucode_debug *debug, const struct gpucode_value *place,
                                       const struct gpucode_value *value, int64_t *number)
{
    if (!debug || !place || !value || !number)
        return GPUCODE_ERROR_ARGUMENT;
    bool memory = place->place == GPUCODE_VALUE_MEMORY, floats = memory && is_float(place);
    *number = value->number;
    if (!is_float(value) && !floats)
        return GPUCODE_OK;
    unsigned size = memory ? place->size : register_bits(debug, place) / 8;
    double wide = is_float(value) ? single((uint32_t)value->number) : (double)value->number;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    *number = size == 8   ? (int64_t)bits
              : size == 2 ? (int64_t)decimal_half(single_bits(wide))
                          : (int64_t)single_bits(wide);
    return size == 2 || size == 4 || size == 8 ? GPUCODE_OK : GPUCODE_ERROR_INPUT;
}
