/* SPDX-License-Identifier: MIT */
/* A source, assembled and analysed. */
#ifndef TESTS_ANALYSIS_ANALYSED_H
#define TESTS_ANALYSIS_ANALYSED_H

#include "assembling.h"

#include <stdio.h>
#include <string.h>

struct analysed {
    struct assembled source;
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
};

static inline void analyse_text(struct analysed *analysed, const char *target, const char *text)
{
    assemble_text(&analysed->source, text, target);
    assert_string_equal(heard_text(&analysed->source.heard), "");
    analysed->image = image_made(&analysed->source, strncmp(target, "afuc", 4) == 0 ? NULL : target);
    assert_int_equal(gpucode_analyse(analysed->image, NULL, &analysed->analysis), GPUCODE_OK);
}

/* `body` stands after a header whose table is `jumptbl:`, and CP_NOP after it. */
static inline void analyse_source(struct analysed *analysed, const char *target, const char *body)
{
    char text[8192];
    snprintf(text, sizeof text, "[%s]\n[#jumptbl]\n%s\nUNKN16:\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n",
             strcmp(target, "afuc:a630") == 0 ? "016ee002" : "01730001", body);
    analyse_text(analysed, target, text);
}

static inline void free_analysed(struct analysed *analysed)
{
    gpucode_analysis_free(analysed->analysis);
    gpucode_image_free(analysed->image);
    gpucode_program_free(analysed->source.program);
}

#endif
