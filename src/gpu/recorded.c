/* SPDX-License-Identifier: MIT */
#include "gpu/recorded.h"
#include "cli_gpu_messages.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "kit/kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "FS" of "fs"; the library says whether there is such a stage. */
static void spell_stage(const char *text, char name[4])
{
    snprintf(name, 4, "%s", text);
    for (char *at = name; *at; at++)
        *at = (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
}

static int find_stage(struct session *session, struct recorded *recorded)
{
    const char *draw_text = session->arguments.value[OPTION_IR3_DRAW],
               *stage = session->arguments.value[OPTION_IR3_STAGE];
    struct gpucode_stream_decoded decoded;
    uint64_t draw = 0;
    char name[4] = "";
    int code = value_number(session, OPTION_IR3_DRAW, "the number of a draw", &draw);
    if (code)
        return code;
    if (stage)
        spell_stage(stage, name);
    recorded->options = (struct gpucode_stream_decode_options){.target = recorded->recording.target,
                                                               .family = recorded->recording.family,
                                                               .applications = !recorded->recording.made};
    code = recording_status(session, &recorded->recording,
                            gpucode_stream_stage_open(recorded->recording.stream, &recorded->options, draw,
                                                      stage ? name : NULL, &recorded->stage, &decoded));
    if (code || recorded->stage)
        return code;
    const char *file = recorded->recording.file.name, *shown = draw_text ? draw_text : "0";
    if (draw >= decoded.draws)
        return complain(&session->diagnostics, CLI_GPU_NO_PART, file, NULL, "draw", shown, (size_t)decoded.draws,
                        "draws, dispatches and blits");
    return complain(&session->diagnostics, CLI_GPU_NO_STAGE, file, NULL, shown);
}

static int open_shader(struct session *session, struct recorded *recorded, struct input *input)
{
    const struct gpucode_stage_code code = gpucode_stream_stage_code(recorded->stage);
    const struct gpucode_target *target = NULL;
    struct file file = {.bytes = (char *)recording_bytes(code.words, code.count), .size = 4 * code.count};
    size_t room = strlen(recorded->recording.file.name) + 64;
    const char *draw = session->arguments.value[OPTION_IR3_DRAW];
    int status = code_target(session, &target);
    recorded->name = malloc(room);
    if (!status && (!file.bytes || !recorded->name))
        status = out_of_memory(&session->diagnostics);
    if (status) {
        file_free(&file);
        return status;
    }
    snprintf(recorded->name, room, "%s, draw %s, %s", recorded->recording.file.name, draw ? draw : "0", code.name);
    file.name = recorded->name;
    session->recorded = recorded;
    return input_open_code(session, &file, target ? target : recording_shader_target(&recorded->recording), input);
}

bool recorded_is_given(const struct session *session)
{
    return arguments_have(&session->arguments, OPTION_IR3_FROM);
}

int recorded_input(struct session *session, const char *path, struct recorded *recorded, struct input *input)
{
    const char *from = session->arguments.value[OPTION_IR3_FROM];
    *recorded = (struct recorded){0};
    if (!from)
        return input_open(session, path, input);
    int code = recording_open_for(session, from, NULL, &recorded->recording);
    if (code)
        return code;
    code = recording_family(session, &recorded->recording);
    if (!code)
        code = find_stage(session, recorded);
    if (!code && !gpucode_stream_submit(recorded->recording.stream, gpucode_stream_stage_code(recorded->stage).submit,
                                        &recorded->submit))
        code = code_status(session, from, GPUCODE_ERROR_RANGE);
    if (!code)
        code = open_shader(session, recorded, input);
    if (code)
        recorded_close(session, recorded);
    return code;
}

void recorded_close(struct session *session, struct recorded *recorded)
{
    session->recorded = NULL;
    gpucode_stream_stage_free(recorded->stage);
    if (recorded->recording.stream)
        recording_close(&recorded->recording);
    free(recorded->name);
}

/* A launch request that names a recording is what `gpucode debug --from` does with the same words. */

struct launch_recorded {
    struct session session;
    struct recorded recorded;
    struct input input;
    bool is_open;
    char **words; /* `arguments` are parts of them */
    int word_count;
    char *text; /* messages, and how many bytes of them were said */
    size_t length, said;
    void (*say)(void *user, const char *text, size_t length);
    void *user;
};

/* Did it go well? What there is to say is said. */
static bool went_well(struct launch_recorded *launched, int code)
{
    fflush(launched->session.diagnostics.out);
    if (launched->length > launched->said)
        launched->say(launched->user, launched->text + launched->said, launched->length - launched->said);
    launched->said = launched->length;
    return code == EXIT_DONE;
}

static void free_words(int count, char **words)
{
    for (int i = 0; i < count; i++)
        free(words[i]);
    free(words);
}

static void close_recorded(struct launch_recorded *launched)
{
    if (launched->is_open) {
        input_close(&launched->input);
        recorded_close(&launched->session, &launched->recorded);
    }
    arguments_free(&launched->session.arguments);
    if (launched->session.diagnostics.out)
        fclose(launched->session.diagnostics.out);
    free_words(launched->word_count, launched->words);
    free(launched->text);
    free(launched);
}

static struct launch_recorded *open_recorded(int argc, char **argv,
                                             void (*say)(void *user, const char *text, size_t length), void *user)
{
    struct launch_recorded *launched = calloc(1, sizeof *launched);
    if (!launched) {
        free_words(argc, argv);
        return NULL;
    }
    struct session *session = &launched->session;
    launched->words = argv;
    launched->word_count = argc;
    launched->say = say;
    launched->user = user;
    session->command = command_find(argv[1]);
    session->diagnostics.out = open_memstream(&launched->text, &launched->length);
    if (!session->diagnostics.out) {
        close_recorded(launched);
        return NULL;
    }
    int code = arguments_parse(&session->arguments, &session->diagnostics, session->command, argc, argv, 2);
    if (!code)
        code = recorded_input(session, NULL, &launched->recorded, &launched->input);
    launched->is_open = !code;
    if (went_well(launched, code))
        return launched;
    close_recorded(launched);
    return NULL;
}

static const struct gpucode_image *image_of(const struct launch_recorded *launched)
{
    return launched->input.image;
}

static bool make_machine(struct launch_recorded *launched, const struct gpucode_names *names,
                         struct gpucode_machine **machine)
{
    return went_well(launched, kit_machine_create(&launched->session, &launched->input, names, machine));
}

static bool begin_debugger(struct launch_recorded *launched, struct gpucode_debug *debug)
{
    const struct kit *kit = kit_of(launched->input.target);
    return went_well(launched,
                     kit && kit->debugger ? kit->debugger(&launched->session, &launched->input, debug) : EXIT_DONE);
}

const struct launch_recordings recorded_launches = {open_recorded, image_of, make_machine, begin_debugger,
                                                    close_recorded};
