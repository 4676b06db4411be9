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

#include <stdbool.h>
#include <stddef.h>
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

#endif
