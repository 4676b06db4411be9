/* SPDX-License-Identifier: MIT */
/* A3XX as an instruction set: the struct that plugs it into everything else. */
#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/machine/accuracy.h"

static const char *const generations[] = {"a3xx", NULL};

/* From GPUCODE_SPACE_COUNT on, in the order of enum gpucode_a3xx_space. */
static const char *const space_names[] = {"half", "const",   "varying", "varying-i", "varying-j",
                                          "flat", "texture", "flags",   NULL};

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
    .name = "a3xx",
    .title = "A3XX, shaders of Adreno 3xx",
    .manual = a3xx_manual,
    .accuracy = a3xx_accuracy,
    .unit_bytes = 8,
    .facts = {.calls = true, .float_registers = true, .threads = true, .fixed_size = true, .whole_code = true},
    .targets =
        {
            .generations = generations,
            .list = targets,
            .count = sizeof targets / sizeof *targets,
            .family = "ir3",
        },
    .text =
        {
            .rows = &a3xx_rows,
            .operand_classes = a3xx_kinds,
            .print = a3xx_rows_text,
            .parse = a3xx_rows_parse,
            .syntax = {.comment = ";"},
            .old_names = old_names,
            .later_names = later_names,
            .refine = a3xx_refine,
            .refine_effects = a3xx_refine_effects,
            .space_names = space_names,
            .comment = a3xx_comment,
            .own_register = a3xx_own_register,
        },
    .files =
        {
            .layout = a3xx_layout,
        },
    .listing =
        {
            .disassemble = a3xx_disassemble,
        },
    .assembler = &a3xx_assembler,
    .machine = &a3xx_machine,
    .timing =
        {
            .lint = &shader_lint,
            .schedule = &shader_schedule,
            .families = a3xx_families,
            .cost = issue_cost,
        },
};
