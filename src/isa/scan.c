/* SPDX-License-Identifier: MIT */
#include "isa/scan.h"
#include "base/operators.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

const bool isa_name_bytes[256] = {
    ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1,
    ['9'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1,
    ['i'] = 1, ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1,
    ['r'] = 1, ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1,
    ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1,
    ['J'] = 1, ['K'] = 1, ['L'] = 1, ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1,
    ['S'] = 1, ['T'] = 1, ['U'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1, ['_'] = 1,
};

/* --- white space and comments ----------------------------------------------------------------------- */

static const char *skip_to_newline(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

/* After a comment that nests: the opening and closing pairs are `/` + mark and mark + `/`. */
static const char *skip_block(const char *at, const char *end, char mark)
{
    unsigned depth = 0;
    while (end - at >= 2) {
        if (at[0] == '/' && at[1] == mark && (depth == 0 || mark == '+')) {
            depth++;
            at += 2;
        } else if (at[0] == mark && at[1] == '/') {
            at += 2;
            if (--depth == 0)
                return at;
        } else {
            at++;
        }
    }
    return NULL;
}

/* After the comment at `at`, of which the reader of the source is told. */
static const char *skip_comment(const struct isa_scan *scan, const char *at, const char *behind)
{
    if (scan->comment)
        scan->comment(scan->user, at, behind);
    return behind;
}

static inline bool is_space(char c, bool newlines)
{
    return c == ' ' || c == '\t' || c == '\r' || (c == '\n' && newlines);
}

static inline __attribute__((always_inline)) void skip_space(struct isa_scan *scan, bool newlines)
{
    const struct gpucode_syntax *syntax = &scan->isa->text.syntax;
    const char *at = scan->at, *end = scan->end;
    for (;;) {
        while (at < end && is_space(*at, newlines))
            at++;
        if (at == end || (*at > '/' && *at != ';')) /* the usual end: no comment begins with such a byte */
            break;
        char c = *at;
        if (c == syntax->comment[0] && (!syntax->comment[1] || (end - at >= 2 && at[1] == syntax->comment[1]))) {
            at = skip_comment(scan, at, skip_to_newline(at, end));
        } else if (c == '#' && syntax->hash_comments && (end - at < 2 || !isa_name_byte(at[1]))) {
            at = skip_comment(scan, at, skip_to_newline(at, end));
        } else if (c == '/' && syntax->block_comments && end - at >= 2 && (at[1] == '*' || at[1] == '+')) {
            const char *behind = skip_block(at, end, at[1]);
            if (!behind)
                break; /* left for the caller to stumble over: it has no end */
            at = skip_comment(scan, at, behind);
        } else {
            break;
        }
    }
    scan->at = at;
}

void isa_skip_space(struct isa_scan *scan)
{
    skip_space(scan, scan->isa->text.syntax.newlines_are_space);
}

void isa_skip_line(struct isa_scan *scan)
{
    skip_space(scan, false);
}

void isa_skip_hash_comment(struct isa_scan *scan)
{
    if (scan->isa->text.syntax.hash_comments)
        scan->at = skip_comment(scan, scan->at, skip_to_newline(scan->at, scan->end));
}

/* --- errors ------------------------------------------------------------------------------------------ */

static void remark(struct isa_remark *remark, const char *at, size_t span, message_id message, const char *hint,
                   const char *first, int first_length, const char *second)
{
    remark->set = true;
    remark->at = at;
    remark->span = span;
    remark->message = message;
    remark->hint = hint;
    remark->text[0][0] = remark->text[1][0] = remark->fix[0] = 0;
    if (first) {
        size_t length = first_length < 0 ? strlen(first) : (size_t)first_length;
        if (length >= sizeof remark->text[0])
            length = sizeof remark->text[0] - 1;
        memcpy(remark->text[0], first, length);
        remark->text[0][length] = 0;
    }
    if (second)
        snprintf(remark->text[1], sizeof remark->text[1], "%s", second);
}

bool isa_fail(struct isa_scan *scan, const char *at, size_t span, message_id message, const char *hint,
              const char *first, int first_length, const char *second)
{
    if (scan->quiet)
        return false;
    bool vague =
        scan->error.set && scan->error.at == at && scan->error.message == MSG_EXPECTED && message != MSG_EXPECTED;
    if (!scan->error.set || at > scan->error.at || vague)
        remark(&scan->error, at, span, message, hint, first, first_length, second);
    return false;
}

void isa_mend(struct isa_scan *scan, message_id message, const char *at, size_t span, const char *fix)
{
    struct isa_remark *error = &scan->error;
    if (!error->set || error->message != message || strlen(fix) >= sizeof error->fix)
        return;
    memcpy(error->fix, fix, strlen(fix) + 1);
    error->fix_at = at;
    error->fix_span = span;
}

bool isa_fail_meant(struct isa_scan *scan, const char *at, size_t span, message_id message, const char *first,
                    int first_length, const char *second, const char *meant)
{
    if (scan->quiet)
        return false;
    if (meant && strlen(meant) == span && memcmp(meant, at, span) == 0) /* an array's name, which lacks an index */
        meant = NULL;
    if (meant)
        snprintf(scan->hint, sizeof scan->hint, "did you mean %s?", meant);
    isa_fail(scan, at, span, message, meant ? scan->hint : NULL, first, first_length, second);
    if (meant && scan->error.at == at)
        isa_mend(scan, message, at, span, meant);
    return false;
}

void isa_note(struct isa_scan *scan, const char *at, size_t span, message_id message, const char *first,
              const char *second)
{
    remark(&scan->note, at, span, message, NULL, first, -1, second);
}

bool isa_expected(struct isa_scan *scan, const char *what)
{
    if (scan->quiet)
        return false;
    isa_skip(scan);
    size_t span = isa_name(scan);
    return isa_fail(scan, scan->at, span ? span : 1, MSG_EXPECTED, NULL, what, -1, NULL);
}

bool isa_expected_name(struct isa_scan *scan, const char *hash, const char *what)
{
    const char *at = hash + 1, *end = at;
    while (end < scan->end && end - at < 24 && isa_name_byte(*end))
        end++;
    scan->at = hash;
    if (scan->quiet || end == at || *at < '0' || *at > '9')
        return isa_expected(scan, what);
    snprintf(scan->hint, sizeof scan->hint, "numbers are written without '#': %.*s", (int)(end - at), at);
    return isa_fail(scan, hash, (size_t)(end - hash), MSG_EXPECTED, scan->hint, what, -1, NULL);
}

void isa_report(const struct isa_remark *remark, const struct gpucode_diagnostic_handler *on_diagnostic,
                const char *file, const char *text, size_t length, unsigned first_line)
{
    struct place place = {file, text, length, remark->at, remark->span, first_line, NULL, NULL, 0};
    place_mend(&place, remark->fix, remark->fix_at, remark->fix_span);
    report(on_diagnostic, &place, remark->message, remark->hint, remark->text[0], remark->text[1]);
}

/* --- small things ------------------------------------------------------------------------------------ */

bool isa_take_here(struct isa_scan *scan, const char *literal, size_t length)
{
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, literal, length) != 0)
        return false;
    if (isa_name_byte(literal[length - 1]) && scan->end - scan->at > (ptrdiff_t)length &&
        isa_name_byte(scan->at[length]))
        return false;
    scan->at += length;
    return true;
}

size_t isa_name(const struct isa_scan *scan)
{
    const char *at = scan->at;
    if (at >= scan->end || !isa_name_byte(*at) || (*at >= '0' && *at <= '9'))
        return 0;
    while (at < scan->end && isa_name_byte(*at))
        at++;
    return (size_t)(at - scan->at);
}

/* No digit of any base counts as 99. */
static int digit_value(char c)
{
    int digit = text_hex_digit(c);
    return digit < 0 ? 99 : digit;
}

bool isa_number(struct isa_scan *scan, uint64_t *value)
{
    isa_skip(scan);
    const char *start = scan->at, *at = start, *end = scan->end;
    unsigned base = 10;
    if (at >= end || *at < '0' || *at > '9')
        return isa_expected(scan, "a number");
    if (end - at > 1 && !isa_name_byte(at[1])) { /* one digit, as most small numbers have */
        scan->at = at + 1;
        *value = (uint64_t)(*at - '0');
        if (scan->listener)
            scan->listener->number(scan->user, start, 1);
        return true;
    }
    if (*at == '0' && end - at >= 2 && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
        if (at >= end || digit_value(*at) > 15)
            return isa_fail(scan, start, 2, MSG_NO_DIGITS, NULL, NULL, 0, NULL);
    } else if (*at == '0' && end - at >= 2 && at[1] >= '0' && at[1] <= '9') {
        if (!scan->isa->text.syntax.octal)
            return isa_fail(scan, start, 1, MSG_LEADING_ZERO, NULL, NULL, 0, NULL);
        base = 8;
    }
    uint64_t number;
    bool overflow;
    at = text_read_digits(at, end, base, &number, &overflow);
    if (at < end && isa_name_byte(*at)) {
        const char *behind = at;
        while (behind < end && isa_name_byte(*behind))
            behind++;
        return isa_fail(scan, start, (size_t)(behind - start), MSG_BAD_NUMBER, NULL, start, (int)(behind - start),
                        NULL);
    }
    if (overflow || (number > INT64_MAX && !scan->isa->text.syntax.modulo))
        return isa_fail(scan, start, (size_t)(at - start), MSG_NUMBER_TOO_LARGE, NULL, start, (int)(at - start), NULL);
    scan->at = at;
    *value = number;
    if (scan->listener)
        scan->listener->number(scan->user, start, (size_t)(at - start));
    return true;
}

#define PLAIN_DIGITS 8

const char *isa_plain_number(const struct isa_scan *scan, uint64_t *value)
{
    const char *at = scan->at, *end = scan->end;
    uint64_t number = 0;
    if (end - at < 2 || (unsigned char)(*at - '0') > 9 || scan->listener) /* isa_number() tells a listener */
        return NULL;
    bool hex = at[0] == '0' && at[1] == 'x';
    const char *digits = hex ? at + 2 : at, *most = end - digits > PLAIN_DIGITS ? digits + PLAIN_DIGITS : end;
    at = digits;
    if (hex) {
        for (int digit; at < most && (digit = text_hex_digit(*at)) >= 0; at++)
            number = number << 4 | (unsigned)digit;
    } else {
        for (; at < most && (unsigned char)(*at - '0') <= 9; at++)
            number = number * 10 + (unsigned)(*at - '0');
        if (at - digits > 1 && *digits == '0') /* octal, or wrong */
            return NULL;
    }
    *value = number;
    if (at == digits || at == end || isa_name_byte(*at))
        return NULL;
    if (*at == '\n' || *at == ',') /* the usual end */
        return at;
    const char *next = at;
    while (next < end && (*next == ' ' || *next == '\t'))
        next++;
    return next < end && operator_may_begin(*next) ? NULL : at;
}

/* --- values into fields ------------------------------------------------------------------------------------------- */

bool isa_set_letter(struct isa_build *build, char letter, uint64_t value)
{
    for (unsigned i = 0; i < build->row->field_count; i++) {
        const struct isa_field *field = &build->row->fields[i];
        if (field->letter != letter)
            continue;
        if (field->width < 64 && value >> field->width)
            return false;
        build->bits = isa_field_set(field, build->bits, value);
        return true;
    }
    return value == 0;
}

/* One more field that waits; null: there are too many. */
static struct isa_pending *add_pending(struct isa_build *build, const struct isa_field *field)
{
    if (build->pending_count == ISA_PENDING_MAX)
        return NULL;
    uint8_t index = 0; /* by letter: rows as functions have copies of their fields */
    while (build->row->fields[index].letter != field->letter)
        index++;
    struct isa_pending *pending = &build->pending[build->pending_count++];
    pending->field = index;
    return pending;
}

bool isa_store(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field,
               const struct isa_value *value)
{
    if (value->term_count) {
        struct isa_pending *pending = add_pending(build, field);
        if (!pending)
            return isa_fail(scan, value->start, value->length, MSG_TOO_COMPLEX, NULL, NULL, 0, NULL);
        pending->is_label = false;
        memcpy(&pending->value, value, isa_value_size(value->term_count));
        return true;
    }
    uint64_t encoded;
    if (!isa_encode_value(scan->isa, field, scan->address, value->constant, &encoded))
        return isa_out_of_range(scan, field, value->start, value->length, value->constant);
    build->bits = isa_field_set(field, build->bits, encoded);
    return true;
}

bool isa_take_number(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, const char *start)
{
    uint64_t number;
    if (!isa_number(scan, &number))
        return false;
    if (number >> field->width)
        return isa_out_of_range(scan, field, start, (size_t)(scan->at - start), (int64_t)number);
    build->bits = isa_field_set(field, build->bits, number);
    return true;
}

const char *isa_read_label(const char *at, struct isa_scan *scan, struct isa_build *build,
                           const struct isa_field *field)
{
    const char *name = at + 1, *end = scan->end, *behind = name;
    if (end - at < 2 || *at != '#' || *name <= '9' || !scan->symbol)
        return NULL;
    while (behind < end && isa_name_byte(*behind))
        behind++;
    if (behind == name || behind == end || *behind != '\n')
        return NULL;
    int64_t value;
    uint64_t encoded;
    bool is_address;
    int known = scan->symbol(scan->user, name, (size_t)(behind - name), &value, &is_address);
    if (known > 0) {
        if (!is_address || !isa_encode_value(scan->isa, field, scan->address, value, &encoded))
            return NULL;
        build->bits = isa_field_set(field, build->bits, encoded);
        return behind;
    }
    struct isa_pending *pending = known ? NULL : add_pending(build, field);
    if (!pending)
        return NULL;
    pending->is_label = true;
    pending->value.start = at;
    pending->value.length = (uint32_t)(behind - at);
    return behind;
}

bool isa_encode_value(const struct isa *isa, const struct isa_field *field, uint64_t address, int64_t value,
                      uint64_t *encoded)
{
    const struct isa_operand_class *kind = &isa->text.operand_classes[field->kind];
    if (kind->store)
        return kind->store(field, address, value, encoded);
    *encoded = (uint64_t)value;
    return value >= 0 && (field->width >= 63 || value >> field->width == 0);
}

bool isa_out_of_range(struct isa_scan *scan, const struct isa_field *field, const char *at, size_t span, int64_t value)
{
    const struct isa_operand_class *kind = &scan->isa->text.operand_classes[field->kind];
    if (kind->from_address)
        value = (int64_t)((uint64_t)value - scan->address);
    int64_t low = 0, high = field->width < 63 ? (INT64_C(1) << field->width) - 1 : INT64_MAX;
    if (kind->range)
        kind->range(field, &low, &high);
    snprintf(scan->hint, sizeof scan->hint, "it goes from %lld to %lld", (long long)low, (long long)high);
    char text[64];
    if (value >= 10)
        snprintf(text, sizeof text, "%lld (0x%llx)", (long long)value, (long long)value);
    else
        snprintf(text, sizeof text, "%lld", (long long)value);
    return isa_fail(scan, at, span, MSG_OUT_OF_RANGE, scan->hint, text, -1, kind->name);
}
