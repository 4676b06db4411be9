/* SPDX-License-Identifier: MIT */
/* What graphs of flow and of calls have in common in graphviz' language. */
#include "cli/graph_dot.h"

#include "front/session.h"

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
