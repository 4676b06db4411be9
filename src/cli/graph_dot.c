/* SPDX-License-Identifier: MIT */
/* A graph in graphviz' language: text and colours of nodes, then flow and calls, then all of it. */
#include "cli/graph.h"

#include "front/output.h"
#include "front/session.h"

#include <stdlib.h>
#include <string.h>

/* Names that a handler of many packets shows. */
#define PACKETS_SHOWN 3

/* The colour of a function. */
static const char *graph_fill(enum gpucode_function_kind kind)
{
    static const char *const fills[] = {"#ffe9a8", "#cfe3f5", "#f9d5d3", "#f4f4f4", "#ffe9a8"};
    return fills[kind];
}

/* Puts up to `room` names of packets, those that have one or those that have none; returns how many there are. */
static unsigned put_some(const struct graph *graph, const struct gpucode_function *function, const char *own,
                         bool unknown, unsigned room, const char *before)
{
    char name[GPUCODE_NAME_MAX], number[16];
    unsigned count = 0;
    for (unsigned i = 0; i < 128; i++) {
        snprintf(number, sizeof number, "UNKN%u", i);
        if (!(function->packets[i / 64] >> i % 64 & 1) ||
            !gpucode_analysis_packet_name(graph->understood->analysis, i, name, sizeof name) ||
            (strcmp(name, number) == 0) != unknown || strcmp(name, own) == 0 || count++ >= room)
            continue;
        fprintf(graph->out, "%s", before);
        markup_put_text(graph->out, name);
    }
    return count;
}

/* Packets that a function handles beside the one that names it, `before` in front of each. */
static void graph_put_packets(const struct graph *graph, unsigned section, uint32_t index,
                              const struct gpucode_function *function, const char *before)
{
    char own[GPUCODE_NAME_MAX];
    understood_name(graph->understood, section, index, own);
    unsigned known = put_some(graph, function, own, false, PACKETS_SHOWN, before);
    unsigned room = known < PACKETS_SHOWN ? PACKETS_SHOWN - known : 0;
    unsigned count = known + put_some(graph, function, own, true, room, before);
    if (count > PACKETS_SHOWN)
        fprintf(graph->out, "%sand %u more", *before == ',' ? " " : before, count - PACKETS_SHOWN);
}

/*
 * Flow of control in graphviz' language: a cluster for each function, a node for each block with its text, in which
 * what stands in a delay slot is set back. Edges are green where a branch is taken and red where it is not.
 */

static const char graph_flow_legend[] =
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
        else if (kind == GPUCODE_EDGE_STOP)
            fprintf(graph->out, "<FONT COLOR=\"#777777\">&#8594; the end</FONT><BR ALIGN=\"LEFT\"/>");
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

static void graph_put_flow(const struct graph *graph, unsigned section)
{
    bool more = true;
    for (unsigned i = 0; more; i++) {
        const struct gpucode_function *function = graph_function(graph, section, i, &more);
        if (function)
            put_function(graph, section, i, function);
    }
}

/*
 * Calls in graphviz' language: a cluster for each section, a node for each function, solid arrows for calls and dashed
 * ones where control goes on in another function. Functions without any share one node, so that the others stay close.
 * Sections stand side by side: edges that are not drawn hold each after the one before it.
 */

static const char graph_calls_legend[] = "<FONT COLOR=\"#b08800\">&#9632;</FONT> boot "
                                         "<FONT COLOR=\"#6ea6d8\">&#9632;</FONT> handlers of packets "
                                         "<FONT COLOR=\"#d9837f\">&#9632;</FONT> preemption "
                                         "<FONT COLOR=\"#bbbbbb\">&#9632;</FONT> routines; dashed: goes on there";

/* Functions in a row of those without calls. */
#define ALONE_ACROSS 2

static void put_name(const struct graph *graph, unsigned section, uint32_t index,
                     const struct gpucode_function *function)
{
    char name[GPUCODE_NAME_MAX];
    understood_name(graph->understood, section, index, name);
    markup_put_text(graph->out, name);
    graph_put_packets(graph, section, index, function, "<BR/>");
}

/* Which functions that are drawn have arrows: to others, and from others. */
struct arrows {
    bool *out, *in;
    unsigned functions; /* of the section */
};

static const struct gpucode_function *drawn_call(const struct graph *graph, unsigned section,
                                                 const struct gpucode_function *function, uint32_t edge, uint32_t *to)
{
    *to = edge < function->call_count ? function->calls[edge].function
                                      : function->tails[edge - function->call_count].function;
    bool more;
    return *to == GPUCODE_NONE ? NULL : graph_function(graph, section, *to, &more);
}

static bool find_arrows(const struct graph *graph, unsigned section, struct arrows *arrows)
{
    bool more = true;
    while (gpucode_analysis_function(graph->understood->analysis, section, arrows->functions))
        arrows->functions++;
    arrows->out = calloc(arrows->functions + 1, sizeof *arrows->out);
    arrows->in = calloc(arrows->functions + 1, sizeof *arrows->in);
    for (unsigned i = 0; more && arrows->out && arrows->in; i++) {
        const struct gpucode_function *function = graph_function(graph, section, i, &more);
        uint32_t to;
        for (uint32_t k = 0; function && k < function->call_count + function->tail_count; k++)
            if (drawn_call(graph, section, function, k, &to))
                arrows->out[i] = arrows->in[to] = true;
    }
    return arrows->out && arrows->in;
}

static void put_node(const struct graph *graph, unsigned section, uint32_t index,
                     const struct gpucode_function *function)
{
    fprintf(graph->out, "    f%u_%u [shape=box, style=filled, color=\"#777777\", fillcolor=\"%s\", label=<", section,
            index, graph_fill(function->kind));
    put_name(graph, section, index, function);
    fprintf(graph->out, ">];\n");
}

/* All functions without arrows as one table; false: there are none. */
static bool put_alone(const struct graph *graph, unsigned section, const struct arrows *arrows)
{
    unsigned count = 0;
    bool more = true;
    for (unsigned i = 0; more; i++) {
        const struct gpucode_function *function = graph_function(graph, section, i, &more);
        if (!function || arrows->in[i] || arrows->out[i])
            continue;
        if (!count)
            fprintf(graph->out, "    a%u [shape=plain, label=<<TABLE BORDER=\"0\" CELLSPACING=\"3\" CELLPADDING=\"4\">",
                    section);
        fprintf(graph->out, "%s<TD ID=\"f%u_%u\" BORDER=\"1\" COLOR=\"#777777\" BGCOLOR=\"%s\">",
                count % ALONE_ACROSS ? ""
                : count              ? "</TR><TR>"
                                     : "<TR>",
                section, i, graph_fill(function->kind));
        put_name(graph, section, i, function);
        fprintf(graph->out, "</TD>");
        count++;
    }
    if (count)
        fprintf(graph->out, "</TR></TABLE>>];\n");
    return count;
}

/* How often a function calls another; the first of the calls speaks for all. */
static uint32_t count_calls(const struct gpucode_function *function, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->call_count; i++) {
        bool same = function->calls[i].function == function->calls[first].function;
        if (same && i < first)
            return 0;
        count += same;
    }
    return count;
}

/* One arrow for all calls of one function by another. */
static void put_arrows(const struct graph *graph, unsigned section, uint32_t index,
                       const struct gpucode_function *function)
{
    uint32_t to, last = GPUCODE_NONE;
    for (uint32_t i = 0; i < function->call_count + function->tail_count; i++) {
        bool call = i < function->call_count;
        uint32_t count = call ? count_calls(function, i) : 1;
        if (!drawn_call(graph, section, function, i, &to) || !count || (!call && to == last))
            continue;
        last = to;
        fprintf(graph->out, "    f%u_%u -> f%u_%u [color=\"%s\"", section, index, section, to,
                call ? "#333333" : "#999999");
        if (!call)
            fprintf(graph->out, ", style=dashed");
        if (call && count > 1)
            fprintf(graph->out, ", label=\"%u\"", count);
        fprintf(graph->out, "];\n");
    }
}

/* Points that hold a section's functions between them; they are not seen, nor are the edges. */
static void put_holders(const struct graph *graph, unsigned section, const struct arrows *arrows, bool alone)
{
    static const char hidden[] = "[style=invis, weight=0]";
    bool more = true;
    fprintf(graph->out, "  p%u [style=invis, shape=point, width=0];\n  q%u [style=invis, shape=point, width=0];\n",
            section, section);
    if (section)
        fprintf(graph->out, "  q%u -> p%u %s;\n", section - 1, section, hidden);
    if (alone)
        fprintf(graph->out, "  p%u -> a%u %s;\n  a%u -> q%u %s;\n", section, section, hidden, section, section, hidden);
    else
        fprintf(graph->out, "  p%u -> q%u %s;\n", section, section, hidden);
    for (unsigned i = 0; more; i++) {
        const struct gpucode_function *function = graph_function(graph, section, i, &more);
        if (!function)
            continue;
        if (arrows->out[i] && !arrows->in[i])
            fprintf(graph->out, "  p%u -> f%u_%u %s;\n", section, section, i, hidden);
        if (arrows->in[i] && !arrows->out[i])
            fprintf(graph->out, "  f%u_%u -> q%u %s;\n", section, i, section, hidden);
    }
}

static bool graph_put_calls(const struct graph *graph, unsigned section)
{
    struct arrows arrows = {0};
    bool more = true;
    bool good = find_arrows(graph, section, &arrows);
    if (good) {
        fprintf(graph->out, "  subgraph cluster_%u {\n    color=\"#bbbbbb\";\n    labelloc=t;\n    label=<<B>",
                section);
        markup_put_text(graph->out, graph->understood->info->sections[section].name);
        fprintf(graph->out, "</B>>;\n");
        for (unsigned i = 0; more; i++) {
            const struct gpucode_function *function = graph_function(graph, section, i, &more);
            if (!function || (!arrows.in[i] && !arrows.out[i]))
                continue;
            put_node(graph, section, i, function);
            put_arrows(graph, section, i, function);
        }
        bool alone = put_alone(graph, section, &arrows);
        fprintf(graph->out, "  }\n");
        put_holders(graph, section, &arrows, alone);
    }
    free(arrows.out);
    free(arrows.in);
    return good;
}

/* What graphs of flow and of calls have in common in graphviz' language. */

bool graph_dot(const struct graph *graph)
{
    const struct gpucode_image_info *info = graph->understood->info;
    bool flow = graph->kind == GRAPH_FLOW;
    fprintf(graph->out, "digraph {\n"
                        "  graph [fontname=\"sans-serif\", fontsize=11, labelloc=b, ranksep=0.45];\n"
                        "  node [fontname=\"monospace\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9, "
                        "arrowsize=0.7];\n");
    if (!flow)
        fprintf(graph->out, "  rankdir=LR;\n  ranksep=1.1;\n  nodesep=0.12;\n");
    fprintf(graph->out, "  label=<");
    markup_put_text(graph->out, graph->understood->input->file.name);
    fprintf(graph->out, ", ");
    markup_put_text(graph->out, gpucode_target_name(info->target));
    bool seen = flow && graph->understood->session->arguments.value[OPTION_SEEN];
    fprintf(graph->out, "<BR/>%s%s>;\n", flow ? graph_flow_legend : graph_calls_legend,
            seen ? "<BR/>bold: seen running, <FONT COLOR=\"#8e24aa\">known from running alone</FONT>" : "");
    bool good = true;
    for (unsigned i = 0; good && i < info->section_count; i++) {
        if (flow)
            graph_put_flow(graph, i);
        else
            good = graph_put_calls(graph, i);
    }
    fprintf(graph->out, "}\n");
    return good;
}
