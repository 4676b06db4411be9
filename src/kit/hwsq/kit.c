/* SPDX-License-Identifier: MIT */
#include "kit/kit.h"

int run_hwsq(struct session *session, const struct input *input);
extern const struct kit kit_hwsq;

const struct kit kit_hwsq = {
    .name = "hwsq",
    .run = run_hwsq,
};
