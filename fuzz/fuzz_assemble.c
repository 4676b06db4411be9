/* SPDX-License-Identifier: MIT */
/*
 * Any text as source. What assembles has a line for each unit, symbols that can be asked for, and a text of its own
 * that gives the same bytes; what does not has told at least one error.
 */
#include "given.h"

/* It includes itself now and then. */
static char included[] = ".include \"again\"\nnop\n";

static void count_error(void *user, const struct gpucode_diagnostic *diagnostic)
{
    unsigned *errors = user;
    *errors += diagnostic->severity == GPUCODE_ERROR;
    check(diagnostic->message && diagnostic->code && gpucode_explain(diagnostic->code));
    check(!diagnostic->source || diagnostic->column <= diagnostic->source_length + 1);
}

/* From bytes to text and back, for the target that the source names. */
static void go_and_return(const struct gpucode_program *first)
{
    struct gpucode_image_options options = {.target = gpucode_program_target(first)};
    struct gpucode_image *image;
    const void *bytes = gpucode_program_bytes(first);
    size_t size = gpucode_program_size(first), length;
    char *text;
    check(gpucode_image_open(bytes, size, &options, &image) == GPUCODE_OK);
    check(gpucode_disassemble(image, NULL, &text, &length) == GPUCODE_OK);
    struct gpucode_program *second;
    const struct gpucode_asm_options again = {.target = options.target}; /* not all listings say what they are */
    check(gpucode_assemble(text, length, &again, &second) == GPUCODE_OK);
    check(gpucode_program_size(second) == size);
    check(!size || memcmp(gpucode_program_bytes(second), bytes, size) == 0);
    gpucode_program_free(second);
    free(text);
    gpucode_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    unsigned errors = 0;
    struct gpucode_asm_options options = {.target = given_source_target(bytes, size),
                                          .on_diagnostic = {count_error, &errors},
                                          .include = given_include,
                                          .user = included,
                                          .record_lines = size % 2 == 0};
    struct gpucode_program *program;
    enum gpucode_status status = gpucode_assemble((const char *)bytes, size, &options, &program);
    check(status == GPUCODE_OK || status == GPUCODE_ERROR_INPUT);
    check((status == GPUCODE_OK) == (errors == 0));
    if (status != GPUCODE_OK)
        return 0;
    struct gpucode_symbol symbol;
    struct gpucode_line line;
    for (unsigned i = 0; gpucode_program_symbol(program, i, &symbol); i++)
        check(symbol.name != NULL);
    uint32_t units = (uint32_t)((gpucode_program_size(program) - gpucode_program_prefix(program)) /
                                gpucode_target_unit_bytes(gpucode_program_target(program)));
    for (uint32_t i = 0; i < units && i < 1000; i++)
        if (gpucode_program_line(program, i, &line))
            check(line.file && line.line);
    if (gpucode_program_size(program) < 1 << 20) /* .org can make hundreds of megabytes */
        go_and_return(program);
    gpucode_program_free(program);
    return 0;
}
