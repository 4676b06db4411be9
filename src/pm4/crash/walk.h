/* SPDX-License-Identifier: MIT */
/* Command streams of a dump, as far as finding a place in them takes. */
#ifndef PM4_CRASH_WALK_H
#define PM4_CRASH_WALK_H

#include "pm4/crash/dump.h"

/* Words of a buffer or ring that one reads in order. A ring begins again at its start. */
struct walk_words {
    const struct gpucode_crash *crash;
    uint64_t address; /* of the buffer */
    uint32_t words;   /* of the buffer */
    uint32_t from;    /* first of the words looked at, in a ring */
    uint32_t count;   /* of those looked at */
    unsigned owner;   /* for the caller: goes to the calls found in them */
};

/* Word `index` of those looked at; false: the dump does not have it. */
bool walk_word(const struct walk_words *words, uint32_t index, uint32_t *word);

/*
 * From packet `index` on to the next one, but not past the end: `size` words, or 1 if that is 0. Zeros that the dump
 * leaves out, of which a wrong size claims any number, are passed at once: as many packets of this size as they are.
 */
uint32_t walk_step(const struct walk_words *words, uint32_t index, uint32_t header, uint32_t size);
/* The same in a ring, from its word `index` on. */
uint64_t walk_ring_step(const struct gpucode_crash_ring *ring, uint64_t index, uint32_t size);

/* Words of the packet with this header, itself included; 0: it is not a header. */
uint32_t walk_packet_words(uint32_t header);

/*
 * A packet of any GPU, those before a5xx included: how many words it has (0: it is none) and its opcode, or
 * WALK_NO_OPCODE of packets that are not commands.
 */
#define WALK_NO_OPCODE 0x100
struct walk_shape {
    uint32_t words;
    unsigned opcode;
};
struct walk_shape walk_shape(const struct gpucode_crash *crash, uint32_t header);
/* The buffer that a packet calls, by its first four words. */
#define WALK_IB_WORDS_MAX 0xfffffu /* as wide as the packet's field is */
struct walk_target {
    uint64_t address;
    uint32_t words;
};
bool walk_target(const struct gpucode_crash *crash, const uint32_t first[4], struct walk_target *target);

/* A buffer that a packet calls. */
struct walk_call {
    uint64_t address;
    uint32_t words;
    uint32_t end; /* index of the word after the packet */
    unsigned owner;
};

#define WALK_HISTORY 4

/*
 * The calls that followed one another directly, up to and with the last one looked for. The fetcher runs ahead over
 * such calls alone.
 */
struct walk_history {
    struct walk_call call[WALK_HISTORY]; /* oldest first */
    unsigned count;
};

/*
 * Looks for a call of the buffer at `address` and keeps the calls before it in *history, which may begin with some. Of
 * several the last one that ends at or before word `now` is taken, or else the first one after it. Where there is
 * none, *history has the calls that the words end with.
 */
bool walk_find_call(const struct walk_words *words, uint64_t address, uint32_t now, struct walk_history *history);

/* The packet that contains word `at`, packets being counted from the first word on: its header and its index, and the
 * headers of the two before it, nearer one first (*before of them). False: the dump does not have the words. */
struct walk_packet {
    uint32_t index, header;
    uint32_t previous[2];
    unsigned before;
};
bool walk_find_packet(const struct walk_words *words, uint32_t at, struct walk_packet *packet);

#endif
