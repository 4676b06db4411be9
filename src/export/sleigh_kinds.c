/* SPDX-License-Identifier: MIT */
/* Pieces that are put together: flags, parts between signs, other forms by the values of bits. */
#include "export/sleigh_learn.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LEAVES 32    /* cases of a table */
#define TREE_BITS 18 /* that kinds of text are told apart by */
#define FLAG_BITS 20 /* that a part with flags depends on at most */

/* --- flags -------------------------------------------------------------------------------------------------------- */

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
            uint64_t bare = samples->word[i] & ~flag->mask, word = bare | learner_spread(value, flag->mask);
            if (!domain_has(domain, word) || !domain_has(domain, bare) || !learner_look(l, view, word, with))
                continue;
            if (!learner_look(l, view, bare,
                              without)) { /* an instruction of another row; what is added must be there */
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

bool learn_flag(struct learner *l, const struct view *view, const struct domain *domain, const struct samples *samples,
                unsigned depth, char form[SHOWN_MAX])
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
                shown_add_case(l->row->sleigh, table, flag->mask, learner_spread(value, flag->mask), flag->text[value]);
        shown_refer(l->row->sleigh, own);
        struct view without = *view;
        struct domain inside = *domain;
        without.clear |= flag->mask;
        inside.open &= ~flag->mask;
        bool in_front = flag->in_front;
        l->learn(l, &without, &inside, depth + 1, rest);
        shown_append(form, in_front ? own : rest, strlen(in_front ? own : rest));
        shown_append(form, in_front ? rest : own, strlen(in_front ? rest : own));
    }
    free(flag);
    return table != NULL;
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

unsigned learner_count(const char *text, char sign)
{
    unsigned count = 0;
    for (; *text; text++)
        count += *text == sign;
    return count;
}

bool learner_is_relative(const struct samples *samples)
{
    for (unsigned i = 0; i < samples->count; i++)
        if (learner_count(samples->text[i], '<') != 1)
            return false;
    return true;
}

bool learn_pieces(struct learner *l, const struct view *view, const struct domain *domain,
                  const struct samples *samples, const char *signs, unsigned depth, char form[SHOWN_MAX])
{
    if (view->split_count == SPLITS_MAX)
        return false;
    for (const char *sign = signs; *sign; sign++) {
        unsigned count = learner_count(samples->text[0], *sign);
        bool all = count != 0;
        for (unsigned i = 1; i < samples->count && all; i++)
            all = learner_count(samples->text[i], *sign) == count;
        if (!all)
            continue;
        for (unsigned i = 0; i <= count; i++) {
            struct view piece = *view;
            struct domain inside = *domain;
            piece.splits[piece.split_count].sign = *sign;
            piece.splits[piece.split_count++].index = i;
            shown_append(form, sign, i ? 1 : 0);
            char inner[SHOWN_MAX] = "";
            l->learn(l, &piece, &inside, depth + 1, inner);
            shown_append(form, inner, strlen(inner));
        }
        return true;
    }
    return false;
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

/* What kind of text it is: without flags in front, digits as one. */
static void shape_of(const char *text, char shape[GPUCODE_TEXT_MAX])
{
    size_t used = 0;
    while (*text == '(' && isalpha((unsigned char)text[1]) &&
           text[1 + strspn(text + 1, "abcdefghijklmnopqrstuvwxyz")] == ')')
        text += strcspn(text, ")") + 1;
    for (const char *at = text; *at;) {
        const char *number = at + (*at == '-');
        if (strncmp(number, "nan)", 4) == 0 || strncmp(number, "inf)", 4) == 0) {
            shape[used++] = '0';
            at = number + 3;
        } else if (isdigit((unsigned char)at[*at == '-'])) {
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

bool learn_cases(struct learner *l, const struct view *view, const struct domain *domain, struct samples *samples,
                 unsigned depth, char form[SHOWN_MAX])
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
        l->learn(l, view, &inside, depth + 1, forms[side]);
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
    if (!left || 64 - __builtin_clzll(left) - __builtin_ctzll(left) <= LIST_BITS || learner_is_relative(samples))
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
        l->learn(l, view, domain, depth + 1, leaf->form);
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
        bool whole = own && (!learner_sample(l, view, &inside, own) || grow_tree(l, view, &inside, own, depth, tree));
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

bool learn_tree(struct learner *l, const struct view *view, const struct domain *domain, struct samples *samples,
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
