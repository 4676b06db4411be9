/* SPDX-License-Identifier: MIT */
/* A graph as text: for each function its calls, or its blocks with their instructions. */
#include "cli/graph.h"

#include <inttypes.h>
#include <string.h>

#define PACKETS_SHOWN 8 /* of those that share a handler */

/* The packets beside the one that names the handler: those that have a name, as far as there are not too many. */
static void put_packets(const struct graph *graph, const uint64_t packets[2], const char *own)
{
    char name[GPUCODE_NAME_MAX];
    unsigned shown = 0, more = 0;
    for (unsigned i = 0; i < 128; i++) {
        if (!(packets[i / 64] >> i % 64 & 1) ||
            !gpucode_analysis_packet_name(graph->understood->analysis, i, name, sizeof name) || strcmp(name, own) == 0)
            continue;
        if (shown == PACKETS_SHOWN || strncmp(name, "UNKN", 4) == 0)
            more++;
        else
            fprintf(graph->out, "%s%s", shown++ ? ", " : ", also ", name);
    }
    if (more)
        fprintf(graph->out, "%s%u %s", shown ? " and " : ", also ", more, shown ? "more" : "packets without a name");
}

static void put_head(const struct graph *graph, unsigned section, unsigned index,
                     const struct gpucode_function *function)
{
    char name[GPUCODE_NAME_MAX];
    understood_name(graph->understood, section, index, name);
    fprintf(graph->out, "%s: %s at %u, ", name, gpucode_function_kind_name(function->kind), function->start);
    if (function->depth < 0)
        fprintf(graph->out, "recurs");
    else
        fprintf(graph->out, "depth %d", function->depth);
    put_packets(graph, function->packets, name);
    fputc('\n', graph->out);
}

static void put_calls(const struct graph *graph, unsigned section, const struct gpucode_function *function)
{
    char name[GPUCODE_NAME_MAX];
    for (uint32_t i = 0; i < function->call_count; i++) {
        const struct gpucode_function_call *call = &function->calls[i];
        snprintf(name, sizeof name, "%u, outside", call->to);
        if (call->function != GPUCODE_NONE)
            understood_name(graph->understood, section, call->function, name);
        fprintf(graph->out, "  %5u %s %s\n", call->at, call->linked ? "bl  " : "call", name);
    }
    for (uint32_t i = 0; i < function->tail_count; i++) {
        understood_name(graph->understood, section, function->tails[i].function, name);
        fprintf(graph->out, "  %5u goes on as %s\n", function->tails[i].at, name);
    }
}

static void put_edges(const struct graph *graph, const struct gpucode_block *block)
{
    fprintf(graph->out, "        ->");
    for (uint32_t i = 0; i < block->edge_count; i++) {
        fprintf(graph->out, "%s %s", i ? "," : "", gpucode_edge_name(block->edges[i].kind));
        if (block->edges[i].known)
            fprintf(graph->out, " %u", block->edges[i].to);
        if (block->edges[i].seen)
            fprintf(graph->out, "*");
    }
    fprintf(graph->out, "%s\n", block->edge_count ? "" : " nowhere");
}

static void put_blocks(const struct graph *graph, unsigned section, const struct gpucode_function *function)
{
    char text[GPUCODE_TEXT_MAX];
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct gpucode_block *block =
            gpucode_analysis_block(graph->understood->analysis, section, function->blocks[i]);
        for (uint32_t unit = block->start; unit < block->end; unit++) {
            bool good = understood_text(graph->understood, section, unit, text);
            fprintf(graph->out, "  %5u %s\n", unit, good ? text : "(no instruction)");
        }
        put_edges(graph, block);
    }
}

void graph_text(const struct graph *graph)
{
    const struct gpucode_image_info *info = graph->understood->info;
    for (unsigned i = 0; i < info->section_count; i++) {
        bool more = true;
        if (info->section_count > 1)
            fprintf(graph->out, "section %s\n\n", info->sections[i].name);
        for (unsigned k = 0; more; k++) {
            const struct gpucode_function *function = graph_function(graph, i, k, &more);
            if (!function)
                continue;
            put_head(graph, i, k, function);
            if (graph->kind == GRAPH_FLOW)
                put_blocks(graph, i, function);
            else
                put_calls(graph, i, function);
            fputc('\n', graph->out);
        }
    }
}
