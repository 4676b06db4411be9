/* SPDX-License-Identifier: MIT */
/* Values of many threads: what an instruction's sources are, its action on them, and where its results go. */
#include "isa/a3xx/machine/arithmetic.h"
#include "isa/a3xx/machine/lanes.h"

/* --- which instructions ------------------------------------------------------------------------------------------ */

/* Varyings whose numbers are known and exist, between registers that do. */
static bool is_plain_varying(const struct a3xx_program *program, const struct a3xx_op *op)
{
    const struct a3xx_operand *location = &op->source[0], *pair = &op->source[1];
    if (op->sources < 2 || location->place != A3XX_IN_POOL || location->slow || pair->slow ||
        (pair->place != A3XX_IN_FULL && pair->place != A3XX_IN_HALF) ||
        pair->number + (pair->steps ? op->repeat : 0) + 1 >= A3XX_A0)
        return false;
    for (int step = 0; step <= op->repeat; step++)
        if (((program->pool[location->at + location->pace * step] & location->keep) ^ location->flip) >=
            GPUCODE_A3XX_VARYINGS)
            return false;
    return true;
}

enum a3xx_lane_kind a3xx_lane_kind(const struct a3xx_program *program, const struct a3xx_op *op)
{
    unsigned category = a3xx_category(op->bits), slow = op->result.slow & ~A3XX_SLOW_ADDRESS;
    if (op->row == A3XX_RAW || category > 4)
        return A3XX_LANES_NOT;
    bool alone = a3xx_lane_actions[op->row].alone();
    if (category == 0)
        return alone ? A3XX_LANES_NOT : op->row == A3XX_NOP ? A3XX_LANES_NOTHING : A3XX_LANES_FLOW;
    if (a3xx_marks(op->row) & A3XX_MARK_VARYING)
        return !slow && is_plain_varying(program, op) ? A3XX_LANES_VARYING : A3XX_LANES_NOT;
    for (unsigned i = 0; i < op->sources; i++)
        slow |= op->source[i].slow & ~(A3XX_SLOW_FLOAT | A3XX_SLOW_LOW | A3XX_SLOW_INTEGER);
    bool saturates_integer =
        op->saturate && op->result_kind != A3XX_RESULT_FLOAT && op->result_kind != A3XX_RESULT_MOVED;
    if (alone || slow || saturates_integer)
        return A3XX_LANES_NOT;
    return category == 1 && op->from != op->to ? A3XX_LANES_CONVERT : A3XX_LANES_ACTION;
}

/* --- sources ----------------------------------------------------------------------------------------------------- */

static uint32_t *row_of(struct a3xx_run *run, const struct a3xx_operand *operand, unsigned step, uint32_t first)
{
    return run->rows[operand->place == A3XX_IN_HALF] + operand->at + operand->pace * (int)step + first;
}

A3XX_INLINE void modify_integers(const uint32_t *from, uint32_t *to, uint32_t count, bool half, bool neg, bool abs)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = a3xx_modify_integer(half, neg, abs, from[i]);
}

static void modify_values(const struct a3xx_operand *operand, const uint32_t *from, uint32_t *to, uint32_t count)
{
    uint32_t keep = operand->keep & (operand->slow & A3XX_SLOW_LOW ? 0xffff : UINT32_MAX), flip = operand->flip;
    if (!(operand->slow & A3XX_SLOW_INTEGER))
        for (uint32_t i = 0; i < count; i++)
            to[i] = (from[i] & keep) ^ flip;
    else if (operand->half)
        modify_integers(from, to, count, true, operand->neg, operand->abs);
    else
        modify_integers(from, to, count, false, operand->neg, operand->abs);
}

/* A source's values, in the register file or, where they have to be made, in `room`. */
static const uint32_t *source_values(struct a3xx_run *run, const struct a3xx_operand *operand, unsigned step,
                                     uint32_t first, uint32_t count, uint32_t *room)
{
    if (operand->place == A3XX_IN_CONST || operand->place == A3XX_IN_POOL) {
        uint32_t value = a3xx_fetch(run, operand, step);
        for (uint32_t i = 0; i < count; i++)
            room[i] = value;
        return room;
    }
    const uint32_t *row = row_of(run, operand, step, first);
    if (!operand->slow && operand->keep == UINT32_MAX && !operand->flip)
        return row;
    modify_values(operand, row, room, count);
    return room;
}

/* --- actions that are more than their loop ----------------------------------------------------------------------- */

static void interpolate(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, uint32_t first, uint32_t count,
                        uint32_t *to)
{
    const struct a3xx_state *state = run->state;
    uint32_t location = a3xx_fetch(run, &op->source[0], step), at[3];
    struct a3xx_operand pair = op->source[1];
    for (unsigned i = 0; i < 3; i++)
        at[i] = a3xx_flush_if(run->flush && !state->flat[location], state->varying[i][location], false);
    if (state->flat[location] || (at[1] == at[0] && at[2] == at[0])) {
        for (uint32_t i = 0; i < count; i++)
            to[i] = at[0];
        return;
    }
    const uint32_t *i = row_of(run, &pair, step, first), *j = i + run->stride;
    const double corner[3] = {(double)a3xx_float_of(at[0]), (double)a3xx_float_of(at[1]), (double)a3xx_float_of(at[2])};
    uint32_t keep = pair.keep, flip = pair.flip;
    bool flush = run->flush;
    if (pair.half)
        for (uint32_t k = 0; k < count; k++)
            to[k] = a3xx_between(corner, a3xx_value((i[k] & keep) ^ flip, true), a3xx_value((j[k] & keep) ^ flip, true),
                                 flush);
    else
        for (uint32_t k = 0; k < count; k++)
            to[k] = a3xx_between(corner, a3xx_value((i[k] & keep) ^ flip, false),
                                 a3xx_value((j[k] & keep) ^ flip, false), flush);
}

#define CONVERT_LANES(expression)                                                                                      \
    do {                                                                                                               \
        for (uint32_t i = 0; i < count; i++) {                                                                         \
            uint32_t value = from[i];                                                                                  \
            to[i] = (expression);                                                                                      \
        }                                                                                                              \
        return true;                                                                                                   \
    } while (0)

/* What a3xx_convert() gives for conversions that shaders are full of; false: another one. */
static bool convert_quickly(const struct a3xx_op *op, const struct a3xx_choices *choice, const uint32_t *from,
                            uint32_t *to, uint32_t count)
{
    if (op->from == A3XX_F32 && op->to == A3XX_F16 && op->rounding < 2) {
        if (op->rounding || choice->half_even)
            CONVERT_LANES(a3xx_narrow_float(value, true));
        CONVERT_LANES(a3xx_narrow_float(value, false));
    }
    if (op->from == A3XX_F16 && op->to == A3XX_F32)
        CONVERT_LANES(a3xx_widen(value));
    if (op->from == A3XX_S32 && op->to == A3XX_F32 && op->rounding < 2)
        CONVERT_LANES(a3xx_bits_of((float)(int32_t)value));
    if (op->from == A3XX_U32 && op->to == A3XX_F32 && op->rounding < 2)
        CONVERT_LANES(a3xx_nearest((double)value));
    return false;
}

/* --- results ----------------------------------------------------------------------------------------------------- */

/* a3xx_fit() with what is known of the instruction as constants. */
A3XX_INLINE void fit_loop(uint32_t *values, uint32_t count, enum a3xx_result kind, bool half, bool half_result,
                          bool flush, bool half_even)
{
    for (uint32_t i = 0; i < count; i++)
        values[i] = a3xx_fit(kind, half, half_result, false, flush, half_even, values[i]);
}

static void clamp_floats(uint32_t *values, uint32_t count, bool half)
{
    if (half)
        for (uint32_t i = 0; i < count; i++)
            values[i] = a3xx_clamp(values[i], true);
    else
        for (uint32_t i = 0; i < count; i++)
            values[i] = a3xx_clamp(values[i], false);
}

static void fit_floats(const struct a3xx_op *op, const struct a3xx_choices *choice, uint32_t *values, uint32_t count)
{
    bool flush = !choice->keep_denormals && op->result_kind == A3XX_RESULT_FLOAT;
    if (op->saturate)
        clamp_floats(values, count, op->half);
    if (op->half && !op->half_result)
        fit_loop(values, count, A3XX_RESULT_FLOAT, true, false, false, false);
    else if (!op->half && op->half_result && choice->half_even)
        fit_loop(values, count, A3XX_RESULT_FLOAT, false, true, flush, true);
    else if (!op->half && op->half_result)
        fit_loop(values, count, A3XX_RESULT_FLOAT, false, true, flush, false);
}

static void fit_values(const struct a3xx_op *op, const struct a3xx_choices *choice, uint32_t *values, uint32_t count)
{
    enum a3xx_result kind = op->result_kind;
    if (kind == A3XX_RESULT_FLOAT || kind == A3XX_RESULT_MOVED)
        fit_floats(op, choice, values, count);
    else if (op->half_result || (op->half && kind == A3XX_RESULT_UNSIGNED))
        fit_loop(values, count, A3XX_RESULT_WIDE, false, true, false, false);
    else if (op->half && kind == A3XX_RESULT_SIGNED)
        fit_loop(values, count, A3XX_RESULT_SIGNED, true, false, false, false);
}

static void store_values(uint32_t *row, const uint32_t *values, const uint32_t *mask, uint32_t count)
{
    if (!mask)
        memcpy(row, values, count * sizeof *row);
    else
        for (uint32_t i = 0; i < count; i++)
            row[i] = (values[i] & mask[i]) | (row[i] & ~mask[i]);
}

/* --- instructions ------------------------------------------------------------------------------------------------ */

bool a3xx_calculates_by_presets(const struct a3xx_choices *choice)
{
    return !(choice->keep_denormals | choice->fused | choice->half_even | choice->wrap_conversion | choice->nan_wins |
             choice->ne_false_for_nan | choice->compare_one | choice->shift_past | choice->nearest_zero |
             choice->sad_sum | choice->extend_u8);
}

void a3xx_lanes_calculate(struct a3xx_run *run, const struct a3xx_op *op, const uint32_t *mask, uint32_t first,
                          uint32_t count)
{
    static const uint32_t nothing[A3XX_LANES_BLOCK]; /* what sources are that are not there */
    const struct a3xx_choices *choice = &run->state->choice;
    uint32_t room[3][A3XX_LANES_BLOCK], found[A3XX_LANES_BLOCK];
    bool direct = !mask && op->as_is && !op->result.slow;
    struct a3xx_lanes lanes = {.op = op, .choice = choice, .given = {nothing, nothing, nothing}, .count = count};
    for (unsigned step = 0; step <= op->repeat; step++) {
        uint32_t *row = row_of(run, &op->result, step, first);
        for (unsigned i = 0; i < op->sources; i++)
            lanes.given[i] = source_values(run, &op->source[i], step, first, count, room[i]);
        lanes.result = direct ? row : found;
        if (op->lanes == A3XX_LANES_VARYING)
            interpolate(run, op, step, first, count, lanes.result);
        else if (op->lanes != A3XX_LANES_CONVERT || !convert_quickly(op, choice, lanes.given[0], lanes.result, count))
            a3xx_lane_actions[op->row].run[run->preset][op->half](&lanes);
        if (direct)
            continue;
        if (!op->as_is)
            fit_values(op, choice, found, count);
        if (op->result.slow & A3XX_SLOW_ADDRESS && op->result.number + (int)step == A3XX_A0)
            for (uint32_t i = 0; i < count; i++)
                found[i] = (uint32_t)(int16_t)found[i];
        store_values(row, found, mask ? mask + first : NULL, count);
    }
}

void a3xx_lanes_go(struct a3xx_run *run, const struct a3xx_op *op, uint32_t at, uint32_t first, uint32_t count,
                   uint32_t *next, uint32_t *fate)
{
    uint32_t room[A3XX_LANES_BLOCK];
    const uint32_t *given = source_values(run, &op->source[0], 0, first, count, room); /* the predicate */
    const struct a3xx_lanes lanes = {.op = op,
                                     .choice = &run->state->choice,
                                     .given = {given, given, given},
                                     .result = next,
                                     .fate = fate,
                                     .count = count,
                                     .at = at};
    a3xx_lane_actions[op->row].run[0][0](&lanes);
}

bool a3xx_lanes_agree(const uint32_t *values, const uint32_t *mask, uint32_t count, uint32_t value)
{
    uint32_t other = 0;
    if (mask)
        for (uint32_t i = 0; i < count; i++)
            other |= (values[i] ^ value) & mask[i];
    else
        for (uint32_t i = 0; i < count; i++)
            other |= values[i] ^ value;
    return !other;
}
