/* SPDX-License-Identifier: MIT */
/*
 * An image compared with itself, which is the same, and with an edited copy. The last bytes say the edits: four bytes
 * each, a place and what is changed there.
 */
#include "check.h"
#include <gpucode/gpucode.h>
#include <string.h>

#define EDITS 8
#define EDIT_BYTES 4

struct version {
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
};

static bool open_version(const uint8_t *bytes, size_t size, struct version *version)
{
    if (gpucode_image_open(bytes, size, NULL, &version->image) != GPUCODE_OK)
        return false;
    if (gpucode_analyse(version->image, NULL, &version->analysis) == GPUCODE_OK)
        return true;
    gpucode_image_free(version->image);
    return false;
}

static void close_version(struct version *version)
{
    gpucode_analysis_free(version->analysis);
    gpucode_image_free(version->image);
}

/* Every line of a side stands there once, and edits have texts. */
static void check_function(const struct gpucode_compared_function *function)
{
    check((function->change == GPUCODE_CHANGE_NEW) == (function->function[GPUCODE_OLD] == GPUCODE_NONE));
    check((function->change == GPUCODE_CHANGE_GONE) == (function->function[GPUCODE_NEW] == GPUCODE_NONE));
    check((function->change == GPUCODE_CHANGE_CHANGED) == (function->line_count > 0));
    for (uint32_t i = 0; i < function->line_count; i++) {
        const struct gpucode_compared_line *line = &function->lines[i];
        check(line->unit[GPUCODE_OLD] != GPUCODE_NONE || line->unit[GPUCODE_NEW] != GPUCODE_NONE);
        check(!line->same || (line->unit[GPUCODE_OLD] != GPUCODE_NONE && line->unit[GPUCODE_NEW] != GPUCODE_NONE));
    }
}

static void compare(const struct version *before, const struct version *after, bool same)
{
    struct gpucode_comparison *comparison;
    const struct gpucode_compared_section *section;
    const struct gpucode_edit *edit;
    enum gpucode_status status = gpucode_compare(before->analysis, after->analysis, &comparison);
    if (status != GPUCODE_OK) {
        check(status == GPUCODE_ERROR_UNSUPPORTED);
        return;
    }
    for (unsigned s = 0; (section = gpucode_comparison_section(comparison, s)); s++)
        for (uint32_t i = 0; i < section->function_count; i++) {
            check_function(&section->functions[i]);
            check(!same || section->functions[i].change == GPUCODE_CHANGE_SAME);
        }
    for (unsigned i = 0; (edit = gpucode_comparison_edit(comparison, i)); i++)
        check(!same && edit->count && *edit->text && *edit->kind);
    gpucode_comparison_free(comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t tail = size / 2 < EDITS * EDIT_BYTES ? size / 2 : EDITS * EDIT_BYTES;
    const uint8_t *edits = bytes + size - tail;
    struct version before, after;
    size -= tail;
    if (!open_version(bytes, size, &before))
        return 0;
    compare(&before, &before, true);
    uint8_t *copy = malloc(size + 1);
    check(copy);
    memcpy(copy, bytes, size);
    for (size_t i = 0; i + EDIT_BYTES <= tail; i += EDIT_BYTES)
        copy[(edits[i] | (size_t)edits[i + 1] << 8 | (size_t)edits[i + 2] << 16) % size] ^= edits[i + 3];
    if (open_version(copy, size, &after)) {
        compare(&before, &after, false);
        close_version(&after);
    }
    close_version(&before);
    free(copy);
    return 0;
}
