/* SPDX-License-Identifier: MIT */
/* The server's life: a thread that reads, so that `pause` is seen while the machine runs, and one that answers. */
#include "dap/server.h"

#include "wire/wire.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    console_free(dap->console);
    gpucode_debug_free(dap->debug);
    gpucode_machine_free(dap->machine);
    gpucode_symbols_free(dap->symbols);
    recorded_free(dap);
    gpucode_image_free(dap->own_image);
    gpucode_program_free(dap->program);
    free(dap->bytes);
    free(dap->path);
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
