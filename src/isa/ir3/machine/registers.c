/* SPDX-License-Identifier: MIT */
/* Registers and operands: where values of a wave's fibers come from, and where they go. */
#include "ir3_messages.h"
#include "isa/ir3/machine/machine.h"
#include "isa/ir3/machine/meaning.h"

/* --- one register of one fiber ------------------------------------------------------------------------------------ */

static bool is_shared(uint32_t number)
{
    return number >= IR3_SHARED && number < IR3_SHARED_END;
}

/* The word that has the register, and how far its value is shifted in it; null: there is none. */
static uint32_t *place_of(const struct ir3_state *state, unsigned fiber, bool half, uint32_t number, unsigned *shift)
{
    struct ir3_wave *wave = ir3_wave_of(state, fiber);
    *shift = 0;
    if (number >= IR3_A0 || (half && number >= IR3_SHARED_END))
        return number < IR3_R63 && number >= IR3_A0 ? ir3_row_of(state, false, number) + fiber : NULL;
    if (!half)
        return is_shared(number) ? &wave->shared[number - IR3_SHARED] : ir3_row_of(state, false, number) + fiber;
    if (state->choice.merged) {
        *shift = number % 2 * 16;
        return is_shared(number) ? &wave->shared[(number - IR3_SHARED) / 2]
                                 : ir3_row_of(state, false, number / 2) + fiber;
    }
    return is_shared(number) ? &wave->shared[IR3_SHARED_COUNT + number - IR3_SHARED]
                             : ir3_row_of(state, true, number) + fiber;
}

uint32_t ir3_read_register(const struct ir3_state *state, unsigned fiber, bool half, uint32_t number)
{
    unsigned shift;
    const uint32_t *place = place_of(state, fiber, half, number, &shift);
    return !place ? 0 : half ? *place >> shift & 0xffff : *place;
}

void ir3_write_register(struct ir3_state *state, unsigned fiber, bool half, uint32_t number, uint32_t value)
{
    unsigned shift;
    uint32_t *place = place_of(state, fiber, half, number, &shift);
    if (!place)
        return;
    if (half && (state->choice.merged || number >= IR3_A0))
        *place = (*place & ~(UINT32_C(0xffff) << shift)) | (value & 0xffff) << shift;
    else
        *place = half ? value & 0xffff : value;
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

static uint32_t const_value(const struct ir3_run *run, const struct ir3_operand *operand, uint32_t number)
{
    const struct ir3_choices *choice = &run->state->choice;
    if (!operand->access.half)
        return run->state->all.consts[number];
    if (choice->packed_consts)
        return run->state->all.consts[number / 2] >> number % 2 * 16 & 0xffff;
    uint32_t value = run->state->all.consts[number];
    return operand->meaning == SHADER_MEANS_FLOAT ? a3xx_narrow_float(value, choice->half_even) : value & 0xffff;
}

/* Is the number one of the file? A relative one may not be. */
static bool reaches(struct ir3_run *run, const struct ir3_operand *operand, int64_t number)
{
    int64_t room = operand->access.file == A3XX_FILE_CONST ? A3XX_CONST_COUNT : IR3_A0;
    if (number >= 0 && number < room)
        return true;
    if (!run->state->choice.range_zero)
        IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_OUTSIDE, (int)number);
    return false;
}

static void fetch_relative(struct ir3_run *run, const struct ir3_operand *operand, int64_t number, uint32_t *values)
{
    const uint32_t *address = ir3_row_of(run->state, false, IR3_A0);
    for (unsigned i = 0; i < run->lanes; i++) {
        int64_t at = number + (int16_t)address[run->lane[i]];
        values[i] = 0;
        if (run->halted)
            continue; /* run->index stays the first fiber that could not read */
        run->index = run->lane[i];
        if (reaches(run, operand, at))
            values[i] = operand->access.file == A3XX_FILE_CONST
                            ? const_value(run, operand, (uint32_t)at)
                            : ir3_read_register(run->state, run->lane[i], operand->access.half, (uint32_t)at);
    }
}

static void fill(uint32_t *values, unsigned count, uint32_t value)
{
    for (unsigned i = 0; i < count; i++)
        values[i] = value;
}

static void fetch_general(struct ir3_run *run, bool half, uint32_t number, uint32_t *values)
{
    const struct ir3_state *state = run->state;
    unsigned shift, pace = is_shared(number) ? 0 : 1;
    const uint32_t *row = place_of(state, run->first, half, number, &shift);
    if (!row) {
        fill(values, run->lanes, 0);
        return;
    }
    if (run->dense && pace) {
        row += run->lane[0] - run->first;
        const uint32_t mask = half ? 0xffff : UINT32_MAX;
        for (unsigned i = 0; i < run->lanes; i++)
            values[i] = row[i] >> shift & mask;
    } else if (!half && pace)
        for (unsigned i = 0; i < run->lanes; i++)
            values[i] = row[run->lane[i] - run->first];
    else
        for (unsigned i = 0; i < run->lanes; i++) {
            uint32_t value = row[(run->lane[i] - run->first) * pace];
            values[i] = half ? value >> shift & 0xffff : value;
        }
}

static void copy(uint32_t *to, const uint32_t *from, unsigned count)
{
    if (count == 1) /* by far the most frequent where fibers run by themselves */
        *to = *from;
    else
        memcpy(to, from, count * sizeof *to);
}

/* True: the operand is one that can be read so. */
static bool fetch_direct(struct ir3_run *run, const struct ir3_operand *operand, uint32_t number, uint32_t immediate,
                         uint32_t *values)
{
    switch (operand->direct) {
    case IR3_DIRECT_FULL:
        if (run->dense)
            copy(values, ir3_lanes_row(run, number), run->lanes);
        return run->dense;
    case IR3_DIRECT_CONST:
        fill(values, run->lanes, run->state->all.consts[number]);
        return true;
    case IR3_DIRECT_IMMEDIATE:
        fill(values, run->lanes, immediate);
        return true;
    default:
        return false;
    }
}

void ir3_fetch(struct ir3_run *run, const struct ir3_operand *operand, unsigned step, unsigned component,
               uint32_t *values)
{
    const struct a3xx_access *access = &operand->access;
    int64_t number = (int64_t)access->number + component + (access->steps ? step : 0);
    if (component < access->count + 1u &&
        fetch_direct(run, operand, (uint32_t)number, operand->value[step % IR3_STEPS], values))
        ;
    else if (operand->none)
        fill(values, run->lanes, 0);
    else if (access->file == A3XX_FILE_IMMEDIATE)
        fill(values, run->lanes, operand->value[step % IR3_STEPS]);
    else if (access->relative)
        fetch_relative(run, operand, number, values);
    else if (access->file == A3XX_FILE_CONST)
        fill(values, run->lanes, reaches(run, operand, number) ? const_value(run, operand, (uint32_t)number) : 0);
    else
        fetch_general(run, access->half,
                      (uint32_t)number + (access->file == A3XX_FILE_ADDRESS     ? IR3_A0
                                          : access->file == A3XX_FILE_PREDICATE ? IR3_P0
                                                                                : 0),
                      values);
    if (operand->integer)
        for (unsigned i = 0; i < run->lanes; i++)
            values[i] = a3xx_modify_integer(access->half, access->neg, access->abs, values[i]);
    else if (operand->flip || operand->keep != UINT32_MAX)
        for (unsigned i = 0; i < run->lanes; i++)
            values[i] = (values[i] & operand->keep) ^ operand->flip;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

void ir3_raise(struct ir3_run *run, enum gpucode_event_kind kind, unsigned fiber, unsigned space, uint64_t address,
               uint64_t value, uint64_t old)
{
    struct gpucode_event event = {.kind = kind,
                                  .processor = fiber,
                                  .pc = run->at,
                                  .time = run->core->time,
                                  .space = space,
                                  .address = address,
                                  .value = value,
                                  .old = old};
    run->hook_stops |= isa_event(run->core, &event);
}

static void put_one(struct ir3_run *run, unsigned fiber, bool half, uint32_t number, uint32_t value)
{
    if (run->core->hook_kinds & GPUCODE_EVENT_WRITE)
        ir3_raise(run, GPUCODE_EVENT_WRITE, fiber, half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, number, value,
                  ir3_read_register(run->state, fiber, half, number));
    ir3_write_register(run->state, fiber, half, number, value);
}

static void put_relative(struct ir3_run *run, const struct ir3_operand *result, int64_t number, const uint32_t *values)
{
    const uint32_t *address = ir3_row_of(run->state, false, IR3_A0);
    for (unsigned i = 0; i < run->lanes && !run->halted; i++) {
        int64_t at = number + (int16_t)address[run->lane[i]];
        run->index = run->lane[i];
        if (reaches(run, result, at))
            put_one(run, run->lane[i], result->access.half, (uint32_t)at, values[i]);
    }
}

/* a0.x is signed, predicates have one bit. */
static uint32_t special_value(const struct a3xx_access *access, uint32_t value)
{
    return access->file == A3XX_FILE_PREDICATE ? value & 1 : access->number ? value & 0xffff : (uint32_t)(int16_t)value;
}

/* A general register of all lanes, which nobody watches. */
static void put_row(struct ir3_run *run, bool half, uint32_t number, const uint32_t *values)
{
    unsigned shift;
    uint32_t *row = place_of(run->state, run->first, half, number, &shift);
    const uint32_t mask = half ? UINT32_C(0xffff) << shift : UINT32_MAX;
    const uint32_t keep = half && run->state->choice.merged ? ~mask : 0;
    if (!row)
        return;
    if (run->dense) {
        row += run->lane[0] - run->first;
        for (unsigned i = 0; i < run->lanes; i++)
            row[i] = (row[i] & keep) | (values[i] << shift & mask);
        return;
    }
    for (unsigned i = 0; i < run->lanes; i++) {
        uint32_t *place = row + run->lane[i] - run->first;
        *place = (*place & keep) | (values[i] << shift & mask);
    }
}

void ir3_put(struct ir3_run *run, const struct ir3_operand *result, unsigned step, unsigned component,
             const uint32_t *values)
{
    const struct a3xx_access *access = &result->access;
    bool special = access->file == A3XX_FILE_ADDRESS || access->file == A3XX_FILE_PREDICATE;
    int64_t number = (int64_t)access->number + component + step;
    if (result->none)
        return;
    bool watched = run->core->hook_kinds & GPUCODE_EVENT_WRITE;
    if (result->direct == IR3_DIRECT_FULL && run->dense && component < access->count && !watched) {
        copy(ir3_lanes_row(run, (uint32_t)number), values, run->lanes);
        return;
    }
    if (result->direct == IR3_DIRECT_PREDICATE && !watched) {
        uint32_t *row = ir3_row_of(run->state, false, IR3_P0 + (uint32_t)number);
        if (run->dense)
            for (unsigned i = 0; i < run->lanes; i++)
                row[run->lane[0] + i] = values[i] & 1;
        else
            for (unsigned i = 0; i < run->lanes; i++)
                row[run->lane[i]] = values[i] & 1;
        return;
    }
    if (access->relative) {
        put_relative(run, result, number, values);
        return;
    }
    if (special)
        number += access->file == A3XX_FILE_ADDRESS ? IR3_A0 : IR3_P0;
    else if (!reaches(run, result, number))
        return;
    bool once = is_shared((uint32_t)number), half = access->half && !special;
    if (!special && !once && !watched) {
        put_row(run, half, (uint32_t)number, values);
        return;
    }
    for (unsigned i = 0; i < (once && run->lanes ? 1 : run->lanes); i++)
        put_one(run, run->lane[i], half, (uint32_t)number, special ? special_value(access, values[i]) : values[i]);
}

/* --- an instruction's fields -------------------------------------------------------------------------------------- */

const struct ir3_operand *ir3_operand_of(const struct ir3_op *op, char letter)
{
    for (unsigned i = 0; i < 4; i++)
        if (!op->source[i].none && op->source[i].access.letter == letter)
            return &op->source[i];
    return NULL;
}

unsigned ir3_field(const struct ir3_op *op, char letter)
{
    const struct isa_row *row = &ir3_rows.rows[op->row];
    for (unsigned i = 0; i < row->field_count; i++)
        if (row->fields[i].letter == letter)
            return (unsigned)isa_field_get(&row->fields[i], op->insn.bits);
    return 0;
}

void ir3_trap(struct ir3_run *run, const struct ir3_op *op)
{
    if (op->row == IR3_RAW)
        IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_NO_ROW, (unsigned long long)op->insn.bits);
    else
        IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_TRAP, ir3_rows.rows[op->row].facts.mnemonic);
}
