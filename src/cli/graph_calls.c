/* SPDX-License-Identifier: MIT */
/*
 * Calls in graphviz' language: a cluster for each section, a node for each function, solid arrows for calls and dashed
 * ones where control goes on in another function. Functions without any share one node, so that the others stay close.
 * Sections stand side by side: edges that are not drawn hold each behind the one before it.
 */
#include "cli/graph_dot.h"

#include <stdlib.h>
#include <string.h>

const char graph_calls_legend[] = "<FONT COLOR=\"#b08800\">&#9632;</FONT> boot "
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

bool graph_put_calls(const struct graph *graph, unsigned section)
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
