/* SPDX-License-Identifier: MIT */
/*
 * Constants of an edited listing that still hold where a label stood. Branches and the packet table follow their
 * labels; a number in a `mov` does not. The labels that a listing makes up ("l12", "fxn12") carry their old place in
 * their name, so they tell how far everything between them has moved.
 */
#include "afuc_messages.h"
#include "isa/afuc/afuc.h"
#include "isa/assembler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_CONSTANT 0x20 /* smaller ones are too common for anything else */
#define WARNINGS_MAX 16

/* A label that stood elsewhere. */
struct moved {
    uint64_t from, to;
    unsigned label;
    bool told;
};

struct moves {
    struct moved *list;
    size_t count, room;
    unsigned warnings;
};

static void add_move(struct moves *moves, uint64_t to, int64_t shift, unsigned label)
{
    if (shift == 0 || moves->count == moves->room || (shift > 0 && to < (uint64_t)shift))
        return;
    moves->list[moves->count++] = (struct moved){to - (uint64_t)shift, to, label, false};
}

/* How far a made-up label has moved; false: it is none. */
static bool shift_of(const struct asm_label *label, int64_t *shift)
{
    int64_t stood;
    if (!afuc_default_label(label->name, label->length, &stood))
        return false;
    *shift = (int64_t)label->value - stood;
    return true;
}

/* Labels come in the order of the text. Between two made-up ones that moved differently either distance may be right.
 */
static void collect(struct asm_context *context, unsigned section, struct moves *moves)
{
    int64_t before = 0, shift;
    struct asm_label label;
    for (unsigned i = 0, first = 0; asm_label_at(context, i, &label); i++) {
        if (label.section != section || !shift_of(&label, &shift))
            continue;
        for (struct asm_label other; first <= i && asm_label_at(context, first, &other); first++) {
            if (other.section != section)
                continue;
            add_move(moves, other.value, shift, first);
            if (before != shift && first < i)
                add_move(moves, other.value, before, first);
        }
        before = shift;
    }
}

static int compare_moves(const void *a, const void *b)
{
    const struct moved *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

/* Of several labels of a place the first one: that of a packet, where there is one. */
static int compare_places(const void *a, const void *b)
{
    const struct moved *left = a, *right = b;
    int order = compare_moves(a, b);
    return order ? order : (left->label > right->label) - (left->label < right->label);
}

static struct moved *find_move(struct moves *moves, uint64_t from)
{
    struct moved key = {.from = from};
    struct moved *found = bsearch(&key, moves->list, moves->count, sizeof key, compare_moves);
    while (found && found > moves->list && found[-1].from == from)
        found--;
    return found;
}

uint32_t afuc_preempt_number(const struct gpucode_target *target)
{
    uint32_t number;
    return isa_number_of(target->names, NULL, GPUCODE_SPACE_SQE, "PREEMPT_INSTR", 13, &number) ? number : GPUCODE_NONE;
}

unsigned afuc_preempt_source(const struct gpucode_target *target, uint32_t preempt, uint64_t word)
{
    struct gpucode_insn insn = {target, word, 0, AFUC_SWRITE, 4, true};
    return isa_letter(&insn, 'q') == preempt && !isa_letter(&insn, 'o') ? (unsigned)isa_letter(&insn, 's')
                                                                        : AFUC_NO_REGISTER;
}

/* Is the register that the word at `unit` loads written to %PREEMPT_INSTR soon? */
static bool loads_preempt(struct asm_context *context, unsigned section, uint64_t unit, unsigned reg)
{
    const struct gpucode_target *target = asm_target(context);
    uint32_t preempt = afuc_preempt_number(target);
    uint64_t word;
    for (unsigned i = 1; i <= AFUC_PREEMPT_WORDS && asm_read(context, section, unit + i, 4, &word); i++)
        if (isa_decode_row(&afuc_rows, target->generation, word) == AFUC_SWRITE &&
            afuc_preempt_source(target, preempt, word) == reg)
            return true;
    return false;
}

static void look_at(struct asm_context *context, unsigned section, uint64_t unit, uint64_t word, struct moves *moves)
{
    char detail[96], hint[160];
    int row = isa_decode_row(&afuc_rows, asm_target(context)->generation, word);
    if ((row != AFUC_MOV_IMM && row != AFUC_MOV_IMM_A5XX) || asm_waits(context, section, unit))
        return;
    unsigned shift = word >> 21 & 31, reg = word >> 16 & 31;
    uint64_t value = word & 0xffff;
    struct moved *moved = find_move(moves, value);
    if (!moved || moved->told || (shift && shift != 2))
        return;
    bool preempt = shift == 0 && loads_preempt(context, section, unit, reg);
    if (!preempt && value < LEAST_CONSTANT)
        return;
    moved->told = true;
    if (moves->warnings++ >= WARNINGS_MAX)
        return;
    struct asm_label label;
    asm_label_at(context, moved->label, &label);
    snprintf(detail, sizeof detail, "the constant 0x%llx%s at word 0x%llx is where it stood%s",
             (unsigned long long)value, shift ? " << 2" : "", (unsigned long long)unit,
             preempt ? ", for %PREEMPT_INSTR" : "");
    snprintf(hint, sizeof hint, "it stands at 0x%llx now; if it is meant, write #%.*s in the constant's place",
             (unsigned long long)moved->to, (int)(label.length < 64 ? label.length : 64), label.name);
    asm_label_report(context, moved->label, MSG_AFUC_STOOD, hint, detail);
}

void afuc_warn_moved(struct asm_context *context)
{
    unsigned labels = 0, last = asm_current_section(context);
    struct asm_label label;
    bool moved = false;
    for (int64_t shift = 0; asm_label_at(context, labels, &label); labels++)
        moved |= shift_of(&label, &shift) && shift;
    if (!moved)
        return;
    struct moves moves = {.room = 2 * (size_t)labels};
    moves.list = labels ? calloc(moves.room, sizeof *moves.list) : NULL;
    for (unsigned section = 0; moves.list && section <= last; section++) {
        moves.count = 0;
        collect(context, section, &moves);
        if (!moves.count)
            continue;
        qsort(moves.list, moves.count, sizeof *moves.list, compare_places);
        uint64_t word;
        for (uint64_t unit = 0; asm_read(context, section, unit, 4, &word); unit++)
            look_at(context, section, unit, word, &moves);
    }
    free(moves.list);
}
