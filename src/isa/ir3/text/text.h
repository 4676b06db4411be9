/* SPDX-License-Identifier: MIT */
/* What texts of all sets of the family have in common: names of registers, raw words, branches, what sources declare.
 */
#ifndef ISA_IR3_TEXT_TEXT_H
#define ISA_IR3_TEXT_TEXT_H

#include "isa/assembler.h"
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

/* "0xHI_LO", the whole word of .insn. */
char *shader_put_word(char *at, uint64_t bits);
/* The same, or one number of up to 16 digits; `wrong`: what is said of anything else. */
bool shader_take_word(struct isa_scan *scan, struct isa_build *build, message_id wrong);

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
