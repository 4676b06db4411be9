/* SPDX-License-Identifier: MIT */
/* What the manual says of an instruction, made from its row. */
#include "lsp/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *row_markdown(const struct gpucode_target *target, uint32_t index)
{
    static const char *const evidence[] = {
        [GPUCODE_MANUAL] = "manual", [GPUCODE_OBSERVED] = "observed", [GPUCODE_INFERRED] = "inferred"};
    struct gpucode_row row;
    char form[512], *text = NULL;
    size_t length;
    FILE *out = gpucode_row(target, index, &row) ? open_memstream(&text, &length) : NULL;
    if (!out)
        return NULL;
    row_form(target, index, form, sizeof form, NULL, NULL);
    fprintf(out, "```gpucode\n%s\n```\n%s\n\n", form, row.doc);
    fprintf(out, "Bits: `%s`", row.bits);
    if (*row.effects)
        fprintf(out, "  \nEffects: %s", row.effects);
    if (*row.action)
        fprintf(out, "\n```c\n%s\n```", row.action);
    fprintf(out, "\nSource: %s (%s)\n", row.source, evidence[row.evidence]);
    return fclose(out) == 0 ? text : NULL;
}
