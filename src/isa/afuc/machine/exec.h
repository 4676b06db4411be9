/* SPDX-License-Identifier: MIT */
/*
 * The AFUC machine: its state, and what its files share. docs/afuc-machine.md describes the model.
 *
 *   policies.c   making a machine: what nobody knows, what a host sets up, registers by name, processors
 *   decode.c     sections as arrays of decoded instructions, and blocks of them
 *   exec.c       functions of insn.def, control flow
 *   loop.inc     the run loops loop_plain.c, loop_counted.c, loop_observed.c; loop_rows.inc: what becomes of a row;
 *                loop.h: what happens between instructions, and functions as blocks have them
 *   modifier.c   (rep), (xmovN), (peek) and the registers that are queues
 *   access.c     load, store, cread, cwrite, sread, swrite
 *   control.c    control registers that do something
 *   groups.c     draw state
 *   gpu.c        GPU and pipe registers, protection, memory writes, what events write
 *   queue.c      where packet words come from; the queue between two processors of a5xx; packet headers
 *   schedule.c   several processors in turn, hang detection, which run loop runs a batch
 *   evaluate.c   results of instructions that calculate, for modifier.c
 *   event.c      stops, and what hooks are told of
 *   emulator.c   the plug into the machine room
 */
#ifndef ISA_AFUC_MACHINE_EXEC_H
#define ISA_AFUC_MACHINE_EXEC_H

#include "isa/afuc/afuc.h"
#include "isa/machine.h"

#define CONTROL_COUNT 0x1000u
#define CONTROL_NONE                                                                                                   \
    CONTROL_COUNT /* stands for a register that the chip does not have: it reads 0 and is never written */
#define CONTROL_BLOCK (CONTROL_COUNT / 64)
#define SHARED_COUNT 0x100u /* shared scratch: control registers from SHARED_FIRST on */
#define SHARED_FIRST 0x200u
#define GPU_COUNT 0x40000u
#define GPU_NONE GPU_COUNT
#define PIPE_COUNT 0x100u
#define SQE_COUNT 16u
#define TABLE_COUNT 128u
#define GROUP_COUNT 32u /* draw-state groups */
#define PROCESSORS_MAX 8u
#define WATCH_FIRST 4096u /* instructions without a packet after which the search for hangs begins */

/* Flags of a decoded instruction. */
enum {
    OP_REP = 1,
    OP_PEEK = 2,
    OP_PREINCREMENT = 4,
    OP_UNKNOWN_BITS = 8,
    OP_COUNT_SHIFT = 4, /* bits 5:4: xmov or sds count */
    OP_BRANCH = 64,     /* to imm after a delay slot, or on, and nothing else: such an instruction has no count */
    OP_QUICK = 128      /* one of loop.h, with operands that are general registers */
};

/* What the run loop does for an instruction: the row's own action, or one of these. */
enum afuc_action {
    ACTION_NONE,                               /* not decoded yet */
    ACTION_ROW,                                /* that of row 0, and so on */
    ACTION_SLOW = ACTION_ROW + AFUC_ROW_COUNT, /* an ALU instruction with modifiers or with queues as operands */
    ACTION_UNKNOWN,                            /* no instruction */
    ACTION_END,                                /* after the last word of the section */
    ACTION_WATCH,                              /* the place that the hang detector watches; `real` has the action */
    ACTION_BREAK,                              /* a breakpoint; the same */
    ACTION_COUNT
};

/* A decoded instruction. Operands are named as in the actions of insn.def. */
struct afuc_op {
    uint8_t action, real;
    uint8_t row;
    uint8_t a, b, d; /* registers: a = s; b = t or the offset register; d, with $00 sent to REG_NOWHERE */
    uint8_t flags;
    uint8_t shift;  /* shift count, low bit, bit number or small immediate of a branch */
    uint32_t imm;   /* immediate, base, high bit, or target in words of the section */
    uint16_t block; /* enum afuc_block */
    uint8_t run;    /* instructions from this one to the end of its block; 0: in none */
    uint8_t reach;  /* of those, up to the first that may leave the block */
};                  /* 16 bytes: positions come from pointers with a shift */

/* The count of (xmovN) or (sdsN), 0 without one. The bits above it in the flags are flags. */
static inline unsigned afuc_op_count(const struct afuc_op *op)
{
    return op->flags >> OP_COUNT_SHIFT & 3;
}

/* Control registers that are storage of the processor's own: when they are read, and when they are written. */
enum { PLAIN_READ = 1, PLAIN_WRITE = 2 };

/* Control registers with behaviour, by name; see control.def. */
enum afuc_control {
    CONTROL_PLAIN,
#define CONTROL(id, name, acts, doc) CONTROL_##id,
#include "isa/afuc/machine/control.def"
#undef CONTROL
    CONTROL_BEHAVIOURS
};

/* GPU registers that the machine itself looks at, by name and by the name that gen8 has instead. */
#define AFUC_GPU_REGISTERS(GPU)                                                                                        \
    GPU(SQE_INSTR_BASE, "CP_SQE_INSTR_BASE", NULL)                                                                     \
    GPU(LPAC_INSTR_BASE, "CP_LPAC_SQE_INSTR_BASE", NULL)                                                               \
    GPU(LPAC_CNTL, "CP_LPAC_SQE_CNTL", NULL)                                                                           \
    GPU(RB_BASE, "CP_RB_BASE", NULL)                                                                                   \
    GPU(RB_CNTL, "CP_RB_CNTL", NULL)                                                                                   \
    GPU(RB_RPTR, "CP_RB_RPTR", NULL)                                                                                   \
    GPU(RB_WPTR, "CP_RB_WPTR", NULL)                                                                                   \
    GPU(PROTECT, "CP_PROTECT[0x0].REG", "CP_PROTECT_GLOBAL[0x0].REG")                                                  \
    GPU(PROTECT_PIPE, "CP_PROTECT_PIPE[0x0].REG", NULL)                                                                \
    GPU(PROTECT_CNTL, "CP_PROTECT_CNTL", "CP_PROTECT_CNTL_PIPE")                                                       \
    GPU(PROTECT_STATUS, "CP_PROTECT_STATUS", "CP_PROTECT_STATUS_PIPE")                                                 \
    GPU(NRT_ADDR_LO, "CP_ME_NRT_ADDR_LO", NULL)                                                                        \
    GPU(NRT_ADDR_HI, "CP_ME_NRT_ADDR_HI", NULL)                                                                        \
    GPU(NRT_DATA, "CP_ME_NRT_DATA", NULL)

enum afuc_gpu {
#define GPU(id, name, other) GPU_##id,
    AFUC_GPU_REGISTERS(GPU)
#undef GPU
        GPU_REGISTERS
};

enum afuc_queue { QUEUE_RB, QUEUE_IB1, QUEUE_IB2, QUEUE_IB3, QUEUE_SDS, QUEUE_NONE };

/* A register whose reads are answered by a setting. */
struct afuc_answer {
    bool gpu;
    uint32_t number, value;
};

/* What never changes after create. */
struct afuc_setup {
    uint8_t generation;
    uint16_t control[CONTROL_BEHAVIOURS]; /* number of each register, CONTROL_NONE where the chip has none */
    uint8_t behaviour[CONTROL_COUNT];     /* enum afuc_control of each number */
    uint8_t plain[CONTROL_COUNT];         /* of each number: PLAIN_READ, PLAIN_WRITE */
    uint32_t gpu[GPU_REGISTERS];          /* numbers, GPU_NONE where the chip has none */
    bool is_void[PIPE_COUNT];             /* pipe registers that act when they are selected */
    uint8_t pipe_nrt_addr, pipe_nrt_data; /* 0: none */
    uint8_t pipe_wfi_decr, pipe_query_decr;
    uint8_t pipe_event, pipe_stamp_address, pipe_stamp_control, pipe_stamp_data; /* 0: none */
    uint8_t stamp_on_chip;                                                       /* afuc-event-on-chip */
    bool stamps_follow;                                                          /* afuc-event-order */
    uint16_t shared_end;            /* shared scratch ends here; SHARED_FIRST: none */
    uint8_t packet4;                /* packet table entry of type-4 packets */
    uint8_t group_level;            /* IB_LEVEL of groups that the hardware runs; 0: it runs none */
    bool groups_at_waitin;          /* before any packet, not only before draws */
    bool is_draw[TABLE_COUNT];      /* packets that draw */
    enum afuc_queue level_queue[8]; /* what each IB_LEVEL reads */
    uint64_t base;                  /* address of the image */
    unsigned answer_count;
    struct afuc_answer *answers;
    /* policies, as their choices */
    bool bfi_or, shift_zero, zero_faults, delay_reference, range_wraps, parity_ignored, level_firmware, align_down;
    bool secure_fails, stub_processors, rem_wraps, peek_waits, preempt_enters;
    bool cwrite_source_last, store_source_first; /* is the source read after, or in front of, the offset register? */
    bool second_first;                           /* the second source of two is read before the first */
    int only; /* index of the one processor that run() runs, -1: all that were started */
    /* the queue from PFP to ME */
    bool meq;            /* there is one */
    bool meq_unselected; /* it takes words only while $addr and $usraddr select nothing */
    uint64_t meq_words;  /* that it holds */
    uint64_t quantum;
};

/* What an event is to write: the pipe registers EVENT_TS_... */
struct afuc_stamp {
    uint32_t low, high, control, data[2];
};
#define STAMPS_MAX 3

struct afuc_group {
    uint64_t base, sds_base;
    uint32_t header, sds_dwords;
};

/* A place that the hang detector compares with. */
struct afuc_watch {
    uint32_t pc, next, carry, gpr[32], sqe[SQE_COUNT];
    uint64_t hash, shared_hash;
};

struct afuc_processor {
    const struct afuc_op *code; /* words + 2 entries */
    uint8_t *cover;
    const char *name;
    uint32_t words; /* of the section */
    uint8_t index, section;
    bool started;
    bool waiting;          /* waitin has run, its delay slot has not: a header is needed */
    bool header_pending;   /* the next word of $data is a header that waitin has looked at */
    bool broke;            /* stands at a breakpoint that was reported */
    bool table_set;        /* something wrote the packet table */
    bool fresh;            /* a packet was taken since the hang detector looked */
    bool interrupted;      /* in the preemption entry */
    bool resumed;          /* iret leads back to the waitin at return_pc; return_next comes after it */
    bool repeating;        /* stands in the middle of a (rep) that hooks were told of */
    uint8_t selected;      /* REG_ADDR or REG_USRADDR: which $data writes through; 0: none yet */
    uint8_t set_group;     /* group that DRAW_STATE_SET_BASE belongs to */
    bool groups_dirty;     /* a group or the mode has changed since they ran */
    bool groups_run;       /* the hardware is putting groups before the firmware */
    uint8_t header_queue;  /* enum afuc_queue that the packet in hand came from, */
    uint32_t taken;        /* and how many words were taken from there since, its header included */
    uint8_t next_group;    /* of those */
    uint32_t group_return; /* IB_LEVEL after them */
    uint32_t pc, next;     /* the instruction to run, and the one after it */
    uint32_t lost;         /* target outside the section, when next is after it */
    uint32_t carry;
    uint32_t header;  /* of the packet being handled */
    uint32_t gpr[36]; /* 32 and one to write to for $00 */
    uint32_t sqe[SQE_COUNT];
    uint32_t pipe[PIPE_COUNT];
    struct afuc_stamp stamps[STAMPS_MAX]; /* complete, and waiting for their event */
    uint8_t stamp_count, stamps_due;      /* due: that the last event waits for */
    uint32_t table[TABLE_COUNT];
    struct afuc_group groups[GROUP_COUNT];
    uint32_t return_pc, return_next; /* of iret */
    uint64_t fed_head, fed_tail;     /* words of the host's queue */
    /* hang detection, see schedule.c */
    uint64_t hash; /* of all registers of its own but the general ones and those of the SQE */
    uint64_t since, watch_at, watch_left;
    bool watching, spinning;
    struct afuc_watch watch;
    uint8_t polled_space;
    bool polled;
    uint32_t polled_number, polled_value;
    uint32_t control[CONTROL_COUNT + 4];
    uint64_t control_changed; /* bit for each CONTROL_BLOCK of them: written since the last snapshot or restore */
};

static inline void afuc_control_set(struct afuc_processor *p, uint32_t number, uint32_t value)
{
    p->control[number] = value;
    p->control_changed |= UINT64_C(1) << number / CONTROL_BLOCK % 64; /* those after the end are always copied */
}

struct afuc_machine {
    struct machine_core *core;
    const struct afuc_setup *setup;
    struct gpucode_stop *stop; /* during run */
    uint64_t shared_hash;      /* of GPU registers, memory, shared scratch, locks, started processors */
    uint64_t chunk, left;      /* instructions of this batch, and how many are left; for the clock */
    uint64_t fresh_left;       /* what was left when the last packet was taken */
    uint64_t cost;             /* of the last batch: instructions and repetitions */
    uint64_t extra;            /* repetitions that the batch has to pay for */
    uint64_t turn_left;
    unsigned turn, processor_count;
    bool halt; /* a hook wants the machine to stop after this instruction */
    uint32_t lock_wanted[PROCESSORS_MAX], lock_held[PROCESSORS_MAX];
    uint32_t shared[SHARED_COUNT];
    struct afuc_processor processors[];
};

/* How an instruction ended; not negative: a branch to that word after the delay slot. */
enum {
    FLOW_ON = -1,
    FLOW_STOP = -2,
    FLOW_BLOCK = -3,  /* it waits, and has not run */
    FLOW_AGAIN = -4,  /* a (rep) is not done yet */
    FLOW_SKIP2 = -5,  /* setsecure: the next two instructions are left out */
    FLOW_WAITIN = -6, /* a header is needed before the delay slot */
    FLOW_ENTER = -7   /* to the preemption entry, without a delay slot */
};

/* --- hashes of the state: two equal ones mean that nothing has changed in between --- */
static inline uint64_t afuc_mix(uint64_t key, uint32_t value)
{
    uint64_t hash = (key << 32 | value) + UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}
static inline void afuc_rehash(uint64_t *hash, uint64_t key, uint32_t old, uint32_t value)
{
    if (old != value)
        *hash ^= afuc_mix(key, old) ^ afuc_mix(key, value);
}
enum {
    KEY_CONTROL = 0,
    KEY_PIPE = 2 << 16,
    KEY_TABLE = 3 << 16,
    KEY_GROUP = 4 << 16,
    KEY_SELECT = 5 << 16,
    KEY_GPU = 1 << 20,
    KEY_SHARED = 1 << 24,
    KEY_LOCK = 2 << 24,
    KEY_START = 3 << 24
};
static inline void afuc_rehash_memory(struct afuc_machine *m, uint64_t address, uint32_t old, uint32_t value)
{
    m->shared_hash ^= afuc_mix(~address, old) ^ afuc_mix(~address, value);
}
/* Something happened that never comes back: a word taken, the clock read. */
static inline void afuc_progress(struct afuc_processor *p)
{
    p->hash += UINT64_C(0x9e3779b97f4a7c15);
}
/* The same for other processors, whose turn may find more, or more room, in a queue between them. */
static inline void afuc_shared_progress(struct afuc_machine *m)
{
    m->shared_hash += UINT64_C(0x9e3779b97f4a7c15);
}

/* --- stops and events (event.c) --- */
int64_t afuc_stop(struct afuc_machine *m, struct afuc_processor *p, enum gpucode_stop_reason reason, message_id message,
                  ...);
#define afuc_fault(m, p, ...) afuc_stop(m, p, GPUCODE_STOP_FAULT, __VA_ARGS__)
#define afuc_unknown(m, p, ...) afuc_stop(m, p, GPUCODE_STOP_UNKNOWN, __VA_ARGS__)
/* The fault of a branch to `target` in the delay slot of another (exec.c). */
int64_t afuc_two_branches(struct afuc_machine *m, struct afuc_processor *p, uint32_t target);
void afuc_tell_write(struct afuc_machine *m, struct afuc_processor *p, unsigned space, uint32_t number, uint32_t value,
                     uint32_t old);
void afuc_tell_read(struct afuc_machine *m, struct afuc_processor *p, unsigned space, uint32_t number, uint32_t value);
/* Tells of the general registers that an instruction is about to use; queues are told of when they are read. */
void afuc_tell_uses(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
/* Tells of what a branch or cmp is about to compare, unless it stands in a queue. */
void afuc_tell_comparison(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
/* Tells that the handler of the packet in hand has come to its waitin. */
void afuc_tell_handled(struct afuc_machine *m, struct afuc_processor *p);
void afuc_tell_use(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value);
void afuc_tell_memory(struct afuc_machine *m, struct afuc_processor *p, enum gpucode_event_kind kind, uint64_t address,
                      uint32_t value, uint32_t old);
static inline void afuc_wrote(struct afuc_machine *m, struct afuc_processor *p, unsigned space, uint32_t number,
                              uint32_t value, uint32_t old)
{
    if (m->core->hook_kinds & GPUCODE_EVENT_WRITE)
        afuc_tell_write(m, p, space, number, value, old);
}
/* The clock: instructions and repetitions. */
uint64_t afuc_time(const struct afuc_machine *m);

/* --- memory (gpu.c); false: a fault was noted --- */
bool afuc_memory_read(struct afuc_machine *m, struct afuc_processor *p, uint64_t address, uint32_t *value);
bool afuc_memory_write(struct afuc_machine *m, struct afuc_processor *p, uint64_t address, uint32_t value);

/* --- registers --- */
uint32_t afuc_gpu_get(const struct afuc_machine *m, uint32_t number);                      /* as stored */
uint32_t afuc_gpu_read(struct afuc_machine *m, struct afuc_processor *p, uint32_t number); /* as firmware sees it */
bool afuc_gpu_write(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value);
void afuc_gpu_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value);
bool afuc_select(struct afuc_machine *m, struct afuc_processor *p, unsigned which, uint32_t value);
bool afuc_data_write(struct afuc_machine *m, struct afuc_processor *p, uint32_t value);
/* a5xx: memory read through the NRT address registers */
bool afuc_nrt_read(struct afuc_machine *m, struct afuc_processor *p, bool peek, uint32_t *value);

uint32_t afuc_control_read(struct afuc_machine *m, struct afuc_processor *p, uint32_t number);
bool afuc_control_write(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value);
void afuc_control_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value);
/* Fills setup->plain, when all else of it is there. */
void afuc_find_plain(struct afuc_setup *setup);

/* --- draw state --- */
void afuc_group_select(struct afuc_machine *m, struct afuc_processor *p, uint32_t value);
void afuc_group_set(struct afuc_machine *m, struct afuc_processor *p, uint32_t value);
void afuc_draw_state_base(struct afuc_machine *m, struct afuc_processor *p, unsigned word, uint32_t value);
/* At waitin: begins and ends groups that the hardware runs (queue.c). */
void afuc_groups_settle(struct afuc_machine *m, struct afuc_processor *p);

/* --- control registers --- */
static inline uint32_t afuc_control_get(const struct afuc_machine *m, const struct afuc_processor *p,
                                        enum afuc_control which)
{
    return p->control[m->setup->control[which]];
}
static inline uint64_t afuc_control_get64(const struct afuc_machine *m, const struct afuc_processor *p,
                                          enum afuc_control which)
{
    return p->control[m->setup->control[which]] | (uint64_t)p->control[m->setup->control[which] + 1] << 32;
}
/* The reference adds in 64 bits: the sum does not wrap at 32 (AFUC notes, load and store). */
static inline uint64_t afuc_memory_address(const struct afuc_machine *m, const struct afuc_processor *p,
                                           const struct afuc_op *op, uint32_t start)
{
    uint32_t high =
        afuc_control_get(m, p, m->setup->generation == AFUC_A5XX ? CONTROL_STORE_HI : CONTROL_LOAD_STORE_HI);
    return ((uint64_t)high << 32) + start + op->imm;
}
/* What was read last, for the report of a hang; space UINT8_MAX: memory. */
static inline void afuc_note_poll(struct afuc_processor *p, unsigned space, uint32_t number, uint32_t value)
{
    p->polled = true;
    p->polled_space = (uint8_t)space;
    p->polled_number = number;
    p->polled_value = value;
}
static inline void afuc_sqe_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    uint32_t old = p->sqe[number];
    p->sqe[number] = value;
    afuc_wrote(m, p, GPUCODE_SPACE_SQE, number, value, old);
}
static inline void afuc_gpr_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    uint32_t old = p->gpr[number];
    p->gpr[number] = value;
    if (number != REG_NOWHERE)
        afuc_wrote(m, p, GPUCODE_SPACE_GENERAL, number, value, old);
}

/* --- queues --- */
/* Words left in the queue that $data reads now. */
uint64_t afuc_queue_words(const struct afuc_machine *m, const struct afuc_processor *p);
/* The next word; false: none, or a fault was noted. */
bool afuc_queue_peek(struct afuc_machine *m, struct afuc_processor *p, uint32_t *word);
bool afuc_queue_pop(struct afuc_machine *m, struct afuc_processor *p, uint32_t *word);
/* At waitin: goes down to the first level that has words. */
void afuc_queue_settle(struct afuc_machine *m, struct afuc_processor *p);
/* What becomes of an instruction that wants more words than there are. */
int64_t afuc_queue_dry(struct afuc_machine *m, struct afuc_processor *p);
/* isa_machine.enter */
bool afuc_queue_enter(struct afuc_machine *m, struct afuc_processor *p, unsigned level, uint64_t address,
                      uint32_t count);
bool afuc_queue_feed(struct afuc_machine *m, struct afuc_processor *p, const uint32_t *words, size_t count);

/* --- the queue from PFP to ME (queue.c) --- */
/* Is the image that of both processors of an a5xx? */
bool afuc_is_pair(const struct afuc_machine *m);
/* Does what the processor writes to $data now go to the queue? */
static inline bool afuc_meq_takes(const struct afuc_machine *m, const struct afuc_processor *p)
{
    return m->setup->meq && !p->index && !(m->setup->meq_unselected && p->gpr[p->selected ? p->selected : REG_ADDR]);
}
/* Has it no room for what the instruction writes? Only where there is a queue. */
bool afuc_meq_is_full(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *op);
/* False: there is no memory. */
bool afuc_meq_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t value);

/* --- sources and destinations (modifier.c) --- */
/* Reads a source register, queues included. *taken: $rem fell with it. False: a fault was noted. */
bool afuc_source(struct afuc_machine *m, struct afuc_processor *p, unsigned reg, bool peek, bool *taken,
                 uint32_t *value);
bool afuc_destination(struct afuc_machine *m, struct afuc_processor *p, unsigned reg, uint32_t value);
/* Runs `once` as often as (rep) has it; once returns FLOW_ON when it went well. */
int64_t afuc_repeat(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op,
                    int64_t (*once)(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op,
                                    bool *taken));
/* An ALU instruction with modifiers. */
int64_t afuc_slow(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
/* The result of an ALU row for operands (exec.c); d is the old value of the destination. */
uint32_t afuc_evaluate(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op, uint32_t a,
                       uint32_t b, uint32_t d);

/* Does the conditional branch `op` branch, its register being in p->gpr? */
bool afuc_branches(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);

/* isa_machine.packet */
uint32_t afuc_packet_header(unsigned entry, unsigned payload);

/* --- packets: the handler of the next header, looked at but not taken; FLOW_STOP or FLOW_BLOCK --- */
int64_t afuc_dispatch(struct afuc_machine *m, struct afuc_processor *p);

/* --- running (schedule.c, control.c) --- */
/* Runs at most `limit` instructions; FLOW_ON, FLOW_BLOCK or FLOW_STOP. */
int64_t afuc_loop_plain(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit, uint64_t *ran);
int64_t afuc_loop_counted(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit, uint64_t *ran);
int64_t afuc_loop_observed(struct afuc_machine *m, struct afuc_processor *p, uint64_t limit, uint64_t *ran);
uint64_t afuc_run(struct machine_core *core, void *state, unsigned processor, uint64_t limit,
                  struct gpucode_stop *stop);
void afuc_start(struct afuc_machine *m, struct afuc_processor *p);
/* Starts the processor of that section because `starter` wrote its control register; false: a fault was noted. */
bool afuc_start_section(struct afuc_machine *m, struct afuc_processor *starter, const char *name, uint64_t address);

/* --- making (policies.c, decode.c) --- */
extern const struct gpucode_policy afuc_policies[];
/* A word as it runs; of `setup` the generation and zero_faults count. */
struct afuc_op afuc_decode(const struct afuc_setup *setup, const struct gpucode_target *target, uint32_t word,
                           uint32_t address);
size_t afuc_measure(const struct machine_core *core, const struct gpucode_setting *settings);
enum gpucode_status afuc_create(struct machine_core *core, void *state, const struct gpucode_setting *policies);
/* Decodes an instruction of the processor's section if that has not been done. */
void afuc_decode_now(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *op);
/* Room for the processor's section, to be decoded as it runs; false: out of memory. */
bool afuc_decode_section(struct machine_core *core, struct afuc_processor *p);

/* Address of a GPU register, and of a word of the host's queue, in core->files. */
static inline uint64_t afuc_gpu_place(uint32_t number)
{
    return 4 * (uint64_t)number;
}
static inline uint64_t afuc_fed_place(const struct afuc_processor *p, uint64_t index)
{
    return ((uint64_t)p->index + 1) << 48 | 4 * index;
}

#endif
