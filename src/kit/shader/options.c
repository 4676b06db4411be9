/* SPDX-License-Identifier: MIT */
/* The options that give shaders their inputs, and the work group. */
#include "cli_a3xx_messages.h"
#include "kit/shader/shader.h"

#include "front/arguments.h"
#include "front/file.h"
#include "front/session.h"

#include <gpucode/ir3.h>
#include <gpucode/shader.h>
#include <stdio.h>
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

int shader_inputs_group(struct session *session, const struct shader_set *set, const struct gpucode_program *program,
                        struct shader_group *group, struct gpucode_setting more[2], char text[SHADER_NUMBER])
{
    const char *size = session->arguments.value[OPTION_A3XX_LOCAL_SIZE];
    *group = (struct shader_group){0};
    shader_group_declared(group, program);
    if (set->group)
        set->group(session, group);
    if (size && !shader_group_size(group, size))
        return value_refuse(session, OPTION_A3XX_LOCAL_SIZE, size, "X, X,Y or X,Y,Z, at most 1024 threads together");
    more[0] = shader_group_threads(group, text) ? (struct gpucode_setting){set->threads, text}
                                                : (struct gpucode_setting){NULL, NULL};
    more[1] = (struct gpucode_setting){NULL, NULL};
    return EXIT_DONE;
}

/* The numbers of the threads in the group; --local-size and a policy may not contradict each other. */
static int give_group(struct session *session, const struct shader_set *set, const struct shader_group *group,
                      struct shader_inputs *inputs)
{
    const char *size = session->arguments.value[OPTION_A3XX_LOCAL_SIZE],
               *id = session->arguments.value[OPTION_A3XX_LOCAL_ID];
    struct shader_group mine = *group;
    unsigned threads = 0;
    while (gpucode_machine_processor(inputs->machine, threads))
        threads++;
    if (size && threads != mine.size[0] * mine.size[1] * mine.size[2])
        return value_refuse(session, OPTION_A3XX_LOCAL_SIZE, size, set->as_policy);
    if (id && !shader_group_id(&mine, inputs->machine, id))
        return value_refuse(session, OPTION_A3XX_LOCAL_ID, id, "the first of three registers (r0.x)");
    shader_group_give(&mine, inputs);
    return EXIT_DONE;
}

int shader_inputs_give(struct session *session, const struct input *input, struct gpucode_machine *machine,
                       const struct shader_set *set, const struct shader_group *group, struct shader_inputs *inputs)
{
    const struct arguments *arguments = &session->arguments;
    struct reading reading = {.session = session};
    *inputs = (struct shader_inputs){.machine = machine,
                                     .read = read_whole,
                                     .user = &reading,
                                     .on_diagnostic = diagnostics_handler(&session->diagnostics),
                                     .wide = set->wide,
                                     .texels = set->texels,
                                     .grid = arguments_have(arguments, OPTION_A3XX_IMAGE)};
    shader_give_declared(inputs, input->program);
    int code = give_group(session, set, group, inputs);
    if (!code && set->give)
        code = set->give(session, input, group, inputs);
    if (!code && arguments_have(arguments, OPTION_A3XX_IJ) && !inputs->grid) /* first, so that --in can say otherwise */
        code = give_input(inputs, &reading, OPTION_A3XX_IJ, arguments->value[OPTION_A3XX_IJ]);
    for (unsigned i = 0; !code && i < arguments->given_count; i++)
        code = give_input(inputs, &reading, arguments->given[i].option, arguments->given[i].value);
    inputs->read = NULL; /* `reading` ends here */
    inputs->user = NULL;
    return code;
}

int shader_settings_of(struct session *session, const struct input *input, const struct shader_set *set,
                       struct kit_settings *settings)
{
    struct shader_group group;
    _Static_assert(sizeof settings->text >= SHADER_SETTINGS_TEXT, "a number has room");
    _Static_assert(SHADER_SETTINGS <= KIT_SETTINGS_MAX, "settings have room");
    int code = shader_inputs_group(session, set, input->program, &group, settings->list, settings->text);
    return code || !set->settle ? code
                                : set->settle(session, input, &group, settings->list, settings->text + SHADER_NUMBER);
}

int shader_give_of(struct session *session, const struct input *input, struct gpucode_machine *machine,
                   const struct shader_set *set, struct shader_inputs *inputs)
{
    struct gpucode_setting settings[SHADER_SETTINGS];
    struct shader_group group;
    char text[SHADER_SETTINGS_TEXT];
    int code = shader_inputs_group(session, set, input->program, &group, settings, text);
    if (!code && set->settle)
        code = set->settle(session, input, &group, settings, text + SHADER_NUMBER);
    return code ? code : shader_inputs_give(session, input, machine, set, &group, inputs);
}

bool shader_find_place(const struct shader_inputs *inputs, const char *text, struct shader_place *place)
{
    place->there = shader_find(inputs->machine, NULL, text, strlen(text), &place->space, &place->number);
    return place->there;
}

void shader_give_const(struct shader_inputs *inputs, uint32_t number, uint32_t value)
{
    shader_give_value(inputs, 0, GPUCODE_A3XX_CONST, number, value);
}

void shader_give_full(struct shader_inputs *inputs, unsigned thread, uint32_t number, uint32_t value)
{
    bool all = thread == SHADER_ALL_THREADS;
    for (unsigned i = all ? 0 : thread; gpucode_machine_processor(inputs->machine, i) && (all || i == thread); i++)
        shader_give_value(inputs, i, GPUCODE_A3XX_FULL, number, value);
}

/* Inputs of a shader that nobody gave: they are 0, and a note says so. */

/* A list like "r0.x r0.y c0.x-c3.w varying 2"; what has no room is left out after dots. */
struct list {
    const struct gpucode_machine *machine;
    char text[480];
    size_t length;
};

static bool has_bit(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

static void append_text(struct list *list, const char *text)
{
    static const char more[] = " ...";
    size_t length = strlen(text);
    if (list->length + length + sizeof more > sizeof list->text) {
        if (list->length && list->text[list->length - 1] != '.')
            memcpy(list->text + list->length, more, sizeof more), list->length += sizeof more - 1;
        return;
    }
    memcpy(list->text + list->length, text, length + 1);
    list->length += length;
}

static void append_run(struct list *list, unsigned space, unsigned first, unsigned last)
{
    char from[32], to[32], text[80];
    if (space == GPUCODE_A3XX_VARYING) {
        snprintf(from, sizeof from, "varying%s %u", last > first ? "s" : "", first);
        snprintf(to, sizeof to, "%u", last);
    } else {
        gpucode_machine_name(list->machine, space, first, from, sizeof from);
        gpucode_machine_name(list->machine, space, last, to, sizeof to);
    }
    snprintf(text, sizeof text, "%s%s%s%s", list->length ? ", " : "", from, last > first ? "-" : "",
             last > first ? to : "");
    append_text(list, text);
}

static void append_missing(struct list *list, unsigned space, const uint32_t *read, const bool *given, unsigned count)
{
    for (unsigned first = 0, last; first < count; first = last + 1) {
        last = first;
        if (!has_bit(read, first) || given[first])
            continue;
        while (last + 1 < count && has_bit(read, last + 1) && !given[last + 1])
            last++;
        append_run(list, space, first, last);
    }
}

void shader_note_missing(struct session *session, const struct input *input, const struct shader_inputs *inputs)
{
    struct gpucode_a3xx_usage usage;
    struct list list = {.machine = inputs->machine};
    if (gpucode_shader_usage(input->image, &usage) != GPUCODE_OK)
        return;
    append_missing(&list, GPUCODE_A3XX_FULL, usage.full.inputs, inputs->given[0], 61 * 4);
    append_missing(&list, GPUCODE_A3XX_HALF, usage.half.inputs, inputs->given[1], 61 * 4);
    append_missing(&list, GPUCODE_A3XX_CONST, usage.const_reads, inputs->given_const, SHADER_CONSTS);
    append_missing(&list, GPUCODE_A3XX_VARYING, usage.varying_reads, inputs->given_varying, GPUCODE_A3XX_VARYINGS);
    if (list.length)
        complain(&session->diagnostics, CLI_A3XX_NOT_GIVEN, input->file.name, NULL, list.text);
}
