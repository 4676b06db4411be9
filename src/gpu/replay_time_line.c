/* SPDX-License-Identifier: MIT */
/* `gpucode replay` as a time line: which packet's handler ran from when to when, in instructions. */
#include "front/session.h"
#include "gpu/replay.h"

#include <gpucode/time_line.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct gpucode_time_line_event *placed(const struct replay *replay, struct gpucode_time_line_event *event)
{
    event->has |= GPUCODE_TIME_LINE_HAS_STREAM;
    event->submit = replay->submit;
    event->stream = replay->command;
    event->frame = replay->scene.frame;
    return event;
}

unsigned replay_line_events(const struct replay *replay)
{
    const struct arguments *arguments = &replay->session->arguments;
    bool wanted = arguments_have(arguments, OPTION_GPU_TIME_LINE) || arguments_have(arguments, OPTION_GPU_PERFETTO) ||
                  arguments_have(arguments, OPTION_GPU_HTML);
    return wanted ? GPUCODE_EVENT_HANDLED : 0;
}

bool replay_line_begin(struct replay *replay, struct gpucode_answer *answer, enum gpucode_time_line_form form)
{
    struct replay_scene *scene = &replay->scene;
    struct gpucode_time_line_options options = {
        .form = form, .title = replay->recording.file.name, .unit = "instructions", .lanes = scene->lanes};
    scene->lanes[options.lane_count++] = "submits";
    scene->lanes[options.lane_count++] = "streams";
    for (unsigned i = 0; i < REPLAY_PROCESSORS && gpucode_machine_processor(replay->machine, i); i++)
        scene->lanes[options.lane_count++] = gpucode_machine_processor(replay->machine, i);
    scene->lanes[options.lane_count++] = "faults";
    scene->line = gpucode_time_line_begin(answer, &options);
    scene->handling[0] = (struct replay_handling){.open = true}; /* the boot */
    snprintf(scene->handling[0].name, sizeof scene->handling[0].name, "boot");
    return scene->line;
}

static void end_handling(struct replay *replay, unsigned processor, uint64_t time, uint64_t words)
{
    struct replay_scene *scene = &replay->scene;
    struct replay_handling *handling = &scene->handling[processor];
    char detail[80];
    if (!handling->open)
        return;
    struct gpucode_time_line_event event = {.lane = scene->lanes[2 + processor],
                                            .name = handling->name,
                                            .number = handling->count++,
                                            .start = handling->start,
                                            .end = time};
    int length = words ? snprintf(detail, sizeof detail, "%" PRIu64 " word%s", words, words == 1 ? "" : "s") : 0;
    if (handling->writes)
        snprintf(detail + length, sizeof detail - (size_t)length, "%s%" PRIu64 " register write%s", length ? ", " : "",
                 handling->writes, handling->writes == 1 ? "" : "s");
    event.detail = words || handling->writes ? detail : NULL;
    handling->open = false;
    gpucode_time_line_put(scene->line, replay->booted ? placed(replay, &event) : &event);
}

void replay_line_event(struct replay *replay, const struct gpucode_event *event, const char *packet)
{
    struct replay_scene *scene = &replay->scene;
    if (!scene->line || event->processor >= REPLAY_PROCESSORS)
        return;
    struct replay_handling *handling = &scene->handling[event->processor];
    if (event->kind == GPUCODE_EVENT_WRITE) {
        handling->writes += event->space == GPUCODE_SPACE_GPU;
    } else if (event->kind == GPUCODE_EVENT_HANDLED) {
        end_handling(replay, event->processor, event->time, event->old);
    } else if (event->kind == GPUCODE_EVENT_PACKET) {
        end_handling(replay, event->processor, event->time, 0);
        *handling = (struct replay_handling){.open = true, .start = event->time, .count = handling->count};
        snprintf(handling->name, sizeof handling->name, "%s", packet);
    }
}

void replay_line_fault(struct replay *replay, const struct gpucode_stop *stop)
{
    struct gpucode_time_line_event event = {.lane = "faults",
                                            .name = stop->text,
                                            .number = replay->scene.faults++,
                                            .start = stop->time,
                                            .end = stop->time,
                                            .mark = GPUCODE_TIME_LINE_FAULT,
                                            .detail = stop->code};
    gpucode_time_line_put(replay->scene.line, replay->booted ? placed(replay, &event) : &event);
}

/* A part of the file, from `start` to now. */
static void put_part(struct replay *replay, struct gpucode_time_line_event event, size_t index, const char *detail)
{
    char name[40];
    snprintf(name, sizeof name, "%.*s %zu", (int)strlen(event.lane) - 1, event.lane, index);
    event.name = name;
    event.detail = detail;
    event.end = replay_time(replay);
    gpucode_time_line_put(replay->scene.line, &event);
}

void replay_line_stream(struct replay *replay, uint64_t start, const char *detail)
{
    struct gpucode_time_line_event event = {.lane = "streams", .number = replay->scene.frame, .start = start};
    put_part(replay, *placed(replay, &event), replay->command, detail);
}

void replay_line_submit(struct replay *replay, uint64_t start, const char *text)
{
    struct gpucode_time_line_event event = {.lane = "submits", .number = replay->submit, .start = start};
    placed(replay, &event);
    event.stream -= event.stream > 0; /* its last one */
    event.frame -= event.frame > 0;
    put_part(replay, event, replay->submit, text);
}

enum gpucode_status replay_line_end(struct replay *replay)
{
    struct replay_scene *scene = &replay->scene;
    if (!scene->line)
        return GPUCODE_OK;
    for (unsigned i = 0; i < REPLAY_PROCESSORS; i++)
        end_handling(replay, i, replay_time(replay), 0);
    return gpucode_time_line_end(scene->line);
}
