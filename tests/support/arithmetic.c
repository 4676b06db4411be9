/* SPDX-License-Identifier: MIT */
#include "arithmetic.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* By how they bind, loosest first, as C has them. */
static const char *const levels[][5] = {
    {"||"},       {"&&"},     {"|"},           {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
};
enum { UNARY = sizeof levels / sizeof *levels };

struct maker {
    struct arithmetic *out;
    uint64_t *seed;
    bool more;
};

static uint32_t below(const struct maker *maker, uint32_t count)
{
    *maker->seed = *maker->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*maker->seed >> 33) % count;
}

/* A word, with blanks in front of it or without. */
static void put(const struct maker *maker, const char *text)
{
    struct arithmetic *out = maker->out;
    /* two that would be one word, or another one: `- -`, `& &`, `| |`, `a & &b` */
    bool apart = out->used && strchr("+-&|<>=!", *text) && strchr("+-&|<>=!", out->text[out->used - 1]);
    for (unsigned blanks = below(maker, 4) ? apart : apart + below(maker, 3); blanks; blanks--)
        out->text[out->used++] = ' ';
    if (out->tokens < ARITHMETIC_TOKENS)
        out->at[out->tokens++] = out->used;
    out->used += (unsigned)sprintf(out->text + out->used, "%s", text);
}

static bool is_full(const struct maker *maker)
{
    return maker->out->used > ARITHMETIC_ROOM / 2 || maker->out->tokens > ARITHMETIC_TOKENS / 2;
}

static int64_t number(const struct maker *maker, int64_t most)
{
    static const int64_t corners[] = {0, 1, 2, 3, 31, 32, 63, 64, 255, INT32_MAX, UINT32_MAX, INT64_MAX};
    char text[80];
    int64_t value = below(maker, 2) ? corners[below(maker, 12)] : below(maker, 1000);
    value = value > most ? value % most + 1 : value;
    switch (below(maker, maker->more ? 4 : 3)) {
    case 0:
        snprintf(text, sizeof text, "0x%" PRIx64, (uint64_t)value);
        break;
    case 3:
        strcpy(text, "0b");
        for (int bit = 63; bit >= 0; bit--)
            if (value >> bit || !bit)
                strcat(text, value >> bit & 1 ? "1" : "0");
        break;
    default:
        snprintf(text, sizeof text, "%" PRId64, value);
        break;
    }
    put(maker, text);
    return value;
}

static int64_t divisor(const struct maker *maker)
{
    char text[8];
    unsigned value = 1 + below(maker, 40);
    snprintf(text, sizeof text, "%u", value);
    put(maker, text);
    return value;
}

static int64_t expression(const struct maker *maker, unsigned level, unsigned depth);

static int64_t unary(const struct maker *maker, unsigned depth)
{
    static const char operators[] = "-+!~";
    int64_t value;
    unsigned which = below(maker, 8);
    if (depth > 6 || is_full(maker) || which > 5)
        return number(maker, INT64_MAX);
    if (which > 3) {
        put(maker, "(");
        value = expression(maker, 0, depth + 1);
        put(maker, ")");
        return value;
    }
    put(maker, (char[]){operators[which], 0});
    value = unary(maker, depth + 1);
    maker->out->overflows |= which == 0 && value == INT64_MIN;
    return which == 0 ? (int64_t)(0 - (uint64_t)value) : which == 1 ? value : which == 2 ? !value : ~value;
}

/* Does the left side of && or || say it all? */
static bool decides(const char *operator, int64_t value)
{
    return strcmp(operator, value ? "||" : "&&") == 0;
}

/* What nobody may calculate. */
static int64_t nonsense(const struct maker *maker)
{
    const char *const words[] = {"(", "1", "/", "0", ")"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        put(maker, words[i]);
    return 1;
}

static int64_t shifted(const struct maker *maker, char way, int64_t a, int64_t b)
{
    maker->out->far |= b > 63;
    if (way == '>')
        return a >> (b > 63 ? 63 : b);
    int64_t result = b > 63 ? 0 : (int64_t)((uint64_t)a << b);
    maker->out->overflows |= a < 0 || b > 63 || result >> b != a || result < 0;
    return result;
}

static int64_t joined(const struct maker *maker, const char *operator, int64_t a, int64_t b)
{
    int64_t result = 0;
    bool *over = &maker->out->overflows, twice = operator[1] == operator[0];
    switch (*operator) {
    case '|':
        return twice ? a || b : a | b;
    case '&':
        return twice ? a && b : a & b;
    case '^':
        return a ^ b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return operator[1] ? a <= b : a<b;
    case '>':
        return operator[1] ? a >= b : a> b;
    case '+':
        *over |= __builtin_add_overflow(a, b, &result);
        return result;
    case '-':
        *over |= __builtin_sub_overflow(a, b, &result);
        return result;
    case '*':
        *over |= __builtin_mul_overflow(a, b, &result);
        return result;
    default:
        return *operator== '/' ? a / b : a % b;
    }
}

static int64_t expression(const struct maker *maker, unsigned level, unsigned depth)
{
    if (level == UNARY)
        return unary(maker, depth);
    int64_t value = expression(maker, level + 1, depth);
    while (below(maker, 9) == 0 && !is_full(maker)) {
        unsigned count = 0;
        while (levels[level][count])
            count++;
        const char *operator= levels[level][below(maker, count)];
        put(maker, operator);
        if (*operator== '/' || * operator== '%') /* by something that is not 0 */
            value = joined(maker, operator, value, divisor(maker));
        else if (strcmp(operator, "<<") == 0 || strcmp(operator, ">>") == 0)
            value = shifted(maker, *operator, value, number(maker, 70));
        else if (maker->more && decides(operator, value) && below(maker, 3) == 0)
            value = joined(maker, operator, value, nonsense(maker));
        else
            value = joined(maker, operator, value, expression(maker, level + 1, depth));
    }
    if (level || !maker->more || is_full(maker) || below(maker, 8))
        return value;
    put(maker, "?");
    bool wrong = below(maker, 3) == 0; /* what is not chosen */
    int64_t first = wrong && !value ? nonsense(maker) : expression(maker, 0, depth + 1);
    put(maker, ":");
    int64_t second = wrong && value ? nonsense(maker) : expression(maker, 0, depth + 1);
    return value ? first : second;
}

void arithmetic_make(struct arithmetic *out, uint64_t *seed, bool more)
{
    const struct maker maker = {out, seed, more};
    out->used = out->tokens = 0;
    out->overflows = out->far = false;
    out->value = expression(&maker, 0, 0);
}
