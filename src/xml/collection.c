/* SPDX-License-Identifier: MIT */
#include "xml/collection.h"

#include <stdlib.h>
#include <string.h>

/* The rows or the strings may have moved. */
static void refresh(struct collection *collection)
{
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        collection->lists[i].table.names = collection->lists[i].names;
        collection->lists[i].table.strings = collection->strings.bytes;
    }
}

enum collection_result collection_add(struct collection *collection, unsigned domain, const char *text,
                                      const struct isa_name *name)
{
    struct collection_list *list = &collection->lists[domain];
    uint64_t claims = name_claims(name);
    if (list->count == NAME_ROWS_MAX || claims > NAME_CLAIMS_MAX - list->claims ||
        collection->strings.length > UINT32_MAX / 2)
        return COLLECTION_FULL;
    if (list->count == list->room) {
        uint32_t room = list->room ? list->room * 2 : 64;
        struct isa_name *names = realloc(list->names, room * sizeof *names);
        if (!names)
            return COLLECTION_MEMORY;
        list->names = names;
        list->room = room;
    }
    struct isa_name *row = &list->names[list->count];
    *row = *name;
    row->text = (uint32_t)collection->strings.length;
    buffer_append(&collection->strings, text, name->length);
    refresh(collection);
    if (collection->strings.failed)
        return COLLECTION_MEMORY;
    list->count++;
    list->claims += claims;
    return COLLECTION_OK;
}

struct collection_mark collection_mark(const struct collection *collection)
{
    struct collection_mark mark = {.strings_length = collection->strings.length};
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        mark.count[i] = collection->lists[i].count;
        mark.claims[i] = collection->lists[i].claims;
    }
    return mark;
}

void collection_revert(struct collection *collection, const struct collection_mark *mark)
{
    collection->strings.length = mark->strings_length;
    collection->strings.failed = false;
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        collection->lists[i].count = mark->count[i];
        collection->lists[i].claims = mark->claims[i];
    }
}

bool collection_build(struct collection *collection)
{
    struct name_index indexes[COLLECTION_DOMAINS];
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        const struct collection_list *list = &collection->lists[i];
        if (!name_index_build(&indexes[i], collection->strings.bytes, list->names, list->count)) {
            while (i--)
                name_index_free(&indexes[i]);
            return false;
        }
    }
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        struct collection_list *list = &collection->lists[i];
        name_index_free(&list->index);
        list->index = indexes[i];
        list->table = (struct isa_name_table){
            .name_count = list->count,
            .root_count = list->index.root_count,
            .hash_mask = list->index.hash_mask,
            .root = list->index.root,
            .middle = list->index.middle,
            .leaves = list->index.leaves,
            .hash = list->index.hash,
        };
    }
    refresh(collection);
    return true;
}

void collection_free(struct collection *collection)
{
    for (unsigned i = 0; i < COLLECTION_DOMAINS; i++) {
        name_index_free(&collection->lists[i].index);
        free(collection->lists[i].names);
    }
    buffer_free(&collection->strings);
}

uint32_t meaning_text(struct meaning *meaning, const char *text)
{
    if (!meaning->strings.length)
        buffer_append(&meaning->strings, "", 1); /* so that 0 is not a name */
    uint32_t at = (uint32_t)meaning->strings.length;
    buffer_append(&meaning->strings, text, strlen(text) + 1);
    return meaning->strings.failed ? 0 : at;
}

void *meaning_add(struct meaning_list *list, size_t size, uint32_t most)
{
    if (list->count >= most)
        return NULL;
    if (list->count == list->room) {
        uint32_t room = list->room ? 2 * list->room : 64;
        void *rows = realloc(list->rows, room * size);
        if (!rows)
            return NULL;
        list->rows = rows;
        list->room = room;
    }
    return memset((char *)list->rows + size * list->count++, 0, size);
}

struct meaning_mark meaning_mark(const struct meaning *meaning)
{
    return (struct meaning_mark){meaning->strings.length,    meaning->fields.count,    meaning->values.count,
                                 meaning->sets.count,        meaning->registers.count, meaning->packets.count,
                                 meaning->packet_rows.count, meaning->elements};
}

void meaning_revert(struct meaning *meaning, const struct meaning_mark *mark)
{
    meaning->strings.length = mark->strings_length;
    meaning->strings.failed = false;
    meaning->fields.count = mark->fields;
    meaning->values.count = mark->values;
    meaning->sets.count = mark->sets;
    meaning->registers.count = mark->registers;
    meaning->packets.count = mark->packets;
    meaning->packet_rows.count = mark->packet_rows;
    meaning->elements = mark->elements;
}

void meaning_free(struct meaning *meaning)
{
    meaning_free_made(meaning);
    buffer_free(&meaning->strings);
    free(meaning->fields.rows);
    free(meaning->values.rows);
    free(meaning->sets.rows);
    free(meaning->registers.rows);
    free(meaning->packets.rows);
    free(meaning->packet_rows.rows);
}
