/* SPDX-License-Identifier: MIT */
/*
 * Where a pattern stands in code: along all ways that control may go. A branch and what stands in its delay slot come
 * in either order, since the slot runs first and is written last.
 */
#include "outline/outline.h"

#include "base/arena.h"
#include "isa/isa.h"

#include <gpucode/insn.h>
#include <stdlib.h>
#include <string.h>

#define NEXT_MAX 4
#define TRIES_MAX 5000 /* instructions that are looked at from one place on */

/* How an instruction stands on a way. */
enum stand {
    PLAIN,
    BRANCH_FIRST, /* a transfer whose delay slot comes next */
    SLOT_LAST,    /* that slot */
    SLOT_FIRST,   /* a delay slot whose transfer comes next */
    BRANCH_LAST,  /* that transfer */
    STANDS
};

/* A place on a way: the unit whose turn it is, and how it stands there. */
struct spot {
    uint32_t unit;
    enum stand stand;
};

struct search {
    const struct gpucode_outline *outline;
    const struct gpucode_pattern *pattern;
    struct gpucode_flow *flows; /* of each unit */
    uint32_t *seen;             /* of each unit and stand: the gap that has seen it last */
    uint32_t *heads;            /* of each unit: pattern_head(), 0 where it was not asked for yet */
    uint32_t gap;
    unsigned tries;
    struct pattern_values values;
    uint32_t units[PATTERN_STEPS_MAX]; /* what has matched */
    unsigned count;
    bool failed;
};

static const struct gpucode_unit *unit_at(const struct search *search, uint32_t index)
{
    return index < search->outline->listing.unit_count ? &search->outline->listing.units[index] : NULL;
}

/* The code right after a unit; GPUCODE_NONE: none. */
static uint32_t after(const struct search *search, uint32_t index)
{
    const struct gpucode_unit *unit = unit_at(search, index), *next = unit_at(search, index + 1);
    return unit && next && next->section == unit->section && next->kind == GPUCODE_UNIT_CODE ? index + 1 : GPUCODE_NONE;
}

static bool has_slot(const struct search *search, uint32_t index)
{
    const struct gpucode_flow *flow = &search->flows[index];
    return flow->kind != GPUCODE_FLOW_NEXT && (flow->delay_slots || flow->ending_slots) &&
           after(search, index) != GPUCODE_NONE;
}

/* Ways to begin with a unit. */
static unsigned enter(const struct search *search, uint32_t index, struct spot *spots)
{
    if (index == GPUCODE_NONE)
        return 0;
    if (!has_slot(search, index)) {
        spots[0] = (struct spot){index, PLAIN};
        return 1;
    }
    spots[0] = (struct spot){index, BRANCH_FIRST};
    spots[1] = (struct spot){index + 1, SLOT_FIRST};
    return 2;
}

/* Where control goes from a transfer, `last` being what ran last. */
static unsigned leave(const struct search *search, uint32_t transfer, uint32_t last, struct spot spots[NEXT_MAX])
{
    const struct gpucode_flow *flow = &search->flows[transfer];
    unsigned count = 0;
    bool goes_on = flow->kind == GPUCODE_FLOW_NEXT || flow->kind == GPUCODE_FLOW_CALL ||
                   (flow->kind == GPUCODE_FLOW_BRANCH && !flow->ends);
    if (goes_on)
        count = enter(search, after(search, last), spots);
    if (flow->known && (flow->kind == GPUCODE_FLOW_JUMP || flow->kind == GPUCODE_FLOW_BRANCH)) {
        uint32_t to = gpucode_outline_find(search->outline, unit_at(search, transfer)->section, flow->target);
        if (to != GPUCODE_NONE && unit_at(search, to)->kind == GPUCODE_UNIT_CODE &&
            unit_at(search, to)->at == flow->target)
            count += enter(search, to, spots + count);
    }
    return count;
}

static unsigned next_of(const struct search *search, struct spot spot, struct spot spots[NEXT_MAX])
{
    switch (spot.stand) {
    case BRANCH_FIRST:
        spots[0] = (struct spot){spot.unit + 1, SLOT_LAST};
        return 1;
    case SLOT_FIRST:
        spots[0] = (struct spot){spot.unit - 1, BRANCH_LAST};
        return 1;
    case SLOT_LAST:
        return leave(search, spot.unit - 1, spot.unit, spots);
    case BRANCH_LAST:
        return leave(search, spot.unit, spot.unit + 1, spots);
    default:
        return leave(search, spot.unit, spot.unit, spots);
    }
}

static bool match_steps(struct search *search, unsigned step, const struct spot *spots, unsigned count);

/* The step at one place, and the rest after it. */
static bool match_here(struct search *search, unsigned step, struct spot spot)
{
    struct pattern_values before = search->values;
    struct spot next[NEXT_MAX];
    const struct pattern_step *wanted = &search->pattern->steps[step];
    if (!search->tries)
        return false;
    search->tries--;
    if (wanted->head && !search->heads[spot.unit])
        search->heads[spot.unit] = pattern_head(search->pattern, search->outline, spot.unit);
    if (wanted->head && wanted->head != search->heads[spot.unit])
        return false;
    if (pattern_matches(search->pattern, &search->pattern->steps[step], search->outline, spot.unit, &search->values)) {
        search->units[search->count++] = spot.unit;
        if (step + 1 == search->pattern->step_count || match_steps(search, step + 1, next, next_of(search, spot, next)))
            return true;
        search->count--;
    }
    search->values = before;
    return false;
}

/* What comes after a gap: the nearest place first. */
static bool match_gap(struct search *search, unsigned step, const struct spot *spots, unsigned count)
{
    struct list todo = {0};
    uint32_t gap = ++search->gap;
    bool found = false;
    for (unsigned i = 0; i < count; i++)
        list_push(&todo, spots[i].unit * STANDS + spots[i].stand);
    size_t done = 0, end = todo.count;
    for (uint32_t far = 0; !found && far <= search->pattern->steps[step].most && done < end; far++, end = todo.count)
        for (; !found && done < end && !todo.failed && search->tries; done++) {
            uint32_t number = ((uint32_t *)todo.items)[done];
            struct spot spot = {number / STANDS, number % STANDS}, next[NEXT_MAX];
            if (search->seen[number] == gap)
                continue;
            search->seen[number] = gap;
            found = match_here(search, step + 1, spot);
            unsigned more = found ? 0 : next_of(search, spot, next);
            for (unsigned i = 0; i < more; i++)
                list_push(&todo, next[i].unit * STANDS + next[i].stand);
        }
    search->failed |= todo.failed;
    free(todo.items);
    return found;
}

static bool match_steps(struct search *search, unsigned step, const struct spot *spots, unsigned count)
{
    bool gap = search->pattern->steps[step].gap;
    if (gap && step + 1 == search->pattern->step_count)
        return true; /* whatever comes then */
    if (gap && search->pattern->steps[step + 1].gap)
        return match_steps(search, step + 1, spots, count);
    if (gap)
        return match_gap(search, step, spots, count);
    for (unsigned i = 0; i < count; i++)
        if (match_here(search, step, spots[i]))
            return true;
    return false;
}

/* Does a unit stand in the delay slot of the one in front of it? */
static bool in_slot(const struct search *search, uint32_t index)
{
    return index && unit_at(search, index - 1)->section == unit_at(search, index)->section &&
           has_slot(search, index - 1);
}

/* The first match that begins at a unit. */
static bool match_at(struct search *search, uint32_t index, unsigned first)
{
    const struct spot slot[] = {{index, SLOT_LAST}, {index, SLOT_FIRST}}, branch[] = {{index, BRANCH_FIRST}},
                      plain[] = {{index, PLAIN}};
    bool slotted = in_slot(search, index), branches = has_slot(search, index);
    search->tries = TRIES_MAX;
    search->count = 0;
    memset(&search->values, 0, sizeof search->values);
    if (slotted)
        return match_steps(search, first, slot, 2);
    return match_steps(search, first, branches ? branch : plain, 1);
}

static bool find_flows(struct search *search)
{
    const struct gpucode_outline *outline = search->outline;
    struct gpucode_insn insn;
    size_t count = outline->listing.unit_count;
    search->flows = calloc(count + 1, sizeof *search->flows);
    search->seen = calloc((count + 1) * STANDS, sizeof *search->seen);
    search->heads = calloc(count + 1, sizeof *search->heads);
    if (!search->flows || !search->seen || !search->heads)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (outline->listing.units[i].kind == GPUCODE_UNIT_CODE && gpucode_outline_insn(outline, i, &insn))
            gpucode_insn_flow(&insn, &search->flows[i]);
    return true;
}

static bool tell(const struct search *search, bool (*found)(void *user, const struct gpucode_match *match), void *user)
{
    struct gpucode_bound bound[PATTERN_NAMES_MAX];
    for (unsigned i = 0; i < search->pattern->bound_count; i++)
        bound[i] = (struct gpucode_bound){search->pattern->bound[i], search->values.text[i]};
    const struct gpucode_match match = {
        .count = search->count, .units = search->units, .bound_count = search->pattern->bound_count, .bound = bound};
    return found(user, &match);
}

enum gpucode_status gpucode_outline_search(const struct gpucode_outline *outline, const struct gpucode_pattern *pattern,
                                           bool (*found)(void *user, const struct gpucode_match *match), void *user)
{
    if (!outline || !pattern || !found || pattern->target->isa != gpucode_image_info(outline->image)->target->isa)
        return GPUCODE_ERROR_ARGUMENT;
    struct search *search = calloc(1, sizeof *search);
    unsigned first = 0;
    if (!search)
        return GPUCODE_ERROR_MEMORY;
    search->outline = outline;
    search->pattern = pattern;
    while (pattern->steps[first].gap) /* whatever was before */
        first++;
    search->failed = !find_flows(search);
    for (uint32_t i = 0; !search->failed && i < outline->listing.unit_count; i++)
        if (outline->listing.units[i].kind == GPUCODE_UNIT_CODE && match_at(search, i, first) &&
            !tell(search, found, user))
            break;
    bool failed = search->failed;
    free(search->flows);
    free(search->seen);
    free(search->heads);
    free(search);
    return failed ? GPUCODE_ERROR_MEMORY : GPUCODE_OK;
}
