/* SPDX-License-Identifier: MIT */
/*
 * Rows without a formula are functions of the registers that they read, and write those that they write. Which ones
 * those are depends on more than the operand's field (its width, how often it is repeated, a mask), so that the library
 * is asked for many words; a table has a line for each combination of the bits that decide. The lowest bits of a field
 * are a number that is added. What was found is tried on other words: bits that decide seldom are found by them.
 */
#include "export/sleigh_uses.h"
#include "front/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define USUAL 200u /* numbers of registers that are tried most of the time, */
#define FEW 12u    /* and at times: some kinds of operands have no more */
#define SMALL 2u   /* a number that all kinds of operands have */
#define PROBES 40u
#define USED_PROBES 150u
#define FLIPPED 16u /* of them in which bits are turned */
#define TRIES 60u
#define FOUND_TRIES 4000u
#define OWN_MAX 8
#define OWN_WORDS 3u
#define LEAF_WORDS 6u /* words that must be alike with any bit turned */
#define TRIED 200u    /* words that what was found is tried on, */
#define ROUNDS 12u    /* and how often at most */
#define HARD_MAX 64u

/* What the operand is in all words with these bits. */
struct leaf {
    uint64_t mask, match;
    struct look look;
};

/* The words that are told apart, by the bits that decide. */
struct tree {
    struct asked *asked;
    uint64_t deciding, hard[HARD_MAX]; /* `hard`: words that others were mistaken for */
    unsigned hard_count, count;
    struct leaf *leaves;
    size_t room;
};

static uint64_t random_bits(struct asked *asked)
{
    asked->random ^= asked->random << 13;
    asked->random ^= asked->random >> 7;
    return asked->random ^= asked->random << 17;
}

/* Words of the row, of which others are made: of some rows few words at random are instructions. */
static void find_words(struct asked *asked)
{
    struct sleigh_asked *known = &asked->row->sleigh->asked;
    for (unsigned i = 0; i < FOUND_TRIES && known->word_count < SLEIGH_ASKED_WORDS; i++) {
        const uint64_t word = (random_bits(asked) & asked->open) | asked->row->facts->match;
        known->word[known->word_count] = word;
        known->word_count += asked_has(asked, word);
    }
}

/* The word with bits of fields of the other one. */
static uint64_t mix(struct asked *asked, uint64_t word, uint64_t other)
{
    struct gpucode_row_field field;
    const uint64_t taken = random_bits(asked);
    for (unsigned i = 0; gpucode_row_field(asked->row->sleigh->target, asked->row->row, i, &field); i++) {
        const uint64_t bits = taken >> i & 1 ? export_field_bits(&field) & asked->open : 0;
        word = (word & ~bits) | (other & bits);
    }
    return word;
}

/*
 * A word with these bits, and others at random: first with fields of two words that are instructions, or with some at
 * random, then of one. Of few the register is a special one.
 */
static uint64_t make_word(struct asked *asked, uint64_t mask, uint64_t match, unsigned tries)
{
    const struct sleigh_asked *known = &asked->row->sleigh->asked;
    const uint64_t all = asked->number ? asked->number >> __builtin_ctzll(asked->number) : 0;
    uint64_t word = (random_bits(asked) & asked->open) | asked->row->facts->match, other = word;
    if (known->word_count) {
        word = known->word[random_bits(asked) % known->word_count];
        if (tries % 3 == 0)
            other = known->word[random_bits(asked) % known->word_count];
        word = tries % 3 == 2 ? word : mix(asked, word, other);
    }
    word = asked_with_number(asked, word, random_bits(asked) % (random_bits(asked) % 8 ? USUAL : FEW) & all);
    return (word & ~mask) | match;
}

/* Looks at a word of the row with these bits, which is returned. */
static uint64_t look_at_one(struct asked *asked, uint64_t mask, uint64_t match, struct look *look)
{
    uint64_t word;
    unsigned tries = 0;
    do
        look_at(asked, word = make_word(asked, mask, match, tries), look);
    while (look->other && ++tries < TRIES);
    return word;
}

/* --- bits that decide --------------------------------------------------------------------------------------------- */

/* Bits of `value`, the lowest first, at the places of `mask`. */
static uint64_t spread(uint64_t value, uint64_t mask)
{
    uint64_t word = 0;
    for (; mask; mask &= mask - 1, value >>= 1)
        word |= value & 1 ? mask & (~mask + 1) : 0;
    return word;
}

/* Bits of the field itself may decide together alone (a fraction has two of them): all their values are tried. */
static uint64_t own_bits(struct asked *asked)
{
    uint64_t deciding = 0, own = asked->field ? export_field_bits(asked->field) & asked->open & ~asked->number : 0;
    unsigned bits = (unsigned)__builtin_popcountll(own);
    struct look *looks = own && bits <= OWN_MAX ? malloc(((size_t)1 << bits) * sizeof *looks) : NULL;
    for (unsigned base = 0; looks && base < OWN_WORDS; base++) {
        struct look first;
        uint64_t word = look_at_one(asked, 0, 0, &first);
        for (size_t value = 0; value >> bits == 0; value++)
            look_at(asked, asked_with_number(asked, (word & ~own) | spread(value, own), base + 1), &looks[value]);
        for (size_t value = 0; value >> bits == 0; value++)
            for (unsigned bit = 0; bit < bits; bit++)
                if (!look_same(&looks[value], &looks[value ^ (size_t)1 << bit]))
                    deciding |= spread((uint64_t)1 << bit, own);
    }
    free(looks);
    return deciding;
}

static uint64_t deciding_bits(struct asked *asked)
{
    uint64_t deciding = own_bits(asked);
    struct look look, other;
    for (unsigned i = 0; i < FLIPPED; i++) {
        uint64_t word = look_at_one(asked, 0, 0, &look);
        for (uint64_t left = asked->open & ~asked->number & ~deciding; left && !look.other; left &= left - 1) {
            look_at(asked, word ^ (left & (~left + 1)), &other);
            deciding |= look_same(&look, &other) ? 0 : left & (~left + 1);
        }
    }
    return deciding;
}

/* --- the tree ----------------------------------------------------------------------------------------------------- */

/* Words of a place in the tree, those first that were mistaken for others. How many there are. */
static unsigned sample(struct tree *tree, uint64_t mask, uint64_t match, struct look looks[LEAF_WORDS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < tree->hard_count && count < LEAF_WORDS; i++)
        if ((tree->hard[i] & mask) == match) {
            look_at(tree->asked, tree->hard[i], &looks[count]);
            count += !looks[count].other;
        }
    for (bool some = true; some && count < LEAF_WORDS; count += some) {
        look_at_one(tree->asked, mask, match, &looks[count]);
        some = !looks[count].other;
    }
    return count;
}

static bool decides(const struct tree *tree, uint64_t bit, const struct look *looks, unsigned count)
{
    const struct asked *asked = tree->asked;
    struct look other, few;
    for (unsigned i = 0; i < count; i++) {
        look_at(asked, looks[i].word ^ bit, &other);
        if (!look_same(&looks[i], &other))
            return true;
        if (!other.other || !asked->number)
            continue;
        look_at(asked, asked_with_number(asked, looks[i].word, SMALL), &few);
        look_at(asked, asked_with_number(asked, looks[i].word ^ bit, SMALL), &other);
        if (!look_same(&few, &other))
            return true;
    }
    return false;
}

static uint64_t highest(uint64_t bits)
{
    return bits ? UINT64_C(1) << (63 - __builtin_clzll(bits)) : 0;
}

/* A bit by which words of the place are told apart; 0: all are alike. Those that were not known to decide are turned in
 * one word alone. */
static uint64_t find_split(struct tree *tree, uint64_t mask, const struct look *looks, unsigned count)
{
    const struct asked *asked = tree->asked;
    for (uint64_t left = tree->deciding & ~mask; left; left &= ~highest(left))
        if (decides(tree, highest(left), looks, count))
            return highest(left);
    for (uint64_t left = asked->open & ~asked->number & ~mask & ~tree->deciding; left; left &= left - 1)
        if (decides(tree, left & (~left + 1), looks, 1)) {
            tree->deciding |= left & (~left + 1);
            return left & (~left + 1);
        }
    return 0;
}

/* One whose number is none of the few that may be special, where there is one. */
static const struct look *usual_one(const struct asked *asked, const struct look *looks, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (asked_number_of(asked, looks[i].word) > 15)
            return &looks[i];
    return looks;
}

static void grow_leaves(struct tree *tree, uint64_t mask, uint64_t match)
{
    struct look looks[LEAF_WORDS];
    const unsigned count = sample(tree, mask, match, looks), before = tree->count;
    if (!count)
        return;
    const uint64_t bit = find_split(tree, mask, looks, count);
    if (!bit) {
        if (!grow(&tree->leaves, tree->count, &tree->room, sizeof *tree->leaves))
            tree->asked->row->sleigh->failed = true;
        else
            tree->leaves[tree->count++] = (struct leaf){mask, match, *usual_one(tree->asked, looks, count)};
        return;
    }
    grow_leaves(tree, mask | bit, match);
    const unsigned middle = tree->count;
    grow_leaves(tree, mask | bit, match | bit);
    if (middle == before || tree->count == middle) /* what no word shows is as the other half */
        for (unsigned i = before; i < tree->count; i++) {
            tree->leaves[i].mask &= ~bit;
            tree->leaves[i].match &= ~bit;
        }
}

/* The word is not as the leaf says: bits decide by which the two differ. */
static void note_hard(struct tree *tree, const struct leaf *leaf, uint64_t word)
{
    struct look from, to;
    uint64_t at = asked_with_number(tree->asked, leaf->look.word, asked_number_of(tree->asked, word));
    look_at(tree->asked, at, &from);
    for (uint64_t left = at ^ word; left; left &= left - 1) {
        look_at(tree->asked, at ^= left & (~left + 1), &to);
        if (to.other)
            continue;
        if (!look_same(&from, &to))
            tree->deciding |= left & (~left + 1);
        from = to;
    }
    if (tree->hard_count < HARD_MAX)
        tree->hard[tree->hard_count++] = word;
}

/* Is all found? Special registers, too, are among the words that it is tried on. */
static bool tree_fits(struct tree *tree)
{
    struct look look, expected;
    const bool special = !tree->asked->inner && asked_has_special(tree->asked);
    bool fits = true;
    for (unsigned i = 0; i < TRIED; i++) {
        uint64_t word = make_word(tree->asked, 0, 0, i);
        if (special && i % 4 == 0)
            word = asked_with_number(tree->asked, word, FIRST_SPECIAL | random_bits(tree->asked) % 16);
        const struct leaf *leaf = tree->leaves, *end = leaf + tree->count;
        while (leaf < end && (word & leaf->mask) != leaf->match)
            leaf++;
        look_at(tree->asked, word, &look);
        if (look.other || leaf == end)
            continue;
        look_at(tree->asked, asked_with_number(tree->asked, leaf->look.word, asked_number_of(tree->asked, word)),
                &expected);
        if (expected.other || look_same(&look, &expected))
            continue;
        note_hard(tree, leaf, word);
        fits = false;
    }
    return fits;
}

/* Is the number special, and the same in all words? */
static bool is_apart(const struct tree *tree, unsigned number, struct look *apart)
{
    struct look one;
    bool special = false;
    for (unsigned i = 0; i < tree->count; i++)
        if (!lines_special(tree->asked, &tree->leaves[i].look, number, i ? &one : apart, &special) ||
            (i && !look_same(&one, apart)))
            return false;
    return special;
}

static void write_table(struct asked *asked, const char *name)
{
    struct tree tree = {.asked = asked, .deciding = deciding_bits(asked)};
    struct look apart[NUMBERS - FIRST_SPECIAL];
    char usual[80];
    unsigned rounds = 0;
    do {
        tree.count = 0;
        grow_leaves(&tree, 0, 0);
    } while (!tree_fits(&tree) && ++rounds < ROUNDS);
    const bool any = tree.count > 1 && !asked->inner && asked_has_special(asked);
    asked->apart = 0;
    for (unsigned i = 0; any && i < NUMBERS - FIRST_SPECIAL; i++)
        asked->apart |= (unsigned)is_apart(&tree, FIRST_SPECIAL + i, &apart[i]) << i;
    snprintf(usual, sizeof usual, asked->apart ? "%s_usual" : "%s", name);
    for (unsigned i = 0; i < tree.count; i++)
        lines_write(asked, usual, &tree.leaves[i].look, tree.leaves[i].mask, tree.leaves[i].match);
    if (asked->apart)
        lines_apart(asked, name, usual, apart);
    free(tree.leaves);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* Words in which these bits are the number of a register. */
static unsigned count_moving(struct asked *asked, unsigned shift, unsigned width)
{
    struct look look;
    unsigned moving = 0;
    asked_place(asked, shift, width);
    for (unsigned i = 0; i < FLIPPED && asked->number && (moving || i < FLIPPED / 2); i++) {
        look_at_one(asked, 0, 0, &look);
        moving += look.count && look.at[0].moves;
    }
    return moving;
}

/*
 * Where in the field the number of a register begins: below it there may be a bit that says whether it is one. What has
 * no bits of its own may have the number anywhere.
 */
static void find_number(struct asked *asked)
{
    const struct gpucode_row_field *field = asked->field;
    const bool own = field && field->piece_count, whole = own && field->piece_count == 1;
    const unsigned low = own ? field->pieces[field->piece_count - 1].shift : 0,
                   bits = own ? field->pieces[field->piece_count - 1].width : 8u * asked->row->facts->size;
    unsigned most = 0, shift = low, width = whole ? bits : 0;
    for (unsigned skipped = 0; skipped < bits && (!own || skipped < 2); skipped++) {
        const unsigned left = bits - skipped, most_bits = own || left < NUMBER_BITS ? left : NUMBER_BITS;
        const unsigned moving = count_moving(asked, low + skipped, most_bits);
        if (moving > most) {
            most = moving;
            shift = low + skipped;
            width = most_bits;
        }
    }
    asked->number = 0;
    if (width)
        asked_place(asked, shift, width);
}

/* The part of the row's text that the field writes; past the last one where it writes none. */
static void find_part(struct asked *asked)
{
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX], letter;
    const bool known =
        asked->field && gpucode_insn_init(asked->row->sleigh->target, asked->row->row, &insn) == GPUCODE_OK;
    while (known && gpucode_insn_part(&insn, NULL, asked->part, text, &letter) && letter != asked->field->letter)
        asked->part++;
}

/* Does it read, or write, anything in any word? Most operands do one of both. */
static bool is_used(struct asked *asked)
{
    struct look look;
    if (asked->field && asked->field->type != GPUCODE_OPERAND_REGISTER && asked->field->type != GPUCODE_OPERAND_VALUE)
        return false;
    for (unsigned i = 0; i < USED_PROBES; i++) {
        unsigned tries = 0;
        do
            look_once(asked, make_word(asked, 0, 0, tries), &look);
        while (look.other && ++tries < TRIES);
        if (look.count)
            return true;
    }
    return false;
}
/* The name of a table, by what it has; true: it is new. */
static bool note_table(const struct asked *asked, char kind, const char *made, uint64_t hash, char name[64])
{
    struct sleigh *sleigh = asked->row->sleigh;
    char key[64];
    unsigned number = 0;
    snprintf(key, sizeof key, "%c%u%u %016" PRIx64, kind, asked->use, asked->row->facts->size, hash);
    while (number < sleigh->looks.count && strcmp(sleigh->looks.name[number], key) != 0)
        number++;
    snprintf(name, 64, "%s_%u", made, number);
    return sleigh_note(sleigh, &sleigh->looks, "%s", key);
}

static bool find_table(const struct sleigh_row *row, const struct gpucode_row_field *field, enum gpucode_use use,
                       char name[64])
{
    struct asked asked = {.row = row, .field = field, .use = use, .random = UINT64_C(0x9e3779b97f4a7c15)};
    struct look look, special;
    uint64_t hash = SLEIGH_HASH_START;
    uint64_t flags = SLEIGH_HASH_START;
    bool changes = false;
    char inner[64];
    asked.open = ~row->facts->mask & (~UINT64_C(0) >> (64 - 8 * row->facts->size));
    find_part(&asked);
    if (!row->sleigh->asked.word_count)
        find_words(&asked);
    if (!is_used(&asked))
        return false;
    find_number(&asked);
    for (unsigned i = 0; i < PROBES; i++) {
        uint64_t word = look_at_one(&asked, 0, 0, &look);
        hash = look_hash(&look, hash);
        if (asked_has_special(&asked)) {
            look_at(&asked, asked_with_number(&asked, word, FIRST_SPECIAL | i % 16), &special);
            hash = look_hash(&special, hash);
        }
        flags = sleigh_hash(flags, look.change << 3 | look.half << 1 | (look.count > 1 || look.at[0].length > 1));
        changes |= look.change != 0;
    }
    const char *made = use == GPUCODE_USE_READ ? "reads" : "writes";
    if (note_table(&asked, 'U', made, sleigh_hash(hash, asked.number), changes ? inner : name))
        write_table(&asked, changes ? inner : name);
    asked.inner = inner;
    flags = sleigh_hash(sleigh_hash(flags, hash), (unsigned char)sleigh_sources_kind(row));
    if (changes && note_table(&asked, 'M', "flagged", flags, name))
        write_table(&asked, name);
    return true;
}

/* A row's constructors have the same tables. */
bool sleigh_uses_table(const struct sleigh_row *row, const struct gpucode_row_field *field, enum gpucode_use use,
                       char name[64])
{
    struct sleigh_asked *asked = &row->sleigh->asked;
    char letter = field ? field->letter : 0;
    if (asked->row != row->row || asked->mask != row->facts->mask || asked->match != row->facts->match)
        *asked = (struct sleigh_asked){.row = row->row, .mask = row->facts->mask, .match = row->facts->match};
    for (unsigned i = 0; i < asked->count; i++)
        if (asked->known[i].letter == letter && asked->known[i].use == use) {
            snprintf(name, 64, "%s", asked->known[i].name);
            return asked->known[i].any;
        }
    *name = 0;
    bool any = find_table(row, field, use, name);
    if (asked->count < sizeof asked->known / sizeof *asked->known) {
        asked->known[asked->count].letter = letter;
        asked->known[asked->count].use = use;
        asked->known[asked->count].any = any;
        snprintf(asked->known[asked->count++].name, sizeof asked->known[0].name, "%.20s", name);
    }
    return any;
}
