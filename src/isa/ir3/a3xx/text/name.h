/* SPDX-License-Identifier: MIT */
/*
 * Reading names of registers and consts, of which a line has two or three: r12.x, hc3.w, a0.x, c<a0.x + 4>. As listings
 * have them they are read where they are wanted, a byte after the other; all else is left to registers.c.
 */
#ifndef ISA_IR3_A3XX_TEXT_NAME_H
#define ISA_IR3_A3XX_TEXT_NAME_H

#include "isa/ir3/a3xx/a3xx.h"

/* Registers and consts by their letter: `count` of them, from number `first` on. */
struct a3xx_file {
    uint16_t first, count;
    uint8_t what;   /* enum shader_what */
    char letter;    /* 0: no file has a letter with these low bits */
    char unused[2]; /* eight bytes are found by a shift */
};
enum { A3XX_FILE_LETTERS = 32 };
extern const struct a3xx_file a3xx_files[A3XX_FILE_LETTERS]; /* by the letter's low five bits */

/* Takes any register form. IS_NOTHING: none begins here, nothing taken. False with an error noted. */
bool a3xx_take_any_name(struct isa_scan *scan, struct shader_name *name);

/*
 * Reads a letter at `at`, an h in front or not, up to three digits, a point and a component, where the name ends at a
 * comma, a newline, a space or a parenthesis, and returns its end; null: it is something else, or wrong.
 */
static inline __attribute__((always_inline)) const char *a3xx_read_name(const char *at, const char *end,
                                                                        struct shader_name *name)
{
    enum { LONGEST = 8 }; /* "hc127.x" and a byte after it */
    const char *start = at;
    if (end - at < LONGEST)
        return NULL;
    bool half = *at == 'h';
    at += half;
    const struct a3xx_file *file = &a3xx_files[(unsigned char)*at % A3XX_FILE_LETTERS];
    unsigned index = (unsigned char)(at[1] - '0'), digit;
    if (*at != file->letter || index > 9)
        return NULL;
    for (at += 2; *at != '.'; at++) {
        digit = (unsigned char)(*at - '0');
        if (digit > 9 || !index || index > 99)
            return NULL;
        index = index * 10 + digit;
    }
    unsigned component = (unsigned char)(at[1] - 'w'); /* w x y z */
    if (component > 3 || (unsigned char)at[2] > ',')   /* neither a point nor a byte of a name */
        return NULL;
    unsigned number = index * 4 + ((component + 3) & 3);
    if (number >= file->count)
        return NULL;
    at += 2;
    *name = (struct shader_name){
        .what = (enum shader_what)file->what,
        .half = half,
        .number = (int)(file->first + number),
        .start = start,
        .span = (size_t)(at - start),
    };
    return at;
}

/* a3xx_take_any_name(), quick where the name is spelt as listings spell it. */
static inline __attribute__((always_inline)) bool a3xx_take_name(struct isa_scan *scan, struct shader_name *name)
{
    const char *behind = a3xx_read_name(scan->at, scan->end, name);
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
