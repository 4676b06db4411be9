/* SPDX-License-Identifier: MIT */
/* Operands that need more than a look into an array: relative ones, modifiers, widths, strict timing, hooks. */
#include "a3xx_messages.h"
#include "isa/a3xx/machine/strict.h"

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
    uint32_t value = operand->slow & A3XX_SLOW_TIMED  ? a3xx_strict_read(run, operand, number)
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
            a3xx_strict_put(run, result->place == A3XX_IN_HALF, number, value);
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
