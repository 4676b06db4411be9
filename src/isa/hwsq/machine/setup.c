/* SPDX-License-Identifier: MIT */
/* Making a machine: the code RAM, and what the policies set up. */
#include "hwsq_messages.h"
#include "isa/hwsq/machine/machine.h"

#include <string.h>

#define EXIT_OPCODE 0x7f
#define CODE_MAX ((size_t)16 << 20) /* with hwsq-oversize */

static size_t code_room(const struct machine_core *core)
{
    size_t room = hwsq_chip_of(core->target)->code_bytes, size = (core->layout->size + 3) & ~(size_t)3;
    return size > room && size <= CODE_MAX ? size : room;
}

size_t hwsq_measure(const struct machine_core *core, const struct gpucode_setting *settings)
{
    (void)settings;
    return sizeof(struct hwsq_state) + code_room(core);
}

enum gpucode_status hwsq_create(struct machine_core *core, void *opaque, const struct gpucode_setting *settings)
{
    enum { A, B, BOTH, NONE };
    struct hwsq_state *state = opaque;
    state->chip = hwsq_chip_of(core->target);
    state->has_pause = core->target->generation != HWSQ_NV17;
    state->code_bytes = (uint32_t)code_room(core);
    if (core->layout->size > state->chip->code_bytes &&
        (!isa_policy_choice(hwsq_policies, settings, "hwsq-oversize") || core->layout->size > CODE_MAX)) {
        report(&core->on_diagnostic, &(struct place){.file = core->layout->file_name}, MSG_HWSQ_SCRIPT_LARGE, NULL,
               core->layout->size, core->target->name, (unsigned)state->chip->code_bytes);
        return GPUCODE_ERROR_INPUT;
    }
    if (!hwsq_read_policies(core, state, settings))
        return GPUCODE_ERROR_INPUT;
    memset(state->code, isa_policy_choice(hwsq_policies, settings, "hwsq-fill") ? 0 : EXIT_OPCODE, state->code_bytes);
    memcpy(state->code, core->layout->bytes, core->layout->size);
    state->breaks = arena_array(&core->arena, HWSQ_SLOTS, state->code_bytes);
    state->covered = arena_array(&core->arena, HWSQ_SLOTS, state->code_bytes);
    if (!state->breaks || !state->covered)
        return GPUCODE_ERROR_MEMORY;
    state->debug_6 = (isa_policy_choice(hwsq_policies, settings, "hwsq-enable") ? 0u : 1u << 3) |
                     isa_policy_choice(hwsq_policies, settings, "hwsq-override-mode") << 4;
    unsigned which = isa_policy_choice(hwsq_policies, settings, "hwsq-start");
    unsigned entry = isa_policy_choice(hwsq_policies, settings, "hwsq-entry");
    if (state->chip->slots == 1 && which != NONE)
        which = A;
    for (unsigned i = 0; i < state->chip->slots; i++)
        if (which == BOTH || which == i) {
            state->slot[i].running = true;
            state->slot[i].ip = state->entry[entry];
        }
    return GPUCODE_OK;
}
