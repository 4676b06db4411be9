/* SPDX-License-Identifier: MIT */
/* gpucode run for A3XX shaders: pictures and what instructions cost, beside what all shaders have. */
#include "front/session.h"
#include "front/values.h"
#include "kit/a3xx/kit.h"
#include "kit/a3xx/shader/grid.h"
#include <gpucode/a3xx.h>

#include <string.h>

#define QUOTE_WORD(word) #word
#define QUOTE(word) QUOTE_WORD(word)

/* Pixels have no number in a work group; they run in quads. */
static int settle_quad(struct session *session, const struct input *input, struct shader_group *group,
                       struct gpucode_setting *settings, char *text)
{
    (void)input;
    (void)text;
    if (!arguments_have(&session->arguments, OPTION_A3XX_IMAGE))
        return EXIT_DONE;
    *group = (struct shader_group){0};
    settings[0] = (struct gpucode_setting){"a3xx-threads", "4"};
    settings[1] = (struct gpucode_setting){NULL, NULL};
    return EXIT_DONE;
}

/*
 * Threads of a picture's machine: many quads at once where one cannot see what the others do, which is where they write
 * memory, or where a policy lets them wait for each other.
 */
static void widen_picture(const struct shader_run *run, struct gpucode_setting *settings)
{
    const struct arguments *arguments = &run->session->arguments;
    struct gpucode_a3xx_usage usage;
    if (!arguments_have(arguments, OPTION_A3XX_IMAGE) || arguments_have(arguments, OPTION_A3XX_PIXEL) ||
        gpucode_a3xx_usage(run->input->image, &usage) != GPUCODE_OK || usage.writes_memory)
        return;
    for (const struct gpucode_setting *setting = settings + 1; setting->name; setting++)
        if (strcmp(setting->name, "a3xx-threads") == 0 || strcmp(setting->name, "a3xx-reconvergence") == 0)
            return;
    settings->value = QUOTE(SHADER_GRID_THREADS);
}

/* With --cycles the count of what instructions cost. */
static int open_cycles(struct shader_run *run, const struct gpucode_setting *settings)
{
    if (arguments_have(&run->session->arguments, OPTION_A3XX_CYCLES) &&
        gpucode_a3xx_cycles_open(run->input->image, settings, &run->cycles) != GPUCODE_OK)
        return out_of_memory(&run->session->diagnostics); /* the machine has looked at the settings */
    return EXIT_DONE;
}

/* The picture, one quad of it, or the shader by itself. */
static int run_wanted(struct shader_run *run, uint64_t limit)
{
    const struct arguments *arguments = &run->session->arguments;
    unsigned thread;
    if (arguments_have(arguments, OPTION_A3XX_PIXEL)) {
        int code = shader_quad(run->session, run->input, &run->inputs, &thread);
        return code ? code : shader_run_machine(run, limit);
    }
    return arguments_have(arguments, OPTION_A3XX_IMAGE) ? shader_image(run->session, run->input, &run->inputs, limit)
                                                        : shader_run_machine(run, limit);
}

static const struct shader_set a3xx_set = {
    .settings = shader_settings,
    .threads = "a3xx-threads",
    .timing = "a3xx-timing",
    .as_policy = "as many threads as --policy a3xx-threads says",
    .settle = settle_quad,
    .widen = widen_picture,
    .created = open_cycles,
    .run = run_wanted,
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

static bool has_quad(const struct session *session)
{
    return arguments_have(&session->arguments, OPTION_A3XX_IMAGE) ||
           arguments_have(&session->arguments, OPTION_A3XX_PIXEL);
}

int shader_give_machine(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    struct shader_inputs inputs;
    unsigned thread;
    int code = shader_give_of(session, input, machine, &a3xx_set, &inputs);
    return code || !has_quad(session) ? code : shader_quad(session, input, &inputs, &thread);
}

int shader_select_thread(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    const char *at = session->arguments.value[OPTION_A3XX_PIXEL];
    uint64_t x, y;
    (void)input;
    if (!at || !number_take(&at, &x) || !number_read(at + 1, UINT64_MAX, &y))
        return EXIT_DONE; /* there is none: it was looked at when the machine was made */
    enum gpucode_status status = gpucode_debug_select(debug, (unsigned)((y & 1) * 2 + (x & 1)));
    return status == GPUCODE_OK
               ? EXIT_DONE
               : complain(&session->diagnostics, CLI_INTERNAL, NULL, NULL, gpucode_status_text(status));
}
