/* SPDX-License-Identifier: MIT */
/*
 * The HWSQ machine: its state, and what its files share.
 *
 *   opcodes.c    one opcode: fetched, run, told to hooks
 *   slots.c      what takes time, which slot goes next, the run loop
 *   registers.c  MMIO as the host and the scripts see it; events in time
 *   policies.c   what nobody has documented; making a machine
 *   host.c       the plug into the machine room
 */
#ifndef ISA_HWSQ_MACHINE_MACHINE_H
#define ISA_HWSQ_MACHINE_MACHINE_H

#include "isa/hwsq/hwsq.h"
#include "isa/machine.h"

#define HWSQ_SLOTS 2
#define HWSQ_ENTRIES 4
#define HWSQ_HEADS 2
#define HWSQ_FB_PAUSE 16 /* the flag */
#define HWSQ_FB_PAUSED 0 /* the event */

/* Spaces of registers that only this machine has; see docs/hwsq.md. */
enum { HWSQ_SPACE_EFFECTIVE = GPUCODE_SPACE_COUNT };

/* What a slot is in the middle of. */
enum hwsq_hold { HWSQ_FREE, HWSQ_IN_WAIT, HWSQ_IN_EWAIT, HWSQ_IN_POKE, HWSQ_OFF_CODE };

struct hwsq_slot {
    uint32_t ip;
    uint32_t at; /* of the opcode that it is in the middle of */
    uint32_t address, data;
    uint8_t hold; /* enum hwsq_hold */
    uint8_t event, value;
    bool running, illegal;
    bool begun;            /* an opcode has run since the start */
    uint64_t since, until; /* of the wait, clocks */
};

/* A signal that repeats: high for `length` clocks at the start of every `period`; 0: none. */
struct hwsq_wave {
    uint64_t period, length, phase;
};

/* An event that takes a value at a time. */
struct hwsq_edge {
    uint64_t time;
    uint8_t event, value;
};

/* Choices of policies.def, by their number among the values. */
struct hwsq_choices {
    uint8_t events, events_register, run_off, illegal_ip, start_running, slots, addr_data, abort_quirk, host_write,
        ewait_reserved, unset_value, flag_variants, windows, other_slot, self_poke, set_direction, host_lock,
        memory_poke;
    uint64_t tick_phase, opcode_clocks, poke_clocks, pause_latency, release_latency;
};

/* Addresses through which registers reach memory. */
struct hwsq_window {
    uint32_t first, last;
};
#define HWSQ_WINDOWS_MAX 8

struct hwsq_state {
    const struct hwsq_chip *chip;
    struct hwsq_choices choice;
    struct hwsq_slot slot[HWSQ_SLOTS];
    uint32_t entry[HWSQ_ENTRIES];
    uint32_t debug_6;                 /* HWSQ_ENABLE, HWSQ_OVERRIDE_MODE and bits of others */
    uint32_t flag_value, flag_enable; /* bit per flag */
    uint32_t driven, driven_value;    /* events that the host holds at a value */
    uint64_t pause_time;              /* when FB_PAUSE changed last */
    bool paused_before;               /* FB_PAUSED when it did */
    bool has_pause;                   /* nv41 up: flag 16 is FB_PAUSE */
    uint8_t turn;                     /* slot that goes next */
    bool seen;                        /* the hook or a breakpoint has stopped in front of the next instruction */
    bool stop_asked;                  /* by a hook, in the middle of an instruction */
    struct hwsq_wave vblank[HWSQ_HEADS], hblank[HWSQ_HEADS];
    struct hwsq_window windows[HWSQ_WINDOWS_MAX];
    unsigned window_count;
    const struct hwsq_edge *edges; /* in rising time; in the arena, never changed */
    uint32_t edge_count;
    uint8_t *breaks, *covered; /* per slot and byte; in the arena, no part of snapshots */
    uint32_t code_bytes;
    unsigned char code[];
};

/* One instruction on its way, and what its action may touch. */
struct hwsq_run {
    struct machine_core *core;
    struct hwsq_state *state;
    struct gpucode_stop *stop;
    unsigned index; /* of the slot */
};

/* opcodes.c */
/* Tells the hooks, if any wants this kind of event; one that wants to stop sets stop_asked. */
void hwsq_tell(struct hwsq_run *run, enum gpucode_event_kind kind, unsigned space, uint64_t address, uint64_t value,
               uint64_t old);
/* Runs the opcode at ip; the slot is free. False: the machine stops before it. */
bool hwsq_run_insn(struct hwsq_run *run, struct hwsq_slot *slot);

/* slots.c: isa_machine.run */
uint64_t hwsq_run_slots(struct machine_core *core, void *opaque, unsigned processor, uint64_t limit,
                        struct gpucode_stop *stop);

/* policies.c */
size_t hwsq_measure(const struct machine_core *core, const struct gpucode_setting *settings);
enum gpucode_status hwsq_create(struct machine_core *core, void *opaque, const struct gpucode_setting *settings);

/* policies.c */
extern const struct gpucode_policy hwsq_policies[];

/* As gpucode_machine_read() has it: bit 1 driven, bit 0 the value. */
static inline uint32_t hwsq_flag_now(const struct hwsq_state *state, unsigned flag)
{
    return (state->flag_enable >> flag & 1) << 1 | (state->flag_value >> flag & 1);
}

/* registers.c: events in time */
bool hwsq_event(const struct hwsq_state *state, unsigned event, uint64_t time);
/* First time from `now` on at which the event has the value; UINT64_MAX: never, as things stand. */
uint64_t hwsq_event_time(const struct hwsq_state *state, unsigned event, bool value, uint64_t now);
/* To be called with the time at which FB_PAUSE is about to change. */
void hwsq_pause_changes(struct hwsq_state *state, uint64_t time);
static inline bool hwsq_pause_asked(const struct hwsq_state *state)
{
    return state->has_pause && state->flag_enable & state->flag_value & 1u << HWSQ_FB_PAUSE;
}

/* registers.c: MMIO as the host and the scripts see it. False: the access does not get through. */
bool hwsq_mmio_read(const struct machine_core *core, const struct hwsq_state *state, uint32_t address, uint32_t *value);
bool hwsq_mmio_write(struct machine_core *core, struct hwsq_state *state, uint32_t address, uint32_t value, bool host);
/*
 * When a script's write that is due `now` gets through, memory being paused or not; false: not before the script
 * releases the pause, which it does not come to.
 */
bool hwsq_poke_time(const struct hwsq_state *state, uint32_t address, uint64_t now, uint64_t *time);
/* A register as the hardware uses it, overrides included. */
uint32_t hwsq_effective(const struct machine_core *core, const struct hwsq_state *state, uint32_t address);
bool hwsq_enabled(const struct hwsq_state *state);

extern const struct isa_machine hwsq_machine;

#endif
