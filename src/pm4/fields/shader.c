/* SPDX-License-Identifier: MIT */
/* Shaders by their words, without their text: where one ends, and the number that tells one from another. */
#include "base/text.h"

#include <gpucode/fields.h>

/* `end`, with or without (sy), (ss) and (jp): category 0, opcode 6. */
#define END_MASK 0xe7820000u
#define END 0x03000000u

static bool is_end(const uint32_t *words, size_t at)
{
    return at & 1 && (words[at] & END_MASK) == END && !words[at - 1];
}

size_t gpucode_shader_words(const uint32_t *words, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; words && i < count; i++) {
        if (is_end(words, i))
            return i + 1;
        used = words[i] ? i + 1 : used;
    }
    return used;
}

bool gpucode_shader_ends(const uint32_t *words, size_t count)
{
    size_t used = gpucode_shader_words(words, count);
    return used && is_end(words, used - 1);
}

uint64_t gpucode_shader_hash(const uint32_t *words, size_t count)
{
    return text_hash_words(words, gpucode_shader_words(words, count));
}
