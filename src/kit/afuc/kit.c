/* SPDX-License-Identifier: MIT */
#include "kit/afuc/kit.h"
#include "kit/afuc/words.h"

extern const struct kit kit_afuc;

const struct kit kit_afuc = {
    .name = "afuc",
    .run = run_afuc,
    .coverage = cover_afuc,
    .info = firmware_info,
    .words = &afuc_words,
    .links = afuc_links,
};
