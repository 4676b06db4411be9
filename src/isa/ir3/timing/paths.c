/* SPDX-License-Identifier: MIT */
#include "isa/ir3/timing/paths.h"

#include <stdlib.h>

void a3xx_decode_all(const struct gpucode_target *target, const unsigned char *bytes, uint32_t count,
                     struct gpucode_insn *insn)
{
    for (uint32_t i = 0; i < count; i++)
        (void)gpucode_decode(target, bytes + 8 * (size_t)i, 8, i, &insn[i]);
}

bool a3xx_paths_open(struct a3xx_paths *paths, const struct gpucode_insn *insn, uint32_t count)
{
    size_t room = (size_t)count + 1, calls = 0;
    *paths = (struct a3xx_paths){.insn = insn, .count = count, .next = count};
    paths->leader = arena_array(&paths->arena, room, sizeof *paths->leader);
    paths->entered = arena_array(&paths->arena, room, sizeof *paths->entered);
    paths->reached = arena_array(&paths->arena, room, sizeof *paths->reached);
    paths->queued = arena_array(&paths->arena, room, sizeof *paths->queued);
    paths->before = arena_array(&paths->arena, room, sizeof *paths->before);
    if (!paths->leader || !paths->entered || !paths->reached || !paths->queued || !paths->before)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (a3xx_is_branch(&insn[i])) {
            paths->leader[a3xx_target(insn, count, i)] = true;
            paths->leader[i + 1] = true;
            calls += a3xx_is_call(&insn[i]);
        }
    paths->calls = arena_array(&paths->arena, (size_t)calls + 1, sizeof *paths->calls);
    if (!paths->calls)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (a3xx_is_call(&insn[i]))
            paths->calls[paths->call_count++] = i;
    return a3xx_find_beside(paths);
}

void a3xx_paths_close(struct a3xx_paths *paths)
{
    for (uint32_t i = 0; paths->before && i < paths->count; i++)
        free(paths->before[i]);
    for (uint32_t i = 0; paths->shared && i < paths->count; i++)
        free(paths->shared[i]);
    arena_free(&paths->arena);
    *paths = (struct a3xx_paths){0};
}

static void follow_later(struct a3xx_paths *paths, uint32_t at)
{
    paths->queued[at] = true;
    if (at < paths->next)
        paths->next = at;
}

static bool enter_block(struct a3xx_paths *paths, uint32_t at, const struct a3xx_scoreboard *state)
{
    if (at >= paths->count)
        return true;
    if (!paths->before[at]) {
        if (!a3xx_scoreboard_save(state, &paths->before[at]))
            return false;
    } else {
        struct a3xx_scoreboard joined;
        a3xx_scoreboard_load(&joined, paths->before[at]);
        if (!a3xx_scoreboard_join(&joined, state))
            return true;
        if (!a3xx_scoreboard_save(&joined, &paths->before[at]))
            return false;
    }
    follow_later(paths, at);
    return true;
}

/* The wave comes to `at` with what it has once; it is gone over where a way of fibers leads there, too. */
static bool enter_beside(struct a3xx_paths *paths, uint32_t at, const struct a3xx_scoreboard *state)
{
    struct a3xx_scoreboard joined;
    a3xx_scoreboard_start(&joined);
    if (paths->shared[at])
        a3xx_scoreboard_load(&joined, paths->shared[at]);
    if (!a3xx_scoreboard_join_shared(&joined, state, shader_family(paths->insn)->mixed))
        return true;
    if (!a3xx_scoreboard_save(&joined, &paths->shared[at]))
        return false;
    if (paths->before[at])
        follow_later(paths, at);
    return true;
}

bool a3xx_paths_entry(struct a3xx_paths *paths, uint32_t at)
{
    struct a3xx_scoreboard state;
    a3xx_scoreboard_start(&state);
    if (at < paths->count)
        paths->leader[at] = paths->entered[at] = true;
    return enter_block(paths, at, &state);
}

/* What a ret leaves comes out after every call. */
static bool enter_returns(struct a3xx_paths *paths, const struct a3xx_scoreboard *state)
{
    bool first = !paths->returned;
    if (first) {
        paths->returned = arena_alloc(&paths->arena, sizeof *state);
        if (!paths->returned)
            return false;
        *paths->returned = *state;
    }
    if (!first && !a3xx_scoreboard_join(paths->returned, state))
        return true;
    for (uint32_t i = 0; i < paths->call_count; i++)
        if (paths->reached[paths->calls[i]] && !enter_block(paths, paths->calls[i] + 1, paths->returned))
            return false;
    return true;
}

/* The ways out of instruction `at`; *on: the next one in the text is among them. */
static bool leave_insn(struct a3xx_paths *paths, uint32_t at, const struct a3xx_scoreboard *state, bool *on)
{
    const struct gpucode_insn *insn = &paths->insn[at];
    *on = a3xx_goes_on(insn);
    for (uint32_t i = paths->shared ? paths->beside_from[at] : 0;
         i < paths->beside_count && paths->beside[i].from == at; i++)
        if (!enter_beside(paths, paths->beside[i].to, state))
            return false;
    if (paths->part && paths->part[at].skip) {
        *on &= !paths->part[at].other;
        if (!enter_block(paths, paths->part[at].skip, state))
            return false;
    }
    if (shader_flow(insn) == GPUCODE_FLOW_RETURN)
        return enter_returns(paths, state);
    if (a3xx_is_branch(insn) && !enter_block(paths, a3xx_target(paths->insn, paths->count, at), state))
        return false;
    if (!a3xx_is_call(insn))
        return true;
    /* that the call returns is assumed; the rets say with which state */
    struct a3xx_scoreboard fresh;
    a3xx_scoreboard_start(&fresh);
    fresh.path.varyings = 0;
    return enter_block(paths, at + 1, paths->returned ? paths->returned : &fresh);
}

/* One basic block, from its leader to the next one. */
static bool follow_block(struct a3xx_paths *paths, uint32_t at, bool last_time)
{
    struct a3xx_scoreboard state;
    a3xx_scoreboard_load(&state, paths->before[at]);
    if (paths->shared && paths->shared[at]) {
        struct a3xx_scoreboard beside;
        a3xx_scoreboard_load(&beside, paths->shared[at]);
        (void)a3xx_scoreboard_join_shared(&state, &beside, shader_family(paths->insn)->mixed);
    }
    bool on = true;
    for (bool first = true; on && at < paths->count; first = false, at++) {
        if (!first && paths->leader[at])
            return last_time || enter_block(paths, at, &state);
        paths->reached[at] = true;
        paths->visit(paths->user, at, &state);
        if (last_time)
            on = shader_flow(&paths->insn[at]) == GPUCODE_FLOW_NEXT;
        else if (!leave_insn(paths, at, &state, &on))
            return false;
    }
    return true;
}

bool a3xx_paths_settle(struct a3xx_paths *paths)
{
    while (paths->next < paths->count) {
        uint32_t at = paths->next++;
        if (!paths->queued[at])
            continue;
        paths->queued[at] = false;
        if (!follow_block(paths, at, false))
            return false;
    }
    return true;
}

/* Instructions from here to an end. */
static bool is_program(const struct a3xx_paths *paths, uint32_t at)
{
    while (at < paths->count && !shader_is_raw(&paths->insn[at]) && shader_flow(&paths->insn[at]) != GPUCODE_FLOW_STOP)
        at++;
    return at < paths->count && !shader_is_raw(&paths->insn[at]);
}

uint32_t a3xx_next_program(const struct a3xx_paths *paths, uint32_t at, unsigned unit)
{
    bool ended = false;
    for (; at < paths->count; at++) {
        const struct gpucode_insn *insn = &paths->insn[at];
        if (ended && at % unit == 0 && !paths->reached[at] && !shader_is_nop(insn) && is_program(paths, at))
            return at;
        ended = !paths->reached[at] ? ended && shader_is_nop(insn) : shader_flow(insn) == GPUCODE_FLOW_STOP;
    }
    return paths->count;
}

void a3xx_paths_again(struct a3xx_paths *paths)
{
    for (uint32_t i = 0; i < paths->count; i++)
        if (paths->before[i])
            (void)follow_block(paths, i, true);
}
