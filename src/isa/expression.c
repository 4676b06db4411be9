/* SPDX-License-Identifier: MIT */
/*
 * Expressions: a constant plus labels with factors. Labels whose value is not known yet stay as terms, so
 * that forward references and section-relative arithmetic need no second pass over the text. Of the operators beside
 * sums and products only the halves of a number (`& 0xffff`, `>> 16`) wait for labels, as the last one.
 */
#include "base/operators.h"
#include "isa/scan.h"

#include <stdio.h>
#include <string.h>

#define NESTING_MAX 64

static bool parse_binary(struct isa_scan *scan, struct isa_value *value, int level, unsigned depth);

static bool too_complex(struct isa_scan *scan, const char *at)
{
    return isa_fail(scan, at, 1, MSG_TOO_COMPLEX, NULL, NULL, 0, NULL);
}

static bool overflow(struct isa_scan *scan, const char *at)
{
    return isa_fail(scan, at, 1, MSG_OVERFLOW, NULL, NULL, 0, NULL);
}

/* The terms need no clearing: term_count says how many there are. */
static void set_constant(struct isa_value *value, int64_t constant)
{
    value->constant = constant;
    value->term_count = 0;
    value->half = ISA_WHOLE;
    value->is_address = false;
    value->known_factor = 0;
}

/* *sum = a + factor * b; false when that overflows and the set cares. */
static bool add_product(const struct isa_scan *scan, int64_t a, int64_t factor, int64_t b, int64_t *sum)
{
    int64_t product;
    if (factor == -1 ? !__builtin_sub_overflow(a, b, sum) /* the least number has no opposite */
                     : !__builtin_mul_overflow(b, factor, &product) && !__builtin_add_overflow(a, product, sum))
        return true;
    *sum = (int64_t)((uint64_t)a + (uint64_t)factor * (uint64_t)b);
    return scan->isa->text.syntax.modulo;
}

static bool refuse_label(struct isa_scan *scan, const char *text, const char *at)
{
    return isa_fail(scan, at, text[1] ? 2 : 1, MSG_LABEL_OPERATOR, NULL, text, -1, NULL);
}

/* left += factor * right */
static bool add_scaled(struct isa_scan *scan, struct isa_value *left, const struct isa_value *right, int64_t factor,
                       const char *at)
{
    if (!add_product(scan, left->constant, factor, right->constant, &left->constant) ||
        !add_product(scan, left->known_factor, factor, right->known_factor, &left->known_factor))
        return overflow(scan, at);
    for (unsigned i = 0; i < right->term_count; i++) {
        unsigned k = 0;
        while (k < left->term_count && (left->term[k].length != right->term[i].length ||
                                        memcmp(left->term[k].name, right->term[i].name, right->term[i].length) != 0))
            k++;
        if (k == ISA_TERMS_MAX)
            return too_complex(scan, at);
        if (k == left->term_count) {
            left->term[k] = right->term[i];
            left->term[k].factor = 0;
            left->term_count++;
        }
        if (!add_product(scan, left->term[k].factor, factor, right->term[i].factor, &left->term[k].factor))
            return overflow(scan, at);
    }
    left->is_address |= right->is_address;
    return true;
}

static bool scale(struct isa_scan *scan, struct isa_value *value, int64_t factor, const char *at)
{
    struct isa_value zero;
    set_constant(&zero, 0);
    if (!add_scaled(scan, &zero, value, factor, at))
        return false;
    *value = zero;
    return true;
}

/* Length of a register's name with its subscripts and members ("CP_SCRATCH[0x2].REG"); `length` is that of its first
 * part. */
static size_t register_length(const struct isa_scan *scan, size_t length)
{
    const char *at = scan->at + length;
    for (;;) {
        const char *part = at;
        if (part < scan->end && *part == '[') {
            for (part++; part < scan->end && isa_name_byte(*part);)
                part++;
            if (part == scan->end || *part++ != ']' || part - at < 3)
                break;
        } else if (scan->end - part > 1 && *part == '.' && isa_name_byte(part[1])) {
            for (part++; part < scan->end && isa_name_byte(*part);)
                part++;
        } else {
            break;
        }
        at = part;
    }
    return (size_t)(at - scan->at);
}

bool isa_register_value(const struct isa_scan *scan, const char *name, size_t length, int64_t *value)
{
    uint32_t number;
    const struct isa_names *builtin = scan->target->names;
    if (!builtin || !builtin->spaces[GPUCODE_SPACE_GPU] ||
        !isa_number_of(builtin, scan->names, GPUCODE_SPACE_GPU, name, length, &number))
        return false;
    *value = number;
    return true;
}

/* A constant, a label, or the name of a GPU register, which stands for its number. */
static bool parse_symbol(struct isa_scan *scan, struct isa_value *value, size_t length, bool hash)
{
    const char *name = scan->at;
    int known = -1;
    if (scan->symbol)
        known = scan->symbol(scan->user, name, length, &value->constant, &value->is_address);
    if (!hash && known <= 0) {
        size_t whole = register_length(scan, length);
        /* a plain name may still be defined further down */
        if ((known < 0 || whole > length) && isa_register_value(scan, name, whole, &value->constant)) {
            isa_tell_name(scan, GPUCODE_SPACE_GPU, name, whole, (uint32_t)value->constant);
            scan->at += whole;
            return true;
        }
        if (whole > length && scan->target->names && scan->target->names->spaces[GPUCODE_SPACE_GPU]) {
            const char *nearest = isa_name_nearest(scan->target->names, GPUCODE_SPACE_GPU, name, whole);
            return isa_fail_meant(scan, name, whole, MSG_UNKNOWN_REGISTER, name, (int)whole,
                                  gpucode_target_name(scan->target), nearest);
        }
    }
    if (known < 0)
        return isa_fail(scan, name, length, MSG_UNKNOWN_SYMBOL, NULL, name, (int)length, NULL);
    if (known > 0)
        value->known_factor = value->is_address;
    if (known == 0) {
        value->constant = 0;
        value->term_count = 1;
        value->term[0] = (struct isa_term){.name = name, .length = (uint32_t)length, .factor = 1};
        value->is_address = true;
    }
    scan->at += length;
    return true;
}

/* Notes that there is no such register: which generations have it, or else which name was meant. */
static bool no_register(struct isa_scan *scan, enum gpucode_space space, const char *name, size_t length)
{
    size_t used = 0;
    uint32_t number;
    const char *start = name - 1, *colon = strchr(scan->target->name, ':');
    const char *chip = colon ? colon + 1 : scan->target->name;
    const struct gpucode_target *target = scan->isa->targets.list, *end = target + scan->isa->targets.count;
    for (; target < end && used < sizeof scan->hint; target++)
        if (target->is_generation && isa_number_of(target->names, NULL, space, name, length, &number))
            used += (size_t)snprintf(scan->hint + used, sizeof scan->hint - used, "%s %s", used ? "" : "it exists on",
                                     strchr(target->name, ':') + 1);
    if (used)
        return isa_fail(scan, start, length + 1, MSG_UNKNOWN_REGISTER, scan->hint, start, (int)length + 1, chip);
    const char *nearest = isa_name_nearest(scan->target->names, space, name, length);
    char meant[GPUCODE_NAME_MAX + 1];
    snprintf(meant, sizeof meant, "%c%s", *start, nearest ? nearest : "");
    return isa_fail_meant(scan, start, length + 1, MSG_UNKNOWN_REGISTER, start, (int)length + 1, chip,
                          nearest ? meant : NULL);
}

/* `@NAME`, `%NAME` and `|NAME`: registers as numbers. */
static bool parse_register(struct isa_scan *scan, struct isa_value *value, enum gpucode_space space)
{
    scan->at++;
    size_t length = isa_name(scan);
    uint32_t number;
    if (!length)
        return isa_expected(scan, "a register name");
    if (!isa_number_of(scan->target->names, scan->names, space, scan->at, length, &number))
        return no_register(scan, space, scan->at, length);
    isa_tell_name(scan, space, scan->at, length, number);
    scan->at += length;
    value->constant = number;
    return true;
}

/* The operator `at` in front of the value. */
static bool apply_sign(struct isa_scan *scan, struct isa_value *value, const char *at)
{
    if (*at == '+')
        return true;
    if (*at == '-' && !value->half)
        return scale(scan, value, -1, at);
    if (value->term_count)
        return isa_fail(scan, at, 1, MSG_LABEL_OPERATOR, NULL, at, 1, NULL);
    bool address = value->is_address;
    set_constant(value, *at == '~' ? ~value->constant : !value->constant);
    value->is_address = address;
    return true;
}

static bool parse_primary(struct isa_scan *scan, struct isa_value *value, unsigned depth)
{
    isa_skip(scan);
    if (depth > NESTING_MAX)
        return too_complex(scan, scan->at);
    set_constant(value, 0);
    if (scan->at >= scan->end)
        return isa_expected(scan, "a value");
    char c = *scan->at;
    if (c >= '0' && c <= '9') {
        uint64_t number;
        if (!isa_number(scan, &number))
            return false;
        value->constant = (int64_t)number;
        return true;
    }
    if (c == '(') {
        scan->at++;
        if (!parse_binary(scan, value, LEVEL_OR, depth + 1))
            return false;
        return isa_take(scan, ")") || isa_expected(scan, "')'");
    }
    if (c == '-' || c == '+' || c == '~' || c == '!') {
        const char *at = scan->at++;
        return parse_primary(scan, value, depth + 1) && apply_sign(scan, value, at);
    }
    if (c == '@' && scan->target->names && scan->target->names->spaces[GPUCODE_SPACE_CONTROL])
        return parse_register(scan, value, GPUCODE_SPACE_CONTROL);
    if (c == '%' && scan->target->names && scan->target->names->spaces[GPUCODE_SPACE_SQE])
        return parse_register(scan, value, GPUCODE_SPACE_SQE);
    if (c == '|' && scan->target->names && scan->target->names->spaces[GPUCODE_SPACE_PIPE])
        return parse_register(scan, value, GPUCODE_SPACE_PIPE);
    bool hash = c == '#';
    const char *start = scan->at;
    scan->at += hash;
    size_t length = isa_name(scan);
    if (!length) {
        scan->at = start;
        return hash ? isa_expected_name(scan, start, "a label name after '#'") : isa_expected(scan, "a value");
    }
    /* a label of another section: "BV:name"; "BV::name" counts from the start of the image */
    if (hash && scan->end - scan->at > (ptrdiff_t)length + 1 && scan->at[length] == ':') {
        size_t colons = scan->at[length + 1] == ':' ? 2 : 1;
        scan->at += length + colons;
        size_t more = isa_name(scan);
        scan->at -= length + colons;
        if (more)
            length += colons + more;
    }
    return parse_symbol(scan, value, length, hash);
}

static bool divide_constants(struct isa_scan *scan, char c, int64_t a, int64_t b, const char *at, int64_t *result)
{
    if (b == 0)
        return isa_fail(scan, at, 1, MSG_DIVISION_BY_ZERO, NULL, NULL, 0, NULL);
    if (a == INT64_MIN && b == -1)
        return overflow(scan, at);
    *result = c == '/' ? a / b : a % b;
    return true;
}

/* The operators that are others for unsigned numbers modulo 2^64; false: all the same, or an error. */
static bool apply_modulo(char c, char second, int64_t left, int64_t right, int64_t *result)
{
    uint64_t a = (uint64_t)left, b = (uint64_t)right, value;
    if ((c == '/' || c == '%') && b)
        value = c == '/' ? a / b : a % b;
    else if ((c == '<' || c == '>') && second == c && b < 64)
        value = c == '<' ? a << b : a >> b;
    else if ((c == '<' || c == '>') && second != c)
        value = second ? (c == '<' ? a <= b : a >= b) : (c == '<' ? a < b : a > b);
    else
        return false;
    *result = (int64_t)value;
    return true;
}

static bool shift_constant(struct isa_scan *scan, char c, int64_t a, int64_t b, const char *at, int64_t *result)
{
    if (b < 0 || b > 63)
        return isa_fail(scan, at, 2, MSG_SHIFT_COUNT, NULL, NULL, 0, NULL);
    if (c == '<' && (a < 0 || (b && a >> (63 - b))))
        return overflow(scan, at);
    *result = c == '>' ? a >> b : (int64_t)((uint64_t)a << b);
    return true;
}

static bool compute_constants(struct isa_scan *scan, const char *text, int64_t a, int64_t b, const char *at,
                              int64_t *result)
{
    bool second = text[1];
    switch (text[0]) {
    case '/':
    case '%':
        return divide_constants(scan, text[0], a, b, at, result);
    case '|':
        *result = second ? a || b : a | b;
        return true;
    case '&':
        *result = second ? a && b : a & b;
        return true;
    case '^':
        *result = a ^ b;
        return true;
    case '=':
        *result = a == b;
        return true;
    case '!':
        *result = a != b;
        return true;
    default: /* < <= << > >= >> */
        if (text[1] == text[0])
            return shift_constant(scan, text[0], a, b, at, result);
        *result = text[0] == '<' ? (second ? a <= b : a < b) : (second ? a >= b : a > b);
        return true;
    }
}

static bool apply_operator(struct isa_scan *scan, const struct operator_row *infix, struct isa_value *left,
                           const struct isa_value *right, const char *at)
{
    char c = infix->text[0], second = infix->text[1];
    if (left->half || right->half)
        return refuse_label(scan, infix->text, at);
    if (c == '+' || c == '-')
        return add_scaled(scan, left, right, c == '+' ? 1 : -1, at);
    if (c == '*' && (!left->term_count || !right->term_count)) {
        if (right->term_count || (right->known_factor && !left->known_factor)) {
            int64_t factor = left->constant;
            *left = *right;
            return scale(scan, left, factor, at);
        }
        return scale(scan, left, right->constant, at);
    }
    int64_t a = left->constant, b = right->constant;
    if (c == '<' && second == '<' && !right->term_count && b >= 0 && b < 63 && (left->term_count || left->known_factor))
        return scale(scan, left, INT64_C(1) << b, at);
    bool low = c == '&' && !second && b == 0xffff, high = c == '>' && second == '>' && b == 16;
    if (left->term_count && !right->term_count && (low || high)) {
        left->half = low ? ISA_LOW_HALF : ISA_HIGH_HALF;
        return true;
    }
    if (left->term_count || right->term_count)
        return refuse_label(scan, infix->text, at);
    bool address = left->is_address || right->is_address;
    int64_t result = 0;
    if (!(scan->isa->text.syntax.modulo && apply_modulo(c, second, a, b, &result)) &&
        !compute_constants(scan, infix->text, a, b, at, &result))
        return false;
    set_constant(left, result);
    left->is_address = address;
    return true;
}

/* Is the '-' at `at` the sign of another operand, where those are not separated by commas? */
static bool is_next_sign(const struct isa_scan *scan, const char *before, const char *at)
{
    return scan->isa->text.syntax.juxtaposed && *at == '-' && at > before && scan->end - at > 1 && at[1] != ' ' &&
           at[1] != '\t';
}

/* Precedence climbing: takes operators of `level` and tighter. */
static bool parse_binary(struct isa_scan *scan, struct isa_value *value, int level, unsigned depth)
{
    if (!parse_primary(scan, value, depth))
        return false;
    for (;;) {
        const char *before = scan->at;
        isa_skip_line(scan);
        const char *at = scan->at;
        const struct operator_row *infix = operator_at(scan->at, scan->end);
        if (!infix || infix->level < level || is_next_sign(scan, before, at)) {
            scan->at = before;
            return true;
        }
        scan->at += infix->length;
        struct isa_value right;
        if (!parse_binary(scan, &right, infix->level + 1, depth + 1) || !apply_operator(scan, infix, value, &right, at))
            return false;
    }
}

/* A label as listings have it: `#name` and after it nothing of an expression. False: it is something else, or wrong.
 */
static inline bool parse_plain_label(struct isa_scan *scan, struct isa_value *value)
{
    const char *start = scan->at, *end = scan->end, *at = start + 1;
    if (start == end || *start != '#')
        return false;
    while (at < end && isa_name_byte(*at))
        at++;
    size_t length = (size_t)(at - start) - 1;
    if (!length || (start[1] >= '0' && start[1] <= '9') || (at < end && *at == ':'))
        return false;
    const char *next = at;
    while (next < end && (*next == ' ' || *next == '\t'))
        next++;
    if (next < end && operator_may_begin(*next))
        return false;
    set_constant(value, 0);
    int known = scan->symbol ? scan->symbol(scan->user, start + 1, length, &value->constant, &value->is_address) : -1;
    if (known < 0) /* wrong, which is told elsewhere */
        return false;
    value->known_factor = known && value->is_address;
    value->start = start;
    value->length = (uint32_t)length + 1;
    value->is_address |= !known;
    value->term_count = !known;
    value->term[0] = (struct isa_term){.name = start + 1, .length = (uint32_t)length, .factor = 1};
    scan->at = at;
    return true;
}

/* The same for a number; false: it is something else. */
static inline bool parse_plain_number(struct isa_scan *scan, struct isa_value *value)
{
    uint64_t number;
    const char *start = scan->at, *behind = isa_plain_number(scan, &number);
    if (!behind)
        return false;
    set_constant(value, (int64_t)number);
    value->start = start;
    value->length = (uint32_t)(behind - start);
    scan->at = behind;
    return true;
}

static bool parse_from_level(struct isa_scan *scan, struct isa_value *value, int level)
{
    isa_skip(scan);
    const char *start = scan->at;
    if (parse_plain_label(scan, value) || parse_plain_number(scan, value))
        return true;
    if (!parse_binary(scan, value, level, 0))
        return false;
    value->start = start;
    value->length = (uint32_t)(scan->at - start);
    /* terms that cancelled out are gone */
    unsigned kept = 0;
    for (unsigned i = 0; i < value->term_count; i++)
        if (value->term[i].factor)
            value->term[kept++] = value->term[i];
    value->term_count = (uint8_t)kept;
    if (!kept && value->half)
        set_constant(value, value->half == ISA_LOW_HALF ? value->constant & 0xffff : value->constant >> 16);
    return true;
}

bool isa_expression(struct isa_scan *scan, struct isa_value *value)
{
    return parse_from_level(scan, value, LEVEL_ADD);
}

bool isa_expression_full(struct isa_scan *scan, struct isa_value *value)
{
    return parse_from_level(scan, value, LEVEL_OR);
}
