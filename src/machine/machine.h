/* SPDX-License-Identifier: MIT */
/* What a machine is inside the library. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "isa/isa.h"
#include "isa/machine.h"
#include "isa/plain/plain.h"

struct gpucode_machine {
    struct machine_core core;
    const struct isa_machine *emulator;
    const struct gpucode_image *image;
    void *state;
    size_t state_size;
    uint64_t snapshots;                 /* how many were taken */
    uint64_t marked;                    /* number of the one that emulator->mark() was called at last for; 0: none */
    struct gpucode_machine_edge *edges; /* of the code, made when first asked for; in the arena */
    uint32_t edge_count;
};

/* The set's machine, the plain one for its actions, or null. */
static inline const struct isa_machine *machine_emulator(const struct isa *isa)
{
    return isa->machine ? isa->machine : isa->plain ? &isa_plain_machine : NULL;
}

/* --- policies ----------------------------------------------------------------------------------------------------- */

/* Do all settings name policies of a list, which may be null, and values that these take? The diagnostic handler is
 * told of those that do not. */
bool machine_check_policies(const struct gpucode_policy *policies, const struct gpucode_setting *settings,
                            const struct gpucode_diagnostic_handler *on_diagnostic);

#endif
