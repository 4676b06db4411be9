/* SPDX-License-Identifier: MIT */
/* What nobody has measured on A3XX. Values of a policy are listed in the order of their numbers; the preset is 0. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/machine/machine.h"

#include <inttypes.h>
#include <stdio.h>

#define POLICIES a3xx_policies
#define POLICY_ROWS "isa/ir3/machine/policies.def"
#define POLICY_SET(name) "a3xx-" name
#define POLICY_CHOICES struct a3xx_choices
#define LATENCY(name, preset, meaning) POLICY("latency-" name, "NUMBER", preset, meaning)
#include "isa/policies.inc"
#undef LATENCY

uint32_t a3xx_width(const struct gpucode_setting *settings)
{
    uint64_t width = isa_policy_number(a3xx_policies, settings, "a3xx-threads");
    return (uint32_t)(width < GPUCODE_A3XX_THREADS_MAX ? width : GPUCODE_A3XX_THREADS_MAX);
}

static const struct {
    const char *name, *policy;
} latencies[A3XX_LATENCIES] = {
#define CHOICE(name, member, values, preset, meaning)
#define NUMBER(name, member, least, most, preset, meaning)
#define LATENCY(name, preset, meaning) {name, POLICY_SET("latency-" name)},
#include POLICY_ROWS
#undef CHOICE
#undef NUMBER
#undef LATENCY
};

const char *a3xx_latency(const struct gpucode_setting *settings, unsigned index, uint64_t *slots)
{
    if (index >= A3XX_LATENCIES)
        return NULL;
    *slots = isa_policy_number(a3xx_policies, settings, latencies[index].policy);
    return latencies[index].name;
}

bool a3xx_read_policies(struct machine_core *core, struct a3xx_choices *choice, const struct gpucode_setting *settings)
{
    for (unsigned i = 0; i < A3XX_LATENCIES; i++) {
        uint32_t latency; /* for estimates only, and said to be wrong here */
        if (!isa_policy_within(core, a3xx_policies, settings, latencies[i].policy, MSG_A3XX_POLICY, 0, A3XX_LATENCY_MAX,
                               &latency))
            return false;
    }
    return read_policies(core, choice, settings, MSG_A3XX_POLICY);
}
