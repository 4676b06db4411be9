/* SPDX-License-Identifier: MIT */
#include "kit/hwsq/kit.h"

extern const struct kit kit_hwsq;

const struct kit kit_hwsq = {
    .name = "hwsq",
    .run = run_hwsq,
    .diff = script_diff,
    .recognises = script_recognises,
    .extract = script_extract,
    .info = script_info,
    .settings = script_settings,
    .fuzz = &script_fuzz,
};
