/* SPDX-License-Identifier: MIT */
/* Instruction to text: the row's text with its fields filled in. */
#include "isa/isa.h"

#include "base/text.h"

char *isa_format(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    const struct isa *isa = insn->target->isa;
    if (isa->text.print)
        return isa->text.print[insn->row](at, insn, options);
    const struct isa_row *row = &isa->text.rows->rows[insn->row];
    for (unsigned e = 0; e < row->element_count; e++) {
        const struct isa_element *element = &row->elements[e];
        if (element->is_field) {
            const struct isa_field *field = &row->fields[element->index];
            at = isa->text.operand_classes[field->kind].print(at, insn, field, options);
        } else {
            at = text_put(at, element->literal, element->length);
        }
    }
    return at;
}

/* With the comment. */
static char *isa_format_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    at = isa_format(at, insn, options);
    return insn->target->isa->text.comment ? insn->target->isa->text.comment(at, insn, options) : at;
}

enum gpucode_status gpucode_format(const struct gpucode_insn *insn, const struct gpucode_format_options *options,
                                   char *text, size_t size, size_t *needed)
{
    static const struct gpucode_format_options defaults;
    if (!insn || !insn->target || (!text && size) || !gpucode_row_on_target(insn->target, insn->row))
        return GPUCODE_ERROR_ARGUMENT;
    if (!options)
        options = &defaults;
    char line[2 * GPUCODE_TEXT_MAX];
    char *end = options->comments ? isa_format_comment(line, insn, options) : isa_format(line, insn, options);
    size_t length = (size_t)(end - line);
    if (needed)
        *needed = length;
    if (length >= size)
        return GPUCODE_ERROR_SPACE;
    memcpy(text, line, length);
    text[length] = 0;
    return GPUCODE_OK;
}
