/* SPDX-License-Identifier: MIT */
/* Names of registers and consts, plain and relative to a0.x; operand kinds that the family shares, branches. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/text/name.h"

#include "base/text.h"

#include <stdio.h>

#define GPR_COUNT (61 * 4)

char *a3xx_put_relative(char *at, char file, int offset, bool half)
{
    if (half)
        *at++ = 'h';
    *at++ = file;
    at = TEXT_LITERAL(at, "<a0.x");
    if (offset)
        at = text_decimal(offset < 0 ? TEXT_LITERAL(at, " - ") : TEXT_LITERAL(at, " + "),
                          (uint64_t)(offset < 0 ? -offset : offset));
    *at++ = '>';
    return at;
}

const char *a3xx_what_text(enum shader_what what)
{
    static const char *const texts[] = {[SHADER_IS_GPR] = "a register",
                                        [SHADER_IS_SPECIAL] = "a0 or p0",
                                        [SHADER_IS_CONST] = "a const",
                                        [SHADER_IS_RELATIVE] = "a relative register",
                                        [SHADER_IS_RELATIVE_CONST] = "a relative const"};
    const char *text = (size_t)what < sizeof texts / sizeof *texts ? texts[what] : NULL;
    return text ? text : "an immediate";
}

static bool settle(struct shader_name *name, char file, unsigned number)
{
    name->number = (int)number;
    switch (file) {
    case 'r':
        name->what = SHADER_IS_GPR;
        return number < GPR_COUNT || number / 4 == 63;
    case 'c':
        name->what = SHADER_IS_CONST;
        return number < A3XX_CONST_COUNT;
    default:
        name->what = SHADER_IS_SPECIAL;
        name->number += file == 'a' ? A3XX_A0 : A3XX_P0;
        return number < 4;
    }
}

static bool take_offset(struct isa_scan *scan, int64_t *offset)
{
    struct isa_value value;
    if (!isa_expression(scan, &value))
        return false;
    *offset = value.constant;
    if (value.term_count || value.constant < -100000 || value.constant > 100000)
        return isa_fail(scan, value.start, value.length, MSG_A3XX_OFFSET, NULL, value.start, (int)value.length, NULL);
    return true;
}

bool a3xx_take_any_name(struct isa_scan *scan, struct shader_name *name)
{
    static const struct shader_naming how = {MSG_A3XX_REGISTER, MSG_A3XX_CONST, false, settle, take_offset};
    isa_skip(scan);
    const char *behind = shader_read_name(scan->at, scan->end, name);
    if (!behind)
        return shader_take_name(scan, scan->at, &how, name);
    scan->at = behind;
    return true;
}

bool a3xx_take_gpr(struct isa_scan *scan, bool half, const char *what, unsigned *number)
{
    struct shader_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    if (name.what == SHADER_IS_NOTHING)
        return isa_expected(scan, what);
    if (name.what != SHADER_IS_GPR)
        return isa_fail(scan, name.start, name.span, MSG_A3XX_OPERAND, "only a register r0 to r60 can stand here",
                        a3xx_what_text(name.what), -1, NULL);
    if (name.half != half)
        return shader_wrong_width(scan, name, half, MSG_A3XX_WIDTH);
    *number = (unsigned)name.number;
    return true;
}

/* --- kinds of the family --------------------------------------------------------------------------------------- */

shader_type_names a3xx_type_names = {"f16", "f32", "u16", "u32", "s16", "s32", "u8", "s8"};
static const char a3xx_type_wanted[] = "a type: f16 f32 u16 u32 s16 s32 u8 or s8";

#define PRINT(name) A3XX_PRINT(name)
#define PARSE(name) A3XX_PARSE(name)
#define READ(name) A3XX_READ(name)
#define SET(name) a3xx_##name
#define MESSAGES(name) MSG_A3XX_##name
#define HAS_U64(row) ((void)(row), false)
#include "isa/ir3/text/kinds.inc"

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
