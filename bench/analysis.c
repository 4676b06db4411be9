/* SPDX-License-Identifier: MIT */
/*
 * How long the analysis of AFUC code takes, and whether that grows with its size: images of functions that call one
 * another, with branches, loops and arithmetic, from 32,768 words to a million.
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

static void measure(unsigned words)
{
    size_t length, references = 0;
    char *text = make_source(words, &length);
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
    struct gpucode_asm_options options = {.target = gpucode_target_find("afuc:a730")};
    if (!text || gpucode_assemble(text, length, &options, &program) != GPUCODE_OK ||
        gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), NULL, &image) != GPUCODE_OK)
        fail("no image");
    double start = processor_now();
    if (gpucode_analyse(image, NULL, &analysis) != GPUCODE_OK)
        fail("no analysis");
    double analysed = processor_now();
    gpucode_analysis_references(analysis, count, &references);
    double referred = processor_now();
    gpucode_lint(image, NULL, NULL);
    double checked = processor_now();
    printf("%8u words: analysis %7.1f ms (%.2f us a word), references %7.1f ms (%zu), lint %7.1f ms\n", words,
           1e3 * (analysed - start), 1e6 * (analysed - start) / words, 1e3 * (referred - analysed), references,
           1e3 * (checked - referred));
    gpucode_analysis_free(analysis);
    gpucode_image_free(image);
    gpucode_program_free(program);
    free(text);
}

int main(void)
{
    for (unsigned words = 32768; words <= 1u << 20; words *= 2)
        measure(words);
    return 0;
}
