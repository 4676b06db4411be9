/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/kit.h"

#include "front/file.h"
#include "front/session.h"
#include "front/values.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    enum option_id option;
    enum shader_input input;
} options[] = {
    {OPTION_A3XX_IJ, SHADER_IJ},           {OPTION_A3XX_CONST, SHADER_CONST},     {OPTION_A3XX_IN, SHADER_IN},
    {OPTION_A3XX_VARYING, SHADER_VARYING}, {OPTION_A3XX_TEXTURE, SHADER_TEXTURE}, {OPTION_A3XX_MEMORY, SHADER_MEMORY},
};
#define OPTIONS (sizeof options / sizeof *options)

struct reading {
    struct session *session;
    int code; /* of the last complaint */
};

static bool read_whole(void *user, const char *path, char **bytes, size_t *size)
{
    struct reading *reading = user;
    struct file file;
    reading->code = file_read(&file, path, &reading->session->diagnostics);
    *bytes = file.bytes;
    *size = file.size;
    return reading->code == EXIT_DONE;
}

/* "--varying 0=1" are the bits 1, by the rule for all values; between the corners of a triangle few can mean that. */
static void look_at_varying(const struct shader_inputs *inputs, struct session *session, const char *text)
{
    const uint32_t *corner = inputs->varying[strtoul(text, NULL, 10)];
    if (strchr(text, 'x') || strchr(text, 'X') || strstr(text, ":flat"))
        return;
    for (unsigned i = 0; i < 3; i++)
        if (corner[i] && (corner[i] & 0x7f800000) == 0 && !strpbrk(text, ".eE")) {
            complain(&session->diagnostics, CLI_A3XX_VARYING_BITS, NULL, "write 1.0 for a float, or :flat after it",
                     text);
            return;
        }
}

static int give_input(struct shader_inputs *inputs, struct reading *reading, enum option_id option, const char *value)
{
    size_t i = 0;
    while (i < OPTIONS && options[i].option != option)
        i++;
    if (i == OPTIONS)
        return EXIT_DONE; /* another option that may be repeated */
    switch (shader_give(inputs, options[i].input, value)) {
    case SHADER_GIVEN:
        if (option == OPTION_A3XX_VARYING)
            look_at_varying(inputs, reading->session, value);
        return EXIT_DONE;
    case SHADER_WRONG:
        return value_refuse(reading->session, option, value, inputs->expected);
    case SHADER_NO_FILE:
        return reading->code ? reading->code
                             : EXIT_INPUT; /* read, and the diagnostic handler was told what is wrong in it */
    default:
        return out_of_memory(&reading->session->diagnostics);
    }
}

int shader_inputs_group(struct session *session, const struct gpucode_program *program, struct shader_group *group,
                        struct gpucode_setting more[2], char threads[SHADER_NUMBER])
{
    const char *size = session->arguments.value[OPTION_A3XX_LOCAL_SIZE];
    *group = (struct shader_group){0};
    shader_group_declared(group, program);
    if (size && !shader_group_size(group, size))
        return value_refuse(session, OPTION_A3XX_LOCAL_SIZE, size, "X, X,Y or X,Y,Z, at most 1024 threads together");
    more[0] = shader_group_threads(group, threads) ? (struct gpucode_setting){"a3xx-threads", threads}
                                                   : (struct gpucode_setting){NULL, NULL};
    more[1] = (struct gpucode_setting){NULL, NULL};
    return EXIT_DONE;
}

/* The numbers of the threads in the group; --local-size and a policy may not contradict each other. */
static int give_group(struct session *session, const struct shader_group *group, struct shader_inputs *inputs)
{
    const char *size = session->arguments.value[OPTION_A3XX_LOCAL_SIZE],
               *id = session->arguments.value[OPTION_A3XX_LOCAL_ID];
    struct shader_group mine = *group;
    unsigned threads = 0;
    while (gpucode_machine_processor(inputs->machine, threads))
        threads++;
    if (size && threads != mine.size[0] * mine.size[1] * mine.size[2])
        return value_refuse(session, OPTION_A3XX_LOCAL_SIZE, size, "as many threads as --policy a3xx-threads says");
    if (id && !shader_group_id(&mine, inputs->machine, id))
        return value_refuse(session, OPTION_A3XX_LOCAL_ID, id, "the first of three registers (r0.x)");
    shader_group_give(&mine, inputs);
    return EXIT_DONE;
}

int shader_inputs_give(struct session *session, const struct input *input, struct gpucode_machine *machine,
                       const struct shader_group *group, struct shader_inputs *inputs)
{
    const struct arguments *arguments = &session->arguments;
    struct reading reading = {.session = session};
    *inputs = (struct shader_inputs){.machine = machine,
                                     .read = read_whole,
                                     .user = &reading,
                                     .on_diagnostic = diagnostics_handler(&session->diagnostics),
                                     .grid = arguments_have(arguments, OPTION_A3XX_IMAGE)};
    shader_give_declared(inputs, input->program);
    int code = give_group(session, group, inputs);
    if (!code && arguments_have(arguments, OPTION_A3XX_IJ) && !inputs->grid) /* first, so that --in can say otherwise */
        code = give_input(inputs, &reading, OPTION_A3XX_IJ, arguments->value[OPTION_A3XX_IJ]);
    for (unsigned i = 0; !code && i < arguments->given_count; i++)
        code = give_input(inputs, &reading, arguments->given[i].option, arguments->given[i].value);
    inputs->read = NULL; /* `reading` ends here */
    inputs->user = NULL;
    return code;
}

/* Pixels have no number in a work group; they run in quads. */
static void settle_quad(const struct session *session, struct shader_group *group, struct gpucode_setting *settings)
{
    if (!arguments_have(&session->arguments, OPTION_A3XX_IMAGE))
        return;
    *group = (struct shader_group){0};
    settings[0] = (struct gpucode_setting){"a3xx-threads", "4"};
    settings[1] = (struct gpucode_setting){NULL, NULL};
}

int shader_settings(struct session *session, const struct input *input, struct kit_settings *settings)
{
    struct shader_group group;
    _Static_assert(sizeof settings->text >= SHADER_NUMBER, "a number has room");
    int code = shader_inputs_group(session, input->program, &group, settings->list, settings->text);
    settle_quad(session, &group, settings->list);
    return code;
}

static bool has_quad(const struct session *session)
{
    return arguments_have(&session->arguments, OPTION_A3XX_IMAGE) ||
           arguments_have(&session->arguments, OPTION_A3XX_PIXEL);
}

int shader_give_machine(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    struct shader_inputs inputs;
    struct shader_group group;
    struct gpucode_setting settings[2];
    char threads[SHADER_NUMBER];
    unsigned thread;
    int code = shader_inputs_group(session, input->program, &group, settings, threads);
    settle_quad(session, &group, settings);
    if (!code)
        code = shader_inputs_give(session, input, machine, &group, &inputs);
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
