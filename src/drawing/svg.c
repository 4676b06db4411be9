/* SPDX-License-Identifier: MIT */
/* graphviz asked for an SVG. The one place that knows it. */
#include <gpucode/drawing.h>

#ifdef GPUCODE_WITH_GRAPHVIZ
#include <gvc.h>
#include <stdlib.h>
#include <string.h>

/* graphviz writes what it does not like to standard error unless it is told otherwise; a library does not. */
static int ignore_message(char *text)
{
    (void)text;
    return 0;
}

static enum gpucode_status lay_out(GVC_t *context, graph_t *graph, char **svg, size_t *length)
{
    char *drawn = NULL;
    unsigned drawn_length = 0;
    if (gvLayout(context, graph, "dot"))
        return GPUCODE_ERROR_UNSUPPORTED;
    enum gpucode_status status = GPUCODE_ERROR_UNSUPPORTED;
    if (gvRenderData(context, graph, "svg", &drawn, &drawn_length) == 0 && drawn) {
        *svg = malloc((size_t)drawn_length + 1);
        status = *svg ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    }
    if (status == GPUCODE_OK) {
        memcpy(*svg, drawn, drawn_length);
        (*svg)[drawn_length] = 0;
        *length = drawn_length;
    }
    gvFreeRenderData(drawn);
    gvFreeLayout(context, graph);
    return status;
}

enum gpucode_status gpucode_drawing_svg(const char *dot, char **svg, size_t *length)
{
    if (!dot || !svg || !length)
        return GPUCODE_ERROR_ARGUMENT;
    agusererrf before = agseterrf(ignore_message);
    enum gpucode_status status = GPUCODE_ERROR_MEMORY;
    GVC_t *context = gvContext();
    if (context) {
        graph_t *graph = agmemread(dot);
        status = graph ? lay_out(context, graph, svg, length) : GPUCODE_ERROR_INPUT;
        if (graph)
            agclose(graph);
        gvFreeContext(context);
    }
    agseterrf(before);
    return status;
}
#else
enum gpucode_status gpucode_drawing_svg(const char *dot, char **svg, size_t *length)
{
    return dot && svg && length ? GPUCODE_ERROR_UNSUPPORTED : GPUCODE_ERROR_ARGUMENT;
}
#endif
