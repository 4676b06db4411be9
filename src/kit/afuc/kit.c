/* SPDX-License-Identifier: MIT */
#include "kit/afuc/kit.h"

extern const struct kit kit_afuc;

const struct kit kit_afuc = {
    .name = "afuc",
    .run = run_afuc,
    .coverage = cover_afuc,
    .links = afuc_links,
};
