/* SPDX-License-Identifier: MIT */
/* Two mistakes, both told in one run. */
#include <gpucode/asm.h>
#include <gpucode/diagnostic.h>
#include <stdio.h>
#include <string.h>

static void report(void *user, const struct gpucode_diagnostic *d)
{
    fprintf(user, "line %u, column %u, %u bytes: %s\n", d->line, d->column, d->length, d->message);
    fprintf(user, "  explained: %s\n", gpucode_explain(d->code) ? "yes" : "no");
}

int main(void)
{
    static const char source[] = ".target afuc:a630\n"
                                 "mov $20, 0x1\n"
                                 "jump #nowhere\n"
                                 "nop\n";
    struct gpucode_asm_options options = {.on_diagnostic = {report, stdout}};
    struct gpucode_program *program;
    return gpucode_assemble(source, strlen(source), &options, &program) == GPUCODE_ERROR_INPUT ? 0 : 1;
}
