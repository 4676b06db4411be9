/* SPDX-License-Identifier: MIT */
/* Running one instruction for the fibers of a wave: the rows' actions, and the names they use. */
#include "ir3_messages.h"
#include "isa/ir3/machine/arithmetic.h"
#include "isa/ir3/machine/meaning.h"
#include "isa/ir3/machine/values.h"

#define MANY 4 /* lanes that are worth a loop of vectors */

/* What a policy says to be stopped at. */
static void stop_by_choice(struct ir3_run *run, const struct ir3_op *op)
{
    IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_CHOSEN, ir3_rows.rows[op->row].facts.mnemonic);
}

/* --- varyings ----------------------------------------------------------------------------------------------------- */

static bool has_varying(struct ir3_run *run, uint32_t location)
{
    if (location >= GPUCODE_A3XX_VARYINGS)
        IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_VARYING, (unsigned)location);
    return location < GPUCODE_A3XX_VARYINGS;
}

static uint32_t interpolate(struct ir3_run *run, uint32_t location, uint32_t i, uint32_t j, bool half)
{
    const struct ir3_state *state = run->state;
    if (!has_varying(run, location))
        return 0;
    double corner[3];
    uint32_t at[3];
    for (unsigned k = 0; k < 3; k++) {
        at[k] = a3xx_flush_if(run->flush && !state->all.flat[location], state->all.varying[k][location], false);
        corner[k] = (double)a3xx_float_of(at[k]);
    }
    if (state->all.flat[location] || (at[0] == at[1] && at[0] == at[2]))
        return at[0];
    return a3xx_between(corner, a3xx_value(i, half), a3xx_value(j, half), run->flush);
}

/* bary.f: the pair is the second source and the register after it. */
static void fetch_pair(struct ir3_run *run, const struct ir3_op *op, unsigned step)
{
    if (op->row != IR3_BARY_F)
        return;
    ir3_fetch(run, &op->source[1], step, 0, run->b);
    ir3_fetch(run, &op->source[1], step, 1, run->c);
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

static uint32_t saturated(const struct ir3_op *op, uint32_t value, uint32_t converted)
{
    static const int64_t least[IR3_TYPES] = {[IR3_S16] = INT16_MIN, [IR3_S32] = INT32_MIN};
    static const int64_t most[IR3_TYPES] = {[IR3_U16] = UINT16_MAX, [IR3_U32] = UINT32_MAX, [IR3_S16] = INT16_MAX,
                                            [IR3_S32] = INT32_MAX,  [IR3_U8] = UINT8_MAX,   [IR3_U8_32] = UINT8_MAX};
    if (op->to <= IR3_F32)
        return a3xx_clamp(converted, op->to == IR3_F16);
    if (op->from <= IR3_F32)
        return converted; /* clamped already */
    int64_t number = op->from == IR3_S32 ? (int32_t)value : op->from == IR3_S16 ? (int16_t)value : (int64_t)value;
    number = number < least[op->to] ? least[op->to] : number > most[op->to] ? most[op->to] : number;
    return ir3_half_move(op->to) ? (uint32_t)number & 0xffff : (uint32_t)number;
}

static uint32_t convert_value(struct ir3_run *run, const struct ir3_op *op, uint32_t value)
{
    const struct ir3_choices *choice = &run->state->choice;
    bool byte = op->from == IR3_U8_32 || op->from == IR3_U8, byte_result = op->to == IR3_U8_32;
    struct a3xx_conversion how = {.from = op->from == IR3_U8_32 ? IR3_U8 : op->from,
                                  .to = byte_result ? IR3_U8 : op->to,
                                  .rounding = op->rounding,
                                  .half_rounding = choice->half_even ? A3XX_ROUND_EVEN : A3XX_ROUND_ZERO,
                                  .clamp = true,
                                  .extend_u8 = op->from == IR3_U8 && !choice->zero_u8};
    uint32_t result = how.from == how.to && byte ? value & 0xff : a3xx_convert(&how, value);
    if (!(op->insn.bits & IR3_SAT))
        return result;
    if (choice->saturation_traps)
        stop_by_choice(run, op);
    return saturated(op, value, result);
}

static uint32_t bounded(struct ir3_run *run, const struct ir3_op *op, uint32_t value)
{
    if (run->state->choice.bounds_trap)
        stop_by_choice(run, op);
    return value;
}

static uint32_t trailing_zeros(struct ir3_run *run, const struct ir3_op *op, uint32_t value)
{
    if (run->state->choice.setrm_traps)
        stop_by_choice(run, op);
    return value ? (uint32_t)__builtin_ctz(value) : UINT32_MAX;
}

/* --- floats with a scale, dot products ---------------------------------------------------------------------------- */

/* The exact value of a sum or product lies in a double, but for a part that cannot change the rounding. */
static uint32_t scaled(struct ir3_run *run, const struct ir3_op *op, double value)
{
    if (run->state->choice.mul2_traps)
        stop_by_choice(run, op);
    return a3xx_flush_if(run->flush, op->half ? a3xx_narrow(value, A3XX_ROUND_EVEN) : a3xx_nearest(value), op->half);
}

static double exact(const struct ir3_run *run, const struct ir3_op *op, uint32_t bits)
{
    return a3xx_value(a3xx_flush_if(run->flush, bits, op->half), op->half);
}

static uint32_t dot_product(const struct ir3_op *op, unsigned count, uint32_t a, uint32_t b, uint32_t c)
{
    bool first_signed = op->insn.bits & IR3_FIRST_NEG, high = op->insn.bits & IR3_SECOND_NEG;
    unsigned shift = count == 2 && high ? 16 : 0;
    bool second_signed = count == 4 && high;
    int64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t x = a >> (shift + 8 * i) & 0xff, y = b >> (shift + 8 * i) & 0xff;
        sum += (int64_t)(first_signed ? (int8_t)x : (int32_t)x) * (second_signed ? (int8_t)y : (int32_t)y);
    }
    if (op->insn.bits & IR3_SAT)
        return first_signed ? a3xx_saturate(true, false, sum + (int32_t)c)
                            : a3xx_saturate(false, false, sum + (int64_t)c);
    return (uint32_t)sum + c;
}

/* r_i = x_i * (y_1 + y_2 + y_3 + y_4) */
static void multiply_matrix(struct ir3_run *run, const struct ir3_op *op)
{
    bool half = op->half, fused = false;
    uint32_t sum[IR3_WAVE_MAX] = {0}, y[4][IR3_WAVE_MAX], x[IR3_WAVE_MAX], old[IR3_WAVE_MAX], results[4][IR3_WAVE_MAX];
    for (unsigned i = 0; i < 4; i++)
        ir3_fetch(run, &op->source[1], 0, i, y[i]);
    for (unsigned k = 0; k < run->lanes; k++)
        sum[k] = run->state->choice.pairwise
                     ? a3xx_add(a3xx_add(y[0][k], y[1][k], half, run->flush),
                                a3xx_add(y[2][k], y[3][k], half, run->flush), half, run->flush)
                     : a3xx_add(a3xx_add(a3xx_add(y[0][k], y[1][k], half, run->flush), y[2][k], half, run->flush),
                                y[3][k], half, run->flush);
    for (unsigned i = 0; i < 4; i++) {
        ir3_fetch(run, &op->source[0], 0, i, x);
        for (unsigned k = 0; k < run->lanes; k++) {
            uint32_t value = a3xx_mad(x[k], sum[k], 0, half, run->flush, fused);
            results[i][k] = a3xx_fit(A3XX_RESULT_FLOAT, half, op->half_result, false, run->flush,
                                     run->state->choice.half_even, value);
        }
    }
    for (unsigned i = 0; i < op->result.access.count; i++) {
        struct ir3_operand before = op->result;
        before.access.write = false;
        ir3_fetch(run, &before, 0, i, old);
        /* the first register is overwritten, whether the others are added to or not */
        for (unsigned k = 0; k < run->lanes && op->row == IR3_WMM_ACCU && i; k++)
            old[k] = a3xx_add(old[k], results[i % 4][k], op->half_result, run->flush);
        ir3_put(run, &op->result, 0, i, op->row == IR3_WMM_ACCU && i ? old : results[i % 4]);
    }
}

/* --- moves of several, and over fibers ---------------------------------------------------------------------------- */

static void move_values(struct ir3_run *run, const struct ir3_op *op)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = ir3_accesses(&op->insn, access), moved = 0;
    uint32_t values[4][IR3_WAVE_MAX];
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; !access[i].write && k < access[i].count && moved < 4; k++, moved++) {
            struct ir3_operand source = {.access = access[i], .keep = UINT32_MAX, .meaning = SHADER_MEANS_BITS};
            ir3_fetch(run, &source, 0, k, values[moved]);
            for (unsigned n = 0; n < run->lanes; n++)
                values[moved][n] = op->from == op->to ? values[moved][n] : convert_value(run, op, values[moved][n]);
        }
    for (unsigned i = 0, put = 0; i < count; i++)
        for (unsigned k = 0; access[i].write && k < access[i].count && put < moved; k++, put++)
            ir3_put(run, &(struct ir3_operand){.access = access[i]}, 0, k, values[put]);
}

static void mask_of_active(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t mask[4][IR3_WAVE_MAX] = {0};
    for (unsigned i = 0; i < run->lanes; i++) {
        unsigned bit = run->lane[i] - run->first;
        for (unsigned k = 0; k < run->lanes; k++)
            mask[bit / 32][k] |= UINT32_C(1) << bit % 32;
    }
    for (unsigned i = 0; i < op->result.access.count && i < 4; i++)
        ir3_put(run, &op->result, 0, i, mask[i]);
}

/* movs: what a numbered fiber has, for all; into a register that is not shared it is a move. */
static uint32_t from_fiber(struct ir3_run *run, const struct ir3_op *op, uint32_t own, unsigned which)
{
    const struct a3xx_access *source = &op->source[0].access;
    unsigned number = which % run->state->choice.width, fiber = run->first + number;
    if (!ir3_is_shared(&op->result.access))
        return own;
    bool active = false;
    for (unsigned i = 0; i < run->lanes; i++)
        active |= run->lane[i] == fiber;
    if (number >= run->width || (!active && run->state->choice.inactive_zero))
        return 0;
    return op->source[0].none ? 0 : ir3_read_register(run->state, fiber, source->half, (uint32_t)source->number);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define A run->a[i]
#define B run->b[i]
#define C run->c[i]
#define D run->d[i]
#define HALF op->half
#define FLUSH run->flush
#define CHOICE(name) run->state->choice.name
#define SATURATES op->saturate
#define AVERAGES op->average
#define CONDITION op->condition
#define VERDICT(condition) a3xx_verdict(condition)
#define FSCALED_PRODUCT(x, y, scale) scaled(run, op, exact(run, op, x) * exact(run, op, y) * (scale))
#define FSCALED_SUM(x, y, scale) scaled(run, op, (exact(run, op, x) + exact(run, op, y)) * (scale))
#define DIFFERENCE(x, y) a3xx_difference(!CHOICE(sad_difference), x, y)
#define TRAILING_ZEROS(x) trailing_zeros(run, op, x)
#define DOT_PRODUCT(count, x, y, z) dot_product(op, count, x, y, z)
#define CONVERT(from, to, rounding, x) convert_value(run, op, x)
#define BOUNDED(x) bounded(run, op, x)
#define INTERPOLATE(location, registers) interpolate(run, location, B, C, op->source[1].access.half)
#define FLAT(location) (has_varying(run, location) ? run->state->all.varying[0][location] : 0)
#define IMMEDIATE ir3_field(op, 'k')
#define ADDRESS ir3_read_register(run->state, run->lane[i], false, IR3_A0)
#define FROM_FIBER(number) from_fiber(run, op, convert_value(run, op, A), number)
#define TRAP ir3_trap(run, op)
#define MOVES move_values(run, op)
#define ACTIVE_MASK mask_of_active(run, op)
#define MULTIPLY_MATRIX multiply_matrix(run, op)
#define FOLLOW ir3_flow(run, op)
#define PART(how) ir3_branch(run, op, IR3_BRANCH_##how)
#define LANES ir3_lanes(run, op)
#define DERIVE(in_y) LANES
#define LOOK_UP(how, channel) ir3_look_up(run, op, IR3_LOOK_##how, channel)
#define MEMORY ir3_memory(run, op)
#define LOAD(space) MEMORY
#define STORE(space, direct) MEMORY
#define ATOMIC(form, action) ir3_atomic(run, op, IR3_ATOMIC_##form, IR3_##action)

/* One step of an instruction for one lane; what gives no result for each fiber is done once for all of them. */
static void act(struct ir3_run *run, const struct ir3_op *op, unsigned i)
{
    switch (op->row) {
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    case IR3_##id:                                                                                                     \
        __VA_ARGS__                                                                                                    \
        break;
#include "isa/ir3/text/insn.def"
#undef INSN
    default:
        break;
    }
}

/* Results of all lanes, in the width of their register. */
static void calculate(struct ir3_run *run, const struct ir3_op *op)
{
    const unsigned count = (run->lanes + IR3_VALUES_STEP - 1) & ~(IR3_VALUES_STEP - 1u);
    const struct ir3_values values = {run->a, run->b, run->c, run->d, count};
    if (op->alike && run->lanes >= MANY && run->calculate && run->calculate(op, run->state->choice.half_even, &values))
        return;
    for (unsigned i = 0; i < run->lanes; i++) {
        act(run, op, i);
        if (!op->as_is)
            run->d[i] = a3xx_fit(op->result_kind, op->half, op->half_result, op->saturate, run->flush,
                                 run->state->choice.half_even, run->d[i]);
    }
}

/* A scalar predicate is that of all fibers of the wave. */
static void put_for_all(struct ir3_run *run, const struct ir3_op *op, unsigned step)
{
    for (unsigned i = 0; i < run->width; i++)
        ir3_write_register(run->state, run->first + i, false, IR3_P0 + (uint32_t)op->result.access.number + step,
                           run->d[0] & 1);
}

static void tell_comparison(struct ir3_run *run, const struct ir3_op *op, unsigned step)
{
    unsigned space = op->half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL;
    for (unsigned i = 0; i < run->lanes; i++)
        ir3_raise(run, GPUCODE_EVENT_COMPARE, run->lane[i], space, step, run->a[i], run->b[i]);
}

/* One step for one lane that nobody watches: most of what a fiber alone does. */
static void execute_one(struct ir3_run *run, const struct ir3_op *op, unsigned step)
{
    run->a[0] = ir3_fetch_one(run, &op->source[0], step);
    if (op->sources > 1)
        run->b[0] = ir3_fetch_one(run, &op->source[1], step);
    if (op->sources > 2)
        run->c[0] = ir3_fetch_one(run, &op->source[2], step);
    if (run->halted)
        return;
    act(run, op, 0);
    if (!op->as_is)
        run->d[0] = a3xx_fit(op->result_kind, op->half, op->half_result, op->saturate, run->flush,
                             run->state->choice.half_even, run->d[0]);
    if (run->halted)
        return;
    if (op->result.direct == IR3_DIRECT_FULL)
        *ir3_lanes_row(run, (uint32_t)op->result.access.number + step) = run->d[0];
    else if (op->result.direct == IR3_DIRECT_PREDICATE)
        *ir3_lanes_row(run, IR3_P0 + (uint32_t)op->result.access.number + step) = run->d[0] & 1;
    else
        ir3_put(run, &op->result, step, 0, run->d);
}

/* Where a source's values are: in its row of the file, or in `room`. */
static const uint32_t *values_of(struct ir3_run *run, const struct ir3_operand *operand, unsigned step, uint32_t *room)
{
    if (ir3_is_bare(operand))
        return ir3_lanes_row(run, (uint32_t)operand->access.number + (operand->access.steps ? step : 0));
    ir3_fetch(run, operand, step, 0, room);
    return room;
}

/* Fibers side by side that nobody watches, as many as loops of vectors take: values stay where they are. */
static void execute_many(struct ir3_run *run, const struct ir3_op *op)
{
    const bool in_place = op->result.direct == IR3_DIRECT_FULL;
    struct ir3_values values = {run->a, run->b, run->c, run->d, run->lanes};
    for (unsigned step = 0; step < op->steps; step++) {
        values.a = values_of(run, &op->source[0], step, run->a);
        if (op->sources > 1)
            values.b = values_of(run, &op->source[1], step, run->b);
        if (op->sources > 2)
            values.c = values_of(run, &op->source[2], step, run->c);
        if (run->halted)
            return;
        if (in_place)
            values.d = ir3_lanes_row(run, (uint32_t)op->result.access.number + step);
        run->calculate(op, run->state->choice.half_even, &values);
        if (!in_place)
            ir3_put(run, &op->result, step, 0, run->d);
    }
}

/* The others. */
static __attribute__((noinline)) void execute_any(struct ir3_run *run, const struct ir3_op *op)
{
    if (!op->plain) {
        act(run, op, 0);
        return;
    }
    if (op->alike && run->dense && run->lanes % IR3_VALUES_STEP == 0 && run->calculate && !run->core->hook_kinds &&
        !op->scalar) {
        execute_many(run, op);
        return;
    }
    for (unsigned step = 0; step < op->steps && !run->halted; step++) {
        ir3_fetch(run, &op->source[0], step, 0, run->a);
        if (op->sources > 1)
            ir3_fetch(run, &op->source[1], step, 0, run->b);
        if (op->sources > 2)
            ir3_fetch(run, &op->source[2], step, 0, run->c);
        fetch_pair(run, op, step);
        if (run->core->hook_kinds & GPUCODE_EVENT_COMPARE && ir3_rows.rows[op->row].marks & SHADER_MARK_COMPARES)
            tell_comparison(run, op, step);
        if (!run->halted)
            calculate(run, op);
        if (run->halted)
            return;
        if (op->scalar)
            put_for_all(run, op, step);
        else
            ir3_put(run, &op->result, step, 0, run->d);
    }
}

void ir3_execute(struct ir3_run *run, const struct ir3_op *op)
{
    if (!op->plain || run->lanes != 1 || run->core->hook_kinds || op->row == IR3_BARY_F || op->scalar) {
        execute_any(run, op);
        return;
    }
    for (unsigned step = 0; step < op->steps && !run->halted; step++)
        execute_one(run, op, step);
}
