/* SPDX-License-Identifier: MIT */
#include "kit/hwsq/kit.h"

extern const struct kit kit_hwsq;

extern const struct gpucode_answer_table script_diff_answer_table, script_extract_answer_table,
    script_info_answer_table, script_run_answer_table;
static const struct gpucode_answer_table *const answers[] = {&script_diff_answer_table, &script_extract_answer_table,
                                                             &script_info_answer_table, &script_run_answer_table, NULL};

const struct kit kit_hwsq = {
    .name = "hwsq",
    .answers = answers,
    .run = run_hwsq,
    .diff = script_diff,
    .recognises = script_recognises,
    .extract = script_extract,
    .info = script_info,
    .settings = script_settings,
    .fuzz = &script_fuzz,
};
