/* SPDX-License-Identifier: MIT */
/* Inside of the loader of crash dumps. */
#ifndef PM4_CRASH_DUMP_H
#define PM4_CRASH_DUMP_H

#include "base/arena.h"
#include "pm4/gzip/loader.h"
#include <gpucode/crash.h>

struct dump_blob {
    const char *name;
    uint64_t iova;
    struct gpucode_crash_words data;
};

/* A message and where it stands: in a queue, which may go on at its start. */
struct dump_message {
    struct gpucode_crash_message shown;
    uint32_t first, size; /* words: of the queue in its blob, of the queue */
    uint32_t at, words;   /* in the queue: its header; with that */
    bool packed;          /* of one of the first chips */
};

#define DUMP_HISTORIES 2
#define DUMP_HISTORY 8

/* GPU memory whose contents are known. */
struct dump_span {
    uint64_t start, bytes;
    const struct gpucode_crash_words *data;
};

struct gpucode_crash {
    struct loader loader;
    const char *text; /* its bytes */
    size_t size;
    unsigned warnings;
    bool no_memory;
    struct gpucode_crash_head head;
    bool old; /* a GPU before a5xx, whose packets have other types */
    bool has_fault;
    struct gpucode_crash_fault fault;
    struct list rings, buffers, blocks, sections, registers; /* of the public structs */
    struct list gmu, controls, message_queues;               /* the same */
    struct gpucode_crash_register *sorted;                   /* registers by number, one of each */
    size_t sorted_count;
    struct dump_blob blobs[3];
    unsigned blob_count;
    int32_t history[DUMP_HISTORIES][DUMP_HISTORY];
    struct dump_span *spans; /* by address */
    size_t span_count;
    struct list messages;                  /* of struct dump_message */
    struct list queues;                    /* of the public struct */
    struct list writes[8];                 /* of each queue */
    struct list submits, reuses, mappings; /* of the public structs */
    bool has_path;
    struct gpucode_crash_path path;
};

/* Of many warnings so many are told. */
#define DUMP_WARNINGS_MAX 12

#define DUMP_ITEM(list, type, index) (&((type *)(list).items)[index])

/* A zeroed item at the end of the list; null: no memory, which the dump remembers. */
void *dump_add(struct gpucode_crash *crash, struct list *list, size_t size);

/* Warns at a place of the file; `at` may be null. Of many warnings the first few are told. */
void dump_warn(struct gpucode_crash *crash, const char *at, message_id message, ...);

/* A copy of a text, without blanks at its end; null when nothing is left. */
const char *dump_text(struct gpucode_crash *crash, const char *text, size_t length);

/* Reads the sections of a text or binary file. False: it is not a dump. */
bool devcore_read(struct gpucode_crash *crash);
bool devcore_recognise(const char *text, size_t size);
bool snapshot_read(struct gpucode_crash *crash);
bool snapshot_recognise(const char *bytes, size_t size);

/* Decodes a blob's text; a word that is none ends it, with a warning. */
void ascii85_read(struct gpucode_crash *crash, const char *text, size_t length, struct gpucode_crash_words *words);
/* How many words the text stands for, as far as it is right; *wrong is the first wrong place, or null. */
size_t ascii85_decode(const char *text, size_t length, uint32_t *words, size_t room, const char **wrong);
/* Writes words without the zeros at their end, at most 5 characters a word; returns the end. */
char *ascii85_write(char *at, const uint32_t *words, size_t count);

/* Fills in name, generation and target of the GPU from its ids. */
void gpu_identify(struct gpucode_crash *crash);

/* The name that all dumps have for a block: by its name in this one, or by its registers in a snapshot. */
const char *block_name(const char *own, uint64_t words);
const char *block_name_by_registers(uint32_t address, uint32_t data);
/* Is it a processor's code memory? */
bool block_is_code(const char *name);
/* "SQE" of a block "SQE_STAT" with the ending "SQE_STAT", "BV" of "BV_SQE_STAT"; null: it has another ending. */
const char *block_processor(const char *name, const char *ending, char processor[32]);

/* What is worked out once all is read. */
void memory_index(struct gpucode_crash *crash);
void hfi_read(struct gpucode_crash *crash);
/* The name of a kind of messages; null: it has none. */
const char *hfi_name(unsigned id);
void controls_read(struct gpucode_crash *crash);
void work_read(struct gpucode_crash *crash);
void reuse_find(struct gpucode_crash *crash);
/* The span an address lies in; of several the one that begins last. Null: the dump does not have it. */
const struct dump_span *memory_span(const struct gpucode_crash *crash, uint64_t address);
/* How many words from an address on are not in the dump because they are zero, at the end of what one span has. */
uint64_t memory_left_out(const struct gpucode_crash *crash, uint64_t address);

bool crash_is(const struct gpucode_crash *crash, const char *generation);

#endif
