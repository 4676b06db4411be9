/* SPDX-License-Identifier: MIT */
/* The server's life, and messages on their way to those who answer them. */
#include "lsp/server.h"
#include "lsp/lsp.h"

#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lsp *lsp_create(const struct lsp_options *options)
{
    struct lsp *lsp = memory_zeroed(1, sizeof *lsp);
    json_t *settings = json_object();
    if (!lsp || !settings) {
        json_decref(settings);
        free(lsp);
        return NULL;
    }
    lsp->options = *options;
    lsp->settings = settings;
    return lsp;
}

static struct queued *pop_message(struct lsp *lsp)
{
    struct queued *item = lsp->first;
    lsp->first = item->next;
    if (!lsp->first)
        lsp->last = NULL;
    return item;
}

void lsp_free(struct lsp *lsp)
{
    if (!lsp)
        return;
    while (lsp->first) {
        struct queued *item = pop_message(lsp);
        json_decref(item->message);
        free(item);
    }
    for (struct document *document = lsp->documents, *next; document; document = next) {
        next = document->next;
        document_free(document);
    }
    json_decref(lsp->settings);
    free(lsp);
}

/* --- in ---------------------------------------------------------------------------------------------------- */

static void cancel_queued(struct lsp *lsp, const json_t *id)
{
    for (struct queued *item = lsp->first; item && id; item = item->next)
        if (json_equal(json_object_get(item->message, "id"), id))
            item->cancelled = true;
}

void lsp_take(struct lsp *lsp, const char *text, size_t length)
{
    json_t *message = wire_is_shallow(text, length) ? json_loadb(text, length, JSON_ALLOW_NUL, NULL) : NULL;
    struct answer answer = {0};
    if (!message) {
        lsp_refuse(lsp, "the message is not JSON");
        return;
    }
    if (!json_is_object(message)) {
        lsp_fail(&answer, ERROR_REQUEST, "a message is an object");
        lsp_answer(lsp, NULL, &answer);
        json_decref(message);
        return;
    }
    if (strcmp(text_of(message, "method"), "$/cancelRequest") == 0)
        cancel_queued(lsp, member_of(message, "params/id"));
    struct queued *item = memory_alloc(sizeof *item);
    if (!item) {
        json_decref(message);
        return;
    }
    *item = (struct queued){.message = message};
    if (lsp->last)
        lsp->last->next = item;
    else
        lsp->first = item;
    lsp->last = item;
}

/* --- dispatch ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *method;
    request_function *answer;
} requests[] = {
#define REQUEST(method, name) {method, answer_##name},
#define NOTIFICATION(method, name)
#include "lsp/method.def"
#undef REQUEST
#undef NOTIFICATION
};
static const struct {
    const char *method;
    notification_function *take;
} notifications[] = {
#define REQUEST(method, name)
#define NOTIFICATION(method, name) {method, notify_##name},
#include "lsp/method.def"
#undef REQUEST
#undef NOTIFICATION
};

static void take_notification(struct lsp *lsp, const char *method, const json_t *params)
{
    if ((!lsp->initialized || lsp->down) && strcmp(method, "exit") != 0)
        return;
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++)
        if (strcmp(notifications[i].method, method) == 0)
            notifications[i].take(lsp, params);
}

static void answer_request(struct lsp *lsp, const char *method, const json_t *params, struct answer *answer)
{
    if (!lsp->initialized && strcmp(method, "initialize") != 0) {
        lsp_fail(answer, ERROR_NOT_INITIALIZED, "`initialize` comes first");
        return;
    }
    if (lsp->down || (lsp->initialized && strcmp(method, "initialize") == 0)) {
        lsp_fail(answer, ERROR_REQUEST, lsp->down ? "the server has been shut down" : "`initialize` comes once");
        return;
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (strcmp(requests[i].method, method) == 0) {
            requests[i].answer(lsp, params, answer);
            return;
        }
    lsp_fail(answer, ERROR_METHOD, "there is no method '%.64s'", method);
}

static void handle_message(struct lsp *lsp, const struct queued *item)
{
    const json_t *method = json_object_get(item->message, "method"), *params = json_object_get(item->message, "params");
    json_t *id = json_object_get(item->message, "id");
    struct answer answer = {0};
    bool is_id = json_is_string(id) || json_is_integer(id);
    if (!json_is_string(method)) { /* an answer to a request of ours needs no handling */
        if (json_object_get(item->message, "result") || json_object_get(item->message, "error"))
            return;
        lsp_fail(&answer, ERROR_REQUEST, "the message has no method");
        lsp_answer(lsp, is_id ? id : NULL, &answer);
    } else if (!id) {
        take_notification(lsp, json_string_value(method), params);
    } else {
        if (!is_id)
            lsp_fail(&answer, ERROR_REQUEST, "an id is a number or a string");
        else if (item->cancelled)
            lsp_fail(&answer, ERROR_CANCELLED, "cancelled");
        else
            answer_request(lsp, json_string_value(method), params, &answer);
        lsp_answer(lsp, is_id ? id : NULL, &answer);
    }
}

/* What has changed is told when no message waits: of ten key strokes in a row only the last counts. */
static bool look_at_changes(struct lsp *lsp)
{
    for (struct document *document = lsp->documents; document; document = document->next)
        if (document->dirty || document->unpublished) {
            document_refresh(lsp, document);
            diagnostics_publish(lsp, document);
            return true;
        }
    for (struct document *document = lsp->documents; document; document = document->next)
        if (document->unlinted) {
            diagnostics_lint(lsp, document);
            return true;
        }
    return false;
}

bool lsp_work(struct lsp *lsp)
{
    if (lsp->ended)
        return false;
    if (!lsp->first)
        return look_at_changes(lsp);
    struct queued *item = pop_message(lsp);
    handle_message(lsp, item);
    json_decref(item->message);
    free(item);
    return true;
}

bool lsp_ended(const struct lsp *lsp, int *code)
{
    *code = lsp->down ? 0 : 1;
    return lsp->ended;
}

/* The server on a stream. */

#define LARGEST (64u << 20) /* sources are no longer, and a client sends one whole at first */

void lsp_send_framed(void *user, const char *text, size_t length)
{
    wire_write(user, text, length);
}

bool lsp_read_file(void *user, const char *name, char **text, size_t *length)
{
    (void)user;
    FILE *file = fopen(name, "rb");
    bool good = file && fseek(file, 0, SEEK_END) == 0;
    long size = good ? ftell(file) : -1;
    *text = size >= 0 && size <= (long)LARGEST ? memory_alloc((size_t)size + 1) : NULL;
    if (*text) {
        rewind(file);
        *length = fread(*text, 1, (size_t)size, file);
    }
    if (file)
        fclose(file);
    return *text;
}

int lsp_serve(int in, FILE *out)
{
    memory_begin();
    struct lsp *lsp = lsp_create(&(struct lsp_options){.send = lsp_send_framed, .read = lsp_read_file, .user = out});
    struct wire wire = {.fd = in, .largest = LARGEST};
    const char *text, *wrong;
    size_t length;
    int code = 1;
    if (!lsp)
        return 3;
    /* all that has come is taken before anything is worked on, so that what was cancelled is known */
    for (bool more = false; !lsp_ended(lsp, &code) && !memory_lacked();) {
        if (!more || wire_waits(&wire)) {
            if (wire_next(&wire, &text, &length, &wrong))
                lsp_take(lsp, text, length);
            else if (wrong)
                lsp_refuse(lsp, wrong);
            else
                break; /* the client is gone; what it asked before is answered to nobody */
            more = true;
            if (wire_waits(&wire))
                continue;
        }
        more = lsp_work(lsp);
    }
    while (!lsp_ended(lsp, &code) && !memory_lacked() && lsp_work(lsp))
        ;
    lsp_ended(lsp, &code);
    wire_free(&wire);
    lsp_free(lsp);
    return memory_lacked() ? 3 : code;
}
