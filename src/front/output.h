/* SPDX-License-Identifier: MIT */
/*
 * Output files, all or none: each is written beside its final place first, and moved there when all of them are
 * complete. What goes to standard output is written last.
 *
 *     struct outputs outputs = {.diagnostics = diagnostics};
 *     int code = outputs_add(&outputs, path, bytes, size);
 *     if (!code)
 *         code = outputs_commit(&outputs);
 *     outputs_discard(&outputs);
 */
#ifndef FRONT_OUTPUT_H
#define FRONT_OUTPUT_H

#include <gpucode/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct diagnostics;

struct output {
    const char *name; /* as given */
    char *path;       /* links followed; null: `descriptor` */
    int descriptor;   /* -1: a path */
    bool exists;
    dev_t device; /* of a file that is there */
    ino_t inode;
    char *temporary;   /* null: written directly, because it is not an ordinary file */
    const char *bytes; /* the caller's, until the commit */
    size_t size;
    char *own_name, *own_bytes;               /* of numbered ones */
    bool (*make)(void *user, int descriptor); /* writes it in place of `bytes`; null: those are written */
    void *user;
};

struct outputs {
    struct diagnostics *diagnostics;
    struct output *output;
    unsigned count;
    size_t room;
    /*
     * Of many results of one command, which can be made again: nobody waits for the disk. Else a file that is replaced
     * is, at any moment that the system may crash, the old one or the new one as a whole.
     */
    bool many;
};

/*
 * `path` may be "-". The name and the bytes must live until outputs_commit(). Refuses a file that was read and one that
 * another output goes to, by whatever names. Returns an exit code.
 */
int outputs_add(struct outputs *outputs, const char *path, const void *bytes, size_t size);
/* Adds PREFIX.NUMBER.ENDING, one of as many as there are; name and bytes are copied as far as they are needed. */
int outputs_add_numbered(struct outputs *outputs, const char *prefix, unsigned number, const char *ending,
                         const void *bytes, size_t size);
/*
 * The same for what is made while it is written, so that it never stands in memory as a whole: `make` writes it to the
 * descriptor, now to a file, at the commit to standard output or a device. It returns false, and errno says why, when
 * it cannot.
 */
int outputs_add_made(struct outputs *outputs, const char *path, bool (*make)(void *user, int descriptor), void *user);
/* Writes all of the bytes; false, and errno says why, when that fails. */
bool output_write_all(int descriptor, const char *bytes, size_t size);
/* The same as a callback of the library that takes a text in pieces; `user` points to the descriptor. */
bool output_write_piece(void *user, const char *text, size_t length);
/* For outputs_add_made(): has a call of the library made it? Where memory lacked, errno says so. */
bool output_made(enum gpucode_status status);
int outputs_commit(struct outputs *outputs);
/* Removes what was not committed and frees. */
void outputs_discard(struct outputs *outputs);
/* Commits unless there is an exit code, and discards. Returns the exit code of both. */
int outputs_close(struct outputs *outputs, int code);
/* One file that stands alone: all of the above. `path` may be "-". Returns an exit code. */
int outputs_write(struct diagnostics *diagnostics, const char *path, const void *bytes, size_t size);
/* What `put` writes to a stream, which stands in memory first. */
int outputs_write_text(struct diagnostics *diagnostics, const char *path, void (*put)(FILE *out, const void *user),
                       const void *user);

/* Flushes standard output; complains when any of it could not be written. Returns `code`, or EXIT_FAULT. */
int output_finish(struct diagnostics *diagnostics, int code);

/* Files that must not stay when the program is interrupted. */

/*
 * A stream that writes to memory, as open_memstream() has it: *text (malloc'ed, ends with a zero) and *length are valid
 * when it is closed, which tells, unlike there, when memory ran out. Null: out of memory.
 */
FILE *text_stream_open(char **text, size_t *length);
/* Closes it. False: out of memory at some point, and the text, still to be freed, is not whole. */
bool text_stream_close(FILE *out);

/* --- Text within XML and HTML ------------------------------------------------------------------------------------- */

/* A character, written so that it has no meaning of its own there: < > & and ". */
static inline void markup_put(FILE *out, char character)
{
    const char *name = character == '<'   ? "lt"
                       : character == '>' ? "gt"
                       : character == '&' ? "amp"
                       : character == '"' ? "quot"
                                          : NULL;
    if (name)
        fprintf(out, "&%s;", name);
    else
        putc(character, out);
}

static inline void markup_put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        markup_put(out, *text);
}

#endif
