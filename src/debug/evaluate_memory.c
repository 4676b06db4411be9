/* SPDX-License-Identifier: MIT */
/* Memory in expressions, and the C types that say how much of it. */
#include "debug/evaluation.h"

#include <stdio.h>
#include <string.h>

bool evaluate_memory(struct evaluation *e, const char *start, int64_t address, unsigned size,
                     struct gpucode_value *value)
{
    char text[32];
    if (size == 4 && lookup_mmio(e->debug, (uint64_t)address, value))
        return true;
    *value = (struct gpucode_value){.place = GPUCODE_VALUE_MEMORY, .address = (uint64_t)address, .size = size};
    if (lookup_read(e->debug, value))
        return true;
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
    evaluation_skip_space(e);
    if (e->assign && evaluation_peek(e, 0) == '=' &&
        evaluation_peek(e, 1) != '=') /* memory comes into being when it is written */
        return true;
    return evaluation_fail_value(e, start, MSG_EXPR_MEMORY, text, value);
}

bool evaluation_take_type(struct evaluation *e, struct evaluation_type *type)
{
    static const struct {
        const char *name;
        unsigned bytes;
        bool is_unsigned;
    } names[] = {
        {"char", 1, false},    {"short", 2, false},   {"int", 4, false},    {"long", 8, false},
        {"unsigned", 0, true}, {"signed", 0, false},  {"int8_t", 1, false}, {"int16_t", 2, false},
        {"int32_t", 4, false}, {"int64_t", 8, false}, {"uint8_t", 1, true}, {"uint16_t", 2, true},
        {"uint32_t", 4, true}, {"uint64_t", 8, true},
    };
    const char *start = e->at;
    bool found = false;
    *type = (struct evaluation_type){0};
    for (;;) { /* several words: unsigned long int */
        evaluation_skip_space(e);
        size_t length = 0, i = 0, count = sizeof names / sizeof *names;
        while (is_name_character(evaluation_peek(e, length)))
            length++;
        while (i < count && (strlen(names[i].name) != length || memcmp(names[i].name, e->at, length) != 0))
            i++;
        if (i == count)
            break;
        if (names[i].bytes && (!type->bytes || names[i].bytes != 4)) /* the int of `short int` says nothing */
            type->bytes = names[i].bytes;
        type->is_unsigned |= names[i].is_unsigned;
        found = true;
        e->at += length;
    }
    if (!type->bytes)
        type->bytes = 4;
    type->pointer = found && evaluation_take(e, '*');
    if (!found)
        e->at = start;
    return found;
}

void evaluation_convert(struct gpucode_value *value, const struct evaluation_type *type)
{
    uint64_t bits = (uint64_t)value->number;
    unsigned unused = type->pointer ? 0 : 64 - 8 * type->bytes;
    bits <<= unused;
    *value = (struct gpucode_value){.number = type->is_unsigned ? (int64_t)(bits >> unused) : (int64_t)bits >> unused};
}

/* gdb's {int}ADDRESS, {ADDRESS} and {ADDRESS, SIZE}. */
bool evaluate_braces(struct evaluation *e, struct gpucode_value *value)
{
    const char *start = e->at++;
    struct evaluation_type type;
    if (evaluation_take_type(e, &type)) {
        if (!evaluation_expect(e, '}', "'}'"))
            return false;
        if (++e->depth > EVALUATION_DEPTH_MAX)
            return evaluation_fail(e, start, 1, MSG_EXPR_DEEP, NULL);
        bool good = evaluate_unary(e, value);
        e->depth--;
        return good && evaluate_memory(e, start, value->number, type.pointer ? 8 : type.bytes, value);
    }
    struct gpucode_value address, size = {.number = 4};
    if (!evaluate_expression(e, &address) || (evaluation_take(e, ',') && !evaluate_expression(e, &size)) ||
        !evaluation_expect(e, '}', "'}'"))
        return false;
    if (size.number != 1 && size.number != 2 && size.number != 4 && size.number != 8)
        return evaluation_fail_value(e, start, MSG_EXPR_SIZE, NULL, value);
    return evaluate_memory(e, start, address.number, (unsigned)size.number, value);
}
