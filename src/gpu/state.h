/* SPDX-License-Identifier: MIT */
/* The GPU registers that a stream has written, and what changed from draw to draw. */
#ifndef GPU_STATE_H
#define GPU_STATE_H

#include <gpucode/packet.h>

#define STATE_REGISTERS (GPUCODE_PACKET_REGISTER_MAX + 1)

struct state_register {
    uint64_t address; /* where the value stands */
    uint32_t value, last;
    uint8_t flags;
    uint8_t group; /* of draw state, STATE_NO_GROUP: none */
};
enum { STATE_WRITTEN = 1, STATE_REWRITTEN = 2, STATE_KNOWN = 4, STATE_SEEN = 8 };
#define STATE_NO_GROUP 0xff

struct state {
    unsigned family;
    const struct gpucode_meanings *meanings; /* ahead of the built-in ones, or null */
    struct state_register *registers;
    uint32_t *rewritten; /* numbers written since the last draw; later all that were ever written stand before `all` */
    uint32_t rewritten_count, all_count;
    uint32_t *all;
    uint64_t draws;
};

/* A register as a draw sees it. */
struct state_entry {
    uint32_t number;
    unsigned words; /* 2: 64 bits */
    uint64_t value;
    bool known;
    bool changed;   /* since the last draw that it was shown at */
    bool rewritten; /* since the last draw */
    uint64_t address;
    unsigned group;
};

/* False: no memory. */
bool state_create(struct state *state, unsigned family, const struct gpucode_meanings *meanings);
void state_free(struct state *state);
/* A write of one word. */
void state_write(struct state *state, uint32_t number, uint32_t value, bool known, uint64_t address, unsigned group);
/*
 * Gives the registers written since the last draw, or all that ever were, by number; then the draw is over. `take` may
 * be null.
 */
void state_visit(struct state *state, bool all, void (*take)(void *user, const struct state_entry *entry), void *user);

#endif
