/* SPDX-License-Identifier: MIT */
#include "xml/meaning.h"

#include <stdlib.h>
#include <string.h>

uint32_t meaning_text(struct meaning *meaning, const char *text)
{
    if (!meaning->strings.length)
        buffer_append(&meaning->strings, "", 1); /* so that 0 is no name */
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
