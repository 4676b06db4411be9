/* SPDX-License-Identifier: MIT */
/* What the forms of `graph` have in common. */
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

#include "front/understood.h"
#include <stdio.h>

enum graph_kind { GRAPH_FLOW, GRAPH_CALLS, GRAPH_HANDLERS };

struct graph {
    const struct understood *understood;
    enum graph_kind kind;
    bool **shown; /* of each section, of each function: it is drawn */
    FILE *out;
};

/* Function number `index` of a section where it is drawn, else null; *more: there are functions from there on. */
const struct gpucode_function *graph_function(const struct graph *graph, unsigned section, unsigned index, bool *more);

void graph_json(const struct graph *graph);
void graph_text(const struct graph *graph);
/* False: out of memory. */
bool graph_dot(const struct graph *graph);
/* Lays out what graph_dot() wrote; complains and returns an exit code. *svg is malloc'ed. */
int graph_svg(const struct graph *graph, const char *dot, char **svg, size_t *length);

#endif
