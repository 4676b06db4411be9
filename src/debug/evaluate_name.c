/* SPDX-License-Identifier: MIT */
/* Numbers, characters and names in expressions. */
#include "debug/evaluation.h"

#include <stdio.h>
#include <string.h>

/* As in C, and binary ones: 0x1f, 0b101, 017, 12. */
bool evaluate_number(struct evaluation *e, struct gpucode_value *value)
{
    uint64_t result = 0;
    const char *start = e->at;
    bool good;
    if (evaluate_float(e, value, &good))
        return good;
    char second = (char)(evaluation_peek(e, 1) | 32);
    unsigned base = *e->at != '0'                              ? 10
                    : second == 'x'                            ? 16
                    : second == 'b'                            ? 2
                    : is_name_character(evaluation_peek(e, 1)) ? 8
                                                               : 10;
    if (base == 16 || base == 2)
        e->at += 2;
    const char *digits = e->at;
    for (; e->at < e->end && is_name_character(*e->at); e->at++) {
        char c = *e->at;
        unsigned digit = isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10;
        if (digit >= base)
            return evaluation_fail(e, start, (size_t)(e->at - start) + 1, MSG_EXPR_EXPECTED,
                                   base == 16  ? "hex digits"
                                   : base == 2 ? "binary digits"
                                   : base == 8 ? "octal digits after the 0"
                                               : "decimal digits");
        if (result > (UINT64_MAX - digit) / base)
            return evaluation_fail(e, start, (size_t)(e->at - start) + 1, MSG_EXPR_EXPECTED,
                                   "a number of at most 64 bits");
        result = result * base + digit;
    }
    if (digits == e->at)
        return evaluation_fail(e, start, 2, MSG_EXPR_EXPECTED, base == 16 ? "hex digits" : "binary digits");
    *value = (struct gpucode_value){.number = (int64_t)result};
    return true;
}

static bool find_name(struct evaluation *e, const char *start, const char *section, const char *name,
                      struct gpucode_value *value)
{
    if (lookup_name(e->debug, section, name, value))
        return true;
    bool exists = value->place == GPUCODE_VALUE_REGISTER;
    return evaluation_fail_value(e, start, exists ? MSG_EXPR_READ : MSG_EXPR_NAME, name, value);
}

/* '\\n' and the like; false: it is none of them. */
static bool take_escape(struct evaluation *e, struct gpucode_value *value)
{
    static const char letters[] = "0abfnrtve\\\'\"", codes[] = "\0\a\b\f\n\r\t\v\033\\\'\"";
    const char *found = evaluation_peek(e, 1) == '\\' && evaluation_peek(e, 2) && evaluation_peek(e, 3) == '\''
                            ? strchr(letters, evaluation_peek(e, 2))
                            : NULL;
    if (!found)
        return false;
    *value = (struct gpucode_value){.number = codes[found - letters]};
    e->at += 4;
    return true;
}

/* 'c' is a character, 'longer' a name. */
bool evaluate_quoted(struct evaluation *e, struct gpucode_value *value)
{
    char name[GPUCODE_NAME_MAX];
    if (take_escape(e, value))
        return true;
    const char *start = e->at, *close = memchr(start + 1, '\'', (size_t)(e->end - start - 1));
    size_t length = close ? (size_t)(close - start - 1) : 0;
    if (!length || length >= sizeof name)
        return evaluation_fail(e, start, 1, MSG_EXPR_EXPECTED, "a character or a name in quotes");
    e->at = close + 1;
    if (length == 1) {
        *value = (struct gpucode_value){.number = (unsigned char)start[1]};
        return true;
    }
    memcpy(name, start + 1, length);
    name[length] = 0;
    return find_name(e, start, NULL, name, value);
}

static bool append_to_name(struct evaluation *e, const char *start, char *name, size_t *length, const char *text,
                           size_t size)
{
    if (*length + size >= GPUCODE_NAME_MAX)
        return evaluation_fail(e, start, (size_t)(e->at - start), MSG_EXPR_EXPECTED, "a shorter name");
    memcpy(name + *length, text, size);
    *length += size;
    name[*length] = 0;
    return true;
}

/* A name with what belongs to it: CP_SCRATCH[2].REG, r1.y; subscripts are expressions. */
bool evaluate_name(struct evaluation *e, struct gpucode_value *value)
{
    char text[GPUCODE_NAME_MAX], section[GPUCODE_NAME_MAX], subscript[32];
    const char *start = e->at;
    size_t length = 0;
    bool has_section = false;
    unsigned number_of_section;
    if (*e->at == '#')
        e->at++;
    const char *word = e->at;
    if (e->at < e->end && !is_name_character(*e->at))
        e->at++; /* $ @ % | */
    while (e->at < e->end && is_name_character(*e->at))
        e->at++;
    if (!append_to_name(e, start, text, &length, word, (size_t)(e->at - word)))
        return false;
    if (evaluation_peek(e, 0) == ':' && is_name_character(evaluation_peek(e, 1)) &&
        lookup_section(e->debug, text, &number_of_section)) {
        memcpy(section, text, length + 1);
        has_section = true;
        word = ++e->at;
        while (e->at < e->end && is_name_character(*e->at))
            e->at++;
        length = 0;
        if (!append_to_name(e, start, text, &length, word, (size_t)(e->at - word)))
            return false;
    }
    for (;;) {
        word = e->at;
        if (evaluation_peek(e, 0) == '.' && is_name_character(evaluation_peek(e, 1))) {
            e->at++;
            while (e->at < e->end && is_name_character(*e->at))
                e->at++;
            if (!append_to_name(e, start, text, &length, word, (size_t)(e->at - word)))
                return false;
        } else if (evaluation_peek(e, 0) == '[') {
            struct gpucode_value index;
            e->at++;
            if (!evaluate_expression(e, &index) || !evaluation_expect(e, ']', "']'"))
                return false;
            if (evaluation_is_float(&index))
                return evaluation_fail(e, word, 1, MSG_EXPR_FLOAT, NULL);
            int size = snprintf(subscript, sizeof subscript, "[%lld]", (long long)index.number);
            if (!append_to_name(e, start, text, &length, subscript, (size_t)size))
                return false;
        } else {
            break;
        }
    }
    return find_name(e, start, has_section ? section : NULL, text, value);
}
