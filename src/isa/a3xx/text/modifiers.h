/* SPDX-License-Identifier: MIT */
/* What the sources of categories 2 to 4 share in text: modifiers, offsets from a0.x, refusals. */
#ifndef ISA_A3XX_TEXT_MODIFIERS_H
#define ISA_A3XX_TEXT_MODIFIERS_H

#include "isa/a3xx/text/name.h"

enum { A3XX_REPEATED = 4 }; /* (r), beside A3XX_NEG and A3XX_ABS */

extern const char a3xx_move_first[]; /* a hint */

char *a3xx_put_modifiers(char *at, unsigned modifiers);
/* Takes those that the row may have, in any order; false with an error noted when one is written twice or not allowed.
 */
bool a3xx_take_modifiers(struct isa_scan *scan, const struct isa_row *row, unsigned *modifiers);
/* The same of listings: the place behind them; null: look closer. */
const char *a3xx_read_modifiers(const char *at, const char *end, const struct isa_row *row, unsigned *modifiers);
/* An operand of this kind cannot stand here; false. */
bool a3xx_refuse_operand(struct isa_scan *scan, struct a3xx_name name, const char *text, const char *hint);
/* The bits of a relative operand's offset; false with an error noted when it is out of range. */
bool a3xx_take_offset(struct isa_scan *scan, struct a3xx_name name, unsigned *bits);

#endif
