/* SPDX-License-Identifier: MIT */
/*
 * What the assembler asks of an instruction set, and what it offers to the instruction set's own
 * directives. The assembler itself (asm/) knows labels, constants, macros, files and sections.
 */
#ifndef ISA_ASSEMBLER_H
#define ISA_ASSEMBLER_H

#include "isa/isa.h"
#include "isa/scan.h"

struct isa_assembler {
    /* Called before the first statement, with the whole text. null: nothing to do. */
    void (*begin)(struct asm_context *context, const char *text, size_t length);
    /*
     * A statement of the instruction set's own that is no instruction: a raw word, a directive.
     * 1 taken, 2 taken and another statement follows on the line, 0 not mine, -1 wrong (error noted in the scan).
     */
    int (*statement)(struct asm_context *context, struct isa_scan *scan);
    /* Called when a `.section` ends the current one and at the end of the source. May emit. null: nothing to do. */
    void (*end_section)(struct asm_context *context, bool last);
    /* Called when all labels have their values and fixups are done; may patch the output. null: nothing to do. */
    void (*finish)(struct asm_context *context);
    /* The target that the source itself names (a first literal); null: none. May be null. */
    const struct gpucode_target *(*detect)(const char *text, size_t length);
    /* One unit of padding for `.align` and `.org`. */
    uint64_t (*padding)(const struct gpucode_target *target);
    /* What the source declares, number `index`; `state` is *asm_state(). null: sources declare nothing. */
    bool (*declaration)(const void *state, unsigned index, struct gpucode_declaration *declaration);
    /* Bytes in front of the code, written as zeros (AFUC: 4). */
    size_t prefix;
};

/* --- offered by asm/ ---------------------------------------------------------------------------------- */

const struct gpucode_target *asm_target(const struct asm_context *context);
/* The caller's own names, or null. */
const struct gpucode_names *asm_names(const struct asm_context *context);
/* Appends `size` bytes, least significant first. */
void asm_emit(struct asm_context *context, uint64_t bits, unsigned size);
/*
 * The `width` lowest bits of what is emitted next (in `size` bytes) get this value, now or when its labels are known;
 * *bits receives what is known now. False with an error noted.
 */
bool asm_number(struct asm_context *context, struct isa_scan *scan, const struct isa_value *value, unsigned width,
                unsigned size, uint64_t *bits);
/* Units from the start of the current section. */
uint64_t asm_place(const struct asm_context *context);
/* Number of the current section, and of the bytes written before it. */
unsigned asm_current_section(const struct asm_context *context);
/* Writes over `size` bytes at `unit` of a section. */
void asm_patch(struct asm_context *context, unsigned section, uint64_t unit, uint64_t bits, unsigned size);
/* Label number `index` of all, in the order of definition; false behind the last. */
struct asm_label {
    const char *name;
    size_t length;
    unsigned section;
    uint64_t value;
};
bool asm_label_at(const struct asm_context *context, unsigned index, struct asm_label *label);
/* Reports an error at the place where label `index` was defined. */
void asm_label_error(struct asm_context *context, unsigned index, enum message message, const char *hint);
/* Leaves out the prefix; false when something was emitted already. */
bool asm_no_prefix(struct asm_context *context);
/* Memory that lives as long as the program, or null. */
void *asm_memory(struct asm_context *context, size_t size);
/* A pointer of the instruction set's own, null at first. */
void **asm_state(struct asm_context *context);
/* Defines a label at the current place; used by directives that name something, which stand at `at`. */
bool asm_define_label(struct asm_context *context, const char *name, size_t length, const char *at);
/* Did the caller allow more code than the target can hold? */
bool asm_oversize(const struct asm_context *context);
/* Bytes of code so far, all sections together. */
uint64_t asm_size(const struct asm_context *context);
/* Reports something that concerns the source as a whole. */
void asm_report_source(struct asm_context *context, enum message message, const char *hint, const char *first,
                       const char *second);
/* A value that an expression gives and that must be known where it stands; false with an error noted. */
bool asm_known(struct asm_context *context, int64_t *value);

#endif
