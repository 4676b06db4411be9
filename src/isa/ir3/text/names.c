/* SPDX-License-Identifier: MIT */
/* Names of registers and consts, plain and relative to a0.x. */
#include "isa/ir3/ir3.h"

#include "base/text.h"

char *ir3_put_relative(char *at, char file, int offset, bool half, bool zero)
{
    *at = 'h';
    at += half;
    *at++ = file;
    at = TEXT_LITERAL(at, "<a0.x");
    if (offset || zero)
        at = text_signed(TEXT_LITERAL(at, " + "), offset);
    *at++ = '>';
    return at;
}

/* --- reading -------------------------------------------------------------------------------------------------------
 */

static bool settle(struct shader_name *name, char file, unsigned number)
{
    bool special = number / 4 == 61 || number / 4 == 62;
    name->number = (int)number;
    switch (file) {
    case 'r':
        name->what = special ? SHADER_IS_SPECIAL : SHADER_IS_GPR;
        return number < 256;
    case 'c':
        name->what = SHADER_IS_CONST;
        return number < 4 * IR3_CONST_VECTORS;
    case 'a': /* a1.x is the component after a0.x */
        name->what = SHADER_IS_SPECIAL;
        name->number = (int)(IR3_A0 + (number < 4 ? number : number - 3));
        return number < 8;
    default:
        name->what = SHADER_IS_SPECIAL;
        name->number += IR3_P0;
        return number < 4;
    }
}

static bool take_offset(struct isa_scan *scan, int64_t *value)
{
    return ir3_take_number(scan, -1024, 1024, "offset", value);
}

bool ir3_take_name(struct isa_scan *scan, struct shader_name *name)
{
    static const struct shader_naming how = {MSG_IR3_REGISTER, MSG_IR3_CONST, true, settle, take_offset};
    isa_skip(scan);
    const char *start = scan->at, *at = start, *end = scan->end;
    *name = (struct shader_name){.what = SHADER_IS_NOTHING, .start = start};
    if (at < end && *at < 'a') /* a number, a parenthesis */
        return true;
    const char *after = ir3_read_name(at, scan, name);
    if (after) {
        scan->at = after;
        return true;
    }
    if (end - at > 2 && at[0] == 's' &&
        (at[1] == 'r' || (at[1] == 'h' && at[2] == 'r'))) /* older names of shared ones */
        at++;
    bool half = end - at > 2 && at[0] == 'h' && at[1] == 'u';
    if (end - at > 4 + half && memcmp(at + half, "up0.", 4) == 0 && shader_component(at[4 + half]) >= 0) {
        scan->at = at + half + 5;
        *name = (struct shader_name){.what = SHADER_IS_SPECIAL,
                                     .half = half,
                                     .number = IR3_A0 + shader_component(at[4 + half]),
                                     .start = start,
                                     .span = (size_t)(scan->at - start)};
        return true;
    }
    return shader_take_name(scan, at, &how, name);
}

bool ir3_no_register(struct isa_scan *scan)
{
    isa_skip(scan);
    const char *at = scan->at, *end = scan->end;
    bool number =
        at < end && ((*at >= '0' && *at <= '9') || (*at == '-' && end - at > 1 && at[1] >= '0' && at[1] <= '9'));
    if (!number)
        return isa_expected(scan, "a register");
    size_t span = 1;
    while (at + span < end && (isa_name_byte(at[span]) || at[span] == '.'))
        span++;
    return isa_fail(scan, at, span, MSG_IR3_OPERAND, "move it to a register first", "an immediate", -1, NULL);
}

static bool take_plain(struct isa_scan *scan, struct shader_name *name)
{
    if (!ir3_take_name(scan, name))
        return false;
    if (name->what == SHADER_IS_NOTHING)
        return ir3_no_register(scan);
    if (name->what > SHADER_IS_SPECIAL)
        return isa_fail(scan, name->start, name->span, MSG_IR3_OPERAND, "only a register can stand here", name->start,
                        (int)name->span, NULL);
    return true;
}

bool ir3_take_register(struct isa_scan *scan, unsigned *number, bool *half)
{
    struct shader_name name;
    if (!take_plain(scan, &name))
        return false;
    *number = (unsigned)name.number;
    *half = name.half;
    return true;
}

bool ir3_take_register_of(struct isa_scan *scan, bool want_half, unsigned *number)
{
    struct shader_name name;
    if (!take_plain(scan, &name))
        return false;
    *number = (unsigned)name.number;
    return name.half == want_half || shader_wrong_width(scan, name, want_half, MSG_IR3_WIDTH);
}
