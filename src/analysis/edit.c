/* SPDX-License-Identifier: MIT */
/* An analysis for texts that are to be edited: with the code that only jumps by a register lead to. */
#include "analysis/build.h"

#include <limits.h>
#include <stdlib.h>

#define ROUNDS_MAX 8 /* jumps by a register after jumps by a register */

/* A jump of the section that leads nobody knows where; GPUCODE_NONE: there is none. */
static uint32_t find_jump(const struct gpucode_analysis *analysis, unsigned section)
{
    const struct gpucode_block *block;
    for (unsigned i = 0; (block = gpucode_analysis_block(analysis, section, i)); i++)
        for (uint32_t k = 0; k < block->edge_count; k++)
            if (block->edges[k].kind == GPUCODE_EDGE_UNRESOLVED && block->end - block->start > 1)
                return block->end - 2; /* its delay slot stands after it */
    return GPUCODE_NONE;
}

/* Lets one such jump lead to the places that were found, and that nothing else leads to; returns how many there are. */
static unsigned add_edges(struct list *edges, const struct gpucode_analysis *analysis)
{
    size_t count;
    const struct gpucode_code_constant *constants = gpucode_analysis_constants(analysis, &count);
    unsigned searched = UINT_MAX, missing = 0; /* section */
    uint32_t jump = GPUCODE_NONE;
    for (size_t i = 0; i < count; i++) {
        unsigned section = constants[i].to_section;
        if (constants[i].kind != GPUCODE_CONSTANT_CODE ||
            gpucode_analysis_owner(analysis, section, constants[i].to) != GPUCODE_NONE)
            continue;
        if (searched != section)
            jump = find_jump(analysis, section);
        searched = section;
        missing++;
        struct gpucode_seen_edge *edge = jump != GPUCODE_NONE ? list_add(edges, sizeof *edge) : NULL;
        if (edge)
            *edge = (struct gpucode_seen_edge){section, jump, constants[i].to};
    }
    return missing;
}

enum gpucode_status gpucode_analyse_places(const struct gpucode_image *image, const struct gpucode_names *names,
                                           struct gpucode_analysis **out, bool *complete)
{
    struct list edges = {0};
    enum gpucode_status status = GPUCODE_OK;
    size_t before = SIZE_MAX, lost = 0;
    unsigned missing = 0;
    if (!image || !out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!gpucode_can_follow_values(gpucode_image_info(image)->target))
        return GPUCODE_ERROR_UNSUPPORTED;
    for (unsigned i = 0; status == GPUCODE_OK && i < ROUNDS_MAX && before != edges.count; i++) {
        const struct gpucode_analysis_options how = {.names = names, .seen = edges.items, .seen_count = edges.count};
        before = edges.count;
        gpucode_analysis_free(*out);
        *out = NULL;
        status = gpucode_analyse(image, &how, out);
        if (status == GPUCODE_OK)
            missing = add_edges(&edges, *out);
        if (edges.failed)
            status = GPUCODE_ERROR_MEMORY;
    }
    free(edges.items);
    if (status != GPUCODE_OK) {
        gpucode_analysis_free(*out);
        *out = NULL;
        return status;
    }
    gpucode_analysis_lost(*out, &lost);
    if (complete)
        *complete = !lost && !missing;
    return GPUCODE_OK;
}
