/* SPDX-License-Identifier: MIT */
/* Actions taken apart, as rowc has made them. */
#include "isa/isa.h"

static const struct gpucode_action *nodes_of(const struct isa_row_set *set, const struct isa_action *action,
                                             unsigned *count)
{
    if (action->count && count)
        *count = action->count;
    return action->count ? &set->action_nodes[action->first] : NULL;
}

const struct gpucode_action *gpucode_row_action(const struct gpucode_target *target, unsigned row, unsigned *count)
{
    const struct isa_row_set *set = target ? target->isa->text.rows : NULL;
    return set && row < set->row_count ? nodes_of(set, &set->actions[row], count) : NULL;
}

const struct gpucode_action *gpucode_place_action(const struct gpucode_target *target, enum gpucode_action_place place,
                                                  unsigned number, unsigned *count)
{
    const struct isa_row_set *set = target ? target->isa->text.rows : NULL;
    for (const struct isa_place *at = set ? set->places : NULL; at && at->action.count; at++)
        if (at->place == place && at->number == number)
            return nodes_of(set, &at->action, count);
    return NULL;
}
