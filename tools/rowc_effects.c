/* SPDX-License-Identifier: MIT */
/*
 * The effects column of insn.def: clauses between commas.
 *
 *     jump [X]   branch X   call [X]   return   stop     where control goes; X is the letter of the operand that says
 *                                                        where to, an address or a register; without it nobody can tell
 *     slots N                                            N instructions after it run before control goes there
 *     reads X   writes X   both X                        X is a letter, a register that ROW_REGISTERS of rows.h names,
 *                                                        or memory; added to what the operand class of the letter says
 *     words of ROW_MARKS                                 facts of this instruction set alone: "unit sfu"
 *
 * A clause may end in `if L` or `unless L`: it holds where the field of that letter is not, or is, zero. What a letter
 * means wherever it stands is said once, in ROW_LETTERS: those clauses hold where the field is not zero.
 */
#include "rowc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include ROWS_H

static const struct {
    const char *name, *space, *number;
    unsigned count;
} registers[] = {
#ifdef ROW_REGISTERS
#define REGISTER(name, space, number, count, role) {name, #space, #number, count},
    ROW_REGISTERS(REGISTER)
#undef REGISTER
#endif
        {NULL, NULL, NULL, 0}};

static const struct {
    char letter;
    const char *effects;
} letters[] = {
#ifdef ROW_LETTERS
#define LETTER(letter, effects) {letter, effects},
    ROW_LETTERS(LETTER)
#undef LETTER
#endif
        {0, NULL}};

static const struct {
    const char *words;
    uint32_t bits;
} marks[] = {
#ifdef ROW_MARKS
#define MARK(words, bits) {words, bits},
    ROW_MARKS(MARK)
#undef MARK
#endif
        {NULL, 0}};

static const struct {
    const char *word, *verb, *use;
    enum { NOTHING, PLACE, MAYBE_PLACE, NUMBER, THING } then;
} verbs[] = {
    {"jump", "ISA_EFFECT_FLOW", "GPUCODE_FLOW_JUMP", MAYBE_PLACE},
    {"branch", "ISA_EFFECT_FLOW", "GPUCODE_FLOW_BRANCH", PLACE},
    {"call", "ISA_EFFECT_FLOW", "GPUCODE_FLOW_CALL", MAYBE_PLACE},
    {"return", "ISA_EFFECT_FLOW", "GPUCODE_FLOW_RETURN", NOTHING},
    {"stop", "ISA_EFFECT_FLOW", "GPUCODE_FLOW_STOP", NOTHING},
    {"slots", "ISA_EFFECT_SLOTS", "0", NUMBER},
    {"reads", "ISA_EFFECT_OPERAND", "GPUCODE_USE_READ", THING},
    {"writes", "ISA_EFFECT_OPERAND", "GPUCODE_USE_WRITE", THING},
    {"both", "ISA_EFFECT_OPERAND", "GPUCODE_USE_BOTH", THING},
};

struct word {
    const char *text;
    int length;
};

static bool is_word(struct word word, const char *text)
{
    return strlen(text) == (size_t)word.length && memcmp(text, word.text, (size_t)word.length) == 0;
}

/* 1 + the place of the letter among the row's fields. */
static unsigned field_number(struct row *row, struct word word)
{
    struct field *field = word.length == 1 ? field_of(row, *word.text) : NULL;
    if (!field)
        refuse_row(row, "an effect names what is neither a letter of the row nor a register", word.text, word.length);
    return (unsigned)(field - row->field) + 1;
}

static void read_thing(struct row *row, struct effect *effect, struct word word)
{
    if (is_word(word, "memory")) {
        effect->verb = "ISA_EFFECT_MEMORY";
        return;
    }
    for (unsigned i = 0; registers[i].name; i++)
        if (is_word(word, registers[i].name)) {
            effect->verb = "ISA_EFFECT_REGISTER";
            effect->space = registers[i].space;
            effect->number = registers[i].number;
            effect->count = registers[i].count;
            return;
        }
    effect->field = field_number(row, word);
}

static void read_body(struct row *row, struct effect *effect, const struct word *words, unsigned count)
{
    for (unsigned v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        if (!is_word(words[0], verbs[v].word))
            continue;
        effect->verb = verbs[v].verb;
        effect->use = verbs[v].use;
        unsigned least = verbs[v].then != NOTHING && verbs[v].then != MAYBE_PLACE, most = verbs[v].then != NOTHING;
        if (count - 1 < least || count - 1 > most)
            refuse_row(row, "an effect has too few or too many words", words[0].text, words[0].length);
        if (count == 1)
            return;
        if (verbs[v].then == THING)
            read_thing(row, effect, words[1]);
        else if (verbs[v].then != NUMBER)
            effect->field = field_number(row, words[1]);
        else if (words[1].length == 1 && isdigit((unsigned char)*words[1].text))
            effect->count = (unsigned)(*words[1].text - '0');
        else
            refuse_row(row, "an effect wants a digit", words[1].text, words[1].length);
        return;
    }
    refuse_row(row, "no such effect", words[0].text, words[0].length);
}

static bool read_mark(struct row *row, const char *text, size_t length)
{
    for (unsigned i = 0; marks[i].words; i++)
        if (strlen(marks[i].words) == length && memcmp(marks[i].words, text, length) == 0) {
            row->marks |= marks[i].bits;
            return true;
        }
    return false;
}

/* `when`: 1 + the field that must not be zero, from ROW_LETTERS; 0: none. */
static void read_clause(struct row *row, const char *text, size_t length, unsigned when)
{
    struct word words[6];
    unsigned count = 0;
    if (read_mark(row, text, length))
        return;
    for (size_t i = 0; i < length; count++) {
        size_t span = strcspn(text + i, " ,");
        if (count == sizeof words / sizeof *words || !span)
            refuse_row(row, "an effect has too many words or spaces", text, (int)length);
        words[count] = (struct word){text + i, (int)(span < length - i ? span : length - i)};
        i += span + 1;
    }
    if (row->effect_count == EFFECTS_MAX)
        refuse_row(row, "too many effects", text, (int)length);
    struct effect *effect = &row->effect[row->effect_count++];
    *effect = (struct effect){.use = "0", .space = "0", .number = "0", .when = when};
    if (count >= 3 && (is_word(words[count - 2], "if") || is_word(words[count - 2], "unless"))) {
        if (when)
            refuse_row(row, "an effect of ROW_LETTERS has a condition already", text, (int)length);
        effect->when = field_number(row, words[count - 1]);
        effect->unless = is_word(words[count - 2], "unless");
        count -= 2;
    }
    if (!count)
        refuse_row(row, "an effect without words", text, (int)length);
    read_body(row, effect, words, count);
}

static void read_clauses(struct row *row, const char *effects, unsigned when)
{
    while (*effects) {
        size_t length = strcspn(effects, ",");
        read_clause(row, effects, length, when);
        effects += length;
        if (*effects == ',' && *++effects != ' ')
            refuse_row(row, "effects want a comma and a space between them", effects, (int)strlen(effects));
        effects += *effects == ' ';
    }
}

void compile_effects(struct row *row, const char *effects)
{
    read_clauses(row, effects, 0);
    for (unsigned i = 0; letters[i].letter; i++) {
        struct field *field = field_of(row, letters[i].letter);
        if (field)
            read_clauses(row, letters[i].effects, (unsigned)(field - row->field) + 1);
    }
}

void print_effects(const struct row *row)
{
    if (!row->effect_count)
        return;
    printf("static const struct isa_effect effects_%s[] = {\n", row->id);
    for (unsigned i = 0; i < row->effect_count; i++) {
        const struct effect *e = &row->effect[i];
        printf("    {%s, %s, %u, %u, %d, %u, %s, %s},\n", e->verb, e->use, e->field, e->when, e->unless, e->count,
               e->space, e->number);
    }
    printf("};\n");
}

/*
 * Is there any flow, its kind where that does not hang on a field, and the whole of it where nothing does: struct
 * isa_steady_flow, read as gpucode_insn_flow() reads effects.
 */
void print_flow(const struct row *row)
{
    const char *always = "GPUCODE_FLOW_NEXT";
    bool flows = false, steady = true, ends = false, void_end = false;
    unsigned field = 0, slots[2] = {0, 0};
    for (unsigned i = 0; i < row->effect_count; i++) {
        const struct effect *e = &row->effect[i];
        bool goes = strcmp(e->verb, "ISA_EFFECT_FLOW") == 0, waits = strcmp(e->verb, "ISA_EFFECT_SLOTS") == 0;
        flows |= goes;
        steady &= !((goes || waits) && e->when);
        if (waits && !void_end)
            slots[ends] = e->count;
        if (!goes || e->when)
            continue;
        if (strcmp(e->use, "GPUCODE_FLOW_STOP") == 0 && strcmp(always, "GPUCODE_FLOW_NEXT") != 0) {
            ends = strcmp(always, "GPUCODE_FLOW_BRANCH") == 0;
            void_end = !ends;
            continue;
        }
        always = e->use;
        field = e->field;
    }
    if (flows && steady)
        printf("1, %s, {1, %d, %u, %u, %u}", always, ends, field, slots[0], slots[1]);
    else /* the effects tell, and begin with nothing */
        printf("%d, %s, {0, 0, 0, 0, 0}", flows, always);
}
