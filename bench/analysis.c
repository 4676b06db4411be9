/* SPDX-License-Identifier: MIT */
/*
 * How long the analysis of AFUC code takes, and whether that grows with its size: images of functions that call one
 * another, with branches, loops and arithmetic, and of one function with branches from everywhere, from 32,768 words to
 * a million.
 */
#include "measure.h"

#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One function; %u are its number, and those of two that it calls. */
static const char body[] = "f%u:\nmov $02, $data\nmov $03, 0x1234 << 16\nor $03, $03, 0x5678\nmov $05, 0\n"
                           "l%ua:\nadd $05, $05, 1\nbreq $02, b3, #l%ub\nadd $04, $03, 0x10\ncall #f%u\nmov $06, 3\n"
                           "l%ub:\ncwrite $04, [$05 + @IB_LEVEL]\nand $07, $02, 0xff\nbrne $07, 0x5, #l%ua\nnop\n"
                           "call #f%u\nmov $08, $07\nmov $addr, 0x8a1\nmov $data, $03\nmov $data, $08\n"
                           "store $02, [$03 + 4]\nxor $09, $08, $03\nret\nmov $0a, 1\n";
#define BODY_WORDS 22u

static char *make_source(unsigned words, size_t *length)
{
    unsigned count = words / BODY_WORDS;
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    fprintf(out, "[01730001]\n[#jumptbl]\ncall #f%u\nnop\nCP_NOP:\nwaitin\nmov $01, $data\n", count - 1);
    for (unsigned i = 0; i < count; i++) {
        unsigned near = i ? i - 1 : 0, far = i / 2;
        fprintf(out, body, i, i, i, near, i, i, far);
    }
    fprintf(out, "jumptbl:\n.jumptbl\n");
    fclose(out);
    return text;
}

static bool count(void *user, const struct gpucode_reference *reference)
{
    (void)reference;
    ++*(size_t *)user;
    return true;
}

/* One function in which branches lead from everywhere to everywhere near, so that values meet again and again. */
static char *make_tangle(unsigned words, size_t *length)
{
    char *text = NULL;
    uint32_t state = 1;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    unsigned count = words / 4;
    fprintf(out, "[01730001]\n[#jumptbl]\n");
    for (unsigned i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        unsigned to = i + (state >> 16) % 1000;
        to = to < 500 ? 0 : to - 500 < count ? to - 500 : count - 1;
        fprintf(out, "l%u: add $%02x, $%02x, 0x%x\nbrne $%02x, 0x%x, #l%u\nnop\nxor $03, $02, $04\n", i, 2 + state % 16,
                2 + (state >> 4) % 16, (state >> 8) % 64, 2 + (state >> 20) % 16, (state >> 12) % 32, to);
    }
    fprintf(out, "CP_NOP:\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n");
    fclose(out);
    return text;
}

static void measure_image(const char *what, unsigned words, const void *bytes, size_t size)
{
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
    struct gpucode_notes *notes;
    const struct gpucode_image_options options = {.target = gpucode_target_find("afuc:a730")};
    size_t references = 0;
    if (gpucode_image_open(bytes, size, &options, &image) != GPUCODE_OK)
        fail("no image");
    double start = processor_now();
    enum gpucode_status status = gpucode_analyse(image, NULL, &analysis);
    double analysed = processor_now();
    if (status != GPUCODE_OK)
        fail("no analysis");
    gpucode_analysis_references(analysis, count, &references);
    double referred = processor_now();
    if (gpucode_notes_create(analysis, &notes) != GPUCODE_OK)
        fail("no notes");
    double noted = processor_now();
    gpucode_lint(image, NULL, NULL);
    double checked = processor_now();
    printf("%-8s %8u words: analysis %7.1f ms (%.2f us a word), references %7.1f ms (%zu), notes %7.1f ms, lint %7.1f "
           "ms\n",
           what, words, 1e3 * (analysed - start), 1e6 * (analysed - start) / words, 1e3 * (referred - analysed),
           references, 1e3 * (noted - referred), 1e3 * (checked - noted));
    gpucode_notes_free(notes);
    gpucode_analysis_free(analysis);
    gpucode_image_free(image);
}

static void measure(const char *what, unsigned words, char *(*make)(unsigned words, size_t *length))
{
    size_t length;
    char *text = make(words, &length);
    struct gpucode_program *program;
    struct gpucode_asm_options options = {.target = gpucode_target_find("afuc:a730"), .oversize = true};
    if (!text || gpucode_assemble(text, length, &options, &program) != GPUCODE_OK)
        fail("no program");
    measure_image(what, words, gpucode_program_bytes(program), gpucode_program_size(program));
    gpucode_program_free(program);
    free(text);
}

int main(void)
{
    for (unsigned words = 32768; words <= 1u << 20; words *= 2)
        measure("program", words, make_source);
    for (unsigned words = 32768; words <= 1u << 20; words *= 2)
        measure("tangle", words, make_tangle);
    return 0;
}
