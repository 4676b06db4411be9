/* SPDX-License-Identifier: MIT */
/* ir3 as an instruction set: the struct that plugs it into everything else. */
#include "isa/ir3/ir3.h"

static const char *const generations[] = {"a4xx", "a5xx", "a6xx", "a7xx", "a8xx", NULL};

/* From GPUCODE_SPACE_COUNT on: enum gpucode_a3xx_space begins in the same way. */
static const char *const space_names[] = {"half", "const", NULL};

#define GENERATION(number, text)                                                                                       \
    {                                                                                                                  \
        .name = "ir3:" text, .isa = &ir3_isa, .description = "shaders of Adreno " text, .generation = number,          \
        .is_generation = true                                                                                          \
    }
#define CHIP(number, text)                                                                                             \
    {                                                                                                                  \
        .name = "ir3:" text, .isa = &ir3_isa, .description = "shaders of Adreno " text, .generation = number           \
    }
static const struct gpucode_target targets[] = {
    GENERATION(IR3_A4XX, "a4xx"), CHIP(IR3_A4XX, "a405"),       CHIP(IR3_A4XX, "a420"),       CHIP(IR3_A4XX, "a430"),
    GENERATION(IR3_A5XX, "a5xx"), CHIP(IR3_A5XX, "a505"),       CHIP(IR3_A5XX, "a506"),       CHIP(IR3_A5XX, "a508"),
    CHIP(IR3_A5XX, "a509"),       CHIP(IR3_A5XX, "a510"),       CHIP(IR3_A5XX, "a512"),       CHIP(IR3_A5XX, "a530"),
    CHIP(IR3_A5XX, "a540"),       GENERATION(IR3_A6XX, "a6xx"), CHIP(IR3_A6XX, "a605"),       CHIP(IR3_A6XX, "a608"),
    CHIP(IR3_A6XX, "a610"),       CHIP(IR3_A6XX, "a612"),       CHIP(IR3_A6XX, "a615"),       CHIP(IR3_A6XX, "a616"),
    CHIP(IR3_A6XX, "a618"),       CHIP(IR3_A6XX, "a619"),       CHIP(IR3_A6XX, "a620"),       CHIP(IR3_A6XX, "a621"),
    CHIP(IR3_A6XX, "a623"),       CHIP(IR3_A6XX, "a630"),       CHIP(IR3_A6XX, "a635"),       CHIP(IR3_A6XX, "a640"),
    CHIP(IR3_A6XX, "a643"),       CHIP(IR3_A6XX, "a644"),       CHIP(IR3_A6XX, "a650"),       CHIP(IR3_A6XX, "a660"),
    CHIP(IR3_A6XX, "a663"),       CHIP(IR3_A6XX, "a680"),       CHIP(IR3_A6XX, "a690"),       CHIP(IR3_A6XX, "a702"),
    GENERATION(IR3_A7XX, "a7xx"), CHIP(IR3_A7XX, "a32"),        CHIP(IR3_A7XX, "a725"),       CHIP(IR3_A7XX, "a730"),
    CHIP(IR3_A7XX, "a735"),       CHIP(IR3_A7XX, "a740"),       CHIP(IR3_A7XX, "a740v3"),     CHIP(IR3_A7XX, "a750"),
    CHIP(IR3_A7XX, "x1-45"),      CHIP(IR3_A7XX, "x1-85"),      GENERATION(IR3_A8XX, "a8xx"), CHIP(IR3_A8XX, "a830"),
    CHIP(IR3_A8XX, "a840"),       CHIP(IR3_A8XX, "x2-85"),
};

/* Other spellings of mnemonics; see isa_text.old_names. */
static const struct isa_old_name old_names[] = {
    {"mov", "cov"}, /* the types decide which of the two it is */
    {NULL, NULL},
};

extern const char ir3_manual[]; /* manual.md */

/* An instruction is issued once, once more for each repeat, and idle slots follow it. */
static bool issue_cost(const struct gpucode_insn *insn, struct gpucode_cost *cost)
{
    unsigned category = ir3_category(insn->bits);
    unsigned repeat = insn->row == IR3_RAW || category > 4 ? 0
                      : category ? ir3_repeat(insn->bits & ~ir3_rows.rows[insn->row].facts.mask)
                                 : ir3_bits(insn->bits & ~ir3_rows.rows[insn->row].facts.ignored, 42, 40);
    *cost = (struct gpucode_cost){1 + repeat + (insn->row == IR3_RAW ? 0 : ir3_nops(insn->bits)), "slots"};
    return true;
}

const struct isa ir3_isa = {
    .name = "ir3",
    .title = "ir3, shaders of Adreno 4xx to 8xx",
    .manual = ir3_manual,
    .unit_bytes = 8,
    .facts = {.calls = true, .float_registers = true, .threads = true, .fixed_size = true, .whole_code = true},
    .targets =
        {
            .generations = generations,
            .list = targets,
            .count = sizeof targets / sizeof *targets,
            .shared_names = true,
        },
    .text =
        {
            .rows = &ir3_rows,
            .operand_classes = ir3_kinds,
            .print = ir3_rows_text,
            .parse = ir3_rows_parse,
            .syntax = {.comment = ";", .octal = true},
            .whole = true,
            .old_names = old_names,
            .refine = ir3_refine,
            .space_names = space_names,
            .comment = ir3_comment,
        },
    .assembler = &ir3_assembler,
    .timing = {.cost = issue_cost},
};
