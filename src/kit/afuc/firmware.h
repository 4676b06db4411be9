/* SPDX-License-Identifier: MIT */
/*
 * AFUC firmware in a machine, given registers, memory and packets as the command line says: what `run` and `coverage`
 * have in common.
 *
 *     struct firmware *firmware;
 *     int code = firmware_open(session, input, &firmware);
 *     if (!code && firmware_boot(firmware))
 *         code = firmware_feed(firmware);
 *     firmware_close(firmware);
 */
#ifndef KIT_AFUC_FIRMWARE_H
#define KIT_AFUC_FIRMWARE_H

#include "front/command.h"
#include "front/input.h"
#include "front/outcome.h"
#include "front/places.h"
#include "gpu/crash.h"
#include "kit/afuc/ring.h"

#include <gpucode/answer.h>
#include <gpucode/fuzz.h>
#include <gpucode/machine.h>
#include <stdbool.h>

struct session;

struct firmware {
    struct session *session;
    const struct input *input;
    struct gpucode_machine *machine;
    struct gpucode_setting *settings;
    unsigned processor; /* that gets the packets */
    uint64_t left, ran; /* instructions */
    struct gpucode_stop stop;
    char last_packet[64];             /* the name of the packet fed last, as it was given; "": none */
    unsigned last_payload;            /* its words after the header */
    struct crash_ring ring;           /* with --crash; else packets are fed without one */
    uint32_t words[PACKET_WORDS_MAX]; /* of the packet in hand */
    bool checked;                     /* the packets ask to be judged as `fuzz` does */
};

/*
 * A machine with --policy, --section, --limit, --reg and --memory heeded, and nothing run. Returns an exit code; *out
 * is null or the caller's to close whatever it is.
 */
int firmware_open(struct session *session, const struct input *input, struct firmware **out);
void firmware_close(struct firmware *firmware);

/* Runs until the firmware waits for packets; false: it stopped in another way. */
bool firmware_boot(struct firmware *firmware);
/* Are there packets on the command line? */
bool firmware_has_packets(const struct session *session);
/* Gives it --packet, --packets and --ring in their order, until they end or it stops. Returns an exit code. */
int firmware_feed(struct firmware *firmware);

/*
 * Boots the firmware and feeds it as the two above, as a time line: with --perfetto in its file, else with --time-line
 * on standard output. Returns an exit code.
 */
int firmware_line(struct session *session, struct firmware *firmware);

/* Writes the dump of --crash, if there is one. Returns an exit code. */
int firmware_dump(const struct firmware *firmware);

/* Does a processor stand in the delay slot of waitin? */
bool firmware_is_waiting(const struct firmware *firmware);

/* Has it taken all packets whole, indirect buffers included? */
bool firmware_is_done(const struct firmware *firmware);

/* The word at `pc` of a processor's section. */
uint32_t firmware_word(const struct input *input, const struct gpucode_machine *machine, unsigned processor,
                       uint64_t pc);

/* The exit code: complains when packets are left. */
int firmware_verdict(const struct firmware *firmware);

/* What an AFUC machine does, recorded and printed: per instruction as a trace, and over all as changes. */

enum { TRACE_INSTRUCTIONS = 1, TRACE_REGISTERS = 2, TRACE_MEMORY = 4, TRACE_STATE = 8, TRACE_BOOT = 16 };

struct trace {
    struct session *session;
    struct gpucode_answer *answer; /* what is printed; null before trace_begin() */
    const struct input *input;
    struct gpucode_machine *machine;
    unsigned kinds;
    bool json;
    bool comments;       /* instructions with what the analysis knows of them */
    bool failed;         /* out of memory */
    struct changes all;  /* of the whole run */
    struct changes step; /* state: of this instruction; memory in order, every write */
    bool in_step, seen_step;
    unsigned processor;
    int64_t step_pc; /* -1: the slot that waited when boot was over; its packet is `packet` */
    int64_t packet;  /* opcode of the packet that was dispatched last, -1: none */
    struct places_walk walk;
};

/* Becomes the machine's hook. */
void trace_begin(struct trace *trace);
/* Prints what is not printed yet; `waiting`: the machine stands in the delay slot of waitin. */
void trace_end(struct trace *trace, const struct gpucode_stop *stop, bool waiting);
void trace_free(struct trace *trace);

/* "gpr", "ctrl", "gpu", "pipe", "sqe" or "mem". */
const char *trace_space(int space);

/* --- What a run of firmware has changed, and the memory and registers that --dump asks for ------------------------ */

#endif
