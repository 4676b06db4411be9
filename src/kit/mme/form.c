/* SPDX-License-Identifier: MIT */
/* Macros as C arrays, one for each section of a source, as envyas writes them for drivers. */
#include "front/output.h"
#include "front/session.h"
#include "kit/mme/kit.h"
#include <gpucode/asm.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes behind the last whole word stand as bytes: no compiler will make the macro of them, but `--hex` does. */
static void print_array(FILE *out, const char *name, const unsigned char *bytes, size_t size)
{
    fprintf(out, "uint32_t %s[] = {\n", *name ? name : "code");
    size_t i = 0;
    for (; i + 4 <= size; i += 4)
        fprintf(out, "\t0x%02x%02x%02x%02x,\n", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
    for (; i < size; i++)
        fprintf(out, "\t0x%02x,\n", bytes[i]);
    fputs("};\n", out);
}

int macro_form(struct session *session, const struct gpucode_program *program, const char *form, char **text,
               size_t *length)
{
    if (strcmp(form, "c") != 0)
        return EXIT_DONE;
    FILE *out = text_stream_open(text, length);
    if (!out)
        return out_of_memory(&session->diagnostics);
    struct gpucode_program_section section;
    const unsigned char *bytes = gpucode_program_bytes(program);
    for (unsigned i = 0; gpucode_program_section(program, i, &section); i++) {
        if (i)
            putc('\n', out);
        print_array(out, section.name, bytes + section.offset, section.size);
    }
    if (text_stream_close(out))
        return EXIT_DONE;
    free(*text);
    *text = NULL;
    return out_of_memory(&session->diagnostics);
}
