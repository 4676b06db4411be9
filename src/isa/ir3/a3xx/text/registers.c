/* SPDX-License-Identifier: MIT */
/* Names of registers and consts, plain and relative to a0.x. */
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

const char *a3xx_what_text(enum a3xx_what what)
{
    static const char *const texts[] = {[A3XX_IS_GPR] = "a register",
                                        [A3XX_IS_SPECIAL] = "a0 or p0",
                                        [A3XX_IS_CONST] = "a const",
                                        [A3XX_IS_REGISTER_RELATIVE] = "a relative register",
                                        [A3XX_IS_CONST_RELATIVE] = "a relative const"};
    const char *text = (size_t)what < sizeof texts / sizeof *texts ? texts[what] : NULL;
    return text ? text : "an immediate";
}

static bool bad_name(struct isa_scan *scan, const char *start, bool is_const)
{
    const char *at = start;
    while (at < scan->end && (isa_name_byte(*at) || *at == '.'))
        at++;
    return isa_fail(scan, start, (size_t)(at - start), is_const ? MSG_A3XX_CONST : MSG_A3XX_REGISTER, NULL, start,
                    (int)(at - start), NULL);
}

static int component_of_letter(char c)
{
    return c == 'x' ? 0 : c == 'y' ? 1 : c == 'z' ? 2 : c == 'w' ? 3 : -1;
}

/* "<a0.x>" or "<a0.x + 4>" as listings have it; false: it is something else, and nothing is taken. */
static bool take_plain_relative(struct isa_scan *scan, struct a3xx_name *name)
{
    enum { LONGEST = 16, DIGITS = 4 }; /* "<a0.x + 1234>" and more after it */
    const char *at = scan->at;
    if (scan->end - at < LONGEST || memcmp(at, "<a0.x", 5) != 0 || scan->listener)
        return false;
    at += 5;
    bool minus = false;
    unsigned offset = 0;
    if (at[0] == ' ' && (at[1] == '+' || at[1] == '-') && at[2] == ' ' && at[3] != '0') {
        minus = at[1] == '-';
        at += 3;
        for (unsigned i = 0; i < DIGITS && *at >= '0' && *at <= '9'; i++)
            offset = offset * 10 + (unsigned)(*at++ - '0');
        if (!offset)
            return false;
    }
    if (*at != '>')
        return false;
    name->number = minus ? -(int)offset : (int)offset;
    scan->at = at + 1;
    return true;
}

/* "<a0.x + 4>" */
static bool take_relative(struct isa_scan *scan, struct a3xx_name *name)
{
    static const char wanted[] = "'<a0.x + N>'";
    if (take_plain_relative(scan, name))
        return true;
    if (!isa_take(scan, "<") || !isa_take(scan, "a0"))
        return isa_expected(scan, wanted);
    if (!isa_take(scan, ".") || !isa_take(scan, "x"))
        return isa_expected(scan, wanted);
    name->number = 0;
    isa_skip(scan);
    if (scan->at < scan->end && (*scan->at == '+' || *scan->at == '-')) {
        bool minus = *scan->at++ == '-';
        struct isa_value value;
        if (!isa_expression(scan, &value))
            return false;
        if (value.term_count || value.constant < -100000 || value.constant > 100000)
            return isa_fail(scan, value.start, value.length, MSG_A3XX_OFFSET, NULL, value.start, (int)value.length,
                            NULL);
        name->number = (int)(minus ? -value.constant : value.constant);
    }
    return isa_take(scan, ">") || isa_expected(scan, "'>'");
}

const struct a3xx_file a3xx_files[A3XX_FILE_LETTERS] = {
    ['r' % A3XX_FILE_LETTERS] = {0, GPR_COUNT, A3XX_IS_GPR, 'r', {0}},
    ['c' % A3XX_FILE_LETTERS] = {0, A3XX_CONST_COUNT, A3XX_IS_CONST, 'c', {0}},
    ['a' % A3XX_FILE_LETTERS] = {A3XX_A0, 4, A3XX_IS_SPECIAL, 'a', {0}},
    ['p' % A3XX_FILE_LETTERS] = {A3XX_P0, 4, A3XX_IS_SPECIAL, 'p', {0}},
};

bool a3xx_take_any_name(struct isa_scan *scan, struct a3xx_name *name)
{
    isa_skip(scan);
    const char *start = scan->at, *at = start, *end = scan->end, *behind = a3xx_read_name(at, end, name);
    if (behind) {
        scan->at = behind;
        return true;
    }
    *name = (struct a3xx_name){.what = A3XX_IS_NOTHING, .start = start};
    if (end - at >= 3 && *at == 'h') {
        name->half = true;
        at++;
    }
    if (end - at < 3)
        return true;
    char file = *at++;
    if (file != 'r' && file != 'c' && file != 'a' && file != 'p')
        return true;
    if (*at == '<' || *at == ' ') {
        const char *mark = at;
        while (mark < end && *mark == ' ')
            mark++;
        if ((file != 'r' && file != 'c') || mark == end || *mark != '<')
            return true;
        name->what = file == 'r' ? A3XX_IS_REGISTER_RELATIVE : A3XX_IS_CONST_RELATIVE;
        scan->at = mark;
        if (!take_relative(scan, name))
            return false;
        name->span = (size_t)(scan->at - start);
        return true;
    }
    if (*at < '0' || *at > '9')
        return true;
    unsigned index = 0;
    const char *digits = at;
    for (; at < end && *at >= '0' && *at <= '9' && at - digits < 5; at++)
        index = index * 10 + (unsigned)(*at - '0');
    if (end - at < 2 || *at != '.' || component_of_letter(at[1]) < 0 ||
        (end - at > 2 && (isa_name_byte(at[2]) || at[2] == '.')) || (*digits == '0' && at - digits > 1))
        return bad_name(scan, start, file == 'c');
    unsigned number = index * 4 + (unsigned)component_of_letter(at[1]);
    switch (file) {
    case 'r':
        if (number >= GPR_COUNT && index != 63)
            return bad_name(scan, start, false);
        name->what = A3XX_IS_GPR;
        break;
    case 'c':
        if (number >= A3XX_CONST_COUNT)
            return bad_name(scan, start, true);
        name->what = A3XX_IS_CONST;
        break;
    default:
        if (index)
            return bad_name(scan, start, false);
        name->what = A3XX_IS_SPECIAL;
        number += file == 'a' ? A3XX_A0 : A3XX_P0;
    }
    name->number = (int)number;
    scan->at = at + 2;
    name->span = (size_t)(scan->at - start);
    return true;
}

bool a3xx_wrong_width(struct isa_scan *scan, struct a3xx_name name, bool want_half)
{
    return isa_fail(scan, name.start, name.span, MSG_A3XX_WIDTH,
                    want_half ? "half registers and consts are written hr0.x and hc0.x"
                              : "the h means half; leave it out",
                    name.start, (int)name.span, want_half ? "half" : "full");
}

bool a3xx_take_gpr(struct isa_scan *scan, bool half, const char *what, unsigned *number)
{
    struct a3xx_name name;
    if (!a3xx_take_name(scan, &name))
        return false;
    if (name.what == A3XX_IS_NOTHING)
        return isa_expected(scan, what);
    if (name.what != A3XX_IS_GPR)
        return isa_fail(scan, name.start, name.span, MSG_A3XX_OPERAND, "only a register r0 to r60 can stand here",
                        a3xx_what_text(name.what), -1, NULL);
    if (name.half != half)
        return a3xx_wrong_width(scan, name, half);
    *number = (unsigned)name.number;
    return true;
}
