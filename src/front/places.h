/* SPDX-License-Identifier: MIT */
/* Places of code by their names, as listings have them. */
#ifndef FRONT_PLACES_H
#define FRONT_PLACES_H

#include "front/input.h"

#include <gpucode/answer.h>
#include <gpucode/insn.h>
#include <gpucode/time_line.h>
#include <stdbool.h>

/* Room for " in NAME+0x3". */
#define PLACES_WHERE_MAX (GPUCODE_NAME_MAX + 32)
/* " in NAME+0x3" for a place in code, "" when there is no name; `text` has PLACES_WHERE_MAX bytes. Returns it. */
const char *places_where(const struct input *input, unsigned section, uint64_t unit, char *text);

/* Which named code a trace was in last; zeroed at its beginning. */
struct places_walk {
    char name[GPUCODE_NAME_MAX];
    unsigned processor;
};
/*
 * Does the instruction at `unit` begin named code, or has control come to the middle of other named code than before?
 * `near` then says where ("drain", "drain+0x3"). False where nothing has a name.
 */
bool places_enter(struct places_walk *walk, const struct input *input, unsigned processor, unsigned section,
                  uint64_t unit, char near[PLACES_WHERE_MAX]);

/* Room for an instruction with what is known of it. */
#define PLACES_NOTED_MAX (GPUCODE_TEXT_MAX + GPUCODE_NOTE_MAX + 8)
/* Adds what the analysis knows of an instruction to its text, as a comment. */
void places_note(const struct input *input, unsigned section, uint64_t unit, char text[PLACES_NOTED_MAX]);

/* The packets that lead to a place, where the analysis knows: "CP_NOP, CP_WAIT_MEM and 2 more". Returns the length. */
size_t places_packets(const struct input *input, unsigned section, uint64_t unit, char text[GPUCODE_NOTE_MAX]);

/*
 * Gives an event of a run's time line its address, and where `unit` of the image stands in the source, its line, for
 * files that the source does not include. Its position is the caller's.
 */
void places_event(const struct input *input, uint64_t address, uint32_t unit, struct gpucode_time_line_event *event);

/* Puts the names of packets (bit n % 64 of word n / 64: packet n) into an answer, each as the field. */
void places_put_packets(const struct gpucode_analysis *analysis, const uint64_t packets[2],
                        struct gpucode_answer *answer, const struct gpucode_answer_field *field);

/* The `label` of gpucode_format_options: targets of branches by their names. `user` is a struct places_code. */
struct places_code {
    const struct input *input;
    unsigned section;
    const char *prefix; /* of a number for targets without a name, as listings have it; null: as without names */
};
size_t places_target(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size);

#endif
