/* SPDX-License-Identifier: MIT */
/*
 * Flow of control in graphviz' language: a cluster for each function, a node for each block with its text, in which
 * what stands in a delay slot is set back. Edges are green where a branch is taken and red where it is not.
 */
#include "cli/graph_dot.h"

#include <string.h>

const char graph_flow_legend[] =
    "edges: <FONT COLOR=\"#1a7f37\">taken</FONT>, <FONT COLOR=\"#c62828\">not taken</FONT>, "
    "<FONT COLOR=\"#1f5fbf\">by a table</FONT>, <FONT COLOR=\"#777777\">always</FONT>; text "
    "that is set back stands in a delay slot";

static const char *color_of(const struct gpucode_block *block, enum gpucode_edge_kind kind)
{
    switch (kind) {
    case GPUCODE_EDGE_TAKEN:
        return block->edge_count == 1 ? "#777777" : "#1a7f37";
    case GPUCODE_EDGE_NEXT:
        return block->edge_count == 1 ? "#777777" : "#c62828";
    case GPUCODE_EDGE_TABLE:
        return "#1f5fbf";
    case GPUCODE_EDGE_SEEN:
        return "#8e24aa";
    default:
        return "#777777";
    }
}

static unsigned count_slots(const struct graph *graph, unsigned section, uint32_t unit)
{
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    return input_insn(graph->understood->input, section, unit, &insn) && gpucode_insn_flow(&insn, &flow)
               ? flow.delay_slots
               : 0;
}

/* What ends a block for good stands in it. */
static void put_ends(const struct graph *graph, const struct gpucode_block *block)
{
    for (uint32_t i = 0; i < block->edge_count; i++) {
        enum gpucode_edge_kind kind = block->edges[i].kind;
        if (kind == GPUCODE_EDGE_DISPATCH)
            fprintf(graph->out, "<FONT COLOR=\"#777777\">&#8594; next packet</FONT><BR ALIGN=\"LEFT\"/>");
        else if (kind == GPUCODE_EDGE_RETURN)
            fprintf(graph->out, "<FONT COLOR=\"#777777\">&#8594; return</FONT><BR ALIGN=\"LEFT\"/>");
        else if (kind == GPUCODE_EDGE_UNRESOLVED)
            fprintf(graph->out, "<FONT COLOR=\"#c62828\">&#8594; nobody knows where</FONT><BR ALIGN=\"LEFT\"/>");
    }
}

/* Has the block run on the machine? */
static bool has_run(const struct gpucode_machine *machine, unsigned section, uint32_t unit)
{
    size_t units;
    bool ran = false;
    for (unsigned i = 0; gpucode_machine_processor(machine, i); i++) {
        const uint8_t *covered = gpucode_machine_covered(machine, i, &units);
        ran |= gpucode_machine_section(machine, i) == section && covered && unit < units && covered[unit];
    }
    return ran;
}

static const char *fill_of(const struct graph *graph, unsigned section, const struct gpucode_function *function,
                           const struct gpucode_block *block)
{
    if (graph->machine)
        return has_run(graph->machine, section, block->start) ? "#c8e6c9" : "#ffcdd2";
    return block->start == function->start ? graph_fill(function->kind) : "white";
}

static void put_block(const struct graph *graph, unsigned section, uint32_t index,
                      const struct gpucode_function *function, const struct gpucode_block *block)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned slots = 0;
    bool entry = block->start == function->start;
    fprintf(graph->out, "    b%u_%u_%u [shape=box, style=filled, fillcolor=\"%s\"%s, label=<", section, index,
            block->start, fill_of(graph, section, function, block), entry ? ", penwidth=2" : "");
    understood_place(graph->understood, section, block->start, text);
    fprintf(graph->out, "<B>");
    markup_put_text(graph->out, text);
    fprintf(graph->out, ":</B><BR ALIGN=\"LEFT\"/>");
    for (uint32_t unit = block->start; unit < block->end; unit++) {
        bool good = understood_text(graph->understood, section, unit, text);
        fprintf(graph->out, "<FONT COLOR=\"#999999\">%u%s</FONT>", unit,
                slots ? "&#160;&#160;&#160;&#160;" : "&#160;&#160;");
        markup_put_text(graph->out, good ? text : "(no instruction)");
        fprintf(graph->out, "<BR ALIGN=\"LEFT\"/>");
        slots = slots ? slots - 1 : good ? count_slots(graph, section, unit) : 0;
    }
    put_ends(graph, block);
    fprintf(graph->out, ">];\n");
}

/* An edge to another function: a node for each of them. */
static void put_outside(const struct graph *graph, unsigned section, uint32_t index, const struct gpucode_block *block,
                        const struct gpucode_edge *edge)
{
    char name[GPUCODE_NAME_MAX];
    understood_place(graph->understood, section, edge->to, name);
    fprintf(graph->out, "    o%u_%u_%u [shape=cds, color=\"#777777\", label=<", section, index, edge->to);
    markup_put_text(graph->out, name);
    fprintf(graph->out, ">];\n    b%u_%u_%u -> o%u_%u_%u [color=\"%s\"%s];\n", section, index, block->start, section,
            index, edge->to, color_of(block, edge->kind), edge->seen ? ", penwidth=2.5" : "");
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

static void put_edges(const struct graph *graph, unsigned section, uint32_t index,
                      const struct gpucode_function *function, const struct gpucode_block *block)
{
    for (uint32_t i = 0; i < block->edge_count; i++) {
        const struct gpucode_edge *edge = &block->edges[i];
        if (!edge->known)
            continue;
        if (has_block(graph, section, function, edge->to))
            fprintf(graph->out, "    b%u_%u_%u -> b%u_%u_%u [color=\"%s\"%s];\n", section, index, block->start, section,
                    index, edge->to, color_of(block, edge->kind), edge->seen ? ", penwidth=2.5" : "");
        else
            put_outside(graph, section, index, block, edge);
    }
}

/* Name, kind, and the other packets that it handles. */
static void put_title(const struct graph *graph, unsigned section, uint32_t index,
                      const struct gpucode_function *function)
{
    char name[GPUCODE_NAME_MAX];
    understood_name(graph->understood, section, index, name);
    fprintf(graph->out, "<B>");
    markup_put_text(graph->out, name);
    fprintf(graph->out, "</B>");
    if (strcmp(name, gpucode_function_kind_name(function->kind)) != 0)
        fprintf(graph->out, ", %s", gpucode_function_kind_name(function->kind));
    if (graph->understood->info->section_count > 1)
        fprintf(graph->out, " of %s", graph->understood->info->sections[section].name);
    graph_put_packets(graph, section, index, function, ", also ");
}

static void put_function(const struct graph *graph, unsigned section, uint32_t index,
                         const struct gpucode_function *function)
{
    fprintf(graph->out, "  subgraph cluster_%u_%u {\n    color=\"#bbbbbb\";\n    labelloc=t;\n    label=<", section,
            index);
    put_title(graph, section, index, function);
    fprintf(graph->out, ">;\n");
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct gpucode_block *block =
            gpucode_analysis_block(graph->understood->analysis, section, function->blocks[i]);
        put_block(graph, section, index, function, block);
        put_edges(graph, section, index, function, block);
    }
    fprintf(graph->out, "  }\n");
}

void graph_put_flow(const struct graph *graph, unsigned section)
{
    bool more = true;
    for (unsigned i = 0; more; i++) {
        const struct gpucode_function *function = graph_function(graph, section, i, &more);
        if (function)
            put_function(graph, section, i, function);
    }
}
