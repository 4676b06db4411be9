/* SPDX-License-Identifier: MIT */
/* How the functions of an operand kind are declared; operands.c alone includes them. */
#ifndef ISA_AFUC_TEXT_OPERAND_H
#define ISA_AFUC_TEXT_OPERAND_H

#include "afuc_messages.h"
#include "base/text.h"
#include "isa/afuc/text/meaning.h"
#include "isa/scan.h"
#include <stdio.h>
#include <string.h>

/* Inline: the functions of rows at the end are made of these, with fields that are constants. */
#define INLINE inline __attribute__((always_inline))
#define PRINT(name)                                                                                                    \
    static INLINE char *print_##name(char *at, const struct gpucode_insn *insn, const struct isa_field *field,         \
                                     const struct gpucode_format_options *options)
#define PARSE(name)                                                                                                    \
    static bool parse_##name(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
/* The operand at `at` as listings have it, and however else it may be written by PARSE(); the place after it, or null.
 */
#define READ(name)                                                                                                     \
    static INLINE const char *read_##name(const char *at, struct isa_scan *scan, struct isa_build *build,              \
                                          const struct isa_field *field)

#endif
