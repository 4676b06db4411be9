/* SPDX-License-Identifier: MIT */
/*
 * A symbol file and the code it is about. The first byte chooses the target; then comes the file, and after a zero
 * byte the code. Whatever of the file can be used: the listing with its names comes back as the same bytes when the
 * assembler knows them too, and without them as the same bytes or not at all.
 */
#include "given.h"

static bool is_same(const struct gpucode_program *program, const void *code, size_t size)
{
    return gpucode_program_size(program) == size && memcmp(gpucode_program_bytes(program), code, size) == 0;
}

static void check_text(const struct gpucode_symbols *symbols, const struct gpucode_target *target, const char *text,
                       size_t length, const void *code, size_t size)
{
    struct gpucode_asm_options options = {.target = target, .names = gpucode_symbols_names(symbols), .oversize = true};
    struct gpucode_program *program;
    check(gpucode_assemble(text, length, &options, &program) == GPUCODE_OK);
    check(is_same(program, code, size));
    gpucode_program_free(program);
    options.names = NULL;
    if (gpucode_assemble(text, length, &options, &program) == GPUCODE_OK) {
        check(is_same(program, code, size));
        gpucode_program_free(program);
    }
}

static void ask_symbols(struct gpucode_symbols *symbols, const struct gpucode_image *image)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    struct gpucode_label label;
    char text[GPUCODE_NAME_MAX + 32];
    for (unsigned i = 0; gpucode_symbols_at(symbols, i, &label); i++) {
        check(strlen(label.name) < GPUCODE_NAME_MAX);
        gpucode_symbols_memory(symbols, (uint64_t)label.value + 8, text, sizeof text);
        check(gpucode_symbols_find(symbols, NULL, label.name, strlen(label.name), &label));
    }
    for (unsigned section = 0; section == 0 || section < info->section_count; section++)
        for (uint64_t unit = 0; unit < 64; unit++) {
            size_t near = gpucode_symbols_near(symbols, section, unit, text, sizeof text);
            check(strlen(text) == near);
            char name[GPUCODE_NAME_MAX];
            size_t length = gpucode_symbols_label(symbols, section, unit, 0, name, sizeof name);
            check(!length || (near == length && memcmp(name, text, length) == 0));
        }
}

static void check_code(const struct gpucode_target *target, const char *file, size_t length, const void *code,
                       size_t size)
{
    const struct gpucode_image_options image_options = {.target = target};
    const struct gpucode_diagnostic_handler nobody = {0};
    struct gpucode_symbols *symbols;
    struct gpucode_image *image;
    if (gpucode_image_open(code, size, &image_options, &image) != GPUCODE_OK)
        return;
    check(gpucode_symbols_create(gpucode_image_info(image)->target, NULL, &symbols) == GPUCODE_OK);
    gpucode_symbols_read(symbols, file, length, "fuzz", nobody);
    check(gpucode_symbols_bind(symbols, image, nobody) != GPUCODE_ERROR_MEMORY);
    ask_symbols(symbols, image);
    const struct gpucode_disasm_options options = {
        .names = gpucode_symbols_names(symbols), .label = gpucode_symbols_label, .user = symbols};
    char *text;
    size_t text_length;
    check(gpucode_disassemble(image, &options, &text, &text_length) == GPUCODE_OK);
    check_text(symbols, gpucode_image_info(image)->target, text, text_length, code, size);
    free(text);
    gpucode_symbols_free(symbols);
    gpucode_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *file = data + 1, *zero = size ? memchr(file, 0, size - 1) : NULL;
    if (!zero)
        return 0;
    size_t length = (size_t)(zero - file);
    check_code(given_target(data[0]), (const char *)file, length, zero + 1, size - 2 - length);
    return 0;
}
