/* SPDX-License-Identifier: MIT */
#include "wire/memory.h"

#include <jansson.h>
#include <stdatomic.h>
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

void memory_begin(void)
{
    json_set_alloc_funcs(memory_alloc, free);
}
