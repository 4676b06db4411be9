/* SPDX-License-Identifier: MIT */
/* Actions taken apart, as rowc has made them. */
#include "isa/isa.h"

const struct gpucode_action *gpucode_row_action(const struct gpucode_target *target, unsigned row, unsigned *count)
{
    const struct isa_row_set *set = target ? target->isa->text.rows : NULL;
    if (!set || row >= set->row_count || !set->actions[row].nodes)
        return NULL;
    if (count)
        *count = set->actions[row].count;
    return set->actions[row].nodes;
}

const struct gpucode_action *gpucode_place_action(const struct gpucode_target *target, enum gpucode_action_place place,
                                                  unsigned number, unsigned *count)
{
    const struct isa_place *at = target ? target->isa->text.rows->places : NULL;
    for (; at && at->action.nodes; at++)
        if (at->place == place && at->number == number) {
            if (count)
                *count = at->action.count;
            return at->action.nodes;
        }
    return NULL;
}
