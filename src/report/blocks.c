/* SPDX-License-Identifier: MIT */
/* Two programs compared by basic blocks: for code of which no more is known than what its instructions are. */
#include "report/sides.h"

#include <gpucode/image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN_MAX (UINT64_C(1) << 24) /* pairs of lines that are compared */

/* An instruction, or units that are none. */
struct block_line {
    uint32_t unit;
    uint32_t block;
    uint32_t target; /* index of the line that it may jump to, the count of lines: their end; GPUCODE_NONE: nowhere */
    uint32_t pair;   /* index of the line that it is on the other side; GPUCODE_NONE: none */
    uint64_t hash;
    char *text; /* places of code are "_" */
};

struct block {
    uint32_t first, count; /* lines */
    uint32_t pair;         /* number of the block that it is on the other side */
    enum gpucode_change change;
};

struct block_side {
    const struct gpucode_subject *subject;
    unsigned section;
    struct block_line *lines;
    uint32_t line_count, instructions;
    struct block *blocks;
    uint32_t block_count;
};

/* Both sides read together, and the edits between them. The units of a row are numbers of lines. */
struct block_edit {
    char *text;
    unsigned count;
};

struct block_difference {
    struct gpucode_compared_line *rows;
    uint32_t row_count;
    struct block_edit *edits; /* the most frequent first */
    size_t edit_count;
};

/* --- reading --- */

static size_t name_place(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    (void)user, (void)insn, (void)address;
    *text = '_';
    return size != 0;
}

/* The line at a unit; returns how many units it has, 0: out of memory. */
static uint32_t read_line(struct block_side *side, uint32_t unit, uint64_t *target, struct gpucode_flow *flow)
{
    const struct gpucode_format_options options = {.names = side->subject->names, .label = name_place};
    struct block_line *line = &side->lines[side->line_count++];
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX];
    uint32_t units = 1;
    *flow = (struct gpucode_flow){.kind = GPUCODE_FLOW_NEXT};
    *target = UINT64_MAX;
    if (!subject_insn(side->subject, side->section, unit, &insn) ||
        gpucode_format(&insn, &options, text, sizeof text, NULL) != GPUCODE_OK) {
        strcpy(text, "(no instruction)");
    } else {
        side->instructions++;
        units = insn.size / gpucode_target_unit_bytes(insn.target);
        if (gpucode_insn_flow(&insn, flow) && flow->known)
            *target = flow->target;
    }
    *line = (struct block_line){
        .unit = unit, .target = GPUCODE_NONE, .pair = GPUCODE_NONE, .hash = gpucode_bytes_hash(text, strlen(text))};
    line->text = strdup(text);
    return line->text ? (units ? units : 1) : 0;
}

static uint32_t find_line(const struct block_side *side, uint64_t unit)
{
    uint32_t low = 0, high = side->line_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (side->lines[middle].unit < unit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool cut(struct block_side *side, const bool *leads)
{
    side->blocks = calloc((size_t)side->line_count + 1, sizeof *side->blocks);
    if (!side->blocks)
        return false;
    for (uint32_t i = 0; i < side->line_count; i++) {
        if (leads[i] || !i)
            side->blocks[side->block_count++] = (struct block){.first = i, .pair = GPUCODE_NONE};
        side->lines[i].block = side->block_count - 1;
        side->blocks[side->block_count - 1].count++;
    }
    return true;
}

/* Reads the lines of the first section and cuts them into blocks. False: out of memory; free_side() in any case. */
static bool read_side(struct block_side *side, const struct gpucode_subject *subject)
{
    const struct gpucode_section *place = &gpucode_image_info(subject->image)->sections[0];
    *side = (struct block_side){.subject = subject};
    side->lines = calloc((size_t)place->size + 1, sizeof *side->lines);
    bool *leads = calloc((size_t)place->size + 34, 1);
    uint64_t *targets = calloc((size_t)place->size + 1, sizeof *targets);
    bool good = side->lines && leads && targets;
    for (uint32_t unit = 0, units; good && unit < place->size; unit += units) {
        struct gpucode_flow flow;
        uint32_t at = side->line_count;
        units = read_line(side, unit, &targets[at], &flow);
        good = units;
        bool ends = flow.kind != GPUCODE_FLOW_NEXT && flow.kind != GPUCODE_FLOW_CALL;
        if (ends && flow.delay_slots < 32)
            leads[at + 1 + flow.delay_slots] = true;
    }
    for (uint32_t i = 0; good && i < side->line_count; i++)
        if (targets[i] != UINT64_MAX) {
            side->lines[i].target = find_line(side, targets[i]);
            leads[side->lines[i].target] = true;
        }
    good = good && cut(side, leads);
    free(targets);
    free(leads);
    return good;
}

static void free_side(struct block_side *side)
{
    for (uint32_t i = 0; i < side->line_count; i++)
        free(side->lines[i].text);
    free(side->lines);
    free(side->blocks);
}

/* --- pairing --- */

static void pair_lines(struct block_side side[2], uint32_t old, uint32_t new)
{
    side[0].lines[old].pair = new;
    side[1].lines[new].pair = old;
}

/* The longest common subsequence of `n` lines from `a` on and `m` from `b` on. */
static bool align(struct block_side side[2], uint32_t a, uint32_t n, uint32_t b, uint32_t m)
{
    const struct block_line *old = side[0].lines + a, *new = side[1].lines + b;
    if (!n || !m || (uint64_t)n * m > ALIGN_MAX) /* more than anybody would read: all of it is different */
        return true;
    uint32_t *length = calloc((size_t)(n + 1) * (m + 1), sizeof *length);
    if (!length)
        return false;
    size_t row = (size_t)m + 1;
    for (uint32_t i = n; i-- > 0;)
        for (uint32_t k = m; k-- > 0;) {
            uint32_t *at = length + i * row + k;
            *at = old[i].hash == new[k].hash ? at[row + 1] + 1 : at[row] > at[1] ? at[row] : at[1];
        }
    for (uint32_t i = 0, k = 0; i < n && k < m;) {
        const uint32_t *at = length + i * row + k;
        if (old[i].hash == new[k].hash)
            pair_lines(side, a + i++, b + k++);
        else if (at[row] >= at[1])
            i++;
        else
            k++;
    }
    free(length);
    return true;
}

/* The block on the other side that most lines of a block are in; GPUCODE_NONE: none. */
static uint32_t most_of(const struct block_side *from, const struct block_side *to, const struct block *block)
{
    uint32_t best = GPUCODE_NONE, most = 0, run = 0, last = GPUCODE_NONE;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        if (from->lines[i].pair == GPUCODE_NONE)
            continue;
        uint32_t other = to->lines[from->lines[i].pair].block; /* they rise */
        run = other == last ? run + 1 : 1;
        last = other;
        if (run > most) {
            most = run;
            best = other;
        }
    }
    return best;
}

/* Is the line the same on the other side, and does it lead to the same? */
static bool is_same(const struct block_side side[2], uint32_t old, uint32_t new)
{
    const struct block_line *a = &side[0].lines[old], *b = &side[1].lines[new];
    if (a->pair != new)
        return false;
    if (a->target == GPUCODE_NONE || b->target == GPUCODE_NONE)
        return a->target == b->target;
    bool ends = a->target >= side[0].line_count, other_ends = b->target >= side[1].line_count;
    if (ends || other_ends)
        return ends && other_ends;
    /* to the same block, whatever its first line is now */
    return side[0].blocks[side[0].lines[a->target].block].pair == side[1].lines[b->target].block;
}

static enum gpucode_change change_of(const struct block_side side[2], const struct block *old, const struct block *new)
{
    bool same = old->count == new->count;
    for (uint32_t i = 0; same && i < old->count; i++)
        same = is_same(side, old->first + i, new->first + i);
    bool moved = side[0].lines[old->first].unit != side[1].lines[new->first].unit;
    return !same ? GPUCODE_CHANGE_CHANGED : moved ? GPUCODE_CHANGE_MOVED : GPUCODE_CHANGE_SAME;
}

/* Finds the pairs of lines and blocks, and what has become of blocks. False: out of memory. */
static bool pair_sides(struct block_side side[2])
{
    uint32_t start = 0, end = 0, n = side[0].line_count, m = side[1].line_count;
    while (start < n && start < m && side[0].lines[start].hash == side[1].lines[start].hash) {
        pair_lines(side, start, start);
        start++;
    }
    while (end < n - start && end < m - start && side[0].lines[n - 1 - end].hash == side[1].lines[m - 1 - end].hash) {
        pair_lines(side, n - 1 - end, m - 1 - end);
        end++;
    }
    if (!align(side, start, n - start - end, start, m - start - end))
        return false;
    for (uint32_t i = 0; i < side[0].block_count; i++) {
        uint32_t other = most_of(&side[0], &side[1], &side[0].blocks[i]);
        if (other == GPUCODE_NONE || most_of(&side[1], &side[0], &side[1].blocks[other]) != i)
            continue;
        side[0].blocks[i].pair = other;
        side[1].blocks[other].pair = i;
    }
    for (uint32_t i = 0; i < side[0].block_count; i++)
        if (side[0].blocks[i].pair == GPUCODE_NONE)
            side[0].blocks[i].change = GPUCODE_CHANGE_GONE;
    for (uint32_t i = 0; i < side[1].block_count; i++) {
        struct block *block = &side[1].blocks[i];
        block->change =
            block->pair == GPUCODE_NONE ? GPUCODE_CHANGE_NEW : change_of(side, &side[0].blocks[block->pair], block);
        if (block->pair != GPUCODE_NONE)
            side[0].blocks[block->pair].change = block->change;
    }
    return true;
}

/* --- the difference --- */

static bool make_rows(const struct block_side side[2], struct block_difference *difference)
{
    uint32_t i = 0, k = 0;
    difference->rows = calloc((size_t)side[0].line_count + side[1].line_count + 1, sizeof *difference->rows);
    if (!difference->rows)
        return false;
    while (i < side[0].line_count || k < side[1].line_count) {
        struct gpucode_compared_line row = {{GPUCODE_NONE, GPUCODE_NONE}, false};
        bool gone = i < side[0].line_count && side[0].lines[i].pair == GPUCODE_NONE;
        bool added = k < side[1].line_count && side[1].lines[k].pair == GPUCODE_NONE;
        row.same = !gone && !added && is_same(side, i, k);
        if (gone || !added)
            row.unit[GPUCODE_OLD] = i++;
        if (added || !gone)
            row.unit[GPUCODE_NEW] = k++;
        difference->rows[difference->row_count++] = row;
    }
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct block_edit *)a)->text, ((const struct block_edit *)b)->text);
}

static int by_count(const void *a, const void *b)
{
    const struct block_edit *left = a, *right = b;
    return left->count != right->count ? (left->count > right->count ? -1 : 1) : by_text(a, b);
}

static bool add_edit(struct block_difference *difference, const char *old, const char *new)
{
    size_t room = (old ? strlen(old) : 0) + (new ? strlen(new) : 0) + 8;
    char *text = malloc(room);
    if (!text)
        return false;
    if (old && new)
        snprintf(text, room, "%s -> %s", old, new);
    else
        snprintf(text, room, "%c %s", old ? '-' : '+', old ? old : new);
    difference->edits[difference->edit_count++] = (struct block_edit){text, 1};
    return true;
}

/* Does the row have a line that the other side lacks? */
static bool is_edit(const struct block_side side[2], const struct gpucode_compared_line *row)
{
    for (unsigned i = 0; i < 2; i++)
        if (row->unit[i] != GPUCODE_NONE && side[i].lines[row->unit[i]].pair == GPUCODE_NONE)
            return true;
    return false;
}

/*
 * Of lines that are edited together the first is replaced by the first, and so on. Where a block is too large to be
 * aligned, a line may be replaced by the same line: that is not an edit.
 */
static bool collect_edits(const struct block_side side[2], struct block_difference *difference)
{
    const struct gpucode_compared_line *rows = difference->rows;
    difference->edits = calloc((size_t)difference->row_count + 1, sizeof *difference->edits);
    bool good = difference->edits;
    for (uint32_t i = 0; good && i < difference->row_count; i++) {
        uint32_t at[2] = {i, i};
        while (i < difference->row_count && is_edit(side, &rows[i]))
            i++;
        for (bool more = at[0] < i; good && more;) {
            const char *text[2] = {NULL, NULL};
            for (unsigned k = 0; k < 2; k++) {
                while (at[k] < i && rows[at[k]].unit[k] == GPUCODE_NONE)
                    at[k]++;
                text[k] = at[k] < i ? side[k].lines[rows[at[k]++].unit[k]].text : NULL;
            }
            more = text[0] || text[1];
            bool same = text[0] && text[1] && strcmp(text[0], text[1]) == 0;
            good = !more || same || add_edit(difference, text[0], text[1]);
        }
    }
    return good;
}

static void join_edits(struct block_difference *difference)
{
    struct block_edit *edits = difference->edits;
    size_t count = 0;
    qsort(edits, difference->edit_count, sizeof *edits, by_text);
    for (size_t i = 0; i < difference->edit_count; i++)
        if (count && strcmp(edits[count - 1].text, edits[i].text) == 0) {
            edits[count - 1].count += edits[i].count;
            free(edits[i].text);
        } else {
            edits[count++] = edits[i];
        }
    difference->edit_count = count;
    qsort(edits, count, sizeof *edits, by_count);
}

static void free_difference(struct block_difference *difference)
{
    for (size_t i = 0; i < difference->edit_count; i++)
        free(difference->edits[i].text);
    free(difference->edits);
    free(difference->rows);
}

/* --- the report --- */

static void put_block(struct gpucode_answer *answer, const struct block_side side[2], uint32_t old, uint32_t new)
{
    const uint32_t number[2] = {old, new};
    enum gpucode_change change = new == GPUCODE_NONE ? side[0].blocks[old].change : side[1].blocks[new].change;
    gpucode_answer_begin(answer, &report_changes[BLOCK]);
    for (unsigned i = GPUCODE_OLD; i <= GPUCODE_NEW; i++) {
        const struct gpucode_answer_field *field = &report_changes[i == GPUCODE_OLD ? BLOCK_OLD : BLOCK_NEW];
        if (number[i] == GPUCODE_NONE)
            gpucode_answer_nothing(answer, field);
        else
            gpucode_answer_number(answer, field, side[i].lines[side[i].blocks[number[i]].first].unit);
    }
    gpucode_answer_text(answer, &report_changes[BLOCK_STATUS], gpucode_change_name(change));
    gpucode_answer_end(answer);
}

/* The blocks of the new side, then those that are gone. */
static void put_blocks(struct gpucode_answer *answer, const struct block_side side[2])
{
    unsigned counts[GPUCODE_CHANGE_GONE + 1] = {0};
    gpucode_answer_begin(answer, &report_changes[BLOCKS]);
    for (uint32_t i = 0; i < side[1].block_count; i++) {
        put_block(answer, side, side[1].blocks[i].pair, i);
        counts[side[1].blocks[i].change]++;
    }
    for (uint32_t i = 0; i < side[0].block_count; i++)
        if (side[0].blocks[i].pair == GPUCODE_NONE) {
            put_block(answer, side, i, GPUCODE_NONE);
            counts[GPUCODE_CHANGE_GONE]++;
        }
    gpucode_answer_end(answer);
    sides_put_counts(answer, BLOCK_COUNTS, counts);
}

/* A line's text, where it leads to as "l12". */
static uint32_t line_of(const void *user, unsigned which, uint32_t line, char text[SIDES_TEXT_MAX])
{
    const struct block_side *side = (const struct block_side *)user + which;
    const struct block_line *shown = &side->lines[line];
    const char *place = strchr(shown->text, '_');
    if (place && shown->target != GPUCODE_NONE && shown->target < side->line_count)
        snprintf(text, SIDES_TEXT_MAX, "%.*sl%u%s", (int)(place - shown->text), shown->text,
                 (unsigned)side->lines[shown->target].unit, place + 1);
    else
        snprintf(text, SIDES_TEXT_MAX, "%s", shown->text);
    return shown->unit;
}

static bool put_all(struct gpucode_answer *answer, const struct block_side side[2],
                    const struct block_difference *difference)
{
    const struct sides sides = {difference->rows, difference->row_count, side, line_of};
    gpucode_answer_begin(answer, &report_changes[BLOCK_CHANGES]);
    put_blocks(answer, side);
    gpucode_answer_begin(answer, &report_changes[BLOCK_EDITS]);
    for (size_t i = 0; i < difference->edit_count; i++) {
        gpucode_answer_begin(answer, &report_changes[BLOCK_EDIT]);
        gpucode_answer_text(answer, &report_changes[BLOCK_EDIT_TEXT], difference->edits[i].text);
        gpucode_answer_number(answer, &report_changes[BLOCK_EDIT_COUNT], difference->edits[i].count);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    bool any = sides_put(answer, BLOCK_LINES, &sides);
    gpucode_answer_begin(answer, &report_changes[BLOCK_KINDS]);
    for (size_t i = 0; i < difference->edit_count; i++)
        sides_put_kind(answer, BLOCK_KINDS, difference->edits[i].text, difference->edits[i].count);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return any;
}

enum gpucode_status gpucode_report_block_changes(const struct gpucode_subject *before,
                                                 const struct gpucode_subject *after, struct gpucode_answer *answer,
                                                 bool *differ)
{
    struct block_side side[2] = {{0}};
    struct block_difference difference = {0};
    if (!before || !after || !before->image || !after->image)
        return GPUCODE_ERROR_ARGUMENT;
    if (!gpucode_image_info(before->image)->section_count || !gpucode_image_info(after->image)->section_count)
        return GPUCODE_ERROR_UNSUPPORTED;
    bool any = false, good = read_side(&side[0], before) && read_side(&side[1], after);
    enum gpucode_status status = !good                                            ? GPUCODE_ERROR_MEMORY
                                 : !side[0].instructions && !side[1].instructions ? GPUCODE_ERROR_UNSUPPORTED
                                                                                  : GPUCODE_OK;
    if (status == GPUCODE_OK) {
        good = pair_sides(side) && make_rows(side, &difference) && collect_edits(side, &difference);
        if (good)
            join_edits(&difference);
        if (good)
            any = put_all(answer, side, &difference);
        status = good ? gpucode_answer_status(answer) : GPUCODE_ERROR_MEMORY;
    }
    if (differ)
        *differ = any;
    free_difference(&difference);
    free_side(&side[0]);
    free_side(&side[1]);
    return status;
}
