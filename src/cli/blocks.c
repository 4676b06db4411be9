/* SPDX-License-Identifier: MIT */
/* Lines and blocks of two programs, and which of them are the same. */
#include "cli/blocks.h"

#include <stdlib.h>
#include <string.h>

#define ALIGN_MAX (UINT64_C(1) << 24) /* pairs of lines that are held against each other */

/* --- reading --- */

static size_t name_place(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    (void)user, (void)insn, (void)address;
    *text = '_';
    return size != 0;
}

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

/* The line at a unit; returns how many units it has, 0: out of memory. */
static uint32_t read_line(struct block_side *side, uint32_t unit, uint64_t *target, struct gpucode_flow *flow)
{
    const struct gpucode_format_options options = {.names = input_names(side->input), .label = name_place};
    struct block_line *line = &side->lines[side->line_count++];
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX];
    uint32_t units = 1;
    *flow = (struct gpucode_flow){.kind = GPUCODE_FLOW_NEXT};
    *target = UINT64_MAX;
    if (!input_insn(side->input, side->section, unit, &insn) ||
        !input_insn_text(side->input, side->section, unit, &options, text)) {
        strcpy(text, "(no instruction)");
    } else {
        side->instructions++;
        units = insn.size / gpucode_target_unit_bytes(side->input->target);
        if (gpucode_insn_flow(&insn, flow) && flow->known)
            *target = flow->target;
    }
    *line = (struct block_line){.unit = unit, .target = GPUCODE_NONE, .pair = GPUCODE_NONE, .hash = hash_of(text)};
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

bool blocks_read(struct block_side *side, const struct input *input, unsigned section)
{
    const struct gpucode_section *place = &gpucode_image_info(input->image)->sections[section];
    *side = (struct block_side){.input = input, .section = section};
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

void blocks_free(struct block_side *side)
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

bool blocks_same(const struct block_side side[2], uint32_t old, uint32_t new)
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
        same = blocks_same(side, old->first + i, new->first + i);
    bool moved = side[0].lines[old->first].unit != side[1].lines[new->first].unit;
    return !same ? GPUCODE_CHANGE_CHANGED : moved ? GPUCODE_CHANGE_MOVED : GPUCODE_CHANGE_SAME;
}

bool blocks_pair(struct block_side side[2])
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

void blocks_count(const struct block_side side[2], unsigned counts[GPUCODE_CHANGE_GONE + 1])
{
    memset(counts, 0, (GPUCODE_CHANGE_GONE + 1) * sizeof *counts);
    for (uint32_t i = 0; i < side[1].block_count; i++)
        counts[side[1].blocks[i].change]++;
    for (uint32_t i = 0; i < side[0].block_count; i++)
        counts[GPUCODE_CHANGE_GONE] += side[0].blocks[i].change == GPUCODE_CHANGE_GONE;
}
