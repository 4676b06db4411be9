/* SPDX-License-Identifier: MIT */
/* What is known of words from their bits alone: their rows, looked up once for everything that asks about them. */
#include "isa/afuc/afuc.h"
#include "isa/afuc/text/flow.h"

#include <string.h>

static uint16_t word_of_row(int row)
{
    if (row < 0)
        return AFUC_WORD_RARE;
    const struct isa_row *facts = &afuc_rows.rows[row];
    return (uint16_t)((row + 1) | (facts->flows ? AFUC_WORD_FLOWS : 0) | (afuc_row_names(facts) ? AFUC_WORD_NAMES : 0) |
                      (row == AFUC_UBFX || row == AFUC_BFI ? AFUC_WORD_RARE : 0));
}

_Static_assert((int)AFUC_ROW_COUNT < (int)AFUC_WORD_ROW, "a row has its place in a word");

void afuc_decode_words(const struct gpucode_target *target, const unsigned char *bytes, uint32_t words,
                       uint16_t *restrict rows)
{
    struct {
        uint32_t ignored;
        uint16_t word;
    } of_row[AFUC_ROW_COUNT + 1];
    for (int row = -1; row < AFUC_ROW_COUNT; row++) {
        of_row[row + 1].word = word_of_row(row);
        of_row[row + 1].ignored = row < 0 ? 0 : (uint32_t)afuc_rows.rows[row].facts.ignored;
    }
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = afuc_word_at(bytes, i);
        int row = isa_decode_row(&afuc_rows, target->generation, word) + 1;
        rows[i] = (uint16_t)(of_row[row].word | (word & of_row[row].ignored ? AFUC_WORD_LOSSY : 0));
    }
}

uint32_t afuc_next_word(const uint16_t *rows, uint32_t first, uint32_t words, uint16_t row)
{
    const uint64_t each = UINT64_C(0x0001000100010001);
    for (; words - first >= 4; first += 4) {
        uint64_t four;
        memcpy(&four, &rows[first], sizeof four);
        four = (four & each * AFUC_WORD_ROW) ^ each * row;
        if ((four - each) & ~four & each << 15) /* a word of them is zero */
            break;
    }
    while (first < words && (rows[first] & AFUC_WORD_ROW) != row)
        first++;
    return first;
}
