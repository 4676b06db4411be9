/* SPDX-License-Identifier: MIT */
#include "front/session.h"
#include "gpu/crash_write.h"

#include <string.h>

#define RING_ADDRESS UINT64_C(0x1000000001000) /* where kernels have it */
#define RING_LOG 12                            /* of its size in pairs of words */
#define RING_WORDS (2u << RING_LOG)

static bool write_register(const struct crash_ring *ring, const char *name, unsigned further, uint32_t value)
{
    unsigned space;
    uint32_t number;
    return gpucode_machine_find(ring->machine, name, &space, &number) &&
           gpucode_machine_write(ring->machine, 0, space, number + further, value) == GPUCODE_OK;
}

int crash_ring_open(struct session *session, struct gpucode_machine *machine, struct crash_ring *ring)
{
    *ring = (struct crash_ring){.machine = machine};
    if (gpucode_machine_map(machine, RING_ADDRESS, RING_WORDS * 4) != GPUCODE_OK)
        return out_of_memory(&session->diagnostics);
    ring->ready = write_register(ring, "CP_RB_BASE", 0, (uint32_t)RING_ADDRESS) &&
                  write_register(ring, "CP_RB_BASE", 1, (uint32_t)(RING_ADDRESS >> 32)) &&
                  write_register(ring, "CP_RB_CNTL", 0, RING_LOG) && write_register(ring, "CP_RB_RPTR", 0, 0) &&
                  write_register(ring, "CP_RB_WPTR", 0, 0);
    return ring->ready ? EXIT_DONE : complain(&session->diagnostics, CLI_GPU_CRASH_RING, NULL, NULL);
}

size_t crash_ring_feed(struct crash_ring *ring, const uint32_t *words, size_t count)
{
    unsigned space;
    uint32_t number, read;
    if (!ring->ready || !gpucode_machine_find(ring->machine, "CP_RB_RPTR", &space, &number) ||
        gpucode_machine_read(ring->machine, 0, space, number, &read) != GPUCODE_OK)
        return 0;
    uint32_t write = ring->written % RING_WORDS, room = (read + RING_WORDS - 1 - write) % RING_WORDS;
    size_t part = count < room ? count : room;
    for (size_t i = 0; i < part; i++) {
        uint32_t word = words[i];
        unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                  (unsigned char)(word >> 24)};
        if (gpucode_machine_store(ring->machine, RING_ADDRESS + (write + i) % RING_WORDS * 4, bytes, 4) != GPUCODE_OK)
            return 0;
    }
    ring->written += (uint32_t)part;
    return write_register(ring, "CP_RB_WPTR", 0, ring->written % RING_WORDS) ? part : 0;
}
