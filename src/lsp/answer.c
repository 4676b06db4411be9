/* SPDX-License-Identifier: MIT */
/* Messages to the client. */
#include "lsp/server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lsp_send(struct lsp *lsp, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);
    if (text && !memory_lacked()) /* a part of it may be missing */
        lsp->options.send(lsp->options.user, text, strlen(text));
    memory_free_json(text);
    json_decref(message);
}

void lsp_notify(struct lsp *lsp, const char *method, json_t *params)
{
    lsp_send(lsp, json_pack("{s:s, s:o}", "method", method, "params", params));
}

void lsp_fail(struct answer *answer, int error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(answer->message, sizeof answer->message, format, args);
    va_end(args);
    answer->error = error;
}

void lsp_answer(struct lsp *lsp, json_t *id, struct answer *answer)
{
    json_t *message = json_pack("{s:O?}", "id", id);
    if (!id)
        json_object_set_new(message, "id", json_null());
    if (answer->error) {
        json_object_set_new(message, "error",
                            json_pack("{s:i, s:o}", "code", answer->error, "message",
                                      json_of_bytes(answer->message, strlen(answer->message))));
        json_decref(answer->result);
    } else {
        json_object_set_new(message, "result", answer->result ? answer->result : json_null());
    }
    lsp_send(lsp, message);
}

void lsp_refuse(struct lsp *lsp, const char *why)
{
    struct answer answer = {0};
    lsp_fail(&answer, ERROR_PARSE, "%s", why);
    lsp_answer(lsp, NULL, &answer);
}
