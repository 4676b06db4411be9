/* SPDX-License-Identifier: MIT */
/* Pieces that are numbers (sums of bits), fractions, or lists. */
#include "export/sleigh_learn.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* After so many values that no sample has, fewer are asked for others. */
#define LACKING 32u
#define FEW 6u
#define AROUND 12 /* characters before or after a number */

enum style { NONE, HEXADECIMAL, DECIMAL };

/* The number between so many characters in front and after it. */
static enum style number_in(const char *text, size_t front, size_t after, int64_t *number)
{
    size_t length = strlen(text);
    char *end;
    *number = 0;
    if (front + after >= length)
        return NONE;
    const char *at = text + front, *stop = text + length - after;
    bool negative = *at == '-';
    const char *digits = at + negative;
    if (front && (isalnum((unsigned char)at[-1]) || strchr("_$@%.", at[-1])) && !(front == 1 && at[-1] == 'b'))
        return NONE;
    if (isdigit((unsigned char)*digits)) {
        bool hexadecimal = digits[0] == '0' && digits[1] == 'x';
        uint64_t value = strtoull(digits, &end, hexadecimal ? 16 : 10);
        if (end == stop && (hexadecimal || digits[0] != '0' || end == digits + 1)) {
            *number = (int64_t)(negative ? -value : value);
            return hexadecimal ? HEXADECIMAL : DECIMAL;
        }
    }
    return NONE;
}

/* How much stands in front of numbers and after them in all texts, least first. */
static enum style find_number(const struct samples *samples, size_t *front, size_t *after)
{
    int64_t number;
    for (*front = 0; *front < AROUND; ++*front)
        for (*after = 0; *after < AROUND; ++*after) {
            enum style style = DECIMAL, one;
            bool all = true;
            for (unsigned i = 0; i < samples->count && all; i++) {
                const char *text = samples->text[i], *first = samples->text[0];
                one = number_in(text, *front, *after, &number);
                all = one != NONE && strncmp(text, first, *front) == 0 &&
                      strcmp(text + strlen(text) - *after, first + strlen(first) - *after) == 0;
                style = one == HEXADECIMAL ? HEXADECIMAL : style;
            }
            if (all)
                return style;
        }
    return NONE;
}

/* What a bit adds; false: not always the same. */
static bool step_of(struct learner *l, const struct view *view, const struct domain *domain,
                    const struct samples *samples, uint64_t bit, size_t front, size_t after, int64_t *step)
{
    bool known = false;
    char text[GPUCODE_TEXT_MAX];
    int64_t own, other;
    for (unsigned i = 0; i < samples->count && i < FLIPS; i++) {
        uint64_t word = samples->word[i] ^ bit;
        if (!domain_has(domain, word) || !learner_look(l, view, word, text))
            continue;
        if (number_in(text, front, after, &other) == NONE || number_in(samples->text[i], front, after, &own) == NONE)
            return false;
        int64_t found = (int64_t)(word & bit ? (uint64_t)other - (uint64_t)own : (uint64_t)own - (uint64_t)other);
        if (known && found != *step)
            return false;
        *step = found;
        known = true;
    }
    return known;
}

/* A fraction, or the bits of one that is not a number: "(1.5)", "0x7fc00001", "h(0x7e00)". */
static bool is_fraction(const char *text, bool *bits, bool *bare)
{
    char *end;
    text += *text == 'h' && text[1] == '(';
    *bare = *text != '(';
    text += !*bare;
    *bits = strncmp(text, "0x", 2) == 0;
    if (*bits)
        strtoull(text, &end, 16);
    else if (!*bare)
        strtod(text, &end);
    else
        return false;
    return end > text && strcmp(end, *bare ? "" : ")") == 0;
}

/* Fractions are shown as the bits that they have, which is what a module can say. */
bool learn_fraction(struct learner *l, const struct samples *samples, char form[SHOWN_MAX])
{
    unsigned high = 63 - (unsigned)__builtin_clzll(samples->changes), index;
    uint64_t field = 0;
    bool bits = true, bare = false, one, alone;
    for (unsigned i = 0; i < l->field_count; i++)
        field = l->fields[i] >> high & 1 ? l->fields[i] : field;
    unsigned low = field ? (unsigned)__builtin_ctzll(field) : high;
    for (unsigned i = 0; i < samples->count; i++) {
        if (!is_fraction(samples->text[i], &one, &alone))
            return false;
        bits &= one;
        bare |= alone;
    }
    struct sleigh_shown *table = NULL;
    if (!bits && high - low >= 12)
        table = shown_add(l->row->sleigh, SHOWN_NUMBER, l->row->facts->size, &index);
    if (!table)
        return false;
    table->fraction = true;
    for (unsigned bit = low; bit <= low + (high - low < 16 ? 15 : 31); bit++)
        table->step[bit] = (int64_t)(UINT64_C(1) << (bit - low));
    if (!bare)
        shown_append(form, samples->text[0], strcspn(samples->text[0], "(") + 1);
    shown_refer(l->row->sleigh, form);
    shown_append(form, ")", bare ? 0 : 1);
    return true;
}

static bool is_whole_word(const int64_t step[64], int64_t start)
{
    for (unsigned bit = 0; bit < 64; bit++)
        if ((uint64_t)step[bit] != UINT64_C(1) << bit)
            return false;
    return start == 0;
}

/* A hexadecimal digit of a number as a list. */
static void refer_digit(const struct sleigh_row *row, unsigned low, char form[SHOWN_MAX])
{
    unsigned index;
    struct sleigh_shown *table = shown_add(row->sleigh, SHOWN_LIST, row->facts->size, &index);
    for (uint64_t digit = 0; table && digit < 16; digit++) {
        const char text[] = {"0123456789abcdef"[digit], 0};
        shown_add_case(row->sleigh, table, UINT64_C(15) << low, digit << low, text);
    }
    if (table)
        shown_refer(row->sleigh, form);
}

bool learn_number(struct learner *l, const struct view *view, const struct domain *domain,
                  const struct samples *samples, char form[SHOWN_MAX])
{
    size_t front, after;
    int64_t step[64] = {0}, number, start = 0;
    enum style style = find_number(samples, &front, &after);
    unsigned low = (unsigned)__builtin_ctzll(samples->changes), high = 63 - (unsigned)__builtin_clzll(samples->changes);
    if (view->split_count ? view->splits[view->split_count - 1].sign == '.' : l->after_dot && !front)
        return false;                                      /* a part of a word */
    if (l->names && !front && high - low < LONG_LIST_BITS) /* some may have names */
        return learn_list(l, view, domain, samples, LONG_LIST_BITS, form);
    if (style == NONE || (style == DECIMAL && high - low < LIST_BITS - 2)) /* a list has short ones as they are */
        return false;
    for (uint64_t left = samples->changes; left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(left);
        if (!step_of(l, view, domain, samples, UINT64_C(1) << bit, front, after, &step[bit]))
            return false;
    }
    for (unsigned i = 0; i < samples->count; i++) {
        uint64_t sum = 0;
        for (unsigned bit = 0; bit < 64; bit++)
            sum += samples->word[i] >> bit & 1 ? (uint64_t)step[bit] : 0;
        number_in(samples->text[i], front, after, &number);
        if (!i)
            start = (int64_t)((uint64_t)number - sum);
        if ((int64_t)((uint64_t)start + sum) != number)
            return false;
    }
    unsigned index;
    struct sleigh_shown *table = shown_add(l->row->sleigh, SHOWN_NUMBER, l->row->facts->size, &index);
    if (!table)
        return false;
    const bool whole = is_whole_word(step, start); /* modules have numbers with a sign */
    table->start = start;
    for (unsigned bit = whole ? 32 : 0; bit < 64; bit++)
        table->step[bit] = whole ? INT64_C(1) << (bit - 32) : step[bit];
    shown_append(form, samples->text[0], front);
    shown_refer(l->row->sleigh, form);
    for (unsigned digit = 8; whole && digit; digit--)
        refer_digit(l->row, 4 * (digit - 1), form);
    shown_append(form, samples->text[0] + strlen(samples->text[0]) - after, after);
    return true;
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

/* The text where the bits of `mask` have this value; the sample that had the last one is asked first. */
static bool text_of_value(struct learner *l, const struct view *view, const struct domain *domain,
                          const struct samples *samples, unsigned *at, unsigned most, uint64_t mask, uint64_t match,
                          char text[GPUCODE_TEXT_MAX])
{
    for (unsigned tries = 0; tries < samples->count && tries < most; tries++, *at = (*at + 1) % samples->count) {
        uint64_t word = (samples->word[*at] & ~mask) | match;
        if (domain_has(domain, word) && learner_look(l, view, word, text))
            return true;
    }
    return false;
}

/* The texts of all values of the bits; false: no list, which has no empty texts. */
static bool add_texts(struct learner *l, const struct view *view, const struct domain *domain,
                      const struct samples *samples, uint64_t mask, bool list, char form[SHOWN_MAX])
{
    unsigned index, at = 0, lacking = 0;
    struct sleigh *sleigh = l->row->sleigh;
    struct sleigh_shown *table = shown_add(sleigh, list ? SHOWN_LIST : SHOWN_CASES, l->row->facts->size, &index);
    char text[GPUCODE_TEXT_MAX];
    for (uint64_t value = 0; table && value >> __builtin_popcountll(mask) == 0; value++) {
        uint64_t match = learner_spread(value, mask);
        bool known = text_of_value(l, view, domain, samples, &at, lacking < LACKING ? SAMPLES : FEW, mask, match, text);
        lacking += !known;
        if (list && known && !*text) {
            shown_drop(sleigh);
            return false;
        }
        if (known || list)
            shown_add_case(sleigh, table, mask, match, known ? text : "-");
    }
    if (table)
        shown_refer(sleigh, form);
    return true;
}

bool learn_list(struct learner *l, const struct view *view, const struct domain *domain, const struct samples *samples,
                unsigned most, char form[SHOWN_MAX])
{
    unsigned low = (unsigned)__builtin_ctzll(samples->changes), high = 63 - (unsigned)__builtin_clzll(samples->changes);
    unsigned width = high - low + 1, bits = (unsigned)__builtin_popcountll(samples->changes);
    if (width > LIST_BITS && view->split_count && view->splits[view->split_count - 1].sign == '.')
        return false; /* digits of a decimal fraction: no list has all of them */
    if (width <= most && bits > 2 && bits + 1 >= width)
        return add_texts(l, view, domain, samples, ((UINT64_C(2) << (width - 1)) - 1) << low, true, form) ||
               (bits <= 6 && add_texts(l, view, domain, samples, samples->changes, false, form));
    return bits <= 4 && add_texts(l, view, domain, samples, samples->changes, false, form);
}
