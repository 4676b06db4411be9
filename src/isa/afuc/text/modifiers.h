/* SPDX-License-Identifier: MIT */
/* Operands in front of the mnemonic: (rep), (xmovN), (peek), (sdsN). */
#ifndef ISA_AFUC_TEXT_MODIFIERS_H
#define ISA_AFUC_TEXT_MODIFIERS_H

#include "isa/afuc/text/numbers.h"

/* Takes "(name)" or "(nameN)". 1 taken, 0 not here, -1 wrong. */
static int take_modifier(struct isa_scan *scan, const char *name, bool counted, uint64_t *count)
{
    isa_skip(scan);
    const char *start = scan->at;
    size_t length = strlen(name);
    if (scan->at >= scan->end || *scan->at != '(')
        return 0;
    scan->at++;
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, name, length) != 0) {
        scan->at = start;
        return 0;
    }
    scan->at += length;
    *count = 1;
    if (counted) {
        const char *number = scan->at;
        if (!isa_number(scan, count))
            return -1;
        if (*count < 1 || *count > 3) {
            isa_fail(scan, number, (size_t)(scan->at - number), MSG_AFUC_MODIFIER_COUNT, NULL, start,
                     (int)(scan->at - start) + 1, NULL);
            return -1;
        }
    }
    return isa_take(scan, ")") ? 1 : (isa_expected(scan, "')'"), -1);
}

static bool parse_modifier(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field,
                           const char *name, bool counted)
{
    uint64_t count;
    int taken = take_modifier(scan, name, counted, &count);
    if (taken > 0)
        build->bits = isa_field_set(field, build->bits, count);
    return taken >= 0;
}

/* Most instructions have no modifiers. */
#define READ_MODIFIER(name)                                                                                            \
    READ(name)                                                                                                         \
    {                                                                                                                  \
        return at < scan->end && ';' < *at ? at : isa_read_by(parse_##name, at, scan, build, field);                   \
    }

PRINT(repeat)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, "(rep)") : at;
}

PARSE(repeat)
{
    return parse_modifier(scan, build, field, "rep", false);
}

READ(repeat)
{
    if (scan->end - at > 5 && memcmp(at, "(rep)", 5) == 0) {
        build->bits = isa_field_fill(field, build->bits, 1);
        return at + 5;
    }
    return at < scan->end && ';' < *at ? at : isa_read_by(parse_repeat, at, scan, build, field);
}

PRINT(extra_moves)
{
    (void)options;
    uint64_t count = isa_field_get(field, insn->bits);
    if (!count)
        return at;
    at = TEXT_LITERAL(at, "(xmov");
    *at++ = (char)('0' + count);
    *at++ = ')';
    return at;
}

PARSE(extra_moves)
{
    return parse_modifier(scan, build, field, "xmov", true);
}
READ_MODIFIER(extra_moves)

PRINT(peek)
{
    (void)options;
    return isa_field_get(field, insn->bits) ? TEXT_LITERAL(at, "(peek)") : at;
}

PARSE(peek)
{
    return parse_modifier(scan, build, field, "peek", false);
}
READ_MODIFIER(peek)

PRINT(draw_state)
{
    (void)options;
    uint64_t count = isa_field_get(field, insn->bits);
    if (!count)
        return at;
    at = TEXT_LITERAL(at, "(sds");
    *at++ = (char)('0' + count);
    *at++ = ')';
    return at;
}

PARSE(draw_state)
{
    return parse_modifier(scan, build, field, "sds", true);
}
READ_MODIFIER(draw_state)

#endif
