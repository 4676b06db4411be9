/* SPDX-License-Identifier: MIT */
/*
 * Words that mean the same get the same number. Where they lead does not count, nor do places of code that they have as
 * plain numbers. Within a generation the bits tell, between two of them the text, so that registers are compared by
 * their names.
 */
#include "analysis/compare.h"
#include "base/text.h"

#include <gpucode/insn.h>
#include <stdlib.h>
#include <string.h>

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
