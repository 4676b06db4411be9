/* SPDX-License-Identifier: MIT */
/* Values of options: numbers, lists of words, and what is said when one is wrong. */
#ifndef FRONT_VALUES_H
#define FRONT_VALUES_H

#include "front/command.h"
#include "front/input.h"

#include <gpucode/answer.h>
#include <gpucode/insn.h>
#include <gpucode/machine.h>
#include <stdbool.h>

struct session;

/* Takes a number at *at, decimal or hexadecimal with 0x; *at then stands after it. False: none, or above 64 bits. */
bool number_take(const char **at, uint64_t *value);
/* Is the whole text a number of at most `most`? */
bool number_read(const char *text, uint64_t most, uint64_t *value);

/* "NAME=NUMBER" or "ADDRESS=FILE": the text before the last '=', at most size - 1 bytes. Null: there is none. */
const char *value_split(const char *text, char *name, size_t size);

/* Complains that an option's value is not what was expected. Returns an exit code. */
int value_refuse(struct session *session, enum option_id option, const char *value, const char *expected);
/* Reads an option's number; *number stays when it is not given. Complains and returns an exit code. */
int value_number(struct session *session, enum option_id option, const char *expected, uint64_t *number);

/* A word of an option's list, and the bit that stands for it. */
struct value_word {
    const char *name; /* null ends a list */
    unsigned bit;
};
/* The bits of --trace=WORD,WORD; `preset` without words, 0 when it is not given. Complains and returns an exit code. */
int value_trace(struct session *session, enum option_id option, const struct value_word *words, unsigned preset,
                unsigned *bits);

/*
 * The settings of --policy NAME=VALUE, after `more` (ends with a null name, or null). Complains about those without
 * '='. *settings is malloc'ed, strings and all in one; free() it. Returns an exit code.
 */
int policies_read(struct session *session, const struct gpucode_setting *more, struct gpucode_setting **settings);

/* --- places of code by their names, as listings have them --- */

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
