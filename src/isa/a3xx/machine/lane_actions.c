/* SPDX-License-Identifier: MIT */
/*
 * The rows' actions as loops over threads. They are the actions that exec.c has for one thread, so that there is one
 * place that says what an instruction does; that a compiler can make vectors of the loops is the business of
 * arithmetic.h. Inactive lanes are calculated like all others, and their results dropped.
 */
#include "isa/a3xx/machine/arithmetic.h"
#include "isa/a3xx/machine/lanes.h"

/* No lane looks at another one's values: a result may lie in the place of a source, lane by lane. */
#ifdef __clang__
#define SIDE_BY_SIDE _Pragma("clang loop vectorize(assume_safety)")
#elif defined __GNUC__
#define SIDE_BY_SIDE _Pragma("GCC ivdep")
#else
#define SIDE_BY_SIDE
#endif

static inline uint32_t convert_value(const struct a3xx_op *op, const struct a3xx_choices *choice, uint32_t value)
{
    struct a3xx_conversion how = {.from = op->from,
                                  .to = op->to,
                                  .rounding = op->rounding,
                                  .half_rounding = choice->half_even ? A3XX_ROUND_EVEN : A3XX_ROUND_ZERO,
                                  .clamp = !choice->wrap_conversion,
                                  .extend_u8 = choice->extend_u8};
    return a3xx_convert(&how, value);
}

#define A a
#define B b
#define C c
#define D result
#define P ((A != 0) != op->invert)
#define CONDITION op->condition
#define SOURCE_TYPE op->from
#define RESULT_TYPE op->to
#define ROUNDING op->rounding
#define CONVERT(from, to, rounding, value) convert_value(op, &choice, value)
#define SATURATES false /* a3xx_lane_kind() sees to that */
#define FLUSH flush
#define CHOICE(name) choice.name
#define VERDICT(condition) (__builtin_constant_p(condition) ? a3xx_verdict(condition) : verdict)
#define OFFSET offset

/* What an action does to the thread alone. */
#define CALL(pc) ALONE
#define RETURN ALONE
#define KILLED killed
#define FINISH ended = true, next = at
#define TRAP ALONE
#define INTERPOLATE(location, registers) (ALONE, 0u)
#define LOOK_UP(how, channel) ALONE
#define DERIVE(in_y) ALONE
#define LOAD(space) ALONE
#define STORE(space, direct) ALONE
#define ATOMIC(space, action) ALONE

/* The category's bits say whether an action gives the next instruction or a result. */
#define IS_FLOW(pattern) ((pattern)[0] == '0' && (pattern)[1] == '0' && (pattern)[2] == '0')

/* --- the loops --------------------------------------------------------------------------------------------------- */

#define HALF half
#define PC at
#define GO(pc) next = (pc)
#define ALONE ((void)0)
#define LOOP(name, loop, half, preset)                                                                                 \
    static void name(const struct a3xx_lanes *lanes)                                                                   \
    {                                                                                                                  \
        loop(lanes, half, preset);                                                                                     \
    }
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    static inline __attribute__((always_inline)) void loop_##id(const struct a3xx_lanes *lanes, const bool half,       \
                                                                const bool preset)                                     \
    {                                                                                                                  \
        const struct a3xx_op *op = lanes->op;                                                                          \
        const struct a3xx_choices choice = preset ? (struct a3xx_choices){0} : *lanes->choice;                         \
        const struct a3xx_verdict verdict = a3xx_verdict(op->condition);                                               \
        const bool flush = !choice.keep_denormals;                                                                     \
        const uint32_t *as = lanes->given[0], *bs = lanes->given[1], *cs = lanes->given[2];                            \
        const uint32_t at = lanes->at, count = lanes->count, offset = (uint32_t)(int32_t)op->offset;                   \
        uint32_t *results = lanes->result, *fates = lanes->fate;                                                       \
        SIDE_BY_SIDE                                                                                                   \
        for (uint32_t i = 0; i < count; i++) {                                                                         \
            uint32_t a = as[i], b = bs[i], c = cs[i], result = 0, next = at + 1;                                       \
            bool killed = false, ended = false;                                                                        \
            __VA_ARGS__                                                                                                \
            results[i] = IS_FLOW(pattern) ? next : result;                                                             \
            if (IS_FLOW(pattern))                                                                                      \
                fates[i] = (killed ? A3XX_LANE_KILLED : 0u) | (ended ? A3XX_LANE_ENDED : 0u);                          \
            (void)a, (void)b, (void)c;                                                                                 \
        }                                                                                                              \
        (void)half, (void)op, (void)verdict, (void)flush, (void)offset, (void)fates;                                   \
    }                                                                                                                  \
    LOOP(full_##id, loop_##id, false, false)                                                                           \
    LOOP(half_##id, loop_##id, true, false)                                                                            \
    LOOP(preset_full_##id, loop_##id, false, true)                                                                     \
    LOOP(preset_half_##id, loop_##id, true, true)
#include "isa/a3xx/text/insn.def"
#undef INSN

/* --- which of them stand for a thread ---------------------------------------------------------------------------- */

#undef ALONE
#define ALONE (alone = true)
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    static bool alone_##id(void)                                                                                       \
    {                                                                                                                  \
        static const struct a3xx_op nothing;                                                                           \
        static const struct a3xx_choices choice;                                                                       \
        const struct a3xx_op *op = &nothing;                                                                           \
        const struct a3xx_verdict verdict = {0, 0, 0};                                                                 \
        const bool flush = false, half = false;                                                                        \
        const uint32_t at = 0, offset = 0, a = 1, b = 1, c = 1;                                                        \
        uint32_t result = 0, next = 0;                                                                                 \
        bool alone = false, killed = false, ended = false;                                                             \
        __VA_ARGS__(void)                                                                                              \
        result, (void)next, (void)killed, (void)ended, (void)at, (void)offset, (void)flush, (void)half, (void)op;      \
        (void)verdict, (void)choice, (void)a, (void)b, (void)c;                                                        \
        return alone;                                                                                                  \
    }
#include "isa/a3xx/text/insn.def"
#undef INSN

const struct a3xx_lane_action a3xx_lane_actions[] = {
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    [A3XX_##id] = {{{full_##id, half_##id}, {preset_full_##id, preset_half_##id}}, alone_##id},
#include "isa/a3xx/text/insn.def"
#undef INSN
};
