/* SPDX-License-Identifier: MIT */
#ifndef GPU_CRASH_REASON_H
#define GPU_CRASH_REASON_H

#include "gpu/crash_file.h"

/* Bits; names by number in crash_reason(). */
enum {
    CRASH_NO_PACKET = 1,   /* the word is no header */
    CRASH_NO_HANDLER = 2,  /* the handler is that of opcodes that nobody handles */
    CRASH_CUT = 4,         /* the packet has more words than its buffer */
    CRASH_NOT_WRITTEN = 8, /* not all words of the packet were in the ring */
    CRASH_SWITCHING = 16,  /* another context was asked for */
    CRASH_UNREADABLE = 32, /* the fault lies where the buffer of packets would be read next */
};
/* What speaks against the packet in hand or its buffer. The position must be one that gpucode_crash_position() found.
 */
unsigned crash_reasons(const struct crash_file *file, const struct gpucode_crash_position *position);
/* "no packet" ...; null behind the last. */
const char *crash_reason(unsigned index);

/*
 * A buffer that was entered and of which nothing was read: the packet in hand is still the one that calls it. That
 * packet's place, of the level above; null: it is not so.
 */
const struct gpucode_crash_place *crash_call(const struct crash_file *file,
                                             const struct gpucode_crash_position *position);

#endif
