/* SPDX-License-Identifier: MIT */
/* Parts of a graph in graphviz' language: graph_dot.c puts them together. */
#ifndef CLI_GRAPH_DOT_H
#define CLI_GRAPH_DOT_H

#include "cli/graph.h"
#include "front/page.h"

/* The colour of a function. */
const char *graph_fill(enum gpucode_function_kind kind);

/* Blocks of the functions that are drawn; what their colours mean. */
void graph_put_flow(const struct graph *graph, unsigned section);
extern const char graph_flow_legend[];
/* Packets that a function handles beside the one that names it, `before` in front of each. */
void graph_put_packets(const struct graph *graph, unsigned section, uint32_t index,
                       const struct gpucode_function *function, const char *before);
/* Functions that are drawn, and who calls whom. False: out of memory. */
bool graph_put_calls(const struct graph *graph, unsigned section);
extern const char graph_calls_legend[];

#endif
