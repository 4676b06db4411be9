/* SPDX-License-Identifier: MIT */
/* What `diff` tells of two analysed programs. */
#ifndef CLI_DIFFERENCES_H
#define CLI_DIFFERENCES_H

#include "front/understood.h"
#include <gpucode/compare.h>

struct differences {
    const struct understood *understood[2]; /* GPUCODE_OLD, GPUCODE_NEW */
    const struct gpucode_comparison *comparison;
};

/* Compares and reports; returns an exit code. */
int differences_report(struct session *session, const struct input *before, const struct input *after);

void differences_text(const struct differences *differences);
void differences_json(const struct differences *differences);

/* The new image's name of a section, or the old one's. */
static inline const char *differences_section(const struct differences *differences,
                                              const struct gpucode_compared_section *section)
{
    unsigned side = section->section[GPUCODE_NEW] == GPUCODE_NONE ? GPUCODE_OLD : GPUCODE_NEW;
    return differences->understood[side]->info->sections[section->section[side]].name;
}

/* First unit of a function, GPUCODE_NONE: this side does not have it. */
static inline uint32_t differences_start(const struct differences *differences,
                                         const struct gpucode_compared_section *section,
                                         const struct gpucode_compared_function *function, unsigned side)
{
    const struct gpucode_function *found = gpucode_analysis_function(
        differences->understood[side]->analysis, section->section[side], function->function[side]);
    return found ? found->start : GPUCODE_NONE;
}

#endif
