/* SPDX-License-Identifier: MIT */
/* What an operand is in one word: registers in a row or a number, as the library says. */
#include "export/sleigh_learn.h"
#include "export/sleigh_uses.h"

#include <ctype.h>
#include <string.h>

uint64_t asked_with_number(const struct asked *asked, uint64_t word, uint64_t number)
{
    return asked->number ? (word & ~asked->number) | number << __builtin_ctzll(asked->number) : word;
}

uint64_t asked_number_of(const struct asked *asked, uint64_t word)
{
    return asked->number ? (word & asked->number) >> __builtin_ctzll(asked->number) : 0;
}

bool asked_has_special(const struct asked *asked)
{
    return asked->number && asked->number >> __builtin_ctzll(asked->number) == NUMBERS - 1;
}

void asked_place(struct asked *asked, unsigned shift, unsigned width)
{
    const uint64_t bits = (UINT64_C(1) << (width < NUMBER_BITS ? width : NUMBER_BITS)) - 1;
    asked->place = (struct gpucode_row_field){.width = (uint8_t)width, .piece_count = 1};
    asked->place.pieces[0].shift = (uint8_t)shift;
    asked->place.pieces[0].width = (uint8_t)width;
    asked->number = bits << shift & asked->open;
}

static bool decode(const struct asked *asked, uint64_t word, struct gpucode_insn *insn)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    return gpucode_decode(asked->row->sleigh->target, bytes, sizeof bytes, 0x1000, insn) == GPUCODE_OK &&
           insn->row == asked->row->row;
}

bool asked_has(const struct asked *asked, uint64_t word)
{
    struct gpucode_insn insn;
    return decode(asked, word, &insn);
}

static uint64_t field_value(const struct gpucode_row_field *field, uint64_t word)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < field->piece_count; i++) {
        unsigned width = field->pieces[i].width; /* 64: the field is the whole word */
        value =
            (width < 64 ? value << width : 0) | (word >> field->pieces[i].shift & ((UINT64_C(2) << (width - 1)) - 1));
    }
    return value;
}

/* Of many registers those in a row are one value; SLEIGH has values of up to 256 bytes. */
static void add_effect(struct look *look, const struct gpucode_effect *effect)
{
    const uint32_t most = effect->count > RANGES_MAX && !effect->mask ? LENGTH_MAX : 1;
    for (uint32_t i = 0; i < effect->count && look->count < RANGES_MAX; i += most)
        if (!effect->mask || effect->mask >> i & 1)
            look->at[look->count++] = (struct range){.space = effect->space,
                                                     .number = effect->number + i,
                                                     .length = effect->count - i < most ? effect->count - i : most};
}

/* Flags of an operand's text; *half: whether it has 16 bits, 0 and 1, 2 where nothing tells. */
static unsigned read_flags(const char *text, unsigned *half)
{
    const char *place = text + learner_flags_length(text);
    unsigned change = 0;
    for (; text < place; text = strchr(text, ')') + 1) {
        change |= strncmp(text, "(neg", 4) == 0 || strncmp(text, "(absneg", 7) == 0 ? SLEIGH_NEG : 0;
        change |= strncmp(text, "(abs", 4) == 0 ? SLEIGH_ABS : 0;
    }
    *half = !change ? 0 : *place == 'h' ? 1 : isdigit((unsigned char)*place) || *place == '-' ? 2 : 0;
    return change;
}

/* Is it the last that the text does not name? Ahead of the register by which operands are found may be a result that
 * is read, too. */
static bool is_last(const struct gpucode_effect *effects, unsigned count, unsigned at)
{
    for (unsigned i = at + 1; i < count && i < GPUCODE_EFFECTS_MAX; i++)
        if (effects[i].operand < 0 && (effects[i].use & GPUCODE_USE_READ) && effects[i].space == effects[at].space)
            return false;
    return true;
}

void look_once(const struct asked *asked, uint64_t word, struct look *look)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    memset(look, 0, sizeof *look);
    look->word = word;
    look->other = !decode(asked, word, &insn);
    if (look->other)
        return;
    unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX),
             effect_count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    char letter = asked->field ? asked->field->letter : 0, text[GPUCODE_TEXT_MAX] = "";
    if (letter && asked->use == GPUCODE_USE_READ)
        gpucode_insn_part(&insn, NULL, asked->part, text, NULL);
    look->change = read_flags(text, &look->half);
    bool indirect = false; /* the register by which operands are found is theirs */
    for (unsigned i = 0; i < count; i++) {
        indirect |= operands[i].indirect;
        look->indirect |= operands[i].indirect && operands[i].letter == letter && asked->use == GPUCODE_USE_READ;
    }
    for (unsigned i = 0; i < effect_count && i < GPUCODE_EFFECTS_MAX; i++) {
        const struct gpucode_effect *effect = &effects[i];
        char of = effect->operand >= 0 && (unsigned)effect->operand < count ? operands[effect->operand].letter : 0;
        const bool finds = !of && indirect && asked->use == GPUCODE_USE_READ &&
                           effect->space == GPUCODE_SPACE_GENERAL && is_last(effects, effect_count, i);
        const bool first = !of || effect->number == operands[effect->operand].number; /* of those that gat names */
        if (effect->kind != GPUCODE_EFFECT_MEMORY && (effect->use & asked->use) && effect->known && first &&
            (finds ? look->indirect : of == letter))
            add_effect(look, effect);
    }
    for (unsigned i = 0; i < count && letter; i++)
        if (operands[i].letter == letter && operands[i].type == GPUCODE_OPERAND_VALUE && operands[i].known) {
            const uint64_t value = field_value(asked->field, word), sign = UINT64_C(1) << (asked->field->width - 1);
            look->is_value = true;
            look->value = operands[i].value;
            look->whole =
                (uint32_t)look->value == (uint32_t)value || (uint32_t)look->value == (uint32_t)((value ^ sign) - sign);
            look->value = look->whole ? 0 : look->value;
        } else if (operands[i].letter == letter && look->indirect) {
            look->is_value = true;
            look->value = (int32_t)operands[i].number;
        }
}

void look_at(const struct asked *asked, uint64_t word, struct look *look)
{
    struct look next;
    uint64_t number = asked_number_of(asked, word), other = number ^ 1;
    look_once(asked, word, look);
    if (asked->inner) { /* flags alone: of one register or number, or of several */
        *look = (struct look){.word = word,
                              .other = look->other,
                              .value = look->change << 2 | look->half,
                              .whole = look->change && (look->count > 1 || look->at[0].length > 1)};
        return;
    }
    if (!asked->number || look->other || !(look->count || look->is_value))
        return;
    look_once(asked, asked_with_number(asked, word, other), &next);
    if (next.other || next.count != look->count || next.is_value != look->is_value)
        return;
    const int step = other > number ? 1 : -1;
    look->value_moves = look->is_value && !look->whole && next.value == look->value + step;
    look->value -= look->value_moves ? (int64_t)number : 0;
    for (unsigned i = 0; i < look->count; i++) {
        struct range *range = &look->at[i];
        range->moves = next.at[i].space == range->space && next.at[i].length == range->length &&
                       next.at[i].number == range->number + (uint32_t)step;
        range->number -= range->moves ? (uint32_t)number : 0;
    }
    if (look->count && !look->indirect) /* a register: what the text says of its number is nothing more */
        look->is_value = look->value_moves = look->whole = false, look->value = 0;
}

bool look_same(const struct look *a, const struct look *b)
{
    if (a->other || b->other)
        return true;
    if (a->count != b->count || a->is_value != b->is_value || a->whole != b->whole || a->indirect != b->indirect ||
        a->value_moves != b->value_moves || a->value != b->value)
        return false;
    for (unsigned i = 0; i < a->count; i++) {
        const struct range *x = &a->at[i], *y = &b->at[i];
        if (x->space != y->space || x->number != y->number || x->length != y->length || x->moves != y->moves)
            return false;
    }
    return true;
}

uint64_t look_hash(const struct look *look, uint64_t hash)
{
    const uint64_t facts[] = {look->other,    look->is_value, look->value_moves,    look->whole,
                              look->indirect, look->count,    (uint64_t)look->value};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        hash = sleigh_hash(hash, facts[i]);
    for (unsigned i = 0; i < look->count; i++) {
        const struct range *range = &look->at[i];
        hash = sleigh_hash(hash, (range->space << 1 | range->moves) ^ (uint64_t)range->number << 8 ^
                                     (uint64_t)range->length << 40);
    }
    return hash;
}
