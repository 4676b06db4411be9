/* SPDX-License-Identifier: MIT */
/* Launch requests of editors for firmware. */
#include "kit/launch.h"
#include "gpu/crash_load.h"

extern const struct kit_launch afuc_launch;

#define CRASH_FOREIGN "firmware that takes packets"

static const struct launch_field fields[] = {
    {"crash", false, LAUNCH_INPUTS, CRASH_FOREIGN, "A crash dump of a GPU; the firmware begins in its state.",
     crash_launch},
    {"crash-ring", false, LAUNCH_INPUTS, CRASH_FOREIGN,
     "A crash dump of a GPU; the firmware begins after boot, at the oldest packet of the dump's ring.",
     crash_launch_ring},
    {0},
};

const struct kit_launch afuc_launch = {.fields = fields};
