/* SPDX-License-Identifier: MIT */
/* The text of a word without places of code, which differ wherever something has moved. */
#include "analysis/compare.h"

#include <gpucode/insn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void compare_text(const struct compare_side *side, uint32_t unit, struct compare_registers *registers,
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
