/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD: the allocation that the environment's FAIL_AT counts to fails, and with FAIL_ON=1 all
 * after it too. With COUNT_TO, a file descriptor, the number of allocations is written there at the end.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* hidden otherwise */
#define SEEN __attribute__((visibility("default")))
SEEN void *reallocarray(void *memory, size_t number, size_t size);

/* glibc's own names of what is replaced here */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_ulong count;
static unsigned long fail_at;
static int goes_on;

__attribute__((constructor)) static void read_environment(void)
{
    const char *at = getenv("FAIL_AT"), *on = getenv("FAIL_ON");
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    goes_on = on && *on == '1';
    atomic_store(&count, 0);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *to = getenv("COUNT_TO");
    char text[32];
    int length = snprintf(text, sizeof text, "%lu\n", atomic_load(&count));
    if (to && write(atoi(to), text, (size_t)length) != length)
        _exit(125);
}

static int fails(void)
{
    unsigned long number = atomic_fetch_add(&count, 1) + 1;
    int now = fail_at && (number == fail_at || (goes_on && number > fail_at));
    if (now)
        errno = ENOMEM;
    return now;
}

SEEN void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

SEEN void *calloc(size_t number, size_t size)
{
    return fails() ? NULL : __libc_calloc(number, size);
}

SEEN void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}

SEEN void *reallocarray(void *memory, size_t number, size_t size)
{
    if (size && number > (size_t)-1 / size)
        return NULL;
    return realloc(memory, number * size);
}
