/* SPDX-License-Identifier: MIT */
/* Any bytes, disassembled and assembled again, are the same bytes: for the kind they seem to be, and for any target. */
#include "given.h"

static void go_and_return(const uint8_t *bytes, size_t size, const struct gpucode_target *target, bool raw)
{
    struct gpucode_image_options options = {.target = target};
    struct gpucode_image *image;
    enum gpucode_status status = gpucode_image_open(bytes, size, &options, &image);
    check(status == GPUCODE_OK || (status == GPUCODE_ERROR_INPUT && !target));
    if (status != GPUCODE_OK)
        return;
    char *text;
    size_t length;
    struct gpucode_disasm_options how = {.raw = raw};
    check(gpucode_disassemble(image, &how, &text, &length) == GPUCODE_OK);
    check(strlen(text) == length);
    struct gpucode_program *program;
    const struct gpucode_asm_options again = {.target = target}; /* not all listings say what they are */
    check(gpucode_assemble(text, length, &again, &program) == GPUCODE_OK);
    check(gpucode_program_size(program) == size);
    check(!size || memcmp(gpucode_program_bytes(program), bytes, size) == 0);
    gpucode_program_free(program);
    free(text);
    gpucode_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    go_and_return(bytes, size, NULL, false);
    if (size > 1) {
        /* the first byte picks the target, the lowest bit of the second the form */
        go_and_return(bytes + 2, size - 2, given_target(bytes[0]), bytes[1] & 1);
    }
    return 0;
}
