/* SPDX-License-Identifier: MIT */
/*
 * Numbers for the edges of code. Each transfer with a target that stands in the instruction gets one for each of its
 * ways, so that no two share a byte of the map; what only the run knows is hashed into the rest.
 */
#include "machine/machine.h"

#include "isa/isa.h"
#include <limits.h>

/* A pair of packets: the opcode before and the one after, 7 bits each. */
#define PAIRS (1u << 14)

static bool flow_at(const struct gpucode_machine *machine, const struct gpucode_section *section, uint32_t at,
                    struct gpucode_insn *insn, struct gpucode_flow *flow)
{
    const struct isa_layout *layout = &machine->image->layout;
    unsigned unit = machine->image->isa->unit_bytes;
    const unsigned char *bytes = layout->bytes + layout->info.prefix + (size_t)unit * (section->start + at);
    return gpucode_decode(layout->info.target, bytes, unit * (size_t)(section->size - at), at, insn) == GPUCODE_OK &&
           gpucode_insn_flow(insn, flow);
}

/* Calls `found` for each transfer; returns how many edges with a number there are. */
static uint32_t visit_transfers(struct gpucode_machine *machine,
                                void (*found)(struct gpucode_machine *machine, unsigned section, uint32_t first,
                                              const struct gpucode_insn *insn, const struct gpucode_flow *flow))
{
    const struct gpucode_image_info *info = &machine->image->layout.info;
    unsigned unit = machine->image->isa->unit_bytes;
    uint32_t count = 0;
    for (unsigned i = 0; i < info->section_count; i++) {
        struct gpucode_insn insn;
        struct gpucode_flow flow;
        for (uint32_t at = 0, step = 1; at < info->sections[i].size; at += step) {
            step = 1;
            if (!flow_at(machine, &info->sections[i], at, &insn, &flow))
                continue;
            step = insn.size > unit ? insn.size / unit : 1;
            if (flow.kind == GPUCODE_FLOW_NEXT || flow.kind == GPUCODE_FLOW_STOP)
                continue;
            if (found)
                found(machine, i, count + 1, &insn, &flow);
            count += !flow.known ? 0 : flow.conditional ? 2 : 1;
        }
    }
    return count;
}

static void note_transfer(struct gpucode_machine *machine, unsigned section, uint32_t first,
                          const struct gpucode_insn *insn, const struct gpucode_flow *flow)
{
    uint32_t *numbers = (uint32_t *)machine->core.edges.numbers[section]; /* the arena's; constant for the run loops */
    uint32_t at = (uint32_t)insn->address, next = at + insn->size / machine->image->isa->unit_bytes;
    if (!flow->known) {
        numbers[at] = ISA_EDGE_DYNAMIC;
        return;
    }
    if (flow->conditional)
        machine->edges[first++ - 1] = (struct gpucode_machine_edge){section, at, next, false};
    machine->edges[first - 1] = (struct gpucode_machine_edge){section, at, (uint32_t)flow->target, true};
    numbers[at] = first;
}

static enum gpucode_status number_edges(struct gpucode_machine *machine)
{
    const struct gpucode_image_info *info = &machine->image->layout.info;
    struct arena *arena = &machine->core.arena;
    uint32_t count = visit_transfers(machine, NULL);
    const uint32_t **numbers = arena_array(arena, info->section_count + 1, sizeof *numbers);
    machine->edges = arena_array(arena, count + 1, sizeof *machine->edges);
    if (!numbers || !machine->edges)
        return GPUCODE_ERROR_MEMORY;
    for (unsigned i = 0; i < info->section_count; i++)
        if (!(numbers[i] = arena_array(arena, info->sections[i].size + 1, sizeof **numbers)))
            return GPUCODE_ERROR_MEMORY;
    machine->core.edges.numbers = numbers;
    machine->edge_count = visit_transfers(machine, note_transfer);
    return GPUCODE_OK;
}

enum gpucode_status gpucode_machine_edges(struct gpucode_machine *machine, uint8_t *map, size_t size)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    struct isa_edges *edges = &machine->core.edges;
    edges->map = NULL;
    if (!machine->emulator->has_edges)
        return GPUCODE_ERROR_UNSUPPORTED;
    if (!map)
        return GPUCODE_OK;
    if (!edges->numbers) {
        enum gpucode_status status = number_edges(machine);
        if (status != GPUCODE_OK)
            return status;
    }
    size_t taken = 1 + (size_t)machine->edge_count;
    if (size > INT32_MAX || size < taken + GPUCODE_EDGES_LEAST)
        return GPUCODE_ERROR_RANGE;
    uint32_t left = (uint32_t)(size - taken);
    edges->pairs = (uint32_t)taken;
    edges->pair_count = left >= GPUCODE_EDGES_SIZE ? PAIRS : left / 2;
    edges->rest = edges->pairs + edges->pair_count;
    edges->rest_count = left - edges->pair_count;
    edges->map = map;
    return GPUCODE_OK;
}

bool gpucode_machine_edge(const struct gpucode_machine *machine, uint32_t number, struct gpucode_machine_edge *edge)
{
    if (!machine || !edge || !number || number > machine->edge_count)
        return false;
    *edge = machine->edges[number - 1];
    return true;
}

uint32_t gpucode_machine_edge_count(const struct gpucode_machine *machine)
{
    if (!machine || !machine->emulator->has_edges)
        return 0;
    /* only the table that is still missing is made by visiting, which changes nothing */
    return machine->core.edges.numbers ? machine->edge_count : visit_transfers((struct gpucode_machine *)machine, NULL);
}
