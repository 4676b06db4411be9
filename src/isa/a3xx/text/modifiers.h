/* SPDX-License-Identifier: MIT */
/* What the sources of categories 2 to 4 share in text: modifiers, offsets from a0.x, refusals. */
#ifndef ISA_A3XX_TEXT_MODIFIERS_H
#define ISA_A3XX_TEXT_MODIFIERS_H

#include "isa/a3xx/text/name.h"

enum { A3XX_REPEATED = 4 }; /* (r), beside A3XX_NEG and A3XX_ABS */

extern const char a3xx_move_first[]; /* a hint */

char *a3xx_put_modifiers(char *at, unsigned modifiers);
/*
 * Takes those that the row may have, in any order, and any register form behind them. False with an error noted, as
 * when a modifier is written twice or not allowed.
 */
bool a3xx_take_modifiers_and_name(struct isa_scan *scan, const struct isa_row *row, unsigned *modifiers,
                                  struct a3xx_name *name);
/* The same, quick where there are none. */
static inline __attribute__((always_inline)) bool a3xx_take_modified_name(struct isa_scan *scan,
                                                                          const struct isa_build *build,
                                                                          unsigned *modifiers, struct a3xx_name *name)
{
    *modifiers = 0;
    if (a3xx_take_plain_name(scan, name))
        return true;
    unsigned found;
    struct a3xx_name other;
    bool good = a3xx_take_modifiers_and_name(scan, build->row, &found, &other);
    *modifiers = found;
    *name = other;
    return good;
}
/* An operand of this kind cannot stand here; false. */
bool a3xx_refuse_operand(struct isa_scan *scan, struct a3xx_name name, const char *text, const char *hint);
/* The bits of a relative operand's offset; false with an error noted when it is out of range. */
bool a3xx_take_offset(struct isa_scan *scan, struct a3xx_name name, unsigned *bits);

#endif
