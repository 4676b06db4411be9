/* SPDX-License-Identifier: MIT */
/* What the sources of categories 2 to 4 share: modifiers, offsets from a0.x, refusals. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/text/name.h"

#include "base/text.h"

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
