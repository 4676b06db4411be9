/* SPDX-License-Identifier: MIT */
#include "kit/launch.h"

int run_a3xx(struct session *session, const struct input *input);
extern const struct kit kit_a3xx;
extern const struct kit_launch a3xx_launch;

const struct kit kit_a3xx = {
    .name = "a3xx",
    .run = run_a3xx,
    .launch = &a3xx_launch,
};
