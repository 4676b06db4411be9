/* SPDX-License-Identifier: MIT */
/* One instruction: text to bits, a field changed, bits to text; what its row says, and what it reads and writes. */
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

    static const char branch[] = "brne $02, b3, #l12", *const uses[] = {"-", "reads", "writes", "reads and writes"};
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    struct gpucode_flow flow;
    unsigned count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    for (unsigned i = 0; i < count; i++)
        printf("  %s %s register %u\n", uses[effects[i].use], gpucode_space_name(target, effects[i].space),
               effects[i].number);
    if (gpucode_parse(target, branch, strlen(branch), NULL, &insn) != GPUCODE_OK ||
        gpucode_format(&insn, NULL, text, sizeof text, NULL) != GPUCODE_OK || !gpucode_insn_flow(&insn, &flow))
        return 1;
    printf("%s may go to %" PRIu64 " after %u delay slot\n", text, flow.target, flow.delay_slots);
    count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    for (unsigned i = 0; i < count; i++)
        printf("  %.*s: %s\n", (int)operands[i].length, text + operands[i].start, operands[i].kind);
    return 0;
}
