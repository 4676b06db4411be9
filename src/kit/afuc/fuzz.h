/* SPDX-License-Identifier: MIT */
/*
 * Firmware under fuzz. An input is packets in records, with buffers that they call, what memory and registers answer,
 * and preemption between them.
 *
 *   fuzz.c          the subject, and making it: machine, boot, kinds
 *   fuzz_run.c      one run, and a finding as it is noted
 *   fuzz_judge.c    what is a finding, by itself and because the user forbids it
 *   fuzz_kinds.c    which records there are
 *   fuzz_values.c   words worth trying, out of the code
 *   fuzz_plan.c     records become words, memory and registers
 *   fuzz_cause.c    where a value of the input leads control
 *   fuzz_against.c  the same on another firmware
 *   fuzz_text.c     inputs as files of packets, and out of them and of recorded streams
 */
#ifndef KIT_AFUC_FUZZ_H
#define KIT_AFUC_FUZZ_H

#include "front/input.h"
#include "kit/fuzz.h"
#include <gpucode/analysis.h>
#include <gpucode/machine.h>
#include <gpucode/packet.h>

#define FUZZ_OPCODES (GPUCODE_PACKET_OPCODE_MAX + 1)
#define FUZZ_PROCESSORS 8u
#define FUZZ_DEPTH 4u            /* the ring, and buffers inside one another */
#define FUZZ_BUFFERS 0x10000000u /* where buffers lie, */
#define FUZZ_BUFFER_STEP 0x8000u /* and how far apart */
#define FUZZ_MEMORY 0x20000000u  /* where packets find and leave their data */
#define FUZZ_NO_OPCODE 0xffu

/* --- records becoming a run (fuzz_plan.c) --- */

enum plan_kind { PLAN_FEED, PLAN_STORE, PLAN_SET, PLAN_PREEMPT };
struct plan_step {
    enum plan_kind kind;
    uint64_t address;      /* STORE; SET: the register */
    uint32_t first, count; /* of plan->words; SET: the value */
};
struct plan {
    unsigned count;
    struct plan_step steps[2 * GPUCODE_FUZZ_RECORDS_MAX + 2];
    uint32_t used;
    uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * (GPUCODE_FUZZ_WORDS_MAX + 5)];
    bool foreign; /* a packet may lead to words that are not packets of the input */
};

/* --- what the user forbids (fuzz_assert.c) --- */

struct fuzz_assert {
    char *text; /* its own */
    struct fuzz_forbidden what;
    bool any_by_addr;  /* any GPU register, through $addr */
    bool with_payload; /* the number or address stands in the packet */
    unsigned level;    /* at this level and above */
};

/* What a run does outside, a hash for each packet; 0 is what comes before the first (fuzz_against.c). */
#define FUZZ_PACKETS 256u
struct fuzz_effects {
    unsigned count;
    uint8_t opcode[FUZZ_PACKETS];
    uint64_t hash[FUZZ_PACKETS];
};

struct fuzzed {
    struct session *session;
    const struct input *input;
    struct gpucode_machine *machine;
    struct gpucode_snapshot *start;
    struct gpucode_analysis *analysis; /* null: nothing is known of such code */
    struct gpucode_setting *settings;
    unsigned processor;
    uint64_t limit; /* instructions of a packet */
    bool checked;   /* a file that was read asks to be judged */

    struct fuzzed *other; /* of --against; null: there is none */
    struct input *other_input;
    struct fuzz_effects *effects; /* null: nobody compares */

    /* kinds */
    struct gpucode_fuzz_kind kinds[GPUCODE_FUZZ_KINDS_MAX];
    char names[FUZZ_OPCODES][GPUCODE_NAME_MAX];
    uint8_t opcodes[FUZZ_OPCODES]; /* of the kinds that are packets */
    unsigned packets;              /* how many these are; the special kinds follow */
    unsigned kind_count;
    uint32_t *values[FUZZ_OPCODES + 2]; /* by kind; then registers; then those for all */
    size_t value_counts[FUZZ_OPCODES + 2];
    int indirect, draw_state; /* opcodes of the packets that call; -1: none */

    /* registers that are looked at; GPUCODE_NONE: there is no such register */
    uint32_t sp, level, trigger, dwords[8], addr, usraddr;

    /* how control leaves words of the section, and where jumps through registers may go (fuzz_cause.c) */
    uint8_t *leaves, *calls;
    uint64_t *known; /* site << 32 | target */
    size_t known_count;
    uint32_t first_code; /* what stands before it is the header */
    uint32_t handlers[FUZZ_OPCODES];
    unsigned packet4; /* opcode that stands for packets of type 4 */
    uint8_t *map, *kept_map;
    size_t map_size;

    /* a run */
    struct kit_fuzz_facts facts;
    struct plan plan;
    struct gpucode_stop stop;
    bool lacks_memory; /* in some run */
    struct gpucode_fuzz_outcome *outcome;
    uint8_t opcode[FUZZ_PROCESSORS]; /* of the packet in hand */
    uint32_t level_before[FUZZ_PROCESSORS], sp_before[FUZZ_PROCESSORS];
    uint64_t began;    /* the time when the last packet was taken */
    unsigned taken;    /* packets that were */
    uint32_t selected; /* $addr or $usraddr, whichever was written last */
    const struct gpucode_fuzz_record *records;
    size_t record_count;
    struct fuzz_assert asserts[FUZZ_FORBIDDEN_MAX];
    unsigned assert_count;
    void (*compared)(void *to, uint32_t value, uint32_t wanted);
    void *compared_to;
    uint8_t *constant; /* by word of the section: it writes a register that the code alone chooses */
    uint32_t constant_count;
    bool probing; /* see fuzz_assert.c */
    uint64_t probe_number, probe_pc;
    bool probe_seen;
};

/* Special kinds, after those of packets. */
enum fuzz_special {
    FUZZ_REGISTERS, /* type 4: the first register, and values */
    FUZZ_BUFFER,    /* an indirect buffer of the records after it */
    FUZZ_GROUP,     /* a draw-state group of them; a word: flags and number */
    FUZZ_END,       /* of either */
    FUZZ_STORE,     /* memory: address, its upper half, words */
    FUZZ_SET,       /* a GPU register: number, value */
    FUZZ_PREEMPT,   /* all above is taken, then a context switch is asked for */
    FUZZ_SPECIALS
};

static inline struct fuzzed *fuzzed_of(const struct gpucode_fuzz_subject *subject)
{
    return subject->user;
}

/* --- fuzz.c --- */
extern const struct kit_fuzz afuc_fuzz;
/* Runs the machine, and notes where the computer had no memory for it. */
void fuzz_run_machine(struct fuzzed *fuzzed, uint64_t limit);
/* From the state of every run: gives the plan and runs it. */
void fuzz_run_plan(struct fuzzed *fuzzed);
/*
 * Judges the files of --packets that ask for it (`.check`), each from the boot on, as `fuzz --try` does; the key of the
 * outcome stays empty where nothing is found. Complains and returns an exit code.
 */
int fuzz_check_files(struct session *session, const struct input *input, struct gpucode_fuzz_outcome *outcome);
uint32_t fuzz_read(const struct fuzzed *fuzzed, unsigned processor, unsigned space, uint32_t number);

/* fuzz_kinds.c: kinds by the packet table that boot has filled; false: no memory */
bool fuzz_find_kinds(struct fuzzed *fuzzed);
/* fuzz_values.c: false: no memory */
bool fuzz_find_values(struct fuzzed *fuzzed);
/* fuzz_plan.c */
void fuzz_plan(struct fuzzed *fuzzed, const struct gpucode_fuzz_record *records, size_t count);

/* --- fuzz_judge.c --- */
/* Watches with it what findings need, and `more` kinds of events. */
void fuzz_watch_on(struct fuzzed *fuzzed, unsigned more);
/* What the stop means. */
void fuzz_judge(struct fuzzed *fuzzed);
void fuzz_find(struct fuzzed *fuzzed, const char *what, unsigned processor, uint64_t place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
unsigned fuzz_level(const struct fuzzed *fuzzed, unsigned processor);
const char *fuzz_packet_name(const struct fuzzed *fuzzed, unsigned processor);

/* --- fuzz_cause.c --- */
/* Looks at how control leaves the words of the code; false: no memory. */
bool fuzz_find_jumps(struct fuzzed *fuzzed);
/* Makes the finding that the last run has ended with one of where a value of the input has led control, if it has. */
void fuzz_find_cause(struct fuzzed *fuzzed);

/* --- fuzz_judge.c: what the user forbids --- */
/* Takes --assert. Complains and returns an exit code. */
int fuzz_take_asserts(struct fuzzed *fuzzed);
/* Takes one; `place` is where it stands, null: in the arguments. Complains and returns an exit code. */
int fuzz_take_assert(struct fuzzed *fuzzed, const char *text, const struct gpucode_diagnostic *place);
void fuzz_forget_asserts(struct fuzzed *fuzzed);
/* Takes back a finding about payload that the payload has no part in. */
void fuzz_assert_confirm(struct fuzzed *fuzzed);

/* --- fuzz_against.c --- */
void fuzz_begin_effects(struct fuzzed *fuzzed);
void fuzz_note_effect(struct fuzzed *fuzzed, const struct gpucode_event *event);
/* Runs the plan that has run on the other firmware; the outcome is what differs. */
void fuzz_compare_other(struct fuzzed *fuzzed);

/* --- fuzz_text.c: members of struct kit_fuzz --- */
void fuzz_write_text(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size,
                     const struct kit_fuzz_files *files, FILE *out);
void fuzz_write_debugger(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size, FILE *out);
int fuzz_read_text(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                   unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size);
int fuzz_take_seeds(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                    const struct kit_fuzz_sink *sink);

#endif
