/* SPDX-License-Identifier: MIT */
/* What the first generation says of itself, for all that is found out from accesses. */
#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/timing/scoreboard.h"

#include "a3xx_messages.h"

_Static_assert(A3XX_SY == SHADER_SY && A3XX_SS == SHADER_SS && A3XX_JP == SHADER_JP && A3XX_UL == SHADER_UL &&
                   A3XX_EI == SHADER_EI,
               "bits of all words");

static unsigned repeat_of(const struct gpucode_insn *insn)
{
    return a3xx_repeat(insn->bits);
}

static uint32_t marks_of(const struct gpucode_insn *insn)
{
    return a3xx_marks(insn->row) & SHADER_OF_ROWS;
}

static uint8_t result_of(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    static const uint8_t waits[] = {[A3XX_ARITHMETIC] = 0,
                                    [A3XX_SPECIAL] = A3XX_NEEDS_SS,
                                    [A3XX_LOCAL_RESULT] = A3XX_NEEDS_SS | A3XX_FROM_LOCAL,
                                    [A3XX_LONG_LATENCY] = A3XX_NEEDS_SY};
    (void)access;
    return waits[a3xx_unit(insn)];
}

/* Sources of special functions, textures and memory may be read later. */
static uint8_t keeps(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    return shader_category(insn->bits) >= 4 && access->source ? A3XX_USED : 0;
}

static bool address_of(const struct gpucode_insn *insn, int16_t *address)
{
    unsigned from = A3XX_FIELD(insn->bits, FROM_TYPE), to = A3XX_FIELD(insn->bits, TO_TYPE);
    *address = (int16_t)A3XX_FIELD(insn->bits, MOVE_SOURCE);
    return shader_category(insn->bits) == 1 && A3XX_FIELD(insn->bits, FROM_IMMEDIATE) && from == to && from < A3XX_U8;
}

static bool is_integer(unsigned type)
{
    return type == A3XX_U16 || type == A3XX_U32 || type == A3XX_S16 || type == A3XX_S32;
}

static enum shader_operation operation_of(const struct gpucode_insn *insn)
{
    unsigned category = shader_category(insn->bits);
    unsigned from = A3XX_FIELD(insn->bits, FROM_TYPE), to = A3XX_FIELD(insn->bits, TO_TYPE);
    if (category == 1)
        return !is_integer(from) || !is_integer(to) ? SHADER_OTHER : from == to ? SHADER_COPY : SHADER_CONVERT;
    if (category != 2 || A3XX_FIELD(insn->bits, SAT) || A3XX_FIELD(insn->bits, CONVERTS))
        return SHADER_OTHER;
    switch (insn->row) {
        SHADER_OPERATIONS(A3XX)
    default:
        return SHADER_OTHER;
    }
}

static int64_t offset_of(uint64_t bits)
{
    return a3xx_branch_offset(bits);
}

/* The rest of the low half, which the hardware ignores, stays: the direction is the same. */
static bool set_offset(struct gpucode_insn *insn, int64_t offset)
{
    if (offset < INT16_MIN || offset > INT16_MAX)
        return false;
    insn->bits = (insn->bits & ~A3XX_MASK(OFFSET)) | A3XX_PLACE(OFFSET, (uint16_t)offset);
    return true;
}

static const struct shader_rule rules[A3XX_HAZARDS] = {
    [A3XX_EARLY] = {MSG_LINT_A3XX_DELAY, A3XX_NOTES "delay table", .named = true},
    [A3XX_NO_SS] = {MSG_LINT_A3XX_SS, A3XX_NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_NO_SS_TOO] = {MSG_LINT_A3XX_SS_SPECIAL, A3XX_NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_NO_SY] = {MSG_LINT_A3XX_SY, A3XX_NOTES "sync bits", "set (sy) on it", .named = true},
    [A3XX_IN_USE] = {MSG_LINT_A3XX_IN_USE, A3XX_NOTES "sync bits", .named = true, .needs_ss = true},
    [A3XX_USELESS_SS] = {MSG_LINT_A3XX_USELESS_SS, A3XX_NOTES "sync bits", "remove (ss)"},
    [A3XX_USELESS_SY] = {MSG_LINT_A3XX_USELESS_SY, A3XX_NOTES "sync bits", "remove (sy)"},
    [A3XX_UNWRITTEN] = {MSG_LINT_A3XX_UNWRITTEN, "the source", "declare the register with @in, or write it",
                        .named = true},
    [A3XX_RELEASED] = {MSG_LINT_A3XX_RELEASED, A3XX_NOTES "common fields", "move (ul) to the last user of a0.x"},
    [A3XX_OUTSIDE] = {MSG_LINT_A3XX_OUTSIDE, A3XX_NOTES "undefined",
                      "give a0.x another value, or the operand another offset", .named = true},
    [A3XX_BEHIND_EI] = {MSG_LINT_A3XX_BEHIND_EI, A3XX_NOTES "bary.f", "move (ei) to the last bary.f that runs"},
    [A3XX_WITHOUT_EI] = {MSG_LINT_A3XX_NO_EI, A3XX_NOTES "bary.f", "set (ei) on the last bary.f that runs"},
};

static const struct shader_family family = {
    .name = "A3XX",
    .accesses = a3xx_accesses,
    .repeat = repeat_of,
    .marks = marks_of,
    .result = result_of,
    .keeps = keeps,
    .delay = a3xx_delay,
    .address = address_of,
    .operation = operation_of,
    .offset = offset_of,
    .set_offset = set_offset,
    .words = a3xx_check_words,
    .rules = rules,
    .spaces = &a3xx_spaces,
    .nop = A3XX_NOP,
    .raw = A3XX_RAW,
    .ss = 0x1f,
    .chains = true,
    .unit = 4,
};
const struct shader_family *const a3xx_families[] = {&family};
