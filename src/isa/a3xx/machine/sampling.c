/* SPDX-License-Identifier: MIT */
/* bary.f, dsx and dsy: varyings and derivatives. */
#include "a3xx_messages.h"
#include "isa/a3xx/machine/arithmetic.h"

/* --- varyings ---------------------------------------------------------------------------------------------------- */

uint32_t a3xx_interpolate(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, uint32_t location)
{
    const struct a3xx_state *state = run->state;
    if (location >= GPUCODE_A3XX_VARYINGS) {
        A3XX_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_A3XX_VARYING, (unsigned)location);
        return 0;
    }
    uint32_t at[3] = {state->varying[0][location], state->varying[1][location], state->varying[2][location]};
    uint32_t value = at[0];
    if (!state->flat[location]) {
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

/* --- derivatives ------------------------------------------------------------------------------------------------- */

void a3xx_derive(struct a3xx_run *run, const struct a3xx_op *op, bool in_y)
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
