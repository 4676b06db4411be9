/* SPDX-License-Identifier: MIT */
/*
 * Reading names of registers and consts: r12.x, hc3.w, a0.x, c<a0.x + 4>; and what sources of categories 2 to 4 share.
 */
#ifndef ISA_IR3_A3XX_TEXT_NAME_H
#define ISA_IR3_A3XX_TEXT_NAME_H

#include "isa/ir3/a3xx/a3xx.h"

/* Takes any register form. IS_NOTHING: none begins here, nothing taken. False with an error noted. */
bool a3xx_take_any_name(struct isa_scan *scan, struct shader_name *name);

/* a3xx_take_any_name(), quick where the name is spelt as listings spell it. */
static inline __attribute__((always_inline)) bool a3xx_take_name(struct isa_scan *scan, struct shader_name *name)
{
    const char *behind = shader_read_name(scan->at, scan->end, name);
    if (behind) {
        scan->at = behind;
        return true;
    }
    struct shader_name other;
    bool good = a3xx_take_any_name(scan, &other);
    *name = other;
    return good;
}

/* Takes a general register of the given width; `what` for the message. */
bool a3xx_take_gpr(struct isa_scan *scan, bool half, const char *what, unsigned *number);
/* "a const", "a relative operand", ... */
const char *a3xx_what_text(enum shader_what what);

/* --- what the sources of categories 2 to 4 share: modifiers, offsets from a0.x, refusals -------------------------- */

enum { A3XX_REPEATED = 4 }; /* (r), beside A3XX_NEG and A3XX_ABS */

extern const char a3xx_move_first[]; /* a hint */

char *a3xx_put_modifiers(char *at, unsigned modifiers);
/* Takes those that the row may have, in any order; false with an error noted when one is written twice or not allowed.
 */
bool a3xx_take_modifiers(struct isa_scan *scan, const struct isa_row *row, unsigned *modifiers);
/* The same of listings: the place after them; null: look closer. */
const char *a3xx_read_modifiers(const char *at, const char *end, const struct isa_row *row, unsigned *modifiers);
/* An operand of this kind cannot stand here; false. */
bool a3xx_refuse_operand(struct isa_scan *scan, struct shader_name name, const char *text, const char *hint);
/* The bits of a relative operand's offset; false with an error noted when it is out of range. */
bool a3xx_take_offset(struct isa_scan *scan, struct shader_name name, unsigned *bits);

#endif
