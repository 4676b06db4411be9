/* SPDX-License-Identifier: MIT */
/*
 * Pieces that have a few texts: flags in front of an operand, one by one, and the `h` of halves. The bits that decide
 * are taken one after the other, as a tree, until all words look alike.
 */
#include "export/sleigh_learn.h"

#include <stdlib.h>
#include <string.h>

#define TEXTS_MAX 4  /* of a piece */
#define TEXT_ROOM 16 /* bytes of one */
#define LEAVES 200   /* cases of a table */
#define FLIPPED 24u  /* words whose bits are turned, to see which of them decide */
#define ALL_BITS 5   /* of so many bits that are left all values are tried */
#define ALL_WORDS 3  /* in so many words */

struct marks {
    struct learner *l;
    const struct view *view;
    uint64_t deciding; /* bits that change the text in some word */
    char text[TEXTS_MAX][TEXT_ROOM];
    unsigned text_count, leaf_count;
    bool failed; /* too many texts or cases */
    struct {
        uint64_t mask, match;
        int text; /* -1: no word has these bits */
    } leaf[LEAVES];
};

/* The number of the word's text; -1: it is none of the row's. */
static int text_of(struct marks *marks, const struct domain *domain, uint64_t word)
{
    char text[GPUCODE_TEXT_MAX];
    if (!domain_has(domain, word) || !learner_look(marks->l, marks->view, word, text))
        return -1;
    for (unsigned i = 0; i < marks->text_count; i++)
        if (strcmp(marks->text[i], text) == 0)
            return (int)i;
    if (marks->text_count == TEXTS_MAX || strlen(text) >= TEXT_ROOM) {
        marks->failed = true;
        return -1;
    }
    strcpy(marks->text[marks->text_count], text);
    return (int)marks->text_count++;
}

/* How well a bit tells texts apart. */
struct apart {
    unsigned count[64][2][TEXTS_MAX];
};

static void note_apart(struct apart *apart, uint64_t bits, uint64_t word, int text)
{
    for (; text >= 0 && bits; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(bits);
        apart->count[bit][word >> bit & 1][text]++;
    }
}

/* The bit that tells most apart; 0: there is one text alone, which goes to *only. */
static uint64_t bit_apart(const struct apart *apart, uint64_t bits)
{
    uint64_t best = 0, most = 0;
    for (; bits; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(bits);
        uint64_t pure = 0, all[2] = {0, 0};
        for (unsigned side = 0; side < 2; side++) {
            uint64_t squares = 0;
            for (unsigned i = 0; i < TEXTS_MAX; i++) {
                all[side] += apart->count[bit][side][i];
                squares += (uint64_t)apart->count[bit][side][i] * apart->count[bit][side][i];
            }
            pure += all[side] ? 1000 * squares / all[side] : 0;
        }
        if (all[0] && all[1] && pure > most) {
            most = pure;
            best = bits & (~bits + 1);
        }
    }
    return best;
}

/* A bit that the words differ in and that changes the text; 0: none does alone. */
static uint64_t bit_between(struct marks *marks, const struct domain *domain, uint64_t word, uint64_t other)
{
    const int text = text_of(marks, domain, word);
    for (uint64_t left = word ^ other; left; left &= left - 1) {
        const uint64_t bit = left & (~left + 1);
        const int next = text_of(marks, domain, word ^ bit);
        if (next >= 0 && next != text)
            return bit;
        word ^= next >= 0 ? bit : 0;
    }
    return 0;
}

/* Words of a node: those of the learner, and where few bits are left all their values. The last text goes to *only;
 * returns bits of two words with several texts, 0: all have one. */
static uint64_t ask_node(struct marks *marks, const struct domain *domain, uint64_t left, struct apart *apart,
                         int *only)
{
    struct learner *l = marks->l;
    uint64_t last = 0, apart_bits = 0;
    unsigned tried = 0;
    *only = -1;
    for (unsigned i = 0; i < l->word_count; i++) {
        const uint64_t word = (l->words[i] & ~domain->mask) | domain->match;
        const unsigned bits = (unsigned)__builtin_popcountll(left);
        const bool all = bits <= ALL_BITS && tried < ALL_WORDS;
        for (unsigned value = 0; all ? value >> bits == 0 : !value; value++) {
            const uint64_t one = all ? (word & ~left) | learner_spread(value, left) : word;
            const int text = text_of(marks, domain, one);
            note_apart(apart, left, one, text);
            if (text >= 0 && *only >= 0 && text != *only && !apart_bits && !(apart_bits = (one ^ last) & left))
                apart_bits = bit_between(marks, domain, last, one);
            last = text >= 0 ? one : last;
            *only = text >= 0 ? text : *only;
            tried += all && text >= 0 && !value;
        }
    }
    return apart_bits;
}

static void add_leaf(struct marks *marks, const struct domain *domain, int text)
{
    if (marks->leaf_count == LEAVES) {
        marks->failed = true;
        return;
    }
    marks->leaf[marks->leaf_count].mask = domain->mask;
    marks->leaf[marks->leaf_count].match = domain->match;
    marks->leaf[marks->leaf_count++].text = text;
}

static void grow_marks(struct marks *marks, const struct domain *domain)
{
    const uint64_t left = marks->deciding & ~domain->mask;
    struct apart *apart = calloc(1, sizeof *apart);
    int only;
    marks->l->row->sleigh->failed |= !apart;
    marks->failed |= !apart;
    if (marks->failed) {
        free(apart);
        return;
    }
    const uint64_t several = ask_node(marks, domain, left, apart, &only);
    uint64_t bit = several ? bit_apart(apart, left) : 0;
    free(apart);
    if (several && !bit) { /* a bit decides that was not seen to */
        bit = several & (~several + 1);
        marks->deciding |= bit;
    }
    if (!bit) {
        add_leaf(marks, domain, only);
        return;
    }
    const unsigned first = marks->leaf_count;
    unsigned second = first;
    for (unsigned side = 0; side < 2 && !marks->failed; side++) {
        struct domain inside = *domain;
        inside.mask |= bit;
        inside.match |= side ? bit : 0;
        second = side ? marks->leaf_count : second;
        grow_marks(marks, &inside);
    }
    if (!marks->failed && second == first + 1 && marks->leaf_count == second + 1 &&
        (marks->leaf[first].text == marks->leaf[second].text || marks->leaf[first].text < 0 ||
         marks->leaf[second].text < 0)) { /* they are not apart, or one side is empty */
        const int text = marks->leaf[first].text < 0 ? marks->leaf[second].text : marks->leaf[first].text;
        marks->leaf_count = first;
        add_leaf(marks, domain, text);
    }
}

/* Bits that change what stands there. */
static uint64_t deciding_bits(struct marks *marks, const struct domain *domain, const struct samples *samples)
{
    const uint64_t open = domain->open & marks->l->counts & ~(domain->mask | marks->view->clear);
    uint64_t deciding = 0;
    for (unsigned i = 0; i < FLIPPED + samples->count; i++) {
        if (i < FLIPPED && i >= marks->l->word_count)
            continue;
        const uint64_t sample = i < FLIPPED ? marks->l->words[i] : samples->word[i - FLIPPED];
        const uint64_t word = (sample & ~domain->mask) | domain->match;
        const int text = text_of(marks, domain, word);
        for (uint64_t left = text < 0 ? 0 : open & ~deciding; left; left &= left - 1) {
            const uint64_t bit = left & (~left + 1);
            const int other = text_of(marks, domain, word ^ bit);
            deciding |= other >= 0 && other != text ? bit : 0;
        }
    }
    return deciding;
}

/* A piece with a few texts as a table of its own; false: there are too many, or they depend on too much. */
static bool learn_marks(struct learner *l, const struct view *view, const struct domain *domain,
                        const struct samples *samples, char form[SHOWN_MAX])
{
    struct marks *marks = calloc(1, sizeof *marks);
    unsigned index;
    l->row->sleigh->failed |= !marks;
    if (!marks)
        return false;
    marks->l = l;
    marks->view = view;
    marks->deciding = deciding_bits(marks, domain, samples);
    grow_marks(marks, domain);
    const bool known = !marks->failed;
    if (known && marks->leaf_count == 1) {
        const char *text = marks->leaf[0].text < 0 ? "" : marks->text[marks->leaf[0].text];
        shown_append(form, text, strlen(text));
    } else if (known) {
        struct sleigh_shown *table = shown_add(l->row->sleigh, SHOWN_CASES, l->row->facts->size, &index);
        for (unsigned i = 0; table && i < marks->leaf_count; i++) {
            const uint64_t mask = marks->leaf[i].mask & ~domain->mask;
            if (marks->leaf[i].text >= 0)
                shown_add_case(l->row->sleigh, table, mask, marks->leaf[i].match & mask,
                               marks->text[marks->leaf[i].text]);
        }
        if (table)
            shown_refer(l->row->sleigh, form);
    }
    free(marks);
    return known;
}

/* --- flags in front ----------------------------------------------------------------------------------------------- */

/* The place of a flag among those of the part, which it is put among; -1: there are too many. */
static int place_of_flag(struct learner *l, const char *flag, size_t length)
{
    for (unsigned i = 0; i < l->flag_count; i++)
        if (strlen(l->flags[i]) == length && strncmp(l->flags[i], flag, length) == 0)
            return (int)i;
    if (l->flag_count == FLAGS_MAX || length >= FLAG_ROOM)
        return -1;
    snprintf(l->flags[l->flag_count], FLAG_ROOM, "%.*s", (int)length, flag);
    return (int)l->flag_count++;
}

/* Moves a flag to after another one that it follows somewhere. */
static bool order_flags(struct learner *l, int last, int *place)
{
    const bool moves = *place < last;
    for (; *place < last; ++*place) {
        char flag[FLAG_ROOM];
        memcpy(flag, l->flags[*place], sizeof flag);
        memcpy(l->flags[*place], l->flags[*place + 1], sizeof flag);
        memcpy(l->flags[*place + 1], flag, sizeof flag);
    }
    return moves;
}

/* Finds the flags of the part, and in which order they stand; false: there are none, or too many. */
static bool find_flags(struct learner *l, const struct samples *samples)
{
    bool moved = true;
    l->flag_count = 0;
    for (unsigned round = 0; round < FLAGS_MAX && moved; round++) {
        moved = false;
        for (unsigned i = 0; i < samples->count; i++) {
            const size_t length = learner_flags_length(samples->text[i]);
            int last = -1;
            for (size_t at = 0, end; at < length; at = end) {
                end = at + strcspn(samples->text[i] + at, ")") + 1;
                int place = place_of_flag(l, samples->text[i] + at, end - at);
                if (place < 0)
                    return false;
                moved |= order_flags(l, last, &place);
                last = place;
            }
        }
    }
    return l->flag_count != 0;
}

bool learn_flags(struct learner *l, const struct view *view, const struct domain *domain, const struct samples *samples,
                 unsigned depth, char form[SHOWN_MAX])
{
    const size_t before = strlen(form);
    if (view->split_count == SPLITS_MAX || (view->split_count && view->splits[view->split_count - 1].sign == FLAGS))
        return false;
    const bool few = find_flags(l, samples);
    if (!l->flag_count)
        return false;
    struct view piece = *view;
    piece.split_count++;
    if (!few) { /* one of many: a mask */
        piece.splits[view->split_count].sign = FLAGS;
        l->learn(l, &piece, domain, depth + 1, form);
        l->flag_count = 0;
    }
    for (unsigned i = 0; i < l->flag_count; i++) {
        piece.splits[view->split_count].sign = FLAG;
        piece.splits[view->split_count].index = i;
        if (!learn_marks(l, &piece, domain, samples, form)) {
            form[before] = 0;
            return false;
        }
    }
    piece.splits[view->split_count].sign = NO_FLAGS;
    l->learn(l, &piece, domain, depth + 1, form);
    return true;
}

/* --- halves ------------------------------------------------------------------------------------------------------- */

/* The mark of halves, what it marks, and what closes it: which of both it is may depend on other operands. */
bool learn_half(struct learner *l, const struct view *view, const struct domain *domain, const struct samples *samples,
                unsigned depth, char form[SHOWN_MAX])
{
    const size_t before = strlen(form);
    unsigned halves = 0;
    for (unsigned i = 0; i < samples->count; i++)
        halves += learner_half_length(samples->text[i]) != 0;
    if (!halves || halves == samples->count || view->split_count == SPLITS_MAX)
        return false;
    struct view piece = *view;
    char *sign = &piece.splits[piece.split_count++].sign;
    *sign = HALF;
    bool known = learn_marks(l, &piece, domain, samples, form);
    if (known) {
        *sign = NO_HALF;
        l->learn(l, &piece, domain, depth + 1, form);
        *sign = HALF_END;
        known = learn_marks(l, &piece, domain, samples, form);
    }
    form[known ? strlen(form) : before] = 0;
    return known;
}
