/* SPDX-License-Identifier: MIT */
/* The command streams of a crash dump in the form of a recording, for all that takes recordings. */
#ifndef KIT_PM4_CRASH_STREAM_H
#define KIT_PM4_CRASH_STREAM_H

#include <gpucode/crash.h>

/*
 * One submit: rings and dumped buffers, and what each ring holds as a stream. A ring stands there twice, one behind the
 * other, so that streams that begin again at its start go straight on. *bytes is malloc'ed, the caller's. False: no
 * memory.
 */
bool crash_stream_make(const struct gpucode_crash *crash, void **bytes, size_t *size);

#endif
