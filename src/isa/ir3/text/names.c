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

static int component_of(char c)
{
    return c == 'x' ? 0 : c == 'y' ? 1 : c == 'z' ? 2 : c == 'w' ? 3 : -1;
}

static bool bad_name(struct isa_scan *scan, const char *start, bool is_const)
{
    const char *at = start;
    while (at < scan->end && (isa_name_byte(*at) || *at == '.'))
        at++;
    scan->at = start;
    return isa_fail(scan, start, (size_t)(at - start), is_const ? MSG_IR3_CONST : MSG_IR3_REGISTER, NULL, start,
                    (int)(at - start), NULL);
}

/* "<a0.x + 4>" */
static bool take_relative(struct isa_scan *scan, struct ir3_name *name)
{
    static const char wanted[] = "'<a0.x + N>'";
    if (!scan->listener && scan->end - scan->at > 5 && memcmp(scan->at, "<a0.x", 5) == 0 && !isa_name_byte(scan->at[5]))
        scan->at += 5;
    else if (!isa_take(scan, "<") || !isa_take(scan, "a0") || !isa_take(scan, ".") || !isa_take(scan, "x"))
        return isa_expected(scan, wanted);
    isa_skip(scan);
    name->number = 0;
    if (scan->at < scan->end && (*scan->at == '+' || *scan->at == '-')) {
        bool minus = *scan->at++ == '-';
        int64_t value;
        if (!ir3_take_number(scan, -1024, 1024, "offset", &value))
            return false;
        name->number = (int)(minus ? -value : value);
    }
    return isa_take(scan, ">") || isa_expected(scan, "'>'");
}

/* "12.x" after the letter of a file. */
static bool take_number(const char **place, const char *end, unsigned *number)
{
    const char *at = *place;
    unsigned index = 0;
    const char *digits = at;
    for (; at < end && *at >= '0' && *at <= '9' && at - digits < 4; at++)
        index = index * 10 + (unsigned)(*at - '0');
    if (at == digits || end - at < 2 || *at != '.' || component_of(at[1]) < 0 ||
        (end - at > 2 && (isa_name_byte(at[2]) || at[2] == '.')))
        return false;
    *number = index * 4 + (unsigned)component_of(at[1]);
    *place = at + 2;
    return true;
}

static bool take_numbered(struct isa_scan *scan, struct ir3_name *name, const char *at, char file)
{
    unsigned number;
    if (!take_number(&at, scan->end, &number))
        return bad_name(scan, name->start, file == 'c');
    if (file == 'c' ? number >= 4 * IR3_CONST_VECTORS : file == 'r' ? number > 255 : number > 7)
        return bad_name(scan, name->start, file == 'c');
    name->what = file == 'c'                                           ? IR3_IS_CONST
                 : file == 'r' && number / 4 != 61 && number / 4 != 62 ? IR3_IS_GPR
                                                                       : IR3_IS_SPECIAL;
    if (file == 'a') /* a1.x is the component after a0.x */
        number = IR3_A0 + (number < 4 ? number : number - 3);
    else if (file == 'p' && number > 3)
        return bad_name(scan, name->start, false);
    else if (file == 'p')
        number += IR3_P0;
    name->number = (int)number;
    scan->at = at;
    name->span = (size_t)(at - name->start);
    return true;
}

bool ir3_take_name(struct isa_scan *scan, struct ir3_name *name)
{
    isa_skip(scan);
    const char *start = scan->at, *at = start, *end = scan->end;
    if (at < end && *at < 'a') { /* a number, a parenthesis */
        *name = (struct ir3_name){.what = IR3_IS_NOTHING, .start = start};
        return true;
    }
    const char *after = ir3_read_name(at, scan, name);
    if (after) {
        scan->at = after;
        return true;
    }
    *name = (struct ir3_name){.what = IR3_IS_NOTHING, .start = start};
    if (end - at > 2 && at[0] == 's' &&
        (at[1] == 'r' || (at[1] == 'h' && at[2] == 'r'))) /* older names of shared ones */
        at++;
    if (end - at > 2 && *at == 'h' && (at[1] == 'r' || at[1] == 'c' || at[1] == 'a' || at[1] == 'p' || at[1] == 'u')) {
        name->half = true;
        at++;
    }
    if (end - at > 4 && memcmp(at, "up0.", 4) == 0 && component_of(at[4]) >= 0) {
        name->what = IR3_IS_SPECIAL;
        name->number = IR3_A0 + component_of(at[4]);
        scan->at = at + 5;
        name->span = (size_t)(scan->at - start);
        return true;
    }
    if (end - at < 3)
        return true;
    char file = *at++;
    if (file != 'r' && file != 'c' && file != 'a' && file != 'p')
        return true;
    const char *mark = at;
    while (mark < end && *mark == ' ')
        mark++;
    if ((file == 'r' || file == 'c') && mark < end && *mark == '<') {
        name->what = file == 'r' ? IR3_IS_RELATIVE : IR3_IS_RELATIVE_CONST;
        scan->at = mark;
        if (!take_relative(scan, name))
            return false;
        name->span = (size_t)(scan->at - start);
        return true;
    }
    return *at < '0' || *at > '9' ? true : take_numbered(scan, name, at, file);
}

bool ir3_wrong_width(struct isa_scan *scan, const struct ir3_name *name, bool want_half)
{
    return isa_fail(scan, name->start, name->span, MSG_IR3_WIDTH,
                    want_half ? "half registers and consts are written hr0.x and hc0.x"
                              : "the h means half; leave it out",
                    name->start, (int)name->span, want_half ? "half" : "full");
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

static bool take_plain(struct isa_scan *scan, struct ir3_name *name)
{
    if (!ir3_take_name(scan, name))
        return false;
    if (name->what == IR3_IS_NOTHING)
        return ir3_no_register(scan);
    if (name->what > IR3_IS_SPECIAL)
        return isa_fail(scan, name->start, name->span, MSG_IR3_OPERAND, "only a register can stand here", name->start,
                        (int)name->span, NULL);
    return true;
}

bool ir3_take_register(struct isa_scan *scan, unsigned *number, bool *half)
{
    struct ir3_name name;
    if (!take_plain(scan, &name))
        return false;
    *number = (unsigned)name.number;
    *half = name.half;
    return true;
}

bool ir3_take_register_of(struct isa_scan *scan, bool want_half, unsigned *number)
{
    struct ir3_name name;
    if (!take_plain(scan, &name))
        return false;
    *number = (unsigned)name.number;
    return name.half == want_half || ir3_wrong_width(scan, &name, want_half);
}
