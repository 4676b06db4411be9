/* SPDX-License-Identifier: MIT */
/* Launch requests of editors for macros: parameters, and what the macro reads. */
#include "kit/launch.h"
#include "kit/mme/kit.h"
#include "kit/mme/start.h"

static enum gpucode_status take_parameters(struct launch *launch, const char *text, const char **expected)
{
    return macro_start_parameters(launch->machine, NULL, text, expected);
}

static enum gpucode_status take_state(struct launch *launch, const char *text, const char **expected)
{
    return macro_start_state(launch->machine, NULL, text, expected);
}

static enum gpucode_status take_scratch(struct launch *launch, const char *text, const char **expected)
{
    return macro_start_scratch(launch->machine, NULL, text, expected);
}

#define FOREIGN "an MME macro that it is for"

static const struct launch_field fields[] = {
    {"state", true, LAUNCH_INPUTS, FOREIGN, "Values of methods that an MME macro reads: `METHOD=VALUE`.", take_state},
    {"scratch", true, LAUNCH_INPUTS, FOREIGN, "Scratch registers that an MME macro reads: `N=VALUE`.", take_scratch},
    {"param", true, LAUNCH_INPUTS, FOREIGN, "Parameters of an MME macro, the first of which starts it: `3,5`.",
     take_parameters},
    {0}};

const struct kit_launch macro_launch = {.fields = fields};
