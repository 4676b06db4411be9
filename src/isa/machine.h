/* SPDX-License-Identifier: MIT */
/*
 * What the machine room asks of an instruction set's emulator. The room itself owns memory, hooks,
 * snapshots' memory part and the public interface; the emulator owns its registers and its run loop.
 */
#ifndef ISA_MACHINE_H
#define ISA_MACHINE_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/pages.h"
#include "isa/layout.h"
#include <gpucode/machine.h>

/* All processors in turn, as the instruction set's machine interleaves them. */
#define ISA_ALL_PROCESSORS UINT32_MAX

/*
 * Where edges are counted: gpucode_machine_edges(). `numbers` has a word for each unit of each section: the number of
 * the way that is taken, the one before it being that of a branch that is not; ISA_EDGE_DYNAMIC: only the run knows
 * where to; 0: control goes on.
 */
#define ISA_EDGE_DYNAMIC (UINT32_C(1) << 31)
struct isa_edges {
    uint8_t *map; /* null: off */
    uint32_t pairs, pair_count, rest, rest_count;
    const uint32_t *const *numbers;
};

/* Shared between the room and the emulator; the emulator's run loop reads it, the room's calls change it. */
struct machine_core {
    const struct gpucode_target *target;
    const struct isa_layout *layout;
    const struct gpucode_names *names;
    struct gpucode_diagnostic_handler on_diagnostic;
    struct pages memory; /* what programs and hosts address */
    struct pages files;  /* register files and queues too large for the state, at addresses of the emulator's choice */
    struct arena arena;  /* for what never changes after create */
    uint64_t count;      /* instructions run */
    uint64_t time;
    unsigned hook_kinds; /* 0: no hook */
    bool (*hook)(void *user, struct gpucode_machine *machine, const struct gpucode_event *event);
    void *hook_user;
    /* gpucode_machine_texture(); null: the built-in textures alone */
    bool (*texture)(void *user, struct gpucode_machine *machine, const struct gpucode_texture_lookup *lookup,
                    uint32_t values[4]);
    void *texture_user;
    /* gpucode_machine_memory(); null: `memory` alone */
    bool (*access)(void *user, struct gpucode_machine *machine, const struct gpucode_access *access, uint32_t *value);
    void *access_user;
    bool coverage;
    /* of one instruction, before the emulator looks at the limit of instructions; 0: as many as it finds right */
    uint32_t repetitions;
    struct isa_edges edges;
    struct gpucode_machine *machine; /* for the hook */
};

struct isa_machine {
    /*
     * The emulator's state, of state_size bytes (or what measure() says, which sees what create() will), zeroed.
     * Snapshots copy it byte for byte:
     * pointers in it must point to what never changes after create (the arena, the image).
     */
    size_t state_size;
    size_t (*measure)(const struct machine_core *core, const struct gpucode_setting *policies); /* null: state_size */
    const struct gpucode_policy *policies; /* ends with a null name */
    /* `policies` were checked: known names, values from the list or numbers. */
    enum gpucode_status (*create)(struct machine_core *core, void *state, const struct gpucode_setting *policies);
    void (*destroy)(struct machine_core *core, void *state); /* null: nothing to do */
    /*
     * Runs at most `limit` instructions of one processor or of ISA_ALL_PROCESSORS. Returns how many, and adds them to
     * core->count; keeps core->time. *stop is zeroed but for `time`, which the room sets afterwards.
     */
    uint64_t (*run)(struct machine_core *core, void *state, unsigned processor, uint64_t limit,
                    struct gpucode_stop *stop);
    const char *(*processor)(const void *state, unsigned index); /* null after the last */
    unsigned (*section)(const void *state, unsigned processor);
    uint64_t (*pc)(const void *state, unsigned processor);
    bool (*set_pc)(void *state, unsigned processor, uint64_t pc);
    bool (*read)(const struct machine_core *core, const void *state, unsigned processor, unsigned space,
                 uint32_t number, uint32_t *value);
    bool (*write)(struct machine_core *core, void *state, unsigned processor, unsigned space, uint32_t number,
                  uint32_t value);
    bool (*space)(const struct machine_core *core, unsigned space, struct gpucode_space_info *info);
    bool (*find)(const struct machine_core *core, const char *name, size_t length, unsigned *space, uint32_t *number);
    /* Room at `text`: GPUCODE_NAME_MAX. Returns the length, 0 when there is no such register. */
    size_t (*name)(const struct machine_core *core, unsigned space, uint32_t number, char *text);
    /* null: the machine takes no input */
    bool (*feed)(struct machine_core *core, void *state, unsigned processor, const uint32_t *words, size_t count);
    /* gpucode_machine_enter(); null: there are no levels */
    bool (*enter)(struct machine_core *core, void *state, unsigned processor, unsigned level, uint64_t address,
                  uint32_t count);
    /*
     * The first of the words that make the handler of packet table entry `entry` run, with `payload` words after it;
     * null: there are no packets. An image of such a set is run a little to tell code from data.
     */
    uint32_t (*packet)(unsigned entry, unsigned payload);
    /* null: no breakpoints */
    bool (*set_break)(struct machine_core *core, void *state, unsigned processor, uint64_t pc, bool on);
    /* null: no coverage. Not part of the state: the bytes lie in the arena. */
    uint8_t *(*covered)(const void *state, unsigned processor, size_t *units);
    /* For debuggers, as the public functions of these names have it; null: the machine has no such thing. */
    bool (*frame)(const struct machine_core *core, const void *state, unsigned processor, unsigned index,
                  struct gpucode_frame *frame);
    /* null: the row of the instruction at the program counter tells, where the set has calls at all */
    bool (*call)(const struct machine_core *core, const void *state, unsigned processor, uint64_t *back);
    bool (*pending)(const struct machine_core *core, const void *state, unsigned processor, uint64_t *target);
    /* Counter number `index`, as gpucode_machine_counter() has it; null: there are none. */
    bool (*counter)(const void *state, unsigned index, struct gpucode_counter *counter);
    bool has_textures; /* core->texture is asked */
    bool has_accesses; /* core->access is asked */
    bool has_edges;    /* core->edges is heeded */
    /*
     * mark(): the state is now what a snapshot has, which was taken or put back. put_back() makes it that again; the
     * emulator may have noted what has changed since, and copy no more than that. null: everything is copied.
     */
    void (*mark)(struct machine_core *core, void *state);
    void (*put_back)(struct machine_core *core, void *state, const void *from, size_t size);
};

/* Value of a policy: the last setting of that name, or the preset. */
const char *isa_policy(const struct gpucode_policy *policies, const struct gpucode_setting *settings, const char *name);
/* Which of the policy's values that is, counted from 0. */
unsigned isa_policy_choice(const struct gpucode_policy *policies, const struct gpucode_setting *settings,
                           const char *name);
/* A choice that an emulator keeps as that number. */
struct isa_choice {
    const char *policy;
    uint8_t *to;
};
void isa_policy_choices(const struct gpucode_policy *policies, const struct gpucode_setting *settings,
                        const struct isa_choice *choices, size_t count);
/* The number that it is. */
uint64_t isa_policy_number(const struct gpucode_policy *policies, const struct gpucode_setting *settings,
                           const char *name);
/* The same where only some numbers are values; false: another one is set, and `message` was reported of its text, the
 * policy and the range. */
bool isa_policy_within(const struct machine_core *core, const struct gpucode_policy *policies,
                       const struct gpucode_setting *settings, const char *name, message_id message, uint64_t least,
                       uint64_t most, uint32_t *to);

/* Fills reason, code and text of a stop; the arguments follow the message's format. */
void isa_stop(struct gpucode_stop *stop, enum gpucode_stop_reason reason, message_id message, ...);

static inline void isa_edge_raise(uint8_t *count)
{
    *count = (uint8_t)(*count + (*count != UINT8_MAX));
}

/* What only the run knows: any two numbers. The map is there. */
static inline void isa_edge_dynamic(const struct isa_edges *edges, uint64_t from, uint64_t to)
{
    uint64_t hash = (from << 32 ^ to ^ UINT64_C(0x2545f4914f6cdd1d)) * UINT64_C(0x9e3779b97f4a7c15);
    isa_edge_raise(edges->map + edges->rest + (uint32_t)(hash >> 33) % edges->rest_count);
}

/* The instruction at `from` has run; `to`: where control goes, or what tells apart the ways of its end. */
static inline void isa_edge(const struct isa_edges *edges, unsigned section, uint32_t from, bool taken, uint64_t to)
{
    uint32_t number = edges->numbers[section][from];
    if (number == ISA_EDGE_DYNAMIC)
        isa_edge_dynamic(edges, (uint64_t)section << 32 | from, to);
    else if (number)
        isa_edge_raise(edges->map + number - !taken);
}

/* A packet follows another one. */
static inline void isa_edge_pair(const struct isa_edges *edges, unsigned before, unsigned opcode)
{
    isa_edge_raise(edges->map + edges->pairs + (before << 7 | opcode) % edges->pair_count);
}

/* Tells the hook, if it wants to know; true: the machine shall stop. */
static inline bool isa_event(struct machine_core *core, const struct gpucode_event *event)
{
    return core->hook_kinds & event->kind && core->hook(core->hook_user, core->machine, event);
}

#endif
