/* SPDX-License-Identifier: MIT */
/*
 * The least to add. A delay is filled with slots as late as possible, right in front of the instruction that needs
 * them, so that they serve all delays that reach over this place; a sync bit stands on the instruction that needs it.
 */
#include "isa/ir3/timing/code.h"

#define CARRIER_REACH 64 /* how far back an (ss) may stand */

/*
 * Instructions without (ss) want it on one before them: the nearest that can hold it, not before what it waits for, and
 * on the same way. paths.count: there is none.
 */
static uint32_t find_carrier(const struct a3xx_repair *repair, const struct a3xx_scoreboard *state, uint32_t at,
                             const struct a3xx_need *need)
{
    const struct a3xx_paths *paths = &repair->paths;
    if (need->slots && !(at && shader_is_nop(&paths->insn[at - 1])))
        return paths->count; /* nops are put in anyway, and hold it */
    for (uint32_t i = at; i-- > 0 && at - i <= CARRIER_REACH && !paths->leader[i + 1];) {
        for (int reg = 0; reg < A3XX_REGISTERS; reg++)
            if (a3xx_set_has(&need->ss_of, reg) &&
                (state->by[A3XX_BY_SS][reg] == i || state->by[A3XX_BY_USER][reg] == i))
                return paths->count;
        if (need->ss_trace && !a3xx_carries_ss(&paths->insn[i]))
            return paths->count;
        if (shader_marks(&paths->insn[i]) & SHADER_BARRIER) /* what comes after it waits, not the barrier */
            return paths->count;
        if (shader_takes_ss(&paths->insn[i]))
            return i;
    }
    return paths->count;
}

/*
 * What stands in a group has its needs in front of the first of it, unless a branch leads into the group, or it is what
 * waits for everything itself.
 */
static struct a3xx_need need_of_group(const struct a3xx_repair *repair, const struct a3xx_scoreboard *state,
                                      uint32_t at)
{
    const struct a3xx_paths *paths = &repair->paths;
    struct a3xx_need all = {0};
    bool more = true;
    bool alone = paths->leader[at] || shader_marks(&paths->insn[at]) & SHADER_WAITS;
    if (at && !alone && shader_marks(&paths->insn[at - 1]) & SHADER_GROUP)
        return all;
    for (; more && at < paths->count; at++) {
        struct a3xx_need one = a3xx_scoreboard_need(state, &paths->insn[at]);
        all.slots = one.slots > all.slots ? one.slots : all.slots;
        all.ss |= one.ss;
        all.sy |= one.sy;
        all.ss_trace |= one.ss_trace;
        for (size_t i = 0; i < sizeof all.ss_of.bits / sizeof *all.ss_of.bits; i++)
            all.ss_of.bits[i] |= one.ss_of.bits[i];
        more = shader_marks(&paths->insn[at]) & SHADER_GROUP;
    }
    return all;
}

static void visit_for_repair(void *user, uint32_t at, struct a3xx_scoreboard *state)
{
    struct a3xx_repair *repair = user;
    const struct a3xx_paths *paths = &repair->paths;
    const struct gpucode_insn *insn = &paths->insn[at];
    struct a3xx_need need = need_of_group(repair, state, at);
    struct a3xx_watch watch = {.follow_relative = true};
    watch.given = shader_address_given(paths, at);
    uint8_t *add = &repair->add[at];
    uint32_t pad = need.slots;
    *add = need.sy ? A3XX_ADD_SY : 0;
    if (need.ss && shader_takes_ss(insn)) {
        *add |= A3XX_ADD_SS;
    } else if (need.ss) { /* no such bit: one before it has it */
        uint32_t carrier = find_carrier(repair, state, at, &need);
        if (carrier < paths->count) {
            repair->add[carrier] |= A3XX_ADD_SS;
            a3xx_scoreboard_sync_before(state, carrier, at);
            need.ss = false;
        } else {
            *add |= A3XX_ADD_NOP_SS;
            pad += !pad;
        }
    }
    repair->pad[at] = pad;
    a3xx_scoreboard_pass_slots(state, pad);
    a3xx_scoreboard_sync(state, need.ss, need.sy);
    a3xx_scoreboard_issue(state, insn, &watch);
}

bool a3xx_repair_open(struct a3xx_repair *repair, const struct a3xx_code *code)
{
    bool good = a3xx_paths_open(&repair->paths, code->insn, code->count);
    repair->paths.visit = visit_for_repair;
    repair->paths.user = repair;
    repair->pad = arena_array(&repair->paths.arena, (size_t)code->count + 1, sizeof *repair->pad);
    repair->add = arena_array(&repair->paths.arena, (size_t)code->count + 1, sizeof *repair->add);
    return good && repair->pad && repair->add && a3xx_paths_entry(&repair->paths, 0) &&
           a3xx_paths_settle(&repair->paths);
}

void a3xx_repair_close(struct a3xx_repair *repair)
{
    a3xx_paths_close(&repair->paths);
}
