/* SPDX-License-Identifier: MIT */
/* Where a label of a source with an error in it is defined and used, and what mends the error. */
#include <gpucode/source.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char text[] = ".target afuc:a630\nloop: brne $02, 0x3, #loop\nnop\njump #lop\nnop\n";
    struct gpucode_source *source;
    if (gpucode_source_read(text, strlen(text), NULL, &source) > GPUCODE_ERROR_INPUT)
        return 1;
    uint32_t count;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(source, &count);
    for (uint32_t i = count ? symbols[0].first : GPUCODE_NONE; i != GPUCODE_NONE;) {
        const struct gpucode_word *word = gpucode_source_word(source, i);
        printf("%s is %s at byte %zu\n", symbols[0].name, word->defines ? "defined" : "used", word->span.offset);
        i = word->next;
    }
    const struct gpucode_source_diagnostic *diagnostics = gpucode_source_diagnostics(source, &count);
    for (uint32_t i = 0; i < count; i++)
        printf("byte %zu: %s; write %s\n", diagnostics[i].span.offset, diagnostics[i].message,
               diagnostics[i].replacement ? diagnostics[i].replacement : "something else");
    gpucode_source_free(source);
    return 0;
}
