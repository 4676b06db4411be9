/* SPDX-License-Identifier: MIT */
/* gpucode graph. */
#include "cli/graph.h"

#include "front/output.h"
#include "front/session.h"

#include <gpucode/drawing.h>
#include <stdlib.h>
#include <string.h>

/* A graph as a picture. */

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

/* Lays out what graph_dot() wrote; complains and returns an exit code. *svg is malloc'ed. */
static int graph_svg(const struct graph *graph, const char *dot, char **svg, size_t *length)
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
                        "`gpucode graph --form=dot FILE | dot -Tsvg` draws it with an installed graphviz");
    default:
        return out_of_memory(diagnostics);
    }
}

/* gpucode graph: functions, blocks and calls as text, JSON or a drawing. */

static unsigned count_functions(const struct understood *understood, unsigned section)
{
    unsigned count = 0;
    while (gpucode_analysis_function(understood->analysis, section, count))
        count++;
    return count;
}

/* Draws a function and, in graphs of calls, what it leads to. */
static void show(const struct graph *graph, unsigned section, uint32_t start, uint32_t *todo)
{
    unsigned count = 0;
    todo[count++] = start;
    graph->shown[section][start] = true;
    while (count) {
        const struct gpucode_function *function =
            gpucode_analysis_function(graph->understood->analysis, section, todo[--count]);
        for (uint32_t i = 0; graph->kind != GRAPH_FLOW && i < function->call_count + function->tail_count; i++) {
            uint32_t to = i < function->call_count ? function->calls[i].function
                                                   : function->tails[i - function->call_count].function;
            if (to == GPUCODE_NONE || graph->shown[section][to])
                continue;
            graph->shown[section][to] = true;
            todo[count++] = to;
        }
    }
}

/* Which functions are drawn. Returns an exit code. */
static int choose(struct graph *graph, const char *name)
{
    const struct understood *understood = graph->understood;
    struct session *session = understood->session;
    bool found = !name;
    for (unsigned i = 0; i < understood->info->section_count; i++) {
        unsigned count = count_functions(understood, i);
        graph->shown[i] = calloc(count + 1, sizeof **graph->shown);
        uint32_t *todo = calloc(count + 1, sizeof *todo), unit;
        if (!graph->shown[i] || !todo) {
            free(todo);
            return out_of_memory(&session->diagnostics);
        }
        for (unsigned k = 0; !name && k < count; k++) {
            const struct gpucode_function *function = gpucode_analysis_function(understood->analysis, i, k);
            if (graph->kind != GRAPH_HANDLERS || function->packets[0] || function->packets[1])
                show(graph, i, k, todo);
        }
        if (name && gpucode_subject_locate(&understood->subject, i, name, &unit)) {
            uint32_t owner = gpucode_analysis_owner(understood->analysis, i, unit);
            found |= owner != GPUCODE_NONE;
            if (owner != GPUCODE_NONE)
                show(graph, i, owner, todo);
        }
        free(todo);
    }
    return found ? EXIT_DONE : understood_no_place(understood, name);
}

static bool is_shown(void *user, unsigned section, unsigned function)
{
    const struct graph *graph = user;
    return graph->shown[section][function];
}

static bool write_to(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

/* False: out of memory. */
static bool report(struct graph *graph, bool json)
{
    const struct gpucode_graph_options options = {
        .calls = graph->kind != GRAPH_FLOW, .text = !json, .shown = is_shown, .user = graph};
    struct gpucode_answer *answer = gpucode_answer_stream(
        &(struct gpucode_answer_options){.form = json ? GPUCODE_ANSWER_AS_JSON : GPUCODE_ANSWER_AS_TEXT,
                                         .write = write_to,
                                         .user = graph->out,
                                         .indent = true});
    const struct gpucode_subject subject = json ? graph->understood->subject : understood_listed(graph->understood);
    gpucode_report_graph(&subject, &options, answer);
    enum gpucode_status status = gpucode_answer_finish(answer);
    gpucode_answer_free(answer);
    return status == GPUCODE_OK;
}

/* The graph as text of a format. Returns an exit code. */
static int make_text(struct graph *graph, const char *format, char **text, size_t *length)
{
    struct diagnostics *diagnostics = &graph->understood->session->diagnostics;
    bool good = true;
    if (!(graph->out = text_stream_open(text, length)))
        return out_of_memory(diagnostics);
    bool json = strcmp(format, "json") == 0;
    if (json || strcmp(format, "text") == 0)
        good = report(graph, json);
    else
        good = graph_dot(graph);
    good &= text_stream_close(graph->out);
    return good ? EXIT_DONE : out_of_memory(diagnostics);
}

static int write_graph(struct session *session, struct graph *graph, const char *format, const char *path)
{
    char *text = NULL, *svg = NULL;
    size_t length = 0;
    int code = make_text(graph, format, &text, &length);
    if (!code && strcmp(format, "svg") == 0)
        code = graph_svg(graph, text, &svg, &length);
    if (!code)
        code = outputs_write(&session->diagnostics, path ? path : "-", svg ? svg : text, length);
    free(text);
    free(svg);
    return code;
}

static int choose_and_write(struct graph *graph, const char *function, const char *format, const char *path)
{
    struct session *session = graph->understood->session;
    unsigned count = graph->understood->info->section_count;
    if (!(graph->shown = calloc(count + 1, sizeof *graph->shown)))
        return out_of_memory(&session->diagnostics);
    int code = choose(graph, function);
    if (!code)
        code = write_graph(session, graph, format, path);
    for (unsigned i = 0; i < count; i++)
        free(graph->shown[i]);
    free(graph->shown);
    return code;
}

/* Refuses what would say nothing of such code. Returns an exit code. */
static int check_kind(const struct understood *understood, const char *kind)
{
    const struct gpucode_target *target = understood->input->target;
    struct diagnostics *diagnostics = &understood->session->diagnostics;
    if (!gpucode_has_branches(target))
        return complain(diagnostics, CLI_NO_BRANCHES, understood->input->file.name, NULL, gpucode_target_isa(target));
    if (kind && strcmp(kind, "handlers") == 0 && !gpucode_can_follow_values(target))
        return complain(diagnostics, CLI_NO_HANDLERS, understood->input->file.name, NULL, gpucode_target_isa(target));
    return EXIT_DONE;
}

static int draw(struct session *session, const struct understood *understood)
{
    const char *kind = session->arguments.value[OPTION_GRAPH_KIND];
    const char *format = session->arguments.value[OPTION_GRAPH_FORM];
    int code = check_kind(understood, kind);
    if (code)
        return code;
    struct graph graph = {.understood = understood,
                          .kind = !kind || strcmp(kind, "flow") == 0 ? GRAPH_FLOW
                                  : strcmp(kind, "calls") == 0       ? GRAPH_CALLS
                                                                     : GRAPH_HANDLERS};
    return choose_and_write(&graph, session->arguments.value[OPTION_GRAPH_FUNCTION],
                            format          ? format
                            : session->json ? "json"
                                            : "text",
                            session->arguments.value[OPTION_OUTPUT]);
}

int graph_write_covered(const struct understood *understood, const struct gpucode_machine *machine, const char *path)
{
    struct graph graph = {.understood = understood, .kind = GRAPH_FLOW, .machine = machine};
    return choose_and_write(&graph, NULL, "dot", path);
}

int command_graph(struct session *session)
{
    return understood_first(session, draw);
}
