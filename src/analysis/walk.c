/* SPDX-License-Identifier: MIT */
/*
 * Edges out of a sequence of program counters. What a transfer did shows after its delay slot; a transfer in the slot
 * of a branch takes effect where the branch was not taken.
 */
#include "analysis/build.h"
#include "base/arena.h"
#include "base/text.h"

#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

/* A transfer that is not a branch or jump: where it leads is not an edge. */
#define ENDS 16

/* A transfer whose outcome is not known yet. */
struct walker {
    bool pending, in_slot;
    unsigned section;
    uint32_t from;
};

struct gpucode_walk {
    const struct isa_layout *layout;
    uint8_t *slots; /* of each unit of the image: 0 no transfer, else 1 + its delay slots, with ENDS or without */
    struct list edges;
    size_t *last; /* of each unit: 1 + the edge that was added last; `before` of edges leads to older ones */
    struct list before;
    struct walker walkers[GPUCODE_WALK_PROCESSORS];
};

static void look_at_section(struct gpucode_walk *walk, const struct gpucode_section *section)
{
    const struct gpucode_target *target = walk->layout->info.target;
    unsigned unit = target->isa->unit_bytes;
    for (uint32_t at = 0; at < section->size; at++) {
        struct gpucode_insn insn;
        struct gpucode_flow flow;
        size_t offset = walk->layout->info.prefix + (size_t)unit * (section->start + at);
        if (gpucode_decode(target, walk->layout->bytes + offset, walk->layout->size - offset, at, &insn) !=
                GPUCODE_OK ||
            !gpucode_insn_flow(&insn, &flow) || flow.kind == GPUCODE_FLOW_NEXT || flow.kind == GPUCODE_FLOW_STOP)
            continue;
        bool stays = flow.kind == GPUCODE_FLOW_JUMP || flow.kind == GPUCODE_FLOW_BRANCH;
        walk->slots[section->start + at] = (uint8_t)(1 + flow.delay_slots + (stays ? 0 : ENDS));
    }
}

enum gpucode_status gpucode_walk_create(const struct gpucode_image *image, struct gpucode_walk **out)
{
    if (!image || !out)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_walk *walk = calloc(1, sizeof *walk);
    if (!walk)
        return GPUCODE_ERROR_MEMORY;
    walk->layout = image_layout(image);
    walk->slots = calloc((size_t)walk->layout->info.units + 1, sizeof *walk->slots);
    walk->last = calloc((size_t)walk->layout->info.units + 1, sizeof *walk->last);
    if (!walk->slots || !walk->last) {
        gpucode_walk_free(walk);
        return GPUCODE_ERROR_MEMORY;
    }
    for (unsigned i = 0; i < walk->layout->info.section_count; i++)
        look_at_section(walk, &walk->layout->info.sections[i]);
    *out = walk;
    return GPUCODE_OK;
}

void gpucode_walk_free(struct gpucode_walk *walk)
{
    if (!walk)
        return;
    FREE_ALL(walk->slots, walk->last, walk->edges.items, walk->before.items, walk);
}

static bool add_edge(struct gpucode_walk *walk, unsigned section, uint32_t from, uint32_t to)
{
    struct gpucode_seen_edge *edges = walk->edges.items;
    const size_t *before = walk->before.items;
    size_t *last = &walk->last[walk->layout->info.sections[section].start + from];
    for (size_t i = *last; i; i = before[i - 1])
        if (edges[i - 1].to == to && edges[i - 1].section == section && edges[i - 1].from == from)
            return true;
    struct gpucode_seen_edge *edge = list_add(&walk->edges, sizeof *edge);
    size_t *link = list_add(&walk->before, sizeof *link);
    if (!edge || !link)
        return false;
    *edge = (struct gpucode_seen_edge){section, from, to};
    *link = *last;
    *last = walk->edges.count;
    return true;
}

bool gpucode_walk_step(struct gpucode_walk *walk, unsigned processor, unsigned section, uint64_t pc)
{
    if (!walk || processor >= GPUCODE_WALK_PROCESSORS || section >= walk->layout->info.section_count ||
        pc >= walk->layout->info.sections[section].size)
        return false;
    struct walker *walker = &walk->walkers[processor];
    const uint8_t *slots = walk->slots + walk->layout->info.sections[section].start;
    uint32_t at = (uint32_t)pc;
    bool good = true;
    if (walker->pending && walker->section == section) {
        uint8_t kind = slots[walker->from];
        bool has_slot = (kind % ENDS) > 1;
        if (has_slot && at == walker->from + 1) { /* repeated, perhaps */
            walker->in_slot = true;
            return true;
        }
        if (!(kind & ENDS) && (walker->in_slot || !has_slot))
            good = add_edge(walk, section, walker->from, at);
        walker->pending = false;
        /* not taken: what stood in the slot is a transfer itself, and this its slot */
        if (walker->in_slot && at == walker->from + 2 && slots[walker->from + 1]) {
            *walker = (struct walker){true, true, section, walker->from + 1};
            return good;
        }
    }
    *walker = (struct walker){slots[at] != 0, false, section, at};
    return good;
}

int analysis_compare_seen(const void *a, const void *b)
{
    const struct gpucode_seen_edge *left = a, *right = b;
    int order = ORDER(left->section, right->section);
    order = order ? order : ORDER(left->from, right->from);
    return order ? order : ORDER(left->to, right->to);
}

const struct gpucode_seen_edge *gpucode_walk_edges(struct gpucode_walk *walk, size_t *count)
{
    static const struct gpucode_seen_edge none;
    if (count)
        *count = 0;
    if (!walk || !count || walk->edges.failed || walk->before.failed)
        return NULL;
    struct gpucode_seen_edge *edges = walk->edges.items;
    if (!walk->edges.count)
        return &none;
    qsort(edges, walk->edges.count, sizeof *edges, analysis_compare_seen);
    /* the order is another now: the chains of each unit anew */
    memset(walk->last, 0, (size_t)walk->layout->info.units * sizeof *walk->last);
    for (size_t i = 0; i < walk->edges.count; i++) {
        size_t *last = &walk->last[walk->layout->info.sections[edges[i].section].start + edges[i].from];
        ((size_t *)walk->before.items)[i] = *last;
        *last = i + 1;
    }
    *count = walk->edges.count;
    return edges;
}
