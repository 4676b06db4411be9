/* SPDX-License-Identifier: MIT */
/* What fibers find out from other fibers of their quad, cluster or wave. */
#include "ir3_messages.h"
#include "isa/ir3/machine/arithmetic.h"
#include "isa/ir3/machine/machine.h"

#define QUAD 4
#define CLUSTER_HALVES 2

static bool is_active(const struct ir3_run *run, unsigned fiber)
{
    for (unsigned i = 0; i < run->lanes; i++)
        if (run->lane[i] == fiber)
            return true;
    return false;
}

/* A register of any fiber of the wave, as it is. */
static uint32_t register_of(const struct ir3_run *run, const struct ir3_operand *operand, unsigned fiber,
                            unsigned component)
{
    return operand->none ? 0
                         : ir3_read_register(run->state, fiber, operand->access.half,
                                             (uint32_t)operand->access.number + component);
}

/* What the fiber keeps where it gets nothing. */
static uint32_t kept(const struct ir3_run *run, const struct ir3_op *op, unsigned lane)
{
    return register_of(run, &op->result, run->lane[lane], 0);
}

/* --- derivatives -------------------------------------------------------------------------------------------------- */

/* Which fibers of the quad the difference is of: coarse ones are the same for all four. */
static void neighbours(bool in_y, bool fine, unsigned number, unsigned pair[2])
{
    unsigned step = in_y ? 2 : 1;
    pair[0] = fine ? number & ~step : 0;
    pair[1] = pair[0] + step;
}

static void derive(struct ir3_run *run, const struct ir3_op *op)
{
    bool in_y = op->row == IR3_DSY || op->row == IR3_DSYPP, fine = op->row == IR3_DSXPP || op->row == IR3_DSYPP;
    const struct ir3_operand *source = &op->source[0];
    bool half = source->access.half, half_result = op->result.access.half;
    uint32_t values[4][IR3_WAVE_MAX], mask = ir3_bits(op->insn.bits, 43, 40);
    if (fine && !(op->insn.bits & IR3_LOOK_P) && !run->state->choice.fine_each)
        return; /* the second of the pair gives the result */
    for (unsigned i = 0; i < run->lanes; i++) {
        unsigned fiber = run->lane[i], first = fiber - fiber % QUAD, pair[2];
        neighbours(in_y, fine, fiber % QUAD, pair);
        bool there = first + pair[1] < run->first + run->width;
        run->index = fiber;
        if (!there && !run->state->choice.derivative_zero) {
            IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_QUAD, ir3_rows.rows[op->row].facts.mnemonic);
            return;
        }
        for (unsigned k = 0; k < 4; k++) {
            uint32_t sign = half ? 0x8000 : 0x80000000;
            uint32_t value = there ? a3xx_add(register_of(run, source, first + pair[1], k),
                                              register_of(run, source, first + pair[0], k) ^ sign, half, run->flush)
                                   : 0;
            values[k][i] = a3xx_fit(A3XX_RESULT_FLOAT, half, half_result, false, run->flush, true, value);
        }
    }
    for (unsigned k = 0; k < 4; k++)
        if (mask >> k & 1)
            ir3_put(run, &op->result, 0, k, values[k]);
}

/* --- quads and clusters ------------------------------------------------------------------------------------------- */

static void shuffle_quad(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t values[IR3_WAVE_MAX], which[IR3_WAVE_MAX];
    unsigned turn = op->row == IR3_QUAD_HORIZ ? 1 : op->row == IR3_QUAD_VERT ? 2 : 3;
    ir3_fetch(run, &op->source[1], 0, 0, which);
    for (unsigned i = 0; i < run->lanes; i++) {
        unsigned fiber = run->lane[i], first = fiber - fiber % QUAD;
        unsigned from = first + (op->row == IR3_QUAD_BRCST ? which[i] % QUAD : fiber % QUAD ^ turn);
        bool there = from < run->first + run->width && (is_active(run, from) || !run->state->choice.quad_zero);
        values[i] = there ? register_of(run, &op->source[0], from, 0) : 0;
    }
    ir3_put(run, &op->result, 0, 0, values);
}

/* The second half of a cluster gets the value of the last active fiber of the first half. */
static void broadcast(struct ir3_run *run, const struct ir3_op *op)
{
    unsigned size = 2u << ir3_field(op, 'N');
    uint32_t values[IR3_WAVE_MAX];
    for (unsigned i = 0; i < run->lanes; i++) {
        unsigned number = run->lane[i] - run->first, first = number - number % size, from = size;
        values[i] = kept(run, op, i);
        for (unsigned k = 0; k < size / CLUSTER_HALVES && number % size >= size / CLUSTER_HALVES; k++)
            from = is_active(run, run->first + first + k) ? k : from;
        if (from < size)
            values[i] = register_of(run, &op->source[0], run->first + first + from, 0);
    }
    ir3_put(run, &op->result, 0, 0, values);
}

/* --- shfl --------------------------------------------------------------------------------------------------------- */

enum { SHFL_XOR = 1, SHFL_UP, SHFL_DOWN, SHFL_ROTATE_UP = 6, SHFL_ROTATE_DOWN };

/* The fiber of the wave whose value it is; past the wave: none. */
static unsigned source_fiber(const struct ir3_run *run, unsigned mode, unsigned number, uint32_t index)
{
    unsigned width = run->state->choice.width;
    uint32_t from = mode == SHFL_XOR                            ? number ^ index
                    : mode == SHFL_UP || mode == SHFL_ROTATE_UP ? number - index
                                                                : number + index;
    return mode >= SHFL_ROTATE_UP ? from % width : from;
}

static void shuffle(struct ir3_run *run, const struct ir3_op *op)
{
    unsigned mode = ir3_field(op, '5');
    const struct ir3_operand *source = ir3_operand_of(op, '6'), *which = ir3_operand_of(op, 'H');
    uint32_t values[IR3_WAVE_MAX], index[IR3_WAVE_MAX] = {0};
    if (!mode || mode == 4 || mode == 5) {
        IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_FORM, "shfl", "its mode has no name");
        return;
    }
    if (which)
        ir3_fetch(run, which, 0, 0, index);
    for (unsigned i = 0; i < run->lanes; i++) {
        if (index[i] != index[0] && run->state->choice.uniform_traps) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_UNIFORM, "the index of shfl");
            return;
        }
        unsigned from = source_fiber(run, mode, run->lane[i] - run->first, index[0]);
        bool active = from < run->width && is_active(run, run->first + from);
        values[i] = active && source ? register_of(run, source, run->first + from, 0) : kept(run, op, i);
    }
    ir3_put(run, &op->result, 0, 0, values);
}

void ir3_lanes(struct ir3_run *run, const struct ir3_op *op)
{
    if (op->row == IR3_SHFL)
        shuffle(run, op);
    else if (op->row == IR3_BRCST)
        broadcast(run, op);
    else if (op->row == IR3_DSX || op->row == IR3_DSY || op->row == IR3_DSXPP || op->row == IR3_DSYPP)
        derive(run, op);
    else
        shuffle_quad(run, op);
}
