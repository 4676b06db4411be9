/* SPDX-License-Identifier: MIT */
/* AFUC as an instruction set: the struct that plugs it into everything else. */
#include "isa/afuc/afuc.h"

#include "isa/scan.h"

/* The name of bl before 2024. */
static const struct isa_old_name old_names[] = {{"preemptleave", "bl"}, {NULL, NULL}};
static const char *const space_names[] = {"state", NULL};
static const char *const generations[] = {"a5xx", "a6xx", "a7xx", "gen8", NULL};

static const struct afuc_chip chips[AFUC_TARGET_COUNT] = {
#define CHIP(symbol, text, number, generation_, names_, features_, strap_, register_, value_, files, description_)     \
    [AFUC_TARGET_##symbol] = {.name = text,                                                                            \
                              .firmware = files,                                                                       \
                              .id = number,                                                                            \
                              .features = features_,                                                                   \
                              .strap = strap_,                                                                         \
                              .preset = register_,                                                                     \
                              .preset_value = value_},
#define GENERATION(...)
#include "isa/afuc/text/chips.def"
#undef CHIP
#undef GENERATION
};

const struct gpucode_target afuc_targets[AFUC_TARGET_COUNT] = {
#define CHIP(symbol, text, number, generation_, names_, features_, strap_, register_, value_, files, description_)     \
    [AFUC_TARGET_##symbol] = {.name = "afuc:" text,                                                                    \
                              .isa = &afuc_isa,                                                                        \
                              .description = description_,                                                             \
                              .generation = AFUC_##generation_,                                                        \
                              .names = &afuc_names_##names_,                                                           \
                              .chip = &chips[AFUC_TARGET_##symbol]},
#define GENERATION(symbol, text, generation_, names_, description_)                                                    \
    [AFUC_TARGET_##symbol] = {.name = "afuc:" text,                                                                    \
                              .isa = &afuc_isa,                                                                        \
                              .description = description_,                                                             \
                              .generation = AFUC_##generation_,                                                        \
                              .is_generation = true,                                                                   \
                              .names = &afuc_names_##names_},
#include "isa/afuc/text/chips.def"
#undef CHIP
#undef GENERATION
};

extern const char afuc_manual[]; /* manual.md */

const struct isa afuc_isa = {
    .name = "afuc",
    .alias = "qrisc",
    .title = "AFUC (QRisc), microcode of Adreno command processors",
    .manual = afuc_manual,
    .unit_bytes = 4,
    .facts = {.packets = true,
              .protected_registers = true,
              .calls = true,
              .delay_slots = true,
              .fixed_size = true,
              .words = true},
    .targets =
        {
            .generations = generations,
            .list = afuc_targets,
            .count = AFUC_TARGET_COUNT,
        },
    .text =
        {
            .rows = &afuc_rows,
            .operand_classes = afuc_kinds,
            .print = afuc_rows_text,
            .parse = afuc_rows_parse,
            .syntax = {.comment = ";", .newlines_are_space = true},
            .old_names = old_names,
            .refine_flow = afuc_refine_flow,
            .refine_effects = afuc_refine_effects,
            .fields = afuc_register_fields,
            .space_names = space_names,
            .comment = afuc_comment,
            .default_label = afuc_default_label,
            .own_register = afuc_own_register,
            .own_mark = '$',
            .label_use = afuc_label_use,
            .check = afuc_check,
        },
    .files =
        {
            .layout = afuc_layout,
            .handler = afuc_handler,
            .join = afuc_join,
        },
    .listing =
        {
            .disassemble = afuc_disassemble,
        },
    .assembler = &afuc_assembler,
    .machine = &afuc_machine,
    .timing = {.lint = &afuc_lint},
    .analysis = &afuc_analysis,
};
