/* SPDX-License-Identifier: MIT */
/* ir3 as an instruction set: the struct that plugs it into everything else. */
#include "isa/ir3/ir3.h"
#include "isa/ir3/set.h"
#include "isa/machine.h"

static const char *const generations[] = {"a4xx", "a5xx", "a6xx", "a7xx", "a8xx", NULL};

static const char *const space_names[] = {SHADER_SPACE_NAMES, "buffer", "ubo", "setup", NULL};

#define CHIP(number, text, part, all)                                                                                  \
    {.name = "ir3:" text,                                                                                              \
     .isa = &ir3_isa,                                                                                                  \
     .description = "shaders of Adreno " text,                                                                         \
     .generation = IR3_##number,                                                                                       \
     .is_generation = all},
static const struct gpucode_target targets[] = {
#include "isa/ir3/chips.def"
};
#undef CHIP

/* Other spellings of mnemonics; see isa_text.old_names. */
static const struct isa_old_name old_names[] = {
    {"mov", "cov"}, /* the types decide which of the two it is */
    {NULL, NULL},
};

extern const char ir3_manual[]; /* manual.md */

/* What nobody has measured of text and timing. The preset is the first value. */
static const struct gpucode_policy policies[] = {
    {"ir3-ambiguous", "new|old|word", "new",
     "Words that two rows explain: the later definition, which has more fixed bits (mova.r and movs before mov, ldib.b "
     "and stib.b before ldl and its like), the older one, or .insn."},
    {"ir3-count", "compiler|issue", "compiler",
     "Slots that schedule counts for instructions which may be issued beside others: scalar operations, categories 4 "
     "to "
     "7, br, jump, braa, brao. None, as Mesa's compiler does, or one."},
    {"ir3-delay", "table|gen7-like", "table",
     "Delays of a8xx: as Mesa's compiler has them, those of a6xx; or those of a7xx, from which a8xx derives."},
    {"ir3-nop-from", "600|500", "600",
     "From which generation on (nopN) works: compilers use it from a6xx on; a remark in Mesa says that a5xx probably "
     "has it too. lint and schedule ask."},
    {NULL},
};

/* isa.choose */
static void choose(struct gpucode_target *target, const struct gpucode_setting *settings)
{
    target->choices = (uint8_t)(isa_policy_choice(policies, settings, "ir3-ambiguous") |
                                (isa_policy_choice(policies, settings, "ir3-count") ? IR3_COUNT_ISSUE : 0u));
    bool sooner = target->generation == IR3_A8XX && isa_policy_choice(policies, settings, "ir3-delay");
    bool idles = target->generation == IR3_A5XX && isa_policy_choice(policies, settings, "ir3-nop-from");
    target->timing = sooner ? IR3_A8XX_SOONER : idles ? IR3_A5XX_NOPS : 0;
}

/* An instruction is issued once, once more for each repeat, and idle slots follow it. */
static bool issue_cost(const struct gpucode_insn *insn, struct gpucode_cost *cost)
{
    *cost = (struct gpucode_cost){ir3_steps(insn) + (insn->row == IR3_RAW ? 0 : ir3_nops(insn->bits)), "slots"};
    return true;
}

const struct isa ir3_isa = {
    SHADER_SET(ir3),
    .title = "ir3, shaders of Adreno 4xx to 8xx",
    .targets = {SHADER_TARGETS, .shared_names = true},
    .text = {SHADER_TEXT(ir3), .syntax = {.comment = ";", .octal = true}, .whole = true,
             .own_register = ir3_own_register, .refine_operands = ir3_refine_operands,
             .refine_effects = ir3_refine_effects},
    .policies = policies,
    .choose = choose,
};
