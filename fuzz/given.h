/* SPDX-License-Identifier: MIT */
/* What several targets are given, or ask of what they are told. */
#ifndef FUZZ_GIVEN_H
#define FUZZ_GIVEN_H

#include "check.h"
#include <gpucode/gpucode.h>
#include <gpucode/packet.h>
#include <string.h>

/* The one file there is to include, "again", with the text that `user` is. */
static inline bool given_include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    check(from && name);
    if (strcmp(name, "again") != 0)
        return false;
    *length = strlen(user);
    *text = malloc(*length + 1);
    if (!*text)
        return false;
    memcpy(*text, user, *length + 1);
    return true;
}

/* One of all targets, whatever the number is. */
static inline const struct gpucode_target *given_target(size_t number)
{
    unsigned count = 0;
    while (gpucode_target_at(count))
        count++;
    return gpucode_target_at((unsigned)(number % count));
}

/* Of a text. Most name none: size and first byte pick one for half of them; null for the others. */
static inline const struct gpucode_target *given_source_target(const uint8_t *bytes, size_t size)
{
    return size && bytes[0] & 1 ? given_target(size) : NULL;
}

/* Buffers are left as they were entered; returns the sum of a packet's words, so that all of them are read. */
static inline uint64_t given_depth(unsigned *depth, const struct gpucode_packet_event *event)
{
    uint64_t sum = 0;
    if (event->kind == GPUCODE_PACKET_LEAVE)
        check((*depth)-- == event->depth + 1);
    check(event->depth == *depth);
    if (event->kind == GPUCODE_PACKET_ENTER)
        /* a draw in the deepest buffer has groups, too */
        check(++*depth <= GPUCODE_PACKET_DEPTH_MAX + (event->source == GPUCODE_PACKET_GROUP));
    if (event->kind == GPUCODE_PACKET_BEGIN)
        for (uint32_t i = 0; i < event->count; i++)
            sum += event->words[i];
    return sum;
}

#endif
