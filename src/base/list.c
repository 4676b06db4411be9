/* SPDX-License-Identifier: MIT */
#include "base/list.h"

#include <stdlib.h>
#include <string.h>

bool list_grow(struct list *list, size_t size)
{
    size_t room = list->room ? 2 * list->room : 64;
    void *items = room <= SIZE_MAX / size ? realloc(list->items, room * size) : NULL;
    if (!items) {
        list->failed = true;
        return false;
    }
    list->items = items;
    list->room = room;
    return true;
}

void *list_add(struct list *list, size_t size)
{
    if (list->count == list->room && !list_grow(list, size))
        return NULL;
    void *item = (char *)list->items + list->count++ * size;
    memset(item, 0, size);
    return item;
}

void *list_keep(struct list *list, struct arena *arena, size_t size)
{
    void *kept = list->failed ? NULL : arena_array(arena, list->count + 1, size);
    if (kept && list->count)
        memcpy(kept, list->items, list->count * size);
    free(list->items);
    *list = (struct list){0};
    return kept;
}
