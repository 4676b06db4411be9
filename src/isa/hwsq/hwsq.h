/* SPDX-License-Identifier: MIT */
/* HWSQ, the hardware sequencer in the PBUS unit of NVIDIA GPUs: what the files of this folder share. */
#ifndef ISA_HWSQ_HWSQ_H
#define ISA_HWSQ_HWSQ_H

#include "isa/assembler.h"
#include "isa/hwsq/text/rows.h"
#include "isa/isa.h"
#include "isa/names.h"

/* Numbers of GPUCODE_SPACE_GENERAL, per slot. */
enum hwsq_general {
    HWSQ_GENERAL_IP,
    HWSQ_GENERAL_RUNNING,
    HWSQ_GENERAL_ILLEGAL,
    HWSQ_GENERAL_ADDR,
    HWSQ_GENERAL_DATA,
    HWSQ_GENERAL_COUNT
};

/* Numbers of the rows of insn.def. */
enum hwsq_row {
#define INSN(id, ...) HWSQ_##id,
#include "isa/hwsq/text/insn.def"
#undef INSN
    HWSQ_ROW_COUNT
};

/* What is known of a variant, and of the chipset if the target is one; gpucode_target.chip. */
struct hwsq_chip {
    const char *chipset; /* "G94"; null: the target is a variant */
    uint32_t id;         /* chipset field of PMC.ID; 0 for a variant */
    uint32_t code_bytes; /* code RAM */
    uint32_t window;     /* where the host writes all of it */
    uint8_t slots;       /* 1 or 2 */
    bool unknown_hangs;  /* an unknown opcode lights "illegal" and hangs; else it is one byte that does nothing */
};

extern const struct isa hwsq_isa;
extern const struct isa_row_set hwsq_rows;
extern const struct isa_operand_class hwsq_kinds[];
extern isa_row_text *const hwsq_rows_text[]; /* by row: operands.c */
extern const struct isa_row_parser hwsq_rows_parse[];
extern const struct isa_assembler hwsq_assembler;
extern const struct isa_lint hwsq_lint;
extern const struct gpucode_target hwsq_targets[];

/* Targets: the variants, and the chipsets that have other names than their variants. */
enum {
#define CHIPSET(symbol, ...) HWSQ_TARGET_##symbol,
#define NAMESAKE(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef CHIPSET
#undef NAMESAKE
#undef NO_HWSQ
    HWSQ_CHIP_COUNT,
    HWSQ_TARGET_COUNT = HWSQ_CHIP_COUNT + HWSQ_GENERATIONS,
};

static inline const struct hwsq_chip *hwsq_chip_of(const struct gpucode_target *target)
{
    return target->chip;
}

/* The target of a chipset by the chipset field of PMC.ID; null: unknown, or without HWSQ. */
const struct gpucode_target *hwsq_target_of_id(const struct isa *set, uint32_t id);

void hwsq_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                      struct isa_lines *list);

/* isa.label_use */
enum isa_label_use hwsq_label_use(const struct isa_layout *layout, unsigned section, uint32_t unit,
                                  const struct gpucode_names *names, const char *name, size_t length);

/*
 * First line of our own listings: `//! target hwsq:g94`, with ` oversize` where the code is larger than the code
 * RAM. It is a comment for everybody else.
 */
#define HWSQ_MARK "//! target "
#define HWSQ_MARK_OVERSIZE " oversize"

/* Registers that are video memory: the window PRAMIN. */
#define HWSQ_PRAMIN 0x700000
#define HWSQ_PRAMIN_END 0x800000

/* Units of a wait opcode: length << shift. */
static inline uint64_t hwsq_wait_units(unsigned opcode)
{
    return (uint64_t)(opcode & 3) << 2 * (opcode >> 2 & 15);
}

/* --- Name sets of HWSQ targets, made from data/hwsq/sets.tsv: spaces GPU (byte addresses), FLAG and EVENT --------- */

extern const struct isa_names hwsq_names_nv17; /* no events */
extern const struct isa_names hwsq_names_nv41;
extern const struct isa_names hwsq_names_nv50;
extern const struct isa_names hwsq_names_nv92;

#endif
