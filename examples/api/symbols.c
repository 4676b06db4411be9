/* SPDX-License-Identifier: MIT */
/* Reads a symbol file and looks a name up. */
#include <gpucode/symbols.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char text[] = "* 0x0020 start_draw ; a function\nreg $02 header\nmem 0x100000 ring\n";
    struct gpucode_symbols *symbols;
    struct gpucode_diagnostic_handler nobody = {0};
    struct gpucode_label label;
    if (gpucode_symbols_create(gpucode_target_find("afuc:a630"), NULL, &symbols) != GPUCODE_OK ||
        gpucode_symbols_read(symbols, text, strlen(text), "my.symbols", nobody) != GPUCODE_OK)
        return 1;
    for (unsigned i = 0; gpucode_symbols_at(symbols, i, &label); i++)
        printf("%s\n", label.name);
    if (gpucode_symbols_find(symbols, NULL, "start_draw", 10, &label))
        printf("start_draw stands at %lld\n", (long long)label.value);
    gpucode_symbols_free(symbols);
    return 0;
}
