/* SPDX-License-Identifier: MIT */
/* HWSQ as an instruction set: the struct that plugs it into everything else. */
#include "isa/hwsq/hwsq.h"

#include "base/text.h"
#include "isa/hwsq/machine/machine.h"

#include "hwsq_rows.inc"

static const char *const generations[] = {"nv17", "nv41", "nv50", "nv92", NULL};

/* The name of the register that a full address means; short ones need the history, which the listing has. */
char *hwsq_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    if (insn->row != HWSQ_ADDR)
        return at;
    char *text = TEXT_LITERAL(at, "\t// ");
    char *end = isa_name_of(insn->target->names, options->names, GPUCODE_SPACE_GPU, (uint32_t)(insn->bits >> 8), text);
    return end > text ? end : at;
}

const struct isa hwsq_isa = {
    .name = "hwsq",
    .title = "HWSQ, the hardware sequencer of NVIDIA NV17 to GT21x",
    .unit_bytes = 1,
    .facts = {.events = true, .entry_labels = true},
    .generations = generations,
    .targets = hwsq_targets,
    .target_count = HWSQ_TARGET_COUNT,
    .rows = &hwsq_rows,
    .operand_classes = hwsq_kinds,
    .syntax = {.comment = "//",
               .block_comments = true,
               .separator = ';',
               .octal = true,
               .any_case = true,
               .hash_comments = true},
    .find = hwsq_find,
    .comment = hwsq_comment,
    .label_use = hwsq_label_use,
    .layout = hwsq_layout,
    .disassemble = hwsq_disassemble,
    .assembler = &hwsq_assembler,
    .machine = &hwsq_machine,
    .lint = &hwsq_lint,
};
