/* SPDX-License-Identifier: MIT */
#include "words.h"

uint64_t words_next(uint64_t *state)
{
    uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

unsigned words_below(uint64_t *state, unsigned count)
{
    return (unsigned)(words_next(state) % count);
}

uint64_t words_make(const struct gpucode_target *target, uint64_t *state)
{
    uint64_t choice = words_next(state), word = words_next(state);
    struct gpucode_row row;
    if (choice % 4 == 0 || !gpucode_row(target, (unsigned)(choice >> 8) % gpucode_row_count(target), &row))
        return word;
    if (choice % 4 == 1) /* few bits set */
        word &= words_next(state) & words_next(state);
    if (choice % 4 == 2) /* nothing reserved set */
        word &= ~row.ignored;
    return (word & ~row.mask) | row.match;
}

const char *words_return(const struct gpucode_target *target, uint64_t word, unsigned style, char *text, uint64_t *back)
{
    unsigned char bytes[8];
    struct gpucode_insn insn, again;
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    text[0] = 0;
    if (gpucode_decode(target, bytes, sizeof bytes, 0, &insn) != GPUCODE_OK)
        return "not decoded";
    struct gpucode_format_options format = {.style = style};
    size_t length;
    if (gpucode_format(&insn, &format, text, GPUCODE_TEXT_MAX, &length) != GPUCODE_OK)
        return "not formatted";
    if (gpucode_parse(target, text, length, NULL, &again) != GPUCODE_OK)
        return "not parsed";
    *back = again.bits;
    if (again.bits != word)
        return "another word";
    return again.row == insn.row ? NULL : "another row";
}
