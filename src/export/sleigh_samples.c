/* SPDX-License-Identifier: MIT */
/* Words of a row, and what a part, or a piece of it, shows of them. */
#include "export/sleigh_learn.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SAME_FLIPS 4u /* words in which a bit is turned where all look alike */
#define TAKEN 40u     /* of them that a step looks at */
#define ADDRESS 0x100000
#define MARK_SIGNS "rcpau(" /* what the `h` of halves stands in front of */

uint64_t learner_random(struct learner *l)
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
bool learner_text(const struct learner *l, uint64_t word, char text[GPUCODE_TEXT_MAX])
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
size_t learner_flags_length(const char *text)
{
    size_t length = 0;
    while (text[length] == '(') {
        size_t end = length + 1;
        while ((text[end] >= 'a' && text[end] <= 'z') || text[end] == '_')
            end++;
        if (end == length + 1 || text[end] != ')' || !text[end + 1])
            break;
        length = end + 1;
    }
    return length;
}

/* What marks a half: "h" of "hr5.x" and of "h(pi)", which is a number of its own, "h(" of "h(5)", or nothing. */
size_t learner_half_length(const char *text)
{
    if (*text != 'h' || !text[1] || !strchr(MARK_SIGNS, text[1]))
        return 0;
    const char *digits = text + 2 + (text[1] == '(' && text[2] == '-');
    const size_t count = text[1] == '(' ? strspn(digits, "0123456789") : 0;
    return count && digits[count] == ')' ? 2 : 1;
}

/* The mark of a half, what it marks, or what closes it. */
static void take_half(char *text, char sign)
{
    const size_t mark = learner_half_length(text), length = strlen(text), end = mark == 2 && text[length - 1] == ')';
    const char *from = sign == HALF ? text : sign == NO_HALF ? text + mark : text + length - end;
    const size_t taken = sign == HALF ? mark : sign == NO_HALF ? length - mark - end : end;
    memmove(text, from, taken);
    text[taken] = 0;
}

/* The piece of the part; false: the word is none of the row's, or has no such piece. */
bool learner_look(const struct learner *l, const struct view *view, uint64_t word, char text[GPUCODE_TEXT_MAX])
{
    if (!learner_text(l, word & ~view->clear, text))
        return false;
    for (unsigned i = 0; i < view->split_count; i++) {
        char *from = text;
        if (view->splits[i].sign == NO_FLAGS) {
            from += learner_flags_length(text);
            memmove(text, from, strlen(from) + 1);
            continue;
        }
        if (view->splits[i].sign == HALF || view->splits[i].sign == NO_HALF || view->splits[i].sign == HALF_END) {
            take_half(text, view->splits[i].sign);
            continue;
        }
        if (view->splits[i].sign == FLAGS) {
            text[learner_flags_length(text)] = 0;
            continue;
        }
        if (view->splits[i].sign == FLAG) {
            text[learner_flags_length(text)] = 0;
            strcpy(text, strstr(text, l->flags[view->splits[i].index]) ? l->flags[view->splits[i].index] : "");
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

bool domain_has(const struct domain *domain, uint64_t word)
{
    bool in = (word & domain->mask) == domain->match;
    for (unsigned i = 0; i < domain->some_count; i++)
        in &= (word & domain->some[i]) != 0;
    return in;
}

/* Bits of `value`, the lowest first, at the places of `mask`. */
uint64_t learner_spread(uint64_t value, uint64_t mask)
{
    uint64_t word = 0;
    for (; mask; mask &= mask - 1, value >>= 1)
        word |= value & 1 ? mask & (~mask + 1) : 0;
    return word;
}

/* A word of the row in which fields are 0, all ones, a bit, anything, or anything with its lowest bits 0 or 1, where
 * numbers of some kinds begin and end. */
static uint64_t make_word(struct learner *l)
{
    uint64_t word = l->row->facts->match;
    uint64_t other = learner_random(l) & 3 ? 0 : learner_random(l) & learner_random(l); /* bits that are of no field */
    for (unsigned i = 0; i < l->field_count; i++) {
        uint64_t mask = l->fields[i], value = learner_random(l);
        uint64_t run = mask ? (UINT64_C(1) << learner_random(l) % (unsigned)__builtin_popcountll(mask)) - 1 : 0;
        switch (learner_random(l) % 8) {
        case 0:
        case 1:
            value = 0;
            break;
        case 2:
            value = ~UINT64_C(0);
            break;
        case 3:
            value = learner_spread(1, mask);
            break;
        case 4:
            value &= ~learner_spread(run, mask);
            break;
        case 5:
            value |= learner_spread(run, mask);
            break;
        case 6: /* registers with names */
            value = (value & (run ? ~UINT64_C(0) : learner_spread(0xff, mask))) | learner_spread(0xf0, mask);
            break;
        default:
            break;
        }
        word |= value & mask;
        other &= ~mask;
    }
    return word | (other & l->open);
}

void learner_make_words(struct learner *l)
{
    for (unsigned tries = 0; l->word_count < WORDS && tries < 20 * WORDS; tries++) {
        struct gpucode_insn insn;
        l->words[l->word_count] = make_word(l);
        l->word_count += decode(l, l->words[l->word_count], &insn);
    }
}

bool samples_same(const struct samples *samples)
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

bool learner_sample(struct learner *l, const struct view *view, const struct domain *domain, struct samples *samples)
{
    samples->count = 0;
    for (unsigned i = 0; i < 2 * l->word_count && samples->count < TAKEN; i++) {
        /* those that did not fit stand in front */
        unsigned at = i & 1 && i / 2 < l->word_count ? i / 2 : (unsigned)(learner_random(l) % l->word_count);
        uint64_t word = (l->words[at] & ~domain->mask) | domain->match;
        if (domain_has(domain, word) && learner_look(l, view, word, samples->text[samples->count]))
            samples->word[samples->count++] = word;
    }
    char text[GPUCODE_TEXT_MAX];
    const unsigned taken = samples->count;
    samples->changes = 0;
    unsigned flips = l->counts == l->open ? SAMPLES : samples_same(samples) ? SAME_FLIPS : FLIPS; /* all at first */
    uint64_t left = domain->open & l->counts & ~domain->mask & ~view->clear;
    for (; left; left &= left - 1) {
        uint64_t bit = left & (~left + 1);
        for (unsigned i = 0; i < taken && i < flips && !(samples->changes & bit); i++)
            if (domain_has(domain, samples->word[i] ^ bit) && learner_look(l, view, samples->word[i] ^ bit, text) &&
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
