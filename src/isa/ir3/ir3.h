/* SPDX-License-Identifier: MIT */
/* ir3, the shader instruction set of Adreno 4xx to 8xx: what the files of this folder share. */
#ifndef ISA_IR3_IR3_H
#define ISA_IR3_IR3_H

#include "isa/assembler.h"
#include "isa/ir3/family.h"
#include "isa/ir3/text/rows.h"
#include "isa/ir3/text/text.h"
#include "isa/ir3/timing/paths.h"
#include "isa/isa.h"
#include "isa/scan.h"

/* Numbers of the rows of insn.def. */
enum ir3_row {
#define INSN(id, ...) IR3_##id,
#include "isa/ir3/text/insn.def"
#undef INSN
    IR3_ROW_COUNT
};

/* The rows of mov and cov; mova has other results. */
#define IR3_IS_MOVE(row) ((row) <= IR3_COV && (row) != IR3_MOVA)

/* Numbers of generations: gpucode_target.generation. */
enum ir3_generation { IR3_A4XX, IR3_A5XX, IR3_A6XX, IR3_A7XX, IR3_A8XX, IR3_GENERATIONS };

/* gpucode_target.choices, of the policies in ir3.c: what is done with words that two rows explain; slots. */
enum ir3_choice { IR3_AMBIGUOUS_OLD = 1, IR3_AMBIGUOUS_WORD = 2, IR3_COUNT_ISSUE = 4 };
/* gpucode_target.timing, after the generations: a5xx with (nopN), a8xx with the delays of a7xx. */
enum { IR3_A5XX_NOPS = IR3_GENERATIONS, IR3_A8XX_SOONER };

/* Parts of generations, which differ in register files and features. */
enum ir3_part {
    IR3_4XX,
    IR3_5XX,
    IR3_6XX,
    IR3_6_LOW,
    IR3_6_1,
    IR3_6_2,
    IR3_6_3,
    IR3_6_4,
    IR3_702,
    IR3_7XX,
    IR3_7_1,
    IR3_7_2,
    IR3_7_3,
    IR3_8XX,
    IR3_830,
    IR3_840
};
struct ir3_chip {
    uint16_t vectors, consts; /* of registers of a pair of waves; of consts, for all stages but compute */
    uint8_t waves, step;      /* at most; and by how many more */
    bool known;               /* a chip: what it lacks is known too */
    bool scalar;              /* operations on shared registers */
    bool dp2;                 /* dp2acc */
    bool later;               /* getfiberid, movs, dp4acc, isam.v */
};
const struct ir3_chip *ir3_chip(const struct gpucode_target *target);

extern const struct isa ir3_isa;
extern const struct isa_row_set ir3_rows;
extern const struct isa_operand_class ir3_kinds[];
extern isa_row_text *const ir3_rows_text[];
extern const struct isa_row_parser ir3_rows_parse[];
extern const struct isa_assembler ir3_assembler;
extern const struct isa_machine ir3_machine;
extern const struct shader_family *const ir3_families[]; /* timing/family.c */
extern const struct shader_spaces ir3_spaces;            /* machine/spaces.c */

/* --- bits: no other place knows the number of one ---------------------------------------------------------------- */

#define IR3_BIT(number) (UINT64_C(1) << (number))
#define IR3_MASK(high, low) ((~UINT64_C(0) >> (63 - (high) + (low))) << (low))

#define IR3_SY IR3_BIT(60)
#define IR3_JP IR3_BIT(59)
#define IR3_SS IR3_BIT(44)
/* category 0 */
#define IR3_EQ IR3_BIT(48)
#define IR3_EOLM IR3_BIT(32)
#define IR3_EOGM IR3_BIT(33)
#define IR3_EOSTSC IR3_BIT(34)
/* categories 1 to 4 */
#define IR3_UL IR3_BIT(45)
#define IR3_SAT IR3_BIT(42)
#define IR3_REPEATS IR3_MASK(41, 40)
#define IR3_FIRST_R IR3_BIT(43)  /* (r) of the first source; without a repeat a part of (nopN) */
#define IR3_LAST_BIT IR3_BIT(10) /* category 1: (last) */
#define IR3_RELATIVE_MOVE IR3_BIT(11)
#define IR3_RELATIVE_CONST IR3_BIT(10)
#define IR3_CONVERTS IR3_BIT(46)
#define IR3_FULL IR3_BIT(52)       /* category 2 and 4: sources have 32 bits */
#define IR3_EI IR3_BIT(47)         /* category 2 */
#define IR3_SECOND_R_2 IR3_BIT(51) /* category 2 */
#define IR3_SECOND_R_3 IR3_BIT(15) /* category 3 */
#define IR3_THIRD_R IR3_BIT(29)
#define IR3_FIRST_NEG IR3_BIT(14)
#define IR3_SECOND_NEG IR3_BIT(30)
#define IR3_THIRD_NEG IR3_BIT(31)
#define IR3_EITHER_FULL IR3_BIT(42)   /* shrm and its like */
#define IR3_MATRIX_FULL IR3_BIT(31)   /* wmm: its sources; */
#define IR3_MATRIX_RESULT IR3_BIT(46) /* its results */
/* category 5 */
#define IR3_LOOK_FULL IR3_BIT(0)
#define IR3_LOOK_P IR3_BIT(53)
#define IR3_LOOK_O IR3_BIT(52)
#define IR3_LOOK_INDIRECT IR3_BIT(51) /* bindless, or sampler and texture in a register */
#define IR3_LOOK_S IR3_BIT(50)
#define IR3_LOOK_A IR3_BIT(49)
#define IR3_LOOK_3D IR3_BIT(48)
#define IR3_LOOK_CLP IR3_BIT(18)
#define IR3_BASE_LOW IR3_BIT(47)
#define IR3_BASE_HIGH IR3_MASK(20, 19)

/* category 6 */
#define IR3_STORES IR3_BIT(40) /* stg */

static inline unsigned ir3_bits(uint64_t bits, unsigned high, unsigned low)
{
    return (unsigned)(bits >> low & (~UINT64_C(0) >> (63 - high + low)));
}

static inline unsigned ir3_repeat(uint64_t bits)
{
    return ir3_bits(bits, 41, 40);
}

/* Types, as categories 1, 5 and 6 have them. */
enum ir3_type { IR3_F16, IR3_F32, IR3_U16, IR3_U32, IR3_S16, IR3_S32, IR3_U8, IR3_U8_32, IR3_TYPES };
#define IR3_HALF_TYPES (1u << IR3_F16 | 1u << IR3_U16 | 1u << IR3_S16 | 1u << IR3_U8)
static inline unsigned ir3_source_type(uint64_t bits) /* category 1 */
{
    return ir3_bits(bits, 52, 50);
}
static inline unsigned ir3_result_type(uint64_t bits)
{
    return ir3_bits(bits, 48, 46);
}
static inline bool ir3_half_move(unsigned type) /* in category 1 u8_32 is half, too */
{
    return (IR3_HALF_TYPES | 1u << IR3_U8_32) >> type & 1;
}
static inline unsigned ir3_memory_type(uint64_t bits) /* category 6 */
{
    return ir3_bits(bits, 51, 49);
}

/* Register numbers count components: r1.y is 5. Those from IR3_SHARED on the wave has once. */
enum { IR3_SHARED = 48 * 4, IR3_SHARED_END = 56 * 4 };
enum { IR3_A0 = 61 * 4, IR3_P0 = 62 * 4, IR3_LAST_HALF_SHOWN = IR3_P0 - 1, IR3_R63 = 63 * 4 };

/* How often it is issued: one more than its repeats. */
unsigned ir3_steps(const struct gpucode_insn *insn);
/* Category 2 and 3, and no repeat: (r) of both sources are the number of idle slots. */
static inline unsigned ir3_nops(uint64_t bits)
{
    unsigned category = shader_category(bits);
    if (ir3_repeat(bits) || (category != 2 && category != 3))
        return 0;
    bool second = bits & (category == 2 ? IR3_SECOND_R_2 : IR3_SECOND_R_3);
    return ((bits & IR3_FIRST_R) != 0) + 2u * second;
}

/*
 * A source of category 2 and 4 has 16 bits: modifiers, three for its form, eleven for what it is. Category 3 has the
 * low 13 of them and other forms from a8xx on.
 */
enum ir3_form {
    IR3_FORM_GPR,
    IR3_FORM_RELATIVE,
    IR3_FORM_RELATIVE_CONST,
    IR3_FORM_CONST,
    IR3_FORM_NUMBER,
    IR3_FORM_FLOAT,      /* an entry of the table of floats */
    IR3_FORM_HALF_FLOAT, /* as f16 */
    IR3_FORM_NONE
};
enum ir3_form ir3_form_2(unsigned source);
/* Where others have a const, does the first or third source of the row have a number? */
bool ir3_takes_numbers(const struct isa_row *row, bool first);
enum ir3_form ir3_form_3(const struct isa_row *row, unsigned generation, unsigned source, bool first);

/* Where the values of texture instructions that name no descriptors stand: bits 31:29 where bit 51 is set. */
struct ir3_mode {
    bool in_register, uniform, nonuniform, bindless, a1;
};
extern const struct ir3_mode ir3_modes[8];
static inline const struct ir3_mode *ir3_mode(uint64_t bits)
{
    return &ir3_modes[ir3_bits(bits, 31, 29)];
}
/* What the last two bits of a word's sampler and texture are, by generation, where a1.x has a part of them. */
enum ir3_a1_form { IR3_A1_BOTH, IR3_A1_SAMPLER, IR3_A1_TEXTURE };
extern const uint8_t ir3_a1_forms[IR3_GENERATIONS];
/* Does the text show a second source? */
bool ir3_shows_second(const struct isa_row *row, uint64_t bits);

/* --- shown.c ------------------------------------------------------------------------------------------------------ */

/*
 * The word that the text of a word stands for, {rsv 0x...} left out. False: an operand has no form, and no row's text
 * brings the word back.
 */
bool ir3_shown(const struct isa_row *row, unsigned generation, uint64_t bits, uint64_t *shown);
/* isa_text.refine */
int ir3_refine(const struct gpucode_target *target, int row, uint64_t bits);

/* --- names.c ------------------------------------------------------------------------------------------------------ */

#define IR3_CONST_VECTORS 512

/* shader_read_name() where nobody wants to know which parts of a line are read. */
static inline __attribute__((always_inline)) const char *ir3_read_name(const char *at, const struct isa_scan *scan,
                                                                       struct shader_name *name)
{
    return scan->listener ? NULL : shader_read_name(at, scan->end, name);
}

/* "r1.y", "hc3.x", "a0.x", "r<a0.x + 4>"; IS_NOTHING: none begins here, nothing taken. False with an error noted. */
bool ir3_take_name(struct isa_scan *scan, struct shader_name *name);
/* A register; *half: written with h. */
bool ir3_take_register(struct isa_scan *scan, unsigned *number, bool *half);
/* The same where the instruction says how wide it is. */
bool ir3_take_register_of(struct isa_scan *scan, bool want_half, unsigned *number);
/* Notes that a register is wanted here, and what to do where a number stands; returns false. */
bool ir3_no_register(struct isa_scan *scan);
/* "c<a0.x + 4>"; `zero`: also for offset 0. */
char *ir3_put_relative(char *at, char file, int offset, bool half, bool zero);

/* --- names.c: numbers and floats
 --------------------------------------------------------------------------------- */

/* A number from `low` to `high`, decimal, octal, hex or an expression; `what` for the message. */
bool ir3_take_number(struct isa_scan *scan, int64_t low, int64_t high, const char *what, int64_t *value);
/* Is a number within these? False, with an error at what was read since `start`. */
bool ir3_in_range(struct isa_scan *scan, const char *start, int64_t value, int64_t low, int64_t high, const char *what);
/* Is the number that began at `start` and was taken a float? It is noted that those stand in parentheses. */
bool ir3_is_bare_float(struct isa_scan *scan, const char *start);
/* Six digits after the point, as the reference prints floats of 32 or 16 bits. */
char *ir3_put_float(char *at, uint32_t bits, bool half);
/* The bits that such a text reads back as. */
uint32_t ir3_float_shown(uint32_t bits, bool half);
/* "0.5", "-inf", "nan" of `length` bytes; false: it is something else. */
bool ir3_read_float(const char *text, size_t length, bool half, uint32_t *bits);
/* What stands in the parentheses that open at scan->at: moves after them. False: something else stands here. */
bool ir3_take_parentheses(struct isa_scan *scan, const char **text, size_t *length);

/* --- operands
 * --------------------------------------------------------------------------------------------------------- */

#define IR3_PRINT(name)                                                                                                \
    char *ir3_print_##name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,                   \
                           const struct gpucode_format_options *options)
#define IR3_PARSE(name)                                                                                                \
    bool ir3_parse_##name(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
/* The same from `at`: the place after it, or null. What listings have is read there, the rest by ir3_parse_NAME(). */
#define IR3_READ(name)                                                                                                 \
    const char *ir3_read_##name(const char *at, struct isa_scan *scan, struct isa_build *build,                        \
                                const struct isa_field *field)
IR3_READ(destination);
IR3_READ(first);
IR3_READ(second);
IR3_READ(three_first);
IR3_READ(three_second);
IR3_READ(three_third);
IR3_READ(move_destination);
IR3_READ(move_source);
IR3_READ(reserved);
IR3_READ(predicate);
IR3_READ(target);
IR3_READ(texture_destination);
IR3_READ(coordinates);
IR3_READ(parameters);
IR3_READ(descriptors);
#define OPERAND(letter, name, role, functions)                                                                         \
    IR3_PRINT(functions);                                                                                              \
    IR3_PARSE(functions);
ROW_OPERANDS(OPERAND)
#undef OPERAND
extern shader_type_names ir3_type_names;
/* Takes `text` exactly here, without white space in front of it. */
static inline bool ir3_take_here(struct isa_scan *scan, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, text, length) != 0)
        return false;
    scan->at += length;
    return true;
}
/* The same of a suffix: nothing that belongs to a name follows. */
static inline bool ir3_take_suffix(struct isa_scan *scan, const char *text)
{
    const char *start = scan->at;
    if (scan->end - start < 2 || *start != *text || (text[1] && start[1] != text[1]) || !ir3_take_here(scan, text))
        return false;
    if (scan->at == scan->end || !isa_name_byte(*scan->at))
        return true;
    scan->at = start;
    return false;
}
static inline const struct isa_row *ir3_row(const struct gpucode_insn *insn)
{
    return &ir3_rows.rows[insn->row];
}
/* Fields in two pieces have the low bits in the first one. */
static inline unsigned ir3_low_first(const struct isa_field *field, uint64_t bits)
{
    unsigned value = (unsigned)isa_field_get(field, bits);
    if (field->pieces != 2)
        return value;
    unsigned width = field->piece[1].width;
    return value >> width | (value & ((1u << width) - 1)) << field->piece[0].width;
}
static inline uint64_t ir3_set_low_first(const struct isa_field *field, uint64_t bits, unsigned value)
{
    if (field->pieces == 2) {
        unsigned width = field->piece[0].width;
        value = (value & ((1u << width) - 1)) << field->piece[1].width | value >> width;
    }
    return isa_field_set(field, bits, value);
}

/* isa_build.parse_state while an instruction is read. */
enum {
    IR3_PARSED_NOPS = 1,  /* (nopN) */
    IR3_PARSED_STEPS = 2, /* (r) on a source of category 2 or 3 */
    IR3_PARSED_HALF_RESULT = 4,
    IR3_PARSED_WIDTH = 8, /* a source showed its width ... */
    IR3_PARSED_HALF = 16, /* ... and it is half */
    IR3_PARSED_WEAK = 32, /* one that need not: a number, a float of the table */
    IR3_PARSED_WEAK_HALF = 64,
    IR3_PARSED_TYPE = 128, /* category 5: a type */
    IR3_PARSED_RCK = 256,
    IR3_PARSED_S2EN = 512,
    IR3_PARSED_UNIFORM = 1024,
    IR3_PARSED_NONUNIFORM = 2048,
    IR3_PARSED_BASE = 4096
};

/* isa_text.own_register, .refine_operands, .refine_effects */
bool ir3_own_register(const char *text, size_t length, unsigned *space, uint32_t *number);
void ir3_refine_operands(const struct gpucode_insn *insn, struct gpucode_operand *operands, unsigned count);
void ir3_refine_effects(const struct gpucode_insn *insn, struct isa_effects *effects);
char *ir3_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options);
bool ir3_default_label(const char *name, size_t length, int64_t *address);

/* What sources of categories 2, 3 and 4 have in common. */

/* Are the sources of 16 bits? */
static inline bool ir3_half_sources(const struct isa_row *row, uint64_t bits)
{
    if (shader_category(bits) != 3)
        return !(bits & IR3_FULL);
    return row->marks & IR3_MARK_EITHER   ? !(bits & IR3_EITHER_FULL)
           : row->marks & IR3_MARK_MATRIX ? !(bits & IR3_MATRIX_FULL)
                                          : row->marks & SHADER_MARK_HALF;
}

/* Modifiers of a source, in any order. */
struct ir3_modifiers {
    bool neg, abs, steps, last;
    const char *start;
    size_t span;
};

/* A width that a source shows; all that must be shown are to be the same. */
static inline bool ir3_agrees(struct isa_build *build, const struct shader_name *name)
{
    unsigned *state = &build->parse_state;
    if (*state & IR3_PARSED_WIDTH && name->half != ((*state & IR3_PARSED_HALF) != 0))
        return false;
    *state |= IR3_PARSED_WIDTH | (name->half ? IR3_PARSED_HALF : 0);
    return true;
}

/* "(1.0)", "h(pi)", and numbers of entries that have no value: "h335". */
enum ir3_literal { IR3_LITERAL_NUMBER, IR3_LITERAL_FLOAT, IR3_LITERAL_ENTRY, IR3_LITERAL_WRONG };

/* The checker of ir3, as far as it is not that of all shaders. */

/* What needs no path: words, what a generation or chip lacks, operands that compilers keep apart, the end. */
void ir3_check_words(struct a3xx_check *check);

#endif
