/* SPDX-License-Identifier: MIT */
/* Constructors for each row: one for each choice of the modifiers that make another instruction of it. */
#include "export/sleigh.h"

#include <string.h>

/* Of one row at most. */
#define CONSTRUCTORS_MAX 256

static bool changes_flow(const struct sleigh_row *row, char letter)
{
    struct gpucode_insn insn;
    struct gpucode_flow without, with;
    if (gpucode_insn_init(row->sleigh->target, row->row, &insn) != GPUCODE_OK)
        return false;
    bool known = gpucode_insn_flow(&insn, &without);
    gpucode_insn_set(&insn, letter, 1);
    return known && gpucode_insn_flow(&insn, &with) &&
           (with.kind != without.kind || with.delay_slots != without.delay_slots || with.ends != without.ends);
}

static bool value_changes_registers(const struct sleigh_row *row, char letter, uint64_t value)
{
    struct gpucode_insn insn;
    struct gpucode_operand without[GPUCODE_OPERANDS_MAX], with[GPUCODE_OPERANDS_MAX];
    if (gpucode_insn_init(row->sleigh->target, row->row, &insn) != GPUCODE_OK)
        return false;
    unsigned count = gpucode_insn_operands(&insn, NULL, without, GPUCODE_OPERANDS_MAX);
    gpucode_insn_set(&insn, letter, value);
    if (gpucode_insn_operands(&insn, NULL, with, GPUCODE_OPERANDS_MAX) != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (with[i].letter == without[i].letter && with[i].type == GPUCODE_OPERAND_REGISTER &&
            with[i].space != without[i].space)
            return true;
    return false;
}

static bool changes_registers(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    for (uint64_t value = 1; field->width <= 3 && value >> field->width == 0; value++)
        if (value_changes_registers(row, field->letter, value))
            return true;
    return false;
}

/* Does a tree ask for the field of that letter? */
static bool asks_for(const struct gpucode_action *nodes, unsigned count, char letter)
{
    for (unsigned i = 0; nodes && i < count; i++)
        if (nodes[i].kind == GPUCODE_ACTION_FIELD && nodes[i].letter == letter)
            return true;
    return false;
}

/* Does the modifier change what the row does, so that it has constructors of its own? */
static bool changes_row(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    const struct gpucode_target *target = row->sleigh->target;
    unsigned count = 0;
    if (field->type != GPUCODE_OPERAND_MODIFIER || !field->piece_count)
        return false;
    if (gpucode_place_action(target, GPUCODE_ACTION_AROUND, (unsigned char)field->letter, NULL))
        return true;
    if (changes_flow(row, field->letter) || changes_registers(row, field))
        return true;
    const struct gpucode_action *nodes = gpucode_row_action(target, row->row, &count);
    bool asked = asks_for(nodes, nodes ? count : 0, field->letter);
    for (unsigned number = 0; number < 64 && !asked; number++) {
        nodes = gpucode_place_action(target, GPUCODE_ACTION_READ, number, &count);
        asked = asks_for(nodes, nodes ? count : 0, field->letter);
        nodes = gpucode_place_action(target, GPUCODE_ACTION_WRITE, number, &count);
        asked |= asks_for(nodes, nodes ? count : 0, field->letter);
    }
    return asked;
}

/* Has it constructors of its own? So it has in special cases of a row where it changes that one. */
static bool is_choice(const struct sleigh_row *row, const struct gpucode_row_field *field)
{
    const struct gpucode_target *target = row->sleigh->target;
    struct gpucode_row facts;
    struct gpucode_row_field same;
    if (changes_row(row, field))
        return true;
    for (unsigned i = 0; field->type == GPUCODE_OPERAND_MODIFIER && i < gpucode_row_count(target); i++) {
        if (i == row->row || !gpucode_row_on_target(target, i) || !gpucode_row(target, i, &facts) ||
            facts.size != row->facts->size || (facts.mask & ~row->facts->mask) ||
            facts.match != (row->facts->match & facts.mask))
            continue;
        struct sleigh_row general = {.sleigh = row->sleigh, .row = i, .facts = &facts};
        if (sleigh_field(&general, field->letter, &same) && same.piece_count && field->piece_count &&
            same.pieces[0].shift == field->pieces[0].shift && changes_row(&general, &same))
            return true;
    }
    return false;
}

/* Is every word of the constructor one of another row, of which this one is the general form? */
static bool is_covered(const struct sleigh_row *row)
{
    const struct gpucode_target *target = row->sleigh->target;
    uint64_t mask = row->facts->mask, match = row->facts->match;
    sleigh_add_modifiers(row, &mask, &match);
    struct gpucode_row other;
    for (unsigned i = 0; i < gpucode_row_count(target); i++)
        if (i != row->row && gpucode_row_on_target(target, i) && gpucode_row(target, i, &other) &&
            other.size == row->facts->size && (other.mask & ~mask) == 0 && other.match == (match & other.mask) &&
            (row->facts->mask & ~other.mask) == 0 && other.mask != row->facts->mask)
            return true;
    return false;
}

/* Modifiers that have constructors of their own, each with how many: zero, and each value or all others together. */
struct choices {
    char letter[GPUCODE_FIELDS_MAX + 1];
    unsigned ways[GPUCODE_FIELDS_MAX], count, product;
};

static void add_choice(const struct sleigh_row *row, struct choices *choices, char letter)
{
    struct gpucode_row_field field;
    if (strchr(choices->letter, letter) || !sleigh_field(row, letter, &field) || !is_choice(row, &field))
        return;
    bool each = field.piece_count == 1 && (field.width == 1 || changes_registers(row, &field));
    unsigned ways = each ? 1u << field.width : 2;
    if (choices->count == GPUCODE_FIELDS_MAX || choices->product * ways > CONSTRUCTORS_MAX)
        return;
    choices->product *= ways;
    choices->ways[choices->count] = ways;
    choices->letter[choices->count++] = letter;
}

/* The constructor number `index` of all those of the choices. */
static void choose(struct sleigh_row *row, const struct choices *choices, unsigned index)
{
    struct gpucode_row_field field;
    memset(row->present, 0, sizeof row->present);
    memset(row->absent, 0, sizeof row->absent);
    for (unsigned i = 0, present = 0, absent = 0; i < choices->count; i++) {
        unsigned value = index % choices->ways[i];
        index /= choices->ways[i];
        if (!value) {
            row->absent[absent++] = choices->letter[i];
            continue;
        }
        sleigh_field(row, choices->letter[i], &field);
        row->value[present] = choices->ways[i] == 1u << field.width ? (uint8_t)value : 0;
        row->present[present++] = choices->letter[i];
    }
}

/*
 * Words that two rows explain, neither a case of the other: constructors of SLEIGH have no order among them, so that
 * the row that decoding takes has one more for what is common to both. True: the two are such, and this one is taken;
 * what is common goes to `both`.
 */
static bool is_taken_before(const struct gpucode_target *target, unsigned index, unsigned other_index,
                            const struct gpucode_row *facts, struct gpucode_row *both)
{
    struct gpucode_row other;
    struct gpucode_insn insn;
    unsigned char bytes[8];
    if (index == other_index || !gpucode_row_on_target(target, other_index) ||
        !gpucode_row(target, other_index, &other))
        return false;
    uint64_t common = facts->mask & other.mask;
    if (((facts->match ^ other.match) & common) || common == facts->mask || common == other.mask ||
        facts->size != other.size)
        return false;
    *both = *facts;
    both->mask |= other.mask;
    both->match |= other.match;
    for (unsigned k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(both->match >> 8 * k);
    return gpucode_decode(target, bytes, sizeof bytes, 0, &insn) == GPUCODE_OK && insn.row == index;
}

/* Do bits that decide go against a modifier of the constructor? */
static bool is_impossible(const struct sleigh_row *row)
{
    struct gpucode_row_field field;
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++) {
        bool present = strchr(row->present, field.letter), absent = strchr(row->absent, field.letter);
        if (field.piece_count != 1 || !(present || absent))
            continue;
        uint64_t bits = ((UINT64_C(2) << (field.width - 1)) - 1) << field.pieces[0].shift,
                 fixed = row->facts->mask & bits;
        uint64_t value = (uint64_t)sleigh_chosen(row, field.letter) << field.pieces[0].shift;
        if (absent || value ? (row->facts->match ^ value) & fixed : fixed == bits && !(row->facts->match & bits))
            return true;
    }
    return false;
}

/* Bits that belong to no field, as those that choose between halves and whole registers. */
static uint64_t bits_that_choose(const struct gpucode_target *target, unsigned index, const struct gpucode_row *facts)
{
    uint64_t open = ~(facts->mask | facts->ignored) & (~UINT64_C(0) >> (64 - 8 * facts->size)), chosen = 0;
    struct gpucode_row_field field;
    struct gpucode_insn insn;
    struct gpucode_operand without[GPUCODE_OPERANDS_MAX], with[GPUCODE_OPERANDS_MAX];
    for (unsigned i = 0; gpucode_row_field(target, index, i, &field); i++)
        open &= ~export_field_bits(&field);
    if (!open || gpucode_insn_init(target, index, &insn) != GPUCODE_OK)
        return 0;
    unsigned count = gpucode_insn_operands(&insn, NULL, without, GPUCODE_OPERANDS_MAX);
    for (uint64_t bit = open & (~open + 1); bit; open &= ~bit, bit = open & (~open + 1)) {
        insn.bits ^= bit;
        unsigned others = gpucode_insn_operands(&insn, NULL, with, GPUCODE_OPERANDS_MAX);
        insn.bits ^= bit;
        for (unsigned i = 0; i < count && others == count; i++)
            if (with[i].type == GPUCODE_OPERAND_REGISTER && with[i].space != without[i].space)
                chosen |= bit;
    }
    return chosen;
}

/* `before`: bits that decide in a constructor which is there already, and this is to be another one; 0: none is. */
static void write_row(struct sleigh *sleigh, unsigned index, const struct gpucode_row *facts, uint64_t before)
{
    struct gpucode_row_field field;
    struct choices choices = {.product = 1};
    struct sleigh_row row = {.sleigh = sleigh, .row = index, .facts = facts};
    for (const char *at = facts->text; (at = strchr(at, '{')) && at[1]; at++) /* in the order of the text */
        add_choice(&row, &choices, at[1]);
    for (unsigned i = 0; gpucode_row_field(sleigh->target, index, i, &field); i++) /* and what it does not show */
        add_choice(&row, &choices, field.letter);
    for (unsigned i = 0; i < choices.product; i++) {
        choose(&row, &choices, i);
        uint64_t mask = before, match = 0;
        sleigh_add_modifiers(&row, &mask, &match);
        if (is_covered(&row) || is_impossible(&row) || (before && !(facts->mask & ~mask)))
            continue;
        sleigh_write_constructor(&row);
        struct gpucode_row plain;
        struct sleigh_row own = row;
        if (!before && sleigh_plain(&own, &plain))
            sleigh_write_constructor(&own);
    }
}

/* All values of the bits that choose. */
static void write_rows(struct sleigh *sleigh, unsigned index, struct gpucode_row facts, uint64_t before)
{
    uint64_t bits = bits_that_choose(sleigh->target, index, &facts), value = 0;
    facts.mask |= bits;
    do {
        write_row(sleigh, index, &facts, before ? before | bits : 0);
        value = (value - bits) & bits;
        facts.match = (facts.match & ~bits) | value;
    } while (value);
}

void sleigh_write_row(struct sleigh *sleigh, unsigned index)
{
    struct gpucode_row facts, both;
    if (!gpucode_row_on_target(sleigh->target, index) || !gpucode_row(sleigh->target, index, &facts))
        return;
    write_rows(sleigh, index, facts, 0);
    for (unsigned i = 0; i < gpucode_row_count(sleigh->target); i++)
        if (is_taken_before(sleigh->target, index, i, &facts, &both))
            write_rows(sleigh, index, both, facts.mask);
}
