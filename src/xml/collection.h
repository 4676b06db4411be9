/* SPDX-License-Identifier: MIT */
/* Names as they are read from XML, one list per register domain of the target, and the tables made of them. */
#ifndef XML_COLLECTION_H
#define XML_COLLECTION_H

#include "base/buffer.h"
#include "isa/names/index.h"

/* More domains than any name set has. */
#define COLLECTION_DOMAINS 16

struct collection_list {
    struct isa_name *names;
    uint32_t count, room;
    uint64_t claims;
    struct name_index index;
    struct isa_name_table table; /* without names: no root, so that every look-up fails */
};

struct collection {
    struct buffer strings;
    struct collection_list lists[COLLECTION_DOMAINS];
};

/* A state to which a collection can be brought back. */
struct collection_mark {
    size_t strings_length;
    uint32_t count[COLLECTION_DOMAINS];
    uint64_t claims[COLLECTION_DOMAINS];
};

enum collection_result { COLLECTION_OK, COLLECTION_FULL, COLLECTION_MEMORY };

/* Adds a row; `name` has everything but the place of its text. */
enum collection_result collection_add(struct collection *collection, unsigned domain, const char *text,
                                      const struct isa_name *name);
struct collection_mark collection_mark(const struct collection *collection);
void collection_revert(struct collection *collection, const struct collection_mark *mark);
/* Makes the tables of all lists anew; on false (no memory) the old ones stay, and the rows should be reverted. */
bool collection_build(struct collection *collection);
void collection_free(struct collection *collection);

#endif
