/* SPDX-License-Identifier: MIT */
#include "allocation.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);
void *reallocarray(void *memory, size_t number, size_t size);

/* hidden otherwise, and libc would not call them */
#define SEEN __attribute__((visibility("default")))

static unsigned long count, at;
static long live;
static bool watched, on;

void allocation_begin(unsigned long fail_at, bool goes_on)
{
    count = 0;
    live = 0;
    at = fail_at;
    on = goes_on;
    watched = true;
}

unsigned long allocation_end(long *kept)
{
    watched = false;
    *kept = live;
    return count;
}

static bool fails(void)
{
    if (!watched)
        return false;
    count++;
    if (!at || (count != at && !(on && count > at)))
        return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *memory)
{
    live += memory && watched;
    return memory;
}

SEEN void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

SEEN void *calloc(size_t number, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(number, size));
}

SEEN void *realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    return memory ? __libc_realloc(memory, size) : counted(__libc_realloc(NULL, size));
}

SEEN void *reallocarray(void *memory, size_t number, size_t size)
{
    return size && number > (size_t)-1 / size ? NULL : realloc(memory, number * size);
}

SEEN void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

SEEN void free(void *memory)
{
    live -= memory && watched;
    __libc_free(memory);
}
