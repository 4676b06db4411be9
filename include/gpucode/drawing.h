/* SPDX-License-Identifier: MIT */
/*
 * Drawings: a graph in graphviz' language laid out as an SVG picture. In a library of its own, gpucode-drawing, because
 * it needs graphviz.
 *
 *     char *svg;
 *     size_t length;
 *     if (gpucode_drawing_svg("digraph { boot -> CP_NOP; }", &svg, &length) == GPUCODE_OK) {
 *         fwrite(svg, 1, length, stdout);
 *         free(svg);
 *     }
 */
#ifndef GPUCODE_DRAWING_H
#define GPUCODE_DRAWING_H

#include <gpucode/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lays a graph out from top to bottom, or as its `rankdir` says, and draws it. *svg is malloc'ed and ends with a zero
 * that *length leaves out. How large letters are, and with them where things stand, depends on graphviz' version and
 * the fonts of the system. Time grows faster than the graph: some thousands of nodes take seconds.
 *
 * Returns GPUCODE_OK, GPUCODE_ERROR_INPUT (graphviz finds no graph in the text), GPUCODE_ERROR_UNSUPPORTED (graphviz
 * has no plugin that lays out and draws; its installation is not whole), GPUCODE_ERROR_MEMORY or
 * GPUCODE_ERROR_ARGUMENT. One thread of the program at a time: graphviz has globals.
 */
GPUCODE_API enum gpucode_status gpucode_drawing_svg(const char *dot, char **svg, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
