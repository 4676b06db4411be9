/* SPDX-License-Identifier: MIT */
/*
 * Where our text of a word may differ from the reference's, and what it must be then. The rules are those of the
 * contract, written from the bits of the word alone; nothing here asks the library.
 */
#ifndef TESTS_AFUC_DIFFERENCE_H
#define TESTS_AFUC_DIFFERENCE_H

#include <stdint.h>

enum difference {
    DIFFERENCE_NONE,
    DIFFERENCE_TARGET,        /* the branch target is outside the code: raw, with a comment */
    DIFFERENCE_IGNORED_BITS,  /* ignored bits are set, those of setsecure included: raw, with a comment */
    DIFFERENCE_REGISTER_JUMP, /* the 0x37 family: jumpd */
    DIFFERENCE_UNKNOWN_BITS,  /* load and store with bits 15, 13 or 12: .fN */
    DIFFERENCE_SETBIT,        /* a6xx register setbit */
    DIFFERENCE_A5XX,          /* a5xx load and jumpa */
    DIFFERENCE_DECIMAL_STEP,  /* sread and swrite with pre-increment: the reference prints 0x and a decimal number */
    DIFFERENCE_REVERSED,      /* ubfx and bfi with the high bit first carry a mark */
    DIFFERENCE_NOT_ALLOWED,
    DIFFERENCE_COUNT
};

extern const char *const difference_names[DIFFERENCE_COUNT];

/*
 * Compares two lines for the word at `index` of `count` words of code. `generation` 5 to 8. Comments of the reference
 * are part of the text.
 */
enum difference difference_of(unsigned generation, uint32_t word, uint32_t index, uint32_t count, const char *reference,
                              const char *ours);

#endif
