/* SPDX-License-Identifier: MIT */
/* Values of options: numbers, lists of words, and what is said when one is wrong. */
#ifndef FRONT_VALUES_H
#define FRONT_VALUES_H

#include "front/command.h"

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

#endif
