/* SPDX-License-Identifier: MIT */
#include "front/text_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct text_stream {
    char **text;
    size_t *length;
    size_t room;
};

static ssize_t append_text(void *cookie, const char *bytes, size_t size)
{
    struct text_stream *stream = cookie;
    size_t length = *stream->length;
    if (length + size + 1 > stream->room) {
        size_t room = 2 * stream->room > length + size + 1 ? 2 * stream->room : length + size + 1;
        char *larger = realloc(*stream->text, room);
        if (!larger) {
            errno = ENOMEM;
            return 0;
        }
        *stream->text = larger;
        stream->room = room;
    }
    memcpy(*stream->text + length, bytes, size);
    *stream->length = length + size;
    (*stream->text)[length + size] = 0;
    return (ssize_t)size;
}

static int close_stream(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *text_stream_open(char **text, size_t *length)
{
    struct text_stream *stream = malloc(sizeof *stream);
    char *first = malloc(4096);
    FILE *out = stream && first
                    ? fopencookie(stream, "w", (cookie_io_functions_t){.write = append_text, .close = close_stream})
                    : NULL;
    if (!out) {
        free(stream);
        free(first);
        return NULL;
    }
    first[0] = 0;
    *stream = (struct text_stream){text, length, 4096};
    *text = first;
    *length = 0;
    return out;
}

bool text_stream_close(FILE *out)
{
    bool whole = !ferror(out);
    return fclose(out) == 0 && whole;
}
