/* SPDX-License-Identifier: MIT */
/* Places that control goes to. */
#ifndef ISA_AFUC_TEXT_LABELS_H
#define ISA_AFUC_TEXT_LABELS_H

#include "isa/afuc/text/numbers.h"

static INLINE char *put_label(char *at, const struct gpucode_insn *insn, int64_t target, int64_t plain,
                              const char *prefix, const struct gpucode_format_options *options)
{
    *at++ = '#';
    if (target < 0)
        return text_signed(at, plain);
    if (options->label) {
        size_t length = options->label(options->user, insn, (uint64_t)target, at, GPUCODE_NAME_MAX);
        return length ? at + length : text_signed(at, plain);
    }
    return text_decimal(text_string(at, prefix), (uint64_t)target);
}

PRINT(branch)
{
    int64_t offset = (int16_t)isa_field_get(field, insn->bits);
    return put_label(at, insn, (int64_t)insn->address + offset, offset, "l", options);
}

PRINT(call_target)
{
    int64_t target = afuc_absolute_target(isa_field_get(field, insn->bits));
    return put_label(at, insn, target, target, "fxn", options);
}

PRINT(jump_target)
{
    int64_t target = afuc_absolute_target(isa_field_get(field, insn->bits));
    return put_label(at, insn, target, target, "l", options);
}

PARSE(label)
{
    struct isa_value value;
    isa_skip(scan);
    const char *start = scan->at;
    if (start >= scan->end || *start != '#')
        return isa_expected(scan, "a label #name");
    if (scan->end - start >= 2 && (start[1] == '-' || (start[1] >= '0' && start[1] <= '9'))) {
        size_t span = 1;
        while (start + span < scan->end && (start[span] == '-' || isa_name_byte(start[span])))
            span++;
        return isa_fail(scan, start, span, MSG_AFUC_NOT_A_LABEL, NULL, NULL, 0, NULL);
    }
    return isa_expression(scan, &value) && isa_store(scan, build, field, &value);
}

READ(label)
{
    const char *behind = isa_read_label(at, scan, build, field);
    return behind ? behind : isa_read_by(parse_label, at, scan, build, field);
}

static bool store_branch(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    (void)field;
    if (value < 0) /* the difference could overflow */
        return false;
    int64_t offset = value - (int64_t)address;
    *encoded = (uint16_t)offset;
    return offset >= INT16_MIN && offset <= INT16_MAX;
}

static void range_branch(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = INT16_MIN;
    *high = INT16_MAX;
}

PRINT(secure_target)
{
    (void)field;
    return put_label(at, insn, (int64_t)insn->address + 3, 3, "l", options);
}

static bool store_secure_target(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    (void)field;
    *encoded = 0;
    return value == (int64_t)address + 3;
}

static void range_secure_target(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = *high = 3;
}

#endif
