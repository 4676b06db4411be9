/* SPDX-License-Identifier: MIT */
#include "front/row.h"

#include "front/chapters.h"

#include <gpucode/insn.h>
#include <stdio.h>

const char *row_kind(const struct gpucode_target *target, uint32_t row, char letter)
{
    struct gpucode_insn insn;
    struct gpucode_field field;
    if (gpucode_insn_init(target, row, &insn) != GPUCODE_OK)
        return NULL;
    for (unsigned i = 0; gpucode_insn_field(&insn, i, &field); i++)
        if (field.letter == letter)
            return field.kind;
    return NULL;
}

static bool is_modifier(const struct gpucode_target *target, uint32_t row, char letter)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_FIELDS_MAX];
    if (gpucode_insn_init(target, row, &insn) != GPUCODE_OK)
        return false;
    unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_FIELDS_MAX);
    for (unsigned i = 0; i < count && i < GPUCODE_FIELDS_MAX; i++)
        if (operands[i].letter == letter)
            return false;
    return true;
}

size_t row_form(const struct gpucode_target *target, uint32_t index, char *text, size_t size, size_t *parts,
                unsigned *part_count)
{
    struct gpucode_row row;
    size_t used = 0;
    if (part_count)
        *part_count = 0;
    *text = 0;
    if (!gpucode_row(target, index, &row))
        return 0;
    const char *chapters = gpucode_target_manual(target);
    for (const char *at = row.text; *at && used + 1 < size;) {
        bool is_field = at[0] == '{' && at[1] && at[2] == '}';
        const char *piece = at, *kind = NULL;
        size_t length = 1, start = used;
        if (is_field && !(chapters && chapters_letter(chapters, at[1], &piece, &length))) {
            kind = row_kind(target, index, at[1]);
            length = 0;
        }
        int written = kind ? snprintf(text + used, size - used, "<%s>", kind)
                           : snprintf(text + used, size - used, "%.*s", (int)length, piece);
        used += (size_t)written;
        if (used >= size)
            used = size - 1;
        if (is_field && parts && *part_count < GPUCODE_FIELDS_MAX && !is_modifier(target, index, at[1])) {
            parts[2 * *part_count] = start;
            parts[2 * *part_count + 1] = used;
            ++*part_count;
        }
        at += is_field ? 3 : 1;
    }
    return used;
}
