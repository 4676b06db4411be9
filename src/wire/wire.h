/* SPDX-License-Identifier: MIT */
/*
 * Messages of the protocols for editors on a stream: a header with a length, an empty line, JSON.
 *
 *     struct wire wire = {.fd = 0, .largest = 4 << 20};
 *     while (wire_next(&wire, &text, &length, &wrong) || wrong)
 *         ...
 *     wire_free(&wire);
 */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include <gpucode/status.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct wire {
    int fd;         /* -1: nothing comes but what is in the buffer */
    size_t largest; /* longer messages are passed over */
    char *bytes;    /* what has come; malloc'ed, the wire's own */
    size_t start, used, room;
    size_t skip;       /* bytes of a message that is too long and that are still to come */
    const char *wrong; /* with what has passed, and nobody has been told yet; or null */
    bool ended;
};

/*
 * Waits for the next message, which is *text until the next call. False: *wrong says what is wrong with one, or is null
 * at the end of the stream.
 */
bool wire_next(struct wire *wire, const char **text, size_t *length, const char **wrong);
/* Would wire_next() return at once? */
bool wire_waits(struct wire *wire);
void wire_free(struct wire *wire);

/* Writes a message, and flushes. */
void wire_write(FILE *out, const char *text, size_t length);

/* Are there at most 64 lists and objects in one another? Parsers of JSON call themselves for each. */
bool wire_is_shallow(const char *text, size_t length);

/* Members of messages, whatever the client has sent: what is missing or of another type is "", `missing`, false. */

const char *text_of(const json_t *object, const char *key);
/* Numbers go to 2^53 on both sides of zero. */
int64_t number_of(const json_t *object, const char *key, int64_t missing);
bool flag_of(const json_t *object, const char *key);
/* The member at the end of a path of keys, "a/b/c"; null: there is none. */
const json_t *member_of(const json_t *object, const char *path);
/* A string of bytes, '?' for those that are not UTF-8. */
json_t *json_of_bytes(const char *bytes, size_t length);

/*
 * Allocations that answers to editors are made with. An answer that lacks a part looks like any other, so that it stays
 * known when there was no memory for something; who serves a stream then ends.
 */

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
