/* SPDX-License-Identifier: MIT */
/* The A3XX machine: its state, programs prepared for it, and what its files share. */
#ifndef ISA_IR3_A3XX_MACHINE_MACHINE_H
#define ISA_IR3_A3XX_MACHINE_MACHINE_H

#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/machine/number.h"
#include "isa/ir3/machine/state.h"
#include "isa/machine.h"
#include <gpucode/a3xx.h>

#define A3XX_QUAD 4      /* threads that derivatives are taken in: 0 to 3, 4 to 7 and so on */
#define A3XX_CALL_MAX 64 /* return addresses, at most */
#define A3XX_NOWHERE 256 /* where writes to r63 go: after what register numbers reach */
#define A3XX_FILE_ROOM 260
#define A3XX_LANES 16          /* threads that run side by side: groups' rows of registers have a multiple of them */
#define A3XX_LOCAL_BYTES 32768 /* of local memory (A3XX notes, category 6) */

/* Where machine_core.files has local memory, and the private memory of a thread. */
#define A3XX_LOCAL_BASE UINT64_C(0)
#define A3XX_PRIVATE_BASE(thread) ((uint64_t)((thread) + 1) << 32)

/* --- programs ---------------------------------------------------------------------------------------------------- */

/* The arrays that sources come from. a0 and p0 lie in the full file at their register numbers. */
enum a3xx_place { A3XX_IN_FULL, A3XX_IN_HALF, A3XX_IN_CONST, A3XX_IN_POOL, A3XX_PLACES };

/* Why a source or result needs more than a look into an array. */
enum {
    A3XX_SLOW_RELATIVE = 1,  /* a0.x is added */
    A3XX_SLOW_FLOAT = 2,     /* a const that a half operand sees as f16 */
    A3XX_SLOW_LOW = 4,       /* a const whose low 16 bits a half operand sees */
    A3XX_SLOW_INTEGER = 8,   /* integer modifiers */
    A3XX_SLOW_RANGE = 16,    /* steps past the last register */
    A3XX_SLOW_TIMED = 32,    /* a register under strict timing */
    A3XX_SLOW_CHAINED = 64,  /* category 4, which sees results of category 4 before their writeback */
    A3XX_SLOW_ADDRESS = 128, /* the result is a0.x, which has 16 bits */
};

struct a3xx_set; /* of registers */

struct a3xx_operand {
    uint8_t place;
    uint8_t slow;
    uint8_t steps; /* 1: the number rises with each step of a repeat */
    bool half, neg, abs;
    uint8_t delay;       /* strict timing: slots after which a result of arithmetic is there */
    int16_t timed;       /* strict timing: the register in the row of all registers; -1: none */
    int32_t number;      /* of the register or const, index into the pool, or offset from a0.x */
    int32_t at, pace;    /* words from the beginning of the array, for the running thread, and between two steps */
    uint32_t keep, flip; /* modifiers that are bit operations: (value & keep) ^ flip */
};

/* What the threads of a group must look out for at an instruction. */
enum a3xx_group_role {
    A3XX_GROUP_FLOW = 1, /* divergence is possible after it */
    A3XX_GROUP_MARK = 2, /* (jp): paths reconverge here */
    A3XX_GROUP_QUAD = 4, /* it looks at the other threads of the quad */
};

enum { A3XX_SYNC_SS = 1, A3XX_SYNC_SY = 2 };

/* How a3xx_run_lanes() does an instruction for all threads at once. */
enum a3xx_lane_kind {
    A3XX_LANES_NOT,     /* each thread by itself */
    A3XX_LANES_ACTION,  /* by the row's action */
    A3XX_LANES_CONVERT, /* the same, where a quicker way may be known */
    A3XX_LANES_VARYING, /* bary.f */
    A3XX_LANES_NOTHING, /* its slots pass */
    A3XX_LANES_FLOW,
    A3XX_LANES_TRANSFER, /* loads and stores, thread by thread, where nothing stands in the way of any of them */
    A3XX_LANES_LOOK,     /* the same of looks into textures */
};

/* Of A3XX_LANES_LOOK: enum a3xx_lookup_kind and the channel. */
#define A3XX_LOOK(how, channel) ((how) + 8u * (channel))
#define A3XX_LOOK_KIND(look) ((enum a3xx_lookup_kind)((look) % 8))
#define A3XX_LOOK_CHANNEL(look) ((look) / 8)

/* What loads and stores of A3XX_LANES_TRANSFER do: enum a3xx_space, and these. */
enum { A3XX_TRANSFER_SPACE = 3, A3XX_TRANSFER_STORE = 4, A3XX_TRANSFER_DIRECT = 8 };

struct a3xx_op {
    uint16_t row;
    uint8_t repeat;
    bool plain; /* category 1 to 4: the action gives one result */
    uint8_t sources;
    bool half; /* sources have 16 bits */
    bool half_result;
    bool saturate;
    uint8_t result_kind;
    uint8_t condition;                     /* category 2; category 0: component of p0 */
    bool invert;                           /* category 0 */
    int16_t offset;                        /* category 0 */
    uint8_t from, to, rounding;            /* category 1 */
    struct a3xx_operand source[4], result; /* the fourth: the address of a global atomic operation */
    uint8_t group_role;                    /* enum a3xx_group_role */
    bool as_is;                            /* the action's result needs no conversion */
    uint8_t lanes;                         /* enum a3xx_lane_kind */
    uint8_t transfer;                      /* of A3XX_LANES_TRANSFER: how */
    uint8_t look;                          /* of A3XX_LANES_LOOK: which */
    uint8_t unit;                          /* strict timing: enum a3xx_unit */
    uint8_t syncs;                         /* strict timing: what it waits for */
    bool brief;                            /* strict timing: one step of arithmetic that waits for nothing */
    const struct a3xx_set *reads;          /* strict timing: registers that may be read late; null: not known yet */
    uint64_t bits;
};

struct a3xx_program {
    struct a3xx_op *ops;
    uint32_t count;
    uint32_t *pool; /* immediates, one for each step; pool[0] is 0 */
};
/*
 * Prepares the image's words; everything lies in the arena. `all_saturate`: (sat) works on bary.f, sel and category 4
 * too. `stride`: a3xx_stride(). False: no memory.
 */
bool a3xx_prepare(struct machine_core *core, bool all_saturate, uint32_t stride, struct a3xx_program *program);

/* --- state ------------------------------------------------------------------------------------------------------- */

/* Policy a3xx-reconvergence: which path runs first, and where threads come together again. */
enum a3xx_reconvergence { A3XX_RECONVERGE_CALLS, A3XX_RECONVERGE_LEAST, A3XX_RECONVERGE_MARKS };

/* Values of policies; enumerators in the order of their text. */
struct a3xx_choices {
#define LATENCY(name, preset, meaning)
#define CHOICE(name, member, values, preset, meaning) uint8_t member;
#define NUMBER(name, member, least, most, preset, meaning)
#include "isa/ir3/machine/policies.def"
#undef CHOICE
#undef NUMBER
#define CHOICE(name, member, values, preset, meaning)
#define NUMBER(name, member, least, most, preset, meaning) uint32_t member;
#include "isa/ir3/machine/policies.def"
#undef CHOICE
#undef NUMBER
#undef LATENCY
};

struct a3xx_thread {
    uint32_t pc;
    uint32_t depth;
    uint32_t path[2]; /* policy a3xx-reconvergence=marks: equal where threads are on one path */
    bool ended, killed;
    bool seen; /* hook and breakpoint of the instruction at pc have been dealt with */
    bool due;  /* it has still to run the instruction that the group is in the middle of */
};

/* What a group of more than one thread keeps beside them. */
struct a3xx_group {
    uint64_t thread_slots;   /* issue slots, counted for each thread that ran in them */
    uint64_t diverged_slots; /* issue slots with divergence: threads that had not ended were not in them */
    bool open;               /* a run ended in the middle of an instruction: some threads are due */
    bool begun;              /* its issue slots are counted */
    bool diverged;           /* there was divergence when it was chosen */
    uint32_t at;             /* which instruction */
    uint32_t quad;           /* whose sources `around` has, from 1 on; 0: none */
    /* The first source's vector of a quad's threads, before any of them ran the instruction: for derivatives. */
    uint32_t around[A3XX_QUAD][GPUCODE_A3XX_LOOKUP_VALUES];
};

/* What can be otherwise than in the snapshot that was last taken or put back, beside the threads' own state. */
struct a3xx_changes {
    bool all, calls, inputs; /* anything; return addresses; what the host alone writes */
    uint32_t fixed, count;   /* rows that the program writes, and with those that the host has written */
    uint16_t rows[2 * A3XX_FILE_ROOM];
    bool has[2 * A3XX_FILE_ROOM];
};

struct a3xx_texture {
    uint32_t field[GPUCODE_A3XX_TEXTURE_FIELDS];
};

struct a3xx_state {
    struct shader_state all;     /* of machines of all generations */
    struct a3xx_program program; /* in the arena */
    struct a3xx_choices choice;
    struct a3xx_texture texture[GPUCODE_A3XX_TEXTURES];
    struct a3xx_group group;
    struct a3xx_changes *changes; /* in the arena */
    const struct a3xx_lane_set *lanes;
    uint32_t stride;             /* of the register files */
    struct a3xx_thread thread[]; /* choice.threads, and after them the register files and return addresses */
};

/*
 * A register file of all threads: register after register, of each the threads' values side by side, so that what a
 * group does to a register is one loop over memory. A row has `stride` words, of which the last may be nobody's.
 */
static inline uint32_t a3xx_stride(uint32_t threads)
{
    /* whole vectors; an odd number of them, because rows a power of two apart are in each other's way in the cache */
    return threads < A3XX_QUAD ? threads : (threads + A3XX_LANES - 1) / A3XX_LANES * A3XX_LANES | A3XX_LANES;
}

static inline uint32_t *a3xx_file(struct a3xx_state *state, bool half)
{
    return (uint32_t *)(void *)&state->thread[state->choice.threads] + (half ? A3XX_FILE_ROOM * state->stride : 0);
}

static inline uint32_t *a3xx_register(struct a3xx_state *state, unsigned thread, bool half, uint32_t number)
{
    return a3xx_file(state, half) + (size_t)number * state->stride + thread;
}

/* A thread's return addresses. */
static inline uint32_t *a3xx_stack(struct a3xx_state *state, unsigned thread)
{
    return a3xx_file(state, false) + (size_t)(2 * A3XX_FILE_ROOM) * state->stride + (size_t)thread * A3XX_CALL_MAX;
}

/* Bytes of the state of so many threads. */
static inline size_t a3xx_state_size(uint32_t threads)
{
    return sizeof(struct a3xx_state) + threads * (sizeof(struct a3xx_thread) + A3XX_CALL_MAX * sizeof(uint32_t)) +
           2 * sizeof(uint32_t) * A3XX_FILE_ROOM * a3xx_stride(threads);
}

extern const struct isa_machine a3xx_machine;
extern const struct gpucode_policy a3xx_policies[];
/* Threads of a machine with these settings, at most GPUCODE_A3XX_THREADS_MAX whatever they say. */
uint32_t a3xx_width(const struct gpucode_setting *settings);
/* Latency number `index` and the name of what has it; null after the last. */
enum {
    A3XX_LATENCY_SPECIAL,
    A3XX_LATENCY_LOCAL,
    A3XX_LATENCY_TEXTURE,
    A3XX_LATENCY_GLOBAL,
    A3XX_LATENCY_PRIVATE,
    A3XX_LATENCIES
};
#define A3XX_LATENCY_MAX 1000000
const char *a3xx_latency(const struct gpucode_setting *settings, unsigned index, uint64_t *slots);
bool a3xx_read_policies(struct machine_core *core, struct a3xx_choices *choice, const struct gpucode_setting *settings);

/* --- running ----------------------------------------------------------------------------------------------------- */

struct a3xx_run {
    /* a3xx_execute(), which strict timing calls again for instructions whose sources have changed */
    void (*execute)(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, unsigned last);
    struct machine_core *core;
    struct a3xx_state *state;
    struct a3xx_thread *thread;
    struct gpucode_stop *stop;
    const uint32_t *place[A3XX_PLACES];
    uint32_t *file[2]; /* full and half registers of the thread; the next register is `stride` words after */
    uint32_t stride;
    uint32_t *rows[2]; /* full and half registers of all threads */
    bool preset;       /* all that is calculated goes by the presets of the policies */
    unsigned index;    /* of the thread */
    uint32_t at, next; /* the instruction, and the one to come */
    bool halted;       /* *stop says why */
    bool hook_stops;
    bool flush; /* denormals are zeros */
    /* strict timing: of the instruction; the one whose changed sources are read again, or null */
    bool strict;
    uint8_t unit;
    const struct a3xx_open *again;
    struct a3xx_flight *flights; /* what is on its way, by thread, and the first row of values that belong to it */
    uint32_t *timed;
    bool waited; /* sources are looked at for an instruction whose (sy) is still to be done */
    /* for derivatives: the threads of the quad, and how many it has; null: alone */
    const struct a3xx_group *quad;
    unsigned quad_count;
    uint32_t counted; /* issue slots that core->time is ahead of where the instruction began */
};

/* Runs one instruction of run->thread, or some of its steps. */
void a3xx_execute(struct a3xx_run *run, const struct a3xx_op *op, unsigned step, unsigned last);

/* group.c: runs all threads, at most `limit` instructions of theirs; returns how many. */
uint64_t a3xx_run_group(struct a3xx_run *run, uint64_t limit);

uint32_t a3xx_fetch_slow(struct a3xx_run *run, const struct a3xx_operand *operand, unsigned step);
/* Component `component` after an operand; for vectors of category 2, 5 and 6. */
uint32_t a3xx_fetch_component(struct a3xx_run *run, const struct a3xx_operand *operand, unsigned component);
static inline uint32_t a3xx_fetch(struct a3xx_run *run, const struct a3xx_operand *operand, unsigned step)
{
    if (__builtin_expect(operand->slow, 0))
        return a3xx_fetch_slow(run, operand, step);
    return (run->place[operand->place][operand->at + operand->pace * (int)step] & operand->keep) ^ operand->flip;
}
/* A register of the thread. */
static inline uint32_t *a3xx_thread_register(const struct a3xx_run *run, bool half, int number)
{
    return run->file[half] + (ptrdiff_t)number * (int)run->stride;
}
/* Writes a value of the result's width to the result register, `component` after it. */
void a3xx_put(struct a3xx_run *run, const struct a3xx_operand *result, unsigned component, uint32_t value);

/* changes.c: notes what has changed since a snapshot, and puts that back. */
bool a3xx_changes_begin(struct machine_core *core, struct a3xx_state *state);
void a3xx_changes_note(struct a3xx_state *state, bool half, uint32_t number);
void a3xx_mark(struct machine_core *core, void *state);
void a3xx_put_back(struct machine_core *core, void *state, const void *from, size_t size);

/* spaces.c: isa_machine's read and write; what there is, is a3xx_spaces */
bool a3xx_space_read(const struct machine_core *core, const void *state, unsigned thread, unsigned space,
                     uint32_t number, uint32_t *value);
bool a3xx_space_write(struct machine_core *core, void *state, unsigned thread, unsigned space, uint32_t number,
                      uint32_t value);

/* What rows with a function of their own name. */
enum a3xx_lookup_kind { A3XX_SAMPLE, A3XX_FETCH, A3XX_GATHER, A3XX_SIZE, A3XX_LEVELS };
void a3xx_look_up(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_lookup_kind how, unsigned channel);
/* Does it choose a level by what its neighbours look at? */
bool a3xx_looks_around(const struct a3xx_op *op);
/* Components of the first source that a3xx_group.around has of each thread, after the write mask's. */
unsigned a3xx_around_count(const struct a3xx_op *op);

enum a3xx_space { A3XX_GLOBAL, A3XX_LOCAL, A3XX_PRIVATE };
void a3xx_load(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_space space);
/* `direct`: the form without offset. */
void a3xx_store(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_space space, bool direct);
enum a3xx_atomic {
    A3XX_ADD,
    A3XX_SUB,
    A3XX_XCHG,
    A3XX_INC,
    A3XX_DEC,
    A3XX_CMPXCHG,
    A3XX_MIN,
    A3XX_MAX,
    A3XX_AND,
    A3XX_OR,
    A3XX_XOR
};
void a3xx_atomic(struct a3xx_run *run, const struct a3xx_op *op, enum a3xx_space space, enum a3xx_atomic action);

/* exec.c: raises an event for each register that the instruction reads, and for each two values that it compares. */
void a3xx_report_sources(struct a3xx_run *run, const struct a3xx_op *op);
/* exec.c: the fault of a thread at the end of the code. */
void a3xx_run_off(struct a3xx_run *run);
/* Calls the hook; the machine stops where it asks for that. */
void a3xx_raise_event(struct a3xx_run *run, enum gpucode_event_kind kind, unsigned space, uint64_t address,
                      uint64_t value, uint64_t old);

#define A3XX_HALT(run, reason, ...)                                                                                    \
    do {                                                                                                               \
        if (!(run)->halted)                                                                                            \
            isa_stop((run)->stop, (reason), __VA_ARGS__);                                                              \
        (run)->halted = true;                                                                                          \
    } while (0)

/* What one thread's loads and stores and those of many have in common. */

/* Bytes that a thread sees of a memory. */
static inline int64_t a3xx_space_size(const struct a3xx_choices *choice, enum a3xx_space space)
{
    return space == A3XX_GLOBAL  ? INT64_C(1) << 32
           : space == A3XX_LOCAL ? A3XX_LOCAL_BYTES
                                 : (int64_t)choice->private_bytes;
}

/* Of an element. */
static inline unsigned a3xx_transfer_bytes(const struct a3xx_op *op)
{
    static const uint8_t bytes[8] = {2, 4, 2, 4, 2, 4, 1, 1};
    return bytes[A3XX_FIELD(op->bits, MEMORY_TYPE)];
}

/* So many elements at most are loaded or stored for all threads at once; the field has room for more than anybody uses.
 */
#define A3XX_TRANSFER_COUNT 8

/* What is added to the address. */
static inline int a3xx_transfer_offset(const struct a3xx_op *op, bool store, bool direct)
{
    return direct  ? 0
           : store ? a3xx_store_offset(op->bits)
                   : shader_signed(A3XX_FIELD(op->bits, LOAD_OFFSET), A3XX_LOAD_OFFSET_WIDTH);
}

/* --- memory that may not be written ------------------------------------------------------------------------------ */

#define A3XX_BYTES_AT_MOST 32 /* that anybody reads at once */

const unsigned char *a3xx_bytes_at_slow(struct pages *pages, uint64_t place);
/* The bytes at a place, of which no more may be read than its page has; null: there are none. */
static inline const unsigned char *a3xx_bytes_at(struct pages *pages, uint64_t place)
{
    const struct pages_cached *slot = pages_slot(pages, place);
    if (slot->number != (place >> PAGE_BITS) + 1)
        return a3xx_bytes_at_slow(pages, place);
    return slot->bytes + (place & (PAGE_BYTES - 1));
}

#endif
