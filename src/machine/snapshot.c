/* SPDX-License-Identifier: MIT */
/* Snapshots: the emulator's state copied, memory shared until one side writes. */
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

struct gpucode_snapshot {
    struct pages memory, files;
    uint64_t count, time;
    uint64_t number; /* of the machine's snapshots, from 1 on */
    size_t size;     /* of this object, state included */
    unsigned char state[];
};

static void put_back(const struct pages *from, struct pages *memory, bool last)
{
    if (last && pages_put_back(memory))
        memory->failed = from->failed;
    else /* changes the owner counts only, which do not show from outside */
        pages_share((struct pages *)from, memory);
}

static void mark_state(struct gpucode_machine *machine, uint64_t number)
{
    machine->marked = number;
    if (machine->emulator->mark)
        machine->emulator->mark(&machine->core, machine->state);
}

enum gpucode_status gpucode_machine_snapshot(struct gpucode_machine *machine, struct gpucode_snapshot **out)
{
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_snapshot *snapshot = malloc(sizeof *snapshot + machine->state_size);
    *out = snapshot;
    if (!snapshot)
        return GPUCODE_ERROR_MEMORY;
    snapshot->memory = snapshot->files = (struct pages){0};
    pages_share(&machine->core.memory, &snapshot->memory);
    pages_share(&machine->core.files, &snapshot->files);
    snapshot->size = sizeof *snapshot + machine->state_size;
    snapshot->count = machine->core.count;
    snapshot->time = machine->core.time;
    memcpy(snapshot->state, machine->state, machine->state_size);
    snapshot->number = ++machine->snapshots;
    mark_state(machine, snapshot->number);
    return GPUCODE_OK;
}

enum gpucode_status gpucode_machine_restore(struct gpucode_machine *machine, const struct gpucode_snapshot *snapshot)
{
    if (!snapshot)
        return GPUCODE_ERROR_ARGUMENT;
    bool last = machine->marked == snapshot->number; /* notes of what has changed are since then */
    put_back(&snapshot->memory, &machine->core.memory, last);
    put_back(&snapshot->files, &machine->core.files, last);
    machine->core.count = snapshot->count;
    machine->core.time = snapshot->time;
    if (last && machine->emulator->put_back)
        machine->emulator->put_back(&machine->core, machine->state, snapshot->state, machine->state_size);
    else
        memcpy(machine->state, snapshot->state, machine->state_size);
    mark_state(machine, snapshot->number);
    return GPUCODE_OK;
}

void gpucode_snapshot_free(struct gpucode_snapshot *snapshot)
{
    if (!snapshot)
        return;
    pages_free(&snapshot->memory);
    pages_free(&snapshot->files);
    free(snapshot);
}

size_t gpucode_snapshot_bytes(const struct gpucode_snapshot *snapshot, const struct gpucode_snapshot *other)
{
    if (!snapshot)
        return 0;
    return snapshot->size + pages_beyond(&snapshot->memory, other ? &other->memory : NULL) +
           pages_beyond(&snapshot->files, other ? &other->files : NULL);
}
