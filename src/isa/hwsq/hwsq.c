/* SPDX-License-Identifier: MIT */
/* HWSQ as an instruction set: the struct that plugs it into everything else. */
#include "isa/hwsq/hwsq.h"

#include "isa/hwsq/machine/machine.h"
#include "isa/hwsq/names.h"

static const char *const generations[] = {"nv17", "nv41", "nv50", "nv92", NULL};

enum unknown { skip, hang };

/* NV17 and NV41 are chipsets as well; the other variants are those of several. */
static const struct hwsq_chip variants[HWSQ_GENERATIONS] = {
#define NAMESAKE(symbol, upper, lower, number, variant, code_bytes, window, slots, unknown)                            \
    [HWSQ_##variant] = {upper, number, code_bytes, window, slots, unknown == hang},
#define CHIPSET(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef NAMESAKE
#undef CHIPSET
#undef NO_HWSQ
    [HWSQ_NV50] = {NULL, 0, 0x100, 0x1400, 2, true},
    [HWSQ_NV92] = {NULL, 0, 0x200, 0x80000, 1, false},
};

static const struct hwsq_chip chips[] = {
#define CHIPSET(symbol, upper, lower, number, variant, code_bytes, window, slots, unknown)                             \
    {upper, number, code_bytes, window, slots, unknown == hang},
#define NAMESAKE(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef CHIPSET
#undef NAMESAKE
#undef NO_HWSQ
};
#define NAMES_NV17 hwsq_names_nv17
#define NAMES_NV41 hwsq_names_nv41
#define NAMES_NV50 hwsq_names_nv50
#define NAMES_NV92 hwsq_names_nv92

#define VARIANT(symbol, text, describes)                                                                               \
    {.name = "hwsq:" text,                                                                                             \
     .isa = &hwsq_isa,                                                                                                 \
     .description = describes,                                                                                         \
     .generation = HWSQ_##symbol,                                                                                      \
     .is_generation = true,                                                                                            \
     .names = &NAMES_##symbol,                                                                                         \
     .chip = &variants[HWSQ_##symbol]},

const struct gpucode_target hwsq_targets[] = {
    VARIANT(NV17, "nv17", "HWSQ of NV17 to NV40 and NV45: waits and flags, 64 bytes of code")
        VARIANT(NV41, "nv41", "HWSQ of NV41 to G73, C51, MCP61 to MCP73: events and register writes, 128 bytes of code")
            VARIANT(NV50, "nv50", "HWSQ of G80, G84, G86: 256 bytes of code")
                VARIANT(NV92, "nv92", "HWSQ of G92 to GT218, MCP77, MCP79, MCP89: one slot, 512 bytes of code")
#define CHIPSET(symbol, upper, lower, number, variant, ...)                                                            \
    {.name = "hwsq:" lower,                                                                                            \
     .isa = &hwsq_isa,                                                                                                 \
     .description = upper " (" #number "), HWSQ variant " #variant,                                                    \
     .generation = HWSQ_##variant,                                                                                     \
     .names = &NAMES_##variant,                                                                                        \
     .chip = &chips[HWSQ_TARGET_##symbol]},
#define NAMESAKE(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef CHIPSET
#undef NAMESAKE
#undef NO_HWSQ
};
_Static_assert(sizeof hwsq_targets / sizeof *hwsq_targets == HWSQ_TARGET_COUNT, "every chipset is a target");

extern const char hwsq_manual[]; /* manual.md */

/* A unit is nominally a microsecond. */
static bool wait_cost(const struct gpucode_insn *insn, struct gpucode_cost *cost)
{
    unsigned opcode = (unsigned)insn->bits & 0xff;
    if (opcode >= 0x40)
        return false;
    *cost = (struct gpucode_cost){hwsq_wait_units(opcode), "us"};
    return true;
}

const struct isa hwsq_isa = {
    .name = "hwsq",
    .title = "HWSQ, the hardware sequencer of NVIDIA NV17 to GT21x",
    .manual = hwsq_manual,
    .unit_bytes = 1,
    .facts = {.events = true, .entry_labels = true},
    .targets =
        {
            .generations = generations,
            .list = hwsq_targets,
            .count = HWSQ_TARGET_COUNT,
            .find = hwsq_find,
        },
    .text =
        {
            .rows = &hwsq_rows,
            .operand_classes = hwsq_kinds,
            .print = hwsq_rows_text,
            .parse = hwsq_rows_parse,
            .syntax = {.comment = "//",
                       .block_comments = true,
                       .separator = ';',
                       .octal = true,
                       .any_case = true,
                       .hash_comments = true},
            .comment = hwsq_comment,
            .fields = hwsq_register_fields,
            .label_use = hwsq_label_use,
        },
    .files =
        {
            .layout = hwsq_layout,
        },
    .listing =
        {
            .disassemble = hwsq_disassemble,
        },
    .assembler = &hwsq_assembler,
    .machine = &hwsq_machine,
    .timing =
        {
            .cost = wait_cost,
            .lint = &hwsq_lint,
        },
};
