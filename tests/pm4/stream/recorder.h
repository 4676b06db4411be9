/* SPDX-License-Identifier: MIT */
/* Makes recorded streams for tests. */
#ifndef TESTS_RECORDER_H
#define TESTS_RECORDER_H

#include "group.h"

#include <gpucode/stream.h>

struct recorder {
    uint8_t bytes[1 << 20];
    size_t size;
};

void record(struct recorder *recorder, uint32_t type, const void *bytes, size_t size);
void record_words(struct recorder *recorder, uint32_t type, unsigned count, ...);
/* A buffer and, if bytes is not null, its contents. */
void record_buffer(struct recorder *recorder, uint64_t address, uint32_t size, const void *bytes, size_t length);
void record_stream(struct recorder *recorder, uint64_t address, uint32_t words);

#endif
