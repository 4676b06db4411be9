/* SPDX-License-Identifier: MIT */
/* A3XX as an instruction set: the struct that plugs it into everything else. */
#include "isa/a3xx/machine.h"

#include "base/text.h"

#include "a3xx_rows.inc"

static const char *const generations[] = {"a3xx", NULL};

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
#include "isa/a3xx/later.def"
#undef LATER
    {NULL, NULL},
};

char *a3xx_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    if (insn->row != A3XX_RAW)
        return at;
    int row = isa_decode_row(&a3xx_rows, 0, insn->bits);
    if (row == A3XX_RAW)
        return a3xx_category(insn->bits) == 7 ? TEXT_LITERAL(at, "\t; category 7, barriers of later generations")
                                              : TEXT_LITERAL(at, "\t; no instruction of A3XX");
    struct gpucode_insn nearly = *insn;
    nearly.row = (uint16_t)row;
    at = isa_format(TEXT_LITERAL(at, "\t; nearly "), &nearly, options);
    return TEXT_LITERAL(at, ", an operand of which is not allowed");
}

const struct isa a3xx_isa = {
    .name = "a3xx",
    .title = "A3XX, shaders of Adreno 3xx",
    .unit_bytes = 8,
    .generations = generations,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .rows = &a3xx_rows,
    .kinds = a3xx_kinds,
    .syntax = {.comment = ";"},
    .old_names = old_names,
    .later_names = later_names,
    .comment = a3xx_comment,
    .refine = a3xx_refine,
    .layout = a3xx_layout,
    .disassemble = a3xx_disassemble,
    .assembler = &a3xx_assembler,
    .machine = &a3xx_machine,
    .lint = &a3xx_lint,
    .schedule = &a3xx_schedule,
};
