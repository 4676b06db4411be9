/* SPDX-License-Identifier: MIT */
/* Which instructions threads run side by side, and by which set of loops. */
#include "isa/ir3/a3xx/machine/lanes.h"
#include "isa/ir3/a3xx/machine/lookup.h"
#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/machine/arithmetic.h"
#include "isa/ir3/machine/state.h"

/* --- which need more of a thread than its sources ---------------------------------------------------------------- */

/* Actions are asked with nothing in their hands: what they want of a thread alone says so. */
#define A a
#define B b
#define C c
#define D result
#define P ((A != 0) != op->invert)
#define CONDITION op->condition
#define SOURCE_TYPE op->from
#define RESULT_TYPE op->to
#define ROUNDING op->rounding
#define CONVERT(from, to, rounding, value) (value)
#define SATURATES false /* a3xx_find_lane_kind() sees to that */
#define FLUSH flush
#define CHOICE(name) choice.name
#define DIFFERENCE(x, y) a3xx_difference(CHOICE(sad_sum), x, y)
#define VERDICT(condition) (__builtin_constant_p(condition) ? a3xx_verdict(condition) : verdict)
#define OFFSET offset

/* What an action does to the thread alone. */
#define CALL(pc) ALONE
#define RETURN ALONE
#define KILLED killed
#define FINISH ended = true, next = at
#define TRAP ALONE
#define INTERPOLATE(location, registers) (ALONE, 0u)
#define LOOK_UP(how, channel) (ALONE, look = A3XX_LOOK((unsigned)A3XX_##how, channel))
#define DERIVE(in_y) ALONE
#define LOAD(space) ALONE
#define STORE(space, direct) ALONE
#define ATOMIC(space, action) ALONE

#define NO_LOOK UINT8_MAX

struct needs {
    bool thread;  /* more of it than its sources */
    uint8_t look; /* A3XX_LOOK() of one that looks into a texture, or NO_LOOK */
};

#define HALF half
#define PC at
#define GO(pc) next = (pc)
#define ALONE (alone = true)
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    static struct needs needs_of_##id(void)                                                                            \
    {                                                                                                                  \
        static const struct a3xx_op nothing;                                                                           \
        static const struct a3xx_choices choice;                                                                       \
        const struct a3xx_op *op = &nothing;                                                                           \
        const struct a3xx_verdict verdict = {0, 0, 0};                                                                 \
        const bool flush = false, half = false;                                                                        \
        const uint32_t at = 0, offset = 0, a = 1, b = 1, c = 1;                                                        \
        uint32_t result = 0, next = 0;                                                                                 \
        bool alone = false, killed = false, ended = false;                                                             \
        unsigned look = NO_LOOK;                                                                                       \
        __VA_ARGS__(void)                                                                                              \
        result, (void)next, (void)killed, (void)ended, (void)at, (void)offset, (void)flush, (void)half, (void)op;      \
        (void)verdict, (void)choice, (void)a, (void)b, (void)c;                                                        \
        return (struct needs){alone, (uint8_t)look};                                                                   \
    }
#include "isa/ir3/text/insn.def"
#undef INSN

static struct needs (*const needs_of[])(void) = {
#define INSN(id, ...) [A3XX_##id] = needs_of_##id,
#include "isa/ir3/text/insn.def"
#undef INSN
};

/* --- which instructions ------------------------------------------------------------------------------------------ */

/* Varyings whose numbers are known and exist, between registers that do. */
static bool is_plain_varying(const struct a3xx_program *program, const struct a3xx_op *op)
{
    const struct a3xx_operand *location = &op->source[0], *pair = &op->source[1];
    if (op->sources < 2 || location->place != A3XX_IN_POOL || location->slow || pair->slow ||
        (pair->place != A3XX_IN_FULL && pair->place != A3XX_IN_HALF) ||
        pair->number + (pair->steps ? op->repeat : 0) + 1 >= A3XX_A0)
        return false;
    for (int step = 0; step <= op->repeat; step++)
        if (((program->pool[location->at + location->pace * step] & location->keep) ^ location->flip) >=
            GPUCODE_A3XX_VARYINGS)
            return false;
    return true;
}

/* By rows: what a load or store does, and 1 more than that so that others have 0. */
#define TRANSFER(space, how) (1 + (A3XX_##space | (how)))
static const uint8_t transfers[] = {
    [A3XX_LDG] = TRANSFER(GLOBAL, 0),
    [A3XX_LDL] = TRANSFER(LOCAL, 0),
    [A3XX_LDLW] = TRANSFER(LOCAL, 0),
    [A3XX_LDP] = TRANSFER(PRIVATE, 0),
    [A3XX_STG] = TRANSFER(GLOBAL, A3XX_TRANSFER_STORE),
    [A3XX_STL] = TRANSFER(LOCAL, A3XX_TRANSFER_STORE),
    [A3XX_STLW] = TRANSFER(LOCAL, A3XX_TRANSFER_STORE),
    [A3XX_STP] = TRANSFER(PRIVATE, A3XX_TRANSFER_STORE),
    [A3XX_STG_DIRECT] = TRANSFER(GLOBAL, A3XX_TRANSFER_STORE | A3XX_TRANSFER_DIRECT),
    [A3XX_STL_DIRECT] = TRANSFER(LOCAL, A3XX_TRANSFER_STORE | A3XX_TRANSFER_DIRECT),
    [A3XX_STLW_DIRECT] = TRANSFER(LOCAL, A3XX_TRANSFER_STORE | A3XX_TRANSFER_DIRECT),
    [A3XX_STP_DIRECT] = TRANSFER(PRIVATE, A3XX_TRANSFER_STORE | A3XX_TRANSFER_DIRECT),
};

/* Registers that are there, as they are. */
static bool is_plain_vector(const struct a3xx_operand *operand, unsigned count)
{
    return (operand->place == A3XX_IN_FULL || operand->place == A3XX_IN_HALF) && !operand->slow &&
           operand->keep == UINT32_MAX && !operand->flip && operand->number + (int)count <= A3XX_A0;
}

static enum a3xx_lane_kind transfer_kind(struct a3xx_op *op)
{
    unsigned transfer = op->row < sizeof transfers ? transfers[op->row] : 0, count = A3XX_FIELD(op->bits, COMPONENTS);
    if (!transfer || count > A3XX_TRANSFER_COUNT || !is_plain_vector(&op->source[0], 1))
        return A3XX_LANES_NOT;
    op->transfer = (uint8_t)(transfer - 1);
    bool plain = is_plain_vector(op->transfer & A3XX_TRANSFER_STORE ? &op->source[1] : &op->result, count);
    return plain ? A3XX_LANES_TRANSFER : A3XX_LANES_NOT;
}

/* Looks whose sampler and texture are known, and that ask for more than the texture's shape. */
static enum a3xx_lane_kind look_kind(struct a3xx_op *op)
{
    uint8_t look = needs_of[op->row]().look;
    unsigned values = a3xx_lookup_values(op), mask = A3XX_FIELD(op->bits, WRITE_MASK);
    unsigned seconds = (a3xx_has_flag(op->bits, A3XX_TEXTURE_OFFSET) ? a3xx_place_components(op->bits) : 0) +
                       a3xx_has_letter(op->row, 'V');
    if (a3xx_marks(op->row) & A3XX_MARK_DERIVATIVES_GIVEN)
        values = A3XX_COORDINATES_PADDED + 2 * a3xx_place_components(op->bits);
    if (look == NO_LOOK || op->bits & A3XX_S2EN || !mask || A3XX_LOOK_KIND(look) == A3XX_SIZE ||
        A3XX_LOOK_KIND(look) == A3XX_LEVELS)
        return A3XX_LANES_NOT;
    op->look = look;
    bool plain = is_plain_vector(&op->source[0], values) && (!seconds || is_plain_vector(&op->source[1], seconds)) &&
                 is_plain_vector(&op->result, 32 - (unsigned)__builtin_clz(mask));
    return plain ? A3XX_LANES_LOOK : A3XX_LANES_NOT;
}

static enum a3xx_lane_kind calculation_kind(const struct a3xx_program *program, const struct a3xx_op *op)
{
    unsigned category = shader_category(op->bits), slow = op->result.slow & ~A3XX_SLOW_ADDRESS;
    if (op->row == A3XX_RAW || category > 4)
        return A3XX_LANES_NOT;
    bool alone = needs_of[op->row]().thread;
    if (category == 0)
        return alone ? A3XX_LANES_NOT : op->row == A3XX_NOP ? A3XX_LANES_NOTHING : A3XX_LANES_FLOW;
    if (a3xx_marks(op->row) & SHADER_MARK_VARYING)
        return !slow && is_plain_varying(program, op) ? A3XX_LANES_VARYING : A3XX_LANES_NOT;
    for (unsigned i = 0; i < op->sources; i++)
        slow |= op->source[i].slow & ~(A3XX_SLOW_FLOAT | A3XX_SLOW_LOW | A3XX_SLOW_INTEGER);
    bool saturates_integer =
        op->saturate && op->result_kind != A3XX_RESULT_FLOAT && op->result_kind != A3XX_RESULT_MOVED;
    if (alone || slow || saturates_integer)
        return A3XX_LANES_NOT;
    return category == 1 && op->from != op->to ? A3XX_LANES_CONVERT : A3XX_LANES_ACTION;
}

void a3xx_find_lane_kind(const struct a3xx_program *program, struct a3xx_op *op)
{
    unsigned category = op->row == A3XX_RAW ? 0 : shader_category(op->bits);
    op->lanes = (uint8_t)(category == 5   ? look_kind(op)
                          : category == 6 ? transfer_kind(op)
                                          : calculation_kind(program, op));
}

bool a3xx_calculates_by_presets(const struct a3xx_choices *choice)
{
    return !(choice->keep_denormals | choice->fused | choice->half_even | choice->wrap_conversion | choice->nan_wins |
             choice->ne_false_for_nan | choice->compare_one | choice->shift_past | choice->nearest_zero |
             choice->sad_sum | choice->extend_u8);
}

/* --- which loops ------------------------------------------------------------------------------------------------- */

const struct a3xx_lane_set *a3xx_lane_set(void)
{
#ifdef GPUCODE_WITH_AVX2
    if (a3xx_has_avx2())
        return &a3xx_lanes_avx2;
#endif
    return &a3xx_lanes_plain;
}
