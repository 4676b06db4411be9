/* SPDX-License-Identifier: MIT */
/* Delays and sync bits by generation, as Mesa's compiler has them (ir3_delay.c, ir3_legalize.c, ir3_compiler.c). */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"
#include "isa/ir3/text/access.h"
#include "isa/ir3/timing/scoreboard.h"

#define DELAYS "Mesa, ir3_delay.c"
#define SYNC "Mesa, ir3_legalize.c"

static unsigned repeat_of(const struct gpucode_insn *insn)
{
    return ir3_steps(insn) - 1;
}

static bool counts_no_slot(const struct gpucode_insn *insn)
{
    return shader_category(insn->bits) >= 4 || insn->row == IR3_BR || insn->row == IR3_JUMP || insn->row == IR3_BRAA ||
           insn->row == IR3_BRAO;
}

/* Those that no single decision of the wave takes, as bany and ball do. */
static bool divides(const struct gpucode_insn *insn)
{
    return insn->row == IR3_BR || insn->row == IR3_BRAA || insn->row == IR3_BRAO || insn->row == IR3_GETONE ||
           insn->row == IR3_GETLAST;
}

static uint32_t marks_of(const struct gpucode_insn *insn)
{
    unsigned category = shader_category(insn->bits);
    if (insn->row == IR3_RAW)
        return SHADER_FENCE;
    bool alias = insn->row == IR3_ALIAS, scalar = ir3_is_scalar(insn);
    return (ir3_row(insn)->marks & SHADER_OF_ROWS) | (category == 0 || category == 7 ? SHADER_FENCE : 0u) |
           (scalar ? SHADER_SCALAR : 0u) | (insn->row == IR3_SHPE ? SHADER_WAITS : 0u) |
           (insn->row == IR3_PREDT || insn->row == IR3_PREDF || insn->row == IR3_PREDE ? SHADER_HOLDS : 0u) |
           (insn->row == IR3_PREDT || insn->row == IR3_PREDF ? SHADER_PARTS : 0u) |
           (divides(insn) ? SHADER_DIVIDES : 0u) | (category == 7 && !alias ? SHADER_BARRIER : 0u) |
           (alias ? SHADER_GROUP : 0u) |
           ((scalar || counts_no_slot(insn)) && !(insn->target->choices & IR3_COUNT_ISSUE) ? SHADER_APART : 0u);
}

/* What memory delivers late: (ss), (sy), or both where nobody has said which. */
static uint8_t memory_result(const struct gpucode_insn *insn)
{
    switch (insn->row) {
    case IR3_GETSPID:
    case IR3_GETWID:
    case IR3_RESBASE:
        return A3XX_NEEDS_SS | A3XX_NEEDS_SY;
    default:
        return ir3_row(insn)->marks & SHADER_MARK_LOCAL ? A3XX_NEEDS_SS : A3XX_NEEDS_SY;
    }
}

static uint8_t result_of(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned category = shader_category(insn->bits);
    uint8_t shared = ir3_is_shared(access) ? A3XX_NEEDS_SS : 0;
    if (category >= 5)
        return (category == 5 ? A3XX_NEEDS_SY : memory_result(insn)) | shared;
    if (category == 4 || insn->row == IR3_MOVMSK)
        return A3XX_NEEDS_SS;
    if (!shared && !(ir3_is_scalar_predicate(insn) && access->file == A3XX_FILE_PREDICATE))
        return 0;
    return ir3_is_scalar(insn) ? A3XX_NEEDS_SS | A3XX_FROM_SCALAR : A3XX_NEEDS_SS;
}

/* Sources that may still be read after the instruction was issued. */
static uint8_t keeps(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned category = shader_category(insn->bits), number = ir3_bits(insn->bits, 39, 32);
    bool shared = category < 4 && category &&
                  (ir3_is_scalar_predicate(insn) || (number >= IR3_SHARED && number < IR3_SHARED_END));
    if (access->file == A3XX_FILE_CONST || access->file == A3XX_FILE_IMMEDIATE || access->file == A3XX_FILE_ORDER)
        return 0;
    if (shared && ir3_is_scalar(insn))
        return ir3_is_shared(access) || access->file == A3XX_FILE_ADDRESS ? A3XX_USED_BY_SCALAR : 0;
    if (shared || category == 4 || insn->row == IR3_MOVMSK)
        return A3XX_USED;
    if (category < 5 || category > 6 || insn->row == IR3_GETFIBERID)
        return 0;
    if (insn->row == IR3_RAY_INTERSECTION)
        return A3XX_USED_SY;
    bool stores = category == 6 && (shader_stores(insn) || memory_result(insn) & A3XX_NEEDS_SS);
    return stores ? A3XX_USED : A3XX_USED_EITHER;
}

/* Slots: of a7xx one less, and of the third source of mad. */
static unsigned delay_of(const struct gpucode_insn *insn, const struct a3xx_access *access)
{
    unsigned category = shader_category(insn->bits), shorter = shader_family(insn)->sooner;
    if (access->file == A3XX_FILE_CONST || access->file == A3XX_FILE_IMMEDIATE || access->file == A3XX_FILE_ORDER ||
        ir3_is_shared(access))
        return 0;
    if (!ir3_is_general(access) || category == 0 || category > 3)
        return 6 - shorter;
    bool late = ir3_row(insn)->marks & SHADER_MARK_LATE_THIRD;
    return late && access->source == 3 ? 1 : 3 - shorter;
}

/* Local memory is accessed in order: Mesa's compiler for a5xx has no (ss) between stl and an ldl that overwrites its
 * source. */
static bool excepts(const struct gpucode_insn *insn, const struct gpucode_insn *other)
{
    bool loads = insn->row == IR3_LDL || insn->row == IR3_LDLW,
         stores = other->row == IR3_STL || other->row == IR3_STLW;
    return loads && stores;
}

static bool address_of(const struct gpucode_insn *insn, int16_t *address)
{
    *address = (int16_t)insn->bits;
    return insn->row == IR3_MOVA && ir3_bits(insn->bits, 54, 53) == 2;
}

static bool is_integer(unsigned type)
{
    return type == IR3_U16 || type == IR3_U32 || type == IR3_S16 || type == IR3_S32;
}

static enum shader_operation operation_of(const struct gpucode_insn *insn)
{
    unsigned category = shader_category(insn->bits), from = ir3_source_type(insn->bits),
             to = ir3_result_type(insn->bits);
    if (category == 1) {
        bool plain = insn->row <= IR3_COV && is_integer(from) && is_integer(to);
        return !plain ? SHADER_OTHER : from == to ? SHADER_COPY : SHADER_CONVERT;
    }
    if (category != 2 || insn->bits & (IR3_SAT | IR3_CONVERTS | IR3_EI))
        return SHADER_OTHER;
    switch (insn->row) {
        SHADER_OPERATIONS(IR3)
    default:
        return SHADER_OTHER;
    }
}

static int64_t offset_of(uint64_t bits)
{
    return (int32_t)(uint32_t)bits;
}

static bool set_offset(struct gpucode_insn *insn, int64_t offset)
{
    if (offset < INT32_MIN || offset > INT32_MAX)
        return false;
    insn->bits = (insn->bits & ~(uint64_t)UINT32_MAX) | (uint32_t)offset;
    return true;
}

static const struct shader_rule rules[A3XX_HAZARDS] = {
    [A3XX_EARLY] = {MSG_LINT_IR3_DELAY, DELAYS, .named = true},
    [A3XX_NO_SS] = {MSG_LINT_IR3_SS, SYNC, .named = true, .needs_ss = true},
    [A3XX_NO_SS_TOO] = {MSG_LINT_IR3_SS, SYNC, .named = true, .needs_ss = true},
    [A3XX_NO_SY] = {MSG_LINT_IR3_SY, SYNC, "set (sy) on it", .named = true},
    [A3XX_IN_USE] = {MSG_LINT_IR3_IN_USE, SYNC, .named = true, .needs_ss = true},
    [A3XX_IN_USE_SY] = {MSG_LINT_IR3_IN_USE_SY, SYNC, "set (sy) on it", .named = true},
    [A3XX_USELESS_SS] = {MSG_LINT_IR3_USELESS_SS, SYNC, "remove (ss)"},
    [A3XX_USELESS_SY] = {MSG_LINT_IR3_USELESS_SY, SYNC, "remove (sy)"},
    [A3XX_UNWRITTEN] = {MSG_LINT_IR3_UNWRITTEN, "the source", "declare the register with @in, or write it",
                        .named = true},
    [A3XX_RELEASED] = {MSG_LINT_IR3_RELEASED, "Mesa, ir3.xml", "move (ul) to the last user of a0.x"},
    [A3XX_OUTSIDE] = {MSG_LINT_IR3_OUTSIDE, "the files' sizes",
                      "give a0.x another value, or the operand another offset", .named = true},
    [A3XX_BEHIND_EI] = {MSG_LINT_IR3_BEHIND_EI, SYNC, "move (ei) to the last input that is read"},
    [A3XX_WITHOUT_EI] = {MSG_LINT_IR3_NO_EI, SYNC, "set (ei) on the last input that is read"},
    [A3XX_CONSTS_SS] = {MSG_LINT_IR3_CONSTS_SS, SYNC, .needs_ss = true},
    [A3XX_CONSTS_SY] = {MSG_LINT_IR3_CONSTS_SY, SYNC, "set (sy) on it"},
    [A3XX_UNFENCED] = {MSG_LINT_IR3_UNFENCED, SYNC, "set (ss) and (sy) on it"},
};

#define FAMILY(wide, after, shorter)                                                                                   \
    {                                                                                                                  \
        .name = "ir3", .accesses = ir3_accesses, .repeat = repeat_of, .marks = marks_of, .result = result_of,          \
        .keeps = keeps, .delay = delay_of, .address = address_of, .operation = operation_of, .offset = offset_of,      \
        .set_offset = set_offset, .words = ir3_check_words, .excepts = excepts,                                        \
        .nop_flags = IR3_EQ | IR3_EOLM | IR3_EOGM | IR3_EOSTSC, .rules = rules, .spaces = &ir3_spaces, .nop = IR3_NOP, \
        .raw = IR3_RAW, .ss = 0x9f, .mixed = (wide), .idle = (after), .sooner = (shorter), .unit = 16                  \
    }
static const struct shader_family apart = FAMILY(0, 0, 0), merged = FAMILY(6, 3, 0), sooner = FAMILY(5, 3, 1);
static const struct shader_family idling = FAMILY(0, 3, 0);
const struct shader_family *const ir3_families[] = {
    &apart, &apart, &merged, &sooner, &merged, [IR3_A5XX_NOPS] = &idling, [IR3_A8XX_SOONER] = &sooner,
};
