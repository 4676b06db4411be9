/* SPDX-License-Identifier: MIT */
/* Inside of the reader: the open elements, and what the files that handle elements share. */
#ifndef XML_ELEMENTS_H
#define XML_ELEMENTS_H

#include "base/arena.h"
#include "xml/collection.h"

#include <gpucode/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* XML taken apart into elements. The one place that knows expat; a build without it says so here. */

/* What is called while the text is read. `attributes`: names and values in turn, and a null. */
struct parser_events {
    void (*start)(void *user, const char *element, const char **attributes);
    void (*end)(void *user);
    void (*doctype)(void *user);
    void (*wrong)(void *user, const char *what); /* this is not XML, or does not go on; nothing follows */
};

struct parser {
    const struct parser_events *events;
    void *user;
    void *expat;
};

/*
 * Reads all of the text, or as far as it is XML and nobody stops it. Returns GPUCODE_ERROR_MEMORY, or
 * GPUCODE_ERROR_UNSUPPORTED: the build has no expat.
 */
enum gpucode_status parser_run(struct parser *parser, const char *text, size_t size);
/* For events: where the one that is told of begins and how long its text is; -1: nobody knows. And no more of them. */
long parser_at(const struct parser *parser, size_t *length);
void parser_stop(struct parser *parser);

#define READER_DEPTH_MAX 64

enum frame_kind {
    PASSED_OVER,
    DATABASE,
    DOMAIN,
    STRIPE,
    ARRAY,
    VALUES,
    REGISTER,
    SET,
    FIELD,
    PACKET,
    PACKET_WORD,
    PACKET_FIELD
};

/* An open element. */
struct frame {
    enum frame_kind kind;
    uint16_t chips; /* variants it exists in, those of the elements around it taken into account */
    bool has_members;
    long at; /* of its start tag */
    uint32_t offset;
    /* ARRAY */
    const char *name;
    uint32_t count, stride;
    const uint32_t *offsets; /* of each element, when they have no common stride; otherwise null */
    /* SET, REGISTER, FIELD: the set that the elements inside belong to, plus 1; 0: none yet */
    uint32_t set;
    uint32_t first, last; /* REGISTER: its rows among the meanings; FIELD, PACKET_...: `first` is its row */
    /* PACKET, PACKET_WORD: offset, stride and count are those of words. Texts are in the strings, 0: none. */
    uint32_t varset;      /* the enumeration whose values `variants` are; 0: chips */
    uint32_t when, which; /* the enumeration of the field that selects, and its values */
    uint32_t form;
};

/* A register, or the elements of an array when name is null. */
struct leaf {
    const char *name;
    uint32_t offset, count, stride;
    uint8_t words, flags;
};

struct reader {
    struct parser parser;
    const struct gpucode_diagnostic_handler *on_diagnostic;
    struct place place; /* the file */
    const struct isa_name_domain *domains;
    struct collection *collection;
    struct meaning *meaning;
    const struct meaning_type *type; /* of the register whose rows are added, or null */
    struct arena arena;
    struct frame frames[READER_DEPTH_MAX];
    unsigned depth;
    unsigned domain; /* index of the open domain or enumeration */
    uint16_t chip;   /* bit of the target's chip there */
    unsigned messages, domains_seen, expansions;
    unsigned forms;              /* words that the open packet has so far */
    const struct frame *closing; /* the element whose end is being read */
    enum gpucode_status status;
};

/* Ends the reading. */
void reader_stop(struct reader *reader, enum gpucode_status status);
/* A message at the current element; errors make the whole file fail, but reading goes on to find the others. */
void reader_tell(struct reader *reader, message_id message, const char *first, const char *second);
/* Value of an attribute, or null. */
const char *reader_attribute(const char **attributes, const char *name);
/* A number attribute; when it is missing, *number stays. False when it is not a number from `least` to `greatest`. */
bool reader_number(struct reader *reader, const char **attributes, const char *name, uint32_t least, uint32_t greatest,
                   uint32_t *number);
/* Takes a number at *text and moves after it; false when there is none or it exceeds 32 bits. */
bool reader_take_number(const char **text, uint32_t *number);
/* Chips of an element inside `frame`; false: unknown, and told. */
bool reader_chips(struct reader *reader, const struct frame *frame, const char **attributes, uint16_t *chips);

/* --- types.c: enumerations, bitsets, and fields and values inside of them ----------------------------------------- */

/* An enumeration or bitset of its own begins. */
void types_begin_set(struct reader *reader, bool bitset, const char **attributes, struct frame *frame);
void types_add_field(struct reader *reader, const char **attributes, struct frame *frame);
void types_add_value(struct reader *reader, const char **attributes);
/* The type that a register's attributes name; false: something is wrong with them, and told. */
bool types_of_register(struct reader *reader, const char **attributes, unsigned words, struct meaning_type *type);
/* A row of a register: one, or elements of an array. */
void types_add_register(struct reader *reader, const struct isa_name *name);

/* --- types.c: words of packets and their fields ------------------------------------------------------------------- */

/* Is a domain of that name a packet? */
bool packets_is_name(const char *name);
void packets_begin(struct reader *reader, const char **attributes, struct frame *frame);
/* A stripe, or an array of words that repeat. */
void packets_begin_part(struct reader *reader, const char **attributes, struct frame *frame);
void packets_begin_word(struct reader *reader, const char *element, const char **attributes, struct frame *frame);
void packets_add_field(struct reader *reader, const char **attributes, struct frame *frame);

/* The chips that a `variants` attribute names. */

/* A bit for every chip A0XX to A9XX. */
#define VARIANT_ALL 0x3ffu

/* "A6XX", "A5XX-", "-A4XX", "A6XX-A7XX", "A4XX:A6XX" (end left out), and lists with commas or spaces; false: unknown.
 */
bool variant_parse(const char *text, uint16_t *chips);

#endif
