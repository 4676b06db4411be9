/* SPDX-License-Identifier: MIT */
/*
 * Category 4. The hardware's accuracy is not known: these are calculated in double precision and rounded to nearest, so
 * that they are at most a hair above half a unit in the last place away from the exact value.
 */
#include "isa/a3xx/machine/number.h"

#include <math.h>

static double function_of(enum a3xx_function function, double x)
{
    switch (function) {
    case A3XX_RCP_OF:
        return 1 / x;
    case A3XX_RSQ_OF:
        return 1 / sqrt(x);
    case A3XX_LOG2_OF:
        return log2(x);
    case A3XX_EXP2_OF:
        return exp2(x);
    case A3XX_SIN_OF:
        return sin(x);
    case A3XX_COS_OF:
        return cos(x);
    default:
        return sqrt(x);
    }
}

uint32_t a3xx_special(enum a3xx_function function, uint32_t bits, bool half, bool flush)
{
    if (flush)
        bits = a3xx_flush(bits, half);
    double value = function_of(function, a3xx_value(bits, half));
    if (isnan(value))
        return half ? A3XX_HALF_NAN : A3XX_NAN;
    uint32_t result = half ? a3xx_narrow(value, A3XX_ROUND_EVEN) : a3xx_single(value, A3XX_ROUND_EVEN);
    return flush ? a3xx_flush(result, half) : result;
}
