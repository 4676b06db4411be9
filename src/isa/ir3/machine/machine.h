/* SPDX-License-Identifier: MIT */
/*
 * The machine of ir3: its state, programs prepared for it, and what its files share.
 *
 * A work group's fibers lie in waves. An issue is one instruction of one wave, for all fibers of it that stand there
 * together; what counts as an instruction of a run is an issue. So a run may be cut into pieces between any two of
 * them, and nothing depends on where.
 */
#ifndef ISA_IR3_MACHINE_MACHINE_H
#define ISA_IR3_MACHINE_MACHINE_H

#include "isa/ir3/ir3.h"
#include "isa/ir3/machine/number.h"
#include "isa/ir3/machine/state.h"
#include "isa/ir3/text/access.h"
#include "isa/machine.h"
#include <gpucode/ir3.h>

#define IR3_WAVE_MAX 64 /* fibers */
#define IR3_CALL_MAX 64 /* return addresses */
#define IR3_STEPS 4     /* of a repeat */
#define IR3_FILE 256    /* registers by their numbers; a0, a1 and p0 lie at theirs */
#define IR3_HALVES IR3_SHARED
#define IR3_SHARED_COUNT (IR3_SHARED_END - IR3_SHARED)
#define IR3_ALIASES 16

/* Where machine_core.files has local memory, and the private memory of a fiber. */
#define IR3_LOCAL_BASE UINT64_C(0)
#define IR3_PRIVATE_BASE(fiber) ((uint64_t)((fiber) + 1) << 32)

/* --- programs ----------------------------------------------------------------------------------------------------- */

/* What sources stand for: how consts and modifiers of them are understood. */

/* Operands that are read and written without further questions, whatever the step and component. */
enum ir3_direct { IR3_DIRECT_NOT, IR3_DIRECT_FULL, IR3_DIRECT_CONST, IR3_DIRECT_IMMEDIATE, IR3_DIRECT_PREDICATE };

struct ir3_operand {
    struct a3xx_access access;
    uint8_t meaning;           /* enum shader_meaning */
    bool none;                 /* there is no such operand: 0, or a result that goes nowhere */
    uint8_t direct;            /* enum ir3_direct */
    uint32_t value[IR3_STEPS]; /* of an immediate */
    uint32_t keep, flip;       /* modifiers that are bit operations: (value & keep) ^ flip */
    bool integer;              /* modifiers of integers */
};

struct ir3_op {
    uint16_t row;
    uint8_t category, steps, idle; /* issues; slots after it */
    bool plain;                    /* categories 1 to 4: the action gives one result for each fiber */
    bool alike;                    /* and can be done for many at once */
    bool flow, joins;              /* paths may part after it; (jp) */
    bool straight;                 /* goes on to the next instruction and leaves paths as they are */
    bool steers;                   /* or it does nothing beside: a branch, a jump, a (jp) */
    bool half, half_result, saturate, average, as_is, scalar;
    uint8_t sources, result_kind;
    uint8_t condition;          /* category 2 */
    uint8_t from, to, rounding; /* category 1 */
    bool inverts[2];            /* category 0 */
    int32_t offset;             /* category 0; of category 6 that of the address */
    uint8_t count;              /* category 6: elements */
    bool bindless;              /* category 6: its slot is that of a descriptor in memory */
    struct ir3_operand source[4], result;
    struct gpucode_insn insn;
};

struct ir3_program {
    struct ir3_op *ops;
    uint32_t count;
};
/* Prepares the image's words; everything lies in the arena. False: no memory. */
bool ir3_prepare(struct machine_core *core, struct ir3_program *program);

/* --- state -------------------------------------------------------------------------------------------------------- */

/* Values of policies; enumerators in the order of their text. */
struct ir3_choices {
#define CHOICE(name, member, values, preset, meaning) uint8_t member;
#define NUMBER(name, member, least, most, preset, meaning)
#include "isa/ir3/machine/policies.def"
#undef CHOICE
#undef NUMBER
    uint8_t merged; /* half registers lie in the full ones */
#define CHOICE(name, member, values, preset, meaning)
#define NUMBER(name, member, least, most, preset, meaning) uint32_t member;
#include "isa/ir3/machine/policies.def"
#undef CHOICE
#undef NUMBER
};

struct ir3_fiber {
    uint64_t path; /* equal where fibers are on one path */
    uint32_t pc;
    uint32_t depth;
    bool ended, killed;
    bool waits;     /* at a barrier */
    bool predicate; /* predt, predf: p0.x when they ran */
    bool seen;      /* hook and breakpoint of the instruction at pc have been dealt with */
    uint32_t call[IR3_CALL_MAX];
};

enum ir3_predication { IR3_PREDICATION_NONE, IR3_PREDICATION_TRUE, IR3_PREDICATION_FALSE };

struct ir3_alias {
    struct ir3_operand source;
    uint8_t number;
    bool half;
};

struct ir3_wave {
    uint32_t shared[2 * IR3_SHARED_COUNT]; /* full ones; where files are apart half ones after them */
    uint8_t predication;
    uint8_t aliases;
    struct ir3_alias alias[IR3_ALIASES];
};

struct ir3_bound {
    uint32_t field[GPUCODE_IR3_BUFFER_FIELDS];
};

struct ir3_state {
    struct shader_state all;    /* of machines of all generations */
    struct ir3_program program; /* in the arena */
    struct ir3_choices choice;
    struct ir3_bound buffer[GPUCODE_IR3_BUFFERS], ubo[GPUCODE_IR3_UBOS];
    uint32_t setup[GPUCODE_IR3_SETUP_COUNT];
    uint32_t bindless[GPUCODE_IR3_BASES][2];
    uint32_t push[GPUCODE_IR3_PUSHES];
    bool push_given[GPUCODE_IR3_PUSHES];
    uint32_t target[GPUCODE_IR3_TARGETS][GPUCODE_IR3_TARGET_FIELDS];
    uint32_t texture[GPUCODE_A3XX_TEXTURES][GPUCODE_A3XX_TEXTURE_FIELDS];
    uint32_t sampler[GPUCODE_IR3_SAMPLERS][GPUCODE_IR3_SAMPLER_FIELDS];
    bool begun;           /* what groups begin with is kept */
    bool preamble;        /* a wave of the group has run it, or runs it */
    uint32_t turn, taken; /* the wave that runs, and issues that it has run */
    uint64_t serial;
    uint64_t thread_slots, parted_slots;
    uint32_t stride; /* of the register files */
    uint32_t waves;
    struct ir3_wave wave[GPUCODE_IR3_FIBERS_MAX / 16];
    struct ir3_fiber fiber[]; /* choice.fibers, and after them the register files, twice: as they are, as they began */
};

/* Words of both files of all fibers. */
static inline size_t ir3_files_words(uint32_t stride)
{
    return (size_t)(IR3_FILE + IR3_HALVES) * stride;
}

static inline uint32_t *ir3_files(const struct ir3_state *state)
{
    return (uint32_t *)(void *)&state->fiber[state->choice.fibers];
}

/* Waves of the least width. */
static inline uint32_t ir3_waves_most(uint32_t fibers)
{
    return (fibers + 15) / 16;
}

/* Words of what groups begin with: both files, the registers of waves, and consts. */
static inline size_t ir3_kept_words(uint32_t stride, uint32_t fibers)
{
    return ir3_files_words(stride) + (size_t)ir3_waves_most(fibers) * 2 * IR3_SHARED_COUNT + A3XX_CONST_COUNT;
}

static inline uint32_t *ir3_files_end(const struct ir3_state *state)
{
    return ir3_files(state) + ir3_files_words(state->stride) + ir3_kept_words(state->stride, state->choice.fibers);
}

/* A register of all fibers, by its number in the file. */
static inline uint32_t *ir3_row_of(const struct ir3_state *state, bool half, uint32_t number)
{
    return ir3_files(state) + (size_t)(half * IR3_FILE + number) * state->stride;
}

extern const struct isa_machine ir3_machine;
extern const struct gpucode_policy ir3_policies[];
bool ir3_read_policies(struct machine_core *core, struct ir3_choices *choice, const struct gpucode_setting *settings);
uint32_t ir3_fibers_of(const struct gpucode_setting *settings);

/* --- running ------------------------------------------------------------------------------------------------------ */

/* Sources and results of categories 1 to 4, by lane. Results may lie where a source does. */
struct ir3_values {
    const uint32_t *a, *b, *c;
    uint32_t *d;
    unsigned count;
};

struct ir3_run {
    struct machine_core *core;
    struct ir3_state *state;
    struct gpucode_stop *stop;
    struct ir3_wave *wave;
    uint32_t first; /* fiber of the wave */
    unsigned width; /* fibers of the wave */
    /* of the issue: all fibers that stand there, and those that take part */
    uint16_t member[IR3_WAVE_MAX], lane[IR3_WAVE_MAX];
    unsigned members, lanes;
    uint32_t at;
    uint32_t next[IR3_WAVE_MAX]; /* by lane */
    unsigned index;              /* fiber, for stops and events */
    bool all;                    /* the members are all that can go on in the wave */
    uint32_t bound;              /* the least instruction where others of the wave stand, who go first there */
    bool dense;                  /* lanes are fibers one after the other */
    bool halted, hook_stops, flush, parted; /* parted: fibers of the wave that have not ended stand elsewhere */
    struct ir3_bound found;                 /* of a bindless descriptor */
    uint32_t a[IR3_WAVE_MAX], b[IR3_WAVE_MAX], c[IR3_WAVE_MAX], d[IR3_WAVE_MAX];
    uint32_t *files; /* ir3_files() */
    uint32_t stride;
    bool (*calculate)(const struct ir3_op *op, bool half_even,
                      const struct ir3_values *values); /* values.h; null: by lane */
};

#define IR3_HALT(run, reason, ...)                                                                                     \
    do {                                                                                                               \
        if (!(run)->halted)                                                                                            \
            isa_stop((run)->stop, (reason), __VA_ARGS__);                                                              \
        (run)->halted = true;                                                                                          \
    } while (0)

/* wave.c: runs issues, at most `limit`, or as many in which `one` takes part; returns how many of these. */
uint64_t ir3_run_waves(struct ir3_run *run, uint64_t limit, const struct ir3_fiber *one);
/* flow.c: what rows of category 0 and 7 do with the lanes of a wave. */
enum ir3_branch { IR3_BRANCH_EACH, IR3_BRANCH_ANY, IR3_BRANCH_ALL, IR3_BRANCH_BOTH, IR3_BRANCH_EITHER };
void ir3_branch(struct ir3_run *run, const struct ir3_op *op, enum ir3_branch how);
void ir3_flow(struct ir3_run *run, const struct ir3_op *op);

/* registers.c: values of an operand for all lanes, `component` registers on, at a step of a repeat. */
void ir3_fetch(struct ir3_run *run, const struct ir3_operand *operand, unsigned step, unsigned component,
               uint32_t *values);
void ir3_put(struct ir3_run *run, const struct ir3_operand *result, unsigned step, unsigned component,
             const uint32_t *values);
/* The same of a register by its number, of one fiber; half ones by the rules of the file. */
uint32_t ir3_read_register(const struct ir3_state *state, unsigned fiber, bool half, uint32_t number);
void ir3_write_register(struct ir3_state *state, unsigned fiber, bool half, uint32_t number, uint32_t value);
static inline struct ir3_wave *ir3_wave_of(const struct ir3_state *state, unsigned fiber)
{
    return (struct ir3_wave *)&state->wave[fiber / state->choice.width];
}
void ir3_raise(struct ir3_run *run, enum gpucode_event_kind kind, unsigned fiber, unsigned space, uint64_t address,
               uint64_t value, uint64_t old);

/* A full register of all lanes from the first on, which are side by side or one. */
static inline uint32_t *ir3_lanes_row(const struct ir3_run *run, uint32_t number)
{
    return run->files + (size_t)number * run->stride + run->lane[0];
}

/* Is it a full register as it is, with its row of the lanes' file? */
static inline bool ir3_is_bare(const struct ir3_operand *operand)
{
    return operand->direct == IR3_DIRECT_FULL && !operand->integer && !operand->flip && operand->keep == UINT32_MAX;
}

/* A source of one lane, the first, without the modifiers that need more. */
static inline uint32_t ir3_fetch_one(struct ir3_run *run, const struct ir3_operand *operand, unsigned step)
{
    const struct a3xx_access *access = &operand->access;
    uint32_t number = (uint32_t)access->number + (access->steps ? step : 0), value;
    switch (operand->direct) {
    case IR3_DIRECT_FULL:
        value = *ir3_lanes_row(run, number);
        break;
    case IR3_DIRECT_CONST:
        value = run->state->all.consts[number];
        break;
    case IR3_DIRECT_IMMEDIATE:
        value = operand->value[step % IR3_STEPS];
        break;
    default:
        ir3_fetch(run, operand, step, 0, &value);
        return value;
    }
    return operand->integer ? a3xx_modify_integer(access->half, access->neg, access->abs, value)
                            : (value & operand->keep) ^ operand->flip;
}

/* exec.c: runs an instruction for the lanes. */
void ir3_execute(struct ir3_run *run, const struct ir3_op *op);
/* registers.c: stops at what nobody knows. */
void ir3_trap(struct ir3_run *run, const struct ir3_op *op);
/* An operand of category 5 and 6 by the letter of its field; null: the row has none. */
const struct ir3_operand *ir3_operand_of(const struct ir3_op *op, char letter);
unsigned ir3_field(const struct ir3_op *op, char letter);

/* memory.c */
enum ir3_space { IR3_GLOBAL, IR3_LOCAL, IR3_PRIVATE };
enum ir3_atomic {
    IR3_ADD,
    IR3_SUB,
    IR3_XCHG,
    IR3_INC,
    IR3_DEC,
    IR3_CMPXCHG,
    IR3_MIN,
    IR3_MAX,
    IR3_AND,
    IR3_OR,
    IR3_XOR
};
/* Where an atomic operation's value lies, by the forms of the rows. */
enum ir3_atomic_form { IR3_ATOMIC_LOCAL, IR3_ATOMIC_S, IR3_ATOMIC_G, IR3_ATOMIC_B };
void ir3_memory(struct ir3_run *run, const struct ir3_op *op);
void ir3_atomic(struct ir3_run *run, const struct ir3_op *op, enum ir3_atomic_form form, enum ir3_atomic action);
/* texture.c */
enum ir3_look { IR3_LOOK_SAMPLE, IR3_LOOK_FETCH, IR3_LOOK_GATHER, IR3_LOOK_SIZE, IR3_LOOK_LEVELS, IR3_LOOK_LOD };
void ir3_look_up(struct ir3_run *run, const struct ir3_op *op, enum ir3_look how, unsigned channel);
/* lanes.c: what looks at other fibers. */
void ir3_lanes(struct ir3_run *run, const struct ir3_op *op);

/* spaces.c: isa_machine's read and write; what there is, is ir3_spaces */
bool ir3_space_read(const struct machine_core *core, const void *state, unsigned fiber, unsigned space, uint32_t number,
                    uint32_t *value);
bool ir3_space_write(struct machine_core *core, void *state, unsigned fiber, unsigned space, uint32_t number,
                     uint32_t value);

/* Strict timing: which registers have results on their way, and who uses them too early. */

/* Bytes after the register files, of a machine with strict timing. */
size_t ir3_timing_size(uint32_t fibers);
void ir3_timing_begin(struct ir3_state *state);
/* False: the instruction that is to be issued uses what is not there, and the run is halted. */
bool ir3_timing_check(struct ir3_run *run, const struct ir3_op *op);
/* The members have gone on, and may stand at several places. */
void ir3_timing_part(struct ir3_run *run);

#endif
