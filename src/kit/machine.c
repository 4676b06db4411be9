/* SPDX-License-Identifier: MIT */
#include "kit/machine.h"
#include "kit/kit.h"
#include "kit/machine_made.h"

int kit_machine_create(struct session *session, const struct input *input, const struct gpucode_names *names,
                       struct gpucode_machine **machine)
{
    const struct kit *kit = kit_of(input->target);
    const struct kit_machine_parts parts = {kit ? kit->settings : NULL, kit ? kit->give : NULL, names};
    return kit_machine_made(session, input, &parts, machine);
}
