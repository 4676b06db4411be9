/* SPDX-License-Identifier: MIT */
#include "kit/hwsq/kit.h"
#include "front/session.h"

extern const struct kit kit_hwsq;

static int script_settings(struct session *session, const struct input *input, struct kit_settings *settings)
{
    script_entries(input, settings->text, sizeof settings->text);
    settings->list[0] = (struct gpucode_setting){"hwsq-entry-points", settings->text};
    if (arguments_have(&session->arguments, OPTION_HWSQ_OVERSIZE))
        settings->list[1] = (struct gpucode_setting){"hwsq-oversize", "yes"};
    return EXIT_DONE;
}

const struct kit kit_hwsq = {
    .name = "hwsq",
    .run = run_hwsq,
    .diff = script_diff,
    .recognises = script_recognises,
    .extract = script_extract,
    .info = script_info,
    .settings = script_settings,
};
