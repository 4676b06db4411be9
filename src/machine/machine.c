/* SPDX-License-Identifier: MIT */
/* The public interface of machines: making, running and looking into them. */
#include "machine/machine.h"

#include "base/arena.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

enum gpucode_status gpucode_machine_create(const struct gpucode_image *image,
                                           const struct gpucode_machine_options *options, struct gpucode_machine **out)
{
    static const struct gpucode_machine_options none = {0};
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!image)
        return GPUCODE_ERROR_ARGUMENT;
    if (!options)
        options = &none;
    const struct isa_machine *emulator = machine_emulator(image->isa);
    if (!emulator) {
        report(&options->on_diagnostic, &(struct place){.file = image->layout.file_name}, MSG_NO_MACHINE, NULL,
               image->isa->name);
        return GPUCODE_ERROR_UNSUPPORTED;
    }
    if (!machine_check_policies(emulator->policies, options->policies, &options->on_diagnostic))
        return GPUCODE_ERROR_INPUT;
    struct gpucode_machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        return GPUCODE_ERROR_MEMORY;
    machine->emulator = emulator;
    machine->image = image;
    machine->core = (struct machine_core){
        .target = image->layout.info.target,
        .layout = &image->layout,
        .names = options->names,
        .on_diagnostic = options->on_diagnostic,
        .machine = machine,
    };
    machine->state_size =
        emulator->measure ? emulator->measure(&machine->core, options->policies) : emulator->state_size;
    machine->state = calloc(1, machine->state_size ? machine->state_size : 1);
    enum gpucode_status status =
        machine->state ? emulator->create(&machine->core, machine->state, options->policies) : GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK && (machine->core.memory.failed || machine->core.files.failed))
        status = GPUCODE_ERROR_MEMORY;
    machine->core.on_diagnostic = (struct gpucode_diagnostic_handler){0}; /* the caller's, for the time of this call */
    return DELIVER(status, machine, out, gpucode_machine_free);
}

void gpucode_machine_free(struct gpucode_machine *machine)
{
    if (!machine)
        return;
    if (machine->state && machine->emulator->destroy)
        machine->emulator->destroy(&machine->core, machine->state);
    pages_free(&machine->core.memory);
    pages_free(&machine->core.files);
    arena_free(&machine->core.arena);
    FREE_ALL(machine->state, machine);
}

static uint64_t run(struct gpucode_machine *machine, unsigned processor, uint64_t limit, struct gpucode_stop *stop)
{
    struct gpucode_stop mine;
    if (!stop)
        stop = &mine;
    stop->reason = GPUCODE_STOP_LIMIT;
    stop->processor = processor == ISA_ALL_PROCESSORS ? 0 : processor;
    stop->code = NULL;
    stop->text[0] = 0;
    uint64_t ran = machine->emulator->run(&machine->core, machine->state, processor, limit, stop);
    if (machine->core.memory.failed || machine->core.files.failed) {
        isa_stop(stop, GPUCODE_STOP_FAULT, MSG_MACHINE_MEMORY);
        machine->core.memory.failed = machine->core.files.failed = false;
    }
    stop->pc = machine->emulator->pc(machine->state, stop->processor);
    stop->time = machine->core.time;
    return ran;
}

uint64_t gpucode_machine_run(struct gpucode_machine *machine, uint64_t limit, struct gpucode_stop *stop)
{
    if (!machine)
        return 0;
    return run(machine, ISA_ALL_PROCESSORS, limit, stop);
}

uint64_t gpucode_machine_step(struct gpucode_machine *machine, unsigned processor, struct gpucode_stop *stop)
{
    if (!machine)
        return 0;
    if (!gpucode_machine_processor(machine, processor))
        processor = 0;
    return run(machine, processor, 1, stop);
}

uint64_t gpucode_machine_time(const struct gpucode_machine *machine)
{
    if (!machine)
        return 0;
    return machine->core.time;
}

uint64_t gpucode_machine_count(const struct gpucode_machine *machine)
{
    if (!machine)
        return 0;
    return machine->core.count;
}

bool gpucode_machine_counter(const struct gpucode_machine *machine, unsigned index, struct gpucode_counter *counter)
{
    if (!machine)
        return false;
    return machine->emulator->counter && machine->emulator->counter(machine->state, index, counter);
}

const char *gpucode_machine_processor(const struct gpucode_machine *machine, unsigned index)
{
    if (!machine)
        return NULL;
    return machine->emulator->processor(machine->state, index);
}

unsigned gpucode_machine_section(const struct gpucode_machine *machine, unsigned processor)
{
    if (!machine)
        return 0;
    return gpucode_machine_processor(machine, processor) ? machine->emulator->section(machine->state, processor) : 0;
}

uint64_t gpucode_machine_pc(const struct gpucode_machine *machine, unsigned processor)
{
    if (!machine)
        return 0;
    return gpucode_machine_processor(machine, processor) ? machine->emulator->pc(machine->state, processor) : 0;
}

enum gpucode_status gpucode_machine_set_pc(struct gpucode_machine *machine, unsigned processor, uint64_t pc)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    return gpucode_machine_processor(machine, processor) && machine->emulator->set_pc(machine->state, processor, pc)
               ? GPUCODE_OK
               : GPUCODE_ERROR_RANGE;
}

const struct gpucode_image *gpucode_machine_image(const struct gpucode_machine *machine)
{
    if (!machine)
        return NULL;
    return machine->image;
}

bool gpucode_machine_frame(const struct gpucode_machine *machine, unsigned processor, unsigned index,
                           struct gpucode_frame *frame)
{
    if (!machine)
        return false;
    return machine->emulator->frame && gpucode_machine_processor(machine, processor) &&
           machine->emulator->frame(&machine->core, machine->state, processor, index, frame);
}

/* Is the instruction at the program counter a call, by its row? */
static bool code_calls(const struct gpucode_machine *machine, unsigned processor, uint64_t *back)
{
    const struct isa_layout *layout = &machine->image->layout;
    const struct gpucode_section *section = &layout->info.sections[gpucode_machine_section(machine, processor)];
    uint64_t pc = gpucode_machine_pc(machine, processor), target;
    unsigned unit = machine->image->isa->unit_bytes;
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    if (!machine->image->isa->facts.calls || pc >= section->size ||
        (gpucode_machine_pending(machine, processor, &target) && target == UINT64_MAX))
        return false;
    const unsigned char *bytes = layout->bytes + layout->info.prefix + unit * (section->start + pc);
    if (gpucode_decode(layout->info.target, bytes, unit * (size_t)(section->size - pc), pc, &insn) != GPUCODE_OK ||
        !gpucode_insn_flow(&insn, &flow) || flow.kind != GPUCODE_FLOW_CALL)
        return false;
    *back = pc + insn.size / unit * (1u + flow.delay_slots);
    return true;
}

bool gpucode_machine_call(const struct gpucode_machine *machine, unsigned processor, uint64_t *back)
{
    if (!machine)
        return false;
    uint64_t mine;
    if (!gpucode_machine_processor(machine, processor))
        return false;
    if (machine->emulator->call)
        return machine->emulator->call(&machine->core, machine->state, processor, back ? back : &mine);
    return code_calls(machine, processor, back ? back : &mine);
}

bool gpucode_machine_pending(const struct gpucode_machine *machine, unsigned processor, uint64_t *target)
{
    if (!machine)
        return false;
    uint64_t mine;
    return machine->emulator->pending && gpucode_machine_processor(machine, processor) &&
           machine->emulator->pending(&machine->core, machine->state, processor, target ? target : &mine);
}

enum gpucode_status gpucode_machine_read(const struct gpucode_machine *machine, unsigned processor, unsigned space,
                                         uint32_t number, uint32_t *value)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    return gpucode_machine_processor(machine, processor) &&
                   machine->emulator->read(&machine->core, machine->state, processor, space, number, value)
               ? GPUCODE_OK
               : GPUCODE_ERROR_RANGE;
}

enum gpucode_status gpucode_machine_write(struct gpucode_machine *machine, unsigned processor, unsigned space,
                                          uint32_t number, uint32_t value)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    bool good = gpucode_machine_processor(machine, processor) &&
                machine->emulator->write(&machine->core, machine->state, processor, space, number, value);
    if (machine->core.memory.failed || machine->core.files.failed) {
        machine->core.memory.failed = machine->core.files.failed = false;
        return GPUCODE_ERROR_MEMORY;
    }
    return good ? GPUCODE_OK : GPUCODE_ERROR_RANGE;
}

bool gpucode_machine_space(const struct gpucode_machine *machine, unsigned space, struct gpucode_space_info *info)
{
    if (!machine)
        return false;
    return machine->emulator->space(&machine->core, space, info);
}

bool gpucode_machine_find(const struct gpucode_machine *machine, const char *name, unsigned *space, uint32_t *number)
{
    return name && machine->emulator->find(&machine->core, name, strlen(name), space, number);
}

size_t gpucode_machine_name(const struct gpucode_machine *machine, unsigned space, uint32_t number, char *text,
                            size_t size)
{
    if (!machine)
        return 0;
    char name[GPUCODE_NAME_MAX];
    size_t length = machine->emulator->name(&machine->core, space, number, name);
    if (!length || length >= size)
        return 0;
    memcpy(text, name, length);
    text[length] = 0;
    return length;
}

enum gpucode_status gpucode_machine_load(const struct gpucode_machine *machine, uint64_t address, void *bytes,
                                         size_t size)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    return pages_load(&machine->core.memory, address, bytes, size) ? GPUCODE_OK : GPUCODE_ERROR_RANGE;
}

/* Does the range wrap around, or is it larger than anything a caller can mean? */
static bool is_range(uint64_t address, uint64_t size)
{
    return size <= UINT64_C(1) << 36 && (!size || address + (size - 1) >= address);
}

enum gpucode_status gpucode_machine_store(struct gpucode_machine *machine, uint64_t address, const void *bytes,
                                          size_t size)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    if (!is_range(address, size))
        return GPUCODE_ERROR_RANGE;
    if (pages_store(&machine->core.memory, address, bytes, size))
        return GPUCODE_OK;
    machine->core.memory.failed = false;
    return GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_machine_map(struct gpucode_machine *machine, uint64_t address, uint64_t size)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    if (size && address + (size - 1) < address)
        return GPUCODE_ERROR_RANGE;
    if (pages_map(&machine->core.memory, address, size))
        return GPUCODE_OK;
    machine->core.memory.failed = false;
    return GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_machine_enter(struct gpucode_machine *machine, unsigned processor, unsigned level,
                                          uint64_t address, uint32_t count)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    if (!machine->emulator->enter)
        return GPUCODE_ERROR_UNSUPPORTED;
    if (!gpucode_machine_processor(machine, processor))
        return GPUCODE_ERROR_ARGUMENT;
    if (machine->emulator->enter(&machine->core, machine->state, processor, level, address, count))
        return GPUCODE_OK;
    bool failed = machine->core.memory.failed || machine->core.files.failed;
    machine->core.memory.failed = machine->core.files.failed = false;
    return failed ? GPUCODE_ERROR_MEMORY : GPUCODE_ERROR_RANGE;
}

enum gpucode_status gpucode_machine_feed(struct gpucode_machine *machine, unsigned processor, const uint32_t *words,
                                         size_t count)
{
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    if (!machine->emulator->feed)
        return GPUCODE_ERROR_UNSUPPORTED;
    if (!gpucode_machine_processor(machine, processor) || (!words && count))
        return GPUCODE_ERROR_ARGUMENT;
    if (machine->emulator->feed(&machine->core, machine->state, processor, words, count))
        return GPUCODE_OK;
    machine->core.files.failed = false;
    return GPUCODE_ERROR_MEMORY;
}

/* Watching a machine, and answering it: hooks, textures, memory, breakpoints, coverage. */

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
    if (!machine || !machine->emulator->covered || !gpucode_machine_processor(machine, processor))
        return NULL;
    size_t count = 0;
    const uint8_t *covered = machine->emulator->covered(machine->state, processor, &count);
    if (units)
        *units = count;
    return covered;
}
