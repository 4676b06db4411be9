/* SPDX-License-Identifier: MIT */
/* Operands of category 0: predicates, branch offsets. */
#include "isa/ir3/a3xx/text/name.h"

#include "base/text.h"

A3XX_PRINT(predicate)
{
    (void)options;
    if (A3XX_FIELD(insn->bits, INVERTS))
        *at++ = '!';
    return shader_put_register(at, A3XX_P0 + (unsigned)isa_field_get(field, insn->bits), false);
}

A3XX_PARSE(predicate)
{
    if (isa_take(scan, "!"))
        build->bits |= A3XX_MASK(INVERTS);
    struct shader_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    if (name.what != SHADER_IS_SPECIAL || name.number < A3XX_P0 || name.half) {
        scan->at = name.start;
        return isa_expected(scan, "a predicate p0.x to p0.w");
    }
    build->bits = isa_field_set(field, build->bits, (unsigned)name.number - A3XX_P0);
    return true;
}

A3XX_READ(predicate)
{
    struct shader_name name;
    bool inverts = at < scan->end && *at == '!';
    const char *behind = a3xx_read_name(at + inverts, scan->end, &name);
    if (!behind || name.what != SHADER_IS_SPECIAL || name.number < A3XX_P0 || name.half)
        return isa_read_by(a3xx_parse_predicate, at, scan, build, field);
    build->bits = isa_field_fill(field, build->bits, (unsigned)name.number - A3XX_P0);
    build->bits |= inverts ? A3XX_MASK(INVERTS) : 0;
    return behind;
}

A3XX_PRINT(target)
{
    return shader_put_target(at, insn, (int16_t)isa_field_get(field, insn->bits), "#", options);
}

A3XX_PARSE(target)
{
    return shader_take_target(scan, build, field);
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
