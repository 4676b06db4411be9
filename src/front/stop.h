/* SPDX-License-Identifier: MIT */
/* Why a machine stands still, in words. */
#ifndef FRONT_STOP_H
#define FRONT_STOP_H

#include <gpucode/machine.h>

/* "limit", "end", "fault" and so on, as JSON has it. */
const char *stop_reason_name(enum gpucode_stop_reason reason);
/* The sentence of a stop; the limit has one too. */
const char *stop_sentence(const struct gpucode_stop *stop);

#endif
