/* SPDX-License-Identifier: MIT */
/* A firmware's run as a time line: handlers of packets with the routines in them, and what is written. */
#include "front/answer.h"
#include "front/places.h"
#include "front/session.h"
#include "kit/afuc/firmware.h"
#include <gpucode/time_line.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSORS 8
enum { WRITES, MEMORY, FAULTS, OTHERS };
enum { HANDLER, ROUTINE, LEVELS };

struct span {
    bool open;
    char name[PLACES_WHERE_MAX];
    uint64_t start, position, pc;
};

struct line {
    struct firmware *firmware;
    struct gpucode_time_line *line;
    const char *lanes[PROCESSORS + OTHERS];
    struct {
        struct span spans[LEVELS];
        struct places_walk walk;
        uint64_t count;
    } processors[PROCESSORS];
    uint64_t counts[OTHERS], ran, now; /* instructions; before the one at work */
    unsigned width;
};

/* Where a unit of a processor's section is in the source, where there is one. */
static void place(const struct line *line, unsigned processor, uint64_t pc, struct gpucode_time_line_event *event)
{
    const struct gpucode_image_info *info = gpucode_image_info(line->firmware->input->image);
    unsigned section = gpucode_machine_section(line->firmware->machine, processor);
    places_event(line->firmware->input, pc, info->sections[section].start + (uint32_t)pc, event);
}

static void put_moment(struct line *line, unsigned lane, const struct gpucode_event *seen, const char *name)
{
    struct gpucode_time_line_event event = {.lane = line->lanes[line->width + lane],
                                            .name = name,
                                            .number = line->counts[lane]++,
                                            .start = seen->time,
                                            .end = seen->time,
                                            .mark = lane == FAULTS ? GPUCODE_TIME_LINE_FAULT : GPUCODE_TIME_LINE_PLAIN,
                                            .position = line->now};
    place(line, seen->processor, seen->pc, &event);
    gpucode_time_line_put(line->line, &event);
}

/* Ends what a processor does at a level, and what it does within that. */
static void end_spans(struct line *line, unsigned processor, unsigned level, uint64_t time)
{
    for (unsigned i = LEVELS; i-- > level;) {
        struct span *span = &line->processors[processor].spans[i];
        if (!span->open)
            continue;
        struct gpucode_time_line_event event = {.lane = line->lanes[processor],
                                                .name = span->name,
                                                .number = line->processors[processor].count++,
                                                .start = span->start,
                                                .end = time,
                                                .level = i,
                                                .position = span->position};
        span->open = false;
        place(line, processor, span->pc, &event);
        gpucode_time_line_put(line->line, &event);
    }
}

static void begin_span(struct line *line, const struct gpucode_event *event, unsigned level, const char *name)
{
    struct span *span = &line->processors[event->processor].spans[level];
    end_spans(line, event->processor, level, event->time);
    *span = (struct span){.open = true, .start = event->time, .position = line->now, .pc = event->pc};
    snprintf(span->name, sizeof span->name, "%s", name);
}

static void see_insn(struct line *line, const struct gpucode_event *event)
{
    char near[PLACES_WHERE_MAX];
    unsigned section = gpucode_machine_section(line->firmware->machine, event->processor);
    const struct span *spans = line->processors[event->processor].spans;
    line->now = line->ran++;
    if (places_enter(&line->processors[event->processor].walk, line->firmware->input, event->processor, section,
                     event->pc, near) &&
        spans[HANDLER].open && !(spans[ROUTINE].open && strcmp(spans[ROUTINE].name, near) == 0)) /* a loop's begin */
        begin_span(line, event, ROUTINE, near);
}

static void see_packet(struct line *line, const struct gpucode_event *event)
{
    const struct input *input = line->firmware->input;
    char name[GPUCODE_NAME_MAX];
    uint32_t opcode = (uint32_t)event->address;
    if (!gpucode_name_of(input->target, input_names(input), GPUCODE_SPACE_PACKET, opcode, name, sizeof name))
        snprintf(name, sizeof name, "0x%02x", (unsigned)opcode);
    begin_span(line, event, HANDLER, name);
}

static bool watch(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct line *line = user;
    char name[64] = "", text[128];
    if (event->processor >= line->width)
        return false;
    switch (event->kind) {
    case GPUCODE_EVENT_INSN:
        see_insn(line, event);
        break;
    case GPUCODE_EVENT_PACKET:
        see_packet(line, event);
        break;
    case GPUCODE_EVENT_HANDLED:
        end_spans(line, event->processor, HANDLER, event->time);
        break;
    case GPUCODE_EVENT_WRITE:
        if (event->space != GPUCODE_SPACE_GPU)
            break;
        gpucode_machine_name(machine, event->space, (uint32_t)event->address, name, sizeof name);
        snprintf(text, sizeof text, "%s <= 0x%08" PRIx64, name, event->value);
        put_moment(line, WRITES, event, text);
        break;
    default:
        snprintf(text, sizeof text, "[0x%" PRIx64 "] <= 0x%08" PRIx64, event->address, event->value);
        put_moment(line, MEMORY, event, text);
    }
    return false;
}

static int run_lined(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form)
{
    struct line *line = user;
    static const char *const others[OTHERS] = {"writes", "memory", "faults"};
    struct firmware *firmware = line->firmware;
    struct gpucode_machine *machine = firmware->machine;
    struct gpucode_time_line_options options = {
        .form = form, .title = firmware->input->file.name, .unit = "instructions", .lanes = line->lanes};
    while (line->width < PROCESSORS && gpucode_machine_processor(machine, line->width)) {
        line->lanes[line->width] = gpucode_machine_processor(machine, line->width);
        line->processors[line->width++].spans[HANDLER] = (struct span){.open = true, .name = "boot"};
    }
    memcpy(line->lanes + line->width, others, sizeof others);
    options.lane_count = line->width + OTHERS;
    line->line = gpucode_time_line_begin(answer, &options);
    gpucode_machine_hook(machine,
                         GPUCODE_EVENT_INSN | GPUCODE_EVENT_PACKET | GPUCODE_EVENT_HANDLED | GPUCODE_EVENT_WRITE |
                             GPUCODE_EVENT_MEM_WRITE,
                         watch, line);
    int code = firmware_boot(firmware) ? firmware_feed(firmware) : EXIT_DONE;
    gpucode_machine_hook(machine, 0, NULL, NULL);
    for (unsigned i = 0; i < line->width; i++)
        end_spans(line, i, HANDLER, gpucode_machine_time(machine));
    if (!code && !firmware_is_waiting(firmware)) {
        const struct gpucode_stop *stop = &firmware->stop;
        struct gpucode_event last = {.processor = stop->processor, .pc = stop->pc, .time = stop->time};
        line->now = line->ran;
        put_moment(line, FAULTS, &last, stop->code ? stop->text : "the limit of instructions is reached");
    }
    return gpucode_time_line_end(line->line) == GPUCODE_ERROR_MEMORY ? out_of_memory(&firmware->session->diagnostics)
                                                                     : code;
}

int firmware_line(struct session *session, struct firmware *firmware)
{
    const char *trace = session->arguments.value[OPTION_AFUC_PERFETTO];
    bool records = arguments_have(&session->arguments, OPTION_AFUC_TIME_LINE);
    const char *other = records && trace                                         ? "perfetto"
                        : arguments_have(&session->arguments, OPTION_AFUC_TRACE) ? "trace"
                                                                                 : NULL;
    if (other)
        return complain(&session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, other,
                        records ? "time-line" : "perfetto");
    struct line *line = calloc(1, sizeof *line);
    if (!line)
        return out_of_memory(&session->diagnostics);
    line->firmware = firmware;
    int code = answer_time_line(session, trace, run_lined, line);
    free(line);
    return code;
}
