/* SPDX-License-Identifier: MIT */
#include "kit/mme/kit.h"

extern const struct kit kit_mme;

extern const struct gpucode_answer_table macro_run_answer_table;
static const struct gpucode_answer_table *const answers[] = {&macro_run_answer_table, NULL};

const struct kit kit_mme = {
    .name = "mme",
    .answers = answers,
    .run = macro_run,
    .choose = macro_choose,
    .form = macro_form,
    .give = macro_give,
    .launch = &macro_launch,
};
