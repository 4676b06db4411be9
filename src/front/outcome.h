/* SPDX-License-Identifier: MIT */
/* The outcome of a run: why the machine stands still, and what it has changed. */
#ifndef FRONT_OUTCOME_H
#define FRONT_OUTCOME_H

#include <gpucode/machine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input;
struct gpucode_answer;

/* --- why a machine stands still, in words --- */

/* "limit", "end", "fault" and so on, as JSON has it. */
const char *stop_reason_name(enum gpucode_stop_reason reason);
/* The sentence of a stop; the limit has one too. */
const char *stop_sentence(const struct gpucode_stop *stop);

/* Did the machine stop because the host has no memory left? That is not a result of the code. */
bool stop_has_no_memory(const struct gpucode_stop *stop);

/*
 * Tells how a run has stopped: reason, sentence, place, count of instructions; a line of text. The table of the command
 * includes the part STOP of front/answer.def. `of_processor`: text names the processor of the place.
 */
void stop_tell(struct gpucode_answer *answer, const struct input *input, const struct gpucode_machine *machine,
               const struct gpucode_stop *stop, uint64_t instructions, bool of_processor);

/* --- registers and words of memory that it has changed, each with the first value before and the last one after --- */

/* A register or a word of memory, before the first write and after the last. */
struct change {
    int space; /* of a register; -1: memory */
    unsigned processor;
    uint64_t index; /* number of a register, address of a word */
    uint32_t before, value;
};

/* Zeroed at the beginning. */
struct changes {
    struct change *list;
    size_t count, room;
    uint32_t *slots; /* hash of list: index + 1 */
    size_t slot_count;
};

/* Notes a write; `append`: also if the same place was written before. False: out of memory. */
bool changes_note(struct changes *changes, const struct change *change, bool append);
/* Sorts by space, processor and number, memory last, without those that came back to their old value. */
void changes_sort(struct changes *changes);
void changes_clear(struct changes *changes);
void changes_free(struct changes *changes);

#endif
