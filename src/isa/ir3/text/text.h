/* SPDX-License-Identifier: MIT */
/* What texts of all sets of the family have in common: names of registers, raw words, branches, what sources declare.
 */
#ifndef ISA_IR3_TEXT_TEXT_H
#define ISA_IR3_TEXT_TEXT_H

#include "isa/assembler.h"
#include "isa/ir3/machine/number.h"
#include "isa/scan.h"

/* "r1.y", "hr1.y", "a0.x", "p0.x": up to eight bytes may change. */
char *shader_put_register(char *at, unsigned number, bool half);
/* "c4.x" of the file with this letter, which has no other names; its number is below 1000. */
static inline char *shader_put_place(char *at, char file, unsigned number, bool half)
{
    unsigned index = number >> 2;
    *at = 'h';
    at += half;
    *at++ = file;
    if (index >= 100)
        *at++ = (char)('0' + index / 100);
    if (index >= 10)
        *at++ = (char)('0' + index / 10 % 10);
    *at++ = (char)('0' + index % 10);
    *at++ = '.';
    *at++ = "xyzw"[number & 3];
    return at;
}

/* --- names of registers and consts, plain and relative to a0.x --------------------------------------------------- */

/* What stands at the cursor where a register is wanted. */
enum shader_what {
    SHADER_IS_GPR,
    SHADER_IS_SPECIAL, /* a0, p0 and their like */
    SHADER_IS_CONST,
    SHADER_IS_RELATIVE,
    SHADER_IS_RELATIVE_CONST,
    SHADER_IS_NOTHING
};
/* Functions take it by value, so that it stays in registers where a name is as usual. */
struct shader_name {
    enum shader_what what;
    bool half;
    int number; /* or the offset */
    const char *start;
    size_t span;
};
/* What generations have of their own. */
struct shader_naming {
    message_id no_register, no_const;
    bool zeros; /* "r01.x" is r1.x */
    /* Sets what it is, and its number from that of the name, "r1.y" is 5; false: there is none. */
    bool (*settle)(struct shader_name *name, char file, unsigned number);
    /* The number after the sign of an offset; false with an error noted. */
    bool (*offset)(struct isa_scan *scan, int64_t *value);
};

/*
 * Takes any form of a register or a const whose letter, with an h or not, is at `at`, and whose name begins at the
 * cursor. IS_NOTHING: none begins here, nothing taken. False with an error noted.
 */
bool shader_take_name(struct isa_scan *scan, const char *at, const struct shader_naming *how, struct shader_name *name);
/*
 * A line has two or three names. As listings have them they are read where they are wanted, a byte after the other.
 */
/* Registers and consts by their letter: `count` of them, from number `first` on. */
struct shader_file {
    uint16_t first, count;
    uint8_t what;   /* enum shader_what */
    char letter;    /* 0: no file has a letter with these low bits */
    char unused[2]; /* eight bytes are found by a shift */
};
enum { SHADER_FILE_LETTERS = 32 };
extern const struct shader_file shader_files[SHADER_FILE_LETTERS]; /* by the letter's low five bits */

/*
 * Reads a letter at `at`, an h in front or not, up to three digits, a point and a component, where the name ends at a
 * comma, a newline, a space or a parenthesis, and returns its end; null: it is something else, or wrong.
 */
static inline __attribute__((always_inline)) const char *shader_read_name(const char *at, const char *end,
                                                                          struct shader_name *name)
{
    enum { LONGEST = 8 }; /* "hc127.x" and a byte after it */
    const char *start = at;
    if (end - at < LONGEST)
        return NULL;
    bool half = *at == 'h';
    at += half;
    const struct shader_file *file = &shader_files[(unsigned char)*at % SHADER_FILE_LETTERS];
    unsigned index = (unsigned char)(at[1] - '0'), digit;
    if (*at != file->letter || index > 9)
        return NULL;
    for (at += 2; *at != '.'; at++) {
        digit = (unsigned char)(*at - '0');
        if (digit > 9 || !index || index > 99)
            return NULL;
        index = index * 10 + digit;
    }
    unsigned component = (unsigned char)(at[1] - 'w'); /* w x y z */
    if (component > 3 || (unsigned char)at[2] > ',')   /* neither a point nor a byte of a name */
        return NULL;
    unsigned number = index * 4 + ((component + 3) & 3);
    if (number >= file->count)
        return NULL;
    at += 2;
    *name = (struct shader_name){
        .what = (enum shader_what)file->what,
        .half = half,
        .number = (int)(file->first + number),
        .start = start,
        .span = (size_t)(at - start),
    };
    return at;
}

/* Notes that the width is not the wanted one; returns false. */
bool shader_wrong_width(struct isa_scan *scan, struct shader_name name, bool want_half, message_id message);
/* 0 to 3, -1 for another letter. */
static inline int shader_component(char c)
{
    return c == 'x' ? 0 : c == 'y' ? 1 : c == 'z' ? 2 : c == 'w' ? 3 : -1;
}

/* --- floats that instructions have by a number ------------------------------------------------------------------ */

#define SHADER_FLOATS 12
/* An entry of their table: "1/pi", without parentheses, and its bits as f32; "?" and 0 where there is no such entry. */
const char *shader_entry_text(unsigned index);
uint32_t shader_entry_bits(unsigned index);
/* The entry with these bits, or this text; -1: there is none. */
int shader_entry_index(uint32_t bits);
int shader_entry_named(const char *text, size_t length);

/* --- parts of operands ------------------------------------------------------------------------------------------ */

/* "expected WHAT" exactly here: for parts that nothing may stand in front of, as suffixes of a mnemonic. */
static inline bool shader_expected_here(struct isa_scan *scan, const char *what)
{
    return isa_fail(scan, scan->at, 1, MSG_EXPECTED, NULL, what, -1, NULL);
}

/* Types of categories 1, 5 and 6: the last one has another name on some sets. Up to eight bytes may change. */
typedef const char shader_type_names[8][8];
static inline char *shader_put_type(char *at, shader_type_names names, unsigned type)
{
    memcpy(at, names[type], sizeof names[type]);
    return at + (type < A3XX_U8 ? 3 : names[type][2] ? 5 : 2);
}
/* A type at the cursor; -1: there is none. `u64`: the name of what is u8 else. */
int shader_take_type(struct isa_scan *scan, shader_type_names names, bool u64);

/* A predicate of category 0: twice its component, and whether it is inverted. */
static inline unsigned shader_predicate(const struct isa_field *field, uint64_t bits)
{
    unsigned shift = field->piece[0].shift;
    return (unsigned)(bits >> (field->width == 3 ? shift : shift - 1u) & 7);
}
static inline uint64_t shader_set_predicate(const struct isa_field *field, uint64_t bits, unsigned value)
{
    unsigned shift = field->piece[0].shift;
    return bits | (uint64_t)value << (field->width == 3 ? shift : shift - 1u);
}

/* The count of "(rptN)" or "(nopN)" at the cursor, and what follows it. */
bool shader_take_count(struct isa_scan *scan, uint64_t *count);

/* --- words, branches, declarations ------------------------------------------------------------------------------ */

/* Is the number known now? False, with an error: labels are in it. */
bool shader_is_known(struct isa_scan *scan, const struct isa_value *value);
/* How long a word is whose first `span` bytes are read, with what may follow in a float: "-1.4e-45" after "-1". */
size_t shader_float_span(const struct isa_scan *scan, const char *start, size_t span);

/* "0xHI_LO", the whole word of .insn. */
char *shader_put_word(char *at, uint64_t bits);
/* The same, or one number of up to 16 digits; `wrong`: what is said of anything else. */
bool shader_take_word(struct isa_scan *scan, struct isa_build *build, message_id wrong);

/* The label that the offset of a branch leads to, "#loop"; "#-22": there is none. */
char *shader_put_target(char *at, const struct gpucode_insn *insn, int64_t offset,
                        const struct gpucode_format_options *options);
/* "#-22" is an offset from the branch in a field of 16 or 32 bits, "#name" a label. */
bool shader_take_target(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field);
/* isa_operand_class.store and .range of such a field. */
bool shader_store_target(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded);
void shader_range_target(const struct isa_field *field, int64_t *low, int64_t *high);

/* What a source declares, in its order; what a set has at asm_state() begins with it. */
struct shader_declarations {
    struct shader_declared *first, *last;
};
/* isa_assembler.declaration */
bool shader_declaration(const void *state, unsigned index, struct gpucode_declaration *declaration);
/* What asm_state() has, of that size; made, and all zero, the first time. null: no memory. */
void *shader_state(struct asm_context *context, size_t size);
/* Adds a copy; `list` null, as no memory was left, is allowed. False: no memory. */
bool shader_declare(struct asm_context *context, struct shader_declarations *list,
                    const struct gpucode_declaration *declaration);

#endif
