/* SPDX-License-Identifier: MIT */
/* Random expressions of C, with what they are worth and where their words stand. */
#ifndef TESTS_SUPPORT_ARITHMETIC_H
#define TESTS_SUPPORT_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

enum { ARITHMETIC_ROOM = 4000, ARITHMETIC_TOKENS = 600 };

struct arithmetic {
    char text[ARITHMETIC_ROOM];
    unsigned at[ARITHMETIC_TOKENS]; /* offset of each word */
    unsigned used, tokens;
    int64_t value;  /* of 64 bits; a shift by 64 or more leaves 0 or -1 */
    bool overflows; /* a result has other digits than 64 bits hold, or lost some in a shift to the left */
    bool far;       /* something is shifted by more than 63 */
};

/*
 * `more`: with CONDITION ? THIS : THAT and 0b101, as the debugger reads them, and with divisions by 0 where nobody
 * calculates them.
 */
void arithmetic_make(struct arithmetic *out, uint64_t *seed, bool more);

#endif
