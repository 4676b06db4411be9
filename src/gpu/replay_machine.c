/* SPDX-License-Identifier: MIT */
/* `gpucode replay`: the firmware in the machine, and what it writes. */
#include "cli_afuc_messages.h"
#include "gpu/replay.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/outcome.h"
#include "front/session.h"

#include <gpucode/time_line.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `gpucode replay` as a time line: which packet's handler ran from when to when, in instructions. */

static const struct gpucode_time_line_event *placed(const struct replay *replay, struct gpucode_time_line_event *event)
{
    event->has |= GPUCODE_TIME_LINE_HAS_STREAM;
    event->submit = replay->submit;
    event->stream = replay->command;
    event->frame = replay->scene.frame;
    return event;
}

/* The kinds of events that it needs beside packets and writes: none without one. */
static unsigned replay_line_events(const struct replay *replay)
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

/* These do nothing without one. `packet` was taken or handled, or a register was written. */
static void replay_line_event(struct replay *replay, const struct gpucode_event *event, const char *packet)
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

static void replay_line_fault(struct replay *replay, const struct gpucode_stop *stop)
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

#define ANSWER_ROWS "gpu/answer.def"
#define ANSWER_PART_REPLAY
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

/* Instructions that one command stream or the boot may take, unless --limit says otherwise. */
#define INSTRUCTIONS_MAX UINT64_C(100000000)

/* Does the firmware read from a draw-state group now? */
static bool in_group(const struct replay *replay, const struct gpucode_machine *machine)
{
    uint32_t level;
    return replay->group_level &&
           gpucode_machine_read(machine, 0, replay->level_space, replay->level_number, &level) == GPUCODE_OK &&
           level == replay->group_level;
}

/* IB_LEVEL 3 is draw state on a6xx; later it is 4, or 3 with the policy afuc-ib-levels (the machine's documentation).
 */
static void find_level(struct replay *replay, const struct gpucode_setting *settings)
{
    if (!gpucode_machine_find(replay->machine, "@IB_LEVEL", &replay->level_space, &replay->level_number))
        return;
    replay->group_level = strcmp(gpucode_target_generation(replay->target), "a6xx") == 0 ? 3 : 4;
    for (; settings->name; settings++)
        if (strcmp(settings->name, "afuc-ib-levels") == 0 && replay->group_level == 4)
            replay->group_level = strcmp(settings->value, "sds-ib3") == 0 ? 3 : 4;
}

static bool take_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct replay *replay = user;
    edges_note(&replay->edges, machine, event);
    if (event->kind == GPUCODE_EVENT_PACKET)
        replay->opcode = event->value >> 28 == 4 ? GPUCODE_PACKET_TYPE4 : event->address & 0x7f;
    if (replay->scene.line) {
        char packet[GPUCODE_NAME_MAX];
        replay_line_event(replay, event, replay_packet(replay, replay->opcode, packet));
    }
    if (event->kind != GPUCODE_EVENT_WRITE || event->space != GPUCODE_SPACE_GPU)
        return false;
    if (replay->divergence &&
        !replay_add(&replay->divergence->all,
                    &(struct replay_write){.number = (uint32_t)event->address, .address = event->time}))
        return true;
    if (!replay->booted)
        return false;
    return !replay_add(&replay->firmware, &(struct replay_write){
                                              .number = (uint32_t)event->address,
                                              .value = (uint32_t)event->value,
                                              .opcode = (uint8_t)replay->opcode,
                                              .known = true,
                                              .group = in_group(replay, machine),
                                              .address = event->time,
                                          });
}

int replay_create_machine(struct replay *replay)
{
    char text[RECORDING_TEXT];
    struct gpucode_setting *settings, first[RECORDING_SETTINGS + 1] = {{0}};
    recording_settings(&replay->recording, replay->image, first, text, sizeof text);
    int code = policies_read(replay->session, first, &settings);
    if (code)
        return code;
    struct gpucode_machine_options options = {
        .policies = settings,
        .names = replay->names,
        .on_diagnostic = diagnostics_handler(&replay->session->diagnostics),
    };
    enum gpucode_status status = gpucode_machine_create(replay->image, &options, &replay->machine);
    if (status == GPUCODE_OK) {
        find_level(replay, settings);
        if (replay->session->arguments.value[OPTION_GPU_CRASH])
            code = crash_ring_open(replay->session, replay->machine, &replay->ring);
        if (!code)
            code = edges_begin(replay->session, &replay->edges, replay->image,
                               replay->session->arguments.value[OPTION_GPU_EDGES]);
        unsigned walked = replay->edges.walk ? GPUCODE_EVENT_INSN : 0;
        gpucode_machine_hook(replay->machine,
                             GPUCODE_EVENT_WRITE | GPUCODE_EVENT_PACKET | walked | replay_line_events(replay),
                             take_event, replay);
    } else {
        code = code_status(replay->session, NULL, status);
    }
    free(settings);
    return code;
}

/* The dump of --crash: of the first stop. */
static void write_dump(struct replay *replay, const struct gpucode_stop *stop)
{
    const char *path = replay->session->arguments.value[OPTION_GPU_CRASH];
    struct gpucode_submit submit = {0};
    if (!path || replay->dumped)
        return;
    gpucode_stream_submit(replay->recording.stream, replay->submit, &submit);
    struct crash_region *regions = calloc(submit.buffer_count + 1, sizeof *regions);
    if (!regions) {
        replay->dump_code = out_of_memory(&replay->session->diagnostics);
        return;
    }
    for (size_t i = 0; i < submit.buffer_count; i++)
        regions[i] = (struct crash_region){submit.buffers[i].address, submit.buffers[i].length, NULL};
    replay->dump_code = crash_write(replay->session, &replay->ring, stop, regions, submit.buffer_count, path);
    free(regions);
    replay->dumped = true;
}

/* Runs until the firmware waits for packets; false: it stopped for another reason, which is told. */
bool replay_run(struct replay *replay)
{
    struct gpucode_stop stop;
    uint64_t limit = INSTRUCTIONS_MAX;
    value_number(replay->session, OPTION_GPU_LIMIT, "a number", &limit); /* it was checked */
    gpucode_machine_run(replay->machine, limit, &stop);
    if (stop.reason == GPUCODE_STOP_IDLE)
        return true;
    replay->no_memory |= stop_has_no_memory(&stop) || replay->firmware.no_memory;
    if (replay->no_memory)
        return false;
    replay->stopped++;
    if (replay->divergence)
        return false;
    write_dump(replay, &stop);
    if (stop.reason == GPUCODE_STOP_LIMIT)
        snprintf(stop.text, sizeof stop.text, "the limit of instructions is reached");
    replay_line_fault(replay, &stop);
    char packet[GPUCODE_NAME_MAX];
    replay_packet(replay, replay->opcode, packet);
    const struct gpucode_answer_field *fields = replay_fields;
    struct gpucode_answer *answer = replay->answer;
    gpucode_answer_begin(answer, &fields[STOPPED]);
    gpucode_answer_text(answer, &fields[STOPPED_WHY], stop.text);
    gpucode_answer_text(answer, &fields[STOPPED_CODE], stop.code);
    gpucode_answer_number(answer, &fields[STOPPED_SUBMIT], replay->submit);
    gpucode_answer_number(answer, &fields[STOPPED_STREAM], replay->command);
    gpucode_answer_text(answer, &fields[STOPPED_PACKET], replay->booted ? packet : NULL);
    gpucode_answer_text(answer, &fields[STOPPED_BOOT], replay->booted ? NULL : "boot");
    gpucode_answer_number(answer, &fields[STOPPED_PC], stop.pc);
    gpucode_answer_text(answer, &fields[STOPPED_TEXT], stop.text);
    gpucode_answer_end(answer);
    return false;
}

/* One NAME=VALUE of --reg; GPU registers on both sides. */
static int set_register(struct replay *replay, const char *text)
{
    char name[GPUCODE_NAME_MAX];
    const char *text_of_value = value_split(text, name, sizeof name);
    unsigned space;
    uint32_t number;
    uint64_t value;
    if (!text_of_value || !number_read(text_of_value, UINT32_MAX, &value))
        return value_refuse(replay->session, OPTION_GPU_REG, text, "NAME=VALUE, a 32-bit number");
    if (!gpucode_machine_find(replay->machine, name, &space, &number) ||
        gpucode_machine_write(replay->machine, 0, space, number, (uint32_t)value) != GPUCODE_OK)
        return complain(&replay->session->diagnostics, CLI_AFUC_RUN_REGISTER, NULL, NULL, name);
    if (space == GPUCODE_SPACE_GPU)
        gpucode_packets_set(replay->packets, number, (uint32_t)value);
    return EXIT_DONE;
}

int replay_set_registers(struct replay *replay)
{
    const struct arguments *arguments = &replay->session->arguments;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < arguments->given_count; i++)
        if (arguments->given[i].option == OPTION_GPU_REG)
            code = set_register(replay, arguments->given[i].value);
    return code;
}
