/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT _Alignof(max_align_t)
#define BLOCK_SIZE ((size_t)16 << 10)

struct arena_block {
    struct arena_block *next;
    max_align_t bytes[];
};

/* `size` bytes of the newest block, or of a new one. */
static char *take(struct arena *arena, size_t size)
{
    if (size > (size_t)(arena->end - arena->at)) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        struct arena_block *block = calloc(1, sizeof *block + room);
        if (!block)
            return NULL;
        block->next = arena->blocks;
        arena->blocks = block;
        arena->at = (char *)block->bytes;
        arena->end = arena->at + room;
    }
    char *result = arena->at;
    arena->at += size;
    return result;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t gap = (ALIGNMENT - (uintptr_t)arena->at % ALIGNMENT) % ALIGNMENT; /* after a text */
    if (gap > (size_t)(arena->end - arena->at))
        gap = (size_t)(arena->end - arena->at);
    if (gap)
        arena->at += gap;
    return take(arena, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size)
        return NULL;
    return arena_alloc(arena, count * size);
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = length > SIZE_MAX / 2 ? NULL : take(arena, length + 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1);
    if (text) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
    }
    return text;
}

void arena_free(struct arena *arena)
{
    for (struct arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    *arena = (struct arena){0};
}

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
