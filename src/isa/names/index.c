/* SPDX-License-Identifier: MIT */
#include "isa/names/table.h"

#include "isa/row.h"

#include <stdlib.h>
#include <string.h>

/* One more empty block of 64 at the end of `blocks`; 0 when there is no room. */
static uint16_t add_block(uint16_t **blocks, uint32_t *count)
{
    if (*count > UINT16_MAX)
        return 0;
    if ((*count & (*count - 1)) == 0) { /* none, or as many as there is room for */
        uint16_t *grown = realloc(*blocks, (*count ? 2 * *count : 1) * 64 * sizeof **blocks);
        if (!grown)
            return 0;
        *blocks = grown;
    }
    memset(*blocks + *count * 64, 0, 64 * sizeof **blocks);
    return (uint16_t)(*count)++;
}

static bool claim(struct name_index *index, uint32_t number, uint16_t row)
{
    uint16_t *root = &index->root[number >> 12];
    if (!*root && !(*root = add_block(&index->middle, &index->middle_blocks)))
        return false;
    uint16_t *middle = &index->middle[*root * 64u + (number >> 6 & 63)];
    if (!*middle) {
        uint16_t block = add_block(&index->leaves, &index->leaf_blocks);
        if (!block)
            return false;
        *middle = block;
    }
    uint16_t *leaf = &index->leaves[*middle * 64u + (number & 63)];
    if (!*leaf)
        *leaf = row;
    return true;
}

static bool index_numbers(struct name_index *index, const struct isa_name *names, uint32_t count)
{
    add_block(&index->middle, &index->middle_blocks);
    add_block(&index->leaves, &index->leaf_blocks);
    if (!index->middle_blocks || !index->leaf_blocks)
        return false;
    for (uint32_t row = 0; row < count; row++) {
        const struct isa_name *name = &names[row];
        uint32_t words = name->flags & NAME_CONTAINER ? name->stride : name->words;
        for (uint32_t i = 0; i < name->count && !(name->flags & NAME_HIDDEN); i++)
            for (uint32_t j = 0; j < words; j++)
                if (!claim(index, name->number + i * name->stride + j, (uint16_t)(row + 1)))
                    return false;
    }
    return true;
}

static void index_texts(struct name_index *index, const char *strings, const struct isa_name *names, uint32_t count)
{
    for (uint32_t row = 0; row < count; row++) {
        const char *text = strings + names[row].text;
        uint32_t slot = isa_hash(text, names[row].length) & index->hash_mask;
        while (index->hash[slot]) {
            const struct isa_name *other = &names[index->hash[slot] - 1];
            if (other->length == names[row].length && memcmp(strings + other->text, text, other->length) == 0)
                break;
            slot = (slot + 1) & index->hash_mask;
        }
        if (!index->hash[slot])
            index->hash[slot] = (uint16_t)(row + 1);
    }
}

bool name_index_build(struct name_index *index, const char *strings, const struct isa_name *names, uint32_t count)
{
    uint64_t claims = 0, end = 0;
    memset(index, 0, sizeof *index);
    if (count > NAME_ROWS_MAX)
        return false;
    for (uint32_t row = 0; row < count; row++) {
        const struct isa_name *name = &names[row];
        claims += name_claims(name);
        uint64_t last = (uint64_t)name->number + (uint64_t)name->count * name->stride + name->words;
        end = last > end ? last : end;
    }
    if (claims > NAME_CLAIMS_MAX || end > UINT32_MAX)
        return false;
    index->root_count = (uint32_t)(end >> 12) + 1;
    index->hash_mask = 15;
    while (index->hash_mask < count * 2) /* at most half full */
        index->hash_mask = index->hash_mask * 2 + 1;
    index->root = calloc(index->root_count, sizeof *index->root);
    index->hash = calloc(index->hash_mask + 1, sizeof *index->hash);
    if (!index->root || !index->hash || !index_numbers(index, names, count)) {
        name_index_free(index);
        return false;
    }
    index_texts(index, strings, names, count);
    return true;
}

void name_index_free(struct name_index *index)
{
    free(index->root);
    free(index->middle);
    free(index->leaves);
    free(index->hash);
    memset(index, 0, sizeof *index);
}
