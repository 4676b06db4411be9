/* SPDX-License-Identifier: MIT */
/* Strict timing of threads side by side; strict.c has the same for one thread. */
#include "isa/ir3/a3xx/machine/group.h"

#include "isa/ir3/timing/scoreboard.h"

static struct a3xx_flight *flight_of(const struct a3xx_run *run, const struct a3xx_issue *issue)
{
    return &run->flights[issue->members[0]];
}

static uint32_t *timed_row(const struct a3xx_run *run, uint32_t row)
{
    return run->timed + (size_t)row * run->stride;
}

static const uint32_t *mask_of(const struct a3xx_issue *issue)
{
    return issue->masked ? issue->mask : NULL;
}

/* --- ways -------------------------------------------------------------------------------------------------------- */

static bool same_recent(const struct a3xx_flight *one, const struct a3xx_flight *other)
{
    for (unsigned age = 0; age <= A3XX_DELAY_MAX; age++)
        if (a3xx_recent(one, age) != a3xx_recent(other, age))
            return false;
    return true;
}

static bool same_flight(const struct a3xx_flight *one, const struct a3xx_flight *other)
{
    return memcmp(one->due, other->due, sizeof one->due) == 0 &&
           memcmp(&one->special, &other->special, sizeof one->special) == 0 &&
           memcmp(&one->used, &other->used, sizeof one->used) == 0 && one->open_count == other->open_count &&
           memcmp(one->open, other->open, one->open_count * sizeof *one->open) == 0 && same_recent(one, other);
}

/* Gives a thread the slots of another one that has the same on its way, with the values of its own. */
static void take_slots(const struct a3xx_run *run, struct a3xx_flight *flight, unsigned thread,
                       const struct a3xx_flight *from)
{
    uint32_t value[A3XX_RECENT];
    if ((flight->slot - from->slot) % A3XX_RECENT) {
        for (unsigned age = 0; age < A3XX_RECENT; age++)
            value[age] = timed_row(run, a3xx_row_replaced(flight->slot - age))[thread];
        for (unsigned age = 0; age < A3XX_RECENT; age++)
            timed_row(run, a3xx_row_replaced(from->slot - age))[thread] = value[age];
    }
    flight->slot = from->slot;
    memcpy(flight->recent, from->recent, sizeof flight->recent);
}

bool a3xx_timed_meet(struct a3xx_run *run, const struct a3xx_issue *issue)
{
    const struct a3xx_flight *first = flight_of(run, issue);
    for (unsigned i = 1; i < issue->count; i++) {
        struct a3xx_flight *flight = &run->flights[issue->members[i]];
        if (!same_flight(first, flight))
            return false;
        take_slots(run, flight, issue->members[i], first);
    }
    return true;
}

void a3xx_timed_part(struct a3xx_run *run, const struct a3xx_issue *issue)
{
    const struct a3xx_flight *first = flight_of(run, issue);
    size_t size = offsetof(struct a3xx_flight, open) + first->open_count * sizeof *first->open;
    for (unsigned i = 1; i < issue->count; i++)
        memcpy(&run->flights[issue->members[i]], first, size);
}

/* --- instructions ------------------------------------------------------------------------------------------------ */

/* Are there instructions whose sources may still be read when (sy) has waited? */
static bool has_others_open(const struct a3xx_run *run, const struct a3xx_flight *flight)
{
    for (uint32_t i = 0; i < flight->open_count; i++)
        if (run->state->program.ops[flight->open[i].at].unit != A3XX_LONG_LATENCY)
            return true;
    return false;
}

bool a3xx_timed_can(const struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op)
{
    const struct a3xx_flight *flight = flight_of(run, issue);
    if (!flight->open_count || op->syncs & A3XX_SYNC_SS)
        return true;
    if (op->syncs & A3XX_SYNC_SY && a3xx_set_meets(&flight->due[A3XX_DUE_SY], &flight->used) &&
        has_others_open(run, flight))
        return false;
    if (op->unit != A3XX_ARITHMETIC || !(op->result.slow & A3XX_SLOW_TIMED))
        return true;
    for (unsigned step = 0; step <= op->repeat; step++) {
        int reg = a3xx_timed_register(op->result.place == A3XX_IN_HALF, op->result.number + (int)step);
        if (reg < 0 || a3xx_set_has(&flight->used, reg))
            return false;
    }
    return true;
}

static void write_back(struct a3xx_run *run, const struct a3xx_issue *issue, unsigned due, uint32_t width)
{
    struct a3xx_flight *flight = flight_of(run, issue);
    struct a3xx_set set = a3xx_take_due(flight, due);
    for (unsigned i = 0; i < sizeof set.bits / sizeof *set.bits; i++)
        for (; set.bits[i]; set.bits[i] &= set.bits[i] - 1) {
            int reg = (int)(64 * i) + __builtin_ctzll(set.bits[i]);
            uint32_t *to = run->rows[a3xx_timed_half(reg)] + (size_t)a3xx_timed_number(reg) * run->stride;
            run->state->lanes->copy(to, timed_row(run, a3xx_row_due(due, reg)), mask_of(issue), width);
            a3xx_forget_recent(flight, reg);
        }
}

void a3xx_timed_sync(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width)
{
    for (unsigned due = 0; due < A3XX_DUES; due++)
        if (op->syncs & (due == A3XX_DUE_SS ? A3XX_SYNC_SS : A3XX_SYNC_SY)) {
            a3xx_close_open(flight_of(run, issue), &run->state->program, due == A3XX_DUE_SS, due == A3XX_DUE_SY);
            write_back(run, issue, due, width);
        }
}

const uint32_t *a3xx_timed_source(const struct a3xx_run *run, const struct a3xx_issue *issue,
                                  const struct a3xx_operand *operand, unsigned number_behind)
{
    const struct a3xx_flight *flight = flight_of(run, issue);
    bool half = operand->place == A3XX_IN_HALF;
    int number = operand->number + (int)number_behind, reg = a3xx_timed_register(half, number);
    if (reg >= 0 && operand->slow & A3XX_SLOW_CHAINED && a3xx_set_has(&flight->special, reg))
        return timed_row(run, a3xx_row_due(A3XX_DUE_SS, reg));
    int hidden = reg < 0 ? -1 : a3xx_hidden_slot(flight, reg, operand->delay);
    if (hidden >= 0)
        return timed_row(run, a3xx_row_replaced((uint32_t)hidden));
    return run->rows[half] + (size_t)number * run->stride;
}

/* The result of a step is issued: where its values go. */
static void place_result(struct a3xx_run *run, struct a3xx_flight *flight, const struct a3xx_op *op, unsigned step,
                         struct a3xx_lane_rows *rows)
{
    int reg = a3xx_timed_register(op->result.place == A3XX_IN_HALF, op->result.number + (int)step);
    rows->result = a3xx_lane_row(run, &op->result, step);
    if (!(op->result.slow & A3XX_SLOW_TIMED) || reg < 0)
        return;
    if (op->unit != A3XX_ARITHMETIC) {
        bool kept = a3xx_queue(flight, &run->state->choice, op->unit, reg, false);
        rows->result = kept ? timed_row(run, a3xx_row_due(a3xx_due_of(op->unit), reg)) : NULL;
        return;
    }
    rows->replaced = a3xx_note_result(flight, reg) ? timed_row(run, a3xx_row_replaced(flight->slot)) : NULL;
}

struct a3xx_lane_rows a3xx_timed_rows(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                                      unsigned step)
{
    struct a3xx_flight *flight = flight_of(run, issue);
    struct a3xx_lane_rows rows = {.result = NULL};
    for (unsigned i = 0; i < op->sources; i++)
        if (op->source[i].place == A3XX_IN_FULL || op->source[i].place == A3XX_IN_HALF)
            rows.source[i] = a3xx_timed_source(run, issue, &op->source[i], op->source[i].steps ? step : 0);
    if (op->lanes == A3XX_LANES_VARYING)
        rows.source[2] = a3xx_timed_source(run, issue, &op->source[1], (op->source[1].steps ? step : 0) + 1);
    place_result(run, flight, op, step, &rows);
    if (op->unit != A3XX_ARITHMETIC) {
        const struct a3xx_open open = {.at = issue->at, .step = (uint16_t)step};
        a3xx_keep_open(flight, &open, op);
    }
    return rows;
}

void a3xx_timed_pass(struct a3xx_run *run, const struct a3xx_issue *issue, uint32_t slots)
{
    for (uint32_t i = 0; i < slots; i++)
        a3xx_pass_slot(flight_of(run, issue));
}

/* --- vectors ----------------------------------------------------------------------------------------------------- */

/* Which results the instruction waits for: those of (sy) are written back after those of (ss). */
static int waited_due(const struct a3xx_flight *flight, const struct a3xx_op *op, int reg)
{
    if (op->syncs & A3XX_SYNC_SY && a3xx_set_has(&flight->due[A3XX_DUE_SY], reg))
        return A3XX_DUE_SY;
    return op->syncs & A3XX_SYNC_SS && a3xx_set_has(&flight->due[A3XX_DUE_SS], reg) ? A3XX_DUE_SS : -1;
}

const uint32_t *a3xx_vector_source(const struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                                   unsigned source, unsigned component)
{
    const struct a3xx_operand *operand = &op->source[source];
    if (!run->strict)
        return a3xx_lane_row(run, operand, 0) + (size_t)component * run->stride;
    int reg = a3xx_timed_register(operand->place == A3XX_IN_HALF, operand->number + (int)component);
    int due = waited_due(flight_of(run, issue), op, reg);
    return due < 0 ? a3xx_timed_source(run, issue, operand, component)
                   : timed_row(run, a3xx_row_due((unsigned)due, reg));
}

void a3xx_vector_begin(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width)
{
    if (run->strict && op->syncs)
        a3xx_timed_sync(run, issue, op, width);
}

uint32_t *a3xx_vector_result(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                             unsigned component)
{
    if (!run->strict)
        return a3xx_lane_row(run, &op->result, 0) + (size_t)component * run->stride;
    int reg = a3xx_timed_register(op->result.place == A3XX_IN_HALF, op->result.number + (int)component);
    bool kept = a3xx_queue(flight_of(run, issue), &run->state->choice, op->unit, reg, false);
    return kept ? timed_row(run, a3xx_row_due(a3xx_due_of(op->unit), reg)) : NULL;
}

void a3xx_vector_end(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op)
{
    const struct a3xx_open open = {.at = issue->at};
    if (!run->strict)
        return;
    if (!(op->group_role & A3XX_GROUP_QUAD)) /* else its sources are the quad's, taken at once */
        a3xx_keep_open(flight_of(run, issue), &open, op);
    a3xx_timed_pass(run, issue, 1);
}
