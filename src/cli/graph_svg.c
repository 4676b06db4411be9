/* SPDX-License-Identifier: MIT */
/* A graph as a picture. */
#include "cli/graph.h"
#include "front/session.h"

#include <gpucode/drawing.h>

/* Nodes that graphviz lays out in some seconds. */
#define NODES_MAX 3000

static unsigned count_nodes(const struct graph *graph)
{
    unsigned count = 0;
    for (unsigned section = 0; section < graph->understood->info->section_count; section++) {
        bool more = true;
        for (unsigned i = 0; more; i++) {
            const struct gpucode_function *function = graph_function(graph, section, i, &more);
            count += !function ? 0 : graph->kind == GRAPH_FLOW ? function->block_count : 1;
        }
    }
    return count;
}

int graph_svg(const struct graph *graph, const char *dot, char **svg, size_t *length)
{
    struct diagnostics *diagnostics = &graph->understood->session->diagnostics;
    unsigned nodes = count_nodes(graph);
    if (nodes > NODES_MAX)
        return complain(diagnostics, CLI_DRAWING_LARGE, NULL, NULL, nodes);
    switch (gpucode_drawing_svg(dot, svg, length)) {
    case GPUCODE_OK:
        return EXIT_DONE;
    case GPUCODE_ERROR_UNSUPPORTED:
        return complain(diagnostics, CLI_NO_DRAWING, NULL,
                        "`gpucode graph --format=dot FILE | dot -Tsvg` draws it with an installed graphviz");
    default:
        return out_of_memory(diagnostics);
    }
}
