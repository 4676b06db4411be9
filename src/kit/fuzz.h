/* SPDX-License-Identifier: MIT */
/*
 * What `gpucode fuzz` asks of a set: a subject for the engine (<gpucode/fuzz.h>), and inputs as the text that other
 * commands of the set replay. Each worker has a subject of its own; all of one input are alike.
 */
#ifndef KIT_FUZZ_H
#define KIT_FUZZ_H

#include "front/command.h"
#include "front/input.h"
#include <gpucode/fuzz.h>
#include <gpucode/machine.h>

#include <stdio.h>

struct session;

/* Where texts of a finding stand, for what they tell of how to see it again. */
struct kit_fuzz_files {
    const char *text, *debugger; /* the input as text; commands of the debugger */
    const struct gpucode_fuzz_outcome *outcome;
};

/* What is known of the finding that the last run has ended with. */
struct kit_fuzz_facts {
    const char *kind; /* fault, hang, stack, level, length, assert, gap, differs, stops */
    char code[48];    /* of the stop, for `gpucode explain`; else the word that the key begins with */
    uint64_t at;      /* units, from the start of the section */
    char routine[GPUCODE_NAME_MAX], packet[GPUCODE_NAME_MAX]; /* "": none */
    unsigned level;
    unsigned packets; /* of the input; other sets: records */
    bool led;         /* a value of the input leads control from `at` on: */
    unsigned word;    /* which word of the packet, the first after its header is 1; 0: no packet's */
    char source[96];  /* "word 2 of the packet" */
};

/* Who gets the seeds of a file. */
struct kit_fuzz_sink {
    int (*take)(void *to, const void *bytes, size_t size); /* returns an exit code */
    void *to;
};

struct kit_fuzz {
    /* Makes a subject by the options. Complains and returns an exit code; close() it whatever that is. */
    int (*open)(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject);
    void (*close)(struct gpucode_fuzz_subject *subject);
    /* The machine, in the state in which every run begins or in which the last one ended. */
    struct gpucode_machine *(*machine)(const struct gpucode_fuzz_subject *subject);
    /* The computer had no memory for the machine in one of the runs: from there on they show nothing. */
    bool (*lacks_memory)(const struct gpucode_fuzz_subject *subject);
    /* Writes an input as text, with how to see it again as comments ahead (`files` may be null). */
    void (*write)(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size,
                  const struct kit_fuzz_files *files, FILE *out);
    const struct kit_fuzz_facts *(*facts)(const struct gpucode_fuzz_subject *subject);
    /* Writes commands that bring the debugger, begun as the text says, to where the last run has ended. */
    void (*debugger)(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size, FILE *out);
    /* Reads an input from text; *size is set. Complains and returns an exit code. */
    int (*read)(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size);
    /* Inputs out of a file of --from; null: there is no such thing. Complains and returns an exit code. */
    int (*seeds)(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                 const struct kit_fuzz_sink *sink);
};

/* --- for the texts (fuzz.c) --- */

/* What a finding is called in a word for all kinds of code, by the word that its key begins with. */
const char *kit_fuzz_kind(const char *what);
/* Can a key begin with it, or with what it begins with: one of these words, or the code of a stop without its set? */
bool kit_fuzz_begins_key(const char *word);
/* A word as a shell takes it, after `before`. */
void kit_fuzz_write_word(const char *before, const char *word, FILE *out);
/*
 * Those options of the campaign that `command` needs to run the code alike, without those of `except`, which
 * OPTION_COUNT ends; null: none.
 */
void kit_fuzz_write_options(const struct session *session, const char *set, enum command_id command,
                            const enum option_id *except, FILE *out);

/* What --assert forbids to write, as all sets have it: a register, numbers A..B of registers, or `memory A..B`. */

#define FUZZ_FORBIDDEN_MAX 16u /* of a campaign */

struct fuzz_forbidden {
    bool memory; /* else registers */
    unsigned space;
    uint64_t first, last; /* register numbers or addresses */
};

/* Takes the word, if it comes next. */
bool fuzz_forbidden_word(const char **at, const char *word);
/* Takes what is forbidden; `numbers` is the space of registers that A..B means, GPUCODE_NONE: of none. False: there is
 * no such thing. */
bool fuzz_forbidden_take(const struct gpucode_machine *machine, unsigned numbers, const char **at,
                         struct fuzz_forbidden *forbidden);
/* The kind of events that are looked at for it. */
unsigned fuzz_forbidden_kinds(const struct fuzz_forbidden *forbidden);
/* Does the event write it? */
bool fuzz_forbidden_is(const struct fuzz_forbidden *forbidden, const struct gpucode_event *event);
/* Writes "NAME (0x8d0) is written at word 71: TEXT". */
void fuzz_forbidden_tell(const struct gpucode_machine *machine, const struct gpucode_event *event, const char *text,
                         char *to, size_t size);

#endif
