/* SPDX-License-Identifier: MIT */
/*
 * Ways of the wave that are no ways of its fibers. Where a branch divides them, those of one way wait while the others
 * go on, at the later of the two places; and whoever jumps over such a place lets the wave go on there. What the wave
 * has once, its shared registers, is then as those left it.
 */
#include "isa/shader/paths.h"

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

/* Where fibers meet again, and for each such place the first instruction at which some may wait for it. */
struct meetings {
    const struct a3xx_paths *paths;
    uint32_t *since; /* NONE: nobody waits here */
    uint32_t *next;  /* at or after each instruction the next place where some wait, as far as they were known */
    bool changed;
};

static void meet(struct meetings *meetings, uint32_t place, uint32_t since)
{
    if (place >= meetings->paths->count || since >= meetings->since[place])
        return;
    meetings->since[place] = since;
    meetings->changed = true;
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
}

/* Places that a jump from `at` to `target` passes while some wait there, into `edges` unless it is null; how many. */
static uint32_t passed(const struct meetings *meetings, uint32_t at, uint32_t target, struct a3xx_beside *edges)
{
    uint32_t found = 0;
    for (uint32_t place = meetings->next[at + 1]; place < target && found < MOST; place = meetings->next[place + 1])
        if (meetings->since[place] <= at) {
            if (edges)
                edges[found] = (struct a3xx_beside){at, place};
            found++;
        }
    return found;
}

/* A jump back while some wait: they wait since what it goes back to. */
static void meet_since(struct meetings *meetings, uint32_t at, uint32_t target)
{
    for (uint32_t place = meetings->next[at + 1]; place < meetings->paths->count; place = meetings->next[place + 1])
        if (meetings->since[place] <= at)
            meet(meetings, place, target);
}

static void find_meetings(struct meetings *meetings)
{
    const struct a3xx_paths *paths = meetings->paths;
    do {
        meetings->changed = false;
        meetings->next[paths->count] = paths->count;
        for (uint32_t i = paths->count; i-- > 0;)
            meetings->next[i] = meetings->since[i] == NONE ? meetings->next[i + 1] : i;
        for (uint32_t i = 0; i < paths->count; i++) {
            if (!a3xx_is_branch(&paths->insn[i]) || a3xx_is_call(&paths->insn[i]))
                continue;
            uint32_t target = a3xx_target(paths->insn, paths->count, i);
            if (shader_marks(&paths->insn[i]) & SHADER_DIVIDES)
                meet_after(meetings, i);
            if (target <= i)
                meet_since(meetings, i, target);
            else if (passed(meetings, i, target, NULL))
                meet(meetings, target, i);
        }
    } while (meetings->changed);
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
    meetings.since = arena_array(&paths->arena, (size_t)paths->count + 1, sizeof *meetings.since);
    meetings.next = arena_array(&paths->arena, (size_t)paths->count + 1, sizeof *meetings.next);
    paths->beside_from = arena_array(&paths->arena, (size_t)paths->count + 1, sizeof *paths->beside_from);
    paths->shared = arena_array(&paths->arena, (size_t)paths->count + 1, sizeof(struct a3xx_saved_scoreboard *));
    if (!meetings.since || !meetings.next || !paths->beside_from || !paths->shared || !find_parts(paths))
        return false;
    for (uint32_t i = 0; i <= paths->count; i++)
        meetings.since[i] = NONE;
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
