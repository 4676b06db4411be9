/* SPDX-License-Identifier: MIT */
/* Builds the indexes of a name table. Shared by the build-time generator and the XML loader. */
#ifndef ISA_NAMES_INDEX_H
#define ISA_NAMES_INDEX_H

#include "isa/names/table.h"

/* Rows of one table, and numbers that all rows of it claim; more is refused. */
#define NAME_ROWS_MAX 60000
#define NAME_CLAIMS_MAX (1u << 22)

struct name_index {
    uint16_t *root, *middle, *leaves, *hash; /* malloc'ed */
    uint32_t root_count, middle_blocks, leaf_blocks, hash_mask;
};

/* Numbers that a row claims: elements times the words of each. */
static inline uint64_t name_claims(const struct isa_name *row)
{
    return (uint64_t)row->count * (row->flags & NAME_CONTAINER ? row->stride : row->words);
}

/*
 * The first row that claims a number names it; the first row with a text has it. False when there is no memory or
 * the rows exceed the limits above; nothing is to be freed then.
 */
bool name_index_build(struct name_index *index, const char *strings, const struct isa_name *names, uint32_t count);
void name_index_free(struct name_index *index);

#endif
