/* SPDX-License-Identifier: MIT */
#include "front/spelling.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 64

/* Levenshtein's distance, by one row of the matrix. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned row[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            unsigned least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < least ? change : least;
        }
    }
    return row[b_length];
}

struct spelling spelling_begin(const char *wanted)
{
    size_t length = strlen(wanted);
    /* a third of the letters may be wrong, and never all of them */
    return (struct spelling){.wanted = wanted, .distance = (unsigned)(length < 3 ? length : length / 3 + 1)};
}

void spelling_offer(struct spelling *spelling, const char *candidate)
{
    size_t a = strlen(spelling->wanted), b = strlen(candidate);
    if (a > LONGEST || b > LONGEST)
        return;
    unsigned d = distance(spelling->wanted, a, candidate, b);
    if (d < spelling->distance) {
        spelling->distance = d;
        snprintf(spelling->best, sizeof spelling->best, "%s", candidate);
    }
}
