/* SPDX-License-Identifier: MIT */
/* The steps of a repeat, each as the instruction that it amounts to. */
#include "isa/a3xx/text/access.h"

static uint64_t add_to(uint64_t bits, unsigned shift, unsigned width, unsigned step)
{
    uint64_t mask = ((UINT64_C(1) << width) - 1) << shift;
    return (bits & ~mask) | ((bits + ((uint64_t)step << shift)) & mask);
}

/* Steps a source of category 1 to 4 that lies at `shift`. */
static uint64_t step_source(uint64_t bits, unsigned shift, unsigned source, unsigned step)
{
    unsigned width = a3xx_stepping_width(a3xx_form(source));
    return width ? add_to(bits, shift, width, step) : bits;
}

static uint64_t step_move(uint64_t bits, unsigned step)
{
    if (!A3XX_FIELD(bits, FROM_IMMEDIATE))
        return step_source(bits, A3XX_MOVE_SOURCE_SHIFT, a3xx_move_source(bits), step);
    bool half = a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, FROM_TYPE));
    return add_to(bits, A3XX_MOVE_SOURCE_SHIFT, half ? 16 : 32, step);
}

static uint64_t step_mad(uint64_t bits, unsigned step)
{
    if (A3XX_FIELD(bits, FIRST_STEPS))
        bits = step_source(bits, A3XX_MAD_FIRST_SHIFT, A3XX_FIELD(bits, MAD_FIRST), step);
    if (A3XX_FIELD(bits, MAD_SECOND_STEPS))
        bits = add_to(bits, A3XX_MAD_SECOND_SHIFT, A3XX_MAD_SECOND_WIDTH, step);
    if (A3XX_FIELD(bits, MAD_THIRD_STEPS))
        bits = step_source(bits, A3XX_MAD_THIRD_SHIFT, A3XX_FIELD(bits, MAD_THIRD), step);
    return bits;
}

uint64_t a3xx_step(const struct gpucode_insn *insn, unsigned step)
{
    uint64_t bits = insn->bits & ~(A3XX_SY | A3XX_JP);
    unsigned category = a3xx_category(bits);
    if (category > 4)
        return bits;
    if (category == 0)
        return bits & ~(A3XX_SS | A3XX_MASK(FLOW_REPEAT));
    bits &= ~(A3XX_SS | A3XX_UL | A3XX_MASK(REPEAT));
    if (category == 1) {
        bits = add_to(bits, A3XX_MOVE_RESULT_SHIFT, A3XX_MOVE_RESULT_WIDTH, step);
        return A3XX_FIELD(bits, FIRST_STEPS) ? step_move(bits, step) : bits;
    }
    bits = add_to(bits, A3XX_RESULT_SHIFT, A3XX_RESULT_WIDTH, step);
    if (category == 3)
        return step_mad(bits, step);
    if (A3XX_FIELD(bits, FIRST_STEPS))
        bits = step_source(bits, A3XX_FIRST_SHIFT, A3XX_FIELD(bits, FIRST), step);
    if (category == 2 && A3XX_FIELD(bits, SECOND_STEPS))
        bits = step_source(bits, A3XX_SECOND_SHIFT, A3XX_FIELD(bits, SECOND), step);
    return bits;
}
