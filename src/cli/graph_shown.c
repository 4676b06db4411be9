/* SPDX-License-Identifier: MIT */
/* Which functions a graph draws. */
#include "cli/graph.h"

const struct gpucode_function *graph_function(const struct graph *graph, unsigned section, unsigned index, bool *more)
{
    const struct gpucode_function *function = gpucode_analysis_function(graph->understood->analysis, section, index);
    *more = function;
    return function && graph->shown[section][index] ? function : NULL;
}
