/* SPDX-License-Identifier: MIT */
#include "wire/wire.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool lacked;

bool memory_lacked(void)
{
    return atomic_load(&lacked);
}

bool memory_note(bool good)
{
    if (!good)
        atomic_store(&lacked, true);
    return good;
}

void *memory_alloc(size_t size)
{
    void *memory = malloc(size ? size : 1);
    memory_note(memory);
    return memory;
}

void *memory_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    memory_note(memory);
    return memory;
}

void *memory_resize(void *memory, size_t size)
{
    void *larger = realloc(memory, size ? size : 1);
    memory_note(larger);
    return larger;
}

char *memory_copy(const char *text)
{
    char *copy = memory_alloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/*
 * jansson does not bear it everywhere that there is no memory: its parser reads through a null pointer where an object
 * cannot be made. What it asks for after a first failure comes from here, until who serves the stream ends.
 */
static _Alignas(max_align_t) char reserve[1 << 16];
static atomic_size_t reserved;

static void *json_alloc(size_t size)
{
    void *memory = memory_alloc(size);
    size_t room = (size + sizeof(max_align_t)) / sizeof(max_align_t) * sizeof(max_align_t);
    if (memory || room > sizeof reserve)
        return memory;
    size_t at = atomic_fetch_add(&reserved, room);
    return at <= sizeof reserve - room ? reserve + at : NULL;
}

void memory_free_json(void *memory)
{
    if ((char *)memory < reserve || (char *)memory >= reserve + sizeof reserve)
        free(memory);
}

void memory_begin(void)
{
    json_set_alloc_funcs(json_alloc, memory_free_json);
}
