/* SPDX-License-Identifier: MIT */
/* ir3 as an instruction set: the struct that plugs it into everything else. */
#include "isa/ir3/ir3.h"

static const char *const generations[] = {"a4xx", "a5xx", "a6xx", "a7xx", "a8xx", NULL};

/* From GPUCODE_SPACE_COUNT on: enum gpucode_a3xx_space begins in the same way. */
static const char *const space_names[] = {"half", "const", NULL};

/* CHIP(generation, name, part of it: enum ir3_part, whether the name is that of the generation) */
#define CHIPS                                                                                                          \
    CHIP(A4XX, "a4xx", 4XX, true)                                                                                      \
    CHIP(A4XX, "a405", 4XX, false)                                                                                     \
    CHIP(A4XX, "a420", 4XX, false)                                                                                     \
    CHIP(A4XX, "a430", 4XX, false)                                                                                     \
    CHIP(A5XX, "a5xx", 5XX, true)                                                                                      \
    CHIP(A5XX, "a505", 5XX, false)                                                                                     \
    CHIP(A5XX, "a506", 5XX, false)                                                                                     \
    CHIP(A5XX, "a508", 5XX, false)                                                                                     \
    CHIP(A5XX, "a509", 5XX, false)                                                                                     \
    CHIP(A5XX, "a510", 5XX, false)                                                                                     \
    CHIP(A5XX, "a512", 5XX, false)                                                                                     \
    CHIP(A5XX, "a530", 5XX, false)                                                                                     \
    CHIP(A5XX, "a540", 5XX, false)                                                                                     \
    CHIP(A6XX, "a6xx", 6XX, true)                                                                                      \
    CHIP(A6XX, "a605", 6_LOW, false)                                                                                   \
    CHIP(A6XX, "a608", 6_LOW, false)                                                                                   \
    CHIP(A6XX, "a610", 6_LOW, false)                                                                                   \
    CHIP(A6XX, "a612", 6_LOW, false)                                                                                   \
    CHIP(A6XX, "a615", 6_1, false)                                                                                     \
    CHIP(A6XX, "a616", 6_1, false)                                                                                     \
    CHIP(A6XX, "a618", 6_1, false)                                                                                     \
    CHIP(A6XX, "a619", 6_1, false)                                                                                     \
    CHIP(A6XX, "a620", 6_1, false)                                                                                     \
    CHIP(A6XX, "a621", 6_3, false)                                                                                     \
    CHIP(A6XX, "a623", 6_3, false)                                                                                     \
    CHIP(A6XX, "a630", 6_1, false)                                                                                     \
    CHIP(A6XX, "a635", 6_4, false)                                                                                     \
    CHIP(A6XX, "a640", 6_2, false)                                                                                     \
    CHIP(A6XX, "a643", 6_4, false)                                                                                     \
    CHIP(A6XX, "a644", 6_4, false)                                                                                     \
    CHIP(A6XX, "a650", 6_3, false)                                                                                     \
    CHIP(A6XX, "a660", 6_4, false)                                                                                     \
    CHIP(A6XX, "a663", 6_4, false)                                                                                     \
    CHIP(A6XX, "a680", 6_2, false)                                                                                     \
    CHIP(A6XX, "a690", 6_4, false)                                                                                     \
    CHIP(A6XX, "a702", 702, false)                                                                                     \
    CHIP(A7XX, "a7xx", 7XX, true)                                                                                      \
    CHIP(A7XX, "a32", 7_2, false)                                                                                      \
    CHIP(A7XX, "a725", 7_1, false)                                                                                     \
    CHIP(A7XX, "a730", 7_1, false)                                                                                     \
    CHIP(A7XX, "a735", 7_2, false)                                                                                     \
    CHIP(A7XX, "a740", 7_2, false)                                                                                     \
    CHIP(A7XX, "a740v3", 7_2, false)                                                                                   \
    CHIP(A7XX, "a750", 7_3, false)                                                                                     \
    CHIP(A7XX, "x1-45", 7_2, false)                                                                                    \
    CHIP(A7XX, "x1-85", 7_2, false)                                                                                    \
    CHIP(A8XX, "a8xx", 8XX, true)                                                                                      \
    CHIP(A8XX, "a830", 830, false)                                                                                     \
    CHIP(A8XX, "a840", 840, false)                                                                                     \
    CHIP(A8XX, "x2-85", 840, false)
#define CHIP(number, text, part, all)                                                                                  \
    {.name = "ir3:" text,                                                                                              \
     .isa = &ir3_isa,                                                                                                  \
     .description = "shaders of Adreno " text,                                                                         \
     .generation = IR3_##number,                                                                                       \
     .is_generation = all},
static const struct gpucode_target targets[] = {CHIPS};
#undef CHIP

/*
 * Register file and waves by part of a generation; of a generation as a whole what its smallest usual part has, and no
 * feature that only some parts have.
 */
static const struct ir3_chip parts[] = {
    [IR3_4XX] = {.vectors = 48, .waves = 16, .step = 2, .consts = 512},
    [IR3_5XX] = {.vectors = 48, .waves = 16, .step = 2, .consts = 512},
    [IR3_6XX] = {.vectors = 64, .waves = 16, .step = 2, .consts = 512},
    [IR3_6_LOW] = {.vectors = 48, .waves = 16, .step = 1, .consts = 512, .known = true},
    [IR3_6_1] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .known = true},
    [IR3_6_2] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .known = true},
    [IR3_6_3] = {.vectors = 64, .waves = 16, .step = 2, .consts = 512, .known = true, .scalar = true, .dp2 = true},
    [IR3_6_4] = {.vectors = 64,
                 .waves = 16,
                 .step = 2,
                 .consts = 512,
                 .known = true,
                 .scalar = true,
                 .dp2 = true,
                 .later = true},
    [IR3_702] = {.vectors = 48, .waves = 16, .step = 1, .consts = 128, .known = true},
    [IR3_7XX] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .scalar = true, .dp2 = true, .later = true},
    [IR3_7_1] = {.vectors = 96,
                 .waves = 16,
                 .step = 2,
                 .consts = 512,
                 .known = true,
                 .scalar = true,
                 .dp2 = true,
                 .later = true},
    [IR3_7_2] = {.vectors = 96,
                 .waves = 16,
                 .step = 2,
                 .consts = 512,
                 .known = true,
                 .scalar = true,
                 .dp2 = true,
                 .later = true},
    [IR3_7_3] = {.vectors = 96,
                 .waves = 16,
                 .step = 2,
                 .consts = 512,
                 .known = true,
                 .scalar = true,
                 .dp2 = true,
                 .later = true},
    [IR3_8XX] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .scalar = true, .later = true},
    [IR3_830] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .known = true, .scalar = true, .later = true},
    [IR3_840] = {.vectors = 128, .waves = 16, .step = 2, .consts = 512, .known = true, .scalar = true, .later = true},
};

const struct ir3_chip *ir3_chip(const struct gpucode_target *target)
{
#define CHIP(number, text, part, all) IR3_##part,
    static const uint8_t part_of[] = {CHIPS};
#undef CHIP
    return &parts[part_of[target - targets]];
}

/* Other spellings of mnemonics; see isa_text.old_names. */
static const struct isa_old_name old_names[] = {
    {"mov", "cov"}, /* the types decide which of the two it is */
    {NULL, NULL},
};

extern const char ir3_manual[]; /* manual.md */

/* An instruction is issued once, once more for each repeat, and idle slots follow it. */
static bool issue_cost(const struct gpucode_insn *insn, struct gpucode_cost *cost)
{
    *cost = (struct gpucode_cost){ir3_steps(insn) + (insn->row == IR3_RAW ? 0 : ir3_nops(insn->bits)), "slots"};
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
