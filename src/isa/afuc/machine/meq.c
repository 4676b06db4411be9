/* SPDX-License-Identifier: MIT */
/*
 * The queue from the PFP to the ME of an a5xx (MEQ), in machines whose image has both (AFUC manual, Introduction). What
 * the ME reads from $data is what the PFP has put there; the words lie where those stand that a host feeds. The manual
 * says that the queue is there and lets the PFP run ahead, but not how firmware reaches it: policies.
 */
#include "isa/afuc/machine/exec.h"

#include <string.h>

bool afuc_is_pair(const struct afuc_machine *m)
{
    return m->setup->generation == AFUC_A5XX && m->processor_count == 2 && strcmp(m->processors[0].name, "PFP") == 0 &&
           strcmp(m->processors[1].name, "PM4") == 0;
}

static const struct afuc_processor *micro_engine(const struct afuc_machine *m)
{
    return &m->processors[1];
}

/* Words that the instruction may write to $data. */
static unsigned words_written(const struct afuc_op *op)
{
    unsigned moves = op->d >= REG_FIRST_SPECIAL && op->d <= REG_DATA ? afuc_op_count(op) : 0;
    return (op->d == REG_DATA) + (op->flags & OP_PREINCREMENT && op->b == REG_DATA) + moves;
}

bool afuc_meq_is_full(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *op)
{
    const struct afuc_processor *me = micro_engine(m);
    unsigned wanted = afuc_meq_takes(m, p) ? words_written(op) : 0;
    return wanted && me->fed_tail - me->fed_head + wanted > m->setup->meq_words;
}

bool afuc_meq_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    afuc_progress(p);
    afuc_shared_progress(m);
    if (m->core->hook_kinds & GPUCODE_EVENT_WRITE)
        afuc_tell_write(m, p, GPUCODE_SPACE_GENERAL, REG_DATA, value, value);
    return afuc_queue_feed(m, &m->processors[1], &value, 1);
}
