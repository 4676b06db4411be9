/* SPDX-License-Identifier: MIT */
#include "gpu/recorded.h"

#include "front/code.h"
#include "front/session.h"
#include "front/arguments.h"

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
