/* SPDX-License-Identifier: MIT */
/*
 * What an instruction reads and writes: operands that need more than a look into an array, and strict timing. Nobody
 * has measured what a missing delay or sync bit does on A3XX. Where there is a choice it is made so that the mistake
 * shows: early readers see the value of before, a result that comes late replaces what was written meanwhile, and a
 * unit whose sources change before it has read them reads the new value. docs/a3xx-machine.md says it in full.
 */
#include "isa/ir3/a3xx/machine/strict.h"
#include "a3xx_messages.h"

static size_t flights_at(uint32_t threads)
{
    size_t align = _Alignof(struct a3xx_flight);
    return (a3xx_state_size(threads) + align - 1) / align * align;
}

size_t a3xx_strict_size(uint32_t threads)
{
    return flights_at(threads) + threads * sizeof(struct a3xx_flight) +
           A3XX_TIMED_ROWS * a3xx_stride(threads) * sizeof(uint32_t);
}

struct a3xx_flight *a3xx_flights(struct a3xx_state *state)
{
    return (struct a3xx_flight *)(void *)((unsigned char *)state + flights_at(state->choice.threads));
}

uint32_t *a3xx_timed_values(struct a3xx_state *state)
{
    return (uint32_t *)(void *)(a3xx_flights(state) + state->choice.threads);
}

/* --- programs ---------------------------------------------------------------------------------------------------- */

/* Calls for the registers that the instruction reads; true: one of them is `wanted`. */
static bool reads_register(const struct a3xx_op *op, const struct a3xx_open *open, int wanted, struct a3xx_set *all)
{
    struct gpucode_insn insn = {.bits = op->bits, .row = op->row, .address = open->at, .size = 8};
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(&insn, access);
    for (unsigned i = 0; i < count; i++) {
        if (access[i].write || !access[i].source)
            continue;
        if (access[i].relative) {
            access[i].relative = false;
            access[i].number += open->address;
        }
        for (unsigned k = 0; k < access[i].count; k++) {
            int reg = access[i].number >= 0 ? a3xx_register_at(&access[i], open->step, k) : -1;
            if (reg >= 0 && all)
                a3xx_set_add(all, reg);
            if (reg >= 0 && reg == wanted)
                return true;
        }
    }
    return false;
}

static bool has_relative_source(const struct a3xx_op *op)
{
    unsigned slow = 0;
    for (unsigned i = 0; i < 4; i++)
        slow |= op->source[i].slow;
    return slow & A3XX_SLOW_RELATIVE;
}

/* Finds what the instructions read whose units may read it late, where that is the same whenever they run. */
static bool find_late_reads(struct machine_core *core, struct a3xx_program *program)
{
    for (uint32_t i = 0; i < program->count; i++) {
        struct a3xx_op *op = &program->ops[i];
        const struct a3xx_open open = {.at = i};
        if (op->unit == A3XX_ARITHMETIC || op->repeat || has_relative_source(op))
            continue;
        struct a3xx_set *set = arena_array(&core->arena, 1, sizeof *set);
        if (!set)
            return false;
        reads_register(op, &open, -1, set);
        op->reads = set;
    }
    return true;
}

bool a3xx_strict_start(struct machine_core *core, struct a3xx_state *state)
{
    for (uint32_t i = 0; i < state->program.count; i++) {
        struct a3xx_op *op = &state->program.ops[i];
        struct gpucode_insn insn = {.bits = op->bits, .row = op->row, .address = i, .size = 8};
        bool special = op->row != A3XX_RAW && shader_category(op->bits) == 4 && !state->choice.special_waits;
        if (op->row != A3XX_RAW)
            op->syncs = (uint8_t)((shader_category(op->bits) < 5 && op->bits & A3XX_SS ? A3XX_SYNC_SS : 0) |
                                  (op->bits & A3XX_SY ? A3XX_SYNC_SY : 0));
        op->unit = op->row == A3XX_RAW ? A3XX_ARITHMETIC : (uint8_t)a3xx_unit(&insn);
        op->brief = op->unit == A3XX_ARITHMETIC && !op->syncs && !op->repeat && op->row != A3XX_END;
        for (unsigned k = 0; k < 4; k++) {
            struct a3xx_operand *source = &op->source[k];
            struct a3xx_access access = {.source = (uint8_t)(k + 1)};
            if (source->place != A3XX_IN_FULL && source->place != A3XX_IN_HALF)
                continue;
            source->delay = (uint8_t)a3xx_delay(&insn, &access);
            source->timed = (int16_t)a3xx_timed_register(source->place == A3XX_IN_HALF, source->number);
            source->slow |= A3XX_SLOW_TIMED | (special ? A3XX_SLOW_CHAINED : 0);
        }
        if (op->result.number != A3XX_NOWHERE)
            op->result.slow |= A3XX_SLOW_TIMED;
        op->result.timed = (int16_t)a3xx_timed_register(op->result.place == A3XX_IN_HALF, op->result.number);
        if (op->row == A3XX_END || (op->lanes == A3XX_LANES_FLOW && op->repeat)) /* see how predicates grow old */
            op->lanes = A3XX_LANES_NOT;
    }
    struct a3xx_flight *flight = a3xx_flights(state);
    for (uint32_t i = 0; i < state->choice.threads; i++)
        a3xx_forget_all_recent(&flight[i]); /* values from before the start are old enough */
    return find_late_reads(core, &state->program);
}

/* --- registers --------------------------------------------------------------------------------------------------- */

/* The value that stood in a register when results younger than the delay were not there. */
static uint32_t visible_value(const struct a3xx_run *run, int reg, unsigned delay, uint32_t value)
{
    int hidden = a3xx_hidden_slot(&run->flights[run->index], reg, delay);
    return hidden < 0 ? value : *a3xx_timed_value(run, a3xx_row_replaced((uint32_t)hidden));
}

/* What the operand's reader sees of a register. */
static uint32_t read_strictly(const struct a3xx_run *run, const struct a3xx_operand *operand, int number)
{
    const struct a3xx_flight *flight = &run->flights[run->index];
    bool half = operand->place == A3XX_IN_HALF;
    uint32_t value = *a3xx_thread_register(run, half, number);
    int reg = a3xx_timed_register(half, number);
    if (run->again || reg < 0)
        return value;
    if (run->waited && a3xx_set_has(&flight->due[A3XX_DUE_SY], reg))
        return *a3xx_timed_value(run, a3xx_row_due(A3XX_DUE_SY, reg));
    if (operand->slow & A3XX_SLOW_CHAINED && a3xx_set_has(&flight->special, reg))
        return *a3xx_timed_value(run, a3xx_row_due(A3XX_DUE_SS, reg));
    return visible_value(run, reg, operand->delay, value);
}

int a3xx_strict_address(const struct a3xx_run *run)
{
    if (run->again)
        return run->again->address;
    return (int16_t)visible_value(run, A3XX_ADDRESS, A3XX_DELAY_ADDRESS, *a3xx_thread_register(run, false, A3XX_A0));
}

void a3xx_strict_touch(struct a3xx_state *state, unsigned index, bool half, uint32_t number)
{
    int reg = a3xx_timed_register(half, (int)number);
    if (reg >= 0)
        a3xx_forget_recent(a3xx_flights(state) + index, reg);
}

/* --- instructions whose sources may still be read ---------------------------------------------------------------- */

void a3xx_keep_open(struct a3xx_flight *flight, const struct a3xx_open *open, const struct a3xx_op *op)
{
    if (flight->open_count == A3XX_OPEN_MAX) {
        flight->open_count--;
        memmove(&flight->open[0], &flight->open[1], flight->open_count * sizeof flight->open[0]);
    }
    flight->open[flight->open_count++] = *open;
    for (unsigned i = 0; op->reads && i < sizeof flight->used.bits / sizeof *flight->used.bits; i++)
        flight->used.bits[i] |= op->reads->bits[i];
    if (!op->reads)
        reads_register(op, open, -1, &flight->used);
}

static void keep_open(struct a3xx_run *run, struct a3xx_flight *flight, const struct a3xx_op *op, unsigned step)
{
    if (run->quad && op->group_role & A3XX_GROUP_QUAD) /* its sources are the quad's, taken at once */
        return;
    struct a3xx_open open = {.at = run->at, .step = (uint16_t)step};
    if (has_relative_source(op) || op->result.slow & A3XX_SLOW_RELATIVE)
        open.address = (int16_t)a3xx_strict_address(run);
    a3xx_keep_open(flight, &open, op);
}

void a3xx_close_open(struct a3xx_flight *flight, const struct a3xx_program *program, bool ss, bool sy)
{
    uint32_t kept = 0;
    if (ss)
        flight->used = (struct a3xx_set){{0}};
    for (uint32_t i = 0; i < flight->open_count && sy && !ss; i++) /* what is written back has read its sources */
        if (program->ops[flight->open[i].at].unit != A3XX_LONG_LATENCY)
            flight->open[kept++] = flight->open[i];
    flight->open_count = sy || ss ? kept : flight->open_count;
}

void a3xx_run_again(struct a3xx_run *run, struct a3xx_flight *flight, int reg)
{
    uint32_t at = run->at, next = run->next;
    uint8_t unit = run->unit;
    for (uint32_t i = 0; i < flight->open_count && !run->halted; i++) {
        const struct a3xx_op *op = &run->state->program.ops[flight->open[i].at];
        if (op->reads ? !a3xx_set_has(op->reads, reg) : !reads_register(op, &flight->open[i], reg, NULL))
            continue;
        run->again = &flight->open[i];
        run->at = flight->open[i].at;
        run->unit = op->unit;
        run->execute(run, op, flight->open[i].step, flight->open[i].step);
    }
    run->again = NULL;
    run->at = at;
    run->next = next;
    run->unit = unit;
}

/* --- results ----------------------------------------------------------------------------------------------------- */

void a3xx_raise_event(struct a3xx_run *run, enum gpucode_event_kind kind, unsigned space, uint64_t address,
                      uint64_t value, uint64_t old)
{
    struct gpucode_event event = {.kind = kind,
                                  .processor = run->index,
                                  .pc = run->at,
                                  .time = run->core->time - run->counted,
                                  .space = space,
                                  .address = address,
                                  .value = value,
                                  .old = old};
    run->hook_stops |= isa_event(run->core, &event);
}

/* A register gets a new value. `aged`: readers need not wait for it. */
static void write_register(struct a3xx_run *run, struct a3xx_flight *flight, int reg, uint32_t value, bool aged)
{
    bool half = a3xx_timed_half(reg);
    int number = a3xx_timed_number(reg);
    uint32_t *to = a3xx_thread_register(run, half, number);
    if (run->core->hook_kinds & GPUCODE_EVENT_WRITE)
        a3xx_raise_event(run, GPUCODE_EVENT_WRITE, half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, (unsigned)number,
                         value, *to);
    if (!aged) {
        a3xx_issue_result(run, reg, to, value);
        return;
    }
    a3xx_forget_recent(flight, reg);
    *to = value;
    if (a3xx_set_has(&flight->used, reg))
        a3xx_run_again(run, flight, reg);
}

bool a3xx_queue(struct a3xx_flight *flight, const struct a3xx_choices *choice, enum a3xx_unit unit, int reg, bool again)
{
    unsigned due = a3xx_due_of(unit);
    bool special = unit == A3XX_SPECIAL;
    if (a3xx_set_has(&flight->due[due], reg))
        return again || (special && !choice->special_waits && a3xx_set_has(&flight->special, reg));
    if (again) /* it has been written back */
        return false;
    a3xx_set_add(&flight->due[due], reg);
    if (special)
        a3xx_set_add(&flight->special, reg);
    return true;
}

static void put_strictly(struct a3xx_run *run, bool half, int number, uint32_t value)
{
    struct a3xx_flight *flight = &run->flights[run->index];
    int reg = a3xx_timed_register(half, number);
    if (reg < 0)
        *a3xx_thread_register(run, half, number) = value;
    else if (run->unit == A3XX_ARITHMETIC)
        write_register(run, flight, reg, value, false);
    else if (a3xx_queue(flight, &run->state->choice, run->unit, reg, run->again))
        *a3xx_timed_value(run, a3xx_row_due(a3xx_due_of(run->unit), reg)) = value;
}

static void write_back(struct a3xx_run *run, struct a3xx_flight *flight, unsigned due)
{
    if (a3xx_set_is_empty(&flight->due[due]))
        return;
    struct a3xx_set set = a3xx_take_due(flight, due);
    for (unsigned i = 0; i < sizeof set.bits / sizeof *set.bits; i++)
        for (; set.bits[i]; set.bits[i] &= set.bits[i] - 1) {
            int reg = (int)(64 * i) + __builtin_ctzll(set.bits[i]);
            write_register(run, flight, reg, *a3xx_timed_value(run, a3xx_row_due(due, reg)), true);
        }
}

static void wait_for_sync(struct a3xx_run *run, struct a3xx_flight *flight, bool ss, bool sy)
{
    if (ss) {
        a3xx_close_open(flight, &run->state->program, true, false);
        write_back(run, flight, A3XX_DUE_SS);
    }
    if (sy) {
        a3xx_close_open(flight, &run->state->program, false, true);
        write_back(run, flight, A3XX_DUE_SY);
    }
}

/* --- running ----------------------------------------------------------------------------------------------------- */

void a3xx_strict_execute(struct a3xx_run *run, const struct a3xx_op *op)
{
    struct a3xx_flight *flight = &run->flights[run->index];
    if (op->syncs)
        wait_for_sync(run, flight, op->syncs & A3XX_SYNC_SS, op->syncs & A3XX_SYNC_SY);
    run->unit = op->unit;
    for (unsigned step = 0; step <= op->repeat && !run->halted; step++) {
        run->execute(run, op, step, step);
        if (run->halted)
            return;
        if (op->unit != A3XX_ARITHMETIC)
            keep_open(run, flight, op, step);
        a3xx_pass_slot(flight);
    }
    if (run->thread->ended && !run->halted) {
        a3xx_close_open(flight, &run->state->program, true, false);
        write_back(run, flight, A3XX_DUE_SY);
        write_back(run, flight, A3XX_DUE_SS);
        a3xx_forget_all_recent(flight); /* what runs next finds all there */
    }
}

/* --- operands: relative ones, modifiers, widths, hooks ------------------------------------------------------------ */

static uint32_t out_of_range(struct a3xx_run *run, int number)
{
    if (!run->state->choice.range_zero)
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_OUTSIDE, number);
    return 0;
}

static int limit_of(const struct a3xx_operand *operand)
{
    if (operand->place == A3XX_IN_CONST)
        return A3XX_CONST_COUNT;
    if (operand->slow & A3XX_SLOW_RELATIVE || operand->number < A3XX_A0)
        return A3XX_A0;
    return operand->number >= A3XX_P0 ? A3XX_R63 : A3XX_A0 + 1;
}

static uint32_t modify_value(const struct a3xx_operand *operand, uint32_t value)
{
    if (!(operand->slow & A3XX_SLOW_INTEGER))
        return (value & operand->keep) ^ operand->flip;
    return a3xx_modify_integer(operand->half, operand->neg, operand->abs, value);
}

uint32_t a3xx_fetch_slow(struct a3xx_run *run, const struct a3xx_operand *operand, unsigned step)
{
    int number = operand->number + (operand->steps ? (int)step : 0);
    if (operand->slow & A3XX_SLOW_RELATIVE)
        number += a3xx_address(run);
    if (operand->place != A3XX_IN_POOL && operand->slow & (A3XX_SLOW_RELATIVE | A3XX_SLOW_RANGE) &&
        (number < 0 || number >= limit_of(operand)))
        return modify_value(operand, out_of_range(run, number));
    uint32_t value = operand->slow & A3XX_SLOW_TIMED  ? read_strictly(run, operand, number)
                     : operand->place == A3XX_IN_FULL ? *a3xx_thread_register(run, false, number)
                     : operand->place == A3XX_IN_HALF ? *a3xx_thread_register(run, true, number)
                                                      : run->place[operand->place][number];
    if (operand->slow & A3XX_SLOW_FLOAT) {
        value =
            a3xx_narrow((double)a3xx_float_of(value), run->state->choice.half_even ? A3XX_ROUND_EVEN : A3XX_ROUND_ZERO);
    } else if (operand->slow & A3XX_SLOW_LOW) {
        value &= 0xffff;
    }
    return modify_value(operand, value);
}

uint32_t a3xx_fetch_component(struct a3xx_run *run, const struct a3xx_operand *operand, unsigned component)
{
    struct a3xx_operand one;
    bool is_register = operand->place == A3XX_IN_FULL || operand->place == A3XX_IN_HALF;
    if (is_register && !operand->slow && operand->number + (int)component < A3XX_A0) /* nearly all */
        return (*a3xx_thread_register(run, operand->place == A3XX_IN_HALF, operand->number + (int)component) &
                operand->keep) ^
               operand->flip;
    one = *operand;
    if (one.place == A3XX_IN_POOL)
        return run->place[A3XX_IN_POOL][one.number];
    one.steps = 1;
    one.slow |= A3XX_SLOW_RANGE;
    return a3xx_fetch_slow(run, &one, component);
}

void a3xx_put(struct a3xx_run *run, const struct a3xx_operand *result, unsigned component, uint32_t value)
{
    int number = result->number + (int)component;
    if (__builtin_expect(result->slow, 0)) {
        if (result->slow & A3XX_SLOW_RELATIVE)
            number += a3xx_address(run);
        if (result->slow & (A3XX_SLOW_RELATIVE | A3XX_SLOW_RANGE) && (number < 0 || number >= limit_of(result))) {
            out_of_range(run, number);
            return;
        }
        if (result->slow & A3XX_SLOW_TIMED) {
            value = number == A3XX_A0 ? (uint32_t)(int16_t)value : value;
            put_strictly(run, result->place == A3XX_IN_HALF, number, value);
            return;
        }
    }
    bool half = result->place == A3XX_IN_HALF;
    uint32_t *to = a3xx_thread_register(run, half, number);
    if (number == A3XX_A0 && !half)
        value = (uint32_t)(int16_t)value;
    if (__builtin_expect(run->core->hook_kinds & GPUCODE_EVENT_WRITE, 0) && number < A3XX_R63)
        a3xx_raise_event(run, GPUCODE_EVENT_WRITE, half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, (unsigned)number,
                         value, *to);
    *to = value;
}
