/* SPDX-License-Identifier: MIT */
/* A3XX, the shader instruction set of Adreno 3xx: what the files of this folder share. */
#ifndef ISA_IR3_A3XX_A3XX_H
#define ISA_IR3_A3XX_A3XX_H

#include "isa/assembler.h"
#include "isa/ir3/a3xx/text/fields.h"
#include "isa/ir3/family.h"
#include "isa/ir3/machine/number.h"
#include "isa/ir3/text/text.h"
#include "isa/ir3/timing/paths.h"
#include "isa/isa.h"
#include "isa/scan.h"

/* Numbers of the rows of insn.def. */
enum a3xx_row {
#define INSN(id, ...) A3XX_##id,
#include "isa/ir3/text/insn.def"
#undef INSN
    A3XX_ROW_COUNT
};

/* gpucode_format_options.style */
enum a3xx_style { A3XX_SEED, A3XX_MESA };

extern const struct isa a3xx_isa;
extern const struct isa_row_set a3xx_rows;
extern const struct isa_operand_class a3xx_kinds[];
extern isa_row_text *const a3xx_rows_text[]; /* by row: operands.c */
extern const struct isa_row_parser a3xx_rows_parse[];
extern const struct isa_assembler a3xx_assembler;
extern const struct shader_family *const a3xx_families[];
extern const struct shader_spaces a3xx_spaces; /* machine/spaces.c */
extern shader_type_names a3xx_type_names;

/* --- bits ---------------------------------------------------------------------------------------------- */

static inline bool a3xx_is_half(enum a3xx_type type)
{
    const unsigned half = 1u << A3XX_F16 | 1u << A3XX_U16 | 1u << A3XX_S16 | 1u << A3XX_U8 | 1u << A3XX_S8;
    return half >> type & 1;
}

static inline bool a3xx_is_special(unsigned number) /* a0, p0 */
{
    return number >= A3XX_A0 && number < A3XX_R63;
}

#define A3XX_CONDITION_COUNT 6

static inline bool a3xx_two_sources(const struct isa_row *row) /* of category 2 */
{
    return !(row->facts.ignored & A3XX_MASK(SECOND));
}

/* What the row says of itself: enum a3xx_mark. */
static inline uint32_t a3xx_marks(unsigned row)
{
    return a3xx_rows.rows[row].marks;
}

/* Where control goes from an instruction of the row. */
static inline enum gpucode_flow_kind a3xx_flow(unsigned row)
{
    const struct isa_row *facts = &a3xx_rows.rows[row];
    for (unsigned i = 0; i < facts->effect_count; i++)
        if (facts->effects[i].verb == ISA_EFFECT_FLOW)
            return (enum gpucode_flow_kind)facts->effects[i].use;
    return GPUCODE_FLOW_NEXT;
}

/* Does it change memory, or may it? */
static inline bool a3xx_stores(unsigned row)
{
    const struct isa_row *facts = &a3xx_rows.rows[row];
    for (unsigned i = 0; i < facts->effect_count; i++)
        if (facts->effects[i].verb == ISA_EFFECT_MEMORY)
            return facts->effects[i].use & GPUCODE_USE_WRITE;
    return false;
}

/* Modifiers that sources may have: A3XX_NEG, A3XX_ABS. */
static inline unsigned a3xx_modifiers(uint32_t marks)
{
    return (marks & SHADER_MARK_NEG ? A3XX_NEG : 0) | (marks & SHADER_MARK_ABS ? A3XX_ABS : 0);
}

/* Category 2 and 4: immediates come from the table of floats. That of bary.f is the number of a varying. */
static inline bool a3xx_takes_floats(uint32_t marks)
{
    return (marks & (SHADER_MARK_FLOATS | SHADER_MARK_VARYING)) == SHADER_MARK_FLOATS;
}

/* Categories 2 to 4: are the sources of 16 bits? */
static inline bool a3xx_half_sources(uint64_t bits, uint32_t marks)
{
    return shader_category(bits) == 3 ? marks & SHADER_MARK_HALF : !(bits & A3XX_FULL);
}

/* Components that say where a texture instruction looks. */
static inline unsigned a3xx_place_components(uint64_t bits)
{
    return a3xx_has_flag(bits, A3XX_TEXTURE_3D) ? 3 : 2;
}

#define A3XX_COORDINATES_PADDED 4 /* values in front of given derivatives */

/* And all that the first source has where the level is not given by derivatives. */
static inline unsigned a3xx_coordinate_components(uint64_t bits)
{
    return a3xx_place_components(bits) + a3xx_has_flag(bits, A3XX_TEXTURE_ARRAY) +
           a3xx_has_flag(bits, A3XX_TEXTURE_SHADOW) + a3xx_has_flag(bits, A3XX_TEXTURE_PROJECTED);
}

/* Category 6: does the field of this letter hold a number, and not the number of a register? */
static inline bool a3xx_is_number(char letter, uint64_t bits)
{
    return letter == '4'   ? A3XX_FIELD(bits, SLOT_IS_NUMBER)
           : letter == '6' ? A3XX_FIELD(bits, ATOMIC_FIRST_IS_NUMBER)
           : letter == '9' ? A3XX_FIELD(bits, ATOMIC_SECOND_IS_NUMBER)
                           : false;
}

/* isa_take() of one byte of punctuation. */
static inline bool a3xx_take_mark(struct isa_scan *scan, char mark)
{
    isa_skip(scan);
    if (scan->at >= scan->end || *scan->at != mark)
        return false;
    scan->at++;
    return true;
}

/* Does the row have a field of this letter? The letters say which operands a row has (rows.h). */
static inline bool a3xx_has_letter(unsigned row, char letter)
{
    for (unsigned i = 0; i < a3xx_rows.rows[row].field_count; i++)
        if (a3xx_rows.rows[row].fields[i].letter == letter)
            return true;
    return false;
}

/* --- word.c --------------------------------------------------------------------------------------------- */

/* Instruction `index` of a shader's bytes, which must reach that far. */
struct gpucode_insn a3xx_insn_at(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index);
/* The same, with the bits that its text shows in {rsv 0x...} only. */
struct gpucode_insn a3xx_insn_known(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index,
                                    uint64_t *reserved);

/* --- word.c: explaining ------------------------------------------------------------------------------------------ */

/*
 * Does the row's text bring the word back? False when an operand is undefined or one that the assembler refuses.
 * *reserved receives the bits that are set and that the text shows in {rsv 0x...} only.
 */
bool a3xx_explain(const struct isa_row *row, uint64_t bits, uint64_t *reserved);
/*
 * In place of gpucode_format_options.user, without a label callback: the caller knows that nothing is reserved, which
 * takes longest to find out.
 */
extern const char a3xx_nothing_reserved[1];
/* isa.refine: the row, or the raw row. */
int a3xx_refine(const struct gpucode_target *target, int row, uint64_t bits);
/* Category 2 and 4: does a source show whether sources are half or full? */
bool a3xx_shows_width(const struct isa_row *row, uint64_t bits);

/* --- parts.c: names ------------------------------------------------------------------------------------------ */

/* "c<a0.x + 4>" with the file's letter. */
char *a3xx_put_relative(char *at, char file, int offset, bool half);

/* --- parts.c: immediates ------------------------------------------------------------------------------------------ */

/*
 * "(0.500000)", or the bits in hex where decimal digits say nothing (NaN with payload). `half`: f16 bits;
 * `marked`: with an h.
 */
char *a3xx_put_float(char *at, uint32_t bits, bool half, bool marked);

struct a3xx_float {
    bool marked_half; /* written with h */
    uint32_t bits;    /* the value rounded to f16 or f32 */
    const char *start;
    size_t span;
};
/* Takes "(1.5)" or "h(1.5)", as f16 where `half`; false: no float literal stands here. */
bool a3xx_take_float(struct isa_scan *scan, bool half, struct a3xx_float *value);

/* --- everything else ------------------------------------------------------------------------------------- */

#define A3XX_PRINT(name)                                                                                               \
    char *a3xx_print_##name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,                  \
                            const struct gpucode_format_options *options)
#define A3XX_PARSE(name)                                                                                               \
    bool a3xx_parse_##name(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)

/*
 * Some operands are read by these where they stand as in listings, and else by A3XX_PARSE(): returns the place after
 * the one at `at`, or null. Only for a scan that is quiet.
 */
#define A3XX_READ(name)                                                                                                \
    const char *a3xx_read_##name(const char *at, struct isa_scan *scan, struct isa_build *build,                       \
                                 const struct isa_field *field)
A3XX_READ(predicate);
A3XX_READ(target);
A3XX_READ(sampler);
A3XX_READ(texture);
A3XX_READ(move_destination);
A3XX_READ(move_source);
A3XX_READ(destination);
A3XX_READ(first);
A3XX_READ(second);
A3XX_READ(mad_first);
A3XX_READ(mad_second);
A3XX_READ(mad_third);
A3XX_READ(reserved);

/* isa_operand_class.store and .range of immediates of moves, of offsets in memory. */
bool a3xx_store_move_immediate(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded);
void a3xx_range_move_immediate(const struct isa_field *field, int64_t *low, int64_t *high);
void a3xx_range_signed(const struct isa_field *field, int64_t *low, int64_t *high);

#define OPERAND(letter, name, role, functions, store)                                                                  \
    A3XX_PRINT(functions);                                                                                             \
    A3XX_PARSE(functions);
ROW_OPERANDS(OPERAND)
#undef OPERAND

/* isa_build.parse_state while a category 2 or 4 instruction is read. */
enum {
    A3XX_PARSED_HALF_RESULT = 1,
    A3XX_PARSED_SPECIAL_RESULT = 2,
    A3XX_PARSED_WIDTH = 4,      /* a source showed its width ... */
    A3XX_PARSED_HALF = 8,       /* ... and it is half */
    A3XX_PARSED_CONST = 16,     /* a const was read */
    A3XX_PARSED_IMMEDIATE = 32, /* an immediate was read */
    A3XX_PARSED_DESTINATION_RELATIVE = 64,
    A3XX_PARSED_FLAG_SHIFT = 8, /* flags.c: which flags were read */
};

bool a3xx_check(struct isa_scan *scan, struct isa_build *build, const char *start);
enum gpucode_status a3xx_layout(struct isa_layout *layout, struct arena *arena,
                                const struct gpucode_image_options *options);
void a3xx_disassemble(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                      struct isa_lines *list);
/* The listing's comment on a word that the raw row took, or nothing. */
char *a3xx_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options);
/* isa_text.own_register */
bool a3xx_own_register(const char *text, size_t length, unsigned *space, uint32_t *number);
/* access.c: struct isa_operand_class.resolve by the roles of rows.h, struct isa_text.refine_operands, .refine_effects
 */
#define A3XX_RESOLVE(name)                                                                                             \
    void a3xx_resolve_##name(const struct gpucode_insn *insn, const struct isa_field *field,                           \
                             struct gpucode_operand *operand)
A3XX_RESOLVE(offset);
A3XX_RESOLVE(target);
void a3xx_refine_operands(const struct gpucode_insn *insn, struct gpucode_operand *operands, unsigned count);
void a3xx_refine_effects(const struct gpucode_insn *insn, struct isa_effects *effects);

/* --- what the '@' lines of a shader's source say, for running it and for reports ---------------------------------- */

/*
 * Reading names of registers and consts: r12.x, hc3.w, a0.x, c<a0.x + 4>; and what sources of categories 2 to 4 share.
 */

/* Takes any register form. IS_NOTHING: none begins here, nothing taken. False with an error noted. */
bool a3xx_take_any_name(struct isa_scan *scan, struct shader_name *name);

/* a3xx_take_any_name(), quick where the name is spelt as listings spell it. */
static inline __attribute__((always_inline)) bool a3xx_take_name(struct isa_scan *scan, struct shader_name *name)
{
    const char *behind = shader_read_name(scan->at, scan->end, name);
    if (behind) {
        scan->at = behind;
        return true;
    }
    struct shader_name other;
    bool good = a3xx_take_any_name(scan, &other);
    *name = other;
    return good;
}

/* Takes a general register of the given width; `what` for the message. */
bool a3xx_take_gpr(struct isa_scan *scan, bool half, const char *what, unsigned *number);
/* "a const", "a relative operand", ... */
const char *a3xx_what_text(enum shader_what what);

/* --- what the sources of categories 2 to 4 share: modifiers, offsets from a0.x, refusals -------------------------- */

enum { A3XX_REPEATED = 4 }; /* (r), beside A3XX_NEG and A3XX_ABS */

extern const char a3xx_move_first[]; /* a hint */

char *a3xx_put_modifiers(char *at, unsigned modifiers);
/* Takes those that the row may have, in any order; false with an error noted when one is written twice or not allowed.
 */
bool a3xx_take_modifiers(struct isa_scan *scan, const struct isa_row *row, unsigned *modifiers);
/* The same of listings: the place after them; null: look closer. */
const char *a3xx_read_modifiers(const char *at, const char *end, const struct isa_row *row, unsigned *modifiers);
/* An operand of this kind cannot stand here; false. */
bool a3xx_refuse_operand(struct isa_scan *scan, struct shader_name name, const char *text, const char *hint);
/* The bits of a relative operand's offset; false with an error noted when it is out of range. */
bool a3xx_take_offset(struct isa_scan *scan, struct shader_name name, unsigned *bits);

/* The checker of A3XX, as far as it is not that of all shaders. */

#define A3XX_NOTES "A3XX notes, "

/* What needs no path: words, flags without effect, targets, the end. */
void a3xx_check_words(struct a3xx_check *check);

/*
 * Which registers an instruction reads and writes, and how a repeat changes that: for the public record, the listing,
 * the checker of schedules and the emulator. The row says which operands there are and what is done with them; their
 * forms lie in the bits. Nothing is kept.
 */

/*
 * All accesses of the instruction's first step, sources first in the order of the text, results last; a0.x read for
 * relative operands is an access too (source 0, not written). r63 stands for nothing and is left out.
 * Returns how many, at most A3XX_ACCESS_MAX.
 */
unsigned a3xx_accesses(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX]);

/* The instruction that step `step` of a repeat amounts to: without flags, with registers stepped. */
uint64_t a3xx_step(const struct gpucode_insn *insn, unsigned step);

#endif
