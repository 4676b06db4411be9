/* SPDX-License-Identifier: MIT */
/* Declarations of a shader's source, `@in(r0.x) position` and its like, written again. */
#include "kit/a3xx/kit.h"

#include <inttypes.h>
#include <string.h>

/* "r1.y" */
static void write_register(FILE *out, const struct gpucode_declaration *declaration, uint32_t number)
{
    fprintf(out, "%s%c%" PRIu32 ".%c", declaration->half ? "h" : "", declaration->file, number / 4, "xyzw"[number % 4]);
}

static void write_place(FILE *out, const struct gpucode_declaration *declaration)
{
    fputc('(', out);
    write_register(out, declaration, declaration->first);
    if (declaration->count != 4) {
        fputc('-', out);
        write_register(out, declaration, declaration->first + declaration->count - 1);
    }
    fputc(')', out);
}

/* A declaration as sources have it: they are no code, and would be lost in the text of the binary. */
static void write_declaration(FILE *out, const struct gpucode_declaration *declaration)
{
    bool place_last = strcmp(declaration->kind, "buf") == 0 && declaration->value_count;
    fprintf(out, "@%s", declaration->kind);
    if (declaration->file && !place_last)
        write_place(out, declaration);
    else if (strcmp(declaration->kind, "sampler") == 0)
        fprintf(out, "(%" PRIu32 ")", declaration->first);
    for (unsigned i = 0; i < declaration->value_count; i++)
        fprintf(out, declaration->file == 'c' && !place_last ? "%s0x%" PRIx32 : "%s%" PRIu32, i ? ", " : " ",
                declaration->value[i]);
    if (declaration->file && place_last) {
        fputc(' ', out);
        write_place(out, declaration);
    }
    if (declaration->name)
        fprintf(out, " %s", declaration->name);
    fputc('\n', out);
}

void shader_declare(FILE *out, const struct gpucode_program *program)
{
    struct gpucode_declaration declaration;
    for (unsigned i = 0; gpucode_program_declaration(program, i, &declaration); i++)
        write_declaration(out, &declaration);
}
