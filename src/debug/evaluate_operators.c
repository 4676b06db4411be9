/* SPDX-License-Identifier: MIT */
/* Operators of expressions, in front of an operand and between two. */
#include "debug/evaluation.h"

#include "base/operators.h"

#include <string.h>

bool evaluate_unary(struct evaluation *e, struct gpucode_value *value)
{
    evaluation_skip_space(e);
    const char *start = e->at;
    char c = evaluation_peek(e, 0);
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)evaluation_peek(e, 1))))
        return evaluate_number(e, value);
    if (c == '\'')
        return evaluate_quoted(e, value);
    if (c == '{')
        return evaluate_braces(e, value);
    if (isalpha((unsigned char)c) || c == '_' ||
        ((c == '$' || c == '@' || c == '%' || c == '|' || c == '#') && is_name_character(evaluation_peek(e, 1))))
        return evaluate_name(e, value);
    struct evaluation_type type = {0};
    bool cast = false;
    if (c == '(') {
        e->at++;
        cast = evaluation_take_type(e, &type);
        if (!cast)
            return evaluate_expression(e, value) && evaluation_expect(e, ')', "')'");
        if (!evaluation_expect(e, ')', "')'"))
            return false;
    } else if (!c || !strchr("-+!~*&", c)) {
        return evaluation_fail(e, e->at, 1, MSG_EXPR_EXPECTED, "a number, a register, a label or memory");
    } else {
        e->at++;
    }
    if (c == '*') { /* *(int *)ADDRESS */
        evaluation_skip_space(e);
        const char *operand = e->at;
        if (!evaluation_take(e, '(') || !evaluation_take_type(e, &type) || !type.pointer || !evaluation_take(e, ')')) {
            type = (struct evaluation_type){.bytes = 4};
            e->at = operand;
        } else {
            type.pointer = false; /* what it points to */
        }
    }
    if (++e->depth > EVALUATION_DEPTH_MAX)
        return evaluation_fail(e, start, 1, MSG_EXPR_DEEP, NULL);
    bool good = evaluate_unary(e, value);
    e->depth--;
    if (!good)
        return false;
    uint64_t operand = (uint64_t)value->number;
    if (c == '*')
        return evaluate_typed(e, start, &type, value);
    if (cast)
        return evaluation_convert(e, start, value, &type);
    if (c == '&') { /* labels are addresses already */
        if (value->place == GPUCODE_VALUE_MEMORY)
            set_plain(value, value->address);
        else if (!value->is_code || value->place != GPUCODE_VALUE_PLAIN)
            return evaluation_fail_value(e, start, MSG_EXPR_EXPECTED, "a label or memory after '&'", value);
        return true;
    }
    if (evaluation_is_float(value))
        return compute_unary_float(e, start, c, value);
    struct gpucode_value old = *value;
    set_plain(value, c == '-' ? 0 - operand : c == '!' ? !operand : c == '~' ? ~operand : operand);
    if (c != '!')
        evaluation_mark_bits(e->debug, &old, value);
    return true;
}

/* The operator here that gives a value; null: none. */
static const struct operator_row *find_operator(const struct evaluation *e)
{
    const struct operator_row *row = operator_at(e->at, e->end);
    if (!row)
        return NULL;
    /* a += b is an assignment, which evaluate_expression() takes */
    bool can_assign = row->level >= LEVEL_BIT_OR && row->level != LEVEL_EQUAL && row->level != LEVEL_COMPARE;
    return can_assign && row->length < e->end - e->at && e->at[row->length] == '=' ? NULL : row;
}

static bool divide_values(struct evaluation *e, const char *at, char which, int64_t a, int64_t b,
                          struct gpucode_value *value)
{
    if (b == 0)
        return evaluation_fail_value(e, at, MSG_EXPR_ZERO, NULL, value);
    if (b == -1) /* the smallest number by -1 overflows */
        set_plain(value, which == '/' ? 0 - (uint64_t)a : 0);
    else
        set_plain(value, (uint64_t)(which == '/' ? a / b : a % b));
    return true;
}

bool compute_binary(struct evaluation *e, const char *at, const char *text, struct gpucode_value *left,
                    const struct gpucode_value *right)
{
    int64_t a = left->number, b = right->number;
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    struct gpucode_value old = *left;
    bool logical = (text[0] == '|' || text[0] == '&') && text[1] == text[0];
    if (!logical && (evaluation_is_float(left) || evaluation_is_float(right)))
        return compute_float(e, at, text, left, right);
    switch (text[0]) {
    case '|':
        set_plain(left, text[1] ? a || b : x | y);
        break;
    case '&':
        set_plain(left, text[1] ? a && b : x & y);
        break;
    case '^':
        set_plain(left, x ^ y);
        break;
    case '=':
        set_plain(left, a == b);
        break;
    case '!':
        set_plain(left, a != b);
        break;
    case '<':
        set_plain(left, text[1] == '<' ? (y < 64 ? x << y : 0) : text[1] ? a <= b : a < b);
        break;
    case '>':
        set_plain(left, text[1] == '>' ? (uint64_t)(a >> (y < 64 ? y : 63)) : text[1] ? a >= b : a > b);
        break;
    case '+':
    case '-':
        set_plain(left, text[0] == '+' ? x + y : x - y);
        if (old.is_code && !right->is_code) { /* a place some units on is a place */
            left->is_code = true;
            left->section = old.section;
        }
        break;
    case '*':
        set_plain(left, x * y);
        break;
    default:
        if (!divide_values(e, at, text[0], a, b, left))
            return false;
    }
    if (strchr("+-*/%", text[0])) {
        evaluation_mark_bits(e->debug, &old, left);
        evaluation_mark_bits(e->debug, right, left);
    }
    return true;
}

bool evaluate_binary(struct evaluation *e, unsigned least, struct gpucode_value *value)
{
    if (!evaluate_unary(e, value))
        return false;
    for (;;) {
        evaluation_skip_space(e);
        const struct operator_row *found = find_operator(e);
        if (!found || found->level < least)
            return true;
        const char *at = e->at, *text = found->text;
        e->at += found->length;
        bool idle = (found->level == LEVEL_OR && value->number) || (found->level == LEVEL_AND && !value->number);
        struct gpucode_value right;
        e->skip += idle;
        e->depth++;
        bool good = e->depth <= EVALUATION_DEPTH_MAX ? evaluate_binary(e, found->level + 1u, &right)
                                                     : evaluation_fail(e, at, 1, MSG_EXPR_DEEP, NULL);
        e->depth--;
        e->skip -= idle;
        if (!good || !compute_binary(e, at, text, value, &right))
            return false;
    }
}
