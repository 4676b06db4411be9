/* SPDX-License-Identifier: MIT */
/*
 * What the page calls. A command runs as it does in a shell: arguments, files and output are those that the worker
 * gives to WASI; a new instance for each, so that nothing stays from one to the next. A debug session lives in an
 * instance of its own: one message in, any number out, each behind its Content-Length on standard output.
 */
#include "dap/server.h"
#include "kit/kit.h"

#include <stdio.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

int __main_void(void); /* wasi-libc: main() with the arguments of WASI */

void *EXPORT(page_allocate)(size_t size);
int EXPORT(page_command)(void);
int EXPORT(page_debug)(char *text, size_t length);

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

/* 0: handled; 1: no JSON; 2: no memory. */
int page_debug(char *text, size_t length)
{
    static struct dap *dap;
    if (!dap && (dap = malloc(sizeof *dap)))
        dap_init(dap, stdout, kit_at);
    json_t *message = json_loadb(text, length, JSON_ALLOW_NUL, NULL);
    free(text);
    if (!dap)
        return 2;
    if (!message)
        return 1;
    dap_handle(dap, message);
    json_decref(message);
    fflush(stdout);
    return 0;
}
