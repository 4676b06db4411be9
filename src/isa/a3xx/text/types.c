/* SPDX-License-Identifier: MIT */
/* Types and rounding, as suffixes and flags of mnemonics. */
#include "isa/a3xx/a3xx.h"

#include "base/text.h"

const char a3xx_type_names[8][4] = {"f16", "f32", "u16", "u32", "s16", "s32", "u8", "s8"};

A3XX_PRINT(type)
{
    (void)options;
    return text_short(at, a3xx_type_names[isa_field_get(field, insn->bits)]);
}

A3XX_PARSE(type)
{
    const char *at = scan->at;
    ptrdiff_t rest = scan->end - at;
    unsigned i = 0;
    while (i < A3XX_U8 && (rest < 3 || memcmp(at, a3xx_type_names[i], 3) != 0))
        i++;
    while (i >= A3XX_U8 && i < 8 && (rest < 2 || memcmp(at, a3xx_type_names[i], 2) != 0))
        i++;
    if (i < 8) {
        scan->at = at + (i < A3XX_U8 ? 3 : 2);
        build->bits = isa_field_set(field, build->bits, i);
        return true;
    }
    return a3xx_expected_here(scan, "a type: f16 f32 u16 u32 s16 s32 u8 or s8");
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
    if (scan->at<scan->end && * scan->at> '(') /* nearly always */
        return true;
    for (unsigned i = 1; i < 4; i++)
        if (isa_take(scan, roundings[i])) {
            build->bits = isa_field_set(field, build->bits, i);
            break;
        }
    return true;
}
