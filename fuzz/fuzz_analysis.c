/* SPDX-License-Identifier: MIT */
/* Any bytes through the whole analysis: it ends, and what it tells fits together. */
#include "given.h"

static bool count_reference(void *user, const struct gpucode_reference *reference)
{
    (void)user;
    check(gpucode_reference_kind_name(reference->kind));
    return true;
}

static bool count_row(void *user, const struct gpucode_privileges *row)
{
    (void)user;
    check(row->effects < 16);
    return true;
}

static void check_function(const struct gpucode_analysis *analysis, unsigned section, unsigned index,
                           const struct gpucode_function *function)
{
    char name[GPUCODE_NAME_MAX];
    check(gpucode_analysis_name(analysis, section, index, name, sizeof name) == strlen(name));
    check(function->block_count > 0);
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct gpucode_block *block = gpucode_analysis_block(analysis, section, function->blocks[i]);
        check(block && block->start < block->end);
        check(gpucode_analysis_owner(analysis, section, block->start) != GPUCODE_NONE);
    }
    for (uint32_t i = 0; i < function->tail_count; i++)
        check(gpucode_analysis_function(analysis, section, function->tails[i].function));
}

/* Notes are text, whatever the code is. */
static void check_notes(struct gpucode_analysis *analysis, const struct gpucode_image_info *info)
{
    char text[GPUCODE_NOTE_MAX];
    struct gpucode_notes *notes;
    if (gpucode_notes_create(analysis, &notes) != GPUCODE_OK)
        return;
    for (unsigned s = 0; s < info->section_count; s++)
        for (uint32_t unit = 0; unit <= info->sections[s].size; unit++) {
            size_t length = gpucode_notes_text(notes, s, unit, text, sizeof text);
            check(length == strlen(text) && !memchr(text, '\n', length));
        }
    gpucode_notes_free(notes);
}

/* The text in which places are labels gives the same bytes. */
static void check_text(const uint8_t *bytes, size_t size, const struct gpucode_image *image,
                       const struct gpucode_analysis *analysis)
{
    struct gpucode_disasm_options how = {.static_only = true, .constants_complete = true};
    struct gpucode_program *program;
    char *text;
    size_t length;
    how.constants = gpucode_analysis_constants(analysis, &how.constant_count);
    for (size_t i = 1; i < how.constant_count; i++)
        check(how.constants[i - 1].section < how.constants[i].section ||
              (how.constants[i - 1].section == how.constants[i].section &&
               how.constants[i - 1].at < how.constants[i].at));
    if (!how.constant_count)
        return;
    check(gpucode_disassemble(image, &how, &text, &length) == GPUCODE_OK);
    struct gpucode_asm_options options = {.target = gpucode_image_info(image)->target};
    check(gpucode_assemble(text, length, &options, &program) == GPUCODE_OK);
    check(gpucode_program_size(program) == size && memcmp(gpucode_program_bytes(program), bytes, size) == 0);
    gpucode_program_free(program);
    free(text);
}

static void analyse(const uint8_t *bytes, size_t size, const struct gpucode_target *target)
{
    struct gpucode_image_options options = {.target = target};
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
    if (gpucode_image_open(bytes, size, &options, &image) != GPUCODE_OK)
        return;
    if (gpucode_analyse(image, NULL, &analysis) == GPUCODE_OK) {
        const struct gpucode_function *function;
        for (unsigned s = 0; s < gpucode_image_info(image)->section_count; s++)
            for (unsigned i = 0; (function = gpucode_analysis_function(analysis, s, i)); i++)
                check_function(analysis, s, i, function);
        check_text(bytes, size, image, analysis);
        check(gpucode_analysis_references(analysis, count_reference, NULL) == GPUCODE_OK);
        check_notes(analysis, gpucode_image_info(image));
        gpucode_analysis_privileges(analysis, count_row, NULL);
        gpucode_analysis_free(analysis);
    }
    gpucode_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    analyse(bytes, size, NULL);
    if (size) /* the first byte picks the target */
        analyse(bytes + 1, size - 1, given_target(bytes[0]));
    return 0;
}
