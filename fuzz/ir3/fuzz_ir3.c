/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a shader of a4xx to a8xx, which the first byte picks, and as its source: a listing gives the bytes back,
 * whatever they are, and what a source assembles to has a listing that does.
 */
#include "check.h"
#include <gpucode/gpucode.h>
#include <string.h>

static const struct gpucode_target *target_of(uint8_t first)
{
    static const char *const names[] = {"ir3:a4xx", "ir3:a5xx", "ir3:a6xx", "ir3:a7xx", "ir3:a8xx"};
    return gpucode_target_find(names[first % 5]);
}

static enum gpucode_status assemble(const struct gpucode_target *target, const char *text, size_t length,
                                    struct gpucode_program **program)
{
    struct gpucode_asm_options options = {.target = target};
    return gpucode_assemble(text, length, &options, program);
}

static void list_and_assemble(const struct gpucode_target *target, const void *bytes, size_t size)
{
    struct gpucode_image_options options = {.target = target};
    struct gpucode_image *image;
    struct gpucode_program *program;
    char *text;
    size_t length;
    check(gpucode_image_open(bytes, size, &options, &image) == GPUCODE_OK);
    check(gpucode_disassemble(image, NULL, &text, &length) == GPUCODE_OK);
    check(assemble(target, text, length, &program) == GPUCODE_OK);
    check(gpucode_program_size(program) == size);
    check(!size || memcmp(gpucode_program_bytes(program), bytes, size) == 0);
    gpucode_program_free(program);
    gpucode_image_free(image);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    const struct gpucode_target *target = target_of(*bytes++);
    struct gpucode_program *program = NULL;
    list_and_assemble(target, bytes, (size - 1) / 8 * 8);
    if (assemble(target, (const char *)bytes, size - 1, &program) == GPUCODE_OK) {
        size_t length = gpucode_program_size(program);
        if (length % 8 == 0)
            list_and_assemble(target, gpucode_program_bytes(program), length);
    }
    gpucode_program_free(program);
    return 0;
}
