/* SPDX-License-Identifier: MIT */
/* One instruction: text to bits, a field changed, bits to text; and what its row says. */
#include <gpucode/insn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char source[] = "add $02, $03, 0x10";
    const struct gpucode_target *target = gpucode_target_find("afuc:a630");
    struct gpucode_insn insn;
    struct gpucode_field field;
    struct gpucode_row row;
    char text[GPUCODE_TEXT_MAX];
    if (gpucode_parse(target, source, strlen(source), NULL, &insn) != GPUCODE_OK)
        return 1;
    printf("%s is %08" PRIx64 "\n", source, insn.bits);
    for (unsigned i = 0; gpucode_insn_field(&insn, i, &field); i++)
        printf("  %c = 0x%" PRIx64 ", a %s of %u bits\n", field.letter, field.value, field.kind, field.width);
    if (gpucode_insn_set(&insn, 'i', 0x20) != GPUCODE_OK ||
        gpucode_format(&insn, NULL, text, sizeof text, NULL) != GPUCODE_OK || !gpucode_row(target, insn.row, &row))
        return 1;
    printf("%s is %08" PRIx64 "\n%s\n", text, insn.bits, row.bits);
    return 0;
}
