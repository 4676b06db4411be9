/* SPDX-License-Identifier: MIT */
/*
 * Allocations that answers to editors are made with. An answer that lacks a part looks like any other, so that it stays
 * known when there was no memory for something; who serves a stream then ends.
 */
#ifndef WIRE_MEMORY_H
#define WIRE_MEMORY_H

#include <gpucode/status.h>
#include <stdbool.h>
#include <stddef.h>

/* From now on jansson's allocations are such too. */
void memory_begin(void);
/* Frees what json_dumps() has given; null is allowed. */
void memory_free_json(void *memory);
/* Has one failed? */
bool memory_lacked(void);
/* Something else lacked memory, unless it is `good`, which is returned. */
bool memory_note(bool good);

/* Of a call of the library: GPUCODE_OK? */
static inline bool memory_done(enum gpucode_status status)
{
    memory_note(status != GPUCODE_ERROR_MEMORY);
    return status == GPUCODE_OK;
}

/* As malloc(), calloc(), realloc(), strdup(); free() frees them. */
void *memory_alloc(size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *memory, size_t size);
char *memory_copy(const char *text);

#endif
