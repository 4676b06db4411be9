/* SPDX-License-Identifier: MIT */
/*
 * Expressions: a parser by precedence that computes as it reads. The side of &&, || and ?: that does not count is
 * read, but neither errors of values nor assignments happen in it.
 */
#include "debug/lookup.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 200

struct evaluation {
    struct gpucode_debug *debug;
    const char *at, *end;
    struct place place;
    struct gpucode_diagnostic_handler on_diagnostic;
    bool assign;
    unsigned depth, skip;
};

static bool expression(struct evaluation *e, struct gpucode_value *value);
static bool binary(struct evaluation *e, unsigned least, struct gpucode_value *value);
static bool unary(struct evaluation *e, struct gpucode_value *value);

static void skip_space(struct evaluation *e)
{
    while (e->at < e->end && isspace((unsigned char)*e->at))
        e->at++;
}

static bool fail(struct evaluation *e, const char *at, size_t span, enum message message, const char *argument)
{
    e->place.at = at;
    e->place.span = span;
    report(&e->on_diagnostic, &e->place, message, NULL, argument);
    return false;
}

/* What is wrong with a value only matters where the value does. */
static bool fail_value(struct evaluation *e, const char *at, enum message message, const char *argument,
                       struct gpucode_value *value)
{
    *value = (struct gpucode_value){0};
    return e->skip || fail(e, at, (size_t)(e->at - at), message, argument);
}

static bool take(struct evaluation *e, char c)
{
    skip_space(e);
    if (e->at >= e->end || *e->at != c)
        return false;
    e->at++;
    return true;
}

static bool expect(struct evaluation *e, char c, const char *what)
{
    return take(e, c) || fail(e, e->at, 1, MSG_EXPR_EXPECTED, what);
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static char peek(const struct evaluation *e, size_t offset)
{
    return (size_t)(e->end - e->at) > offset ? e->at[offset] : 0;
}

/* As in C, and binary ones: 0x1f, 0b101, 017, 12. */
static bool number(struct evaluation *e, struct gpucode_value *value)
{
    uint64_t result = 0;
    const char *start = e->at;
    char second = (char)(peek(e, 1) | 32);
    unsigned base = *e->at != '0' ? 10 : second == 'x' ? 16 : second == 'b' ? 2 : is_name(peek(e, 1)) ? 8 : 10;
    if (base == 16 || base == 2)
        e->at += 2;
    const char *digits = e->at;
    for (; e->at < e->end && is_name(*e->at); e->at++) {
        char c = *e->at;
        unsigned digit = isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10;
        if (digit >= base)
            return fail(e, start, (size_t)(e->at - start) + 1, MSG_EXPR_EXPECTED,
                        base == 16  ? "hex digits"
                        : base == 2 ? "binary digits"
                        : base == 8 ? "octal digits behind the 0"
                                    : "decimal digits");
        if (result > (UINT64_MAX - digit) / base)
            return fail(e, start, (size_t)(e->at - start) + 1, MSG_EXPR_EXPECTED, "a number of at most 64 bits");
        result = result * base + digit;
    }
    if (digits == e->at)
        return fail(e, start, 2, MSG_EXPR_EXPECTED, base == 16 ? "hex digits" : "binary digits");
    *value = (struct gpucode_value){.number = (int64_t)result};
    return true;
}

static bool named(struct evaluation *e, const char *start, const char *section, const char *name,
                  struct gpucode_value *value)
{
    if (lookup_name(e->debug, section, name, value))
        return true;
    bool exists = value->place == GPUCODE_VALUE_REGISTER;
    return fail_value(e, start, exists ? MSG_EXPR_READ : MSG_EXPR_NAME, name, value);
}

/* '\\n' and the like; false: it is none of them. */
static bool escape(struct evaluation *e, struct gpucode_value *value)
{
    static const char letters[] = "0abfnrtve\\\'\"", codes[] = "\0\a\b\f\n\r\t\v\033\\\'\"";
    const char *found = peek(e, 1) == '\\' && peek(e, 2) && peek(e, 3) == '\'' ? strchr(letters, peek(e, 2)) : NULL;
    if (!found)
        return false;
    *value = (struct gpucode_value){.number = codes[found - letters]};
    e->at += 4;
    return true;
}

/* 'c' is a character, 'longer' a name. */
static bool quoted(struct evaluation *e, struct gpucode_value *value)
{
    char name[GPUCODE_NAME_MAX];
    if (escape(e, value))
        return true;
    const char *start = e->at, *close = memchr(start + 1, '\'', (size_t)(e->end - start - 1));
    size_t length = close ? (size_t)(close - start - 1) : 0;
    if (!length || length >= sizeof name)
        return fail(e, start, 1, MSG_EXPR_EXPECTED, "a character or a name in quotes");
    e->at = close + 1;
    if (length == 1) {
        *value = (struct gpucode_value){.number = (unsigned char)start[1]};
        return true;
    }
    memcpy(name, start + 1, length);
    name[length] = 0;
    return named(e, start, NULL, name, value);
}

static bool put(struct evaluation *e, const char *start, char *name, size_t *length, const char *text, size_t size)
{
    if (*length + size >= GPUCODE_NAME_MAX)
        return fail(e, start, (size_t)(e->at - start), MSG_EXPR_EXPECTED, "a shorter name");
    memcpy(name + *length, text, size);
    *length += size;
    name[*length] = 0;
    return true;
}

/* A name with what belongs to it: CP_SCRATCH[2].REG, r1.y; subscripts are expressions. */
static bool name(struct evaluation *e, struct gpucode_value *value)
{
    char text[GPUCODE_NAME_MAX], section[GPUCODE_NAME_MAX], subscript[32];
    const char *start = e->at;
    size_t length = 0;
    bool has_section = false;
    unsigned number_of_section;
    if (*e->at == '#')
        e->at++;
    const char *word = e->at;
    if (e->at < e->end && !is_name(*e->at))
        e->at++; /* $ @ % | */
    while (e->at < e->end && is_name(*e->at))
        e->at++;
    if (!put(e, start, text, &length, word, (size_t)(e->at - word)))
        return false;
    if (peek(e, 0) == ':' && is_name(peek(e, 1)) && lookup_section(e->debug, text, &number_of_section)) {
        memcpy(section, text, length + 1);
        has_section = true;
        word = ++e->at;
        while (e->at < e->end && is_name(*e->at))
            e->at++;
        length = 0;
        if (!put(e, start, text, &length, word, (size_t)(e->at - word)))
            return false;
    }
    for (;;) {
        word = e->at;
        if (peek(e, 0) == '.' && is_name(peek(e, 1))) {
            e->at++;
            while (e->at < e->end && is_name(*e->at))
                e->at++;
            if (!put(e, start, text, &length, word, (size_t)(e->at - word)))
                return false;
        } else if (peek(e, 0) == '[') {
            struct gpucode_value index;
            e->at++;
            if (!expression(e, &index) || !expect(e, ']', "']'"))
                return false;
            int size = snprintf(subscript, sizeof subscript, "[%lld]", (long long)index.number);
            if (!put(e, start, text, &length, subscript, (size_t)size))
                return false;
        } else {
            break;
        }
    }
    return named(e, start, has_section ? section : NULL, text, value);
}

static bool memory(struct evaluation *e, const char *start, int64_t address, unsigned size, struct gpucode_value *value)
{
    char text[32];
    if (size == 4 && lookup_mmio(e->debug, (uint64_t)address, value))
        return true;
    *value = (struct gpucode_value){.place = GPUCODE_VALUE_MEMORY, .address = (uint64_t)address, .size = size};
    if (lookup_read(e->debug, value))
        return true;
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
    skip_space(e);
    if (e->assign && peek(e, 0) == '=' && peek(e, 1) != '=') /* memory comes into being when it is written */
        return true;
    return fail_value(e, start, MSG_EXPR_MEMORY, text, value);
}

/* What a C type says about a number. */
struct type {
    unsigned bytes;
    bool is_unsigned, pointer;
};

/* Takes the name of an integer type of C, and a `*` behind it; nothing is taken where there is none. */
static bool take_type(struct evaluation *e, struct type *type)
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
    *type = (struct type){0};
    for (;;) { /* several words: unsigned long int */
        skip_space(e);
        size_t length = 0, i = 0, count = sizeof names / sizeof *names;
        while (is_name(peek(e, length)))
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
    type->pointer = found && take(e, '*');
    if (!found)
        e->at = start;
    return found;
}

/* The number as a value of the type. */
static void convert(struct gpucode_value *value, const struct type *type)
{
    uint64_t bits = (uint64_t)value->number;
    unsigned unused = type->pointer ? 0 : 64 - 8 * type->bytes;
    bits <<= unused;
    *value = (struct gpucode_value){.number = type->is_unsigned ? (int64_t)(bits >> unused) : (int64_t)bits >> unused};
}

/* gdb's {int}ADDRESS, {ADDRESS} and {ADDRESS, SIZE}. */
static bool braces(struct evaluation *e, struct gpucode_value *value)
{
    const char *start = e->at++;
    struct type type;
    if (take_type(e, &type)) {
        if (!expect(e, '}', "'}'"))
            return false;
        if (++e->depth > DEPTH_MAX)
            return fail(e, start, 1, MSG_EXPR_DEEP, NULL);
        bool good = unary(e, value);
        e->depth--;
        return good && memory(e, start, value->number, type.pointer ? 8 : type.bytes, value);
    }
    struct gpucode_value address, size = {.number = 4};
    if (!expression(e, &address) || (take(e, ',') && !expression(e, &size)) || !expect(e, '}', "'}'"))
        return false;
    if (size.number != 1 && size.number != 2 && size.number != 4 && size.number != 8)
        return fail_value(e, start, MSG_EXPR_SIZE, NULL, value);
    return memory(e, start, address.number, (unsigned)size.number, value);
}

static void plain(struct gpucode_value *value, uint64_t number)
{
    *value = (struct gpucode_value){.number = (int64_t)number};
}

static bool unary(struct evaluation *e, struct gpucode_value *value)
{
    skip_space(e);
    const char *start = e->at;
    char c = peek(e, 0);
    if (isdigit((unsigned char)c))
        return number(e, value);
    if (c == '\'')
        return quoted(e, value);
    if (c == '{')
        return braces(e, value);
    if (isalpha((unsigned char)c) || c == '_' ||
        ((c == '$' || c == '@' || c == '%' || c == '|' || c == '#') && is_name(peek(e, 1))))
        return name(e, value);
    struct type type = {0};
    bool cast = false;
    if (c == '(') {
        e->at++;
        cast = take_type(e, &type);
        if (!cast)
            return expression(e, value) && expect(e, ')', "')'");
        if (!expect(e, ')', "')'"))
            return false;
    } else if (!c || !strchr("-+!~*&", c)) {
        return fail(e, e->at, 1, MSG_EXPR_EXPECTED, "a number, a register, a label or memory");
    } else {
        e->at++;
    }
    if (c == '*') { /* *(int *)ADDRESS */
        skip_space(e);
        const char *operand = e->at;
        if (!take(e, '(') || !take_type(e, &type) || !type.pointer || !take(e, ')')) {
            type.bytes = 4;
            e->at = operand;
        }
    }
    if (++e->depth > DEPTH_MAX)
        return fail(e, start, 1, MSG_EXPR_DEEP, NULL);
    bool good = unary(e, value);
    e->depth--;
    if (!good)
        return false;
    uint64_t operand = (uint64_t)value->number;
    if (c == '*')
        return memory(e, start, value->number, type.bytes, value);
    if (cast) {
        convert(value, &type);
        return true;
    }
    if (c == '&') { /* labels are addresses already */
        if (value->place == GPUCODE_VALUE_MEMORY)
            plain(value, value->address);
        else if (!value->is_code || value->place != GPUCODE_VALUE_PLAIN)
            return fail_value(e, start, MSG_EXPR_EXPECTED, "a label or memory behind '&'", value);
        return true;
    }
    plain(value, c == '-' ? 0 - operand : c == '!' ? !operand : c == '~' ? ~operand : operand);
    return true;
}

/* Operators by precedence, longer ones first where one begins like another. */
static const struct {
    char text[4];
    unsigned level; /* 1 binds least */
} operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"|", 3},
    {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};
#define OPERATORS (sizeof operators / sizeof *operators)

static size_t find_operator(const struct evaluation *e)
{
    size_t left = (size_t)(e->end - e->at);
    for (size_t i = 0; i < OPERATORS; i++) {
        size_t length = strlen(operators[i].text);
        if (length > left || memcmp(e->at, operators[i].text, length) != 0)
            continue;
        /* a += b is an assignment, which is not ours */
        unsigned level = operators[i].level;
        bool can_assign = level > 2 && level != 6 && level != 7;
        return can_assign && length < left && e->at[length] == '=' ? OPERATORS : i;
    }
    return OPERATORS;
}

static bool divide(struct evaluation *e, const char *at, char which, int64_t a, int64_t b, struct gpucode_value *value)
{
    if (b == 0)
        return fail_value(e, at, MSG_EXPR_ZERO, NULL, value);
    if (b == -1) /* the smallest number by -1 overflows */
        plain(value, which == '/' ? 0 - (uint64_t)a : 0);
    else
        plain(value, (uint64_t)(which == '/' ? a / b : a % b));
    return true;
}

static bool compute(struct evaluation *e, const char *at, const char *text, struct gpucode_value *left,
                    const struct gpucode_value *right)
{
    int64_t a = left->number, b = right->number;
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    struct gpucode_value old = *left;
    switch (text[0]) {
    case '|':
        plain(left, text[1] ? a || b : x | y);
        break;
    case '&':
        plain(left, text[1] ? a && b : x & y);
        break;
    case '^':
        plain(left, x ^ y);
        break;
    case '=':
        plain(left, a == b);
        break;
    case '!':
        plain(left, a != b);
        break;
    case '<':
        plain(left, text[1] == '<' ? (y < 64 ? x << y : 0) : text[1] ? a <= b : a < b);
        break;
    case '>':
        plain(left, text[1] == '>' ? (uint64_t)(a >> (y < 64 ? y : 63)) : text[1] ? a >= b : a > b);
        break;
    case '+':
    case '-':
        plain(left, text[0] == '+' ? x + y : x - y);
        if (old.is_code && !right->is_code) { /* a place some units on is a place */
            left->is_code = true;
            left->section = old.section;
        }
        break;
    case '*':
        plain(left, x * y);
        break;
    default:
        return divide(e, at, text[0], a, b, left);
    }
    return true;
}

static bool binary(struct evaluation *e, unsigned least, struct gpucode_value *value)
{
    if (!unary(e, value))
        return false;
    for (;;) {
        skip_space(e);
        size_t found = find_operator(e);
        if (found == OPERATORS || operators[found].level < least)
            return true;
        const char *at = e->at, *text = operators[found].text;
        e->at += strlen(text);
        bool idle = (operators[found].level == 1 && value->number) || (operators[found].level == 2 && !value->number);
        struct gpucode_value right;
        e->skip += idle;
        e->depth++;
        bool good =
            e->depth <= DEPTH_MAX ? binary(e, operators[found].level + 1, &right) : fail(e, at, 1, MSG_EXPR_DEEP, NULL);
        e->depth--;
        e->skip -= idle;
        if (!good || !compute(e, at, text, value, &right))
            return false;
    }
}

static bool conditional(struct evaluation *e, struct gpucode_value *value)
{
    if (!binary(e, 1, value))
        return false;
    if (!take(e, '?'))
        return true;
    bool yes = value->number != 0;
    struct gpucode_value first, second;
    e->skip += !yes;
    bool good = expression(e, &first);
    e->skip -= !yes;
    if (!good || !expect(e, ':', "':'"))
        return false;
    e->skip += yes;
    good = expression(e, &second);
    e->skip -= yes;
    *value = yes ? first : second;
    return good;
}

/* The operator in front of '=' in an assignment; "=" itself for a plain one; null for none. */
static const char *assignment(struct evaluation *e)
{
    static const char *const all[] = {"<<", ">>", "|", "^", "&", "+", "-", "*", "/", "%"};
    skip_space(e);
    if (peek(e, 0) == '=' && peek(e, 1) != '=') {
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

static bool expression(struct evaluation *e, struct gpucode_value *value)
{
    skip_space(e);
    const char *start = e->at;
    if (e->depth >= DEPTH_MAX)
        return fail(e, start, 1, MSG_EXPR_DEEP, NULL);
    e->depth++;
    bool good = conditional(e, value);
    const char *stop = e->at, *text = good ? assignment(e) : NULL;
    if (text) {
        struct gpucode_value right, place = *value;
        size_t span = (size_t)(stop - start);
        if (!e->assign)
            good = fail(e, stop, (size_t)(e->at - stop), MSG_EXPR_NO_ASSIGN, NULL);
        else if (value->place == GPUCODE_VALUE_PLAIN && !e->skip)
            good = fail(e, start, span, MSG_EXPR_NO_PLACE, NULL);
        else
            good = expression(e, &right) &&
                   (*text == '=' ? (*value = right, true) : compute(e, stop, text, value, &right));
        if (good && !e->skip) {
            good = gpucode_debug_assign(e->debug, &place, value->number) == GPUCODE_OK ||
                   fail(e, start, span, MSG_EXPR_WRITE, NULL);
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
    struct evaluation e = {
        .debug = debug,
        .at = text,
        .end = text + length,
        .place = {.file = "<expression>", .text = text, .length = length},
        .on_diagnostic = on_diagnostic,
        .assign = assign,
    };
    if (!expression(&e, value))
        return GPUCODE_ERROR_INPUT;
    skip_space(&e);
    if (e.at < e.end && !fail(&e, e.at, 1, MSG_EXPR_EXPECTED, "an operator"))
        return GPUCODE_ERROR_INPUT;
    return GPUCODE_OK;
}
