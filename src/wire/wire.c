/* SPDX-License-Identifier: MIT */
#include "wire/wire.h"

#include "utf8/utf8.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Members of messages, whatever the client has sent. */

#define NUMBER_MAX (INT64_C(1) << 53) /* JavaScript's numbers reach that far */

const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

int64_t number_of(const json_t *object, const char *key, int64_t missing)
{
    const json_t *value = json_object_get(object, key);
    int64_t number = json_is_integer(value) ? json_integer_value(value) : missing;
    return number >= -NUMBER_MAX && number <= NUMBER_MAX ? number : missing;
}

bool flag_of(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

const json_t *member_of(const json_t *object, const char *path)
{
    char key[64];
    while (object && *path) {
        size_t length = strcspn(path, "/");
        if (length >= sizeof key)
            return NULL;
        memcpy(key, path, length);
        key[length] = 0;
        object = json_object_get(object, key);
        path += length + (path[length] == '/');
    }
    return object;
}

json_t *json_of_bytes(const char *bytes, size_t length)
{
    json_t *string = json_stringn(bytes, length);
    if (string)
        return string;
    char *plain = malloc(length + 1);
    size_t used = 0;
    for (size_t at = 0; plain && at < length;) {
        uint32_t character;
        size_t count = utf8_decode(bytes + at, length - at, &character);
        for (size_t i = 0; i < count; i++)
            plain[used++] = bytes[at + i];
        if (!count)
            plain[used++] = '?';
        at += count ? count : 1;
    }
    string = plain ? json_stringn(plain, used) : json_string("");
    free(plain);
    return string ? string : json_string("");
}

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

#define HEADER_MAX 65536

/* Takes more of the stream into the buffer, as much as there is; false: it has ended, or there is no memory. */
static bool take_more(struct wire *wire)
{
    if (wire->fd < 0 || wire->ended)
        return false;
    if (wire->start) {
        memmove(wire->bytes, wire->bytes + wire->start, wire->used - wire->start);
        wire->used -= wire->start;
        wire->start = 0;
    }
    if (wire->room - wire->used < 4096) {
        size_t room = wire->room * 2 + 65536;
        char *bytes = memory_resize(wire->bytes, room);
        if (!bytes)
            return false;
        wire->bytes = bytes;
        wire->room = room;
    }
    ssize_t count;
    do
        count = read(wire->fd, wire->bytes + wire->used, wire->room - wire->used);
    while (count < 0 && errno == EINTR);
    wire->ended = count <= 0;
    wire->used += count > 0 ? (size_t)count : 0;
    return count > 0;
}

/*
 * The header at the start of the buffer: *body is where the message begins. False: not all of it has come, or
 * wire->wrong says why it is none. Empty lines are passed over.
 */
static bool find_header(struct wire *wire, size_t *body, size_t *length)
{
    size_t at = wire->start;
    bool counted = false;
    for (const char *newline; (newline = at < wire->used ? memchr(wire->bytes + at, '\n', wire->used - at) : NULL);) {
        const char *line = wire->bytes + at;
        size_t size = (size_t)(newline - line);
        at += size + 1;
        if (size && line[size - 1] == '\r')
            size--;
        if (size > 15 && strncasecmp(line, "Content-Length:", 15) == 0) {
            *length = strtoul(line + 15, NULL, 10); /* ends at the newline at the latest */
            counted = true;
        }
        if (size)
            continue;
        if (counted) {
            *body = at;
            return true;
        }
        bool empty = line == wire->bytes + wire->start;
        wire->start = at;
        if (!empty) {
            wire->wrong = "a header has no Content-Length";
            return false;
        }
    }
    if (wire->used - wire->start > HEADER_MAX) {
        wire->start = wire->used;
        wire->wrong = "a header is too long";
    }
    return false;
}

static void skip_bytes(struct wire *wire)
{
    size_t part = wire->used - wire->start < wire->skip ? wire->used - wire->start : wire->skip;
    wire->start += part;
    wire->skip -= part;
}

/* 1 a message, 0 not all of it has come, -1 wire->wrong says what has passed. */
static int look(struct wire *wire, const char **text, size_t *length)
{
    size_t body, count;
    skip_bytes(wire);
    if (wire->skip)
        return 0;
    if (wire->wrong)
        return -1;
    if (!find_header(wire, &body, &count))
        return wire->wrong ? -1 : 0;
    if (count > wire->largest) {
        wire->start = body;
        wire->skip = count;
        wire->wrong = "a message is too long";
        skip_bytes(wire);
        return wire->skip ? 0 : -1;
    }
    if (wire->used - body < count)
        return 0;
    if (text) {
        *text = wire->bytes + body;
        *length = count;
        wire->start = body + count;
    }
    return 1;
}

/* The stream has ended: a message that had begun is none. */
static const char *take_rest(struct wire *wire)
{
    bool begun = wire->skip || wire->start < wire->used;
    wire->skip = 0;
    wire->start = wire->used;
    return begun ? "the stream ends within a message" : NULL;
}

bool wire_next(struct wire *wire, const char **text, size_t *length, const char **wrong)
{
    int found;
    *wrong = NULL;
    while ((found = look(wire, text, length)) == 0)
        if (!take_more(wire)) {
            *wrong = take_rest(wire);
            return false;
        }
    *wrong = wire->wrong;
    wire->wrong = NULL;
    return found > 0;
}

bool wire_waits(struct wire *wire)
{
    struct pollfd poll_fd = {.fd = wire->fd, .events = POLLIN};
    while (look(wire, NULL, NULL) == 0) {
        if (wire->fd < 0 || wire->ended)
            return true; /* it would tell of the end */
        if (poll(&poll_fd, 1, 0) <= 0)
            return false;
        if (!take_more(wire))
            return true;
    }
    return true;
}

void wire_free(struct wire *wire)
{
    free(wire->bytes);
    *wire = (struct wire){.fd = -1};
}

void wire_write(FILE *out, const char *text, size_t length)
{
    fprintf(out, "Content-Length: %zu\r\n\r\n", length);
    fwrite(text, 1, length, out);
    fflush(out);
}

/* --- depth -------------------------------------------------------------------------------------------------------- */

#define DEPTH_MAX 64

bool wire_is_shallow(const char *text, size_t length)
{
    unsigned depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '[' || text[i] == '{') && ++depth > DEPTH_MAX)
            return false;
        else if (!quoted && (text[i] == ']' || text[i] == '}') && depth)
            depth--;
    }
    return true;
}
