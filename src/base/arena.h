/* SPDX-License-Identifier: MIT */
/* Memory that is freed in one call. Programs, images and machines own one each. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
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

#endif
