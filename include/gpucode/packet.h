/* SPDX-License-Identifier: MIT */
/*
 * PM4 packets in memory: walks a command stream as the command processor would, and tells what stands there.
 *
 *     struct gpucode_packet_options options = {.target = target, .read = read, .event = event, .user = &mine};
 *     struct gpucode_packets *packets;
 *     if (gpucode_packets_create(&options, &packets) == GPUCODE_OK) {
 *         gpucode_packets_walk(packets, address, words);
 *         gpucode_packets_free(packets);
 *     }
 *
 * This is plain decoding: no firmware runs. It follows indirect buffers and draw-state groups, evaluates conditions as
 * far as they are known, and gives the writes of GPU registers in their order. What it assumes:
 *
 * - Groups run at the next draw (CP_DRAW_*) after a change of a group or of the mode: all that have content and whose
 *   mode bits match, in the order of their numbers. Groups without mode bits (a5xx) match always.
 * - CP_SET_MARKER sets the mode: 1 SYSMEM, 2 BINNING, 3 and 4 GMEM; others leave it. It begins as SYSMEM.
 * - CP_COND_REG_EXEC looks at registers that the stream wrote before, and at bits of the mode. What a stream did not
 * write is unknown, or zero if the options say so. Register comparisons and CP_COND_EXEC are unknown.
 * - In the words of a condition that does not hold, decoding goes on as if it did, marked so; afterwards modes, groups,
 *   predicates and registers are again what they were.
 * - A condition whose words end inside a CP_NOP has the words for the other case there; they are told too.
 * - Buffers that a stream calls may be passed over while CP_SKIP_IB2_ENABLE_GLOBAL and _LOCAL are set and
 *   CP_SET_VISIBILITY_OVERRIDE is not: it depends on what is visible.
 * - The thread is BR.
 * - CP_SET_AMBLE, and on a5xx CP_SET_RENDER_MODE and CP_COMPUTE_CHECKPOINT, name buffers that run when contexts are
 *   switched. They are told once after the stream, marked `later` and MAYBE, and change nothing.
 * - CP_START_BIN has its prefix and its body read for each bin; CP_FIXED_STRIDE_DRAW_TABLE each of its buffers.
 * - Draws are CP_DRAW_* with indices, CP_EXEC_CS*, CP_RUN_OPENCL, CP_BLIT and, from a6xx on, CP_EVENT_WRITE* with
 *   CCU_RESOLVE or LRZ_CLEAR; groups run before those of the first two kinds.
 * - a2xx to a4xx have packets of types 0, 2 and 3. On a2xx a draw's count is that of its initiator where that has one.
 * - After a word that is not a header, and after one whose packet is longer than its buffer, the buffer is read on from
 * a5xx on: at the next word that is a header of the right parity with a packet that fits. Before a5xx, where headers
 * have no parity, it is left; so are words that do not run.
 * - CP_REG_RMW writes what is known of its result: bits that the stream never wrote and the packet keeps are unknown.
 */
#ifndef GPUCODE_PACKET_H
#define GPUCODE_PACKET_H

#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Headers. A packet of type 4 writes registers from a number on, one of type 7 is a command; `count` payload words
 * follow. Two bits of each header make the number of ones odd, one over the number or opcode and one over the count;
 * the command processor refuses headers without them. Bits that have no room in the header are left out.
 */
#define GPUCODE_PACKET_REGISTER_MAX 0x3ffffu /* type 4: highest register, 18 bits */
#define GPUCODE_PACKET_COUNT4_MAX 0x7fu      /* type 4: most payload words */
#define GPUCODE_PACKET_OPCODE_MAX 0x7fu      /* type 7: highest opcode */
#define GPUCODE_PACKET_COUNT7_MAX 0x3fffu    /* type 7: most payload words */

struct gpucode_packet_header {
    unsigned type;      /* 4 or 7; 0: it is not a header */
    uint32_t number;    /* type 4: the first register; type 7: the opcode */
    uint32_t count;     /* payload words */
    bool parity_is_odd; /* as it must be */
};

/* The bit that makes the number of ones odd: 1 where it is even. */
static inline uint32_t gpucode_packet_parity(uint32_t bits)
{
    bits ^= bits >> 16;
    bits ^= bits >> 8;
    bits ^= bits >> 4;
    return ~(0x6996u >> (bits & 15)) & 1;
}

static inline uint32_t gpucode_packet_type4(uint32_t number, uint32_t count)
{
    number &= GPUCODE_PACKET_REGISTER_MAX;
    count &= GPUCODE_PACKET_COUNT4_MAX;
    return UINT32_C(4) << 28 | gpucode_packet_parity(number) << 27 | number << 8 | gpucode_packet_parity(count) << 7 |
           count;
}

static inline uint32_t gpucode_packet_type7(uint32_t opcode, uint32_t count)
{
    opcode &= GPUCODE_PACKET_OPCODE_MAX;
    count &= GPUCODE_PACKET_COUNT7_MAX;
    return UINT32_C(7) << 28 | gpucode_packet_parity(opcode) << 23 | opcode << 16 | gpucode_packet_parity(count) << 15 |
           count;
}

/* The parts of a header. */
static inline struct gpucode_packet_header gpucode_packet_header(uint32_t word)
{
    struct gpucode_packet_header header = {0, 0, 0, false};
    header.type = word >> 28;
    if (header.type == 4) {
        header.number = word >> 8 & GPUCODE_PACKET_REGISTER_MAX;
        header.count = word & GPUCODE_PACKET_COUNT4_MAX;
        header.parity_is_odd = gpucode_packet_parity(header.number) == (word >> 27 & 1) &&
                               gpucode_packet_parity(header.count) == (word >> 7 & 1);
    } else if (header.type == 7) {
        header.number = word >> 16 & GPUCODE_PACKET_OPCODE_MAX;
        header.count = word & GPUCODE_PACKET_COUNT7_MAX;
        header.parity_is_odd = gpucode_packet_parity(header.number) == (word >> 23 & 1) &&
                               gpucode_packet_parity(header.count) == (word >> 15 & 1);
    } else {
        header.type = 0;
    }
    return header;
}

struct gpucode_packets;

/*
 * Indirect buffers may call one another this deep; deeper ones are told as GPUCODE_PACKET_DEEP and passed over. Groups of a
 * draw in the deepest one are one deeper.
 */
#define GPUCODE_PACKET_DEPTH_MAX 4
/* Words decoded in the life of a gpucode_packets, unless the options say otherwise. */
#define GPUCODE_PACKET_WORDS_MAX ((uint64_t)1 << 28)

enum gpucode_packet_event_kind {
    GPUCODE_PACKET_BEGIN, /* a packet: header, opcode, name, words, count */
    GPUCODE_PACKET_FIELD, /* a field of its payload: name, index, value, form, text */
    GPUCODE_PACKET_WRITE, /* a GPU register is written: number, value, known */
    /* an indirect buffer or group begins: target_address, count words of it; number of the group; mode */
    GPUCODE_PACKET_ENTER,
    GPUCODE_PACKET_LEAVE, /* and ends */
    GPUCODE_PACKET_DRAW,  /* a draw, dispatch or blit, after its groups: name of the packet, text, count, mode */
    /*
     * With fields: CP_LOAD_STATE* loads `count` words at target_address: name of their kind and text of the block,
     * number units of value words, index of the first. Not told: what a bindless base points to.
     */
    GPUCODE_PACKET_LOAD,
    /* What is wrong with the stream: */
    GPUCODE_PACKET_BAD_HEADER, /* value: the word; not type 4 or 7, or of wrong parity. count words are passed over */
    GPUCODE_PACKET_CUT,        /* a packet is longer than its buffer; value: header. count words are passed over */
    GPUCODE_PACKET_NO_MEMORY,  /* nothing is known of target_address; count words are passed over */
    GPUCODE_PACKET_DEEP,       /* buffers inside one another, passed over */
};

/* Does the packet run? */
enum gpucode_packet_condition {
    GPUCODE_PACKET_ALWAYS,  /* yes: there is no condition */
    GPUCODE_PACKET_TAKEN,   /* yes: the condition before it holds */
    GPUCODE_PACKET_SKIPPED, /* no: it does not hold */
    GPUCODE_PACKET_MAYBE,   /* the condition depends on what is not known here */
};

/* How a field's value is meant. */
enum gpucode_packet_form {
    GPUCODE_PACKET_HEX,
    GPUCODE_PACKET_DECIMAL,
    GPUCODE_PACKET_BOOLEAN,
    GPUCODE_PACKET_ADDRESS,
    GPUCODE_PACKET_NAMED,    /* of an enumeration; known: the value has a name there */
    GPUCODE_PACKET_REGISTER, /* the number of a GPU register */
};

/* Where packets are read from. */
enum gpucode_packet_source {
    GPUCODE_PACKET_STREAM, /* what gpucode_packets_walk() was given */
    GPUCODE_PACKET_BUFFER, /* an indirect buffer */
    GPUCODE_PACKET_GROUP,  /* a draw-state group */
};

/*
 * Pointers are valid during the call only. What a kind does not mention is as in the BEGIN before it. Only the library makes
 * events, and later versions may have more members at the end.
 */
struct gpucode_packet_event {
    enum gpucode_packet_event_kind kind;
    enum gpucode_packet_source source;
    enum gpucode_packet_condition condition;
    unsigned depth;   /* 0 in the stream, 1 in a buffer or group that it calls, ... */
    uint64_t address; /* GPU address: of the packet; FIELD, WRITE: of the word */
    uint32_t header;
    unsigned type;   /* 4 or 7; before a5xx 0, 2 or 3 */
    unsigned opcode; /* type 7: 0 to 127; type 3: 0 to 255; types 0 and 4: the first register */
    unsigned
        outer; /* opcode of the type-7 packet whose handling this belongs to: a draw's for its groups. 0x80: type 4 */
    const char *name;      /* of the packet ("CP_NOP", "UNKN5"; type 4: first register) or field */
    unsigned index;        /* FIELD: element of a repeated field; 0 of others */
    bool repeated;         /* FIELD: it has an index */
    const uint32_t *words; /* BEGIN: payload */
    uint32_t count;
    uint32_t number; /* WRITE: register; ENTER, LEAVE: group, or GPUCODE_PACKET_NO_GROUP */
    uint64_t value;
    bool
        known; /* WRITE: false: the value, or some of its bits, is not in the stream (CP_MEM_TO_REG, CP_REG_RMW, ...) */
    enum gpucode_packet_form form;
    const char *text; /* FIELD: the value, as <gpucode/fields.h> says; DRAW: primitive, operation or "compute" */
    const char *register_name; /* FIELD: of the GPU register that the value is the number of, or null */
    unsigned mode;             /* DRAW, ENTER: 1 binning, 2 bins in GMEM, 4 system memory */
    bool later;                /* ENTER: the buffer runs when contexts are switched; told after the stream */
    uint64_t target_address;
    uint32_t unknown; /* WRITE, not known: bits that nothing tells, which are 0 in `value` */
};

#define GPUCODE_PACKET_TYPE4 0x80
#define GPUCODE_PACKET_NO_GROUP UINT32_MAX

struct gpucode_packet_options {
    const struct gpucode_target *target; /* AFUC: which packets, fields and registers there are; null with a family */
    unsigned family; /* ahead of the target's: 2 for a2xx, ..., 8 for gen8 (<gpucode/fields.h>); 0: the target's */
    const struct gpucode_names *names; /* ahead of the built-in ones, or null */
    /* Fields of packets that are told ahead of the built-in ones, or null (gpucode_xml_meanings() of <gpucode/xml.h>);
     * must live as long as the decoder. What packets do is built in. */
    const struct gpucode_meanings *meanings;
    /* Copies GPU memory, whose words have their lowest byte first; returns how many bytes there are from `address` on
     * without a gap, at most `size`. */
    size_t (*read)(void *user, uint64_t address, void *bytes, size_t size);
    /* Gets the events in order; false ends the walk. */
    bool (*event)(void *user, const struct gpucode_packet_event *event);
    void *user;
    bool fields;         /* tell fields too */
    bool unwritten_zero; /* registers that the stream did not write hold 0 where a condition looks at them */
    uint64_t limit;      /* words; 0: GPUCODE_PACKET_WORDS_MAX */
};

/*
 * A decoder with its state: groups, mode, predicates, registers. The options are copied. Returns GPUCODE_OK,
 * GPUCODE_ERROR_ARGUMENT (null pointer, no target, no callbacks), GPUCODE_ERROR_UNSUPPORTED (the target has no PM4
 * packets) or GPUCODE_ERROR_MEMORY. One decoder may be used by one thread at a time.
 */
GPUCODE_API enum gpucode_status gpucode_packets_create(const struct gpucode_packet_options *options,
                                                       struct gpucode_packets **out);
/* Null is allowed. */
GPUCODE_API void gpucode_packets_free(struct gpucode_packets *packets);

/* A register that something outside the stream has set. False: null, or no such register (numbers have 18 bits). */
GPUCODE_API bool gpucode_packets_set(struct gpucode_packets *packets, uint32_t number, uint32_t value);

/*
 * Decodes `words` 32-bit words at `address`; the state is kept for the next call. What is wrong with the stream comes
 * as events. Returns GPUCODE_OK (also when `event` ended the walk); GPUCODE_ERROR_RANGE: the limit of words is reached;
 * GPUCODE_ERROR_MEMORY; GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_packets_walk(struct gpucode_packets *packets, uint64_t address, uint32_t words);

#ifdef __cplusplus
}
#endif
#endif
