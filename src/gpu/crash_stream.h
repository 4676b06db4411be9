/* SPDX-License-Identifier: MIT */
/* The command streams of a crash dump in the form of a recording, for all that takes recordings. */
#ifndef GPU_CRASH_STREAM_H
#define GPU_CRASH_STREAM_H

#include <gpucode/crash.h>

/*
 * One submit: rings and dumped buffers, and what each ring holds as a stream. A ring stands there twice, one behind the
 * other, so that streams that begin again at its start go straight on. *bytes is malloc'ed, the caller's. False: no
 * memory.
 */
bool crash_stream_make(const struct gpucode_crash *crash, void **bytes, size_t *size);

/*
 * The packets of a ring: the oldest word from which all is whole (in a ring that has begun again it stands behind the
 * newest), and how many words there are from there on. False: there are none, or the ring is no ring.
 */
bool crash_stream_ring(const struct gpucode_crash_ring *ring, uint64_t *from, uint64_t *words);

#endif
