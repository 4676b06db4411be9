/* SPDX-License-Identifier: MIT */
/*
 * The Language Server Protocol as one function: messages in, messages out by a callback. No thread, no file and no
 * stream is touched; who has them brings a callback, as lsp_serve() does. Knows the library by its public headers. See
 * https://microsoft.github.io/language-server-protocol for the protocol, version 3.17.
 *
 *     struct lsp *lsp = lsp_create(&(struct lsp_options){.send = send_text, .user = stdout});
 *     lsp_take(lsp, text, length);                 // for each message that has come
 *     while (lsp_work(lsp))                        // and then, one piece of work after the other
 *         ;
 *     lsp_free(lsp);
 */
#ifndef LSP_LSP_H
#define LSP_LSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct lsp;

struct lsp_options {
    /* Takes a message for the client: JSON, without a header. */
    void (*send)(void *user, const char *text, size_t length);
    /*
     * Reads a file that no editor has open, whose name is a path, or a URI where the including document's was not of
     * the scheme `file`. Sets *text (malloc'ed) and *length; false: there is none. null: nothing is read.
     */
    bool (*read)(void *user, const char *name, char **text, size_t *length);
    void *user;
};

/* Null when there is no memory. */
struct lsp *lsp_create(const struct lsp_options *options);
/* null is allowed. */
void lsp_free(struct lsp *lsp);
/*
 * Takes one message of the client: JSON, `length` bytes. Only what cannot wait is done at once (marking a request that
 * is cancelled); the rest is for lsp_work().
 */
void lsp_take(struct lsp *lsp, const char *text, size_t length);
/* Tells that a message could not even be read; `why` goes into the answer. */
void lsp_refuse(struct lsp *lsp, const char *why);
/*
 * Does the next piece of work: answers a message, or, when none waits, looks at a text that has changed. False: nothing
 * is left to do until the next message.
 */
bool lsp_work(struct lsp *lsp);
/* Has the client said `exit`? *code is the exit code that the protocol wants then. */
bool lsp_ended(const struct lsp *lsp, int *code);

/* --- on a stream ------------------------------------------------------------------------------------------------- */

/* Serves one client until it says `exit` or the stream `in` ends. Returns an exit code. */
int lsp_serve(int in, FILE *out);

/* lsp_options.send and .read for a server whose messages go to a stream, `user`, and whose files are the system's. */
void lsp_send_framed(void *user, const char *text, size_t length);
bool lsp_read_file(void *user, const char *name, char **text, size_t *length);

#endif
