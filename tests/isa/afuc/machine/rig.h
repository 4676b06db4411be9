/* SPDX-License-Identifier: MIT */
/* What tests of the AFUC machine share: images from words or text, machines, and a record of what ran. */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include "group.h"

#include <gpucode/gpucode.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rig {
    unsigned char *bytes;
    size_t size;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    char message[512], code[64]; /* first diagnostic of what failed */
};

/* One changed register, or one written word of memory. */
struct rig_change {
    int space; /* enum gpucode_space; -1: memory */
    uint64_t index;
    uint32_t value, before;
};

struct rig_step {
    int64_t pc; /* -1: the blocked delay slot that took the first header */
    unsigned processor;
    struct rig_change *changes;
    unsigned count, room;
};

struct rig_record {
    struct rig_step *steps;
    size_t count, room;
};

/* A machine of image words, without the zero word of a file. `policies` may be null. False: see message. */
bool rig_words(struct rig *rig, const char *target, const uint32_t *words, size_t count,
               const struct gpucode_setting *policies);
/* The same of a file's bytes, which are copied. */
bool rig_bytes(struct rig *rig, const char *target, const void *bytes, size_t size,
               const struct gpucode_setting *policies);
/* The same of assembler text. */
bool rig_text(struct rig *rig, const char *target, const char *text, const struct gpucode_setting *policies);
void rig_free(struct rig *rig);

/* Runs until something stops it, at most `limit` instructions. */
enum gpucode_stop_reason rig_run(struct rig *rig, uint64_t limit);
void rig_feed(struct rig *rig, const uint32_t *words, size_t count);

/* Registers by name; a test fails when there is none. */
uint32_t rig_get(const struct rig *rig, const char *name);
void rig_set(struct rig *rig, const char *name, uint32_t value);
uint32_t rig_peek(const struct rig *rig, uint64_t address);
void rig_poke(struct rig *rig, uint64_t address, uint32_t value);

/* Records steps and their changes from now on. */
void rig_watch(struct rig *rig, struct rig_record *record);
void rig_record_free(struct rig_record *record);
/* The change of a register in a step, or null. */
const struct rig_change *rig_change_of(const struct rig_step *step, int space, uint64_t index);

/* A type-7 header and a type-4 header with their parity. */
uint32_t rig_packet7(unsigned opcode, unsigned count);
uint32_t rig_packet4(unsigned reg, unsigned count);

#endif
