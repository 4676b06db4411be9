/* SPDX-License-Identifier: MIT */
/* Text and colours of nodes in graphviz' language. */
#include "cli/graph_dot.h"

#include <string.h>

/* Names that a handler of many packets shows. */
#define PACKETS_SHOWN 3

const char *graph_fill(enum gpucode_function_kind kind)
{
    static const char *const fills[] = {"#ffe9a8", "#cfe3f5", "#f9d5d3", "#f4f4f4"};
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

void graph_put_packets(const struct graph *graph, unsigned section, uint32_t index,
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
