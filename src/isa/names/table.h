/* SPDX-License-Identifier: MIT */
/*
 * One table of names: rows, and two indexes over them. Tables are made by tools/namec.c at build
 * time, and by the loader of XML names at run time; both use index.c.
 */
#ifndef ISA_NAMES_TABLE_H
#define ISA_NAMES_TABLE_H

#include "isa/names.h"

/* Longest text of a row; leaves room for a subscript and a suffix below GPUCODE_NAME_MAX. */
#define NAME_TEXT_MAX 96

enum {
    NAME_CONTAINER = 1, /* the elements of an array; numbers that no member has are printed "NAME[0x2]+0" */
    NAME_ADDRESS = 2,   /* the second word is called "_HI" */
    NAME_VOID = 4,      /* a pipe register that acts when it is selected */
    NAME_HIDDEN = 8,    /* understood, never printed */
};

struct isa_name {
    uint32_t text; /* offset in the table's strings; "BASE", "BASE[]" or "BASE[].MEMBER" */
    uint32_t number;
    uint16_t count, stride; /* elements; 1 and 0 without a subscript */
    uint8_t length;         /* of the text */
    uint8_t subscript;      /* where "[]" stands in the text; length when it has none */
    uint8_t words;          /* numbers that an element takes; 1 in containers, whose elements take `stride` */
    uint8_t flags;
};

/*
 * By number: root[number >> 12] is a block of 64 in `middle`, that entry a block of 64 in `leaves`, that entry
 * a row + 1. Block 0 of both is empty.
 * By text: open addressing with isa_hash(); row + 1, 0 is empty.
 */
struct isa_name_table {
    const char *strings;
    const struct isa_name *names;
    uint32_t name_count, root_count, hash_mask;
    const uint16_t *root, *middle, *leaves, *hash;
};

/* Writes the name of a number that a row names (room: GPUCODE_NAME_MAX) and returns its end. */
char *name_table_text(const struct isa_name_table *table, int row, uint32_t number, char *at);

/* The least number from *number on that has a name, which is put there; false: none. */
bool name_table_next(const struct isa_name_table *table, uint32_t *number);

/* Finds the number of a name with subscripts and suffixes. */
bool name_table_number(const struct isa_name_table *table, const char *name, size_t length, uint32_t *number);

/* The row of exactly that text, "[]" for the subscript; -1: none. */
int name_table_row(const struct isa_name_table *table, const char *text, size_t length);

/* The row that names a number; -1: none. */
static inline int name_table_row_of(const struct isa_name_table *table, uint32_t number)
{
    if (number >> 12 >= table->root_count)
        return -1;
    uint32_t middle = table->root[number >> 12] * 64u + (number >> 6 & 63);
    return table->leaves[table->middle[middle] * 64u + (number & 63)] - 1;
}

/* --- Builds the indexes of a name table. Shared by the build-time generator and the XML loader -------------------- */

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
