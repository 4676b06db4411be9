/* SPDX-License-Identifier: MIT */
/* A crash dump given on the command line, and what its words are called. */
#ifndef GPU_CRASH_FILE_H
#define GPU_CRASH_FILE_H

#include "front/file.h"
#include <gpucode/crash.h>
#include <gpucode/names.h>

struct session;
struct registers;
struct gpucode_symbols;

struct crash_file {
    struct session *session;
    struct file file;
    struct gpucode_crash *crash;
    const struct gpucode_crash_head *head;
    const struct gpucode_target *target; /* -t, or what the dump is of; null: neither */
    unsigned family;                     /* of registers and packets: that of the target or, before a5xx, the GPU's */
    struct registers *registers;
    struct gpucode_symbols *symbols;
    const struct gpucode_names *names; /* of the user's own, or null */
};

/* Reads and opens. Complains and returns an exit code; whatever it is, call crash_file_close(). */
int crash_file_open(struct session *session, const char *path, struct crash_file *file);
/* The same of what was read; it is freed with the rest. */
int crash_file_take(struct session *session, const struct file *read, struct crash_file *file);
void crash_file_close(struct crash_file *file);

/* Name of a register or packet; null where there is none. */
const char *crash_file_name(const struct crash_file *file, enum gpucode_space space, uint32_t number,
                            char name[GPUCODE_NAME_MAX]);
/* What the value of a GPU register means, field by field; "" where the GPU is not known. Longer texts are cut. */
#define CRASH_TEXT_MAX 1024
const char *crash_file_value(const struct crash_file *file, uint32_t number, uint64_t value, char text[CRASH_TEXT_MAX]);
/* 2: the register is the first word of a 64-bit one. */
unsigned crash_file_words(const struct crash_file *file, uint32_t number);
/* Name of the packet with this header: "PKT4" of those of type 4; null: it is no header, or the packet has no name. */
const char *crash_file_packet(const struct crash_file *file, uint32_t header, char name[GPUCODE_NAME_MAX]);
/* Is the word the header of a packet? */
bool crash_is_header(uint32_t word);

/* Do such dumps have states of the processors? Those of a5xx and older have none. */
bool crash_file_has_states(const struct crash_file *file);

/* "RB", "IB1" ... */
const char *crash_level_name(enum gpucode_crash_level level);
/* "SQE" of a block "SQE_STAT", "BV" of "BV_SQE_STAT"; null: no processor's status. */
const char *crash_processor_name(const struct gpucode_crash_block *block, char *name, size_t size);

/* What speaks for a position, in the order of the bits: "header", "previous-headers" ... Null behind the last. */
const char *crash_confirmation(unsigned index);

/* All of it as an object; a page for people. */

#endif
