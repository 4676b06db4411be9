/* SPDX-License-Identifier: MIT */
/* Inside of making a recording of its text. */
#ifndef PM4_STREAM_ENCODE_H
#define PM4_STREAM_ENCODE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/diagnostics.h"
#include "pm4/stream/recording.h"

#include <gpucode/fields.h>
#include <gpucode/packet.h>
#include <gpucode/stream_source.h>

/* A piece of the text. */
struct piece {
    const char *at, *end;
};

struct encode_buffer {
    struct piece address; /* as written: a number or a place */
    uint64_t declared;    /* bytes */
    size_t record;        /* where its record begins in the file */
    size_t contents;      /* bytes; SIZE_MAX: none yet */
    size_t contents_at;   /* where they begin in the file */
    size_t submit;
    uint64_t base, size; /* when all is known */
    bool narrow;         /* an address of 32 bits */
};

struct encode_label {
    struct piece name;
    size_t buffer;
    uint64_t offset;
};

/* Assembled code. */
struct encode_code {
    size_t buffer;
    uint64_t offset, size;
};

/* A name of a register or packet, looked up once. */
struct encode_name {
    struct piece name;
    uint32_t number;
};

enum fixup_kind { FIXUP_REGISTER, FIXUP_PAYLOAD, FIXUP_DATA, FIXUP_STREAM };

/* A value with places in it, which is read again when they are known. */
struct encode_fixup {
    struct piece value;
    enum fixup_kind kind;
    unsigned words;  /* of the value, in the file */
    uint32_t number; /* REGISTER: which; PAYLOAD: opcode */
    uint32_t word;   /* PAYLOAD: which */
    size_t at;       /* in the file */
    size_t packet;   /* its header there */
    size_t buffer;   /* whose contents it stands in */
};

/* A packet whose words are being read. */
struct encode_packet {
    bool open, writes; /* registers */
    uint32_t number;   /* opcode, or the first register */
    uint32_t count;
    size_t at; /* header in the file */
    struct piece name;
};

#define NO_BUFFER SIZE_MAX

struct encode {
    const char *text;
    size_t length;
    const struct gpucode_stream_encode_options *options;
    unsigned family; /* 0: `.recording` has not been read */
    struct buffer out;
    struct list buffers, labels, fixups, codes, names[2]; /* names: of registers, of packets */
    uint32_t *label_table, *name_table[2];         /* index plus 1, by hash */
    size_t label_room, name_room[2];
    size_t submit, last_buffer;
    bool closed;     /* the submit has streams */
    bool nameless;   /* the last buffer was written as `.record` */
    size_t record;   /* that is open, in the file; SIZE_MAX: none */
    size_t contents; /* where its contents begin there */
    size_t buffer;   /* whose they are, or NO_BUFFER */
    bool headless;   /* what is open has no header: `.rest` */
    struct encode_packet packet;
    bool resolving;                   /* places are known */
    const struct encode_fixup *fixup; /* that is being resolved */
    unsigned errors;
    bool no_memory;
    char scratch[4096];
    uint32_t payload[GPUCODE_PACKET_COUNT7_MAX + 2]; /* of the packet at payload_of, so many words */
    size_t payload_of;
    uint32_t payload_words;
    const char *block; /* of code, that is being assembled */
};

/* --- pieces of the text (encode_places.c) --- */

static inline bool piece_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Reports what is wrong with a piece of the text. False. */
bool encode_refuse(struct encode *encode, struct piece piece, message_id message, const char *hint, ...);
bool piece_is(struct piece piece, const char *text);
struct piece piece_trim(struct piece piece);
/* Takes what stands in front of the first `stop` outside of parentheses, or all of it; trimmed. */
struct piece piece_take(struct piece *rest, char stop);
bool piece_number(struct piece piece, uint64_t *value);

void encode_word(struct encode *encode, uint32_t word);
void encode_patch(struct encode *encode, size_t at, uint32_t word);
uint32_t encode_at(const struct encode *encode, size_t at);

/* --- places (encode_places.c) --- */

/* Defines a label at the end of what was made so far. */
bool encode_label(struct encode *encode, struct piece name);
/*
 * The value with its places replaced by numbers, in `scratch` when it has any. *places: it has; until they are known
 * they are 0. False: refused.
 */
bool encode_expand(struct encode *encode, struct piece value, struct piece *expanded, bool *places);
struct encode_buffer *encode_buffer_of(const struct encode *encode, size_t index);
/* Finds where all buffers stand. */
void encode_place_buffers(struct encode *encode);
void encode_free_places(struct encode *encode);
/* What `number` says of a name of a register or packet, which is asked once; UINT32_MAX: there is none. */
uint32_t encode_name_find(struct encode *encode, bool packet, struct piece name,
                          uint32_t (*number)(struct encode *encode, struct piece name));

/* --- data (encode_data.c) --- */

/* A directive with data; false: it is none of them. `next`: the line after it, which moves on over a block. */
bool encode_data(struct encode *encode, struct piece name, struct piece operands, const char **next);
/* A number or place of 1, 4 or 8 bytes. */
bool encode_value(struct encode *encode, struct piece value, unsigned size);
/* Takes "text" with escapes. */
bool encode_string(struct encode *encode, struct piece operand);

/* --- packets (encode_packets.c) --- */

/* A line of a packet, or the beginning of one. */
void encode_packet_line(struct encode *encode, struct piece line);
/* Reads a value of which the places are known by now. */
void encode_resolve(struct encode *encode, const struct encode_fixup *fixup);

#endif
