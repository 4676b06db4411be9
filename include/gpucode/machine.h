/* SPDX-License-Identifier: MIT */
/*
 * Machines: run code of any instruction set, one interface over all emulators.
 *
 *     struct gpucode_machine *machine;
 *     if (gpucode_machine_create(image, NULL, &machine) == GPUCODE_OK) {
 *         struct gpucode_stop stop;
 *         gpucode_machine_run(machine, 1000000, &stop);
 *         printf("%s\n", stop.text);
 *         gpucode_machine_free(machine);
 *     }
 *
 * A machine has one or more processors (AFUC: BR, BV, LPAC, DDE; HWSQ: slots A and B; A3XX: threads of a
 * group) that share memory and registers as the hardware does. Everything is deterministic: the same
 * calls give the same results. Where the hardware's behaviour is not known, a named policy decides;
 * gpucode_policy_at() lists them. Different machines may be used from different threads; one machine from one
 * thread at a time.
 */
#ifndef GPUCODE_MACHINE_H
#define GPUCODE_MACHINE_H

#include <gpucode/diagnostic.h>
#include <gpucode/image.h>
#include <gpucode/names.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_machine;

/* Why a machine stands still. */
enum gpucode_stop_reason {
    GPUCODE_STOP_LIMIT,      /* as many instructions as the caller allowed have run */
    GPUCODE_STOP_HOOK,       /* a hook asked for it */
    GPUCODE_STOP_IDLE,       /* waiting for input that nothing in the machine will bring: AFUC an empty queue */
    GPUCODE_STOP_END,        /* the program has ended: HWSQ exit, A3XX end */
    GPUCODE_STOP_HANG,       /* a loop that can make no progress */
    GPUCODE_STOP_FAULT,      /* the program did what the hardware reports as a fault */
    GPUCODE_STOP_UNKNOWN,    /* the program did something whose effect nobody knows; no policy covers it */
    GPUCODE_STOP_BREAKPOINT, /* an address of gpucode_machine_break() is reached; its instruction has not run */
};

struct gpucode_stop {
    enum gpucode_stop_reason reason;
    unsigned processor; /* which one */
    uint64_t pc;        /* units from the start of its section */
    uint64_t time;      /* gpucode_machine_time() */
    const char
        *code; /* stable name of the stop ("afuc-hang"): gpucode_explain() knows it; null for LIMIT, HOOK, BREAKPOINT */
    char text[256]; /* for people, one sentence */
};

/* A value by name: policies, presets. Lists end with a null name. */
struct gpucode_setting {
    const char *name, *value;
};

struct gpucode_machine_options {
    const struct gpucode_setting *policies;          /* null: defaults */
    const struct gpucode_names *names;               /* names ahead of the built-in ones, or null */
    struct gpucode_diagnostic_handler on_diagnostic; /* told what is wrong with options and images */
};

/* A policy of an instruction set: a choice where the hardware's behaviour is not known. */
struct gpucode_policy {
    const char *name; /* "afuc-bfi" */
    const char *
        values; /* what may be chosen, separated by '|': "replace|or"; "NUMBER" for numbers, "TEXT" for what doc says */
    const char *preset; /* the default */
    const char *doc;    /* what is not known, and what the choices mean */
};
/* Policy number `index` of the target's instruction set; false after the last. */
GPUCODE_API bool gpucode_policy_at(const struct gpucode_target *target, unsigned index, struct gpucode_policy *policy);

/*
 * A target like another one, for which choices of its set hold: those of gpucode_policy_at() that decide how code is
 * read, checked and scheduled ("ir3-ambiguous"); those of machines are gpucode_machine_create()'s. The caller frees it with gpucode_target_free(), after all that was made with it. Returns
 * GPUCODE_OK, GPUCODE_ERROR_INPUT (the handler, which may be null, was told of names and values that do not exist),
 * GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. It may be used from any thread, as all targets.
 */
GPUCODE_API enum gpucode_status gpucode_target_with(const struct gpucode_target *target,
                                                    const struct gpucode_setting *policies,
                                                    const struct gpucode_diagnostic_handler *on_diagnostic,
                                                    struct gpucode_target **made);
/* null is allowed. */
GPUCODE_API void gpucode_target_free(struct gpucode_target *made);

/*
 * A machine with the image loaded and nothing run. The image must live as long as the machine. Returns GPUCODE_OK,
 * GPUCODE_ERROR_INPUT (the diagnostic handler was told), GPUCODE_ERROR_UNSUPPORTED (no emulator), GPUCODE_ERROR_MEMORY
 * or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_machine_create(const struct gpucode_image *image,
                                                       const struct gpucode_machine_options *options,
                                                       struct gpucode_machine **out);
GPUCODE_API void gpucode_machine_free(struct gpucode_machine *machine);

/*
 * Runs at most `limit` instructions, all processors together. *stop says why it stands still. The number of
 * instructions that ran is returned; it can be less than the limit where single instructions do much work (AFUC
 * (rep)), so that the limit also bounds the time that a run takes.
 */
GPUCODE_API uint64_t gpucode_machine_run(struct gpucode_machine *machine, uint64_t limit, struct gpucode_stop *stop);
/* One instruction of one processor, which starts it if nothing has. */
GPUCODE_API uint64_t gpucode_machine_step(struct gpucode_machine *machine, unsigned processor,
                                          struct gpucode_stop *stop);

/* The machine's clock: AFUC and A3XX instructions or slots, HWSQ PTIMER clocks. Never goes back, but for restore. */
GPUCODE_API uint64_t gpucode_machine_time(const struct gpucode_machine *machine);
/* Instructions run since creation; restore sets it back. */
GPUCODE_API uint64_t gpucode_machine_count(const struct gpucode_machine *machine);

/* What else a machine has counted: A3XX groups of more than one thread count the work of their threads. */
struct gpucode_counter {
    const char *name; /* "thread-slots" */
    uint64_t value;   /* since creation; restore sets it back */
    const char *doc;  /* what is counted, one sentence */
};
/* Counter number `index`; false after the last. */
GPUCODE_API bool gpucode_machine_counter(const struct gpucode_machine *machine, unsigned index,
                                         struct gpucode_counter *counter);

/* Processors. Names: "BR", "A", "0"; null after the last. */
GPUCODE_API const char *gpucode_machine_processor(const struct gpucode_machine *machine, unsigned index);
GPUCODE_API unsigned gpucode_machine_section(const struct gpucode_machine *machine, unsigned processor);
GPUCODE_API uint64_t gpucode_machine_pc(const struct gpucode_machine *machine, unsigned processor);
GPUCODE_API enum gpucode_status gpucode_machine_set_pc(struct gpucode_machine *machine, unsigned processor,
                                                       uint64_t pc);

/* The image that the machine was created with. */
GPUCODE_API const struct gpucode_image *gpucode_machine_image(const struct gpucode_machine *machine);

/* A call that has not returned yet. */
struct gpucode_frame {
    uint64_t pc; /* where it returns to */
    bool link;   /* found in a link register, which nobody clears: it may be old */
};
/* Call number `index` of a processor, 0 the innermost; false after the last or where the machine has no calls. */
GPUCODE_API bool gpucode_machine_frame(const struct gpucode_machine *machine, unsigned processor, unsigned index,
                                       struct gpucode_frame *frame);
/* Is the instruction that the processor runs next a call? *back (may be null) is where it would return to. */
GPUCODE_API bool gpucode_machine_call(const struct gpucode_machine *machine, unsigned processor, uint64_t *back);
/*
 * Does the processor's next instruction stand in a delay slot? *target (may be null) is where the way goes on after it,
 * UINT64_MAX when only what comes next will tell (AFUC waitin).
 */
GPUCODE_API bool gpucode_machine_pending(const struct gpucode_machine *machine, unsigned processor, uint64_t *target);

/*
 * Registers, by the number they have in their space. Spaces of one instruction set only are numbered from
 * GPUCODE_SPACE_COUNT on; gpucode_machine_space() names them. Reading has no side effects: of a register that takes
 * from a queue (AFUC $data) it tells what was written there last, not what the program would take next.
 */
GPUCODE_API enum gpucode_status gpucode_machine_read(const struct gpucode_machine *machine, unsigned processor,
                                                     unsigned space, uint32_t number, uint32_t *value);
GPUCODE_API enum gpucode_status gpucode_machine_write(struct gpucode_machine *machine, unsigned processor,
                                                      unsigned space, uint32_t number, uint32_t value);
struct gpucode_space_info {
    const char *name;     /* "general", "control" */
    const char *prefix;   /* how the text marks it: "$", "@"; "" none */
    uint32_t count;       /* numbers go from 0 to count - 1 */
    bool shared;          /* one for all processors */
    bool addressed;       /* numbers are byte addresses of 32-bit registers, which stand where others have memory */
    bool effective;       /* what the registers of GPUCODE_SPACE_GPU hold while they cannot be read there */
    uint8_t float_bits;   /* 32 or 16: registers hold floats of so many bits more often than integers; 0: they do not */
    uint32_t float_count; /* those with numbers below this; what comes after holds no floats */
};
/* False when the machine has no such space (spaces have gaps; stop after GPUCODE_SPACE_COUNT + 16). */
GPUCODE_API bool gpucode_machine_space(const struct gpucode_machine *machine, unsigned space,
                                       struct gpucode_space_info *info);
/* A register by the name that text has for it: "$02", "@IB1_BASE", "%SP", "r1.y", "CP_SCRATCH[2].REG". */
GPUCODE_API bool gpucode_machine_find(const struct gpucode_machine *machine, const char *name, unsigned *space,
                                      uint32_t *number);
/* The other way; returns the length, 0 when there is no such register. */
GPUCODE_API size_t gpucode_machine_name(const struct gpucode_machine *machine, unsigned space, uint32_t number,
                                        char *text, size_t size);

/*
 * Memory: bytes at 64-bit addresses; what is mapped reads as zeros, and pages come into being when they are
 * written: a map of any size takes little. A call loads or stores at most 64 GiB.
 */
GPUCODE_API enum gpucode_status gpucode_machine_load(const struct gpucode_machine *machine, uint64_t address,
                                                     void *bytes, size_t size); /* GPUCODE_ERROR_RANGE: not mapped */
GPUCODE_API enum gpucode_status gpucode_machine_store(struct gpucode_machine *machine, uint64_t address,
                                                      const void *bytes, size_t size);
GPUCODE_API enum gpucode_status gpucode_machine_map(struct gpucode_machine *machine, uint64_t address, uint64_t size);

/* Input: AFUC packet words for the ring buffer of a processor, one or many. Other instruction sets: unsupported. */
GPUCODE_API enum gpucode_status gpucode_machine_feed(struct gpucode_machine *machine, unsigned processor,
                                                     const uint32_t *words, size_t count);

/* What hooks see. */
/*
 * AFUC: the processor reads on from `count` words in memory, at a level of privilege as IB_LEVEL counts it: 1 and up
 * are indirect buffers and groups of draw state. Level 0 is the ring, which takes a copy of the words. For a machine
 * that stands where it waits for packets: this is what a packet that leads there would have done. Returns GPUCODE_OK,
 * GPUCODE_ERROR_UNSUPPORTED, GPUCODE_ERROR_ARGUMENT, GPUCODE_ERROR_RANGE (there is no such level, or no such memory) or
 * GPUCODE_ERROR_MEMORY.
 */
GPUCODE_API enum gpucode_status gpucode_machine_enter(struct gpucode_machine *machine, unsigned processor,
                                                      unsigned level, uint64_t address, uint32_t count);

enum gpucode_event_kind {
    GPUCODE_EVENT_INSN = 1,      /* an instruction is about to run */
    GPUCODE_EVENT_WRITE = 2,     /* a register was written */
    GPUCODE_EVENT_READ = 4,      /* a register was read that something outside could see */
    GPUCODE_EVENT_MEM_WRITE = 8, /* memory was written; A3XX, ir3: space is 0 of global, 1 of local, 2 of private memory */
    GPUCODE_EVENT_MEM_READ = 16, /* the same of what was read */
    GPUCODE_EVENT_PACKET = 32, /* AFUC: a packet was taken; address = opcode, value = header */
    GPUCODE_EVENT_ACTION = 64, /* HWSQ: a flag, wait, event or poke, see the instruction set's manual */
    /*
     * An instruction uses what a register of its own processor holds, which nothing outside could see: AFUC general
     * registers, A3XX registers and consts. The stop is after the instruction, as for READ.
     */
    GPUCODE_EVENT_USE = 128,
    GPUCODE_EVENT_CHANGE = 256, /* HWSQ: a flag or a register of the slot itself has another value than before */
    /*
     * AFUC: a conditional branch or cmp is about to compare a general register: value = what it holds, old = what it is
     * compared with; of branches on a bit the value with that bit turned, which goes the other way. A3XX, ir3: an
     * instruction is about to compare its sources: value and old are both, as their modifiers make them, address is the
     * step of a repeated instruction; space is that of half registers where they have 16 bits. MME: a conditional branch
     * is about to compare a register (address) with old, which is 0. HWSQ compares nothing but events, of one bit.
     */
    GPUCODE_EVENT_COMPARE = 512,
    /*
     * AFUC: the handler of a packet is at its end: a waitin runs, and the hardware has not left empty indirect buffers
     * yet; address = the packet's opcode, value = its header, 0 at the end of the boot; old = words that were taken
     * since from where the header came, it included.
     */
    GPUCODE_EVENT_HANDLED = 1024,
};
struct gpucode_event {
    enum gpucode_event_kind kind;
    unsigned processor;
    uint64_t pc; /* of the instruction */
    uint64_t time;
    unsigned space;   /* registers */
    uint64_t address; /* register number, memory address, packet opcode */
    uint64_t value;   /* what was written or read */
    uint64_t old;     /* register or memory writes: what was there */
};
/*
 * At most one hook at a time, called for the kinds in `kinds`; it returns true to stop the machine after the
 * instruction that did what it saw, all its repetitions included (INSN and PACKET: in front of it). null takes it away.
 * A machine without a hook is as fast as before. It may read and write registers and memory, but must not run or
 * restore the machine.
 */
GPUCODE_API void gpucode_machine_hook(struct gpucode_machine *machine, unsigned kinds,
                                      bool (*hook)(void *user, struct gpucode_machine *machine,
                                                   const struct gpucode_event *event),
                                      void *user);

/*
 * Textures of the host's own: asked at each instruction that looks into a texture, in front of the built-in ones. True:
 * *values is what it finds, bits of 32-bit floats where the result is of a float type, else integers; they are
 * converted to the type and written as the instruction says. False: the built-in texture of that number answers, if
 * there is one. One callback at a time; null takes it away. It must not run or restore the machine. Snapshots do not
 * have it. Returns GPUCODE_OK, or GPUCODE_ERROR_UNSUPPORTED where the machine has no textures. <gpucode/a3xx.h> has the
 * struct.
 */
struct gpucode_texture_lookup;
GPUCODE_API enum gpucode_status gpucode_machine_texture(struct gpucode_machine *machine,
                                                        bool (*texture)(void *user, struct gpucode_machine *machine,
                                                                        const struct gpucode_texture_lookup *lookup,
                                                                        uint32_t values[4]),
                                                        void *user);

/*
 * Memory of the host's own: asked at each access of a program to global memory, of 1, 2 or 4 bytes, in front of the
 * machine's memory. True: it was done, reads with *value set, and the machine's memory is left alone. False: the
 * machine does it. Atomic operations are a read and a write. Hooks see the access either way. One callback at a time;
 * null takes it away. It must not run or restore the machine, and what it keeps is its own: snapshots do not have it.
 * AFUC: words that the hardware takes out of rings, indirect buffers and draw-state groups are asked for as well; as
 * nobody knows what the host answers next, a loop with such an access is never found to hang. Returns GPUCODE_OK, or
 * GPUCODE_ERROR_UNSUPPORTED where programs' memory is the machine's alone (HWSQ).
 */
struct gpucode_access {
    unsigned processor;
    uint64_t pc;
    uint64_t address;
    unsigned bytes;
    bool write;
};
GPUCODE_API enum gpucode_status gpucode_machine_memory(struct gpucode_machine *machine,
                                                       bool (*access)(void *user, struct gpucode_machine *machine,
                                                                      const struct gpucode_access *access,
                                                                      uint32_t *value),
                                                       void *user);

/*
 * Breakpoints cost nothing where they are not. A machine that is run again after it has stopped at one runs the
 * instruction there, of which hooks for GPUCODE_EVENT_INSN are not told: the stop told of it. Returns GPUCODE_OK or
 * GPUCODE_ERROR_RANGE.
 */
GPUCODE_API enum gpucode_status gpucode_machine_break(struct gpucode_machine *machine, unsigned processor, uint64_t pc,
                                                      bool on);

/*
 * Coverage: a byte per unit of a processor's section, raised to 1 when it runs; the bytes belong to the machine.
 * Switching on clears them; snapshots leave them alone.
 */
GPUCODE_API enum gpucode_status gpucode_machine_coverage(struct gpucode_machine *machine, bool on);
GPUCODE_API const uint8_t *gpucode_machine_covered(const struct gpucode_machine *machine, unsigned processor,
                                                   size_t *units);

/*
 * Edges: how often control went each way, in a map that the host owns: a byte an edge, which stays at 255. Byte 0 is
 * the host's. Then come the edges that the code has, without collisions: jumps, calls and both ways of branches with a
 * known target, numbered by section and address; gpucode_machine_edge() lists them. The rest of the map counts, by a
 * hash, pairs of packets that follow one another (AFUC) and transfers whose target only the run knows; of HWSQ, which
 * has no branches, it counts opcodes and whether their waits waited. With GPUCODE_EDGES_SIZE bytes after the edges of
 * the code pairs of packets do not collide either. The map stays as it is between calls: the host clears it, and
 * snapshots leave it alone. null takes it away; without one nothing gets slower. Returns GPUCODE_OK,
 * GPUCODE_ERROR_RANGE (fewer than GPUCODE_EDGES_LEAST bytes after the edges of the code, or more than 2^31 in all),
 * GPUCODE_ERROR_MEMORY, or GPUCODE_ERROR_UNSUPPORTED (machines of plain sets).
 */
#define GPUCODE_EDGES_LEAST 256u
#define GPUCODE_EDGES_SIZE 20480u
GPUCODE_API enum gpucode_status gpucode_machine_edges(struct gpucode_machine *machine, uint8_t *map, size_t size);
struct gpucode_machine_edge {
    unsigned section;
    uint32_t from, to; /* units from the start of the section; `to` of what is not taken is the next instruction */
    bool taken;
};
/*
 * The edge of the code whose byte is `number`, counted from 1; false after the last, and for any number before
 * gpucode_machine_edges() was called.
 */
GPUCODE_API bool gpucode_machine_edge(const struct gpucode_machine *machine, uint32_t number,
                                      struct gpucode_machine_edge *edge);
/* How many edges the code has; works before gpucode_machine_edges(). */
GPUCODE_API uint32_t gpucode_machine_edge_count(const struct gpucode_machine *machine);

/*
 * The whole state, memory shared copy-on-write: cheap when little changes. A snapshot belongs to its machine and can be
 * restored any number of times; free it before the machine.
 */
struct gpucode_snapshot;
GPUCODE_API enum gpucode_status gpucode_machine_snapshot(struct gpucode_machine *machine,
                                                         struct gpucode_snapshot **out);
GPUCODE_API enum gpucode_status gpucode_machine_restore(struct gpucode_machine *machine,
                                                        const struct gpucode_snapshot *snapshot);
GPUCODE_API void gpucode_snapshot_free(struct gpucode_snapshot *snapshot);
/* Bytes that a snapshot takes beyond what it shares with another one of the same machine (null: with none). */
GPUCODE_API size_t gpucode_snapshot_bytes(const struct gpucode_snapshot *snapshot,
                                          const struct gpucode_snapshot *other);

#ifdef __cplusplus
}
#endif
#endif
