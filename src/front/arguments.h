/* SPDX-License-Identifier: MIT */
/* Arguments of one command, taken apart by the tables of command.h. */
#ifndef FRONT_ARGUMENTS_H
#define FRONT_ARGUMENTS_H

#include "front/command.h"
#include <gpucode/machine.h>
#include <stdbool.h>

struct diagnostics;

/* One use of an option that may be repeated. */
struct given {
    enum option_id option;
    const char *value;
};

/*
 * An option whose name stands in rows of several sets counts as given in each of these rows, and has an entry in
 * `given` for each.
 */
struct arguments {
    unsigned count[OPTION_COUNT];    /* how often given */
    const char *value[OPTION_COUNT]; /* null when the option is not given or takes none */
    struct given *given;             /* all uses of options that may be repeated, in order */
    unsigned given_count;
    const char **operands;
    int operand_count;
};

/*
 * Takes argv[first..argc-1] apart. Returns EXIT_DONE, or another exit code when something was complained about.
 * --help and --version end the parsing. The strings stay argv's; arguments_free() frees the lists.
 */
int arguments_parse(struct arguments *arguments, struct diagnostics *diagnostics, const struct command *command,
                    int argc, char **argv, int first);
void arguments_free(struct arguments *arguments);

/* Is --policy help given? The command does not run then, and its operands may be missing. */
bool arguments_want_policies(const struct arguments *arguments);

static inline bool arguments_have(const struct arguments *arguments, enum option_id option)
{
    return arguments->count[option] != 0;
}

/* Value number `index` of an option that may be repeated, null after the last. */
const char *arguments_value_at(const struct arguments *arguments, enum option_id option, unsigned index);

/*
 * Complains about an option that the command takes for code of other sets only. `set` is that of the code. Returns an
 * exit code.
 */
int arguments_check_set(const struct arguments *arguments, struct diagnostics *diagnostics,
                        const struct command *command, const char *set);

/* The nearest of several names, for "did you mean". */

struct spelling {
    const char *wanted;
    unsigned distance;
    char best[128]; /* empty: nothing near */
};

struct spelling spelling_begin(const char *wanted);
void spelling_offer(struct spelling *spelling, const char *candidate);

/* --- Values of options: numbers, lists of words, and what is said when one is wrong ------------------------------- */

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
