/* SPDX-License-Identifier: MIT */
#include "kit/kit.h"

int run_afuc(struct session *session, const struct input *input);
int cover_afuc(struct session *session, const struct input *input);
extern const struct kit kit_afuc;

const struct kit kit_afuc = {
    .name = "afuc",
    .run = run_afuc,
    .cover = cover_afuc,
};
