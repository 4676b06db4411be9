/* SPDX-License-Identifier: MIT */
/*
 * Ways of the wave that are no ways of its fibers. Where a branch divides them, those of one way wait while the others
 * go on, at the later of the two places; and whoever jumps over such a place lets the wave go on there. What the wave
 * has once, its shared registers, is then as those left it.
 */
#include "isa/ir3/timing/paths.h"

#define NONE UINT32_MAX
#define MOST 16 /* places that one jump passes and that are looked at, the nearest ones */

/* The parts of predt, predf and prede, in the order of the text. */
static bool find_parts(struct a3xx_paths *paths)
{
    uint32_t open = NONE;
    bool second = false;
    for (uint32_t i = 0; i < paths->count; i++) {
        uint32_t marks = shader_marks(&paths->insn[i]);
        bool begins = marks & SHADER_PARTS, other = open != NONE && begins && !second;
        if (shader_flow(&paths->insn[i]) == GPUCODE_FLOW_STOP)
            open = NONE;
        if (!(marks & SHADER_HOLDS))
            continue;
        if (!paths->part)
            paths->part = arena_array(&paths->arena, (size_t)paths->count + 1, sizeof *paths->part);
        if (!paths->part)
            return false;
        if (open != NONE) {
            paths->part[open].skip = other ? i + 1 : i;
            paths->leader[paths->part[open].skip] = true;
        }
        paths->part[i].other = other;
        second = other;
        open = begins ? i : NONE;
    }
    return true;
}

/* --- numbers by their index, of which the first that is small enough is found at once ----------------------------- */

struct least {
    uint32_t *least; /* a tree: of each node the least of both below it, from 1; leaves from `leaves` */
    uint32_t leaves; /* a power of two */
};

static bool least_open(struct least *tree, struct arena *arena, uint32_t count)
{
    for (tree->leaves = 1; tree->leaves < count; tree->leaves *= 2)
        ;
    tree->least = arena_array(arena, 2 * (size_t)tree->leaves, sizeof *tree->least);
    for (size_t i = 0; tree->least && i < 2 * (size_t)tree->leaves; i++)
        tree->least[i] = NONE;
    return tree->least != NULL;
}

static uint32_t least_at(const struct least *tree, uint32_t index)
{
    return tree->least[tree->leaves + index];
}

static void least_set(struct least *tree, uint32_t index, uint32_t value)
{
    uint32_t *least = tree->least, at = tree->leaves + index;
    least[at] = value;
    while (at /= 2)
        least[at] = least[2 * at] < least[2 * at + 1] ? least[2 * at] : least[2 * at + 1];
}

/* The first index from `from` on whose number is at most `most`, which is not NONE; NONE: there is none. */
static uint32_t least_find(const struct least *tree, uint32_t from, uint32_t most)
{
    uint32_t at = tree->leaves + from;
    if (from >= tree->leaves)
        return NONE;
    while (tree->least[at] > most) { /* up until there is one further right */
        while (at % 2)
            at /= 2;
        if (!at)
            return NONE;
        at++;
    }
    while (at < tree->leaves)
        at = 2 * at + (tree->least[2 * at] > most);
    return at - tree->leaves;
}

/* The least of the numbers from `from` up to before `to`. */
static uint32_t least_over(const struct least *tree, uint32_t from, uint32_t to)
{
    uint32_t least = NONE;
    for (uint32_t low = tree->leaves + from, high = tree->leaves + to; low < high; low /= 2, high /= 2) {
        if (low % 2 && tree->least[low++] < least)
            least = tree->least[low - 1];
        if (high % 2 && tree->least[--high] < least)
            least = tree->least[high];
    }
    return least;
}

/* --- where fibers meet again -------------------------------------------------------------------------------------- */

struct meetings {
    const struct a3xx_paths *paths;
    struct least since;   /* of each place the first instruction at which some may wait for it; NONE: nobody does */
    struct least back;    /* of each jump back how far it and the jumps back inside it go */
    struct least forward; /* ~target of each jump forward that is not yet known to pass a place where some wait */
    struct beside_open *open;
    uint32_t open_count;
};
/* A place that is yet to be gone into. */
struct beside_open {
    uint32_t place, since;
};

static void meet(struct meetings *meetings, uint32_t place, uint32_t since)
{
    if (place < meetings->paths->count && since < least_at(&meetings->since, place))
        meetings->open[meetings->open_count++] = (struct beside_open){place, since};
}

/*
 * A jump back while some wait: they wait since what it goes back to. A jump forward over the place where some wait:
 * those that jump wait where it goes to.
 */
static void meet_all(struct meetings *meetings)
{
    while (meetings->open_count) {
        struct beside_open open = meetings->open[--meetings->open_count];
        uint32_t back = open.since < open.place ? least_over(&meetings->back, open.since, open.place) : NONE;
        uint32_t since = back < open.since ? back : open.since, jump;
        if (since >= least_at(&meetings->since, open.place))
            continue;
        least_set(&meetings->since, open.place, since);
        while ((jump = least_find(&meetings->forward, since, ~(open.place + 1))) < open.place) {
            uint32_t target = ~least_at(&meetings->forward, jump);
            least_set(&meetings->forward, jump, NONE);
            meet(meetings, target, jump);
        }
    }
}

/* Of a branch that divides: the later of both ways, or both where jumps follow each other. */
static void meet_after(struct meetings *meetings, uint32_t at)
{
    const struct a3xx_paths *paths = meetings->paths;
    uint32_t target = a3xx_target(paths->insn, paths->count, at), next = at + 1;
    if (next < paths->count && shader_flow(&paths->insn[next]) == GPUCODE_FLOW_JUMP) {
        next = a3xx_target(paths->insn, paths->count, next);
        meet(meetings, target < next ? target : next, at);
    }
    meet(meetings, target > next ? target : next, at);
    meet_all(meetings);
}

static void find_meetings(struct meetings *meetings)
{
    const struct a3xx_paths *paths = meetings->paths;
    for (uint32_t i = 0; i < paths->count; i++) {
        uint32_t target = a3xx_target(paths->insn, paths->count, i);
        if (!a3xx_is_branch(&paths->insn[i]) || a3xx_is_call(&paths->insn[i]))
            continue;
        if (target > i) {
            least_set(&meetings->forward, i, ~target);
            continue;
        }
        uint32_t inside = target < i ? least_over(&meetings->back, target, i) : NONE;
        least_set(&meetings->back, i, inside < target ? inside : target);
    }
    for (uint32_t i = 0; i < paths->count; i++)
        if (a3xx_is_branch(&paths->insn[i]) && !a3xx_is_call(&paths->insn[i]) &&
            (shader_marks(&paths->insn[i]) & SHADER_DIVIDES))
            meet_after(meetings, i);
}

/* Places that a jump from `at` to `target` passes while some wait there, into `edges` unless it is null; how many. */
static uint32_t passed(const struct meetings *meetings, uint32_t at, uint32_t target, struct a3xx_beside *edges)
{
    uint32_t found = 0;
    for (uint32_t place = at; found < MOST && (place = least_find(&meetings->since, place + 1, at)) < target; found++)
        if (edges)
            edges[found] = (struct a3xx_beside){at, place};
    return found;
}

/* The edges of instruction `at`, into `edges` unless it is null; how many. */
static uint32_t edges_of(const struct meetings *meetings, uint32_t at, struct a3xx_beside *edges)
{
    const struct a3xx_paths *paths = meetings->paths;
    if (paths->part && paths->part[at].other && paths->part[at].skip) {
        if (edges)
            *edges = (struct a3xx_beside){at, at + 1};
        return 1;
    }
    if (!a3xx_is_branch(&paths->insn[at]) || a3xx_is_call(&paths->insn[at]))
        return 0;
    return passed(meetings, at, a3xx_target(paths->insn, paths->count, at), edges);
}

bool a3xx_find_beside(struct a3xx_paths *paths)
{
    struct meetings meetings = {.paths = paths};
    bool divides = false;
    for (uint32_t i = 0; i < paths->count; i++)
        divides |= (shader_marks(&paths->insn[i]) & (SHADER_DIVIDES | SHADER_PARTS)) != 0;
    if (!divides)
        return true;
    paths->beside_from = arena_array(&paths->arena, (size_t)paths->count + 1, sizeof *paths->beside_from);
    paths->shared = arena_array(&paths->arena, (size_t)paths->count + 1, sizeof(struct a3xx_saved_scoreboard *));
    meetings.open = arena_array(&paths->arena, (size_t)paths->count + 3, sizeof *meetings.open);
    if (!paths->beside_from || !paths->shared || !meetings.open ||
        !least_open(&meetings.since, &paths->arena, paths->count + 1) ||
        !least_open(&meetings.back, &paths->arena, paths->count + 1) ||
        !least_open(&meetings.forward, &paths->arena, paths->count + 1) || !find_parts(paths))
        return false;
    find_meetings(&meetings);
    size_t room = 0;
    for (uint32_t i = 0; i < paths->count; i++)
        room += edges_of(&meetings, i, NULL);
    paths->beside = arena_array(&paths->arena, room + 1, sizeof *paths->beside);
    if (!paths->beside)
        return false;
    for (uint32_t i = 0; i < paths->count; i++) {
        paths->beside_from[i] = paths->beside_count;
        paths->beside_count += edges_of(&meetings, i, &paths->beside[paths->beside_count]);
    }
    return true;
}
