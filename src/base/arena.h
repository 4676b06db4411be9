/* SPDX-License-Identifier: MIT */
/* Memory that is freed in one call (programs, images and machines own one each), and arrays that grow. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    char *at, *end;             /* free room in the newest block */
};

/* Zeroed memory aligned for any type; null when out of memory. */
void *arena_alloc(struct arena *arena, size_t size);
/* count * size with overflow check; null on overflow or when out of memory. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* A copy of `length` bytes with a final zero, aligned for bytes alone; null when out of memory. */
char *arena_copy(struct arena *arena, const char *text, size_t length);
/* A formatted string; null when out of memory. Not for hot loops. */
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *arena);

/* Frees what malloc() gave; some of the pointers may be null. */
#define FREE_ALL(...) free_all((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
static inline void free_all(void **pointers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(pointers[i]);
}

/* The end of a function that makes an object: the caller has it, or it is freed. The value is the status. */
#define DELIVER(status, object, out, free_object)                                                                      \
    ((status) == GPUCODE_OK ? (void)(*(out) = (object)) : free_object(object), (status))

/* --- A growing array; its items are in memory of their own and may move when one is added ------------------------- */

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
