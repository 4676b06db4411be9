/* SPDX-License-Identifier: MIT */
#include "kit/mme/kit.h"

extern const struct kit kit_mme;

const struct kit kit_mme = {
    .name = "mme",
    .run = macro_run,
    .choose = macro_choose,
    .form = macro_form,
    .give = macro_give,
    .launch = &macro_launch,
};
