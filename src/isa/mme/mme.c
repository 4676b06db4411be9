/* SPDX-License-Identifier: MIT */
/* MME as an instruction set: the struct that plugs it into everything else. */
#include "isa/mme/mme.h"

static const char *const generations[] = {"fermi", NULL};
static const char *const spaces[] = {"special", NULL};

extern const struct isa_names mme_names_fermi;

static const struct gpucode_target targets[] = {
    {.name = "mme:fermi",
     .isa = &mme_isa,
     .description = "MME of GF100 to GV100: macros of the graphics and compute classes",
     .generation = MME_GENERATION_FERMI,
     .is_generation = true,
     .names = &mme_names_fermi},
};

extern const char mme_manual[]; /* manual.md */

const struct isa mme_isa = {
    .name = "mme",
    .title = "MME, the macro method expander of NVIDIA GF100 to GV100",
    .manual = mme_manual,
    .unit_bytes = 4,
    .facts = {.delay_slots = true, .fixed_size = true, .words = true},
    .targets =
        {
            .generations = generations,
            .list = targets,
            .count = sizeof targets / sizeof *targets,
        },
    .text =
        {
            .rows = &mme_rows,
            .operand_classes = mme_kinds,
            .print = mme_rows_text,
            .parse = mme_rows_parse,
            .syntax = {.comment = "//",
                       .block_comments = true,
                       .separator = ';',
                       .octal = true,
                       .juxtaposed = true,
                       .modulo = true,
                       .file_labels = true,
                       .prefix = "exit"},
            .refine_effects = mme_refine_effects,
            .space_names = spaces,
            .default_label = mme_default_label,
            .own_register = mme_own_register,
            .label_use = mme_label_use,
        },
    .listing =
        {
            .disassemble = mme_disassemble,
        },
    .files = {.ending = ".mme"},
    .assembler = &mme_assembler,
    .machine = &mme_machine,
    .timing =
        {
            .lint = &mme_lint,
        },
};
