/* SPDX-License-Identifier: MIT */
/* Why a machine stands still, in words. */
#ifndef FRONT_STOP_H
#define FRONT_STOP_H

#include <gpucode/machine.h>

struct input;
struct gpucode_answer;

/* "limit", "end", "fault" and so on, as JSON has it. */
const char *stop_reason_name(enum gpucode_stop_reason reason);
/* The sentence of a stop; the limit has one too. */
const char *stop_sentence(const struct gpucode_stop *stop);

/* Did the machine stop because the host has no memory left? That is no result of the code. */
bool stop_has_no_memory(const struct gpucode_stop *stop);

/*
 * Tells how a run has stopped: reason, sentence, place, count of instructions; a line of text. The table of the command
 * includes front/stop.answer.def. `of_processor`: text names the processor of the place.
 */
void stop_tell(struct gpucode_answer *answer, const struct input *input, const struct gpucode_machine *machine,
               const struct gpucode_stop *stop, uint64_t instructions, bool of_processor);

#endif
