/* SPDX-License-Identifier: MIT */
/* Whole expressions: conditionals and assignments. */
#include "debug/evaluation.h"

#include "base/operators.h"

#include <stdio.h>
#include <string.h>

static bool evaluate_binary(struct evaluation *e, unsigned least, struct gpucode_value *value);

static bool evaluation_take(struct evaluation *e, char c);

static bool evaluate_conditional(struct evaluation *e, struct gpucode_value *value)
{
    if (!evaluate_binary(e, 0, value))
        return false;
    if (!evaluation_take(e, '?'))
        return true;
    bool yes = value->number != 0;
    struct gpucode_value first, second;
    e->skip += !yes;
    bool good = evaluate_expression(e, &first);
    e->skip -= !yes;
    if (!good || !evaluation_expect(e, ':', "':'"))
        return false;
    e->skip += yes;
    good = evaluate_expression(e, &second);
    e->skip -= yes;
    *value = yes ? first : second;
    return good;
}

static void evaluation_skip_space(struct evaluation *e);

/* The operator in front of '=' in an assignment; "=" itself for a plain one; null for none. */
static const char *take_assignment(struct evaluation *e)
{
    static const char *const all[] = {"<<", ">>", "|", "^", "&", "+", "-", "*", "/", "%"};
    evaluation_skip_space(e);
    if (evaluation_peek(e, 0) == '=' && evaluation_peek(e, 1) != '=') {
        e->at++;
        return "=";
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t length = strlen(all[i]);
        if ((size_t)(e->end - e->at) > length && memcmp(e->at, all[i], length) == 0 && e->at[length] == '=') {
            e->at += length + 1;
            return all[i];
        }
    }
    return NULL;
}

static bool compute_binary(struct evaluation *e, const char *at, const char *text, struct gpucode_value *left,
                           const struct gpucode_value *right);

bool evaluate_expression(struct evaluation *e, struct gpucode_value *value)
{
    evaluation_skip_space(e);
    const char *start = e->at;
    if (e->depth >= EVALUATION_DEPTH_MAX)
        return evaluation_fail(e, start, 1, MSG_EXPR_DEEP, NULL);
    e->depth++;
    bool good = evaluate_conditional(e, value);
    const char *stop = e->at, *text = good ? take_assignment(e) : NULL;
    if (text) {
        struct gpucode_value right, place = *value;
        size_t span = (size_t)(stop - start);
        if (!e->assign)
            good = evaluation_fail(e, stop, (size_t)(e->at - stop), MSG_EXPR_NO_ASSIGN, NULL);
        else if (value->place == GPUCODE_VALUE_PLAIN && !e->skip)
            good = evaluation_fail(e, start, span, MSG_EXPR_NO_PLACE, NULL);
        else
            good = evaluate_expression(e, &right) &&
                   (*text == '=' ? (*value = right, true) : compute_binary(e, stop, text, value, &right));
        int64_t number = 0;
        if (good && !e->skip && gpucode_debug_bits(e->debug, &place, value, &number) != GPUCODE_OK)
            good = evaluation_fail(e, start, span, MSG_EXPR_FLOAT_PLACE, NULL);
        if (good && !e->skip) {
            enum gpucode_status status = gpucode_debug_assign(e->debug, &place, number);
            e->no_memory |= status == GPUCODE_ERROR_MEMORY;
            good = status == GPUCODE_OK || (!e->no_memory && evaluation_fail(e, start, span, MSG_EXPR_WRITE, NULL));
            *value = place;
            if (good)
                lookup_read(e->debug, value);
        }
    }
    e->depth--;
    return good;
}

enum gpucode_status gpucode_debug_evaluate(struct gpucode_debug *debug, const char *text, size_t length, bool assign,
                                           struct gpucode_diagnostic_handler on_diagnostic, struct gpucode_value *value)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    struct evaluation e = {
        .debug = debug,
        .at = text,
        .end = text + length,
        .place = {.file = "<expression>", .text = text, .length = length},
        .on_diagnostic = on_diagnostic,
        .assign = assign,
    };
    if (!evaluate_expression(&e, value))
        return e.no_memory ? GPUCODE_ERROR_MEMORY : GPUCODE_ERROR_INPUT;
    evaluation_skip_space(&e);
    if (!value->is_code && value->section == VALUE_BITS)
        value->section = 0;
    if (e.at < e.end && !evaluation_fail(&e, e.at, 1, MSG_EXPR_EXPECTED, "an operator"))
        return GPUCODE_ERROR_INPUT;
    return GPUCODE_OK;
}

/* --- what all parts read by --------------------------------------------------------------------------------------- */

/* --- evaluation.c: text and errors --- */
static void evaluation_skip_space(struct evaluation *e)
{
    while (e->at < e->end && isspace((unsigned char)*e->at))
        e->at++;
}

bool evaluation_fail(struct evaluation *e, const char *at, size_t span, message_id message, const char *argument)
{
    e->place.at = at;
    e->place.span = span;
    report(&e->on_diagnostic, &e->place, message, NULL, argument);
    return false;
}

bool evaluation_fail_value(struct evaluation *e, const char *at, message_id message, const char *argument,
                           struct gpucode_value *value)
{
    *value = (struct gpucode_value){0};
    return e->skip || evaluation_fail(e, at, (size_t)(e->at - at), message, argument);
}

/* Takes a character if it is the next one after blanks. */
static bool evaluation_take(struct evaluation *e, char c)
{
    evaluation_skip_space(e);
    if (e->at >= e->end || *e->at != c)
        return false;
    e->at++;
    return true;
}

bool evaluation_expect(struct evaluation *e, char c, const char *what)
{
    return evaluation_take(e, c) || evaluation_fail(e, e->at, 1, MSG_EXPR_EXPECTED, what);
}

/* --- memory, and the C types that say how much of it -------------------------------------------------------------- */

/* What stands in memory, or in the register at that address. `start`: of the text that names it. */
static bool evaluate_memory(struct evaluation *e, const char *start, int64_t address, unsigned size,
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

/* What stands in memory at the address in `value`, or in the register there. `start`: of the text that names it. */
static bool evaluate_typed(struct evaluation *e, const char *start, const struct evaluation_type *type,
                           struct gpucode_value *value)
{
    if (evaluation_is_float(value))
        return evaluation_fail(e, start, 1, MSG_EXPR_FLOAT, NULL);
    if (!evaluate_memory(e, start, value->number, type->pointer ? 8 : type->bytes, value))
        return false;
    if (type->is_float && value->place == GPUCODE_VALUE_MEMORY)
        value->section = GPUCODE_VALUE_FLOAT;
    return true;
}

/* Takes the name of an integer type of C, and a `*` after it; nothing is taken where there is none. */
static bool evaluation_take_type(struct evaluation *e, struct evaluation_type *type)
{
    static const struct {
        const char *name;
        unsigned bytes;
        bool is_unsigned;
    } names[] = {
        {"char", 1, false},    {"short", 2, false},   {"int", 4, false},    {"long", 8, false},
        {"unsigned", 0, true}, {"signed", 0, false},  {"int8_t", 1, false}, {"int16_t", 2, false},
        {"int32_t", 4, false}, {"int64_t", 8, false}, {"uint8_t", 1, true}, {"uint16_t", 2, true},
        {"uint32_t", 4, true}, {"uint64_t", 8, true}, {"float", 4, false},  {"double", 8, false},
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
        type->is_float |= *names[i].name == 'f' || *names[i].name == 'd';
        e->at += length;
    }
    if (!type->bytes)
        type->bytes = 4;
    type->pointer = found && evaluation_take(e, '*');
    if (!found)
        e->at = start;
    return found;
}

/* The number as a value of the type; `at`: where that stands. False: told. */
static bool evaluation_convert(struct evaluation *e, const char *at, struct gpucode_value *value,
                               const struct evaluation_type *type)
{
    if (type->is_float && !type->pointer)
        return evaluation_to_float(e, at, value);
    evaluation_to_integer(value);
    uint64_t bits = (uint64_t)value->number;
    unsigned unused = type->pointer ? 0 : 64 - 8 * type->bytes;
    bits <<= unused;
    *value = (struct gpucode_value){.number = type->is_unsigned ? (int64_t)(bits >> unused) : (int64_t)bits >> unused};
    return true;
}

/* gdb's {int}ADDRESS, {ADDRESS} and {ADDRESS, SIZE}. */
static bool evaluate_unary(struct evaluation *e, struct gpucode_value *value);

/* --- evaluate_memory.c --- */
static bool evaluate_braces(struct evaluation *e, struct gpucode_value *value)
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
        return good && evaluate_typed(e, start, &type, value);
    }
    struct gpucode_value address, size = {.number = 4};
    if (!evaluate_expression(e, &address) || (evaluation_take(e, ',') && !evaluate_expression(e, &size)) ||
        !evaluation_expect(e, '}', "'}'"))
        return false;
    if (evaluation_is_float(&address) || evaluation_is_float(&size))
        return evaluation_fail(e, start, 1, MSG_EXPR_FLOAT, NULL);
    if (size.number != 1 && size.number != 2 && size.number != 4 && size.number != 8)
        return evaluation_fail_value(e, start, MSG_EXPR_SIZE, NULL, value);
    return evaluate_memory(e, start, address.number, (unsigned)size.number, value);
}

/* Operators of expressions, in front of an operand and between two. */

/* Operator `c`, which stands at `start`, on the operand that *value is. */
static bool compute_unary(struct evaluation *e, const char *start, char c, struct gpucode_value *value)
{
    uint64_t operand = (uint64_t)value->number;
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

static bool evaluate_unary(struct evaluation *e, struct gpucode_value *value)
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
    if (c == '*')
        return evaluate_typed(e, start, &type, value);
    return cast ? evaluation_convert(e, start, value, &type) : compute_unary(e, start, c, value);
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

/* *left becomes *left OPERATOR *right; `at` is where the operator stands, `text` begins with it. False: told. */
static bool compute_binary(struct evaluation *e, const char *at, const char *text, struct gpucode_value *left,
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

/* Operands joined by operators that bind at least as `least` (enum operator_level) says; 0: by any. */
static bool evaluate_binary(struct evaluation *e, unsigned least, struct gpucode_value *value)
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
