/* SPDX-License-Identifier: MIT */
/* The nearest of several names, for "did you mean". */
#ifndef FRONT_SPELLING_H
#define FRONT_SPELLING_H

struct spelling {
    const char *wanted;
    unsigned distance;
    char best[128]; /* empty: nothing near */
};

struct spelling spelling_begin(const char *wanted);
void spelling_offer(struct spelling *spelling, const char *candidate);

#endif
