/* SPDX-License-Identifier: MIT */
/* A processor that runs the actions of rows: registers, a program counter and memory. */
#include "base/text.h"
#include "isa/plain/plain.h"

#include <string.h>

static const struct isa_plain *plain_of(const struct machine_core *core)
{
    return core->target->isa->plain;
}

static enum gpucode_status create_processor(struct machine_core *core, void *opaque,
                                            const struct gpucode_setting *policies)
{
    struct isa_plain_processor *processor = opaque;
    (void)policies;
    processor->units = core->layout->info.units;
    processor->breaks = arena_array(&core->arena, (size_t)processor->units + 1, 1);
    processor->covered = arena_array(&core->arena, (size_t)processor->units + 1, 1);
    return processor->breaks && processor->covered ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

/* --- running -------------------------------------------------------------------------------------------- */

static void send_event(struct isa_plain_processor *processor, struct gpucode_event event)
{
    event.pc = processor->pc;
    event.time = processor->core->time;
    processor->asked |= isa_event(processor->core, &event);
}

uint32_t isa_plain_load(struct isa_plain_processor *processor, uint64_t address)
{
    uint32_t value = 0;
    if (!pages_read(&processor->core->memory, address, &value))
        isa_stop(processor->stop, GPUCODE_STOP_FAULT, MSG_MACHINE_UNMAPPED, (unsigned long long)address);
    send_event(processor, (struct gpucode_event){.kind = GPUCODE_EVENT_MEM_READ, .address = address, .value = value});
    return value;
}

void isa_plain_store(struct isa_plain_processor *processor, uint64_t address, uint32_t value)
{
    struct gpucode_event event = {.kind = GPUCODE_EVENT_MEM_WRITE, .address = address, .value = value};
    uint32_t old = 0;
    if (!pages_read(&processor->core->memory, address, &old)) {
        isa_stop(processor->stop, GPUCODE_STOP_FAULT, MSG_MACHINE_UNMAPPED, (unsigned long long)address);
        return;
    }
    pages_write(&processor->core->memory, address, value);
    event.old = old;
    send_event(processor, event);
}

/* Tells of registers that an action has changed. */
static void send_writes(struct isa_plain_processor *processor, const uint32_t *before)
{
    for (unsigned i = 0; i < plain_of(processor->core)->register_count; i++)
        if (processor->registers[i] != before[i])
            send_event(processor, (struct gpucode_event){.kind = GPUCODE_EVENT_WRITE,
                                                         .space = GPUCODE_SPACE_GENERAL,
                                                         .address = i,
                                                         .value = processor->registers[i],
                                                         .old = before[i]});
}

static void execute_insn(struct isa_plain_processor *processor, const struct gpucode_insn *insn)
{
    struct machine_core *core = processor->core;
    if (!(core->hook_kinds & GPUCODE_EVENT_WRITE)) {
        plain_of(core)->execute(processor, insn);
        return;
    }
    uint32_t before[ISA_PLAIN_REGISTERS];
    memcpy(before, processor->registers, sizeof before);
    plain_of(core)->execute(processor, insn);
    send_writes(processor, before);
}

/* One instruction; false: the machine stands, and *processor->stop says why. */
static bool run_insn(struct isa_plain_processor *processor)
{
    struct machine_core *core = processor->core;
    struct gpucode_insn insn;
    size_t unit = core->target->isa->unit_bytes, offset = (size_t)processor->pc * unit;
    size_t size = (size_t)processor->units * unit;
    if (processor->ended) {
        isa_stop(processor->stop, GPUCODE_STOP_END, MSG_MACHINE_END);
        return false;
    }
    if (offset >= size ||
        gpucode_decode(core->target, core->layout->bytes + offset, size - offset, processor->pc, &insn) != GPUCODE_OK) {
        isa_stop(processor->stop, GPUCODE_STOP_UNKNOWN, MSG_MACHINE_NO_INSN, (unsigned long long)processor->pc);
        return false;
    }
    struct gpucode_event event = {.kind = GPUCODE_EVENT_INSN, .pc = processor->pc, .time = core->time};
    if (isa_event(core, &event)) {
        processor->stop->reason = GPUCODE_STOP_HOOK;
        return false;
    }
    processor->covered[processor->pc] |= core->coverage;
    processor->next = processor->pc + insn.size / unit;
    execute_insn(processor, &insn);
    processor->pc = processor->next;
    core->count++;
    core->time++;
    return true;
}

static uint64_t run_processor(struct machine_core *core, void *opaque, unsigned index, uint64_t limit,
                              struct gpucode_stop *stop)
{
    struct isa_plain_processor *processor = opaque;
    uint64_t count = 0;
    (void)index;
    processor->core = core;
    processor->stop = stop;
    processor->asked = false;
    while (count < limit && stop->reason == GPUCODE_STOP_LIMIT) {
        if (count && processor->pc < processor->units && processor->breaks[processor->pc]) {
            stop->reason = GPUCODE_STOP_BREAKPOINT;
            break;
        }
        if (!run_insn(processor))
            break;
        count++;
        if (processor->asked && stop->reason == GPUCODE_STOP_LIMIT)
            stop->reason = GPUCODE_STOP_HOOK;
    }
    return count;
}

/* --- looking into it ------------------------------------------------------------------------------------ */

static const char *processor_name(const void *state, unsigned index)
{
    (void)state;
    return index ? NULL : "0";
}

static unsigned processor_section(const void *state, unsigned index)
{
    (void)state;
    (void)index;
    return 0;
}

static uint64_t processor_pc(const void *state, unsigned index)
{
    (void)index;
    return ((const struct isa_plain_processor *)state)->pc;
}

static bool set_processor_pc(void *state, unsigned index, uint64_t pc)
{
    struct isa_plain_processor *processor = state;
    (void)index;
    if (pc >= processor->units)
        return false;
    processor->pc = pc;
    processor->ended = false;
    return true;
}

static bool read_register(const struct machine_core *core, const void *state, unsigned index, unsigned space,
                          uint32_t number, uint32_t *value)
{
    (void)index;
    if (space != GPUCODE_SPACE_GENERAL || number >= plain_of(core)->register_count)
        return false;
    *value = ((const struct isa_plain_processor *)state)->registers[number];
    return true;
}

static bool write_register(struct machine_core *core, void *state, unsigned index, unsigned space, uint32_t number,
                           uint32_t value)
{
    (void)index;
    if (space != GPUCODE_SPACE_GENERAL || number >= plain_of(core)->register_count)
        return false;
    ((struct isa_plain_processor *)state)->registers[number] = value;
    return true;
}

static bool describe_space(const struct machine_core *core, unsigned space, struct gpucode_space_info *info)
{
    if (space != GPUCODE_SPACE_GENERAL)
        return false;
    *info = (struct gpucode_space_info){"general", "", plain_of(core)->register_count, false};
    return true;
}

static bool find_register(const struct machine_core *core, const char *name, size_t length, unsigned *space,
                          uint32_t *number)
{
    uint32_t value = 0;
    if (length < 2 || length > 3 || *name != 'r' || (length == 3 && name[1] == '0'))
        return false;
    for (size_t i = 1; i < length; i++) {
        if (name[i] < '0' || name[i] > '9')
            return false;
        value = value * 10 + (uint32_t)(name[i] - '0');
    }
    *space = GPUCODE_SPACE_GENERAL;
    *number = value;
    return value < plain_of(core)->register_count;
}

static size_t register_name(const struct machine_core *core, unsigned space, uint32_t number, char *text)
{
    if (space != GPUCODE_SPACE_GENERAL || number >= plain_of(core)->register_count)
        return 0;
    *text = 'r';
    return (size_t)(text_decimal(text + 1, number) - text);
}

static bool set_breakpoint(struct machine_core *core, void *state, unsigned index, uint64_t pc, bool on)
{
    struct isa_plain_processor *processor = state;
    (void)core;
    (void)index;
    if (pc >= processor->units)
        return false;
    processor->breaks[pc] = on;
    return true;
}

static uint8_t *covered_units(const void *state, unsigned index, size_t *units)
{
    const struct isa_plain_processor *processor = state;
    (void)index;
    *units = (size_t)processor->units;
    return processor->covered;
}

static const struct gpucode_policy no_policies[] = {{NULL, NULL, NULL, NULL}};

const struct isa_machine isa_plain_machine = {
    .state_size = sizeof(struct isa_plain_processor),
    .policies = no_policies,
    .create = create_processor,
    .run = run_processor,
    .processor = processor_name,
    .section = processor_section,
    .pc = processor_pc,
    .set_pc = set_processor_pc,
    .read = read_register,
    .write = write_register,
    .space = describe_space,
    .find = find_register,
    .name = register_name,
    .set_break = set_breakpoint,
    .covered = covered_units,
};
