/* SPDX-License-Identifier: MIT */
/* Packets of a debugger's session: in the ring from the beginning, or in portions for when the firmware waits. */
#include "kit/afuc/prepare.h"

#include "front/session.h"
#include "kit/afuc/ring.h"

static int refuse_memory(struct session *session, enum gpucode_status status)
{
    return status == GPUCODE_OK ? EXIT_DONE : out_of_memory(&session->diagnostics);
}

/* What a step says, now or kept for later. */
static int debug_step(struct session *session, struct gpucode_debug *debug, unsigned processor, const struct ring *ring,
                      const struct ring_step *step)
{
    unsigned space;
    uint32_t number;
    unsigned char bytes[4];
    enum gpucode_status status = GPUCODE_OK;
    if (step->kind == RING_SET) {
        if (!gpucode_machine_find(gpucode_debug_machine(debug), step->name, &space, &number))
            return ring_give(session, ring, step, gpucode_debug_machine(debug),
                             processor); /* complains as `run` does */
        status = gpucode_debug_write(debug, processor, space, number, ring->given[step->first]);
    }
    for (size_t i = 0; step->kind == RING_STORE && status == GPUCODE_OK && i < step->count; i++) {
        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (unsigned char)(ring->given[step->first + i] >> 8 * k);
        status = gpucode_debug_store(debug, step->address + 4 * i, bytes, 4);
    }
    return refuse_memory(session, status);
}

/*
 * What stands between packets is for the time when the firmware has booted, or has taken the packets above `.run`: as
 * `run` does it, each portion is given when the firmware waits.
 */
static int defer_steps(struct session *session, struct gpucode_debug *debug, unsigned processor,
                       const struct ring *ring)
{
    size_t fed = 0;
    int code = refuse_memory(session, gpucode_debug_defer(debug, true));
    for (size_t i = 0; !code && i <= ring->step_count; i++) {
        const struct ring_step *step = i < ring->step_count ? &ring->steps[i] : NULL;
        if (step && step->kind != RING_RUN) {
            code = debug_step(session, debug, processor, ring, step);
            continue;
        }
        size_t words = step ? step->words : ring->count;
        if (words > fed)
            code = refuse_memory(session, gpucode_debug_feed(debug, processor, ring->words + fed, words - fed));
        fed = words;
        if (!code && step)
            code = refuse_memory(session, gpucode_debug_defer(debug, true));
    }
    gpucode_debug_defer(debug, false);
    return code;
}

int firmware_debugger(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    unsigned processor = firmware_processor(session, gpucode_debug_machine(debug));
    struct ring ring = {0};
    int code = ring_gather(session, input, &ring);
    if (!code && ring.step_count)
        code = defer_steps(session, debug, processor, &ring);
    else if (!code && ring.count)
        code = refuse_memory(session, gpucode_debug_feed(debug, processor, ring.words, ring.count));
    ring_free(&ring);
    return code ? code : firmware_stop_at_divergence(session, input, debug);
}
