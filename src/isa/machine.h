/* SPDX-License-Identifier: MIT */
/*
 * What the machine room asks of an instruction set's emulator. The room itself owns memory, hooks,
 * breakpoints, snapshots' memory part and the public interface; the emulator owns its registers and its run loop.
 */
#ifndef ISA_MACHINE_H
#define ISA_MACHINE_H

#include "base/arena.h"
#include "isa/layout.h"
#include <gpucode/machine.h>

struct pages; /* sparse copy-on-write memory: base/pages.h */

/* Shared between the room and the emulator; the emulator's run loop reads it, the room's calls change it. */
struct machine_core {
    const struct gpucode_target *target;
    const struct isa_layout *layout;
    const struct gpucode_names *names;
    struct gpucode_sink sink;
    struct pages *pages;
    struct arena arena;
    uint64_t count; /* instructions run */
    uint64_t time;
    unsigned hook_kinds;
    bool (*hook)(void *user, struct gpucode_machine *machine, const struct gpucode_event *event);
    void *hook_user;
    bool coverage;
    struct gpucode_machine *machine; /* for the hook */
};

struct isa_machine {
    /* The emulator's state, of state_size bytes, zeroed. It is copied byte for byte by snapshots: pointers in it must
     * point to what never changes after create (the arena, the image). */
    size_t state_size;
    const struct gpucode_policy *policies; /* ends with a null name */
    enum gpucode_status (*create)(struct machine_core *core, void *state, const struct gpucode_setting *policies);
    void (*destroy)(struct machine_core *core, void *state); /* null: nothing to do */
    /* Runs at most `limit` instructions; processor UINT_MAX: all, interleaved. Returns how many. */
    uint64_t (*run)(struct machine_core *core, void *state, unsigned processor, uint64_t limit,
                    struct gpucode_stop *stop);
    const char *(*processor)(const void *state, unsigned index);
    unsigned (*section)(const void *state, unsigned processor);
    uint64_t (*pc)(const void *state, unsigned processor);
    bool (*set_pc)(void *state, unsigned processor, uint64_t pc);
    bool (*read)(const struct machine_core *core, const void *state, unsigned processor, unsigned space, uint32_t number,
                 uint32_t *value);
    bool (*write)(struct machine_core *core, void *state, unsigned processor, unsigned space, uint32_t number,
                  uint32_t value);
    bool (*space)(const struct machine_core *core, unsigned space, struct gpucode_space_info *info);
    bool (*find)(const struct machine_core *core, const char *name, size_t length, unsigned *space, uint32_t *number);
    size_t (*name)(const struct machine_core *core, unsigned space, uint32_t number, char *text, size_t size);
    bool (*feed)(struct machine_core *core, void *state, unsigned processor, const uint32_t *words, size_t count);
    bool (*set_break)(struct machine_core *core, void *state, unsigned processor, uint64_t pc, bool on);
    const uint8_t *(*covered)(const void *state, unsigned processor, size_t *units);
};

#endif
