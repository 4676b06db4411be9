/* SPDX-License-Identifier: MIT */
/* Types and rounding, as suffixes and flags of mnemonics. */
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

const char a3xx_type_names[A3XX_TYPE_COUNT][4] = {"f16", "f32", "u16", "u32", "s16", "s32", "u8", "s8"};

A3XX_PRINT(type)
{
    (void)options;
    return text_short(at, a3xx_type_names[isa_field_get(field, insn->bits)]);
}

int a3xx_take_type(struct isa_scan *scan)
{
    const char *at = scan->at;
    ptrdiff_t rest = scan->end - at;
    int type = 0;
    while (type < A3XX_U8 && (rest < 3 || memcmp(at, a3xx_type_names[type], 3) != 0))
        type++;
    while (type >= A3XX_U8 && type < A3XX_TYPE_COUNT && (rest < 2 || memcmp(at, a3xx_type_names[type], 2) != 0))
        type++;
    if (type == A3XX_TYPE_COUNT)
        return -1;
    scan->at = at + (type < A3XX_U8 ? 3 : 2);
    return type;
}

A3XX_PARSE(type)
{
    int type = a3xx_take_type(scan);
    if (type < 0)
        return a3xx_expected_here(scan, "a type: f16 f32 u16 u32 s16 s32 u8 or s8");
    build->bits = isa_field_set(field, build->bits, (unsigned)type);
    return true;
}

A3XX_PRINT(type_suffix)
{
    *at++ = '.';
    return a3xx_print_type(at, insn, field, options);
}

A3XX_PARSE(type_suffix)
{
    if (scan->at >= scan->end || *scan->at != '.')
        return a3xx_expected_here(scan, "'.' and a type");
    scan->at++;
    return a3xx_parse_type(scan, build, field);
}

/* The old disassembler writes mova.s16s16, which its assembler does not take. */
A3XX_PRINT(old_type)
{
    (void)insn;
    (void)field;
    (void)options;
    return at;
}

A3XX_PARSE(old_type)
{
    (void)build;
    (void)field;
    static const char text[] = ".s16s16";
    if ((size_t)(scan->end - scan->at) >= sizeof text - 1 && memcmp(scan->at, text, sizeof text - 1) == 0)
        scan->at += sizeof text - 1;
    return true;
}

static const char *const roundings[] = {"", "(even)", "(pos_infinity)", "(neg_infinity)"};

A3XX_PRINT(rounding)
{
    (void)options;
    return text_short(at, roundings[isa_field_get(field, insn->bits)]);
}

A3XX_PARSE(rounding)
{
    for (unsigned i = 1; i < 4; i++)
        if (isa_take(scan, roundings[i])) {
            build->bits = isa_field_set(field, build->bits, i);
            break;
        }
    return true;
}
