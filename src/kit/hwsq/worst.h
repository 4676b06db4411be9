/* SPDX-License-Identifier: MIT */
/* How long a HWSQ script takes at most, whatever the phases of the heads' vertical blanks. */
#ifndef KIT_HWSQ_WORST_H
#define KIT_HWSQ_WORST_H

#include <gpucode/machine.h>

struct session;
struct input;

struct worst {
    bool known;             /* some vertical blank is described */
    bool exact;             /* no phases give more; else others than those tried might */
    uint64_t total, paused; /* clocks until the script stands still, and with FB_PAUSE set */
};

/* Runs the script with many phases in place of those in `settings`. Returns an exit code of its own only. */
int worst_find(struct session *session, const struct input *input, const struct gpucode_setting *settings,
               uint64_t limit, struct worst *worst);

#endif
