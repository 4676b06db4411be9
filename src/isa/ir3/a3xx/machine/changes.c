/* SPDX-License-Identifier: MIT */
/*
 * Going back to a snapshot that was the last one taken or put back: what a program can change is known from its
 * instructions, and what the host writes is noted, so that the rest need not be copied.
 */
#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/a3xx/machine/machine.h"

static void add_row(struct a3xx_changes *changes, bool half, uint32_t number)
{
    uint16_t row = (uint16_t)(half * A3XX_FILE_ROOM + number);
    if (number < A3XX_FILE_ROOM && !changes->has[row]) {
        changes->has[row] = true;
        changes->rows[changes->count++] = row;
    }
}

static void add_results(struct a3xx_changes *changes, const struct gpucode_insn *insn)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = insn->row == A3XX_RAW ? 0 : a3xx_accesses(insn, access);
    for (unsigned i = 0; i < count; i++) {
        if (!access[i].write)
            continue;
        uint32_t first = (uint32_t)access[i].number + (access[i].file == A3XX_FILE_ADDRESS     ? A3XX_A0
                                                       : access[i].file == A3XX_FILE_PREDICATE ? A3XX_P0
                                                                                               : 0);
        changes->all |= access[i].relative;
        for (uint32_t k = 0; k < access[i].count + a3xx_repeat(insn->bits) && !access[i].relative; k++)
            add_row(changes, access[i].file == A3XX_FILE_HALF, first + k);
    }
    changes->calls |= a3xx_flow(insn->row) == GPUCODE_FLOW_CALL;
}

bool a3xx_changes_begin(struct machine_core *core, struct a3xx_state *state)
{
    struct a3xx_changes *changes = arena_array(&core->arena, 1, sizeof *changes);
    state->changes = changes;
    if (!changes)
        return false;
    changes->all = state->choice.strict; /* what is on its way changes everywhere */
    for (uint32_t i = 0; i < state->program.count; i++) {
        const struct a3xx_op *op = &state->program.ops[i];
        const struct gpucode_insn insn = {
            .target = core->target, .bits = op->bits, .row = op->row, .address = i, .size = 8};
        add_results(changes, &insn);
    }
    changes->fixed = changes->count;
    return true;
}

void a3xx_changes_note(struct a3xx_state *state, bool half, uint32_t number)
{
    add_row(state->changes, half, number);
}

void a3xx_mark(struct machine_core *core, void *opaque)
{
    struct a3xx_changes *changes = ((struct a3xx_state *)opaque)->changes;
    (void)core;
    while (changes->count > changes->fixed)
        changes->has[changes->rows[--changes->count]] = false;
    changes->inputs = false;
}

void a3xx_put_back(struct machine_core *core, void *opaque, const void *from, size_t size)
{
    struct a3xx_state *state = opaque;
    const struct a3xx_state *old = from;
    const struct a3xx_changes *changes = state->changes;
    (void)core;
    if (changes->all || changes->inputs) {
        memcpy(state, old, size);
        return;
    }
    state->group = old->group;
    uint32_t threads = state->choice.threads;
    memcpy(state->thread, old->thread, threads * sizeof *state->thread);
    if (changes->calls)
        memcpy(a3xx_stack(state, 0), a3xx_stack((struct a3xx_state *)old, 0),
               threads * A3XX_CALL_MAX * sizeof(uint32_t));
    for (uint32_t i = 0; i < changes->count; i++) {
        size_t at = (size_t)changes->rows[i] * state->stride;
        memcpy(a3xx_file(state, false) + at, a3xx_file((struct a3xx_state *)old, false) + at,
               state->stride * sizeof(uint32_t));
    }
}
