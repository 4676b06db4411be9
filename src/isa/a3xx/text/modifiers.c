/* SPDX-License-Identifier: MIT */
/* What the sources of categories 2 to 4 share: modifiers, offsets from a0.x, refusals. */
#include "isa/a3xx/text/modifiers.h"

#include "base/text.h"

const char a3xx_move_first[] = "move it to a register first";

char *a3xx_put_modifiers(char *at, unsigned modifiers)
{
    static const char text[4][9] = {"", "(neg)", "(abs)", "(absneg)"};
    at = text_short(at, text[modifiers & 3]);
    return modifiers & A3XX_REPEATED ? TEXT_LITERAL(at, "(r)") : at;
}

/* Any order; false with an error noted when one is written twice. */
bool a3xx_take_modifiers(struct isa_scan *scan, unsigned *modifiers, unsigned allowed, const char *mnemonic)
{
    static const struct {
        const char *text;
        unsigned length, bits;
    } names[] = {{"(r)", 3, A3XX_REPEATED},
                 {"(neg)", 5, A3XX_NEG},
                 {"(abs)", 5, A3XX_ABS},
                 {"(absneg)", 8, A3XX_NEG | A3XX_ABS}};
    *modifiers = 0;
    for (;;) {
        isa_skip(scan);
        size_t rest = (size_t)(scan->end - scan->at);
        if (rest < 3 || *scan->at != '(')
            return true;
        unsigned i = 0;
        while (i < 4 && (rest < names[i].length || memcmp(scan->at, names[i].text, names[i].length) != 0))
            i++;
        if (i == 4)
            return true;
        if (*modifiers & names[i].bits)
            return isa_fail(scan, scan->at, names[i].length, MSG_A3XX_FLAG_TWICE, NULL, NULL, 0, NULL);
        if (names[i].bits & ~allowed)
            return isa_fail(scan, scan->at, names[i].length, MSG_A3XX_MODIFIER, NULL, names[i].text, -1, mnemonic);
        *modifiers |= names[i].bits;
        scan->at += names[i].length;
    }
}

/* What a source of this instruction may be, beside a register; for category 4 nothing. */
bool a3xx_refuse_operand(struct isa_scan *scan, const struct a3xx_name *name, const char *text, const char *hint)
{
    return isa_fail(scan, name->start, name->span, MSG_A3XX_OPERAND, hint, text, -1, NULL);
}

bool a3xx_take_offset(struct isa_scan *scan, const struct a3xx_name *name, unsigned *bits)
{
    if (name->number < -512 || name->number > 511)
        return isa_fail(scan, name->start, name->span, MSG_A3XX_OFFSET, NULL, name->start, (int)name->span, NULL);
    *bits = (unsigned)name->number & A3XX_SOURCE_OFFSET;
    return true;
}
