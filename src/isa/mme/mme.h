/* SPDX-License-Identifier: MIT */
/* MME, the macro method expander of NVIDIA's graphics classes: what the files of this folder share. */
#ifndef ISA_MME_MME_H
#define ISA_MME_MME_H

#include "base/pages.h"
#include "isa/isa.h"
#include "isa/mme/text/rows.h"

/* Numbers of the rows of insn.def. */
enum mme_row {
#define INSN(id, ...) MME_##id,
#include "isa/mme/text/insn.def"
#undef INSN
    MME_ROW_COUNT
};

#define MME_REGISTERS 8

/* Registers of MME_SPACE_SPECIAL. */
enum mme_special {
    MME_CARRY,
    MME_METHOD,     /* byte address that the next send goes to */
    MME_INCREMENT,  /* what is added to it then */
    MME_HAS_METHOD, /* was it ever set? */
    MME_LEFT,       /* parameters not taken */
    MME_SPECIALS
};

/* Words of code RAM; addresses count from the macro's start. Source: envytools, envydis/macro.c */
#define MME_CODE_WORDS 0x800

/* What a listing begins with of which nothing else says that it is a macro's. */
#define MME_MARK "//! target mme:fermi"

extern const struct isa mme_isa;
extern const struct isa_row_set mme_rows;
extern const struct isa_operand_class mme_kinds[];
extern isa_row_text *const mme_rows_text[]; /* by row: operands.c */
extern const struct isa_row_parser mme_rows_parse[];
extern const struct isa_assembler mme_assembler;
extern const struct isa_lint mme_lint;
extern const struct isa_machine mme_machine;

static inline uint32_t mme_word_at(const struct isa_layout *layout, uint32_t unit)
{
    return page_word(layout->bytes + 4 * (size_t)unit);
}

/* Parts of a word, wherever it is clear that it has them. */
static inline unsigned mme_exit(uint32_t word)
{
    return word >> 7 & 1;
}
static inline unsigned mme_destination(uint32_t word)
{
    return word >> 8 & 7;
}
static inline unsigned mme_source(uint32_t word)
{
    return word >> 11 & 7;
}
static inline unsigned mme_second_source(uint32_t word)
{
    return word >> 14 & 7;
}
static inline unsigned mme_operation(uint32_t word)
{
    return word >> 17 & 31;
}
static inline bool mme_annul(uint32_t word)
{
    return word >> 5 & 1;
}
static inline int32_t mme_immediate(uint32_t word)
{
    return (int32_t)(word >> 14 ^ 1u << 17) - (1 << 17);
}

bool mme_is_branch(int row);

/* isa_text.refine_effects, .own_register, .default_label and .label_use */
void mme_refine_effects(const struct gpucode_insn *insn, struct isa_effects *effects);
bool mme_own_register(const char *text, size_t length, unsigned *space, uint32_t *number);
bool mme_default_label(const char *name, size_t length, int64_t *address);
enum isa_label_use mme_label_use(const struct isa_layout *layout, unsigned section, uint32_t unit,
                                 const struct gpucode_names *names, const char *name, size_t length);
void mme_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                     struct isa_lines *lines);

/* isa.refine: reserved operations are not instructions. */
int mme_refine(const struct gpucode_target *target, int row, uint64_t bits);

#endif
