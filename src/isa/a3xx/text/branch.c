/* SPDX-License-Identifier: MIT */
/* Operands of category 0: predicates, branch offsets. */
#include "isa/a3xx/text/name.h"

#include "base/text.h"

#include <stdio.h>

A3XX_PRINT(predicate)
{
    (void)options;
    if (A3XX_FIELD(insn->bits, INVERTS))
        *at++ = '!';
    return a3xx_put_register(at, A3XX_P0 + (unsigned)isa_field_get(field, insn->bits), false);
}

A3XX_PARSE(predicate)
{
    if (isa_take(scan, "!"))
        build->bits |= A3XX_MASK(INVERTS);
    struct a3xx_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    if (name.what != A3XX_IS_SPECIAL || name.number < A3XX_P0 || name.half) {
        scan->at = name.start;
        return isa_expected(scan, "a predicate p0.x to p0.w");
    }
    build->bits = isa_field_set(field, build->bits, (unsigned)name.number - A3XX_P0);
    return true;
}

A3XX_READ(predicate)
{
    struct a3xx_name name;
    bool inverts = at < scan->end && *at == '!';
    const char *behind = a3xx_read_name(at + inverts, scan->end, &name);
    if (!behind || name.what != A3XX_IS_SPECIAL || name.number < A3XX_P0 || name.half)
        return isa_read_by(a3xx_parse_predicate, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, (unsigned)name.number - A3XX_P0);
    build->bits |= inverts ? A3XX_MASK(INVERTS) : 0;
    return behind;
}

A3XX_PRINT(target)
{
    int offset = (int16_t)isa_field_get(field, insn->bits);
    *at++ = '#';
    int64_t target = (int64_t)insn->address + offset;
    if (options->label && target >= 0) {
        size_t length = options->label(options->user, insn, (uint64_t)target, at, GPUCODE_NAME_MAX);
        if (length)
            return at + length;
    }
    return text_signed(at, offset);
}

/* "#-22" is an offset from the branch; "#name" a label. */
A3XX_PARSE(target)
{
    isa_skip(scan);
    const char *start = scan->at;
    if (start >= scan->end || *start != '#')
        return isa_expected(scan, "#label or #offset");
    struct isa_value value;
    bool number =
        scan->end - start >= 2 && (start[1] == '-' || start[1] == '+' || (start[1] >= '0' && start[1] <= '9'));
    scan->at += number;
    if (!isa_expression(scan, &value))
        return false;
    if (value.is_address)
        return isa_store(scan, build, field, &value);
    if (value.constant < INT16_MIN || value.constant > INT16_MAX) {
        isa_out_of_range(scan, field, start, (size_t)(scan->at - start), value.constant);
        if (value.constant > INT16_MAX && value.constant <= UINT16_MAX) {
            snprintf(scan->hint, sizeof scan->hint, "a branch back by %d is written #%d", 65536 - (int)value.constant,
                     (int)value.constant - 65536);
            scan->error.hint = scan->hint;
        }
        return false;
    }
    build->bits = isa_field_set(field, build->bits, (uint64_t)value.constant & 0xffff);
    return true;
}

/* "#-22" */
A3XX_READ(target)
{
    unsigned number;
    bool hash = scan->end - at > 1 && *at == '#', minus = hash && at[1] == '-';
    const char *behind = hash ? isa_read_small(at + 1 + minus, scan->end, &number) : NULL;
    if (!behind)
        return isa_read_by(a3xx_parse_target, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, (minus ? 0 - number : number) & 0xffff);
    return behind;
}

bool a3xx_store_target(const struct isa_field *field, uint64_t address, int64_t value, uint64_t *encoded)
{
    (void)field;
    int64_t offset = value - (int64_t)address;
    *encoded = (uint16_t)offset;
    return offset >= INT16_MIN && offset <= INT16_MAX;
}

void a3xx_range_target(const struct isa_field *field, int64_t *low, int64_t *high)
{
    (void)field;
    *low = INT16_MIN;
    *high = INT16_MAX;
}
