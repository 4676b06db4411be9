/* SPDX-License-Identifier: MIT */
/* A3XX as an instruction set: the struct that plugs it into everything else. */
#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/set.h"

static const char *const generations[] = {"a3xx", NULL};

static const char *const space_names[] = {SHADER_SPACE_NAMES, NULL};

static const struct gpucode_target targets[] = {
    {.name = "a3xx", .isa = &a3xx_isa, .description = "Adreno 3xx shaders", .is_generation = true},
    {.name = "a3xx:a320", .isa = &a3xx_isa, .description = "shaders of Adreno 320"},
    {.name = "a3xx:a330", .isa = &a3xx_isa, .description = "shaders of Adreno 330"},
};

/* Names in other texts: later tools, the old disassembler, the wiki page. */
static const struct isa_old_name old_names[] = {
    {"mul.u24", "mul.u"},
    {"mul.s24", "mul.s"},
    {"cls.s", "clz.s"},
    {NULL, NULL},
};

/* What later generations added; see isa.later. */
static const struct isa_later_name later_names[] = {
#define LATER(name, since) {name, since},
#include "isa/ir3/a3xx/text/later.def"
#undef LATER
    {NULL, NULL},
};

extern const char a3xx_manual[]; /* manual.md */

/* An instruction is issued once, and once more for each repeat. */
static bool issue_cost(const struct gpucode_insn *insn, struct gpucode_cost *cost)
{
    *cost = (struct gpucode_cost){insn->row == A3XX_RAW ? 1 : a3xx_repeat(insn->bits) + 1, "slots"};
    return true;
}

const struct isa a3xx_isa = {
    SHADER_SET(a3xx),
    .title = "A3XX, shaders of Adreno 3xx",
    .targets = {SHADER_TARGETS, .family = "ir3"},
    .text =
        {
            SHADER_TEXT(a3xx),
            .syntax = {.comment = ";"},
            .later_names = later_names,
            .refine_operands = a3xx_refine_operands,
            .refine_effects = a3xx_refine_effects,
            .own_register = a3xx_own_register,
        },
    .files = {.layout = a3xx_layout},
    .listing = {.disassemble = a3xx_disassemble},
};
