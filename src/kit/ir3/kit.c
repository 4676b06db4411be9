/* SPDX-License-Identifier: MIT */
#include "kit/kit.h"

extern const struct kit kit_ir3;

const struct kit kit_ir3 = {.name = "ir3"};
