/* SPDX-License-Identifier: MIT */
/*
 * The words of --packet, --packets and --ring in their order, as a driver would have put them into the ring buffer: all
 * of them are there when the firmware begins to read.
 *
 *     struct ring ring = {0};
 *     int code = ring_gather(session, input, &ring);
 *     if (!code && ring.count)
 *         gpucode_machine_feed(machine, 0, ring.words, ring.count);
 *     ring_free(&ring);
 */
#ifndef KIT_AFUC_RING_H
#define KIT_AFUC_RING_H

#include "front/input.h"
#include <stddef.h>
#include <stdint.h>

struct session;

struct ring {
    uint32_t *words;
    size_t count, room;
};

/* Appends the words. Complains about what is no packet and returns an exit code; ring_free() whatever it is. */
int ring_gather(struct session *session, const struct input *input, struct ring *ring);
void ring_free(struct ring *ring);

#endif
