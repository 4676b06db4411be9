/* SPDX-License-Identifier: MIT */
/* A growing array; its items are in memory of their own and may move when one is added. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct list {
    void *items;
    size_t count, room;
    bool failed; /* out of memory at some point */
};

/* Room for one more item of `size` bytes at the end, zeroed; null: out of memory. */
void *list_add(struct list *list, size_t size);
/* Room for items of `size` bytes where there is none left; false: out of memory. */
bool list_grow(struct list *list, size_t size);
/* A copy of the items in the arena; frees the list. Null: out of memory. */
void *list_keep(struct list *list, struct arena *arena, size_t size);

static inline bool list_push(struct list *list, uint32_t value)
{
    if (list->count == list->room && !list_grow(list, sizeof value))
        return false;
    ((uint32_t *)list->items)[list->count++] = value;
    return true;
}

static inline uint32_t list_pop(struct list *list)
{
    return ((uint32_t *)list->items)[--list->count];
}

#endif
