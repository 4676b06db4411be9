/* SPDX-License-Identifier: MIT */
#include "cli/disasm_edit.h"

#include "front/edges.h"
#include "front/session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define LOST_SHOWN 4 /* places that a warning names */
#define ROUNDS_MAX 8 /* jumps by a register behind jumps by a register */

/* Places that code goes by, and whose numbers nobody can tell. */
static void tell_lost(struct session *session, const struct code *opened, const struct gpucode_lost_place *lost,
                      size_t count)
{
    const struct gpucode_image_info *info = gpucode_image_info(opened->image);
    char places[128];
    size_t used = 0;
    for (size_t i = 0; i < count && i < LOST_SHOWN; i++)
        used += (size_t)snprintf(places + used, sizeof places - used, "%s%.16s%s0x%x", i ? ", " : "",
                                 info->sections[lost[i].section].name, *info->sections[lost[i].section].name ? ":" : "",
                                 (unsigned)lost[i].at);
    if (count)
        complain(&session->diagnostics, CLI_LOST_PLACES, opened->file.name, NULL, (unsigned)count, count > 1 ? "s" : "",
                 count > 1 ? "" : "es", places, count > LOST_SHOWN ? ", ..." : "");
}

/* --- code that only jumps by a register lead to --- */

struct found_edges {
    struct edge_list list;
    unsigned missing; /* places that nothing leads to */
};

/* A jump of the section that leads nobody knows where; GPUCODE_NONE: there is none. */
static uint32_t find_jump(const struct gpucode_analysis *analysis, unsigned section)
{
    const struct gpucode_block *block;
    for (unsigned i = 0; (block = gpucode_analysis_block(analysis, section, i)); i++)
        for (uint32_t k = 0; k < block->edge_count; k++)
            if (block->edges[k].kind == GPUCODE_EDGE_UNRESOLVED && block->end - block->start > 1)
                return block->end - 2; /* its delay slot stands behind it */
    return GPUCODE_NONE;
}

/* Lets one such jump lead to the places that were found, and that nothing else leads to. */
static bool add_edges(struct found_edges *edges, const struct gpucode_analysis *analysis)
{
    size_t count;
    const struct gpucode_code_constant *list = gpucode_analysis_constants(analysis, &count);
    unsigned searched = UINT_MAX; /* section */
    uint32_t jump = GPUCODE_NONE;
    edges->missing = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned section = list[i].to_section;
        if (list[i].kind != GPUCODE_CONSTANT_CODE ||
            gpucode_analysis_owner(analysis, section, list[i].to) != GPUCODE_NONE)
            continue;
        if (searched != section)
            jump = find_jump(analysis, section);
        searched = section;
        edges->missing++;
        if (jump != GPUCODE_NONE && !edges_add(&edges->list, (struct gpucode_seen_edge){section, jump, list[i].to}))
            return false;
    }
    return true;
}

/* Analyses again as long as there is more code. */
static enum gpucode_status analyse_all(const struct code *opened, const struct gpucode_names *names,
                                       struct found_edges *edges, struct gpucode_analysis **analysis)
{
    enum gpucode_status status = GPUCODE_OK;
    size_t before = SIZE_MAX;
    for (unsigned i = 0; status == GPUCODE_OK && i < ROUNDS_MAX && before != edges->list.count; i++) {
        const struct gpucode_analysis_options how = {
            .names = names, .seen = edges->list.items, .seen_count = edges->list.count};
        before = edges->list.count;
        gpucode_analysis_free(*analysis);
        *analysis = NULL;
        status = gpucode_analyse(opened->image, &how, analysis);
        if (status == GPUCODE_OK && !add_edges(edges, *analysis))
            status = GPUCODE_ERROR_MEMORY;
    }
    return status;
}

int disasm_edit(struct session *session, const struct code *opened, struct gpucode_disasm_options *options,
                struct gpucode_analysis **analysis)
{
    struct found_edges edges = {0};
    *analysis = NULL;
    enum gpucode_status status = analyse_all(opened, options->names, &edges, analysis);
    free(edges.list.items);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_NO_EDIT, NULL, NULL,
                        gpucode_target_isa(gpucode_image_info(opened->image)->target));
    if (status == GPUCODE_ERROR_RANGE)
        return complain(&session->diagnostics, CLI_TANGLED, opened->file.name, NULL);
    if (status != GPUCODE_OK)
        return code_status(session, opened->file.name, status);
    options->constants = gpucode_analysis_constants(*analysis, &options->constant_count);
    size_t count;
    const struct gpucode_lost_place *lost = gpucode_analysis_lost(*analysis, &count);
    options->constants_complete = !count && !edges.missing;
    tell_lost(session, opened, lost, count);
    return EXIT_DONE;
}
