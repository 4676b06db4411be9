/* SPDX-License-Identifier: MIT */
/* Compares two versions of a small firmware: a mask is wider, and something is put in front of it. */
#include <gpucode/asm.h>
#include <gpucode/compare.h>
#include <stdio.h>

#define HEADER "[016ee002]\n[#jumptbl]\n"
#define TABLE "jumptbl:\n.jumptbl\n"
#define NOP "CP_NOP:\nwaitin\nmov $01, $data\n"

struct version {
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
};

static bool open_version(struct version *version, const char *source, size_t size)
{
    return gpucode_assemble(source, size, NULL, &version->program) == GPUCODE_OK &&
           gpucode_image_open(gpucode_program_bytes(version->program), gpucode_program_size(version->program), NULL,
                              &version->image) == GPUCODE_OK &&
           gpucode_analyse(version->image, NULL, &version->analysis) == GPUCODE_OK;
}

static void close_version(struct version *version)
{
    gpucode_analysis_free(version->analysis);
    gpucode_image_free(version->image);
    gpucode_program_free(version->program);
}

int main(void)
{
    static const char before[] = HEADER "call #level\nnop\n" NOP "level:\nand $02, $12, 0x3\nret\nnop\n" TABLE;
    static const char after[] =
        HEADER "mov $03, 0x1\ncall #level\nnop\n" NOP "level:\nand $02, $12, 0x7\nret\nnop\n" TABLE;
    struct version old, new;
    struct gpucode_comparison *comparison;
    if (!open_version(&old, before, sizeof before - 1) || !open_version(&new, after, sizeof after - 1) ||
        gpucode_compare(old.analysis, new.analysis, &comparison) != GPUCODE_OK)
        return 1;
    const struct gpucode_compared_section *section = gpucode_comparison_section(comparison, 0);
    for (uint32_t i = 0; i < section->function_count; i++) {
        char name[GPUCODE_NAME_MAX];
        gpucode_analysis_name(new.analysis, 0, section->functions[i].function[GPUCODE_NEW], name, sizeof name);
        printf("%s: %s\n", name, gpucode_change_name(section->functions[i].change));
    }
    const struct gpucode_edit *edit;
    for (unsigned i = 0; (edit = gpucode_comparison_edit(comparison, i)); i++)
        printf("%s, %u times\n", edit->text, (unsigned)edit->count);
    gpucode_comparison_free(comparison);
    close_version(&old);
    close_version(&new);
    return 0;
}
