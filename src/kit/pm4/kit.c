/* SPDX-License-Identifier: MIT */
/* The wing of packets is no instruction set; what commands ask of it are shaders out of crash dumps. */
#include "kit/kit.h"
#include "kit/pm4/crash_extract.h"

extern const struct kit kit_pm4;

const struct kit kit_pm4 = {
    .name = "pm4",
    .recognises = crash_recognises,
    .extract = crash_extract,
};
