/* SPDX-License-Identifier: MIT */
/*
 * The words of --packet, --packets and --ring in their order, as a driver would have put them into the ring buffer: all
 * of them are there when the firmware begins to read. Files of packets may also say, in lines of their own, what is in
 * memory and registers (`.memory ADDRESS WORD...`, `.register NAME VALUE`), where the firmware takes all that stands
 * above before anything else happens (`.run`), and that the packets show a finding of `fuzz` (`.check`, `.assert`).
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
#include <gpucode/diagnostic.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>

#include <stddef.h>
#include <stdint.h>

#define PACKET_WORDS_MAX (GPUCODE_PACKET_COUNT7_MAX + 1) /* header included */

struct session;
struct gpucode_machine;

enum ring_step_kind {
    RING_STORE,
    RING_SET,
    RING_RUN,
    RING_CHECK, /* `.check [INSTRUCTIONS]`: the file's packets are judged as `fuzz` does */
    RING_ASSERT /* `.assert TEXT`: with this besides; the text is ring_assert_text() */
};

struct ring_step {
    enum ring_step_kind kind;
    size_t words;                    /* of the ring that stand above */
    uint64_t address;                /* of memory; CHECK: instructions that a packet may take, 0: as many as usual */
    size_t first, count;             /* of `given`; ASSERT: where in `line` the text begins */
    char name[GPUCODE_NAME_MAX];     /* of a register */
    struct gpucode_diagnostic place; /* of the step, or of its register */
    char *line; /* the step's own copy of the line, where it stands in a file; else null; ASSERT: always */
};

struct ring {
    uint32_t *words;
    size_t count, room;
    struct ring_step *steps;
    size_t step_count, step_room;
    uint32_t *given; /* what steps give to memory and registers */
    size_t given_count, given_room;
    char last_packet[64];  /* the name of the last packet of --packet or --packets, as it was given; "": none */
    unsigned last_payload; /* its words after the header */
};

/* Appends the words. Complains about what is not a packet and returns an exit code; ring_free() whatever it is. */
int ring_gather(struct session *session, const struct input *input, struct ring *ring);
void ring_free(struct ring *ring);
/* Does what a step says to memory or a register of the machine. Complains and returns an exit code. */
int ring_give(struct session *session, const struct ring *ring, const struct ring_step *step,
              struct gpucode_machine *machine, unsigned processor);
/* What `.assert` forbids. */
const char *ring_assert_text(const struct ring_step *step);
/* Complains of a step's register; `hint` may be null. Returns an exit code. */
int ring_refuse_register(struct session *session, const struct ring_step *step, const char *hint);
/* Takes all lines of a file of packets. Complains and returns an exit code. */
int ring_add_file(struct session *session, const struct input *input, struct ring *ring, const char *path);

#endif
