/* SPDX-License-Identifier: MIT */
/* Arrays of the program that grow by one item at a time. */
#ifndef FRONT_GROW_H
#define FRONT_GROW_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Room for one item of `size` bytes more in the array at *list, which may move. False: out of memory, nothing changed.
 */
static inline bool grow(void *list, size_t count, size_t *room, size_t size)
{
    void *items;
    if (count < *room)
        return true;
    memcpy(&items, list, sizeof items); /* whatever the type of the items is */
    size_t wanted = *room ? 2 * *room : 64;
    items = realloc(items, wanted * size);
    if (!items)
        return false;
    memcpy(list, &items, sizeof items);
    *room = wanted;
    return true;
}

#endif
