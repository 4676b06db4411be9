/* SPDX-License-Identifier: MIT */
/*
 * Fuzzing code that reads no packets: what a set says, and the members of struct kit_fuzz that follow from it.
 *
 *   fuzz_state.c           the subject: making it, one run, what is a finding, the same on another code
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
    uint32_t unit;  /* numbers are multiples of this power of two; 0: any */
};

/* A register that tells at the end what the code has done. */
struct fuzz_state_output {
    unsigned space;
    uint32_t number;
};

struct kit_settings;
struct state;

struct fuzz_state_set {
    /* the kit's member of this name; or null */
    int (*settings)(struct session *session, const struct input *input, struct kit_settings *settings);
    /* The kit's member of this name, for state->machine, with fuzz_state_keep() of what inputs leave alone; or null. */
    int (*give)(struct state *state);
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
    bool own; /* nobody but the code changes registers while it runs: records after steps do not */
    /* Addresses reach 16 GiB: the first word of a record of memory counts words. */
    bool wide;
    /* Lists where memory is that the code is given, in words; returns how many, at most `room`. May be null. */
    unsigned (*places)(const struct gpucode_machine *machine, uint32_t *list, unsigned room);
    const char *feeds; /* the kind of records whose words are fed to the machine, which waits for more of them; null: it
                          is not fed */
    enum option_id fed;  /* then: how many words all inputs have; without it one that waits or leaves some is right */
    const char *options; /* with which the debugger does the same as a run without --against; or null */
    /* Why it is wrong that the code has ended so, or null. May be null. */
    const char *(*wrong_end)(const struct gpucode_machine *machine);
};

int fuzz_state_open(struct session *session, const struct input *input, const struct fuzz_state_set *set,
                    struct gpucode_fuzz_subject *subject);
void fuzz_state_close(struct gpucode_fuzz_subject *subject);
const struct kit_fuzz_facts *fuzz_state_facts(const struct gpucode_fuzz_subject *subject);
struct gpucode_machine *fuzz_state_machine(const struct gpucode_fuzz_subject *subject);
bool fuzz_state_lacks_memory(const struct gpucode_fuzz_subject *subject);
void fuzz_state_write(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size,
                      const struct kit_fuzz_files *files, FILE *out);
int fuzz_state_read(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size);
/* A struct kit_fuzz of a set: `opener` calls fuzz_state_open() with its struct fuzz_state_set. */
#define FUZZ_STATE(opener)                                                                                             \
    {                                                                                                                  \
        .open = opener, .close = fuzz_state_close, .machine = fuzz_state_machine, .facts = fuzz_state_facts,           \
        .lacks_memory = fuzz_state_lacks_memory, .write = fuzz_state_write, .read = fuzz_state_read                    \
    }

/* --- What the files of fuzz_state.h share: one subject ------------------------------------------------------------ */

#define STATE_VALUES_MAX 256u
#define STATE_STEPS_MAX 256u    /* instructions of one record */
#define STATE_EFFECTS_MAX 1024u /* what comes after them is one with the last */
#define STATE_OUTPUTS_MAX 512u
#define STATE_PLACES_MAX 128u
#define STATE_KEPT_MAX 256u /* numbers of registers below it may be kept */

/* Kinds of records after those of the set. */
enum { STATE_MEMORY, STATE_STEPS, STATE_TEXTURE, STATE_FEED, STATE_SPECIALS };

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
    bool lacks_memory; /* in some run */
    struct gpucode_fuzz_kind kinds[FUZZ_STATE_KINDS + STATE_SPECIALS];
    unsigned own, kind_count; /* kinds of the set, which the special ones follow; all */
    bool kept[FUZZ_STATE_KINDS][STATE_KEPT_MAX];
    uint32_t values[STATE_VALUES_MAX];
    size_t value_count;
    uint32_t places[STATE_PLACES_MAX];
    uint64_t limit;
    uint64_t fed, fed_right; /* words fed in the last run; how many all inputs have, UINT64_MAX: any number */
    uint32_t texture[4];
    bool textured;

    void (*compared)(void *to, uint32_t value, uint32_t wanted); /* null: nobody asks */
    void *compared_to;

    struct fuzz_forbidden forbidden[FUZZ_FORBIDDEN_MAX]; /* of --assert */
    const char *forbidden_text[FUZZ_FORBIDDEN_MAX];
    unsigned forbidden_count;
    struct gpucode_fuzz_outcome broken; /* what a run has done of it; its key is empty: nothing */

    struct kit_fuzz_facts facts; /* of the last finding */
    size_t record_count;         /* of the last run */

    struct state *other; /* of --against; null: there is none */
    struct input *other_input;
    struct state_effects *effects; /* null: nobody compares */
    struct fuzz_state_output outputs[STATE_OUTPUTS_MAX];
    unsigned output_count;
};

/* The number of the register that a record of the kind sets. */
static inline uint32_t state_number(const struct fuzz_state_kind *kind, uint32_t word)
{
    uint32_t number = kind->count ? word % kind->count : word;
    return kind->unit ? number & ~(kind->unit - 1) : number;
}
/* The address that a record of memory begins at. */
static inline uint64_t state_address(const struct state *state, uint32_t word)
{
    return state->set->wide ? 4 * (uint64_t)word : word & ~UINT32_C(3);
}
/* Inputs leave the registers of a space alone that are given, of `count` from 0 on. */
void fuzz_state_keep(struct state *state, unsigned space, const bool *given, uint32_t count);
/* Does the record, or the part of the input that it is in, leave the register alone? `ran`: steps came before it. */
bool state_skips(const struct state *state, const struct gpucode_fuzz_record *record, bool ran);
/* Runs the records from the state of every run. */
void state_run(struct state *state, const struct gpucode_fuzz_record *records, size_t count);
/* Makes the subject; an exit code, with a message. */
int state_make(struct state *state, struct session *session, const struct input *input,
               const struct fuzz_state_set *set);
void state_close(struct state *state);
/* The events that the subject's hook needs now are listened for. */
void state_watch(struct state *state);
/* Notes a finding: what goes wrong, "" or where, and the text for people. */
void state_find(struct state *state, struct gpucode_fuzz_outcome *outcome, const char *what, const char *place,
                const char *text);

#endif
