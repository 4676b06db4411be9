/* SPDX-License-Identifier: MIT */
#include "kit/kit.h"

int run_a3xx(struct session *session, const struct input *input);
extern const struct kit kit_a3xx;

const struct kit kit_a3xx = {
    .name = "a3xx",
    .run = run_a3xx,
};
