/* SPDX-License-Identifier: MIT */
/* Memory between two pages that nobody may touch: a program that reads or writes beyond it ends, in any build. */
#ifndef TESTS_SUPPORT_GUARDED_H
#define TESTS_SUPPORT_GUARDED_H

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct guarded {
    char *begin, *end; /* null: there is no memory */
};

/* At least so many bytes, as whole pages. */
static inline struct guarded guarded_memory(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = size / page * page + page;
    char *all = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, room, PROT_READ | PROT_WRITE) != 0)
        return (struct guarded){NULL, NULL};
    return (struct guarded){all + page, all + page + room};
}

static inline void guarded_free(struct guarded *memory)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (memory->begin)
        munmap(memory->begin - page, (size_t)(memory->end - memory->begin) + 2 * page);
}

/* A copy that ends where the memory does. */
static inline void *guarded_end(const struct guarded *memory, const void *bytes, size_t size)
{
    return size ? memcpy(memory->end - size, bytes, size) : memory->end;
}

#endif
