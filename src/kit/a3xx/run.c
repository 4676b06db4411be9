/* SPDX-License-Identifier: MIT */
/* gpucode run for A3XX shaders: what instructions cost, beside what all shaders have. */
#include "front/session.h"
#include "kit/a3xx/kit.h"
#include <gpucode/a3xx.h>

static const struct shader_set a3xx_set;

/* Pixels have no number in a work group; they run in quads. */
static int settle_quad(struct session *session, const struct input *input, struct shader_group *group,
                       struct gpucode_setting *settings, char *text)
{
    (void)input;
    (void)text;
    shader_picture_settle(session, &a3xx_set, group, settings);
    return EXIT_DONE;
}

/* With --cycles the count of what instructions cost. */
static int open_cycles(struct shader_run *run, const struct gpucode_setting *settings)
{
    if (arguments_have(&run->session->arguments, OPTION_A3XX_CYCLES) &&
        gpucode_a3xx_cycles_open(run->input->image, settings, &run->cycles) != GPUCODE_OK)
        return out_of_memory(&run->session->diagnostics); /* the machine has looked at the settings */
    return EXIT_DONE;
}

static const struct shader_set a3xx_set = {
    .settings = shader_settings,
    .threads = "a3xx-threads",
    .timing = "a3xx-timing",
    .as_policy = "as many threads as --policy a3xx-threads says",
    .settle = settle_quad,
    .widen = shader_picture_widen,
    .created = open_cycles,
    .run = shader_picture_run,
    .usage = gpucode_a3xx_usage,
    .meeting = "a3xx-reconvergence",
    .note = shader_note_missing,
};

int run_a3xx(struct session *session, const struct input *input)
{
    return shader_run(session, input, &a3xx_set);
}

int compare_a3xx(struct session *session, const struct input *first, const struct input *second)
{
    return shader_compare(session, &a3xx_set, first, second);
}

int shader_settings(struct session *session, const struct input *input, struct kit_settings *settings)
{
    return shader_settings_of(session, input, &a3xx_set, settings);
}

int shader_give_machine(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    struct shader_inputs inputs;
    int code = shader_give_of(session, input, machine, &a3xx_set, &inputs);
    return code || !shader_picture_is_quad(session) ? code : shader_quad(session, &a3xx_set, input, &inputs);
}

int shader_select_thread(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    (void)input;
    return shader_picture_select(session, debug);
}
