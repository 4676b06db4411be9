/* SPDX-License-Identifier: MIT */
/*
 * A client's messages, one a line. What comes back is JSON that says which version it speaks; each request has one
 * answer, and the server has nothing left to do in the end.
 */
#include "check.h"
#include "lsp/lsp.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void see_message(void *user, const char *text, size_t length)
{
    unsigned *answers = user;
    json_t *message = json_loadb(text, length, 0, NULL);
    check(json_is_object(message));
    check(strcmp(json_string_value(json_object_get(message, "jsonrpc")), "2.0") == 0);
    if (!json_object_get(message, "method")) {
        check(json_object_get(message, "id") != NULL);
        check(!json_object_get(message, "result") != !json_object_get(message, "error"));
        ++*answers;
    }
    json_decref(message);
}

/* One file that there is. */
static bool read_file(void *user, const char *name, char **text, size_t *length)
{
    static const char included[] = ".equ IN, 4\n.macro deep a\n\\a: nop\n.endm\nlabel: nop\n";
    (void)user;
    if (!strstr(name, "again"))
        return false;
    *text = malloc(sizeof included);
    if (!*text)
        return false;
    memcpy(*text, included, sizeof included);
    *length = sizeof included - 1;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char first[] = "{\"id\":0,\"method\":\"initialize\",\"params\":{}}";
    unsigned answers = 0, messages = 0;
    int code;
    struct lsp *lsp = lsp_create(&(struct lsp_options){.send = see_message, .read = read_file, .user = &answers});
    if (!lsp)
        abort();
    if (size && bytes[0] == '{') { /* most sessions begin as they should */
        lsp_take(lsp, first, sizeof first - 1);
        messages++;
    }
    const char *at = (const char *)bytes, *end = at + size;
    while (at < end && messages < 200) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        lsp_take(lsp, at, length);
        messages++;
        at += length + 1;
        if (messages % 3 == 0) /* some messages wait for others */
            while (lsp_work(lsp))
                ;
    }
    while (lsp_work(lsp))
        ;
    check(answers <= messages);
    lsp_ended(lsp, &code);
    lsp_free(lsp);
    return 0;
}
