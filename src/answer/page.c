/* SPDX-License-Identifier: MIT */
/* HTML: which rows of folded tables there have been. */
#include "answer/answer.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = text_hash(TEXT_HASH_START, bytes, length);
    return hash ^ hash >> 29;
}

static const char *row_at(const struct answer_rows *rows, uint32_t number, size_t *length)
{
    size_t start = number ? rows->ends[number - 1] : 0;
    *length = rows->ends[number] - start;
    return rows->bytes.bytes + start;
}

static bool make_room(struct answer_rows *rows)
{
    uint32_t room = rows->room ? 2 * rows->room : 1024;
    size_t length;
    if (rows->count < rows->room)
        return true;
    size_t *ends = room < UINT32_MAX / 4 ? realloc(rows->ends, room * sizeof *ends) : NULL;
    if (!ends)
        return false;
    rows->ends = ends;
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (!slots)
        return false;
    free(rows->slots);
    rows->slots = slots;
    rows->room = room;
    for (uint32_t i = 0; i < rows->count; i++) {
        const char *row = row_at(rows, i, &length);
        size_t at = (size_t)(hash_of(row, length) % (2 * (uint64_t)room));
        while (slots[at])
            at = (at + 1) % (2 * (size_t)room);
        slots[at] = i + 1;
    }
    return true;
}

bool page_rows_find(struct answer_rows *rows, const char *row, size_t length, uint32_t *number)
{
    size_t size;
    rows->failed |= rows->bytes.failed || !make_room(rows);
    if (rows->failed)
        return false;
    size_t at = (size_t)(hash_of(row, length) % (2 * (uint64_t)rows->room));
    for (; rows->slots[at]; at = (at + 1) % (2 * (size_t)rows->room)) {
        const char *other = row_at(rows, rows->slots[at] - 1, &size);
        if (size != length || memcmp(other, row, length) != 0)
            continue;
        *number = rows->slots[at] - 1;
        return true;
    }
    buffer_append(&rows->bytes, row, length);
    rows->failed |= rows->bytes.failed;
    rows->ends[rows->count++] = rows->bytes.length;
    rows->slots[at] = rows->count;
    return false;
}

void page_rows_free(struct answer_rows *rows)
{
    buffer_free(&rows->bytes);
    free(rows->ends);
    free(rows->slots);
}
