/* SPDX-License-Identifier: MIT */
/*
 * `a3xx-many [WORDS [SEED]]`: the round trip of roundtrip.c over as many words as asked for (default 10^8), with a
 * count of the rows that came up. Not part of the test suite: it runs for minutes.
 */
#include "words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const struct gpucode_target *target = gpucode_target_find("a3xx");
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000000,
             seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    static uint64_t seen[1024];
    unsigned rows = gpucode_row_count(target), wrong = 0;
    for (uint64_t i = 0; i < count && wrong < 20; i++) {
        uint64_t word = words_make(target, &seed), back = 0;
        char text[GPUCODE_TEXT_MAX];
        for (unsigned style = 0; style < 2; style++) {
            const char *why = words_return(target, word, style, text, &back);
            if (!why)
                continue;
            printf("%016" PRIx64 " style %u: %s: %s (%016" PRIx64 ")\n", word, style, why, text, back);
            wrong++;
        }
        unsigned char bytes[8];
        for (unsigned k = 0; k < 8; k++)
            bytes[k] = (unsigned char)(word >> 8 * k);
        struct gpucode_insn insn;
        if (gpucode_decode(target, bytes, sizeof bytes, 0, &insn) == GPUCODE_OK && insn.row < 1024)
            seen[insn.row]++;
    }
    uint64_t least = count;
    for (unsigned i = 0; i < rows; i++)
        least = seen[i] < least ? seen[i] : least;
    printf("%" PRIu64 " words, %u wrong; %" PRIu64 " raw, each of %u rows at least %" PRIu64 " times\n", count, wrong,
           seen[0], rows, least);
    return wrong != 0;
}
