/* SPDX-License-Identifier: MIT */
/*
 * Running one instruction: the rows' actions, and the names they use; before that, when somebody asks, which registers
 * it uses.
 */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/a3xx/machine/strict.h"
#include "isa/ir3/machine/arithmetic.h"

/* Which registers an instruction uses, for watches, and what it compares, for fuzzers: when somebody asks. */

/* The machine's space and number of a register of a file; false: it is none. */
static bool place_of(const struct a3xx_access *access, int *number, unsigned *space)
{
    *space = GPUCODE_A3XX_FULL;
    switch (access->file) {
    case A3XX_FILE_FULL:
        return *number >= 0 && *number < A3XX_R63;
    case A3XX_FILE_HALF:
        *space = GPUCODE_A3XX_HALF;
        return *number >= 0 && *number < A3XX_A0;
    case A3XX_FILE_CONST:
        *space = GPUCODE_A3XX_CONST;
        return *number >= 0 && *number < A3XX_CONST_COUNT;
    case A3XX_FILE_ADDRESS:
        *number += A3XX_A0;
        return *number < A3XX_P0;
    case A3XX_FILE_PREDICATE:
        *number += A3XX_P0;
        return *number < A3XX_R63;
    default:
        return false;
    }
}

static void report_access(struct a3xx_run *run, const struct a3xx_access *access, unsigned repeat)
{
    unsigned space;
    int first = access->number + (access->relative ? a3xx_address(run) : 0);
    for (unsigned step = 0; step <= (access->steps ? repeat : 0); step++)
        for (unsigned i = 0; i < access->count; i++) {
            int number = first + (int)(step + i);
            if ((access->mask && !(access->mask >> i & 1)) || !place_of(access, &number, &space))
                continue;
            uint32_t value = space == GPUCODE_A3XX_CONST
                                 ? run->state->all.consts[number]
                                 : *a3xx_thread_register(run, space == GPUCODE_A3XX_HALF, number);
            a3xx_raise_event(run, GPUCODE_EVENT_USE, space, (unsigned)number, value, value);
        }
}

/* Of a register that an earlier step of the same repeat writes, the event has the value from before the instruction. */
static void report_uses(struct a3xx_run *run, const struct a3xx_op *op)
{
    struct gpucode_insn insn = {.target = run->core->target, .bits = op->bits, .row = op->row};
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(&insn, access), repeat = a3xx_repeat(op->bits);
    for (unsigned i = 0; i < count; i++)
        if (!access[i].write)
            report_access(run, &access[i], repeat);
}

static void report_comparison(struct a3xx_run *run, const struct a3xx_op *op)
{
    unsigned space = op->half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL;
    for (unsigned step = 0; step <= op->repeat; step++)
        a3xx_raise_event(run, GPUCODE_EVENT_COMPARE, space, step, a3xx_fetch(run, &op->source[0], step),
                         a3xx_fetch(run, &op->source[1], step));
}

void a3xx_report_sources(struct a3xx_run *run, const struct a3xx_op *op)
{
    if (run->core->hook_kinds & GPUCODE_EVENT_USE)
        report_uses(run, op);
    if (run->core->hook_kinds & GPUCODE_EVENT_COMPARE && op->row != A3XX_RAW &&
        a3xx_marks(op->row) & SHADER_MARK_COMPARES)
        report_comparison(run, op);
}

/* Running one instruction: the rows' actions, and the names they use. */

void a3xx_run_off(struct a3xx_run *run)
{
    A3XX_HALT(run, GPUCODE_STOP_FAULT, MSG_A3XX_RUN_OFF, (unsigned)run->thread->pc);
}

/* --- bary.f, dsx and dsy: varyings and derivatives ---------------------------------------------------------------- */

static uint32_t interpolate(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, uint32_t location)
{
    const struct a3xx_state *state = run->state;
    if (location >= GPUCODE_A3XX_VARYINGS) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_VARYING, (unsigned)location);
        return 0;
    }
    uint32_t at[3] = {state->all.varying[0][location], state->all.varying[1][location],
                      state->all.varying[2][location]};
    uint32_t value = at[0];
    if (!state->all.flat[location]) {
        if (run->flush)
            for (unsigned i = 0; i < 3; i++)
                at[i] = a3xx_flush(at[i], false);
        double ij[2], corner[3];
        for (unsigned i = 0; i < 2; i++)
            ij[i] = a3xx_value(a3xx_fetch_component(run, &op->source[1], i + (op->source[1].steps ? step : 0)),
                               op->source[1].half);
        for (unsigned i = 0; i < 3; i++)
            corner[i] = (double)a3xx_float_of(at[i]);
        value = at[1] != at[0] || at[2] != at[0] ? a3xx_between(corner, ij[0], ij[1], run->flush) : at[0];
    }
    return value;
}

static void derive(struct a3xx_run *run, const struct a3xx_op *op, bool in_y)
{
    unsigned neighbour = in_y ? 2 : 1;
    bool has_neighbour = run->quad && neighbour < run->quad_count;
    if (!has_neighbour && !run->state->choice.derivative_zero) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_QUAD, in_y ? "dsy" : "dsx");
        return;
    }
    bool half = op->source[0].half;
    uint32_t sign = half ? 0x8000 : 0x80000000;
    for (unsigned i = 0; i < 4; i++) {
        if (!(A3XX_FIELD(op->bits, WRITE_MASK) >> i & 1))
            continue;
        uint32_t value = 0;
        if (has_neighbour) /* coarse: one for all four threads */
            value = a3xx_add(run->quad->around[neighbour][i], run->quad->around[0][i] ^ sign, half, run->flush);
        if (half && op->result.place == A3XX_IN_FULL)
            value = a3xx_widen(value);
        else if (!half && op->result.place == A3XX_IN_HALF)
            value = a3xx_narrow((double)a3xx_float_of(value), A3XX_ROUND_EVEN);
        a3xx_put(run, &op->result, i, value);
    }
}

/* --- what actions need the thread for ----------------------------------------------------------------------------- */

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
    a3xx_stack(run->state, run->index)[thread->depth++] = run->at + 1;
    run->next = target;
}

static void return_to_caller(struct a3xx_run *run)
{
    if (!run->thread->depth) {
        A3XX_HALT(run, GPUCODE_STOP_FAULT, MSG_A3XX_RET);
        return;
    }
    run->next = a3xx_stack(run->state, run->index)[--run->thread->depth];
}

static void trap_unknown(struct a3xx_run *run, const struct a3xx_op *op)
{
    if (op->row == A3XX_RAW)
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_NO_ROW, (unsigned long long)op->bits);
    else
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_TRAP, a3xx_rows.rows[op->row].facts.mnemonic);
}

/* Sources and results that are more than a look into an array; nearly all of strict timing are one step from it. */
static __attribute__((noinline)) uint32_t fetch_slowly(struct a3xx_run *run, const struct a3xx_operand *operand,
                                                       unsigned step)
{
    if (operand->slow != A3XX_SLOW_TIMED || run->again)
        return a3xx_fetch_slow(run, operand, step);
    int reg = operand->timed + (operand->steps ? (int)step : 0);
    int hidden = a3xx_hidden_slot(&run->flights[run->index], reg, operand->delay);
    uint32_t value = hidden < 0 ? run->place[operand->place][operand->at + operand->pace * (int)step]
                                : *a3xx_timed_value(run, a3xx_row_replaced((uint32_t)hidden));
    return (value & operand->keep) ^ operand->flip;
}

static __attribute__((noinline)) void put_slowly(struct a3xx_run *run, const struct a3xx_operand *to, unsigned step,
                                                 uint32_t value)
{
    bool hooked = run->core->hook_kinds & GPUCODE_EVENT_WRITE;
    if (to->slow == A3XX_SLOW_TIMED && run->unit == A3XX_ARITHMETIC && !hooked)
        a3xx_issue_result(run, to->timed + (int)step,
                          run->file[to->place == A3XX_IN_HALF] + to->at + to->pace * (int)step, value);
    else
        a3xx_put(run, to, step, value);
}

static inline uint32_t fetch_source(struct a3xx_run *run, const struct a3xx_operand *operand, unsigned step)
{
    if (__builtin_expect(operand->slow, 0))
        return fetch_slowly(run, operand, step);
    return (run->place[operand->place][operand->at + operand->pace * (int)step] & operand->keep) ^ operand->flip;
}

static inline void put_result(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, uint32_t value)
{
    const struct a3xx_operand *to = &op->result;
    if (__builtin_expect(to->slow || run->core->hook_kinds & GPUCODE_EVENT_WRITE, 0))
        put_slowly(run, to, step, value);
    else
        run->file[to->place == A3XX_IN_HALF][to->at + to->pace * (int)step] = value;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

#define A a
#define B b
#define C c
#define D result
#define HALF op->half
#define FLUSH run->flush
#define CHOICE(name) run->state->choice.name
#define DIFFERENCE(x, y) a3xx_difference(CHOICE(sad_sum), x, y)
#define SATURATES op->saturate
#define VERDICT(condition) a3xx_verdict(condition)
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
#define INTERPOLATE(location, registers) interpolate(run, op, step, location)
#define LOOK_UP(how, channel) a3xx_look_up(run, op, A3XX_##how, channel)
#define DERIVE(in_y) derive(run, op, in_y)
#define LOAD(space) a3xx_load(run, op, A3XX_##space)
#define STORE(space, direct) a3xx_store(run, op, A3XX_##space, direct)
#define ATOMIC(space, action) a3xx_atomic(run, op, A3XX_##space, A3XX_##action)

void a3xx_execute(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, unsigned last)
{
    do {
        uint32_t a = fetch_source(run, &op->source[0], step), b = 0, c = 0, result = 0;
        if (op->sources > 1)
            b = fetch_source(run, &op->source[1], step);
        if (op->sources > 2)
            c = fetch_source(run, &op->source[2], step);
        switch (op->row) {
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    case A3XX_##id:                                                                                                    \
        __VA_ARGS__ break;
#include "isa/ir3/text/insn.def"
#undef INSN
        default:
            break;
        }
        if (run->halted)
            return;
        if (op->plain)
            put_result(run, op, step,
                       op->as_is ? result
                                 : a3xx_fit(op->result_kind, op->half, op->half_result, op->saturate, run->flush,
                                            run->state->choice.half_even, result));
    } while (step++ < last);
}
