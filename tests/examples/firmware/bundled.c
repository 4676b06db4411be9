/* SPDX-License-Identifier: MIT */
#include "bundled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct bundled bundled[BUNDLED_COUNT] = {
    {"a6xx", 0x6ee, 0x002, "afuc:a630", "plain", 1, {"SQE"}},
    {"a7xx", 0x730, 0x001, "afuc:a730", "a7xx header", 3, {"BR", "BV", "LPAC"}},
};

char *bundled_text(const char *name, const char *suffix, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, SOURCE_ROOT "/examples/firmware/%s%s", name, suffix);
    char *text = read_whole(path, size);
    if (!text)
        fail_msg("cannot read %s", path);
    return text;
}

static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    (void)user;
    (void)from;
    *text = bundled_text(name, "", length);
    return true;
}

void open_bundled(struct opened *opened, unsigned index)
{
    *opened = (struct opened){.firmware = &bundled[index]};
    struct assembled assembled;
    struct gpucode_asm_options options = {.file = opened->firmware->name, .include = include};
    size_t size;
    char *text = bundled_text(opened->firmware->name, ".asm", &size);
    assemble_bytes(&assembled, text, size, &options);
    free(text);
    assert_string_equal(heard_text(&assembled.heard), "");
    assert_int_equal(assembled.status, GPUCODE_OK);
    opened->program = assembled.program;
    struct heard heard = {0};
    struct gpucode_image_options image_options = {.on_diagnostic = listen(&heard)};
    assert_int_equal(gpucode_image_open(gpucode_program_bytes(opened->program), gpucode_program_size(opened->program),
                                        &image_options, &opened->image),
                     GPUCODE_OK);
    assert_string_equal(heard_text(&heard), "");
    opened->info = gpucode_image_info(opened->image);
}

void close_bundled(struct opened *opened)
{
    gpucode_image_free(opened->image);
    gpucode_program_free(opened->program);
}

uint32_t image_word(const struct opened *opened, uint32_t unit)
{
    assert_true(unit < opened->info->units);
    const unsigned char *b = gpucode_program_bytes(opened->program);
    b += opened->info->prefix + 4 * (size_t)unit;
    return b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
}

bool section_label(const struct opened *opened, unsigned section, const char *name, uint32_t *value)
{
    struct gpucode_symbol symbol;
    for (unsigned i = 0; gpucode_program_symbol(opened->program, i, &symbol); i++) {
        if (!symbol.section || strcmp(symbol.name, name) != 0)
            continue;
        bool here = section == 0
                        ? *symbol.section == '\0' || strcmp(symbol.section, opened->info->sections[0].name) == 0
                        : strcmp(symbol.section, opened->info->sections[section].name) == 0;
        if (!here)
            continue;
        *value = (uint32_t)symbol.value;
        return true;
    }
    return false;
}
