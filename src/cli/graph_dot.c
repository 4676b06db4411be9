/* SPDX-License-Identifier: MIT */
/*
 * A graph in graphviz' language. Flow: a cluster for each function, a node for each block with its text, edges green
 * where a branch is taken and red where it is not. Calls: a cluster for each section, a node for each function.
 */
#include "cli/graph.h"

#include <string.h>

/* Names that a handler of many packets shows. */
#define PACKETS_SHOWN 4

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* --- flow --- */

static const char *color_of(enum gpucode_edge_kind kind)
{
    switch (kind) {
    case GPUCODE_EDGE_TAKEN:
        return "forestgreen";
    case GPUCODE_EDGE_NEXT:
        return "firebrick";
    case GPUCODE_EDGE_TABLE:
        return "royalblue";
    default:
        return "gray40";
    }
}

static void put_block(const struct graph *graph, unsigned section, uint32_t function, const struct gpucode_block *block)
{
    char text[GPUCODE_TEXT_MAX];
    fprintf(graph->out, "    b%u_%u_%u [label=\"", section, function, block->start);
    for (uint32_t unit = block->start; unit < block->end; unit++) {
        bool good = understood_text(graph->understood, section, unit, text);
        fprintf(graph->out, "%5u  ", unit);
        put_escaped(graph->out, good ? text : "(no instruction)");
        fprintf(graph->out, "\\l");
    }
    fprintf(graph->out, "\"];\n");
}

/* A node for what an edge leads to outside of the function. */
static void put_outside(const struct graph *graph, unsigned section, uint32_t function,
                        const struct gpucode_block *block, uint32_t index)
{
    const struct gpucode_edge *edge = &block->edges[index];
    char name[GPUCODE_NAME_MAX];
    snprintf(name, sizeof name, "%s", gpucode_edge_name(edge->kind));
    if (edge->known) {
        uint32_t to = understood_function(graph->understood, section, edge->to);
        snprintf(name, sizeof name, "%u", edge->to);
        if (to != GPUCODE_NONE)
            understood_name(graph->understood, section, to, name);
    }
    fprintf(graph->out, "    o%u_%u_%u_%u [shape=plaintext, label=\"", section, function, block->start, index);
    put_escaped(graph->out, name);
    fprintf(graph->out, "\"];\n    b%u_%u_%u -> o%u_%u_%u_%u [color=%s];\n", section, function, block->start, section,
            function, block->start, index, color_of(edge->kind));
}

static bool has_block(const struct graph *graph, unsigned section, const struct gpucode_function *function,
                      uint32_t start)
{
    uint32_t low = 0, high = function->block_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t at = gpucode_analysis_block(graph->understood->analysis, section, function->blocks[middle])->start;
        if (at == start)
            return true;
        if (at < start)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static void put_flow(const struct graph *graph, unsigned section, uint32_t index,
                     const struct gpucode_function *function)
{
    char name[GPUCODE_NAME_MAX];
    understood_name(graph->understood, section, index, name);
    fprintf(graph->out, "  subgraph cluster_%u_%u {\n    label=\"", section, index);
    put_escaped(graph->out, name);
    fprintf(graph->out, "\";\n");
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct gpucode_block *block =
            gpucode_analysis_block(graph->understood->analysis, section, function->blocks[i]);
        put_block(graph, section, index, block);
        for (uint32_t k = 0; k < block->edge_count; k++) {
            const struct gpucode_edge *edge = &block->edges[k];
            if (!edge->known || !has_block(graph, section, function, edge->to))
                put_outside(graph, section, index, block, k);
            else
                fprintf(graph->out, "    b%u_%u_%u -> b%u_%u_%u [color=%s];\n", section, index, block->start, section,
                        index, edge->to, color_of(edge->kind));
        }
    }
    fprintf(graph->out, "  }\n");
}

/* --- calls --- */

static void put_node(const struct graph *graph, unsigned section, uint32_t index,
                     const struct gpucode_function *function)
{
    static const char *const fills[] = {"lightgoldenrod1", "lightblue", "mistyrose", "white"};
    char name[GPUCODE_NAME_MAX], other[GPUCODE_NAME_MAX];
    unsigned more = 0;
    understood_name(graph->understood, section, index, name);
    fprintf(graph->out, "    f%u_%u [style=filled, fillcolor=%s, label=\"", section, index, fills[function->kind]);
    put_escaped(graph->out, name);
    for (unsigned i = 0; i < 128; i++) {
        if (!(function->packets[i / 64] >> i % 64 & 1) ||
            !gpucode_analysis_packet_name(graph->understood->analysis, i, other, sizeof other) ||
            strcmp(name, other) == 0 || ++more >= PACKETS_SHOWN)
            continue;
        fprintf(graph->out, "\\n");
        put_escaped(graph->out, other);
    }
    if (more >= PACKETS_SHOWN)
        fprintf(graph->out, "\\nand %u more", more - PACKETS_SHOWN + 1);
    fprintf(graph->out, "\"];\n");
}

/* One arrow for all calls of one function by another. */
static void put_arrows(const struct graph *graph, unsigned section, uint32_t index,
                       const struct gpucode_function *function)
{
    for (uint32_t i = 0; i < function->call_count; i++) {
        uint32_t to = function->calls[i].function, before = 0, count = 0;
        for (uint32_t k = 0; k < function->call_count; k++) {
            before += k < i && function->calls[k].function == to;
            count += function->calls[k].function == to;
        }
        if (to == GPUCODE_NONE || before)
            continue;
        fprintf(graph->out, "    f%u_%u -> f%u_%u", section, index, section, to);
        if (count > 1)
            fprintf(graph->out, " [label=\"%u\"]", count);
        fprintf(graph->out, ";\n");
    }
    for (uint32_t i = 0; i < function->tail_count; i++) {
        bool before = false;
        for (uint32_t k = 0; k < i; k++)
            before |= function->tails[k].function == function->tails[i].function;
        if (!before)
            fprintf(graph->out, "    f%u_%u -> f%u_%u [style=dashed];\n", section, index, section,
                    function->tails[i].function);
    }
}

void graph_dot(const struct graph *graph)
{
    const struct gpucode_image_info *info = graph->understood->info;
    fprintf(graph->out, "digraph {\n  %snode [shape=box, fontname=monospace, fontsize=10];\n  edge [fontsize=9];\n",
            graph->kind == GRAPH_FLOW ? "" : "rankdir=LR;\n  ");
    for (unsigned i = 0; i < info->section_count; i++) {
        bool more = true;
        if (graph->kind != GRAPH_FLOW)
            fprintf(graph->out, "  subgraph cluster_%u {\n    label=\"%s\";\n", i, info->sections[i].name);
        for (unsigned k = 0; more; k++) {
            const struct gpucode_function *function = graph_function(graph, i, k, &more);
            if (function && graph->kind == GRAPH_FLOW) {
                put_flow(graph, i, k, function);
            } else if (function) {
                put_node(graph, i, k, function);
                put_arrows(graph, i, k, function);
            }
        }
        if (graph->kind != GRAPH_FLOW)
            fprintf(graph->out, "  }\n");
    }
    fprintf(graph->out, "}\n");
}
