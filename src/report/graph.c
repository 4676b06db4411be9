/* SPDX-License-Identifier: MIT */
/* Functions, blocks and calls: a graph as data, and for each function its blocks or its calls for people. */
#include "report/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ANSWER_ROWS "report/answer.def"
#define ANSWER_PART_GRAPH
#include <gpucode/answer_rows.h>

#define PACKETS_SHOWN 8 /* of those that share a handler */

REPORT_TABLE(gpucode_report_graph_table, "graph", "Functions, blocks and calls: `graph`.")

struct graph {
    const struct gpucode_subject *subject;
    struct gpucode_graph_options options;
    struct gpucode_answer *answer;
    unsigned section;
};

/* --- blocks --- */

static void put_edges(const struct graph *graph, const struct gpucode_block *block)
{
    struct gpucode_answer *answer = graph->answer;
    gpucode_answer_begin(answer, &fields[SUCCESSORS]);
    for (uint32_t i = 0; i < block->edge_count; i++) {
        const struct gpucode_edge *edge = &block->edges[i];
        gpucode_answer_begin(answer, &fields[SUCCESSOR]);
        if (edge->known)
            gpucode_answer_number(answer, &fields[TO], edge->to);
        gpucode_answer_text(answer, &fields[EDGE], gpucode_edge_name(edge->kind));
        if (edge->known)
            gpucode_answer_number(answer, &fields[TO_TEXT], edge->to);
        if (edge->seen)
            gpucode_answer_flag(answer, &fields[SEEN], true);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    if (!block->edge_count)
        gpucode_answer_text(answer, &fields[NOWHERE], "nowhere");
}

static void put_block(const struct graph *graph, const struct gpucode_block *block)
{
    struct gpucode_answer *answer = graph->answer;
    char text[GPUCODE_TEXT_MAX];
    gpucode_answer_begin(answer, &fields[BLOCK]);
    gpucode_answer_number(answer, &fields[BLOCK_START], block->start);
    gpucode_answer_number(answer, &fields[BLOCK_END], block->end);
    uint32_t units;
    for (uint32_t unit = block->start; graph->options.text && unit < block->end; unit += units) {
        units = subject_units(graph->subject, graph->section, unit);
        bool good = gpucode_subject_text(graph->subject, graph->section, unit, text);
        gpucode_answer_begin(answer, &fields[LINE]);
        gpucode_answer_number(answer, &fields[LINE_AT], unit);
        gpucode_answer_text(answer, &fields[LINE_TEXT], good ? text : "(no instruction)");
        gpucode_answer_end(answer);
    }
    put_edges(graph, block);
    subject_put_line(graph->subject, answer, graph->section, block->start, &fields[BLOCK_FILE], &fields[BLOCK_LINE]);
    gpucode_answer_end(answer);
}

static void put_blocks(const struct graph *graph, const struct gpucode_function *function)
{
    gpucode_answer_begin(graph->answer, &fields[BLOCKS]);
    for (uint32_t i = 0; i < function->block_count; i++)
        put_block(graph, gpucode_analysis_block(graph->subject->analysis, graph->section, function->blocks[i]));
    gpucode_answer_end(graph->answer);
}

/* --- calls --- */

static void put_calls(const struct graph *graph, const struct gpucode_function *function)
{
    struct gpucode_answer *answer = graph->answer;
    gpucode_answer_begin(answer, &fields[CALLS]);
    for (uint32_t i = 0; i < function->call_count; i++) {
        gpucode_answer_begin(answer, &fields[CALL]);
        gpucode_answer_number(answer, &fields[CALL_AT], function->calls[i].at);
        gpucode_answer_number(answer, &fields[CALL_TO], function->calls[i].to);
        gpucode_answer_text(answer, &fields[CALL_KIND], function->calls[i].linked ? "bl" : "call");
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[TAILS]);
    for (uint32_t i = 0; i < function->tail_count; i++) {
        const struct gpucode_function *other =
            gpucode_analysis_function(graph->subject->analysis, graph->section, function->tails[i].function);
        gpucode_answer_begin(answer, &fields[TAIL]);
        gpucode_answer_number(answer, &fields[TAIL_AT], function->tails[i].at);
        gpucode_answer_number(answer, &fields[TAIL_TO], other->start);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

static void put_lead(const struct graph *graph, uint32_t at, const char *how, const char *name)
{
    gpucode_answer_begin(graph->answer, &fields[LEAD]);
    gpucode_answer_number(graph->answer, &fields[LEAD_AT], at);
    gpucode_answer_format(graph->answer, &fields[LEAD_TEXT], "%s %s", how, name);
    gpucode_answer_end(graph->answer);
}

static void put_leads(const struct graph *graph, const struct gpucode_function *function)
{
    char name[GPUCODE_NAME_MAX];
    for (uint32_t i = 0; i < function->call_count; i++) {
        const struct gpucode_function_call *call = &function->calls[i];
        snprintf(name, sizeof name, "0x%" PRIx32 ", outside", call->to);
        if (call->function != GPUCODE_NONE)
            gpucode_subject_name(graph->subject, graph->section, call->function, name);
        put_lead(graph, call->at, call->linked ? "bl  " : "call", name);
    }
    for (uint32_t i = 0; i < function->tail_count; i++) {
        gpucode_subject_name(graph->subject, graph->section, function->tails[i].function, name);
        put_lead(graph, function->tails[i].at, "goes on as", name);
    }
}

/* --- functions --- */

#define HEAD_MAX (64 + PACKETS_SHOWN * (GPUCODE_NAME_MAX + 2))

/* Its depth, and the packets beside the one that names it: those that have a name, as far as there are not too many. */
static void put_head(const struct graph *graph, const struct gpucode_function *function, const char *own)
{
    char text[HEAD_MAX], name[GPUCODE_NAME_MAX];
    unsigned shown = 0, more = 0;
    int used = function->depth < 0 ? snprintf(text, sizeof text, "recurs")
                                   : snprintf(text, sizeof text, "depth %d", function->depth);
    for (unsigned i = 0; i < 128; i++) {
        if (!(function->packets[i / 64] >> i % 64 & 1) ||
            !gpucode_analysis_packet_name(graph->subject->analysis, i, name, sizeof name) || strcmp(name, own) == 0)
            continue;
        if (shown == PACKETS_SHOWN || strncmp(name, "UNKN", 4) == 0)
            more++;
        else
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", shown++ ? ", " : ", also ", name);
    }
    if (more)
        snprintf(text + used, sizeof text - (size_t)used, "%s%u %s", shown ? " and " : ", also ", more,
                 shown ? "more" : "packets without a name");
    gpucode_answer_text(graph->answer, &fields[HEAD], text);
}

static void put_function(const struct graph *graph, unsigned index, const struct gpucode_function *function)
{
    struct gpucode_answer *answer = graph->answer;
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_begin(answer, &fields[FUNCTION]);
    subject_plain_name(graph->subject, graph->section, index, name);
    gpucode_answer_text(answer, &fields[NAME], name);
    gpucode_subject_name(graph->subject, graph->section, index, name);
    gpucode_answer_text(answer, &fields[LISTED], name);
    gpucode_answer_number(answer, &fields[START], function->start);
    gpucode_answer_text(answer, &fields[KIND], gpucode_function_kind_name(function->kind));
    gpucode_answer_number(answer, &fields[AT], function->start);
    subject_put_packets(graph->subject, answer, function->packets, &fields[PACKETS], &fields[PACKET]);
    put_head(graph, function, name);
    if (!graph->options.calls)
        put_blocks(graph, function);
    put_calls(graph, function);
    if (graph->options.calls && graph->options.text)
        put_leads(graph, function);
    if (function->depth < 0)
        gpucode_answer_nothing(answer, &fields[DEPTH]);
    else
        gpucode_answer_number(answer, &fields[DEPTH], (uint64_t)function->depth);
    subject_put_line(graph->subject, answer, graph->section, function->start, &fields[FILE_NAME], &fields[FILE_LINE]);
    gpucode_answer_end(answer);
}

static void put_section(const struct graph *graph)
{
    const char *name = subject_section(graph->subject, graph->section);
    const struct gpucode_function *function;
    gpucode_answer_begin(graph->answer, &fields[SECTION]);
    gpucode_answer_text(graph->answer, &fields[SECTION_NAME], name);
    if (gpucode_image_info(graph->subject->image)->section_count > 1)
        gpucode_answer_text(graph->answer, &fields[SECTION_HEAD], name);
    gpucode_answer_begin(graph->answer, &fields[FUNCTIONS]);
    for (unsigned i = 0; (function = gpucode_analysis_function(graph->subject->analysis, graph->section, i)); i++)
        if (!graph->options.shown || graph->options.shown(graph->options.user, graph->section, i))
            put_function(graph, i, function);
    gpucode_answer_end(graph->answer);
    gpucode_answer_end(graph->answer);
}

enum gpucode_status gpucode_report_graph(const struct gpucode_subject *subject,
                                         const struct gpucode_graph_options *options, struct gpucode_answer *answer)
{
    if (!subject || !subject->image || !subject->analysis)
        return GPUCODE_ERROR_ARGUMENT;
    struct graph graph = {.subject = subject, .answer = answer};
    if (options)
        graph.options = *options;
    const struct gpucode_image_info *info = gpucode_image_info(subject->image);
    gpucode_answer_begin(answer, &fields[GRAPH]);
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(info->target));
    gpucode_answer_begin(answer, &fields[SECTIONS]);
    for (; graph.section < info->section_count; graph.section++)
        put_section(&graph);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return gpucode_answer_status(answer);
}
