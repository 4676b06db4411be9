/* SPDX-License-Identifier: MIT */
/* Events for the hook. */
#include "isa/a3xx/machine/machine.h"

void a3xx_raise_event(struct a3xx_run *run, enum gpucode_event_kind kind, unsigned space, uint64_t address,
                      uint64_t value, uint64_t old)
{
    struct gpucode_event event = {.kind = kind,
                                  .processor = run->index,
                                  .pc = run->at,
                                  .time = run->core->time - run->counted,
                                  .space = space,
                                  .address = address,
                                  .value = value,
                                  .old = old};
    run->hook_stops |= isa_event(run->core, &event);
}
