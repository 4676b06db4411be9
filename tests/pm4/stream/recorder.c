/* SPDX-License-Identifier: MIT */
#include "recorder.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void put(struct recorder *recorder, const void *bytes, size_t size)
{
    if (size > sizeof recorder->bytes - recorder->size)
        abort();
    if (size)
        memcpy(recorder->bytes + recorder->size, bytes, size);
    recorder->size += size;
}

static void put_word(struct recorder *recorder, uint32_t word)
{
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    put(recorder, bytes, 4);
}

void record(struct recorder *recorder, uint32_t type, const void *bytes, size_t size)
{
    put_word(recorder, type);
    put_word(recorder, (uint32_t)size);
    put(recorder, bytes, size);
}

void record_words(struct recorder *recorder, uint32_t type, unsigned count, ...)
{
    va_list args;
    put_word(recorder, type);
    put_word(recorder, 4 * count);
    va_start(args, count);
    while (count--)
        put_word(recorder, va_arg(args, uint32_t));
    va_end(args);
}

void record_buffer(struct recorder *recorder, uint64_t address, uint32_t size, const void *bytes, size_t length)
{
    record_words(recorder, GPUCODE_RECORD_BUFFER, 3, (uint32_t)address, size, (uint32_t)(address >> 32));
    if (bytes)
        record(recorder, GPUCODE_RECORD_CONTENTS, bytes, length);
}

void record_stream(struct recorder *recorder, uint64_t address, uint32_t words)
{
    record_words(recorder, GPUCODE_RECORD_STREAM_ADDRESS, 3, (uint32_t)address, words, (uint32_t)(address >> 32));
}
