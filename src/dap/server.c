/* SPDX-License-Identifier: MIT */
/* The server's life: a thread that reads, so that `pause` is seen while the machine runs, and one that answers. */
#include "dap/server.h"

#include "wire/wire.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A request and what is sent for it: the response, and events after that. */

static const char *reason_of(const struct dap *dap, const struct answer *answer)
{
    static const char *const reasons[] = {
        [GPUCODE_DEBUG_DONE] = "step",       [GPUCODE_DEBUG_BREAKPOINT] = "breakpoint",
        [GPUCODE_DEBUG_MACHINE] = "pause",   [GPUCODE_DEBUG_BEGINNING] = "entry",
        [GPUCODE_DEBUG_INTERRUPT] = "pause", [GPUCODE_DEBUG_MEMORY] = "pause",
        [GPUCODE_DEBUG_LIMIT] = "pause",
    };
    const struct gpucode_debug_stop *stop = &answer->stop;
    const char *own = stop->reason == GPUCODE_DEBUG_BREAKPOINT ? breakpoints_reason(dap, stop->breakpoint) : NULL;
    if (answer->reason || own)
        return answer->reason ? answer->reason : own;
    if (stop->reason == GPUCODE_DEBUG_BREAKPOINT && stop->event.kind)
        return "data breakpoint";
    if (stop->reason == GPUCODE_DEBUG_MACHINE && console_faulted(dap->console))
        return "exception";
    return reasons[stop->reason];
}

static void tell_stop(struct dap *dap, const struct answer *answer)
{
    const struct gpucode_debug_stop *stop = &answer->stop;
    dap->stop = *stop;
    json_t *body = json_pack("{s:s, s:i, s:b}", "reason", reason_of(dap, answer), "threadId", (int)stop->processor + 1,
                             "allThreadsStopped", 1);
    if (stop->reason == GPUCODE_DEBUG_MACHINE) {
        json_object_set_new(body, "description", json_string(stop->machine.text));
        json_object_set_new(body, "text", json_string(stop->machine.text));
    }
    if (stop->breakpoint) {
        json_t *hit = json_pack("[i]", (int)breakpoints_shown(dap, stop->breakpoint));
        for (unsigned i = 0; i < stop->also_count; i++)
            json_array_append_new(hit, json_integer(breakpoints_shown(dap, stop->also[i])));
        json_object_set_new(body, "hitBreakpointIds", hit);
    }
    dap_event(dap, "stopped", body);
}

static void send_response(struct dap *dap, const json_t *request, const char *command, struct answer *answer)
{
    json_t *message = json_pack("{s:s, s:s, s:b, s:I}", "type", "response", "command", command, "success",
                                !answer->failed, "request_seq", (json_int_t)number_of(request, "seq", 0));
    if (answer->failed) {
        json_t *text = json_string(answer->error);
        if (!text)
            text = json_string("failed");
        json_object_set_new(message, "message", text);
        /* the protocol wants a body here as well; clients show one or the other */
        json_object_set_new(message, "body", json_pack("{s:{s:i, s:O}}", "error", "id", 1, "format", text));
        json_decref(answer->body);
    } else if (answer->body) {
        json_object_set_new(message, "body", answer->body);
    }
    if (answer->move) /* before the response: a client asks as soon as it has that */
        thread_cache_begin(dap);
    dap_lock_and_send(dap, message);
    if (answer->initialized)
        dap_event(dap, "initialized", NULL);
    if (answer->move)
        dap_move(dap, answer);
    if (answer->stopped)
        tell_stop(dap, answer);
    if (answer->invalidated && dap->knows_invalidated)
        dap_event(dap, "invalidated", json_pack("{s:[s]}", "areas", "all"));
    if (answer->terminated)
        dap_event(dap, "terminated", NULL);
}

/* A request that its client has cancelled before it was handled. */
static void dap_cancelled(struct dap *dap, const json_t *message)
{
    struct answer answer = {0};
    refuse(&answer, "cancelled");
    send_response(dap, message, text_of(message, "command"), &answer);
}

void dap_handle(struct dap *dap, const json_t *message)
{
    static const struct {
        const char *command;
        request_function *handle;
        bool needs_program;
    } requests[] = {
#define REQUEST(name, needs) {#name, request_##name, needs},
#include "dap/request.def"
#undef REQUEST
    };
    const char *command = text_of(message, "command");
    struct answer answer = {0};
    if (strcmp(text_of(message, "type"), "request") != 0)
        return;
    size_t i = 0, count = sizeof requests / sizeof *requests;
    while (i < count && strcmp(requests[i].command, command) != 0)
        i++;
    const json_t *arguments = json_object_get(message, "arguments");
    if (i == count)
        refuse(&answer, "there is no request '%s'", command);
    else if (requests[i].needs_program && !dap->debug)
        refuse(&answer, "no program is launched");
    else
        requests[i].handle(dap, arguments, &answer);
    send_response(dap, message, command, &answer);
}

struct queued {
    json_t *message; /* null: the stream has ended */
    bool cancelled;
    struct queued *next;
};

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    struct queued *first, *last;
    struct queued end; /* of the stream; queued even when there is no memory left */
    struct dap *dap;
    struct wire wire;
};

static void push_message(struct queue *queue, struct queued *item)
{
    pthread_mutex_lock(&queue->mutex);
    if (queue->last)
        queue->last->next = item;
    else
        queue->first = item;
    queue->last = item;
    pthread_cond_signal(&queue->filled);
    pthread_mutex_unlock(&queue->mutex);
}

/* Marks a request that waits. */
static void cancel_queued(struct queue *queue, int64_t sequence)
{
    pthread_mutex_lock(&queue->mutex);
    for (struct queued *item = queue->first; item; item = item->next)
        if (item->message && number_of(item->message, "seq", -1) == sequence)
            item->cancelled = true;
    pthread_mutex_unlock(&queue->mutex);
}

static json_t *pop_message(struct queue *queue, bool *cancelled)
{
    pthread_mutex_lock(&queue->mutex);
    while (!queue->first)
        pthread_cond_wait(&queue->filled, &queue->mutex);
    struct queued *item = queue->first;
    queue->first = item->next;
    if (!queue->first)
        queue->last = NULL;
    pthread_mutex_unlock(&queue->mutex);
    json_t *message = item->message;
    *cancelled = item->cancelled;
    if (item != &queue->end)
        free(item);
    return message;
}

static void halt_movement(struct queue *queue)
{
    atomic_fetch_add(&queue->dap->halts,
                     1); /* raised before `running` is read; the other thread sets `running` before it reads this */
    struct gpucode_debug *debug = atomic_load(&queue->dap->running);
    if (debug)
        gpucode_debug_interrupt(debug);
}

/* Ends with the stream or after `disconnect`, so that it can be waited for. */
static void *read_all(void *user)
{
    struct queue *queue = user;
    json_t *message;
    const char *wrong;
    bool last = false;
    while (!last && ((message = dap_read(&queue->wire, &wrong)) || wrong)) {
        if (!message) { /* no request that could be answered: its number is not known */
            char line[80];
            snprintf(line, sizeof line, "%s\n", wrong);
            dap_output(queue->dap, "stderr", line);
            continue;
        }
        const char *command = text_of(message, "command");
        last = strcmp(command, "disconnect") == 0;
        if (strcmp(command, "cancel") == 0)
            cancel_queued(queue, number_of(json_object_get(message, "arguments"), "requestId", -1));
        if (dap_halts(message))
            halt_movement(queue);
        if (thread_cache_answer(queue->dap, message)) {
            json_decref(message);
            continue;
        }
        struct queued *item = memory_alloc(sizeof *item);
        if (!item) { /* out of memory: the client sees the stream end */
            json_decref(message);
            break;
        }
        *item = (struct queued){.message = message};
        push_message(queue, item);
    }
    halt_movement(queue);
    push_message(queue, &queue->end);
    return NULL;
}

void dap_init(struct dap *dap, FILE *out, dap_kits *kits)
{
    memset(dap, 0, sizeof *dap);
    dap->out = out;
    dap->kits = kits;
    pthread_mutex_init(&dap->sending, NULL);
}

void dap_free(struct dap *dap)
{
    for (size_t i = 0; i < dap->owned_count; i++) {
        free(dap->owned[i].source);
        free(dap->owned[i].log);
    }
    dap_close(dap);
    free(dap->text);
    json_decref(dap->threads);
    pthread_mutex_destroy(&dap->sending);
}

int dap_serve(FILE *in, FILE *out, dap_kits *kits, const struct launch_recordings *recordings)
{
    memory_begin();
    struct dap *dap = memory_alloc(sizeof *dap);
    struct queue queue = {.dap = dap, .wire = {.fd = fileno(in), .largest = MESSAGE_MAX}};
    pthread_t reader;
    json_t *message;
    if (!dap)
        return 3;
    dap_init(dap, out, kits);
    dap->recordings = recordings;
    pthread_mutex_init(&queue.mutex, NULL);
    pthread_cond_init(&queue.filled, NULL);
    if (pthread_create(&reader, NULL, read_all, &queue) != 0) {
        dap_free(dap);
        free(dap);
        return 3;
    }
    bool cancelled;
    while ((message = pop_message(&queue, &cancelled))) {
        if (dap_halts(message))
            atomic_fetch_sub(&dap->halts, 1);
        if (!dap->done && cancelled)
            dap_cancelled(dap, message);
        else if (!dap->done)
            dap_handle(dap, message);
        json_decref(message);
        if (memory_lacked() &&
            !dap->done) { /* what lacks a part looks like any other; the client sees the stream end */
            dap->done = true;
            close(fileno(out));
        }
    }
    pthread_join(reader, NULL);
    pthread_cond_destroy(&queue.filled);
    pthread_mutex_destroy(&queue.mutex);
    wire_free(&queue.wire);
    dap_free(dap);
    free(dap);
    return memory_lacked() ? 3 : 0;
}
