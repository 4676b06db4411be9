/* SPDX-License-Identifier: MIT */
/* What the actions of insn.def are written in; the run loop and afuc_evaluate() add what A, B, D, CARRY and the rest
 * are. */
#ifndef ISA_AFUC_MACHINE_ACTION_H
#define ISA_AFUC_MACHINE_ACTION_H

#include "isa/afuc/machine/exec.h"

/* Does the row's bit pattern have a field of that letter? A constant for the compiler. */
#define HAS(bits, letter) (__builtin_strchr(bits, letter) != NULL)
/* Do the row's effects have those words, do they begin with them? Constants too. */
#define SAYS(effects, words) (__builtin_strstr(effects, words) != NULL)
#define BEGINS(effects, words) (__builtin_strncmp(effects, words, sizeof words - 1) == 0)
/* Is it a branch to where its immediate says, after one delay slot (OP_BRANCH)? */
#define IS_BRANCH(effects) (BEGINS(effects, "branch a,") || BEGINS(effects, "jump a,") || BEGINS(effects, "jump g,"))

/* Is it a load or store, or an access to control or SQE registers, and nothing else? */
#define IS_ACCESS(effects) (BEGINS(effects, "reads ") || BEGINS(effects, "writes "))

/* LONG has a comma where an action has none: ROW_KIND() gives ROW_function or ROW_action. */
#define LONG(...) ~, ROW_function
#define ROW_KIND(...) ROW_KIND_OF(__VA_ARGS__, ROW_action, ~)
#define ROW_KIND_OF(first, second, ...) second

/* The formulas of action.def, whose choices are policies. */
#define POLICY(choice) setup->choice
#define LEADING_ZEROS(x) (uint32_t) __builtin_clz(x)
#define BIT_COUNT(x) ((uint32_t)__builtin_popcount(x))
#define FORMULA static inline __attribute__((always_inline, unused)) uint32_t
#define FUNCTION1(name, a, ...)                                                                                        \
    FORMULA formula_##name(const struct afuc_setup *setup, uint32_t a)                                                 \
    {                                                                                                                  \
        (void)setup;                                                                                                   \
        return __VA_ARGS__;                                                                                            \
    }
#define FUNCTION2(name, a, b, ...)                                                                                     \
    FORMULA formula_##name(const struct afuc_setup *setup, uint32_t a, uint32_t b)                                     \
    {                                                                                                                  \
        (void)setup;                                                                                                   \
        return __VA_ARGS__;                                                                                            \
    }
#define FUNCTION3(name, a, b, c, ...)                                                                                  \
    FORMULA formula_##name(const struct afuc_setup *setup, uint32_t a, uint32_t b, uint32_t c)                         \
    {                                                                                                                  \
        (void)setup;                                                                                                   \
        return __VA_ARGS__;                                                                                            \
    }
#define FUNCTION4(name, a, b, c, d, ...)                                                                               \
    FORMULA formula_##name(const struct afuc_setup *setup, uint32_t a, uint32_t b, uint32_t c, uint32_t d)             \
    {                                                                                                                  \
        (void)setup;                                                                                                   \
        return __VA_ARGS__;                                                                                            \
    }
#define WORD(...)
#define BITS(...)
#define STATE(...)
#define SPACE(...)
#define CONSTANT(...)
#define PLACE(...)
/* Formulas call one another by their names in the actions. */
#define FIELD_MASK(low, high) formula_FIELD_MASK(setup, low, high)
#include "isa/afuc/text/action.def"
#undef FIELD_MASK
#undef FUNCTION1
#undef FUNCTION2
#undef FUNCTION3
#undef FUNCTION4
#undef WORD
#undef BITS
#undef STATE
#undef SPACE
#undef CONSTANT
#undef PLACE
#undef POLICY
#define SHIFT_LEFT(a, b) formula_SHIFT_LEFT(m->setup, a, b)
#define SHIFT_RIGHT(a, b) formula_SHIFT_RIGHT(m->setup, a, b)
#define SHIFT_RIGHT_SIGNED(a, b) formula_SHIFT_RIGHT_SIGNED(m->setup, a, b)
#define ROTATE_LEFT(a, b) formula_ROTATE_LEFT(m->setup, a, b)
#define COMPARE(a, b) formula_COMPARE(m->setup, a, b)
#define SET_BIT_TO(a, b) formula_SET_BIT_TO(m->setup, a, b)
#define HIGHEST_BIT(b) formula_HIGHEST_BIT(m->setup, b)
#define FIELD_GET(a, low, high) formula_FIELD_GET(m->setup, a, low, high)
#define FIELD_SET(d, a, low, high) formula_FIELD_SET(m->setup, d, a, low, high)

/* --- The rows of insn.def whose action is LONG: exec_<id>, which exec.c and access.c define ----------------------- */

#define ROW_action(id)
#define ROW_function(id) int64_t exec_##id(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
#define INSN(id, mnemonic, generations, bits, text, effects, evidence, source, doc, ...) ROW_KIND(__VA_ARGS__)(id)
#include "isa/afuc/text/insn.def"
#undef INSN
#undef ROW_action
#undef ROW_function

/* A word that is not an instruction, and one after the last. */
int64_t afuc_no_insn(struct afuc_machine *m, struct afuc_processor *p);
int64_t afuc_left_section(struct afuc_machine *m, struct afuc_processor *p);

/* Does a branch of that row go to its target, its register having that value? */
static inline bool afuc_is_met(unsigned row, const struct afuc_op *op, uint32_t value)
{
    switch (row) {
    case AFUC_BRNE_IMM:
        return value != op->shift;
    case AFUC_BREQ_IMM:
        return value == op->shift;
    case AFUC_BRNE_BIT:
        return !(value >> op->shift & 1);
    case AFUC_BREQ_BIT:
        return value >> op->shift & 1;
    default:
        return true;
    }
}

#endif
