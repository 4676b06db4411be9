/* SPDX-License-Identifier: MIT */
/* A graph as JSON. */
#include "cli/graph.h"
#include "front/json.h"
#include "front/places.h"

static void understood_put_line(const struct understood *understood, struct json *json, unsigned section, uint32_t unit)
{
    struct gpucode_line line;
    if (!understood->input->program ||
        !gpucode_program_line(understood->input->program, understood->info->sections[section].start + unit, &line))
        return;
    json_string(json, "file", line.file);
    json_number(json, "line", line.line);
}

static void put_edges(struct json *json, const struct gpucode_block *block)
{
    json_array(json, "successors");
    for (uint32_t i = 0; i < block->edge_count; i++) {
        json_object(json, NULL);
        if (block->edges[i].known)
            json_number(json, "to_words", block->edges[i].to);
        json_string(json, "kind", gpucode_edge_name(block->edges[i].kind));
        if (block->edges[i].seen)
            json_bool(json, "seen", true);
        json_end(json);
    }
    json_end(json);
}

static void put_blocks(const struct graph *graph, struct json *json, unsigned section,
                       const struct gpucode_function *function)
{
    json_array(json, "blocks");
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct gpucode_block *block =
            gpucode_analysis_block(graph->understood->analysis, section, function->blocks[i]);
        json_object(json, NULL);
        json_number(json, "start_words", block->start);
        json_number(json, "end_words", block->end);
        put_edges(json, block);
        understood_put_line(graph->understood, json, section, block->start);
        json_end(json);
    }
    json_end(json);
}

static void put_calls(struct json *json, const struct gpucode_function *function)
{
    json_array(json, "calls");
    for (uint32_t i = 0; i < function->call_count; i++) {
        json_object(json, NULL);
        json_number(json, "at_words", function->calls[i].at);
        json_number(json, "to_words", function->calls[i].to);
        json_string(json, "kind", function->calls[i].linked ? "bl" : "call");
        json_end(json);
    }
    json_end(json);
}

static void put_function(const struct graph *graph, struct json *json, unsigned section, unsigned index,
                         const struct gpucode_function *function)
{
    char name[GPUCODE_NAME_MAX];
    gpucode_analysis_name(graph->understood->analysis, section, index, name, sizeof name);
    json_object(json, NULL);
    json_string(json, "name", name);
    json_number(json, "start_words", function->start);
    json_string(json, "kind", gpucode_function_kind_name(function->kind));
    places_put_packets(graph->understood->analysis, json, "packets", function->packets);
    if (graph->kind == GRAPH_FLOW)
        put_blocks(graph, json, section, function);
    put_calls(json, function);
    if (function->depth < 0)
        json_null(json, "depth");
    else
        json_number(json, "depth", (uint64_t)function->depth);
    understood_put_line(graph->understood, json, section, function->start);
    json_end(json);
}

void graph_json(const struct graph *graph)
{
    struct json json = {.out = graph->out, .indent = true};
    const struct gpucode_image_info *info = graph->understood->info;
    json_object(&json, NULL);
    json_string(&json, "target", gpucode_target_name(info->target));
    json_array(&json, "sections");
    for (unsigned i = 0; i < info->section_count; i++) {
        bool more = true;
        json_object(&json, NULL);
        json_string(&json, "name", info->sections[i].name);
        json_array(&json, "functions");
        for (unsigned k = 0; more; k++) {
            const struct gpucode_function *function = graph_function(graph, i, k, &more);
            if (function)
                put_function(graph, &json, i, k, function);
        }
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}
