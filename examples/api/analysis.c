/* SPDX-License-Identifier: MIT */
/* Shows the functions of a small firmware, and who writes one of its control registers. */
#include <gpucode/analysis.h>
#include <gpucode/asm.h>
#include <stdio.h>

static bool show(void *user, const struct gpucode_reference *reference)
{
    (void)user;
    if (reference->space == GPUCODE_SPACE_CONTROL && reference->has_value)
        printf("word %u writes 0x%x to control register 0x%x\n", reference->unit, (unsigned)reference->value,
               (unsigned)reference->number);
    return true;
}

int main(void)
{
    static const char source[] = "[016ee002]\n[#jumptbl]\n"
                                 "call #level\nmov $02, 0x2\n"
                                 "CP_NOP:\nwaitin\nmov $01, $data\n"
                                 "level:\ncwrite $02, [$00 + @IB_LEVEL]\nret\nnop\n"
                                 "jumptbl:\n.jumptbl\n";
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
    if (gpucode_assemble(source, sizeof source - 1, NULL, &program) != GPUCODE_OK ||
        gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), NULL, &image) != GPUCODE_OK ||
        gpucode_analyse(image, NULL, &analysis) != GPUCODE_OK)
        return 1;
    const struct gpucode_function *function;
    for (unsigned i = 0; (function = gpucode_analysis_function(analysis, 0, i)); i++) {
        char name[GPUCODE_NAME_MAX];
        gpucode_analysis_name(analysis, 0, i, name, sizeof name);
        printf("%s at %u: %u blocks, depth %d\n", name, function->start, (unsigned)function->block_count,
               function->depth);
    }
    enum gpucode_status status = gpucode_analysis_references(analysis, show, NULL);
    gpucode_analysis_free(analysis);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return status != GPUCODE_OK;
}
