/* SPDX-License-Identifier: MIT */
/* What the files of fuzz_state.h share: one subject. */
#ifndef KIT_FUZZ_STATE_INNER_H
#define KIT_FUZZ_STATE_INNER_H

#include "kit/fuzz_forbidden.h"
#include "kit/fuzz_state.h"

#define STATE_VALUES_MAX 256u
#define STATE_STEPS_MAX 256u    /* instructions of one record */
#define STATE_EFFECTS_MAX 1024u /* what comes after them is one with the last */
#define STATE_OUTPUTS_MAX 512u

/* Kinds of records after those of the set. */
enum { STATE_MEMORY, STATE_STEPS, STATE_TEXTURE, STATE_SPECIALS };

/* What a run does outside, in order. */
struct state_effects {
    unsigned count;
    struct state_effect {
        uint64_t hash, pc;
        unsigned kind, space; /* the event, for people; of the last one that of the first that it stands for */
        uint64_t address, value;
    } list[STATE_EFFECTS_MAX];
};

struct state {
    struct session *session;
    const struct input *input;
    const struct fuzz_state_set *set;
    struct gpucode_machine *machine;
    struct gpucode_snapshot *start;
    struct gpucode_stop stop;
    struct gpucode_fuzz_kind kinds[FUZZ_STATE_KINDS + STATE_SPECIALS];
    unsigned own; /* kinds of the set, which the special ones follow */
    uint32_t values[STATE_VALUES_MAX];
    size_t value_count;
    uint64_t limit;
    uint32_t texture[4];
    bool textured;

    void (*compared)(void *to, uint32_t value, uint32_t wanted); /* null: nobody asks */
    void *compared_to;

    struct fuzz_forbidden forbidden[FUZZ_FORBIDDEN_MAX]; /* of --assert */
    const char *forbidden_text[FUZZ_FORBIDDEN_MAX];
    unsigned forbidden_count;
    struct gpucode_fuzz_outcome broken; /* what a run has done of it; its key is empty: nothing */

    struct state *other; /* of --against; null: there is none */
    struct input *other_input;
    struct state_effects *effects; /* null: nobody compares */
    struct fuzz_state_output outputs[STATE_OUTPUTS_MAX];
    unsigned output_count;
};

/* fuzz_state_run.c: runs the records from the state of every run. */
void state_run(struct state *state, const struct gpucode_fuzz_record *records, size_t count);
/* Sets the hook for what is asked of runs. */
void state_watch(struct state *state);
void state_find(const struct state *state, struct gpucode_fuzz_outcome *outcome, const char *what, const char *place,
                const char *text);

/* fuzz_state_make.c: complains and returns an exit code */
int state_make(struct state *state, struct session *session, const struct input *input,
               const struct fuzz_state_set *set);
void state_close(struct state *state);

/* fuzz_state_against.c: opens what --against names. Complains and returns an exit code. */
int state_open_other(struct state *state);
void state_close_other(struct state *state);
/* Runs the records on the other code; the outcome is what differs. */
void state_compare_other(struct state *state, const struct gpucode_fuzz_record *records, size_t count,
                         struct gpucode_fuzz_outcome *outcome);

#endif
