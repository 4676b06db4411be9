/* SPDX-License-Identifier: MIT */
/* AFUC (QRisc), the instruction set of Adreno command processors: what the files of this folder share. */
#ifndef ISA_AFUC_AFUC_H
#define ISA_AFUC_AFUC_H

#include "isa/afuc/text/rows.h"
#include "isa/assembler.h"
#include "isa/isa.h"

/* Numbers of the rows of insn.def. */
enum afuc_row {
#define INSN(id, ...) AFUC_##id,
#include "isa/afuc/text/insn.def"
#undef INSN
    AFUC_ROW_COUNT
};

/* General registers with a meaning of their own. */
enum {
    REG_HEADER = 0x01,
    REG_SP = 0x1a,
    REG_LR = 0x1b,
    REG_REM = 0x1c,
    REG_ADDR = 0x1d,
    REG_USRADDR = 0x1e,
    REG_DATA = 0x1f,
    REG_NOWHERE = 0x20
};
/* As sources the last three are queues. */
enum { REG_MEMDATA = REG_ADDR, REG_REGDATA = REG_USRADDR, REG_FIRST_SPECIAL = REG_ADDR };
/* SQE registers. */
enum { SQE_PREEMPT_INSTR = 4, SQE_SP = 5, SQE_STACK = 8, STACK_DEPTH = 8 };

/* Position of each target in afuc_targets; AFUC_TARGET_COUNT ends the list. */
enum afuc_target_number {
#define CHIP(symbol, ...) AFUC_TARGET_##symbol,
#define GENERATION(symbol, ...) AFUC_TARGET_##symbol,
#include "isa/afuc/text/chips.def"
#undef CHIP
#undef GENERATION
    AFUC_TARGET_COUNT
};

/* What only some chips have. */
enum afuc_feature {
    AFUC_BV = 1 << 0,   /* a section for the binning processor BV */
    AFUC_LPAC = 1 << 1, /* a section for LPAC, the low-priority compute queue */
    AFUC_DDE = 1 << 2,  /* a section DDE */
    AFUC_AQE = 1 << 3,  /* a second firmware file, AQE, under the same id */
};

/* Nobody has told which id the firmware has: none of 12 bits is it. */
#define AFUC_ID_UNKNOWN 0xffff

/* What is known of a chip; gpucode_target.chip of a chip's target, null for a generation's. */
struct afuc_chip {
    const char *name;     /* "a630" */
    const char *firmware; /* files that carry the id: "a630_sqe" */
    uint16_t id;          /* bits 23:12 of the first word, or AFUC_ID_UNKNOWN */
    uint8_t features;     /* enum afuc_feature */
    uint8_t strap;        /* what boot code wants in bits 31:28 of control register 0; 0: nothing known */
    uint16_t preset;      /* another control register that boot code looks at, and its value; 0, 0: none known */
    uint32_t preset_value;
};

/* The straps alone, by the chip's symbol. */
enum afuc_strap {
#define CHIP(symbol, name, id, generation, names, features, strap, ...) AFUC_STRAP_##symbol = strap,
#define GENERATION(...)
#include "isa/afuc/text/chips.def"
#undef CHIP
#undef GENERATION
};

/* Defined by the instruction set's isa.c. */
extern const struct isa afuc_isa;

extern const struct gpucode_target afuc_targets[AFUC_TARGET_COUNT];

/* The target of the chip with that firmware id (12 bits), or null. */
const struct gpucode_target *afuc_target_of_id(const struct isa *set, uint32_t id);

/* Names of registers and packets, made from data/ at build time. */
extern const struct isa_names afuc_names_a5xx, afuc_names_a6xx, afuc_names_a7xx, afuc_names_a7xx_gen3, afuc_names_gen8;

/* isa.layout, isa.handler and isa.join of the instruction set. */
enum gpucode_status afuc_layout(struct isa_layout *layout, struct arena *arena,
                                const struct gpucode_image_options *options);
bool afuc_handler(const struct isa_layout *layout, unsigned section, unsigned entry, uint32_t *handler);
bool afuc_join(const struct isa_layout *first, const struct isa_layout *second, struct buffer *joined);
#define AFUC_SECTION_BYTES 32 /* sections begin at a multiple of this */

/* The instruction set's other parts, for its isa struct. */
extern const struct isa_row_set afuc_rows;
extern const struct isa_operand_class afuc_kinds[];
extern isa_row_text *const afuc_rows_text[]; /* by row: operands.c */
/*
 * The line of an instruction, its comment included but not the newline, as listings have it to which the caller brings
 * no names and asks for nothing special: what most are. Labels are made up; the target must be in the code.
 */
typedef char *afuc_line(char *restrict at, uint64_t bits, uint64_t address, const struct gpucode_target *target);
extern afuc_line *const afuc_rows_line[]; /* by row: operands.c */
extern const struct isa_row_parser afuc_rows_parse[];
/* Boot code loads %PREEMPT_INSTR at most so many words after the constant. */
#define AFUC_PREEMPT_WORDS 8
#define AFUC_NO_REGISTER 32
/* The number of %PREEMPT_INSTR; GPUCODE_NONE: the target has none. */
uint32_t afuc_preempt_number(const struct gpucode_target *target);
/* The register that a word, an instruction of the row AFUC_SWRITE, writes to %PREEMPT_INSTR, whose number is given;
 * AFUC_NO_REGISTER: it writes to something else. */
unsigned afuc_preempt_source(const struct gpucode_target *target, uint32_t preempt, uint64_t word);
/* A `.jumptbl` of a source: its section, and the unit there. */
struct afuc_table_place {
    unsigned section;
    uint64_t place;
};
/*
 * Warns of numbers that are where something stood before a listing was edited; `tables` has the first of each section,
 * at most four, in their order. Not for texts with `.places`.
 */
void afuc_warn_moved(struct asm_context *context, const struct afuc_table_place *tables, unsigned table_count);
extern const struct isa_assembler afuc_assembler;
extern const struct isa_machine afuc_machine; /* emulator.c */
extern const struct isa_analysis afuc_analysis;
extern const struct isa_lint afuc_lint;
void afuc_refine_flow(const struct gpucode_insn *insn, struct gpucode_flow *flow);
void afuc_refine_effects(const struct gpucode_insn *insn, struct isa_effects *list);
/* As gpucode_target_register_fields(): control and pipe registers. */
size_t afuc_register_fields(const struct gpucode_target *target, unsigned space, uint32_t number, uint64_t value,
                            struct gpucode_field_value *fields, size_t size);
/* Names of registers stand in place of immediates; style 0 has numbers, and the names in comments. */
#define AFUC_STYLE_NAMES 1
/* In that style: writes the name that can stand for the instruction's immediate; `at` itself where none can. */
char *afuc_immediate_text(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options);
static inline char *afuc_immediate_name(char *at, const struct gpucode_insn *insn,
                                        const struct gpucode_format_options *options)
{
    return options->style == AFUC_STYLE_NAMES ? afuc_immediate_text(at, insn, options) : at;
}
/* Does the row put an immediate into a register? It has two opcodes, by generation. */
static inline bool afuc_is_move(unsigned row)
{
    return row == AFUC_MOV_IMM || row == AFUC_MOV_IMM_A5XX;
}
/* The last field of a row; 0: it has none. */
static inline char afuc_last_letter(const struct isa_row *row)
{
    return row->field_count ? row->fields[row->field_count - 1].letter : 0;
}
/* Is that an immediate that may be the number of a register? Other rows have no comment. */
static inline bool afuc_letter_names(char letter)
{
    return letter == 'i' || letter == 'n';
}
static inline bool afuc_row_names(const struct isa_row *row)
{
    return afuc_letter_names(afuc_last_letter(row));
}
char *afuc_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options);
void afuc_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                      struct isa_lines *list);

/*
 * The name of a register operand or packet, as isa_name_of() gives it, where reading it means the number again; `at`
 * itself otherwise. Names that callers bring may be anything: those of built-in names, or of labels that listings make
 * up.
 */
char *afuc_name(const struct gpucode_target *target, const struct gpucode_names *names, enum gpucode_space space,
                uint32_t number, char *at);

/* Is it a label that listings make up ("l12", "fxn12", "jumptbl")? No packet handler has such a name. */
bool afuc_is_listing_label(const char *name, size_t length);

/* The word that a field of 26 bits leads to; negative numbers lead nowhere. */
static inline int64_t afuc_absolute_target(uint64_t field)
{
    int64_t target = (int64_t)field;
    return target >= 0x2000000 ? target - 0x4000000 : target;
}

/* Names of general registers ("$sp"), "" where there is none; where both differ the machine stores the destination. */
extern const char afuc_source_names[32][9], afuc_destination_names[32][9];
extern const uint8_t afuc_source_lengths[32], afuc_destination_lengths[32];
/* What stands in the text for a general register that the user has no name for: those names, or "$02"; not ended. */
extern const char afuc_source_texts[32][8], afuc_destination_texts[32][8];
extern const uint8_t afuc_source_text_lengths[32], afuc_destination_text_lengths[32];

/* isa.own_register and isa.label_use: "$02" and what looks like it; labels of listings and of packet handlers. */
bool afuc_own_register(const char *text, size_t length, unsigned *space, uint32_t *number);
enum isa_label_use afuc_label_use(const struct isa_layout *layout, unsigned section, uint32_t unit,
                                  const struct gpucode_names *names, const char *name, size_t length);

/* isa_text.default_label and .check. */
bool afuc_default_label(const char *name, size_t length, int64_t *address);
bool afuc_check(struct isa_scan *scan, struct isa_build *build, const char *start);

#define AFUC_TABLE_ENTRIES 128 /* of a packet table */

/* Opcode that a label of this name handles: 0 to 127, -1 none, -2 "UNKN" with a number that is too large. */
int afuc_packet_of(const struct gpucode_target *target, const struct gpucode_names *names, const char *name,
                   size_t length);

/* Does the text of this word, standing at `address` of a section with `code_words` words of code, bring it back? */
bool afuc_is_lossless(const struct gpucode_insn *insn, uint32_t code_words);

#endif
