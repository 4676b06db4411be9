/* SPDX-License-Identifier: MIT */
/*
 * A pattern and the code it is looked for in; and the same text as a symbol file, carried from the code to a copy with
 * one unit less. The first byte chooses the target; then comes the text, and after a zero byte the code.
 */
#include "given.h"

#include <gpucode/outline.h>
#include <gpucode/report.h>

static bool check_match(void *user, const struct gpucode_match *match)
{
    const uint32_t *found = user;
    check(match->count && match->bound_count <= 26);
    for (uint32_t i = 0; i < match->count; i++)
        check(match->units[i] < *found);
    return true;
}

static void search(const struct gpucode_image *image, const char *text, size_t length)
{
    struct gpucode_pattern *pattern;
    struct gpucode_outline *outline;
    uint32_t count;
    if (gpucode_pattern_create(gpucode_image_info(image)->target, NULL, text, length,
                               (struct gpucode_diagnostic_handler){0}, &pattern) != GPUCODE_OK)
        return;
    check(gpucode_outline_create(image, NULL, &outline) == GPUCODE_OK);
    gpucode_outline_units(outline, &count);
    check(gpucode_outline_search(outline, pattern, check_match, &count) == GPUCODE_OK);
    gpucode_outline_free(outline);
    gpucode_pattern_free(pattern);
}

static void carry(const struct gpucode_image *before, const struct gpucode_image *after, const char *text,
                  size_t length)
{
    struct gpucode_subject sides[2] = {{.image = before}, {.image = after}};
    const struct gpucode_symbol_text names = {"fuzz", text, length};
    const struct gpucode_diagnostic_handler nobody = {0};
    struct gpucode_answer *answer = gpucode_answer_create();
    char *out = NULL;
    size_t size;
    unsigned lost;
    check(answer);
    if (gpucode_analyse(before, NULL, &sides[0].analysis) == GPUCODE_OK &&
        gpucode_analyse(after, NULL, &sides[1].analysis) == GPUCODE_OK &&
        gpucode_report_carried(&sides[0], &sides[1], &names, nobody, answer, &out, &size, &lost) == GPUCODE_OK) {
        struct gpucode_symbols *symbols;
        check(gpucode_symbols_create(gpucode_image_info(after)->target, NULL, &symbols) == GPUCODE_OK);
        check(gpucode_symbols_read(symbols, out, size, "carried", nobody) == GPUCODE_OK);
        gpucode_symbols_free(symbols);
        free(out);
    }
    gpucode_answer_free(answer);
    gpucode_analysis_free(sides[0].analysis);
    gpucode_analysis_free(sides[1].analysis);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *text = data + 1, *zero = size ? memchr(text, 0, size - 1) : NULL;
    struct gpucode_image *before = NULL, *after = NULL;
    if (!zero)
        return 0;
    const struct gpucode_image_options options = {.target = given_target(data[0])};
    const uint8_t *code = zero + 1;
    size_t left = size - 1 - (size_t)(code - text);
    if (gpucode_image_open(code, left, &options, &before) != GPUCODE_OK)
        return 0;
    search(before, (const char *)text, (size_t)(zero - text));
    size_t less = gpucode_target_unit_bytes(gpucode_image_info(before)->target);
    if (left > 2 * less && gpucode_image_open(code, left - less, &options, &after) == GPUCODE_OK)
        carry(before, after, (const char *)text, (size_t)(zero - text));
    gpucode_image_free(before);
    gpucode_image_free(after);
    return 0;
}
