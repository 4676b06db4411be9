/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_POLICY_H
#define MACHINE_POLICY_H

#include "isa/isa.h"
#include "isa/machine.h"

/* Do all settings name policies of the machine and values that these take? The diagnostic handler is told of those that
 * do not. */
bool machine_check_policies(const struct isa_machine *machine, const struct gpucode_setting *settings,
                            const struct gpucode_diagnostic_handler *on_diagnostic);

#endif
