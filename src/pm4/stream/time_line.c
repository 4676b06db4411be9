/* SPDX-License-Identifier: MIT */
/* A recording as a time line: what the command processor reads, word after word. */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <string.h>

#define WAIT_PREFIX "CP_WAIT_"

static const char *const lanes[] = {"submits", "streams", "buffers", "marks", "draws", "packets", "waits", "faults"};

/* Something that has begun and not ended. */
struct begun {
    uint64_t start, number, address;
    bool open, shown;
    char name[GPUCODE_NAME_MAX];
};

struct scene {
    struct gpucode_time_line *line;
    uint64_t now;                                     /* words that were read */
    uint64_t packets, buffers, marked, waits, faults; /* how many there were */
    uint64_t drawn;                                   /* the end of the draw before, or the beginning of the stream */
    size_t submit, stream, frame;                     /* that events are of, */
    uint64_t submit_start, stream_start;              /* their beginnings, */
    bool open;                                        /* and whether there was one */
    struct begun entered[GPUCODE_PACKET_DEPTH_MAX + 1], noted[MARK_DEPTH_MAX];
};

static struct gpucode_time_line_event event_of(const struct scene *scene, const char *lane, const char *name,
                                               uint64_t number, uint64_t start, uint64_t end)
{
    return (struct gpucode_time_line_event){
        .lane = lane,
        .name = name,
        .number = number,
        .start = start,
        .end = end,
        .has = GPUCODE_TIME_LINE_HAS_STREAM,
        .submit = scene->submit,
        .stream = scene->stream,
        .frame = scene->frame,
    };
}

static void set_address(struct gpucode_time_line_event *event, uint64_t address)
{
    event->has |= GPUCODE_TIME_LINE_HAS_ADDRESS;
    event->address = address;
}

static enum gpucode_time_line_mark mark_of(const struct gpucode_packet_event *event)
{
    return event->condition == GPUCODE_PACKET_SKIPPED ? GPUCODE_TIME_LINE_SKIPPED
           : event->condition == GPUCODE_PACKET_MAYBE ? GPUCODE_TIME_LINE_MAYBE
                                                      : GPUCODE_TIME_LINE_PLAIN;
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

static void put_fault(struct decode *decode, const struct gpucode_packet_event *event, const char *name, uint64_t words)
{
    struct scene *scene = decode->taker;
    struct gpucode_time_line_event put =
        event_of(scene, "faults", name, scene->faults++, scene->now, scene->now + words);
    set_address(&put, event->address);
    put.mark = GPUCODE_TIME_LINE_FAULT;
    if (decode_shows(decode))
        gpucode_time_line_put(scene->line, &put);
}

/* What has begun ends here; `lane` and level are those of its kind. */
static void end_begun(struct scene *scene, struct begun *begun, const char *lane, unsigned level,
                      enum gpucode_time_line_mark mark)
{
    struct gpucode_time_line_event put = event_of(scene, lane, begun->name, begun->number, begun->start, scene->now);
    set_address(&put, begun->address);
    put.level = level;
    put.mark = mark;
    if (begun->open && begun->shown)
        gpucode_time_line_put(scene->line, &put);
    begun->open = false;
}

/* A debug mark: spans of the driver, and texts as moments. */
static void take_mark(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct scene *scene = decode->taker;
    const struct marks *marks = &decode->marks;
    if (marks->kind == MARK_NONE || marks->level >= MARK_DEPTH_MAX || event->condition == GPUCODE_PACKET_SKIPPED)
        return;
    struct begun *begun = &scene->noted[marks->level];
    if (marks->kind != MARK_END) {
        *begun = (struct begun){.start = scene->now,
                                .number = scene->marked++,
                                .address = event->address,
                                .open = true,
                                .shown = decode_shows(decode)};
        snprintf(begun->name, sizeof begun->name, "%.*s", (int)sizeof begun->name - 1, marks->string);
    }
    if (marks->kind != MARK_BEGIN)
        end_begun(scene, begun, "marks", marks->level, GPUCODE_TIME_LINE_PLAIN);
}

static void take_packet(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct scene *scene = decode->taker;
    char number[GPUCODE_NAME_MAX], name[GPUCODE_NAME_MAX + 16];
    const char *packet =
        event->name ? event->name : decode_register(decode->options, decode->family, event->opcode, number);
    struct gpucode_time_line_event put =
        event_of(scene, "packets", packet, scene->packets++, scene->now, scene->now + 1 + event->count);
    marks_note(decode, event);
    take_mark(decode, event);
    if (work_in_hand(decode)) {
        snprintf(name, sizeof name, "in hand: %s", packet);
        put_fault(decode, event, name, 1 + event->count);
    }
    set_address(&put, event->address);
    put.mark = mark_of(event);
    if (decode_shows(decode))
        gpucode_time_line_put(scene->line, &put);
    if ((event->type == 7 || event->type == 3) && strncmp(packet, WAIT_PREFIX, sizeof WAIT_PREFIX - 1) == 0) {
        put.lane = "waits";
        put.number = scene->waits++;
        if (decode_shows(decode))
            gpucode_time_line_put(scene->line, &put);
    }
    scene->now = put.end;
}

/* --- what packets are in ------------------------------------------------------------------------------------------ */

static void end_stream(struct scene *scene)
{
    char name[40];
    struct gpucode_time_line_event put =
        event_of(scene, "streams", name, scene->frame, scene->stream_start, scene->now);
    snprintf(name, sizeof name, "stream %zu", scene->stream);
    if (scene->open)
        gpucode_time_line_put(scene->line, &put);
}

static void end_submit(const struct decode *decode)
{
    struct scene *scene = decode->taker;
    struct gpucode_submit submit = {0};
    char name[40];
    struct gpucode_time_line_event put =
        event_of(scene, "submits", name, scene->submit, scene->submit_start, scene->now);
    end_stream(scene);
    for (unsigned i = 0; i < MARK_DEPTH_MAX; i++)
        end_begun(scene, &scene->noted[i], "marks", i, GPUCODE_TIME_LINE_PLAIN);
    gpucode_stream_submit(decode->stream, scene->submit, &submit);
    snprintf(name, sizeof name, "submit %zu", scene->submit);
    put.detail = submit.text;
    if (scene->open)
        gpucode_time_line_put(scene->line, &put);
}

/* The stream that an event is of begins with the first, and ends with the first of another one. */
static void begin_stream(struct decode *decode)
{
    struct scene *scene = decode->taker;
    if (scene->open && scene->frame == decode->number)
        return;
    if (scene->open && scene->submit != decode->submit)
        end_submit(decode);
    else
        end_stream(scene);
    if (!scene->open || scene->submit != decode->submit)
        scene->submit_start = scene->now;
    scene->submit = decode->submit;
    scene->stream = decode->command;
    scene->frame = decode->number;
    scene->stream_start = scene->drawn = scene->now;
    scene->open = true;
    memset(scene->entered, 0, sizeof scene->entered);
}

static void take_buffer(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct scene *scene = decode->taker;
    unsigned level = event->depth < GPUCODE_PACKET_DEPTH_MAX ? event->depth : GPUCODE_PACKET_DEPTH_MAX;
    struct begun *begun = &scene->entered[level];
    if (event->kind == GPUCODE_PACKET_LEAVE) {
        end_begun(scene, begun, "buffers", level, mark_of(event));
        return;
    }
    *begun = (struct begun){.start = scene->now,
                            .number = scene->buffers++,
                            .address = event->target_address,
                            .open = true,
                            .shown = decode_shows(decode)};
    if (event->source == GPUCODE_PACKET_GROUP && event->number != GPUCODE_PACKET_NO_GROUP)
        snprintf(begun->name, sizeof begun->name, "group %" PRIu32, event->number);
    else
        snprintf(begun->name, sizeof begun->name, "%s", event->later ? "for a switch of contexts" : "buffer");
}

static void take_event(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct scene *scene = decode->taker;
    begin_stream(decode);
    switch (event->kind) {
    case GPUCODE_PACKET_BEGIN:
        take_packet(decode, event);
        break;
    case GPUCODE_PACKET_ENTER:
    case GPUCODE_PACKET_LEAVE:
        take_buffer(decode, event);
        break;
    case GPUCODE_PACKET_BAD_HEADER:
    case GPUCODE_PACKET_CUT:
        put_fault(decode, event, decode_trouble(decode, event), event->count);
        scene->now += event->count;
        break;
    case GPUCODE_PACKET_NO_MEMORY:
    case GPUCODE_PACKET_DEEP:
        put_fault(decode, event, decode_trouble(decode, event), 0);
        break;
    default:
        break;
    }
}

static void take_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct scene *scene = decode->taker;
    char name[GPUCODE_NAME_MAX + GPUCODE_FIELD_TEXT_MAX + 8], detail[80];
    uint64_t number = decode->state.draws;
    struct gpucode_time_line_event put = event_of(scene, "draws", name, number, scene->drawn, scene->now);
    snprintf(name, sizeof name, "%s%s%s", event->name, event->text ? " " : "", event->text ? event->text : "");
    snprintf(detail, sizeof detail, "%" PRIu32 " indices %s", event->count, decode_mode(event->mode));
    put.detail = event->count ? detail : decode_mode(event->mode);
    set_address(&put, event->address);
    put.has |= GPUCODE_TIME_LINE_HAS_DRAW;
    put.draw = number;
    put.mark = mark_of(event);
    if (decode_shows(decode))
        gpucode_time_line_put(scene->line, &put);
    scene->drawn = scene->now;
    state_visit(&decode->state, false, NULL, NULL);
}

enum gpucode_status gpucode_stream_time_line(const struct gpucode_stream *stream,
                                             const struct gpucode_stream_decode_options *options,
                                             const struct gpucode_time_line_options *how, struct gpucode_answer *answer,
                                             struct gpucode_stream_decoded *decoded)
{
    if (!stream || !options || !how)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_stream_decode_options own = *options;
    struct gpucode_time_line_options line = *how;
    own.shown &= GPUCODE_DECODE_ONE_DRAW | GPUCODE_DECODE_WORK;
    own.query_count = 0;
    own.shader = NULL;
    line.unit = "words";
    line.lanes = lanes;
    line.lane_count = sizeof lanes / sizeof *lanes;
    line.nanoseconds = 0;
    struct scene scene = {.line = gpucode_time_line_begin(answer, &line)};
    struct decode decode = {.stream = stream,
                            .options = &own,
                            .answer = answer,
                            .taker = &scene,
                            .take_event = take_event,
                            .take_draw = take_draw,
                            .no_fields = true,
                            .no_records = how->form != GPUCODE_TIME_LINE_RECORDS};
    enum gpucode_status status = scene.line ? decode_run(&decode) : GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK)
        end_submit(&decode);
    decode_told(&decode, decoded);
    enum gpucode_status ended = gpucode_time_line_end(scene.line);
    decode_free(&decode);
    return status == GPUCODE_OK ? ended : status;
}
