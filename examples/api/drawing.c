/* SPDX-License-Identifier: MIT */
/* Draws a graph, and says whether its nodes are in the picture. */
#include <gpucode/drawing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *svg;
    size_t length;
    if (gpucode_drawing_svg("digraph { boot -> CP_NOP; }", &svg, &length) != GPUCODE_OK)
        return 1;
    printf("boot: %s\nCP_NOP: %s\n", strstr(svg, ">boot<") ? "drawn" : "missing",
           strstr(svg, ">CP_NOP<") ? "drawn" : "missing");
    free(svg);
    return 0;
}
