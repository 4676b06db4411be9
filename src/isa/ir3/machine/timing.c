/* SPDX-License-Identifier: MIT */
/*
 * Strict timing. Each path has a scoreboard, the one that the checker of delays and sync bits goes by: fibers that run
 * together share that of the least of them, and where they part each part has its own from there on. So what is found
 * happened on the path that was taken.
 */
#include "ir3_messages.h"
#include "isa/ir3/machine/machine.h"
#include "isa/ir3/timing/scoreboard.h"

struct ir3_timing {
    uint16_t board[GPUCODE_IR3_FIBERS_MAX]; /* by fiber: which one it has */
    struct a3xx_scoreboard boards[];        /* by fiber, as far as somebody has it */
};

size_t ir3_timing_size(uint32_t fibers)
{
    return sizeof(struct ir3_timing) + fibers * sizeof(struct a3xx_scoreboard) + _Alignof(max_align_t);
}

/* Null: timing is plain. */
static struct ir3_timing *timing_of(const struct ir3_state *state)
{
    uintptr_t at = (uintptr_t)ir3_files_end(state), align = _Alignof(max_align_t);
    return state->choice.strict ? (struct ir3_timing *)((at + align - 1) / align * align) : NULL;
}

void ir3_timing_begin(struct ir3_state *state)
{
    struct ir3_timing *timing = timing_of(state);
    for (uint32_t i = 0; timing && i < state->choice.fibers; i++) {
        uint32_t first = i - i % state->choice.width;
        timing->board[i] = (uint16_t)first;
        if (i == first)
            a3xx_scoreboard_start(&timing->boards[i]);
    }
}

/* What is done too early, in words; null: it does no harm to results. */
static const char *harm_of(enum a3xx_hazard hazard)
{
    switch (hazard) {
    case A3XX_EARLY:
        return "before its delay has passed";
    case A3XX_NO_SS:
    case A3XX_CONSTS_SS:
        return "without (ss)";
    case A3XX_NO_SY:
    case A3XX_CONSTS_SY:
        return "without (sy)";
    case A3XX_IN_USE:
        return "without (ss) for a new value";
    case A3XX_IN_USE_SY:
        return "without (sy) for a new value";
    case A3XX_UNFENCED:
        return "without (ss) and (sy) after a barrier";
    default:
        return NULL;
    }
}

static void note_hazard(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding)
{
    struct ir3_run *run = user;
    const char *harm = harm_of(finding->hazard);
    char text[40];
    if (!harm)
        return;
    const char *name = finding->reg >= 0
                           ? a3xx_register_name(insn, finding->reg, finding->access && finding->access->half, text)
                           : "a register";
    IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_EARLY, name, harm, (unsigned)finding->other);
}

/* The board of the members, who may come from several paths. */
static struct a3xx_scoreboard *joined_board(struct ir3_run *run, struct ir3_timing *timing)
{
    unsigned first = timing->board[run->member[0]];
    for (unsigned i = 1; i < run->members; i++) {
        unsigned other = timing->board[run->member[i]];
        if (other != first) {
            a3xx_scoreboard_join(&timing->boards[first], &timing->boards[other]);
            for (unsigned k = i; k < run->members; k++)
                if (timing->board[run->member[k]] == other)
                    timing->board[run->member[k]] = (uint16_t)first;
        }
    }
    return &timing->boards[first];
}

bool ir3_timing_check(struct ir3_run *run, const struct ir3_op *op)
{
    struct ir3_timing *timing = timing_of(run->state);
    const struct a3xx_watch watch = {
        .note = note_hazard, .user = run, .given = {INT16_MIN, INT16_MAX, 0}, .counts_issues = true};
    if (timing && op->row != IR3_RAW)
        a3xx_scoreboard_issue(joined_board(run, timing), &op->insn, &watch);
    return !run->halted;
}

/* Each part of the members goes on with a board of its own, that of its least fiber. */
void ir3_timing_part(struct ir3_run *run)
{
    struct ir3_timing *timing = timing_of(run->state);
    const struct ir3_fiber *fibers = run->state->fiber;
    if (!timing)
        return;
    unsigned old = timing->board[run->member[0]];
    for (unsigned i = run->members; i-- > 0;) { /* the least one last, whose board may be the old one */
        unsigned least = run->member[i];
        for (unsigned k = 0; k < i; k++)
            if (fibers[run->member[k]].pc == fibers[run->member[i]].pc) {
                least = run->member[k];
                break;
            }
        if (timing->board[run->member[i]] != least && least != old && least == run->member[i])
            timing->boards[least] = timing->boards[old];
        timing->board[run->member[i]] = (uint16_t)least;
    }
}
