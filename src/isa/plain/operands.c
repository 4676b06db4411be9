/* SPDX-License-Identifier: MIT */
/* Operand classes that need nothing of their set. */
#include "base/text.h"
#include "isa/plain/plain.h"
#include "isa/scan.h"

char *isa_plain_print_number(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                             const struct gpucode_format_options *options)
{
    (void)options;
    return text_decimal(at, isa_field_get(field, insn->bits));
}

bool isa_plain_parse_number(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
{
    struct isa_value value;
    return isa_expression(scan, &value) && isa_store(scan, build, field, &value);
}

char *isa_plain_print_register(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                               const struct gpucode_format_options *options)
{
    (void)options;
    *at++ = 'r';
    return text_decimal(at, isa_field_get(field, insn->bits));
}

bool isa_plain_parse_register(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field)
{
    isa_skip(scan);
    const char *start = scan->at;
    if (!isa_name(scan) || *start != 'r' || scan->end - start < 2 || start[1] < '0' || start[1] > '9')
        return isa_expected(scan, scan->isa->text.operand_classes[field->kind].name);
    scan->at++;
    return isa_take_number(scan, build, field, start);
}

char *isa_plain_print_target(char *at, const struct gpucode_insn *insn, const struct isa_field *field,
                             const struct gpucode_format_options *options)
{
    uint64_t target = isa_field_get(field, insn->bits);
    size_t length = options->label ? options->label(options->user, insn, target, at + 1, GPUCODE_NAME_MAX) : 0;
    if (!length)
        return text_decimal(at, target);
    *at = '#';
    return at + 1 + length;
}
