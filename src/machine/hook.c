/* SPDX-License-Identifier: MIT */
/* Watching a machine, and answering it: hooks, textures, memory, breakpoints, coverage. */
#include "machine/machine.h"

#include <string.h>

void gpucode_machine_hook(struct gpucode_machine *machine, unsigned kinds,
                          bool (*hook)(void *user, struct gpucode_machine *machine, const struct gpucode_event *event),
                          void *user)
{
    if (!machine)
        return;
    machine->core.hook_kinds = hook ? kinds : 0;
    machine->core.hook = hook;
    machine->core.hook_user = user;
}

enum gpucode_status gpucode_machine_texture(struct gpucode_machine *machine,
                                            bool (*texture)(void *user, struct gpucode_machine *machine,
                                                            const struct gpucode_texture_lookup *lookup,
                                                            uint32_t values[4]),
                                            void *user)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    if (!machine->emulator->has_textures)
        return GPUCODE_ERROR_UNSUPPORTED;
    machine->core.texture = texture;
    machine->core.texture_user = user;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_machine_memory(struct gpucode_machine *machine,
                                           bool (*access)(void *user, struct gpucode_machine *machine,
                                                          const struct gpucode_access *access, uint32_t *value),
                                           void *user)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    if (!machine->emulator->has_accesses)
        return GPUCODE_ERROR_UNSUPPORTED;
    machine->core.access = access;
    machine->core.access_user = user;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_machine_break(struct gpucode_machine *machine, unsigned processor, uint64_t pc, bool on)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    if (!machine->emulator->set_break)
        return GPUCODE_ERROR_UNSUPPORTED;
    return gpucode_machine_processor(machine, processor) &&
                   machine->emulator->set_break(&machine->core, machine->state, processor, pc, on)
               ? GPUCODE_OK
               : GPUCODE_ERROR_RANGE;
}

enum gpucode_status gpucode_machine_coverage(struct gpucode_machine *machine, bool on)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    if (!machine->emulator->covered)
        return GPUCODE_ERROR_UNSUPPORTED;
    machine->core.coverage = on;
    for (unsigned i = 0; on && gpucode_machine_processor(machine, i); i++) {
        size_t units = 0;
        uint8_t *covered = machine->emulator->covered(machine->state, i, &units);
        if (covered)
            memset(covered, 0, units);
    }
    return GPUCODE_OK;
}

const uint8_t *gpucode_machine_covered(const struct gpucode_machine *machine, unsigned processor, size_t *units)
{
    if (units)
        *units = 0;
    if (!machine)
        return NULL;
    if (units)
        *units = 0;
    if (!machine->emulator->covered || !gpucode_machine_processor(machine, processor))
        return NULL;
    size_t count = 0;
    const uint8_t *covered = machine->emulator->covered(machine->state, processor, &count);
    if (units)
        *units = count;
    return covered;
}
