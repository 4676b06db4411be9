/* SPDX-License-Identifier: MIT */
/*
 * What the page calls. A command runs as it does in a shell: arguments, files and output are those that the worker
 * gives to WASI; a new instance for each, so that nothing stays from one to the next. A debug session and the language
 * server live in an instance of their own each: one message in, any number out, each behind its Content-Length on
 * standard output.
 */
#include "dap/server.h"
#include "gpu/recorded.h"
#include "kit/kit.h"
#include "lsp/lsp.h"
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("page"), import_name(#name))) name

enum { HANDLED, NO_JSON, NO_MEMORY };

int __main_void(void); /* wasi-libc: main() with the arguments of WASI */

void *EXPORT(page_allocate)(size_t size);
int EXPORT(page_command)(void);
int EXPORT(page_debug)(char *text, size_t length);
int EXPORT(page_language)(char *text, size_t length);

/* Has the user asked for a pause? While this thread runs it takes no messages. */
int IMPORT(page_wants_pause)(void);

static bool wants_pause(void *user)
{
    (void)user;
    return page_wants_pause();
}

/* Memory for a message; the call that takes the message frees it. */
void *page_allocate(size_t size)
{
    return malloc(size);
}

int page_command(void)
{
    int code = __main_void();
    fflush(NULL);
    return code;
}

int page_debug(char *text, size_t length)
{
    static struct dap *dap;
    if (!dap && (dap = malloc(sizeof *dap))) {
        dap_init(dap, stdout, kit_at);
        dap->recordings = &recorded_launches;
        dap->wants_interrupt = wants_pause;
    }
    json_t *message = wire_is_shallow(text, length) ? json_loadb(text, length, JSON_ALLOW_NUL, NULL) : NULL;
    free(text);
    if (!dap || !message) {
        json_decref(message);
        return dap ? NO_JSON : NO_MEMORY;
    }
    dap_handle(dap, message);
    json_decref(message);
    fflush(stdout);
    return HANDLED;
}

/* The page's files lie in one folder, which the server calls "/". */
static bool read_file(void *user, const char *name, char **text, size_t *length)
{
    return lsp_read_file(user, name + strspn(name, "/"), text, length);
}

int page_language(char *text, size_t length)
{
    static struct lsp *lsp;
    if (!lsp)
        lsp = lsp_create(&(struct lsp_options){.send = lsp_send_framed, .read = read_file, .user = stdout});
    if (lsp)
        lsp_take(lsp, text, length);
    free(text);
    while (lsp && lsp_work(lsp))
        ;
    return lsp ? HANDLED : NO_MEMORY;
}
