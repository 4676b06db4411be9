/* SPDX-License-Identifier: MIT */
#include "front/memory.h"

#include <stdint.h>
#include <stdlib.h>

#ifndef __wasi__
#include <sys/mman.h>
#endif

#if defined(__GLIBC__) && defined(MADV_POPULATE_WRITE)
#include <malloc.h>
#include <unistd.h>

#define MOST ((size_t)1 << 20) /* more takes so long by itself that pages no longer count */

void memory_expect(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes < page || bytes > MOST)
        return;
    mallopt(M_MMAP_THRESHOLD, (int)MOST + 1); /* of the heap, which keeps what is freed */
    mallopt(M_TRIM_THRESHOLD, 4 * (int)MOST);
    char *room = malloc(bytes);
    if (!room)
        return;
    uintptr_t start = ((uintptr_t)room + page - 1) / page * page, end = ((uintptr_t)room + bytes) / page * page;
    if (start < end)
        madvise((char *)start, end - start, MADV_POPULATE_WRITE);
    free(room);
}

#else

void memory_expect(size_t bytes)
{
    (void)bytes;
}

#endif
