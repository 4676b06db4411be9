/* SPDX-License-Identifier: MIT */
/* Running one instruction: the rows' actions, and the names they use. */
#include "isa/a3xx/machine/strict.h"

/* --- names of the actions ----------------------------------------------------------------------------------------- */

enum condition { LT, LE, GT, GE, EQ, NE };

static uint32_t condition_holds(unsigned condition, int64_t a, int64_t b)
{
    switch (condition) {
    case LT:
        return a < b;
    case LE:
        return a <= b;
    case GT:
        return a > b;
    case GE:
        return a >= b;
    case EQ:
        return a == b;
    default:
        return a != b;
    }
}

static uint32_t compare_floats(const struct a3xx_run *run, bool half, unsigned condition, uint32_t a, uint32_t b)
{
    if (a3xx_is_nan(a, half) || a3xx_is_nan(b, half))
        return condition == NE && !run->state->choice.ne_false_for_nan;
    if (run->flush) {
        a = a3xx_flush(a, half);
        b = a3xx_flush(b, half);
    }
    uint32_t magnitude = half ? 0x7fff : 0x7fffffff;
    if (!((a | b) & magnitude)) /* zeros of either sign are equal */
        a = b;
    return condition_holds(condition, a3xx_order(a, half), a3xx_order(b, half));
}

/* The lesser one, or the greater one; -0 is less than +0. */
static uint32_t choose_float(const struct a3xx_run *run, bool half, bool greater, uint32_t a, uint32_t b)
{
    bool nan_a = a3xx_is_nan(a, half), nan_b = a3xx_is_nan(b, half);
    if ((nan_a && nan_b) || ((nan_a || nan_b) && run->state->choice.nan_wins))
        return half ? A3XX_HALF_NAN : A3XX_NAN;
    if (run->flush) {
        a = nan_a ? a : a3xx_flush(a, half);
        b = nan_b ? b : a3xx_flush(b, half);
    }
    if (nan_a || nan_b)
        return nan_a ? b : a;
    return (a3xx_order(a, half) < a3xx_order(b, half)) != greater ? a : b;
}

static uint32_t sign_of(const struct a3xx_run *run, bool half, uint32_t a)
{
    uint32_t sign = half ? 0x8000 : 0x80000000, one = half ? 0x3c00 : 0x3f800000;
    if (a3xx_is_nan(a, half))
        return half ? A3XX_HALF_NAN : A3XX_NAN;
    if (run->flush)
        a = a3xx_flush(a, half);
    return a & ~sign ? (a & sign) | one : a;
}

static uint32_t mad_floats(const struct a3xx_run *run, bool half, uint32_t a, uint32_t b, uint32_t c)
{
    if (run->state->choice.fused)
        return a3xx_fused(a, b, c, half, run->flush);
    return a3xx_add(a3xx_multiply(a, b, half, run->flush), c, half, run->flush);
}

/* Sums and differences of integers: wrapped, or stopped at the ends of the range. */
static uint32_t wrap_or_saturate(const struct a3xx_op *op, bool is_signed, int64_t value)
{
    if (!op->saturate)
        return (uint32_t)value;
    unsigned bits = op->half ? 16 : 32;
    int64_t least = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t most = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
    return (uint32_t)(value < least ? least : value > most ? most : value);
}

static uint32_t reverse_bits(bool half, uint32_t a)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= (a >> i & 1) << (31 - i);
    return half ? result >> 16 : result;
}

/* Leading zeros; all ones for 0. */
static uint32_t leading_zeros(bool half, uint32_t a)
{
    return a ? (uint32_t)__builtin_clz(a) - (half ? 16 : 0) : UINT32_MAX;
}

static uint32_t sign_bits(bool half, int32_t a)
{
    return leading_zeros(half, (uint32_t)(a < 0 ? ~a : a));
}

static unsigned shift_count(const struct a3xx_run *run, unsigned width, uint32_t count)
{
    return run->state->choice.shift_past && count >= width ? width : count & (width - 1);
}

static uint32_t absolute_difference(const struct a3xx_run *run, int32_t a, int32_t b)
{
    if (run->state->choice.sad_sum)
        return (uint32_t)a + (uint32_t)b;
    return a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a;
}

static uint32_t convert_value(const struct a3xx_run *run, const struct a3xx_op *op, uint32_t value)
{
    const struct a3xx_choices *choice = &run->state->choice;
    struct a3xx_conversion how = {.from = op->from,
                                  .to = op->to,
                                  .rounding = op->rounding,
                                  .half_rounding = choice->half_even ? A3XX_ROUND_EVEN : A3XX_ROUND_ZERO,
                                  .clamp = !choice->wrap_conversion,
                                  .extend_u8 = choice->extend_u8};
    return a3xx_convert(&how, value);
}

static void call_target(struct a3xx_run *run, uint32_t target)
{
    struct a3xx_thread *thread = run->thread;
    if (thread->depth >= run->state->choice.call_depth) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_CALL_DEPTH, (unsigned)thread->depth);
        return;
    }
    thread->stack[thread->depth++] = run->at + 1;
    run->next = target;
}

static void return_to_caller(struct a3xx_run *run)
{
    if (!run->thread->depth) {
        A3XX_HALT(run, GPUCODE_STOP_FAULT, MSG_A3XX_RET);
        return;
    }
    run->next = run->thread->stack[--run->thread->depth];
}

static void trap_unknown(struct a3xx_run *run, const struct a3xx_op *op)
{
    if (op->row == A3XX_RAW)
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_NO_ROW, (unsigned long long)op->bits);
    else
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_TRAP, a3xx_rows.rows[op->row].facts.mnemonic);
}

/* The result at the width of its register. */
static uint32_t fit_result(const struct a3xx_run *run, const struct a3xx_op *op, uint32_t value)
{
    bool half = op->half;
    switch (op->result_kind) {
    case A3XX_RESULT_FLOAT:
    case A3XX_RESULT_MOVED:
        if (op->saturate)
            value = a3xx_clamp(value, half);
        if (half == op->half_result)
            return value;
        if (half)
            return a3xx_widen(value);
        value =
            a3xx_narrow((double)a3xx_float_of(value), run->state->choice.half_even ? A3XX_ROUND_EVEN : A3XX_ROUND_ZERO);
        return run->flush && op->result_kind == A3XX_RESULT_FLOAT ? a3xx_flush(value, true) : value;
    case A3XX_RESULT_UNSIGNED:
        return half || op->half_result ? value & 0xffff : value;
    case A3XX_RESULT_SIGNED:
        value = half ? (uint32_t)(int16_t)value : value;
        break;
    default:
        break;
    }
    return op->half_result ? value & 0xffff : value;
}

static inline void put_result(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, uint32_t value)
{
    const struct a3xx_operand *to = &op->result;
    if (__builtin_expect(to->slow || run->core->hook_kinds & GPUCODE_EVENT_WRITE, 0))
        a3xx_put(run, to, step, value);
    else
        (to->place == A3XX_IN_HALF ? run->thread->half : run->thread->full)[to->number + (int)step] = value;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

#define A a
#define B b
#define C c
#define D result
#define HALF op->half
#define WIDTH (HALF ? 16u : 32u)
#define PC run->at
#define OFFSET ((uint32_t)(int32_t)op->offset)
#define GO(pc) run->next = (pc)
#define P ((A != 0) != op->invert)
#define CALL(pc) call_target(run, pc)
#define RETURN return_to_caller(run)
#define KILLED run->thread->killed
#define FINISH run->thread->ended = true, run->next = run->at
#define TRAP trap_unknown(run, op)
#define CONDITION op->condition
#define SOURCE_TYPE op->from
#define RESULT_TYPE op->to
#define ROUNDING op->rounding
#define CONVERT(from, to, rounding, value) convert_value(run, op, value)
#define SIGNED(x) (HALF ? (int16_t)(x) : (int32_t)(x))
#define UNSIGNED(x) (x)
#define SIGNED24(x) (HALF ? (int16_t)(x) : (int32_t)((x) << 8) >> 8)
#define FADD(x, y) a3xx_add(x, y, HALF, run->flush)
#define FMUL(x, y) a3xx_multiply(x, y, HALF, run->flush)
#define FMAD(x, y, z) mad_floats(run, HALF, x, y, z)
#define FMIN(x, y) choose_float(run, HALF, false, x, y)
#define FMAX(x, y) choose_float(run, HALF, true, x, y)
#define FSIGN(x) sign_of(run, HALF, x)
#define FCOMPARE(condition, x, y) compare_floats(run, HALF, condition, x, y)
#define FFLOOR(x) a3xx_round_to_integer(x, A3XX_INTEGER_FLOOR, HALF, run->flush)
#define FCEIL(x) a3xx_round_to_integer(x, A3XX_INTEGER_CEIL, HALF, run->flush)
#define FROUND_EVEN(x) a3xx_round_to_integer(x, A3XX_INTEGER_EVEN, HALF, run->flush)
#define FROUND_AWAY(x)                                                                                                 \
    a3xx_round_to_integer(x, run->state->choice.nearest_zero ? A3XX_INTEGER_TRUNC : A3XX_INTEGER_AWAY, HALF, run->flush)
#define FTRUNC(x) a3xx_round_to_integer(x, A3XX_INTEGER_TRUNC, HALF, run->flush)
#define FSPECIAL(function, x) a3xx_special(A3XX_##function##_OF, x, HALF, run->flush)
#define ALL_ONES (run->state->choice.compare_one ? 1 : UINT32_MAX)
#define UADD(x, y) wrap_or_saturate(op, false, (int64_t)(x) + (y))
#define USUB(x, y) wrap_or_saturate(op, false, (int64_t)(x) - (y))
#define SADD(x, y) wrap_or_saturate(op, true, (int64_t)SIGNED(x) + SIGNED(y))
#define SSUB(x, y) wrap_or_saturate(op, true, (int64_t)SIGNED(x) - SIGNED(y))
#define UCOMPARE(condition, x, y) condition_holds(condition, x, y)
#define SCOMPARE(condition, x, y) condition_holds(condition, SIGNED(x), SIGNED(y))
#define REVERSE_BITS(x) reverse_bits(HALF, x)
#define SIGN_BITS(x) sign_bits(HALF, SIGNED(x))
#define LEADING_ZEROS(x) leading_zeros(HALF, x)
#define COUNT_BITS(x) (uint32_t) __builtin_popcount(x)
#define COUNT(x) shift_count(run, WIDTH, x)
#define DIFFERENCE(x, y) absolute_difference(run, x, y)
#define INTERPOLATE(location, registers) a3xx_interpolate(run, op, step, location)
#define LOOK_UP(how, channel) a3xx_look_up(run, op, A3XX_##how, channel)
#define DERIVE(in_y) a3xx_derive(run, op, in_y)
#define LOAD(space) a3xx_load(run, op, A3XX_##space)
#define STORE(space, direct) a3xx_store(run, op, A3XX_##space, direct)
#define ATOMIC(space, action) a3xx_atomic(run, op, A3XX_##space, A3XX_##action)

void a3xx_execute(struct a3xx_run *run, const struct a3xx_op *op)
{
    unsigned step = 0;
    do {
        uint32_t a = a3xx_fetch(run, &op->source[0], step), b = 0, c = 0, result = 0;
        if (op->sources > 1)
            b = a3xx_fetch(run, &op->source[1], step);
        if (op->sources > 2)
            c = a3xx_fetch(run, &op->source[2], step);
        switch (op->row) {
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    case A3XX_##id:                                                                                                    \
        __VA_ARGS__ break;
#include "isa/a3xx/text/insn.def"
#undef INSN
        default:
            break;
        }
        if (run->halted)
            return;
        if (op->plain)
            put_result(run, op, step, op->as_is ? result : fit_result(run, op, result));
    } while (step++ < op->repeat);
}
