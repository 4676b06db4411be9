/* SPDX-License-Identifier: MIT */
/* Messages as they come and go. */
#include "dap/server.h"

#include "wire/wire.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

json_t *dap_read(struct wire *wire, const char **wrong)
{
    const char *text;
    size_t length;
    if (!wire_next(wire, &text, &length, wrong))
        return NULL;
    json_t *message = NULL;
    if (!wire_is_shallow(text, length))
        *wrong = "a message has too many lists within one another";
    else if (!(message = json_loadb(text, length, JSON_ALLOW_NUL, NULL)))
        *wrong = "a message is not a JSON object";
    return message;
}

/* Sends a message, which is taken over; the caller holds `sending`. */
static void dap_send(struct dap *dap, json_t *message)
{
    json_object_set_new(message, "seq", json_integer(++dap->sequence));
    char *text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);
    if (text && !memory_lacked()) /* a part of it may be missing */
        wire_write(dap->out, text, strlen(text));
    memory_free_json(text);
    json_decref(message);
}

void dap_lock_and_send(struct dap *dap, json_t *message)
{
    pthread_mutex_lock(&dap->sending);
    dap_send(dap, message);
    pthread_mutex_unlock(&dap->sending);
}

void dap_event(struct dap *dap, const char *event, json_t *body)
{
    json_t *message = json_pack("{s:s, s:s}", "type", "event", "event", event);
    if (body)
        json_object_set_new(message, "body", body);
    dap_lock_and_send(dap, message);
}

/* Text that is not UTF-8 would make no JSON. */
void dap_output(struct dap *dap, const char *category, const char *text)
{
    json_t *output = json_string(text);
    if (output && *text)
        dap_event(dap, "output", json_pack("{s:s, s:o}", "category", category, "output", output));
    else
        json_decref(output);
}

void refuse(struct answer *answer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(answer->error, sizeof answer->error, format, args);
    va_end(args);
    answer->failed = true;
}

/* --- what the console and the library have to say, until it is sent ----------------------------------------------- */

void dap_write(void *user, const char *text, size_t length)
{
    struct dap *dap = user;
    char *grown = memory_resize(dap->text, dap->text_length + length + 1);
    if (!grown)
        return;
    memcpy(grown + dap->text_length, text, length);
    dap->text = grown;
    dap->text_length += length;
    grown[dap->text_length] = 0;
}

const char *dap_take_text(struct dap *dap)
{
    const char *text = dap->text_length ? dap->text : "";
    dap->text_length = 0;
    return text;
}

static void note_diagnostic(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct dap *dap = user;
    char place[512];
    if (diagnostic->line && diagnostic->file && diagnostic->file[0] != '<') {
        snprintf(place, sizeof place, "%s:%u:%u: ", diagnostic->file, diagnostic->line, diagnostic->column);
        dap_write(dap, place, strlen(place));
    }
    dap_write(dap, diagnostic->message, strlen(diagnostic->message));
    dap_write(dap, "\n", 1);
}

struct gpucode_diagnostic_handler dap_diagnostic_handler(struct dap *dap)
{
    return (struct gpucode_diagnostic_handler){note_diagnostic, dap};
}

/* What is answered while the machine runs: which threads there are. */

json_t *thread_cache_make(struct dap *dap)
{
    const char *name;
    json_t *list = json_array();
    for (unsigned i = 0; (name = gpucode_machine_processor(dap->machine, i)); i++)
        json_array_append_new(list, json_pack("{s:i, s:s}", "id", (int)i + 1, "name", name));
    return json_pack("{s:o}", "threads", list);
}

static void keep_threads(struct dap *dap, json_t *threads)
{
    pthread_mutex_lock(&dap->sending);
    json_decref(dap->threads);
    dap->threads = threads;
    pthread_mutex_unlock(&dap->sending);
}

void thread_cache_begin(struct dap *dap)
{
    keep_threads(dap, thread_cache_make(dap));
}

void thread_cache_end(struct dap *dap)
{
    keep_threads(dap, NULL);
}

bool thread_cache_answer(struct dap *dap, const json_t *message)
{
    if (strcmp(text_of(message, "command"), "threads") != 0 || strcmp(text_of(message, "type"), "request") != 0)
        return false;
    pthread_mutex_lock(&dap->sending);
    bool known = dap->threads;
    if (known)
        dap_send(dap, json_pack("{s:s, s:s, s:b, s:I, s:O}", "type", "response", "command", "threads", "success", 1,
                                "request_seq", (json_int_t)number_of(message, "seq", 0), "body", dap->threads));
    pthread_mutex_unlock(&dap->sending);
    return known;
}
