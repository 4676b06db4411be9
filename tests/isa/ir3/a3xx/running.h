/* SPDX-License-Identifier: MIT */
/* Running shaders in tests: assembled from text, or given as words. */
#ifndef TESTS_A3XX_RUNNING_H
#define TESTS_A3XX_RUNNING_H

#include "assembling.h"
#include <gpucode/schedule.h>

struct rig {
    struct gpucode_program *program; /* null: the bytes are the caller's */
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
};

/* Fails the test when the text does not assemble. `policies` may be null. */
struct rig rig_text(const char *text, const struct gpucode_setting *policies);
struct rig rig_bytes(const void *bytes, size_t size, const struct gpucode_setting *policies);
void rig_down(struct rig *rig);
/* A hook that nothing calls: with one, of whatever kind, threads run one after the other. */
void rig_watch(struct rig *rig);

/* Puts words into the machine's memory, little-endian as it is whatever the host is. */
void rig_store(struct rig *rig, uint64_t address, const uint32_t *words, size_t count);
/* By name, of a thread; fails the test when there is no such register. */
void rig_set_of(struct rig *rig, unsigned thread, const char *name, uint32_t value);
uint32_t rig_get_of(const struct rig *rig, unsigned thread, const char *name);
void rig_set(struct rig *rig, const char *name, uint32_t value);
uint32_t rig_get(const struct rig *rig, const char *name);
void rig_texture(struct rig *rig, unsigned unit, uint32_t width, uint32_t height, const uint32_t *texels);
/* Runs at most 100,000 instructions; fails the test unless the stop has this reason and code (null: none). */
void rig_run(struct rig *rig, enum gpucode_stop_reason reason, const char *code);

/* Fails the test when the bytes cannot be scheduled; gpucode_scheduled_free() is the caller's. */
struct gpucode_scheduled rig_schedule(const void *bytes, size_t size, enum gpucode_strip strip, bool reorder);

uint32_t bits_of(float value);

#endif
