/* SPDX-License-Identifier: MIT */
/* Calls and delay slots as debuggers ask for them. */
#include "isa/afuc/machine/exec.h"

static const struct afuc_processor *processor_of(const void *state, unsigned processor)
{
    return &((const struct afuc_machine *)state)->processors[processor];
}

/* The hardware's stack, and after it the link register, when bl or the program has put a place of code there. */
bool afuc_frame(const struct machine_core *core, const void *state, unsigned processor, unsigned index,
                struct gpucode_frame *frame)
{
    const struct afuc_processor *p = processor_of(state, processor);
    uint32_t depth = p->sqe[SQE_SP] <= STACK_DEPTH ? p->sqe[SQE_SP] : 0;
    (void)core;
    if (index < depth) {
        *frame = (struct gpucode_frame){p->sqe[SQE_STACK + depth - 1 - index], false};
        return true;
    }
    uint32_t link = p->gpr[REG_LR];
    *frame = (struct gpucode_frame){link, true};
    return index == depth && link && link < p->words;
}

bool afuc_pending(const struct machine_core *core, const void *state, unsigned processor, uint64_t *target)
{
    const struct afuc_processor *p = processor_of(state, processor);
    (void)core;
    bool resumes = p->resumed && p->pc == p->return_pc;
    uint32_t next = resumes ? p->return_next : p->next;
    *target = p->waiting ? UINT64_MAX : next;
    return p->waiting || next != p->pc + 1;
}
