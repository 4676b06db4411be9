/* SPDX-License-Identifier: MIT */
/* Packets of a debugger's session: in the ring from the beginning, or in portions for when the firmware waits. */
#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "gpu/replay.h"
#include "kit/afuc/kit.h"
#include "kit/afuc/ring.h"
#include <gpucode/debug.h>

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

/* With --stream: a stop where the firmware first does something else than the stream says. */
static int firmware_stop_at_divergence(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    const struct arguments *arguments = &session->arguments;
    const char *path = arguments->value[OPTION_AFUC_STREAM];
    struct replay_first first;
    uint64_t submit = 0;
    if (!path || arguments_have(arguments, OPTION_AFUC_DEVCORE)) /* with a dump's state it is another run */
        return EXIT_DONE;
    int code = value_number(session, OPTION_AFUC_SUBMIT, "a number", &submit);
    if (!code)
        code = replay_find_first(session, input, path, submit, &first);
    if (code || !first.found)
        return code;
    if (first.last) {
        complain(&session->diagnostics, CLI_AFUC_DIVERGES_LAST, path, NULL, first.text);
        return EXIT_DONE;
    }
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_WATCHPOINT_REGISTER,
                                            .access = GPUCODE_ACCESS_WRITE,
                                            .space = GPUCODE_SPACE_GPU,
                                            .address = first.number,
                                            .ignore = first.passes,
                                            .temporary = true};
    enum gpucode_status status = gpucode_debug_add(debug, &breakpoint);
    if (status != GPUCODE_OK)
        return code_status(session, path, status);
    complain(&session->diagnostics, CLI_AFUC_DIVERGES, path, NULL, first.text, breakpoint.number);
    return EXIT_DONE;
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
