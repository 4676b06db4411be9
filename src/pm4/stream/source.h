/* SPDX-License-Identifier: MIT */
/* Inside of the text of a recording: what is known of its buffers while it is written. */
#ifndef PM4_STREAM_SOURCE_H
#define PM4_STREAM_SOURCE_H

#include "base/buffer.h"
#include "pm4/stream/recording.h"

#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <gpucode/stream_source.h>

/* What is known of each word of a buffer, and of the place after the last. */
enum {
    MARK_PACKET = 1,  /* a packet begins here */
    MARK_TARGET = 2,  /* something points here */
    MARK_ALIGNED = 4, /* what points here wants the address aligned */
    MARK_SHADER = 8,  /* a shader begins here */
    MARK_END = 16,    /* something that is called or skipped ends here */
    MARK_ITEM = 32,   /* a line of text begins here */
    MARK_LABEL = 64,  /* with a label */
};

/* A buffer of the submits at hand. */
struct region {
    uint64_t address, size;
    uint64_t most; /* the highest last byte of this region and all that begin before it */
    const uint8_t *bytes;
    size_t length;  /* bytes of contents */
    size_t number;  /* in the file */
    uint8_t *marks; /* null: no contents */
};

/* Text of a register's value, so that it is made and tried once. */
struct kept_text {
    uint32_t number;
    uint64_t value;
    uint16_t length; /* 0: nothing is kept */
    char text[238];
};
#define KEPT_TEXTS 4096 /* a power of two */

struct source {
    const struct gpucode_stream *stream;
    const struct gpucode_stream_source_options *options;
    unsigned family;
    struct buffer out;
    struct region *regions, **by_address;
    size_t region_count;
    size_t submit; /* that is walked */
    bool marking;  /* nothing is written yet */
    struct kept_text *kept;
    uint8_t *pointers;       /* for each register: what it points to */
    uint8_t *register_named; /* for each: 1 where its name finds it again, 2 where not */
    char packet_names[256][GPUCODE_NAME_MAX];
    bool *named; /* by buffer of the file: it has a label */
    uint64_t *addresses;
    size_t *address_buffers; /* where an address was first recorded: a hash table */
    size_t address_room;
    uint32_t payload[GPUCODE_PACKET_COUNT7_MAX + 2]; /* of the packet at hand */
    enum gpucode_status status;
};

/* --- what addresses are called (source_packets.c) --- */

/* The buffer that has an address, the last of several; null: none. */
struct region *source_find(const struct source *source, uint64_t address);
/*
 * What the text calls an address, "&b3_240+8"; while `marking`, notes that something points there. False: it lies in
 * no buffer. `text` has room for SOURCE_NAME bytes, and for SOURCE_REFERENCE with the words around it.
 */
bool source_refer(struct source *source, uint64_t address, unsigned marks, char *text);
/* The same of the words between two places: "&words(b3_240, b3_to_280)"; `from` null: from after the packet. */
bool source_measure(struct source *source, const uint64_t *from, uint64_t to, char *text);
enum { SOURCE_NAME = 64, SOURCE_REFERENCE = 128 };

/* The last line that begins at a word or before it. */
size_t source_item(const struct region *region, size_t word);

/* A packet in memory. */
struct source_packet {
    unsigned type, opcode; /* types 0 and 4: the first register */
    uint32_t count;        /* payload words */
};
/* False: no packet of these words, which are at most `room`, begins so. */
bool source_header(unsigned family, uint32_t word, size_t room, struct source_packet *packet);
/* Writes the packet at a word of a region, or marks what it points to. (source_packets.c) */
void source_packet(struct source *source, const struct region *region, size_t word, const struct source_packet *packet);
/* Lines of words, eight each. */
void source_words(struct source *source, const struct region *region, size_t word, size_t count, const char *indent);
/* "text" with what cannot stand there escaped. */
void source_quote(struct buffer *out, const uint8_t *bytes, size_t length);

static inline uint32_t region_word(const struct region *region, size_t word)
{
    return stream_word(region->bytes, word);
}

#endif
