/* SPDX-License-Identifier: MIT */
/* Inside of the plain packet decoder. */
#ifndef PM4_PACKET_PACKETS_H
#define PM4_PACKET_PACKETS_H

#include "pm4/fields/fields.h"
#include <gpucode/packet.h>

#define PACKET_OPCODES 256  /* type 3: 8 bits, type 7: 7 */
#define PACKET_LATER_MAX 64 /* buffers for switches of contexts that one stream names */
#define PACKET_GROUPS 64
#define PACKET_REGISTERS (GPUCODE_PACKET_REGISTER_MAX + 1)

/* So many "else" parts of conditions are told inside one another. */
#define OTHERWISE_DEPTH_MAX 4

/* Mode bits, in the order of those in a draw-state header. */
enum { MODE_BINNING = 1, MODE_GMEM = 2, MODE_SYSMEM = 4 };

/* What a packet does that matters here. */
enum packet_action {
    ACTION_NONE,
    ACTION_NOP,
    ACTION_INDIRECT_BUFFER,
    ACTION_CONDITIONAL_BUFFER,
    ACTION_CHAIN,
    ACTION_AMBLE,
    ACTION_RENDER_MODE,
    ACTION_CHECKPOINT,
    ACTION_START_BIN,
    ACTION_DRAW_TABLE,
    ACTION_SET_DRAW_STATE,
    ACTION_DRAW, /* runs the groups, as the four after it do */
    ACTION_DRAW_COUNTED,
    ACTION_DRAW_BIN, /* a2xx's */
    ACTION_DISPATCH,
    ACTION_DISPATCH_PLAIN, /* without groups, as the two after it are */
    ACTION_BLIT,
    ACTION_EVENT,
    ACTION_LOAD,
    ACTION_SET_MARKER,
    ACTION_SKIP_GLOBAL,
    ACTION_SKIP_LOCAL,
    ACTION_OVERRIDE,
    ACTION_REG_TEST,
    ACTION_COND_REG_EXEC,
    ACTION_COND_EXEC,
    ACTION_REG_WRITE,
    ACTION_REG_BUNCH,
    ACTION_REG_BUNCH_LATER,
    ACTION_SET_CONSTANT,
    ACTION_WIDE_WRITE,
    ACTION_REG_RMW,
    ACTION_MEM_TO_REG,
    ACTION_SCRATCH_TO_REG,
    ACTION_COND_WRITE,
};

struct packet_opcode {
    enum packet_action action;
    const struct field_layout *layout; /* null: no fields are known */
    const struct field_layout *shown;  /* the same, or that of the caller's meanings, of `shown_set` */
    const struct field_set *shown_set;
    uint16_t name; /* offset in packets.names; ends with a zero */
};

struct packet_group {
    uint64_t address;
    uint32_t words;
    uint8_t modes; /* 0: all */
};

/* The state; packets that a condition skips leave it as it was. */
struct packet_state {
    struct packet_group groups[PACKET_GROUPS];
    uint64_t active; /* bit per group with content */
    bool dirty;      /* a group or the mode changed since groups last ran */
    uint8_t mode;
    bool skip_global, skip_local, override; /* of second-level buffers without anything visible */
    uint32_t predicates, predicates_known;
};

/* A buffer that runs when contexts are switched. */
struct packet_later {
    uint64_t address;
    uint32_t words;
    unsigned opcode;
};

struct packet_shadow {
    uint32_t value[PACKET_REGISTERS];
    uint32_t unknown[PACKET_REGISTERS]; /* bits, of REGISTER_PARTLY */
    uint8_t state[PACKET_REGISTERS];    /* REGISTER_... */
};
/* MAYBE: it has the value if a condition holds that is not known; PARTLY: bits of the value are. */
enum { REGISTER_UNWRITTEN, REGISTER_KNOWN, REGISTER_UNKNOWN, REGISTER_MAYBE, REGISTER_PARTLY };

struct gpucode_packets {
    struct gpucode_packet_options options;
    unsigned chip; /* the family: 5 for a5xx, ... */
    struct packet_opcode opcodes[PACKET_OPCODES];
    char *names;
    struct packet_state state;
    struct packet_shadow *shadow;
    uint64_t left; /* words */
    bool in_group, stopped;
    bool switching; /* the next buffer runs when contexts are switched */
    bool detached;  /* what is read changes no state */
    struct packet_later later[PACKET_LATER_MAX];
    unsigned later_count;
    unsigned inside_nops;       /* "else" parts that are being read, inside one another */
    enum gpucode_status status; /* why it stopped; GPUCODE_OK: `event` wanted it */
};

/* Words in memory that are read one packet after another. */
struct packet_buffer {
    uint64_t address;
    uint32_t words;
    enum gpucode_packet_source source;
    unsigned depth;
    unsigned outer;                          /* opcode of the packet that called it, for groups */
    enum gpucode_packet_condition condition; /* of the caller */

    /* While it is read: */
    uint32_t *window; /* words loaded */
    uint32_t first, loaded;
    uint32_t at;                             /* offset of the packet */
    uint32_t taken_end, maybe_end, skip_end; /* conditions reach to these offsets */
    bool skipping;
};

/* One packet of a buffer. */
struct packet {
    struct packet_buffer *buffer;
    uint32_t header;
    unsigned type, opcode;
    const uint32_t *payload;
    uint32_t count;
    uint32_t absent; /* payload word of the layout that the packet has not; 0: it has all */
    enum gpucode_packet_condition condition;
};

/*
 * The payload word of the layout that a packet has not; 0: it has all. Draws of a20x, with the count in the upper half
 * of the initiator, have no word for it: two of an index buffer follow, or none, or indices. Source: freedreno_draw.h
 * of Mesa. `whole`: the payload ends after `count` words; else these are its first.
 */
uint32_t packet_absent_word(unsigned family, unsigned opcode, const uint32_t *payload, uint32_t count, bool whole);

/* Reads a buffer to its end. */
void packets_read(struct gpucode_packets *packets, struct packet_buffer *buffer);

/* An event with what the packet says filled in. */
struct gpucode_packet_event packets_event(const struct packet *packet, enum gpucode_packet_event_kind kind);
/* Ends the walk. */
void packets_stop(struct gpucode_packets *packets, enum gpucode_status status);
/* Gives the caller an event; false: the walk has ended. */
bool packets_tell(struct gpucode_packets *packets, const struct gpucode_packet_event *event);

/* A field that a packet has: `payload word`, its number among repeated ones, and its value. */
struct packet_field {
    struct gpucode_field_value value;
    const struct field_row *row; /* null: bits without a name */
    unsigned word, index;
};
/* Gives the caller an event for each field of a packet. */
void packets_tell_fields(struct gpucode_packets *packets, const struct packet *packet);
/* The field of a name, as the built-in rows have it; false: the packet has none. */
bool packets_find_field(const struct gpucode_packets *packets, const struct packet *packet, const char *name,
                        struct gpucode_field_value *value);

/* The caller's name for a number; 0: none. */
size_t packets_callers_name(const struct gpucode_names *names, enum gpucode_space space, uint32_t number, char *text);
/* The name of a register; 0: none. */
size_t packets_name(const struct gpucode_packets *packets, uint32_t number, char *name);

/* Packets that lead to other buffers; false: it is none of them. */
bool packets_lead(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action);
/* Tells the buffers that contexts switches run. */
void packets_tell_later(struct gpucode_packets *packets);

/* Does what a packet does: writes registers, changes the state, runs buffers. */
void packets_act(struct gpucode_packets *packets, const struct packet *packet);

/* The value of a register; false: not known. */
static inline bool packets_register(const struct gpucode_packets *packets, uint32_t number, uint32_t *value)
{
    number &= PACKET_REGISTERS - 1;
    *value = packets->shadow->value[number];
    return packets->shadow->state[number] == REGISTER_KNOWN ||
           (packets->shadow->state[number] == REGISTER_UNWRITTEN && packets->options.unwritten_zero);
}

/* Runs the draw-state groups if it is time to; `packet` is the draw. */
void packets_run_groups(struct gpucode_packets *packets, const struct packet *packet);
void packets_set_groups(struct gpucode_packets *packets, const struct packet *packet);

static inline uint64_t packets_bits(uint32_t word, unsigned low, unsigned width)
{
    return word >> low & ((1ull << width) - 1);
}

#endif
