/* SPDX-License-Identifier: MIT */
/*
 * Fuzzing code that reads no packets: what a set says, and the members of struct kit_fuzz that follow from it.
 *
 *   fuzz_state.c           the subject: what is a finding
 *   fuzz_state_run.c       one run, and what is seen while it runs
 *   fuzz_state_make.c      making it: machine, kinds, values
 *   fuzz_state_against.c   the same on another code
 *   fuzz_state_text.c      inputs as commands of the debugger
 */
#ifndef KIT_FUZZ_STATE_H
#define KIT_FUZZ_STATE_H

#include "front/command.h"
#include "kit/fuzz.h"

#define FUZZ_STATE_KINDS 8

/* Registers that inputs set. */
struct fuzz_state_kind {
    const char *name; /* null ends a list */
    unsigned weight, space;
    uint32_t count; /* numbers are below it; 0: any */
    uint32_t mask;  /* of values; 0: all bits */
};

/* A register that tells at the end what the code has done. */
struct fuzz_state_output {
    unsigned space;
    uint32_t number;
};

struct kit_settings;

struct fuzz_state_set {
    /* the kit's members of these names; or null */
    int (*settings)(struct session *session, const struct input *input, struct kit_settings *settings);
    int (*give)(struct session *session, const struct input *input, struct gpucode_machine *machine);
    struct fuzz_state_kind kinds[FUZZ_STATE_KINDS + 1];
    enum option_id limit;   /* of instructions */
    enum option_id against; /* the other code */
    enum option_id forbids; /* --assert */
    unsigned numbers;       /* space of the registers that it may name by numbers; GPUCODE_NONE: by names alone */
    unsigned effects;       /* kinds of events that act on the outside, */
    bool (*is_effect)(const struct gpucode_event *event); /* and which of them do; null: all */
    /* Lists registers that count when two codes are compared; returns how many, at most `room`. May be null. */
    unsigned (*outputs)(const struct input *input, struct fuzz_state_output *list, unsigned room);
    bool memory, textures, floats;
    const char *options; /* with which the debugger does the same as a run without --against; or null */
    /* Why it is wrong that the code has ended so, or null. May be null. */
    const char *(*wrong_end)(const struct gpucode_machine *machine);
};

int fuzz_state_open(struct session *session, const struct input *input, const struct fuzz_state_set *set,
                    struct gpucode_fuzz_subject *subject);
void fuzz_state_close(struct gpucode_fuzz_subject *subject);
struct gpucode_machine *fuzz_state_machine(const struct gpucode_fuzz_subject *subject);
void fuzz_state_write(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size,
                      const struct kit_fuzz_files *files, FILE *out);
int fuzz_state_read(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size);

#endif
