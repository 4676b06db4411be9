/* SPDX-License-Identifier: MIT */
/* What nobody has measured on a4xx to a8xx. Values of a policy are listed in the order of their numbers; the preset is
 * 0. */
#include "ir3_messages.h"
#include "isa/ir3/machine/machine.h"

#include <inttypes.h>
#include <stdio.h>

#define POLICIES ir3_policies
#define POLICY_ROWS "isa/ir3/machine/policies.def"
#define POLICY_SET(name) "ir3-" name
#define POLICY_CHOICES struct ir3_choices
#include "isa/policies.inc"

uint32_t ir3_fibers_of(const struct gpucode_setting *settings)
{
    uint64_t fibers = isa_policy_number(ir3_policies, settings, "ir3-fibers");
    return (uint32_t)(fibers < GPUCODE_IR3_FIBERS_MAX ? fibers : GPUCODE_IR3_FIBERS_MAX);
}

bool ir3_read_policies(struct machine_core *core, struct ir3_choices *choice, const struct gpucode_setting *settings)
{
    if (!read_policies(core, choice, settings, MSG_IR3_POLICY))
        return false;
    bool later = core->target->generation >= IR3_A6XX;
    choice->merged = choice->files ? choice->files == 1 : later;
    if (!choice->width)
        choice->width = later ? 64 : 32;
    if (choice->width == 16 || choice->width == 32 || choice->width == 64)
        return true;
    report(&core->on_diagnostic, NULL, MSG_IR3_POLICY, NULL, isa_policy(ir3_policies, settings, "ir3-wave"), "ir3-wave",
           "0, 16, 32 or 64");
    return false;
}
