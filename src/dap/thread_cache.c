/* SPDX-License-Identifier: MIT */
/* What is answered while the machine runs: which threads there are. */
#include "dap/server.h"

#include <string.h>

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
