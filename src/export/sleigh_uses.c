/* SPDX-License-Identifier: MIT */
/*
 * Rows without a formula are functions of the registers that they read, and write those that they write. Which ones
 * those are depends on more than the operand's field (its width, how often it is repeated, a mask), so that the library
 * is asked for many words; a table has a line for each combination of the bits that decide. The lowest bits of the
 * field are a number that is added.
 */
#include "export/sleigh_learn.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BITS 8u
#define PROBES 40u
#define FLIPPED 20u /* of them in which bits are turned */
#define TRIES 60u
#define DECIDING_MAX 12
#define OWN_MAX 8
#define OWN_WORDS 3u
#define REGISTERS_MAX 8u   /* of one operand; of those with more, as loads whose count is a number, the first alone */
#define FIRST_SPECIAL 0xf0 /* registers from here on are not like others: addresses, predicates, none at all */

/* What an operand is in one word. `moves`: the number of the field is added. */
struct look {
    uint64_t word;
    bool other; /* it is none of the row's */
    bool is_value, value_moves;
    bool whole;            /* the value is the whole field, with a sign or without */
    bool indirect;         /* the register's number is what another one, which is in `at`, holds, and the value */
    unsigned change, half; /* of what is read: SLEIGH_NEG, and whether it has 16 bits: 0 and 1, 2 where nothing tells */
    unsigned count;
    int64_t value;
    struct {
        unsigned space;
        uint32_t number;
        bool moves;
    } at[REGISTERS_MAX];
};

struct asked {
    const struct sleigh_row *row;
    unsigned part;     /* of the row's text: what the field writes */
    const char *inner; /* a table with what the flags of the operand change; null: they are left out */
    const struct gpucode_row_field *field; /* null: what the text does not name */
    struct gpucode_row_field place;        /* the part of it that begins with the number */
    enum gpucode_use use;
    uint64_t open, number, random; /* bits that are free; those of the number */
};

static uint64_t random_bits(struct asked *asked)
{
    asked->random ^= asked->random << 13;
    asked->random ^= asked->random >> 7;
    return asked->random ^= asked->random << 17;
}

static uint64_t with_number(const struct asked *asked, uint64_t word, uint64_t number)
{
    return asked->number ? (word & ~asked->number) | number << __builtin_ctzll(asked->number) : word;
}

static uint64_t number_of(const struct asked *asked, uint64_t word)
{
    return asked->number ? (word & asked->number) >> __builtin_ctzll(asked->number) : 0;
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

/* A word with these bits, and others at random. */
static uint64_t make_word(struct asked *asked, uint64_t mask, uint64_t match)
{
    uint64_t word = (random_bits(asked) & asked->open) | asked->row->facts->match;
    word = with_number(asked, word,
                       number_of(asked, word) % 200 &
                           (asked->number >> (asked->number ? __builtin_ctzll(asked->number) : 0)));
    return (word & ~mask) | match;
}

/* --- what it is in a word ----------------------------------------------------------------------------------------- */

static void add_effect(struct look *look, const struct gpucode_effect *effect)
{
    for (unsigned i = 0; i < (effect->count > REGISTERS_MAX ? 1 : effect->count) && look->count < REGISTERS_MAX; i++)
        if (!effect->mask || effect->mask >> i & 1) {
            look->at[look->count].space = effect->space;
            look->at[look->count++].number = effect->number + i;
        }
}

/* An operand's number as its text has it: the library may give the bits of the field, with what says of which kind it
 * is. */
static int64_t shown_value(const struct asked *asked, const char *text, const struct gpucode_operand *operand)
{
    char *end;
    static const struct {
        const char *text;
        uint32_t bits;
    } floats[] = {{"(0.0)", 0},
                  {"(0.5)", 0x3f000000},
                  {"(1.0)", 0x3f800000},
                  {"(2.0)", 0x40000000},
                  {"(4.0)", 0x40800000},
                  {"(e)", 0x402df854},
                  {"(pi)", 0x40490fdb},
                  {"(1/pi)", 0x3ea2f983},
                  {"(1/log2(e))", 0x3f317218},
                  {"(log2(e))", 0x3fb8aa3b},
                  {"(1/log2(10))", 0x3e9a209b},
                  {"(log2(10))", 0x40549a78}};
    if (asked->field->width >= 32)
        return operand->value;
    text += learner_flags_length(text);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        if (strcmp(text + (*text == 'h'), floats[i].text) == 0)
            return floats[i].bits;
    int64_t number = strtoll(text, &end, 0);
    return end > text && !*end ? number : operand->value;
}

static void look_once(const struct asked *asked, uint64_t word, struct look *look)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    unsigned char bytes[8];
    memset(look, 0, sizeof *look);
    look->word = word;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    look->other = gpucode_decode(asked->row->sleigh->target, bytes, sizeof bytes, 0x1000, &insn) != GPUCODE_OK ||
                  insn.row != asked->row->row;
    if (look->other)
        return;
    unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX),
             effect_count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    char letter = asked->field ? asked->field->letter : 0, text[GPUCODE_TEXT_MAX] = "";
    if (letter && asked->use == GPUCODE_USE_READ)
        gpucode_insn_part(&insn, NULL, asked->part, text, NULL);
    look->change = sleigh_read_flags(text, &look->half);
    bool indirect = false; /* what operands are found by is theirs */
    for (unsigned i = 0; i < count; i++) {
        indirect |= operands[i].indirect;
        look->indirect |= operands[i].indirect && operands[i].letter == letter && asked->use == GPUCODE_USE_READ;
    }
    for (unsigned i = 0; i < effect_count && i < GPUCODE_EFFECTS_MAX; i++) {
        const struct gpucode_effect *effect = &effects[i];
        char of = effect->operand >= 0 && (unsigned)effect->operand < count ? operands[effect->operand].letter : 0;
        if (effect->kind != GPUCODE_EFFECT_MEMORY && (effect->use & asked->use) && effect->known &&
            (of == letter ? letter || !indirect || asked->use == GPUCODE_USE_WRITE : !of && look->indirect))
            add_effect(look, effect);
    }
    for (unsigned i = 0; i < count && letter; i++)
        if (operands[i].letter == letter && operands[i].type == GPUCODE_OPERAND_VALUE && operands[i].known) {
            const uint64_t value = field_value(asked->field, word), sign = UINT64_C(1) << (asked->field->width - 1);
            look->is_value = true;
            look->value = shown_value(asked, text, &operands[i]);
            look->whole =
                (uint32_t)look->value == (uint32_t)value || (uint32_t)look->value == (uint32_t)((value ^ sign) - sign);
            look->value = look->whole ? 0 : look->value;
        } else if (operands[i].letter == letter && look->indirect) {
            look->is_value = true;
            look->value = (int32_t)operands[i].number;
        }
}

static void look_at(const struct asked *asked, uint64_t word, struct look *look)
{
    struct look next;
    uint64_t number = number_of(asked, word), other = number ^ 1;
    look_once(asked, word, look);
    if (asked->inner) { /* flags alone: of one register or number, or of several */
        *look = (struct look){.word = word,
                              .other = look->other,
                              .value = look->change << 2 | look->half,
                              .whole = look->change && look->count > 1};
        return;
    }
    if (!asked->number || look->other || !(look->count || look->is_value))
        return;
    look_once(asked, with_number(asked, word, other), &next);
    if (next.other || next.count != look->count || next.is_value != look->is_value)
        return;
    const int step = other > number ? 1 : -1;
    look->value_moves = look->is_value && !look->whole && next.value == look->value + step;
    look->value -= look->value_moves ? (int64_t)number : 0;
    for (unsigned i = 0; i < look->count; i++) {
        look->at[i].moves =
            next.at[i].space == look->at[i].space && next.at[i].number == look->at[i].number + (uint32_t)step;
        look->at[i].number -= look->at[i].moves ? (uint32_t)number : 0;
    }
    if (look->count && !look->indirect) /* a register: what the text says of its number is nothing more */
        look->is_value = look->value_moves = look->whole = false, look->value = 0;
}

static bool same_look(const struct look *a, const struct look *b)
{
    if (a->other || b->other)
        return true;
    if (a->count != b->count || a->is_value != b->is_value || a->whole != b->whole || a->indirect != b->indirect ||
        a->value_moves != b->value_moves || a->value != b->value)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (a->at[i].space != b->at[i].space || a->at[i].number != b->at[i].number || a->at[i].moves != b->at[i].moves)
            return false;
    return true;
}

static uint64_t hash_look(const struct look *look, uint64_t hash)
{
    const uint64_t facts[] = {look->other,    look->is_value, look->value_moves,    look->whole,
                              look->indirect, look->count,    (uint64_t)look->value};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        hash = sleigh_hash(hash, facts[i]);
    for (unsigned i = 0; i < look->count; i++)
        hash = sleigh_hash(hash, (look->at[i].space << 1 | look->at[i].moves) ^ (uint64_t)look->at[i].number << 8);
    return hash;
}

/* Looks at a word of the row with these bits, which is returned. */
static uint64_t look_at_one(struct asked *asked, uint64_t mask, uint64_t match, struct look *look)
{
    uint64_t word;
    unsigned tries = 0;
    do
        look_at(asked, word = make_word(asked, mask, match), look);
    while (look->other && ++tries < TRIES);
    return word;
}

/* --- lines of tables ---------------------------------------------------------------------------------------------- */

/* A register of a line: what stands in the pattern for it, and in the code. */
static void register_text(const struct asked *asked, const struct look *look, unsigned index, char pattern[64],
                          char code[160])
{
    struct sleigh *sleigh = asked->row->sleigh;
    unsigned space = look->at[index].space;
    uint32_t number = look->at[index].number;
    char file[64], general[24];
    *pattern = 0;
    if (space == GPUCODE_SPACE_GENERAL && look->at[index].moves) {
        sleigh_register_piece(asked->row, &asked->place, number, pattern);
        snprintf(code, 160, "%s", pattern);
    } else if (space == GPUCODE_SPACE_GENERAL) {
        sleigh->registers = sleigh->registers > number ? sleigh->registers : number + 1;
        snprintf(code, 160, "%s", sleigh_general(sleigh, number, general));
    } else {
        sleigh_file_name(sleigh, space, file);
        if (look->at[index].moves)
            sleigh_place_table(asked->row, &asked->place, number, pattern);
        if (*pattern)
            snprintf(code, 160, "*[%s]:4 %s", file, pattern);
        else
            snprintf(code, 160, "*[%s]:4 0x%" PRIx32 ":4", file, number);
    }
}

/* A line of the table with flags. */
static void write_change(const struct asked *asked, const char *name, const struct look *look, uint64_t mask,
                         uint64_t match)
{
    FILE *out = asked->row->sleigh->tables;
    char code[SLEIGH_FLAGGED];
    fprintf(out, "%s: \"\" is ", name);
    fprintf(out, "%s%s", sleigh_write_bits(asked->row, mask, match, out) ? " & " : "", asked->inner);
    sleigh_flagged(asked->row, (unsigned)look->value, look->whole, asked->inner, code);
    fprintf(out, look->value >> 2 ? " { local all:4 = %s; export all; }\n" : " { export %s; }\n", code);
}

static void write_line(const struct asked *asked, const char *name, const struct look *look, uint64_t mask,
                       uint64_t match)
{
    FILE *out = asked->row->sleigh->tables;
    const bool value = (!look->count || look->indirect) && look->is_value && asked->use == GPUCODE_USE_READ;
    char pattern[64] = "", code[160], body[REGISTERS_MAX * 200 + 200] = "", names[REGISTERS_MAX + 1][64];
    size_t used = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < look->count; i++) {
        register_text(asked, look, i, pattern, code);
        if (*pattern)
            memcpy(names[count++], pattern, sizeof pattern);
        if (asked->use == GPUCODE_USE_READ)
            used += (size_t)sprintf(body + used, "%s%s", i ? ", " : "", code);
        else if (i)
            used += (size_t)sprintf(body + used, " %s = element(state_value, %u:4);", code, i);
        else
            used += (size_t)sprintf(body + used, " %s = state_value;", code);
    }
    if (look->indirect && !look->count) /* the library has not said which */
        strcpy(body, "0:4");
    if (look->indirect)
        sleigh_note(asked->row->sleigh, &asked->row->sleigh->calls, "indirect");
    else if (look->count > 1)
        sleigh_note(asked->row->sleigh, &asked->row->sleigh->calls,
                    asked->use == GPUCODE_USE_READ ? "several" : "element");
    if (value && look->whole)
        sleigh_table(asked->row, 'N', asked->field->letter, 0, names[count++]);
    else if (look->indirect && look->value_moves)
        sleigh_place_table(asked->row, &asked->place, (uint32_t)look->value, names[count++]);
    else if (value && look->value_moves)
        sleigh_piece(asked->row, 'f', asked->place.pieces[0].shift,
                     asked->place.width < NUMBER_BITS ? asked->place.width : NUMBER_BITS, names[count++]);
    fprintf(out, "%s: %s is ", name, value && look->value_moves && !look->indirect ? "number" : "\"\"");
    bool decided = sleigh_write_bits(asked->row, mask, match, out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s%s", decided || i ? " & " : "", names[i]);
    fputs(decided || count ? "" : "epsilon", out);
    if (asked->use == GPUCODE_USE_WRITE)
        fprintf(out, " {%s }\n", body);
    else if (look->indirect && look->value_moves)
        fprintf(out, " { local all:4 = indirect(%s, %s); export all; }\n", body, names[count - 1]);
    else if (look->indirect)
        fprintf(out, " { local all:4 = indirect(%s, 0x%" PRIx32 ":4); export all; }\n", body, (uint32_t)look->value);
    else if (value && look->value_moves)
        fprintf(out, " [ number = %s %c %" PRIu64 "; ] { export *[const]:4 number; }\n", names[count - 1],
                look->value < 0 ? '-' : '+', look->value < 0 ? -(uint64_t)look->value : (uint64_t)look->value);
    else if (value && look->whole)
        fprintf(out, " { export %s; }\n", names[count - 1]);
    else if (!look->count)
        fprintf(out, " { export 0x%" PRIx32 ":4; }\n", value ? (uint32_t)look->value : 0);
    else if (look->count == 1 && look->at[0].moves)
        fprintf(out, " { export %s; }\n", body);
    else
        fprintf(out,
                look->count == 1 ? " { local all:4 = %s; export all; }\n"
                                 : " { local all:4 = several(%s); export all; }\n",
                body);
}

/* Numbers that are not as the others of the line. */
static void write_lines(struct asked *asked, const char *name, const struct look *look, uint64_t mask, uint64_t match)
{
    struct look one;
    if (asked->inner) {
        write_change(asked, name, look, mask, match);
        return;
    }
    write_line(asked, name, look, mask, match);
    if (!asked->number || look->indirect || asked->number >> __builtin_ctzll(asked->number) != 0xff)
        return;
    for (unsigned number = 0; number < 0x100; number++) {
        const bool is_number = !look->count && look->is_value;
        if (is_number ? look->whole || look->value_moves || number > 15 : number < FIRST_SPECIAL)
            continue;
        look_once(asked, with_number(asked, look->word, number), &one);
        if (one.other)
            continue;
        if (one.count)
            one.is_value = one.whole = false, one.value = 0;
        struct look usual = *look;
        usual.value += usual.value_moves ? number : 0;
        for (unsigned i = 0; i < usual.count; i++) {
            usual.at[i].number += usual.at[i].moves ? number : 0;
            usual.at[i].moves = false;
        }
        usual.value_moves = false;
        if (!same_look(&one, &usual))
            write_line(asked, name, &one, mask | asked->number,
                       match | (uint64_t)number << __builtin_ctzll(asked->number));
    }
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
            look_at(asked, with_number(asked, (word & ~own) | spread(value, own), base + 1), &looks[value]);
        for (size_t value = 0; value >> bits == 0; value++)
            for (unsigned bit = 0; bit < bits; bit++)
                if (!same_look(&looks[value], &looks[value ^ (size_t)1 << bit]))
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
            deciding |= same_look(&look, &other) ? 0 : left & (~left + 1);
        }
    }
    while (__builtin_popcountll(deciding) > DECIDING_MAX)
        deciding &= deciding - 1;
    return deciding;
}

/* Lines for `count` values of the bits `mask`, halved as long as they are not alike. */
static void write_tree(struct asked *asked, const char *name, const struct look *looks, size_t count, uint64_t mask,
                       uint64_t known, uint64_t match)
{
    const struct look *first = NULL;
    bool alike = true;
    for (size_t i = 0; i < count; i++) {
        if (!first && !looks[i].other)
            first = &looks[i];
        alike &= !first || same_look(first, &looks[i]);
    }
    if (!first)
        return;
    if (alike) {
        write_lines(asked, name, first, known, match);
        return;
    }
    uint64_t high = UINT64_C(1) << (63 - __builtin_clzll(mask));
    bool alike_halves = true, empty[2] = {true, true};
    for (size_t i = 0; i < count / 2; i++) {
        alike_halves &= same_look(&looks[i], &looks[count / 2 + i]) && looks[i].other == looks[count / 2 + i].other;
        empty[0] &= looks[i].other;
        empty[1] &= looks[count / 2 + i].other;
    }
    if (alike_halves || empty[0] || empty[1]) { /* what no word shows is as the other half */
        write_tree(asked, name, looks + (empty[0] ? count / 2 : 0), count / 2, mask & ~high, known, match);
        return;
    }
    write_tree(asked, name, looks, count / 2, mask & ~high, known | high, match);
    write_tree(asked, name, looks + count / 2, count / 2, mask & ~high, known | high, match | high);
}

static void write_table(struct asked *asked, const char *name)
{
    uint64_t deciding = deciding_bits(asked);
    size_t count = (size_t)1 << __builtin_popcountll(deciding);
    struct look *looks = malloc(count * sizeof *looks);
    asked->row->sleigh->failed |= !looks;
    for (size_t value = 0; looks && value < count; value++)
        look_at_one(asked, deciding, spread(value, deciding), &looks[value]);
    if (looks)
        write_tree(asked, name, looks, count, deciding, 0, 0);
    free(looks);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* Where in the field the number of a register begins: below it there may be a bit that says whether it is one. */
static void find_number(struct asked *asked)
{
    unsigned most = 0, best = 0;
    struct look look;
    for (unsigned skipped = 0; skipped < 2 && skipped < asked->field->width; skipped++) {
        unsigned bits = asked->field->width - skipped, moving = 0;
        asked->number = (UINT64_C(1) << (bits < NUMBER_BITS ? bits : NUMBER_BITS)) - 1;
        asked->number = asked->number << (asked->field->pieces[0].shift + skipped) & asked->open;
        for (unsigned i = 0; i < FLIPPED && asked->number; i++) {
            look_at_one(asked, 0, 0, &look);
            moving += look.count && look.at[0].moves;
        }
        best = moving > most ? skipped : best;
        most = moving > most ? moving : most;
    }
    asked->place = *asked->field;
    asked->place.width = (uint8_t)(asked->field->width - best);
    asked->place.pieces[0].width = asked->place.width;
    asked->place.pieces[0].shift = (uint8_t)(asked->field->pieces[0].shift + best);
    asked->number = (UINT64_C(1) << (asked->place.width < NUMBER_BITS ? asked->place.width : NUMBER_BITS)) - 1;
    asked->number = asked->number << asked->place.pieces[0].shift & asked->open;
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
    for (unsigned i = 0; i < PROBES; i++) {
        unsigned tries = 0;
        do
            look_once(asked, make_word(asked, 0, 0), &look);
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
    struct look look;
    uint64_t hash = SLEIGH_HASH_START;
    uint64_t flags = SLEIGH_HASH_START;
    bool changes = false;
    char inner[64];
    asked.open = ~row->facts->mask & (~UINT64_C(0) >> (64 - 8 * row->facts->size));
    find_part(&asked);
    if (!is_used(&asked))
        return false;
    if (field && field->piece_count == 1)
        find_number(&asked);
    for (unsigned i = 0; i < PROBES; i++) {
        look_at_one(&asked, 0, 0, &look);
        hash = hash_look(&look, hash);
        flags = sleigh_hash(flags, look.change << 3 | look.half << 1 | (look.count > 1));
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
