/* SPDX-License-Identifier: MIT */
/*
 * Words that mean the same get the same number. Where they lead does not count, nor do places of code that they have as
 * plain numbers. Within a generation the bits tell, between two of them the text, so that registers are compared by
 * their names.
 */
#include "analysis/compare.h"

#include "base/text.h"

#include <gpucode/insn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a word without places of code, which differ wherever something has moved. */

bool compare_decode(const struct compare_side *side, uint32_t unit, struct gpucode_insn *insn, uint64_t *bits)
{
    const struct isa_layout *layout = side->analysis->layout;
    unsigned bytes = side->analysis->target->isa->unit_bytes;
    const unsigned char *at = layout->bytes + layout->info.prefix + bytes * ((size_t)side->code->place->start + unit);
    *bits = 0;
    for (unsigned i = 0; i < bytes && i < 8; i++)
        *bits |= (uint64_t)at[i] << 8 * i;
    size_t left = bytes * ((size_t)side->code->place->size - unit);
    return gpucode_decode(side->analysis->target, at, left, unit, insn) == GPUCODE_OK;
}

struct rewriting {
    const struct compare_side *side;
    uint32_t place;
    struct compare_registers *registers; /* null: names stay */
    char *out;
    size_t used;
};

static void put(struct rewriting *w, const char *text, size_t length)
{
    if (w->used + length >= GPUCODE_TEXT_MAX)
        length = GPUCODE_TEXT_MAX - 1 - w->used;
    memcpy(w->out + w->used, text, length);
    w->used += length;
}

/* The letter that a general register has in the kind of an edit. */
static char letter_of(struct compare_registers *registers, uint32_t number)
{
    unsigned i = 0;
    while (i < registers->count && registers->number[i] != number)
        i++;
    if (i == registers->count && i < COMPARE_REGISTERS)
        registers->number[registers->count++] = number;
    return "xyzuvwabcdefgh"[i < COMPARE_REGISTERS ? i : COMPARE_REGISTERS - 1];
}

static void put_operand(struct rewriting *w, const struct gpucode_operand *operand, const char *text)
{
    const struct isa *set = w->side->analysis->target->isa;
    bool is_place = operand->type == GPUCODE_OPERAND_TARGET ||
                    (operand->type == GPUCODE_OPERAND_VALUE && w->place != GPUCODE_NONE && operand->value == w->place);
    unsigned space;
    uint32_t number;
    if (is_place) { /* and the separator in front of it */
        while (w->used && (w->out[w->used - 1] == ' ' || w->out[w->used - 1] == ','))
            w->used--;
    } else if (w->registers && operand->type == GPUCODE_OPERAND_REGISTER && set->text.own_register &&
               set->text.own_register(text, operand->length, &space, &number) && space == GPUCODE_SPACE_GENERAL &&
               number && number != UINT32_MAX) {
        char name[2] = {*text == '$' ? '$' : 'r', letter_of(w->registers, number)};
        put(w, name, 2);
    } else {
        put(w, text, operand->length);
    }
}

/* The text of a unit without places; `registers`: with letters for the general ones, null: as listings have them. */
static void compare_text(const struct compare_side *side, uint32_t unit, struct compare_registers *registers,
                         char text[GPUCODE_TEXT_MAX])
{
    const struct gpucode_format_options options = {.names = registers ? NULL : side->analysis->names};
    struct rewriting w = {.side = side, .place = side->places[unit], .registers = registers, .out = text};
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    struct gpucode_insn insn;
    char whole[GPUCODE_TEXT_MAX];
    uint64_t bits;
    if (!compare_decode(side, unit, &insn, &bits) ||
        gpucode_format(&insn, &options, whole, sizeof whole, NULL) != GPUCODE_OK) {
        snprintf(text, GPUCODE_TEXT_MAX, "[%0*llx]", (int)(2 * side->analysis->target->isa->unit_bytes),
                 (unsigned long long)bits);
        return;
    }
    unsigned count = gpucode_insn_operands(&insn, &options, operands, GPUCODE_OPERANDS_MAX);
    size_t at = 0, length = strlen(whole);
    for (unsigned i = 0; i < count; i++) {
        if (!operands[i].length || operands[i].start < at)
            continue;
        put(&w, whole + at, operands[i].start - at);
        put_operand(&w, &operands[i], whole + operands[i].start);
        at = operands[i].start + operands[i].length;
    }
    put(&w, whole + at, length - at);
    text[w.used] = 0;
}

/* --- the edits of changed functions, counted by their text -------------------------------------------------------- */

struct edit {
    struct gpucode_edit out;
    uint32_t order; /* of appearance */
};

/* "+ TEXT", "- TEXT", "OLD -> NEW" of a line that is not the same. */
static char *write_edit(struct compare_pair *pair, const struct gpucode_compared_line *line, bool kind)
{
    struct compare_registers registers = {0};
    char text[2][GPUCODE_TEXT_MAX];
    for (unsigned s = 0; s < 2; s++)
        if (line->unit[s] != GPUCODE_NONE)
            compare_text(&pair->side[s], line->unit[s], kind ? &registers : NULL, text[s]);
    if (line->unit[0] == GPUCODE_NONE)
        return arena_format(pair->arena, "+ %s", text[1]);
    if (line->unit[1] == GPUCODE_NONE)
        return arena_format(pair->arena, "- %s", text[0]);
    return arena_format(pair->arena, "%s -> %s", text[0], text[1]);
}

bool compare_list_edits(struct compare_pair *pair, struct list *edits)
{
    for (uint32_t i = 0; i < pair->out->function_count; i++) {
        const struct gpucode_compared_function *function = &pair->out->functions[i];
        for (uint32_t k = 0; k < function->line_count; k++) {
            if (function->lines[k].same)
                continue;
            struct edit *edit = list_add(edits, sizeof *edit);
            if (!edit)
                return false;
            edit->order = (uint32_t)edits->count;
            edit->out = (struct gpucode_edit){write_edit(pair, &function->lines[k], false),
                                              write_edit(pair, &function->lines[k], true), 1};
            if (!edit->out.text || !edit->out.kind)
                return false;
        }
    }
    return true;
}

static int compare_texts(const void *a, const void *b)
{
    const struct edit *left = a, *right = b;
    int order = strcmp(left->out.text, right->out.text);
    return order ? order : (left->order > right->order) - (left->order < right->order);
}

static int compare_counts(const void *a, const void *b)
{
    const struct edit *left = a, *right = b;
    if (left->out.count != right->out.count)
        return left->out.count > right->out.count ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

bool compare_count_edits(struct gpucode_comparison *comparison, struct list *list)
{
    struct edit *edits = list->items;
    size_t count = 0;
    if (list->count)
        qsort(edits, list->count, sizeof *edits, compare_texts);
    for (size_t i = 0; i < list->count; i++) {
        if (count && strcmp(edits[count - 1].out.text, edits[i].out.text) == 0)
            edits[count - 1].out.count++;
        else
            edits[count++] = edits[i];
    }
    if (count)
        qsort(edits, count, sizeof *edits, compare_counts);
    comparison->edit_count = (unsigned)count;
    comparison->edits = arena_array(&comparison->arena, count + 1, sizeof *comparison->edits);
    for (size_t i = 0; comparison->edits && i < count; i++)
        comparison->edits[i] = edits[i].out;
    return comparison->edits;
}

/* A key and where it is from. */
struct word_key {
    uint64_t key;
    uint32_t unit;
    uint8_t side;
};

static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return value ^ value >> 32;
}

/* The bits without those that say a place. */
static uint64_t plain_bits(const struct gpucode_insn *insn, uint32_t place)
{
    const struct isa_text *text = &insn->target->isa->text;
    const struct isa_row *row = &text->rows->rows[insn->row];
    uint64_t bits = insn->bits;
    for (unsigned i = 0; i < row->field_count; i++) {
        unsigned type = text->operand_classes[row->fields[i].kind].type;
        if (type == GPUCODE_OPERAND_TARGET || (place != GPUCODE_NONE && type == GPUCODE_OPERAND_VALUE &&
                                               isa_field_get(&row->fields[i], insn->bits) == place))
            bits = isa_field_set(&row->fields[i], bits, 0);
    }
    return bits;
}

static uint64_t key_of(const struct compare_side *side, uint32_t unit, bool by_text, uint16_t *row)
{
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX];
    uint64_t bits;
    bool known = compare_decode(side, unit, &insn, &bits);
    *row = known ? insn.row : UINT16_MAX;
    if (!known)
        return mix(~bits);
    if (!by_text)
        return mix(plain_bits(&insn, side->places[unit]));
    compare_text(side, unit, NULL, text);
    return mix(text_hash(TEXT_HASH_START, text, strlen(text)));
}

static int compare_keys(const void *a, const void *b)
{
    const struct word_key *left = a, *right = b;
    return (left->key > right->key) - (left->key < right->key);
}

/* Numbers the keys from 0 on. */
static bool number_keys(struct compare_pair *pair, bool by_text)
{
    size_t count = 0, used = 0;
    for (unsigned s = 0; s < 2; s++)
        count += pair->side[s].code ? pair->side[s].code->units : 0;
    struct word_key *keys = calloc(count + 1, sizeof *keys);
    if (!keys)
        return false;
    for (unsigned s = 0; s < 2; s++) {
        struct compare_side *side = &pair->side[s];
        for (uint32_t unit = 0; side->code && unit < side->code->units; unit++)
            keys[used++] = (struct word_key){key_of(side, unit, by_text, &side->rows[unit]), unit, (uint8_t)s};
    }
    qsort(keys, used, sizeof *keys, compare_keys);
    for (size_t i = 0, id = 0; i < used; i++) {
        id += i && keys[i].key != keys[i - 1].key;
        pair->side[keys[i].side].ids[keys[i].unit] = (uint32_t)id;
    }
    free(keys);
    return true;
}

static bool make_room(struct compare_pair *pair, struct compare_side *side)
{
    if (!side->code)
        return true;
    size_t units = (size_t)side->code->units + 1, functions = (size_t)side->code->function_count + 1;
    side->ids = arena_array(&pair->scratch, units, sizeof *side->ids);
    side->rows = arena_array(&pair->scratch, units, sizeof *side->rows);
    side->places = arena_array(&pair->scratch, units, sizeof *side->places);
    side->hashes = arena_array(&pair->scratch, functions, sizeof *side->hashes);
    side->partner = arena_array(&pair->scratch, functions, sizeof *side->partner);
    if (!side->ids || !side->rows || !side->places || !side->hashes || !side->partner)
        return false;
    memset(side->places, 0xff, units * sizeof *side->places);
    memset(side->partner, 0xff, functions * sizeof *side->partner);
    if (side->code->interrupt_immediate != GPUCODE_NONE)
        side->places[side->code->interrupt_immediate] = side->code->interrupt;
    for (size_t i = 0; i < side->analysis->constant_count; i++) {
        const struct gpucode_code_constant *constant = &side->analysis->constants[i];
        if (constant->section == side->code->section && constant->kind == GPUCODE_CONSTANT_JUMPS)
            side->places[constant->at] = constant->to;
    }
    return true;
}

static bool hash_functions(struct compare_side *side)
{
    struct list units = {0};
    bool good = true;
    for (uint32_t f = 0; good && f < compare_function_count(side); f++) {
        good = compare_units(side, f, &units);
        for (size_t i = 0; i < units.count; i++)
            side->hashes[f] += mix(side->ids[((uint32_t *)units.items)[i]] + UINT64_C(1));
    }
    free(units.items);
    return good;
}

bool compare_number(struct compare_pair *pair)
{
    const struct compare_side *side = pair->side;
    bool by_text = side[0].analysis->target->generation != side[1].analysis->target->generation;
    return make_room(pair, &pair->side[0]) && make_room(pair, &pair->side[1]) && number_keys(pair, by_text) &&
           hash_functions(&pair->side[0]) && hash_functions(&pair->side[1]);
}

bool compare_units(const struct compare_side *side, uint32_t function, struct list *units)
{
    const struct analysis_code *code = side->code;
    const struct gpucode_function *f = &code->functions[function];
    units->count = 0;
    for (unsigned round = 0; round < 2; round++) {
        uint32_t after = 0; /* blocks may overlap by a delay slot */
        for (uint32_t i = 0; i < f->block_count; i++) {
            const struct gpucode_block *block = &code->blocks[f->blocks[i]];
            for (uint32_t unit = block->start > after ? block->start : after; unit < block->end; unit++)
                if ((unit < f->start) == round && !code->words[unit].inside)
                    list_push(units, unit);
            after = block->end > after ? block->end : after;
        }
    }
    return !units->failed;
}

uint32_t compare_callee(const struct compare_side *side, uint32_t unit)
{
    const struct analysis_code *code = side->code;
    const struct analysis_word *word = &code->words[unit];
    bool calls = word->kind == ANALYSIS_CALL && word->known && code->marks[unit] & ANALYSIS_RUNS;
    return calls && analysis_is_entry(code, word->target) ? code->function_at[word->target] : GPUCODE_NONE;
}
