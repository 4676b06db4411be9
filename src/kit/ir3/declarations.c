/* SPDX-License-Identifier: MIT */
/* Declarations of a source, `@in(r0.x) position` and its like, written again: they are not code, and the text of the
 * binary lacks them. */
#include "kit/ir3/kit.h"

#include <inttypes.h>
#include <string.h>

/* Values from number `first` on, between commas. */
static void write_values(FILE *out, const struct gpucode_declaration *declaration, unsigned first)
{
    for (unsigned i = first; i < declaration->value_count; i++)
        fprintf(out, "%s0x%" PRIx32, i > first ? ", " : " ", declaration->value[i]);
}

static void write_declaration(FILE *out, const struct gpucode_declaration *declaration)
{
    bool buffer = strcmp(declaration->kind, "buf") == 0 || strcmp(declaration->kind, "ubo") == 0;
    fprintf(out, "@%s", declaration->kind);
    if (buffer)
        fprintf(out, " %" PRIu32 "%s", declaration->value[0], declaration->file ? " " : "");
    if (declaration->file)
        fprintf(out, "(%s%c%" PRIu32 ".%c)", declaration->half ? "h" : "", declaration->file, declaration->first / 4,
                "xyzw"[declaration->first % 4]);
    write_values(out, declaration, buffer);
    if (declaration->name && *declaration->name)
        fprintf(out, " %s", declaration->name);
    /* which of the components up to the last one it has is not kept */
    if (declaration->name && declaration->count < 4)
        fprintf(out, "(wrmask=0x%x)", (1u << declaration->count) - 1);
}

void ir3_declare(FILE *out, const struct gpucode_program *program)
{
    struct gpucode_declaration declaration;
    for (unsigned i = 0; gpucode_program_declaration(program, i, &declaration); i++) {
        if (strcmp(declaration.kind, "data") == 0) { /* what the buffer in front of it has no room for */
            fputc(',', out);
            write_values(out, &declaration, 0);
            continue;
        }
        if (i)
            fputc('\n', out);
        write_declaration(out, &declaration);
    }
    if (gpucode_program_declaration(program, 0, &declaration))
        fputc('\n', out);
}
