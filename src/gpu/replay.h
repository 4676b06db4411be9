/* SPDX-License-Identifier: MIT */
/* What the parts of `gpucode replay` share: writes of GPU registers, by the firmware and by plain decoding. */
#ifndef GPU_REPLAY_H
#define GPU_REPLAY_H

#include "front/coverage.h"
#include "front/input.h"
#include "gpu/crash.h"
#include "gpu/recording.h"
#include <gpucode/machine.h>
#include <gpucode/packet.h>
#include <gpucode/time_line.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct gpucode_answer;
struct gpucode_answer_field;

/* Rows of the part REPLAY of answer.def. */
extern const struct gpucode_answer_field *const replay_fields;

/* A stream may cause so many writes. */
#define REPLAY_WRITES_MAX ((size_t)1 << 24)

struct replay_write {
    uint32_t number, value;
    uint8_t opcode;    /* of the packet at work; GPUCODE_PACKET_TYPE4 */
    uint8_t condition; /* plain decoding: enum gpucode_packet_condition */
    bool known;        /* plain decoding: the value is in the stream */
    bool group;        /* by a packet of a draw-state group */
    bool taken;        /* firmware: a draw has asked for this early write of a group */
    uint64_t address;  /* plain decoding: where the value stands; firmware: the machine's time */
};

struct replay_writes {
    struct replay_write *list;
    size_t count, room;
    uint64_t most; /* entries */
    bool full;     /* out of memory, or too many */
    bool no_memory;
};

/* How the two relate. */
enum replay_class {
    REPLAY_EQUAL,
    REPLAY_COMPUTED,  /* equal register; the value is not in the stream */
    REPLAY_SKIPPED,   /* plain decoding alone: in the words of a condition that does not hold */
    REPLAY_MAYBE,     /* plain decoding alone: in the words of a condition that is not known */
    REPLAY_EARLY,     /* equal, but the group ran when it was set, not at the draw */
    REPLAY_HANDLER,   /* firmware alone: the packet's handler writes it of its own */
    REPLAY_DIFFERENT, /* a difference that nothing explains */
    REPLAY_CLASSES,
};

/* For those who look for the first difference alone: nothing is shown, the comparison goes on in silence. */
struct replay_divergence {
    struct replay_writes all; /* of the firmware, from its boot on */
    bool idle;                /* it waits for packets */
    bool found;
    size_t at; /* the firmware's write, of the stream's, at which the two part; after the last: at its end */
    char text[320];
};

/* What a processor does, as the time line has it: the handler that runs. */
struct replay_handling {
    bool open;
    char name[GPUCODE_NAME_MAX];
    uint64_t start, writes; /* of GPU registers */
    uint64_t count;         /* handlers before it */
};

enum { REPLAY_PROCESSORS = 8 };

/* The time line, where one is wanted. */
struct replay_scene {
    struct gpucode_time_line *line;           /* null: none */
    const char *lanes[REPLAY_PROCESSORS + 3]; /* submits, streams, the processors, faults */
    struct replay_handling handling[REPLAY_PROCESSORS];
    uint64_t frame; /* number of the stream in the file */
    uint64_t faults;
};

struct replay {
    struct session *session;
    struct gpucode_answer *answer; /* what is told; null where nothing is */
    struct recording recording;
    struct input firmware_file;
    const struct gpucode_image *image;
    const struct gpucode_target *target; /* of the image */
    const struct gpucode_names *names;
    struct gpucode_machine *machine;
    struct edges edges; /* of --edges */
    struct gpucode_packets *packets;
    size_t submit, command;
    unsigned opcode; /* of the packet that the firmware handles */
    bool booted;
    struct replay_writes firmware, plain;
    bool writes_itself[GPUCODE_PACKET_TYPE4 + 1]; /* opcodes whose plain decoding writes registers */
    bool runs_groups[GPUCODE_PACKET_TYPE4 + 1];   /* opcodes whose plain decoding runs groups */
    unsigned level_space, group_level;            /* where IB_LEVEL stands, and its value inside a group */
    uint32_t level_number;
    uint64_t counts[REPLAY_CLASSES];
    size_t plain_at, firmware_at;                /* of the comparison */
    size_t early;                                /* the firmware's early writes before this one are explained */
    uint64_t handlers[GPUCODE_PACKET_TYPE4 + 1]; /* REPLAY_HANDLER by opcode */
    uint64_t streams, absent, stopped;
    struct crash_ring ring;               /* with --crash */
    struct replay_divergence *divergence; /* or null */
    struct replay_scene scene;
    bool dumped;
    int dump_code;  /* exit code of writing it */
    bool findings;  /* of the firmware, where its file had to be whole */
    bool no_memory; /* the machine stopped because there is none */
};

/* Appends; false: list->full. */
bool replay_add(struct replay_writes *list, const struct replay_write *write);

/* Makes the machine with the firmware in it; nothing has run. Returns an exit code. */
int replay_create_machine(struct replay *replay);
/* Makes the decoder of packets. Returns an exit code. */
int replay_create_packets(struct replay *replay);
/* Is all of the stream recorded? Recorders drop buffers that were mapped otherwise. */
bool replay_is_recorded(const struct replay *replay, const struct gpucode_stream_command *command);
/* GPU and other registers of --reg. Returns an exit code. */
int replay_set_registers(struct replay *replay);
/* Runs until the firmware waits for packets; false: it stopped for another reason, which is shown. */
bool replay_run(struct replay *replay);

/* Compares the two lists of the stream just done; shows the differences. */
void replay_compare(struct replay *replay);

/* --- the time line --- */

/* Instructions that have run. */
static inline uint64_t replay_time(const struct replay *replay)
{
    return gpucode_machine_time(replay->machine);
}
/* Begins it, before anything has run; false: out of memory. */
bool replay_line_begin(struct replay *replay, struct gpucode_answer *answer, enum gpucode_time_line_form form);
/* The stream, or the submit, that began then ends. */
void replay_line_stream(struct replay *replay, uint64_t start, const char *detail);
void replay_line_submit(struct replay *replay, uint64_t start, const char *text);
enum gpucode_status replay_line_end(struct replay *replay);

/* "CP_NOP", "type 4". */
const char *replay_packet(const struct replay *replay, unsigned opcode, char name[GPUCODE_NAME_MAX]);
const char *replay_register(const struct replay *replay, uint32_t number, char name[GPUCODE_NAME_MAX]);

/* The first difference of a submit between the firmware's writes of GPU registers and those of plain decoding. */
struct replay_first {
    bool found;
    bool last;       /* the firmware writes no more after it */
    uint32_t number; /* not last: the register that the firmware writes there */
    uint64_t passes; /* instructions that write the register before, the boot included */
    char text[320];  /* "CP_NOP: RB_CNTL: 0x1 by decoding, not written by the firmware" */
};

/*
 * Runs the image from its boot through submit number `submit` of the stream in the file `path`. Without a difference,
 * and where the two cannot be compared, nothing is found. Complains when memory runs out; returns an exit code.
 */
int replay_find_first(struct session *session, const struct input *input, const char *path, uint64_t submit,
                      struct replay_first *first);

/* --- What two firmwares do with one recorded stream --------------------------------------------------------------- */

/* kit.compare_runs of firmware: `stream` is the file of the recording. */
int replay_differences(struct session *session, const struct input *before, const struct input *after,
                       const char *stream);

#endif
