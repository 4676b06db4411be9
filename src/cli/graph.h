/* SPDX-License-Identifier: MIT */
/* What the forms of `graph` have in common. */
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

#include "front/understood.h"
#include <gpucode/machine.h>
#include <stdio.h>

enum graph_kind { GRAPH_FLOW, GRAPH_CALLS, GRAPH_HANDLERS };

struct graph {
    const struct understood *understood;
    enum graph_kind kind;
    bool **shown;                          /* of each section, of each function: it is drawn */
    const struct gpucode_machine *machine; /* whose coverage colours the blocks of a flow graph; or null */
    FILE *out;
};

/* Function number `index` of a section where it is drawn, else null; *more: there are functions from there on. */
static inline const struct gpucode_function *graph_function(const struct graph *graph, unsigned section, unsigned index,
                                                            bool *more)
{
    const struct gpucode_function *function = gpucode_analysis_function(graph->understood->analysis, section, index);
    *more = function;
    return function && graph->shown[section][index] ? function : NULL;
}

/*
 * Writes the flow graph of all code for graphviz, blocks that have run on the machine in green, others in red. Its
 * coverage is on. Complains and returns an exit code.
 */
int graph_write_covered(const struct understood *understood, const struct gpucode_machine *machine, const char *path);

/* False: out of memory. */
bool graph_dot(const struct graph *graph);

#endif
