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
    /*
     * A statement of the instruction set's own that is no instruction: a raw word, a directive.
     * 1 taken, 0 not mine, -1 wrong (error noted in the scan).
     */
    int (*statement)(struct asm_context *context, struct isa_scan *scan);
    /* Called once before the first byte is emitted, with the final target. */
    bool (*begin)(struct asm_context *context);
    /* Called when a `.section` ends the current one (name of the new one) and at the end of the source (null). */
    bool (*end_section)(struct asm_context *context, const char *next, size_t next_length);
    /* Called when all labels are known; may write into the image. */
    bool (*finish)(struct asm_context *context);
    /* Finds the target in the source before it is assembled (a first literal, a directive); null: none named. */
    const struct gpucode_target *(*detect)(const char *text, size_t length);
    uint64_t padding;      /* what `.align` pads whole units with */
    uint64_t (*pad)(const struct gpucode_target *target); /* the same where it depends on the target; may be null */
};

/* Offered by asm/ to the hooks above. */
void asm_emit(struct asm_context *context, uint64_t bits, unsigned size);
/* A field of the emitted unit at the current place gets its value later. Call before asm_emit(). */
bool asm_defer(struct asm_context *context, struct isa_scan *scan, const struct isa_build *build);

#endif
