/* SPDX-License-Identifier: MIT */
/*
 * Finds how the parts of a row's text come of its bits. The printer is asked for many words; what a part depends on,
 * and in which way, is concluded from what it writes: always the same, a number, a list by a few bits, flags in front
 * of something or after it, pieces between signs, or another form for each value of a bit. What was concluded is tried
 * on words again; those that it does not fit are asked first the next time.
 */
#include "export/sleigh_shown.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 250   /* of a row */
#define TAKEN 40u   /* of them that a step looks at */
#define SAMPLES 72u /* and with those that have another bit and another text */
#define FLIPS 14u   /* words in which a bit is turned */
#define ROUNDS 8
#define CASE_WORDS 4
#define MORE 8 /* times that other words are tried on what was found */
#define STEPS_MAX 1500
#define SPLITS_MAX 12
#define LIST_BITS 8
#define LONG_LIST_BITS 12
#define AROUND 12    /* characters before or after a number */
#define LEAVES 32    /* cases of a table */
#define TREE_BITS 18 /* that kinds of text are told apart by */
#define FLAG_BITS 20 /* that a part with flags depends on at most */
#define ADDRESS 0x100000

struct learner {
    const struct sleigh_row *row;
    unsigned part;
    bool names;                                                        /* the part is a register */
    bool after_dot;                                                    /* it goes on a word */
    uint64_t *words, open, counts, random, fields[GPUCODE_FIELDS_MAX]; /* `counts`: bits that the part may depend on */
    unsigned word_count, field_count, steps;
};

/* Signs of struct view that are not characters: flags in front ("(abs)(neg)"), and what they stand in front of. */
#define FLAGS '\4'
#define NO_FLAGS '\5'

/* A piece of a part, of words with some bits cleared. */
struct view {
    uint64_t clear;
    struct {
        char sign;
        unsigned index;
    } splits[SPLITS_MAX];
    unsigned split_count;
};

/* Words that a step is about. */
struct domain {
    uint64_t mask, match, open, some[SPLITS_MAX]; /* `some`: of these bits not all are 0 */
    unsigned some_count;
};

struct samples {
    unsigned count, shape[SAMPLES], shape_count;
    uint64_t word[SAMPLES], changes; /* `changes`: bits that the piece depends on */
    char text[SAMPLES][GPUCODE_TEXT_MAX];
};

static void learn(struct learner *l, const struct view *view, const struct domain *domain, unsigned depth,
                  char form[SHOWN_MAX]);
static bool learn_list(struct learner *l, const struct view *view, const struct domain *domain,
                       const struct samples *samples, unsigned most, char form[SHOWN_MAX]);

static uint64_t next_random(struct learner *l)
{
    l->random ^= l->random << 13;
    l->random ^= l->random >> 7;
    return l->random ^= l->random << 17;
}

/* False: the word is none of the row's. */
static bool decode(const struct learner *l, uint64_t word, struct gpucode_insn *insn)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    return gpucode_decode(l->row->sleigh->target, bytes, l->row->facts->size, ADDRESS, insn) == GPUCODE_OK &&
           insn->row == l->row->row;
}

/* What the part shows, but for bits that mean nothing, and signs that separate digits. */
static bool make_text(const struct learner *l, uint64_t word, char text[GPUCODE_TEXT_MAX])
{
    struct gpucode_insn insn;
    if (!decode(l, word, &insn) || !gpucode_insn_part(&insn, NULL, l->part, text, NULL))
        return false;
    const char *brace = strchr(text, '{');
    if (brace && strstr(brace, "{rsv "))
        *text = 0;
    if (text[0] == '0' && strlen(text) > 10 && text[10] == '_')
        memmove(text + 10, text + 11, strlen(text) - 10);
    return true;
}

/* The same, from what was printed last if it is there: about half of all words come again soon. */
static bool part_text(const struct learner *l, uint64_t word, char text[GPUCODE_TEXT_MAX])
{
    struct shown_text *kept =
        &l->row->sleigh->parts->texts[word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SHOWN_TEXT_BITS)];
    if (kept->word != word || kept->asked != l->row->sleigh->parts->asked) {
        kept->known = make_text(l, word, text);
        size_t length = kept->known ? strlen(text) + 1 : 0;
        kept->word = word;
        kept->asked = length <= sizeof kept->text ? l->row->sleigh->parts->asked : 0;
        memcpy(kept->text, text, kept->asked ? length : 0);
        return kept->known;
    }
    if (kept->known)
        memcpy(text, kept->text, sizeof kept->text);
    return kept->known;
}

/* Flags in front of something: the length of "(abs)(neg)" of "(abs)(neg)(pi)". */
static size_t flags_length(const char *text)
{
    size_t length = 0, word;
    while (text[length] == '(' && (word = strspn(text + length + 1, "abcdefghijklmnopqrstuvwxyz_")) &&
           text[length + 1 + word] == ')' && text[length + word + 2])
        length += word + 2;
    return length;
}

/* The piece of the part; false: the word is none of the row's, or has no such piece. */
static bool look(const struct learner *l, const struct view *view, uint64_t word, char text[GPUCODE_TEXT_MAX])
{
    if (!part_text(l, word & ~view->clear, text))
        return false;
    for (unsigned i = 0; i < view->split_count; i++) {
        char *from = text;
        if (view->splits[i].sign == FLAGS) {
            text[flags_length(text)] = 0;
            continue;
        }
        if (view->splits[i].sign == NO_FLAGS) {
            from += flags_length(text);
            memmove(text, from, strlen(from) + 1);
            continue;
        }
        for (unsigned k = 0; k < view->splits[i].index; k++, from++)
            if (!(from = strchr(from, view->splits[i].sign)))
                return false;
        char *end = strchr(from, view->splits[i].sign);
        if (end)
            *end = 0;
        memmove(text, from, strlen(from) + 1);
    }
    return true;
}

static bool is_in(const struct domain *domain, uint64_t word)
{
    bool in = (word & domain->mask) == domain->match;
    for (unsigned i = 0; i < domain->some_count; i++)
        in &= (word & domain->some[i]) != 0;
    return in;
}

/* Bits of `value`, the lowest first, at the places of `mask`. */
static uint64_t spread(uint64_t value, uint64_t mask)
{
    uint64_t word = 0;
    for (; mask; mask &= mask - 1, value >>= 1)
        word |= value & 1 ? mask & (~mask + 1) : 0;
    return word;
}

/* --- words ---------------------------------------------------------------------------------------------------------
 */

/* A word of the row in which fields are 0, all ones, a bit, or anything. */
static uint64_t make_word(struct learner *l)
{
    uint64_t word = l->row->facts->match;
    uint64_t other = next_random(l) & 3 ? 0 : next_random(l) & next_random(l); /* bits that are of no field */
    for (unsigned i = 0; i < l->field_count; i++) {
        uint64_t mask = l->fields[i], value = next_random(l);
        switch (next_random(l) % 8) {
        case 0:
        case 1:
            value = 0;
            break;
        case 2:
            value = ~UINT64_C(0);
            break;
        case 3:
            value = spread(1, mask);
            break;
        default:
            break;
        }
        word |= value & mask;
        other &= ~mask;
    }
    return word | (other & l->open);
}

static void make_words(struct learner *l)
{
    for (unsigned tries = 0; l->word_count < WORDS && tries < 20 * WORDS; tries++) {
        struct gpucode_insn insn;
        l->words[l->word_count] = make_word(l);
        l->word_count += decode(l, l->words[l->word_count], &insn);
    }
}

static bool all_same(const struct samples *samples)
{
    for (unsigned i = 1; i < samples->count; i++)
        if (strcmp(samples->text[i], samples->text[0]) != 0)
            return false;
    return true;
}

/* The bits, and others of their fields. */
static uint64_t whole_fields(const struct learner *l, uint64_t bits)
{
    uint64_t whole = bits;
    for (unsigned i = 0; i < l->field_count; i++)
        whole |= l->fields[i] & bits ? l->fields[i] : 0;
    return whole & l->open;
}

static bool take_samples(struct learner *l, const struct view *view, const struct domain *domain,
                         struct samples *samples)
{
    samples->count = 0;
    for (unsigned i = 0; i < 2 * l->word_count && samples->count < TAKEN; i++) {
        /* those that did not fit stand in front */
        unsigned at = i & 1 && i / 2 < l->word_count ? i / 2 : (unsigned)(next_random(l) % l->word_count);
        uint64_t word = (l->words[at] & ~domain->mask) | domain->match;
        if (is_in(domain, word) && look(l, view, word, samples->text[samples->count]))
            samples->word[samples->count++] = word;
    }
    char text[GPUCODE_TEXT_MAX];
    const unsigned taken = samples->count;
    samples->changes = 0;
    unsigned flips = l->counts == l->open ? SAMPLES : FLIPS; /* as many as there are at first */
    uint64_t left = all_same(samples) ? 0 : domain->open & l->counts & ~domain->mask & ~view->clear;
    for (; left; left &= left - 1) {
        uint64_t bit = left & (~left + 1);
        for (unsigned i = 0; i < taken && i < flips && !(samples->changes & bit); i++)
            if (is_in(domain, samples->word[i] ^ bit) && look(l, view, samples->word[i] ^ bit, text) &&
                strcmp(text, samples->text[i]) != 0) {
                samples->changes |= bit;
                if (samples->count < SAMPLES) {
                    samples->word[samples->count] = samples->word[i] ^ bit;
                    memcpy(samples->text[samples->count++], text, sizeof text);
                }
            }
    }
    if (l->counts == l->open && samples->changes)
        l->counts = whole_fields(l, samples->changes);
    return samples->count != 0;
}

/* --- numbers -------------------------------------------------------------------------------------------------------
 */

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
        if (!is_in(domain, word) || !look(l, view, word, text))
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
static bool learn_fraction(struct learner *l, const struct samples *samples, char form[SHOWN_MAX])
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

static bool learn_number(struct learner *l, const struct view *view, const struct domain *domain,
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
    table->start = start;
    memcpy(table->step, step, sizeof step);
    shown_append(form, samples->text[0], front);
    shown_refer(l->row->sleigh, form);
    shown_append(form, samples->text[0] + strlen(samples->text[0]) - after, after);
    return true;
}

/* --- lists ---------------------------------------------------------------------------------------------------------
 */

/* The text where the bits of `mask` have this value. */
static bool text_of_value(struct learner *l, const struct view *view, const struct domain *domain,
                          const struct samples *samples, uint64_t mask, uint64_t match, char text[GPUCODE_TEXT_MAX])
{
    for (unsigned i = 0; i < samples->count; i++) {
        uint64_t word = (samples->word[i] & ~mask) | match;
        if (is_in(domain, word) && look(l, view, word, text))
            return true;
    }
    return false;
}

/* The texts of all values of the bits; false: no list, which has no empty texts. */
static bool add_texts(struct learner *l, const struct view *view, const struct domain *domain,
                      const struct samples *samples, uint64_t mask, bool list, char form[SHOWN_MAX])
{
    unsigned index;
    struct sleigh *sleigh = l->row->sleigh;
    struct sleigh_shown *table = shown_add(sleigh, list ? SHOWN_LIST : SHOWN_CASES, l->row->facts->size, &index);
    char text[GPUCODE_TEXT_MAX];
    for (uint64_t value = 0; table && value >> __builtin_popcountll(mask) == 0; value++) {
        uint64_t match = spread(value, mask);
        bool known = text_of_value(l, view, domain, samples, mask, match, text);
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

static bool learn_list(struct learner *l, const struct view *view, const struct domain *domain,
                       const struct samples *samples, unsigned most, char form[SHOWN_MAX])
{
    unsigned low = (unsigned)__builtin_ctzll(samples->changes), high = 63 - (unsigned)__builtin_clzll(samples->changes);
    unsigned width = high - low + 1, bits = (unsigned)__builtin_popcountll(samples->changes);
    if (width <= most && bits > 2 && bits + 1 >= width)
        return add_texts(l, view, domain, samples, ((UINT64_C(2) << (width - 1)) - 1) << low, true, form) ||
               (bits <= 6 && add_texts(l, view, domain, samples, samples->changes, false, form));
    return bits <= 4 && add_texts(l, view, domain, samples, samples->changes, false, form);
}

/* --- flags ---------------------------------------------------------------------------------------------------------
 */

/* What bits add in front of the text without them, or after it. */
struct flag {
    uint64_t mask;
    bool in_front;
    bool known[16];
    char text[16][GPUCODE_TEXT_MAX];
};

static bool note_flag(struct flag *flag, unsigned value, const char *with, const char *without)
{
    size_t length = strlen(with), other = strlen(without);
    if (length < other || strcmp(flag->in_front ? with + length - other : with, without) != 0) {
        if (flag->in_front || length < other || strncmp(with, without, other) != 0)
            return false;
    }
    const char *added = flag->in_front ? with : with + other;
    if (flag->known[value])
        return strlen(flag->text[value]) == length - other && strncmp(flag->text[value], added, length - other) == 0;
    memcpy(flag->text[value], added, length - other);
    flag->text[value][length - other] = 0;
    flag->known[value] = true;
    return true;
}

static bool find_flag(struct learner *l, const struct view *view, const struct domain *domain,
                      const struct samples *samples, struct flag *flag)
{
    char with[GPUCODE_TEXT_MAX], without[GPUCODE_TEXT_MAX];
    unsigned values = 1u << __builtin_popcountll(flag->mask), seen = 0;
    bool adds = false;
    memset(flag->known, 0, sizeof flag->known);
    for (unsigned value = 0; value < values; value++)
        for (unsigned i = 0; i < samples->count && (value || i < 4); i++) {
            uint64_t bare = samples->word[i] & ~flag->mask, word = bare | spread(value, flag->mask);
            if (!is_in(domain, word) || !is_in(domain, bare) || !look(l, view, word, with))
                continue;
            if (!look(l, view, bare, without)) { /* an instruction of another row; what is added must be there */
                size_t length = strlen(with), added = flag->known[value] ? strlen(flag->text[value]) : 0;
                if (added > length ||
                    strncmp(flag->in_front ? with : with + length - added, flag->text[value], added) != 0)
                    return false;
                continue;
            }
            if (!note_flag(flag, value, with, without))
                return false;
            if (strcmp(flag->text[value], " ") == 0) /* what a module cannot end with */
                return false;
            seen += value != 0;
            adds |= *flag->text[value] != 0;
        }
    return seen >= 8 && adds;
}

static bool learn_flag(struct learner *l, const struct view *view, const struct domain *domain,
                       const struct samples *samples, unsigned depth, char form[SHOWN_MAX])
{
    if (__builtin_popcountll(samples->changes) > FLAG_BITS)
        return false;
    struct flag *flag = malloc(sizeof *flag);
    bool found = false;
    l->row->sleigh->failed |= !flag;
    for (unsigned width = 1; flag && width <= 4 && !found; width++)
        for (unsigned low = 0; low + width <= 64 && !found; low++) {
            uint64_t mask = ((UINT64_C(2) << (width - 1)) - 1) << low;
            for (unsigned in_front = 0;
                 in_front < 2 && !found && (samples->changes & mask) == mask && samples->changes != mask; in_front++) {
                flag->mask = mask;
                flag->in_front = in_front;
                found = find_flag(l, view, domain, samples, flag);
            }
        }
    unsigned index;
    struct sleigh_shown *table = found ? shown_add(l->row->sleigh, SHOWN_CASES, l->row->facts->size, &index) : NULL;
    if (table) {
        char own[SHOWN_MAX] = "", rest[SHOWN_MAX] = "";
        for (unsigned value = 0; value >> __builtin_popcountll(flag->mask) == 0; value++)
            if (flag->known[value])
                shown_add_case(l->row->sleigh, table, flag->mask, spread(value, flag->mask), flag->text[value]);
        shown_refer(l->row->sleigh, own);
        struct view without = *view;
        struct domain inside = *domain;
        without.clear |= flag->mask;
        inside.open &= ~flag->mask;
        bool in_front = flag->in_front;
        learn(l, &without, &inside, depth + 1, rest);
        shown_append(form, in_front ? own : rest, strlen(in_front ? own : rest));
        shown_append(form, in_front ? rest : own, strlen(in_front ? rest : own));
    }
    free(flag);
    return table != NULL;
}

/* --- pieces --------------------------------------------------------------------------------------------------------
 */

static unsigned count_of(const char *text, char sign)
{
    unsigned count = 0;
    for (; *text; text++)
        count += *text == sign;
    return count;
}

static bool learn_pieces(struct learner *l, const struct view *view, const struct domain *domain,
                         const struct samples *samples, unsigned depth, char form[SHOWN_MAX])
{
    if (view->split_count == SPLITS_MAX)
        return false;
    for (const char *sign = " ,[](){}<>+:#."; *sign; sign++) {
        unsigned count = count_of(samples->text[0], *sign);
        bool all = count != 0;
        for (unsigned i = 1; i < samples->count && all; i++)
            all = count_of(samples->text[i], *sign) == count;
        if (!all)
            continue;
        for (unsigned i = 0; i <= count; i++) {
            struct view piece = *view;
            struct domain inside = *domain;
            piece.splits[piece.split_count].sign = *sign;
            piece.splits[piece.split_count++].index = i;
            shown_append(form, sign, i ? 1 : 0);
            char inner[SHOWN_MAX] = "";
            learn(l, &piece, &inside, depth + 1, inner);
            shown_append(form, inner, strlen(inner));
        }
        return true;
    }
    return false;
}

/* Flags in front apart from what they stand in front of. */
static bool learn_flags(struct learner *l, const struct view *view, const struct domain *domain,
                        const struct samples *samples, unsigned depth, char form[SHOWN_MAX])
{
    bool any = false;
    for (unsigned i = 0; i < samples->count; i++)
        any |= flags_length(samples->text[i]) != 0;
    if (!any || view->split_count == SPLITS_MAX ||
        (view->split_count && view->splits[view->split_count - 1].sign == FLAGS))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        struct view piece = *view;
        char inner[SHOWN_MAX] = "";
        piece.splits[piece.split_count++].sign = side ? NO_FLAGS : FLAGS;
        learn(l, &piece, domain, depth + 1, inner);
        shown_append(form, inner, strlen(inner));
    }
    return true;
}

/* --- cases ---------------------------------------------------------------------------------------------------------
 */

/* What kind of text it is: without flags in front, digits as one. */
static void shape_of(const char *text, char shape[GPUCODE_TEXT_MAX])
{
    size_t used = 0;
    while (*text == '(' && isalpha((unsigned char)text[1]) &&
           text[1 + strspn(text + 1, "abcdefghijklmnopqrstuvwxyz")] == ')')
        text += strcspn(text, ")") + 1;
    for (const char *at = text; *at;) {
        if (isdigit((unsigned char)at[*at == '-'])) {
            at += *at == '-';
            shape[used++] = at[0] == '0' && at[1] == 'x' ? 'x' : '0';
            at += at[0] == '0' && at[1] == 'x' ? 2 + strspn(at + 2, "0123456789abcdef") : strspn(at, "0123456789");
            if (*at == '.' && isdigit((unsigned char)at[1])) /* a fraction */
                at += 1 + strspn(at + 1, "0123456789");
            if (*at == 'e' && (at[1] == '-' || isdigit((unsigned char)at[1])))
                at += 2 + strspn(at + 2, "0123456789");
        } else if (*at == '.' && at > text && isdigit((unsigned char)at[-1]) && at[1] && strchr("xyzw", at[1])) {
            at += 2;
        } else {
            shape[used++] = *at++;
        }
    }
    shape[used] = 0;
}

/* Without memory all are of one. */
static void find_shapes(const struct learner *l, struct samples *samples)
{
    char own[GPUCODE_TEXT_MAX], (*known)[GPUCODE_TEXT_MAX] = malloc(SAMPLES * sizeof *known);
    l->row->sleigh->failed |= !known;
    samples->shape_count = 0;
    memset(samples->shape, 0, sizeof samples->shape);
    for (unsigned i = 0; known && i < samples->count; i++) {
        unsigned shape = 0;
        shape_of(samples->text[i], own);
        while (shape < samples->shape_count && strcmp(known[shape], own) != 0)
            shape++;
        if (shape == samples->shape_count)
            memcpy(known[samples->shape_count++], own, sizeof own);
        samples->shape[i] = shape;
    }
    free(known);
}

/* How many kinds of text there are where the bits are 0, and where they are not; 0: they always or never are. */
static unsigned shapes_apart(const struct samples *samples, uint64_t mask)
{
    bool seen[2][SAMPLES] = {{false}};
    unsigned count[2] = {0};
    for (unsigned i = 0; i < samples->count; i++) {
        unsigned side = (samples->word[i] & mask) != 0;
        count[side] += !seen[side][samples->shape[i]];
        seen[side][samples->shape[i]] = true;
    }
    return count[0] && count[1] ? count[0] + count[1] : 0;
}

static bool learn_cases(struct learner *l, const struct view *view, const struct domain *domain,
                        struct samples *samples, unsigned depth, char form[SHOWN_MAX])
{
    uint64_t chosen = 0;
    unsigned least = 0;
    find_shapes(l, samples);
    for (unsigned i = 0; i < 64 + l->field_count; i++) {
        uint64_t mask = i < 64 ? (UINT64_C(1) << (63 - i)) & samples->changes : l->fields[i - 64];
        if (i >= 64) /* a field as a whole: words with one of its bits alone may be too few to see that it counts */
            mask &= mask & samples->changes || !samples->changes ? ~(domain->mask | view->clear) & l->open : 0;
        unsigned shapes = mask && (i < 64 || mask & (mask - 1)) ? shapes_apart(samples, mask) : 0;
        if (shapes && (!least || shapes < least)) {
            least = shapes;
            chosen = mask;
        }
    }
    if (!chosen)
        return false;
    char forms[2][SHOWN_MAX] = {"", ""};
    bool single = !(chosen & (chosen - 1));
    for (unsigned side = 0; side < 2; side++) {
        struct domain inside = *domain;
        if (!side || single) {
            inside.mask |= chosen;
            inside.match |= side ? chosen : 0;
        } else if (inside.some_count < SPLITS_MAX) {
            inside.some[inside.some_count++] = chosen;
        }
        learn(l, view, &inside, depth + 1, forms[side]);
    }
    if (strcmp(forms[0], forms[1]) == 0) {
        shown_append(form, forms[0], strlen(forms[0]));
        return true;
    }
    unsigned index;
    struct sleigh_shown *table = shown_add(l->row->sleigh, SHOWN_CASES, l->row->facts->size, &index);
    if (table) {
        shown_add_case(l->row->sleigh, table, chosen, 0, forms[0]);
        shown_add_case(l->row->sleigh, table, single ? chosen : 0, single ? chosen : 0, forms[1]);
        shown_refer(l->row->sleigh, form);
    }
    return table != NULL;
}

/* Bits that say what kind of text it is, one after the other, as cases of one table. */
struct tree {
    unsigned count;
    struct leaf {
        uint64_t mask, match;
        char form[SHOWN_MAX];
    } leaf[LEAVES];
};

/* How well a bit tells kinds of text apart: the part of samples that are of one kind, of 1000; 0: it never or always
 * is. */
static unsigned purity(const struct samples *samples, uint64_t bit)
{
    unsigned kinds[2][SAMPLES] = {{0}}, count[2] = {0}, sum = 0;
    for (unsigned i = 0; i < samples->count; i++) {
        unsigned side = (samples->word[i] & bit) != 0;
        count[side]++;
        kinds[side][samples->shape[i]]++;
    }
    if (!count[0] || !count[1])
        return 0;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < samples->shape_count; i++)
            sum += 1000 * kinds[side][i] * kinds[side][i] / count[side] / samples->count;
    return sum;
}

/* The longest run of bits. */
static uint64_t longest_run(uint64_t bits)
{
    uint64_t longest = 0;
    while (bits) {
        uint64_t low = bits & (~bits + 1), run = bits & ~(bits + low);
        longest = run >> __builtin_ctzll(run) > longest >> (longest ? __builtin_ctzll(longest) : 0) ? run : longest;
        bits &= ~run;
    }
    return longest;
}

/* The bit that tells kinds of text apart best; 0: none does, or what is left is a list. */
static uint64_t bit_apart(const struct learner *l, struct samples *samples)
{
    uint64_t chosen = 0, left = samples->changes;
    unsigned most = 0;
    if (!left || 64 - __builtin_clzll(left) - __builtin_ctzll(left) <= LIST_BITS)
        return 0;
    if (__builtin_popcountll(left) > TREE_BITS) /* those of a wide number say nothing of kinds */
        left &= ~longest_run(left);
    find_shapes(l, samples);
    for (; left; left &= ~(UINT64_C(1) << (63 - __builtin_clzll(left)))) {
        uint64_t bit = UINT64_C(1) << (63 - __builtin_clzll(left));
        unsigned found = purity(samples, bit);
        if (found > most) {
            most = found;
            chosen = bit;
        }
    }
    return samples->shape_count > 1 ? chosen : 0;
}

static bool grow_tree(struct learner *l, const struct view *view, const struct domain *domain, struct samples *samples,
                      unsigned depth, struct tree *tree)
{
    uint64_t bit = bit_apart(l, samples);
    if (l->steps >= STEPS_MAX)
        return false;
    if (!bit) {
        if (tree->count == LEAVES)
            return false;
        struct leaf *leaf = &tree->leaf[tree->count++];
        *leaf = (struct leaf){.mask = domain->mask, .match = domain->match};
        learn(l, view, domain, depth + 1, leaf->form);
        return true;
    }
    unsigned first = tree->count, second = first;
    l->steps++;
    for (unsigned side = 0; side < 2; side++) {
        struct domain inside = *domain;
        inside.mask |= bit;
        inside.match |= side ? bit : 0;
        second = side ? tree->count : second;
        struct samples *own = malloc(sizeof *own);
        l->row->sleigh->failed |= !own;
        bool whole = own && (!take_samples(l, view, &inside, own) || grow_tree(l, view, &inside, own, depth, tree));
        free(own);
        if (!whole)
            return false;
    }
    if (second == first + 1 && tree->count == second + 1 &&
        strcmp(tree->leaf[first].form, tree->leaf[second].form) == 0) { /* they are not apart */
        tree->leaf[first].mask = domain->mask;
        tree->count--;
    }
    return true;
}

static bool learn_tree(struct learner *l, const struct view *view, const struct domain *domain, struct samples *samples,
                       unsigned depth, char form[SHOWN_MAX])
{
    if (!bit_apart(l, samples))
        return false;
    struct tree *tree = calloc(1, sizeof *tree);
    l->row->sleigh->failed |= !tree;
    bool whole = tree && grow_tree(l, view, domain, samples, depth, tree) && tree->count;
    unsigned index;
    struct sleigh_shown *table = NULL;
    if (whole && tree->count == 1)
        shown_append(form, tree->leaf[0].form, strlen(tree->leaf[0].form));
    else if (whole)
        table = shown_add(l->row->sleigh, SHOWN_CASES, l->row->facts->size, &index);
    for (unsigned i = 0; table && i < tree->count; i++) {
        uint64_t mask = tree->leaf[i].mask & ~domain->mask;
        shown_add_case(l->row->sleigh, table, mask, tree->leaf[i].match & mask, tree->leaf[i].form);
    }
    if (table)
        shown_refer(l->row->sleigh, form);
    free(tree);
    return whole;
}

/* --- parts ---------------------------------------------------------------------------------------------------------
 */

static void learn(struct learner *l, const struct view *view, const struct domain *domain, unsigned depth,
                  char form[SHOWN_MAX])
{
    struct samples *samples = malloc(sizeof *samples);
    l->row->sleigh->failed |= !samples;
    if (samples && take_samples(l, view, domain, samples) && l->steps++ < STEPS_MAX && depth < 80) {
        if (all_same(samples))
            shown_append(form, samples->text[0], strlen(samples->text[0]));
        else if (!(samples->changes &&
                   (learn_fraction(l, samples, form) || learn_number(l, view, domain, samples, form) ||
                    learn_list(l, view, domain, samples, LIST_BITS, form) ||
                    learn_flag(l, view, domain, samples, depth, form) ||
                    learn_list(l, view, domain, samples, LONG_LIST_BITS, form))) &&
                 !learn_flags(l, view, domain, samples, depth, form) &&
                 !learn_tree(l, view, domain, samples, depth, form) &&
                 !learn_pieces(l, view, domain, samples, depth, form) &&
                 !learn_cases(l, view, domain, samples, depth, form))
            shown_append(form, samples->text[0], strlen(samples->text[0]));
    }
    free(samples);
}

/* Puts words that the form does not fit in front; how many there are. */
static unsigned find_wrong(struct learner *l, const char *form)
{
    unsigned wrong = 0;
    char text[GPUCODE_TEXT_MAX];
    for (unsigned i = 0; i < l->word_count; i++)
        if (part_text(l, l->words[i], text) && !shown_fits(l->row->sleigh, form, l->words[i], text)) {
            uint64_t word = l->words[i];
            l->words[i] = l->words[wrong];
            l->words[wrong++] = word;
        }
    return wrong;
}

/* What writes the part, so that other rows may have the same form. */
static void key_of(const struct learner *l, char letter, char key[128])
{
    struct gpucode_row_field field = {.letter = 0};
    sleigh_field(l->row, letter, &field);
    int used = snprintf(key, 128, "%c%u %.40s", letter, l->row->facts->size, field.kind ? field.kind : "");
    for (unsigned i = 0; i < field.piece_count; i++)
        used += snprintf(key + used, 128 - (size_t)used, " %u:%u", field.pieces[i].shift, field.pieces[i].width);
}

/* Words that were not asked so far take the place of those at the end. */
static void renew_words(struct learner *l)
{
    l->word_count = l->word_count < WORDS / 4 ? l->word_count : WORDS / 4;
    make_words(l);
}

/*
 * Is what the form's cases say right where a word has the bits of the case, and with `names` what its lists say? Random
 * words have some combinations of bits too seldom. A word that does not fit is taken among those that are asked.
 */
static bool cases_fit(struct learner *l, const char *form, const char *part, bool names)
{
    char text[GPUCODE_TEXT_MAX];
    for (; *part; part++) {
        if (*part != SHOWN_TABLE)
            continue;
        const struct sleigh_shown *table = &l->row->sleigh->parts->shown[strtoul(part + 1, NULL, 10)];
        for (unsigned i = 0; i < table->case_count; i++) {
            const struct shown_case *one = &table->cases[i];
            if (table->kind == SHOWN_CASES && !cases_fit(l, form, one->form, names))
                return false;
            for (unsigned k = 0; k < (table->kind == SHOWN_CASES ? CASE_WORDS : names); k++) {
                unsigned at = (unsigned)(next_random(l) % l->word_count);
                uint64_t word = (l->words[at] & ~one->mask) | one->match;
                if (part_text(l, word, text) && !shown_fits(l->row->sleigh, form, word, text)) {
                    l->words[at] = word;
                    return false;
                }
            }
        }
    }
    return true;
}

static bool take_known(struct learner *l, const char *key, char form[SHOWN_MAX])
{
    struct sleigh *sleigh = l->row->sleigh;
    for (unsigned i = 0; i < sleigh->parts->form_count; i++) {
        struct sleigh_form *known = &sleigh->parts->forms[i];
        if (strcmp(known->key, key) != 0 || find_wrong(l, known->form) ||
            (l->word_count && !cases_fit(l, known->form, known->form, known->target != sleigh->target)))
            continue;
        known->target = sleigh->target;
        memcpy(form, known->form, SHOWN_MAX);
        return true;
    }
    return false;
}

/* Makes one table of several: instructions of Ghidra's have at most 20. */
static void join_tables(struct learner *l, char form[SHOWN_MAX])
{
    unsigned index;
    struct sleigh_shown *table = NULL;
    if (count_of(form, SHOWN_TABLE) > 1)
        table = shown_add(l->row->sleigh, SHOWN_CASES, l->row->facts->size, &index);
    if (table && shown_add_case(l->row->sleigh, table, 0, 0, form)) {
        form[0] = 0;
        shown_refer(l->row->sleigh, form);
    }
}

static void learn_part(struct learner *l, char letter, char form[SHOWN_MAX])
{
    char key[128];
    key_of(l, letter, key);
    if (take_known(l, key, form))
        return;
    const struct view view = {.clear = 0};
    const struct domain domain = {.mask = ~l->open, .match = l->row->facts->match, .open = l->open};
    unsigned wrong = 1;
    for (unsigned round = 0; round < ROUNDS && wrong && l->word_count; round++) {
        l->steps = 0;
        l->counts = l->open;
        form[0] = 0;
        learn(l, &view, &domain, 0, form);
        wrong = find_wrong(l, form);
        for (unsigned more = 0; more < MORE && !wrong; more++) {
            renew_words(l);
            wrong = cases_fit(l, form, form, !more) ? find_wrong(l, form) : 1;
        }
        find_wrong(l, form);
    }
    join_tables(l, form);
    sleigh_keep_form(l->row->sleigh, key, form);
}

char (*sleigh_learn_row(const struct sleigh_row *row))[SHOWN_MAX]
{
    struct learner l = {.row = row, .random = UINT64_C(0x9e3779b97f4a7c15)};
    struct gpucode_row_field field;
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX], letter;
    l.open = ~row->facts->mask & (~UINT64_C(0) >> (64 - 8 * row->facts->size));
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++)
        for (unsigned k = 0; k < field.piece_count && i < GPUCODE_FIELDS_MAX; k++) {
            l.fields[i] |= ((UINT64_C(2) << (field.pieces[k].width - 1)) - 1) << field.pieces[k].shift;
            l.field_count = i + 1;
        }
    l.words = malloc(WORDS * sizeof *l.words);
    char(*forms)[SHOWN_MAX] = calloc(SLEIGH_PARTS_MAX, sizeof *forms);
    row->sleigh->failed |= !l.words || !forms;
    bool whole = l.words && forms && gpucode_insn_init(row->sleigh->target, row->row, &insn) == GPUCODE_OK;
    if (whole)
        make_words(&l);
    if (!row->sleigh->parts->texts)
        row->sleigh->parts->texts = calloc(1u << SHOWN_TEXT_BITS, sizeof *row->sleigh->parts->texts);
    whole &= row->sleigh->parts->texts != NULL;
    row->sleigh->failed |= !whole;
    for (; whole && l.part < SLEIGH_PARTS_MAX && gpucode_insn_part(&insn, NULL, l.part, text, &letter); l.part++) {
        bool is_field = letter && sleigh_field(row, letter, &field);
        row->sleigh->parts->asked++;
        l.names = is_field && field.type == GPUCODE_OPERAND_REGISTER;
        if (letter && !(is_field && field.type == GPUCODE_OPERAND_TARGET))
            learn_part(&l, letter, forms[l.part]);
        l.after_dot = !letter && *text && text[strlen(text) - 1] == '.';
    }
    free(l.words);
    return forms;
}
