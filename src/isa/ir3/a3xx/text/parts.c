/* SPDX-License-Identifier: MIT */
/*
 * Parts of operands: names of registers and consts, plain and relative to a0.x, kinds that the family shares,
 * branches; then immediates and modifiers.
 */
#include "a3xx_messages.h"
#include "isa/decimal.h"
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

#include <stdio.h>

/* Names of registers and consts, plain and relative to a0.x; operand kinds that the family shares, branches. */

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
    return shader_put_target(at, insn, (int16_t)isa_field_get(field, insn->bits), options);
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

/* Floats as operands: literals, and entries of the table by their names. */

char *a3xx_put_float(char *at, uint32_t bits, bool half, bool marked)
{
    const struct decimal_format *format = half ? &decimal_f16 : &decimal_f32;
    uint32_t infinity = half ? 0x7c00 : 0x7f800000, sign = half ? 0x8000 : 0x80000000;
    uint32_t quiet = half ? 0x7e00 : 0x7fc00000, magnitude = bits & ~sign;
    if (magnitude > infinity && bits != quiet) /* a NaN with something in it */
        return text_hex(TEXT_LITERAL(at, "0x"), bits);
    if (marked)
        *at++ = 'h';
    *at++ = '(';
    if (bits == quiet)
        at = TEXT_LITERAL(at, "nan");
    else if (magnitude == infinity)
        at = bits & sign ? TEXT_LITERAL(at, "-inf") : TEXT_LITERAL(at, "inf");
    else
        at = decimal_print(at, bits, format);
    *at++ = ')';
    return at;
}

/* Bits of a word of the table or of inf or nan; false: it is none. */
static bool find_named_float(const char *at, size_t length, bool half, uint32_t *bits)
{
    bool minus = length && *at == '-';
    const char *text = at + minus;
    size_t rest = length - minus;
    uint32_t sign = minus ? 0x80000000 : 0;
    if (rest == 3 && memcmp(text, "nan", 3) == 0)
        *bits = 0x7fc00000 | sign;
    else if (rest == 3 && memcmp(text, "inf", 3) == 0)
        *bits = 0x7f800000 | sign;
    else {
        int entry = shader_entry_named(at, length);
        if (entry < 0)
            return false;
        *bits = shader_entry_bits((unsigned)entry);
    }
    if (half)
        *bits = decimal_half(*bits);
    return true;
}

/* Bits of a float in digits, with a point or an exponent; returns its end, null where there is none. */
static const char *read_digits(const char *at, const char *end, bool half, uint32_t *bits)
{
    struct decimal number;
    bool is_float;
    size_t taken = decimal_read(at, (size_t)(end - at), &number, &is_float);
    if (!taken || !is_float)
        return NULL;
    *bits = decimal_to_bits(&number, half ? &decimal_f16 : &decimal_f32);
    return at + taken;
}

/* Where the parenthesis in front of `at` is closed, on its line and in front of a comment; null: it is not. */
static const char *find_close(const char *at, const char *end)
{
    unsigned depth = 0;
    for (; at < end && *at != '\n' && *at != ';' && (*at != ')' || depth); at++) {
        depth += *at == '(';
        depth -= *at == ')';
    }
    return at < end && *at == ')' ? at : NULL;
}

bool a3xx_take_float(struct isa_scan *scan, bool half, struct a3xx_float *value)
{
    isa_skip(scan);
    const char *start = scan->at, *at = start, *end = scan->end;
    *value = (struct a3xx_float){.start = start};
    if (at < end && *at == 'h') {
        value->marked_half = true;
        at++;
    }
    if (at >= end || *at != '(')
        return false;
    at++;
    const char *close = read_digits(at, end, half, &value->bits);
    if (!close || close >= end || *close != ')') { /* with spaces, or a name */
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        close = find_close(at, end);
        if (!close)
            return false;
        const char *last = close;
        while (last > at && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        if (!find_named_float(at, (size_t)(last - at), half, &value->bits) &&
            read_digits(at, last, half, &value->bits) != last)
            return false;
    }
    scan->at = close + 1;
    value->span = (size_t)(scan->at - start);
    return true;
}

/* What the sources of categories 2 to 4 share: modifiers, offsets from a0.x, refusals. */

const char a3xx_move_first[] = "move it to a register first";

char *a3xx_put_modifiers(char *at, unsigned modifiers)
{
    static const char text[4][9] = {"", "(neg)", "(abs)", "(absneg)"};
    at = text_short(at, text[modifiers & 3]);
    return modifiers & A3XX_REPEATED ? TEXT_LITERAL(at, "(r)") : at;
}

static const struct modifier {
    char text[9];
    uint8_t length, bits;
} names[] = {
    {"(r)", 3, A3XX_REPEATED}, {"(neg)", 5, A3XX_NEG}, {"(abs)", 5, A3XX_ABS}, {"(absneg)", 8, A3XX_NEG | A3XX_ABS}};
enum { NAMES = sizeof names / sizeof *names };

bool a3xx_take_modifiers(struct isa_scan *scan, const struct isa_row *row, unsigned *modifiers)
{
    *modifiers = 0;
    for (;;) {
        isa_skip(scan);
        size_t rest = (size_t)(scan->end - scan->at);
        if (rest < 3 || *scan->at != '(')
            return true;
        const struct modifier *name = names;
        while (name < names + NAMES && (rest < name->length || memcmp(scan->at, name->text, name->length) != 0))
            name++;
        if (name == names + NAMES)
            return true;
        if (*modifiers & name->bits)
            return isa_fail(scan, scan->at, name->length, MSG_A3XX_FLAG_TWICE, NULL, NULL, 0, NULL);
        if (name->bits & ~(a3xx_modifiers(row->marks) | A3XX_REPEATED))
            return isa_fail(scan, scan->at, name->length, MSG_A3XX_MODIFIER, NULL, name->text, -1, row->facts.mnemonic);
        *modifiers |= name->bits;
        scan->at += name->length;
    }
}

const char *a3xx_read_modifiers(const char *at, const char *end, const struct isa_row *row, unsigned *modifiers)
{
    unsigned allowed = a3xx_modifiers(row->marks) | A3XX_REPEATED, found = 0;
    while (end - at > 8 && *at == '(') {
        unsigned bits = memcmp(at, "(r)", 3) == 0 ? A3XX_REPEATED : memcmp(at, "(neg)", 5) == 0 ? A3XX_NEG : 0;
        if (!bits || bits & (found | ~allowed))
            return NULL;
        found |= bits;
        at += bits == A3XX_REPEATED ? 3 : 5;
    }
    *modifiers = found;
    return at;
}

/* What a source of this instruction may be, beside a register; for category 4 nothing. */
bool a3xx_refuse_operand(struct isa_scan *scan, struct shader_name name, const char *text, const char *hint)
{
    return isa_fail(scan, name.start, name.span, MSG_A3XX_OPERAND, hint, text, -1, NULL);
}

bool a3xx_take_offset(struct isa_scan *scan, struct shader_name name, unsigned *bits)
{
    if (name.number < -512 || name.number > 511)
        return isa_fail(scan, name.start, name.span, MSG_A3XX_OFFSET, NULL, name.start, (int)name.span, NULL);
    *bits = (unsigned)name.number & A3XX_SOURCE_OFFSET;
    return true;
}
