/* SPDX-License-Identifier: MIT */
/*
 * Work that is shown and work that is not: of a crash dump what had finished, what was running or waited, and where the
 * command processor stood; of a recording the processes that gave it. Draws are numbered through all of it, whatever is
 * shown.
 */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

static bool is_dump(const struct decode *decode)
{
    return gpucode_stream_state(decode->stream, 0) != GPUCODE_STREAM_RECORDED;
}

/* --- the packet in hand ------------------------------------------------------------------------------------------- */

void work_begin(struct decode *decode)
{
    struct decode_place *place = &decode->place;
    bool finished = gpucode_stream_state(decode->stream, decode->submit) == GPUCODE_STREAM_FINISHED;
    place->count = gpucode_stream_place(decode->stream, decode->submit, place->packets, DECODE_PLACE_MAX);
    if (place->count > DECODE_PLACE_MAX)
        place->count = 0;
    place->reached = 0;
    if (place->passed && place->submit != decode->submit)
        place->closed = true;
    if (!finished && !place->begun) {
        place->begun = true;
        place->first_draw = decode->state.draws;
    }
}

/* Follows the packets that lead to the one in hand. */
static void reach(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct decode_place *place = &decode->place;
    place->here = false;
    if (event->depth > place->reached)
        return;
    bool same = event->depth < place->count && place->packets[event->depth] == event->address;
    place->reached = event->depth + same;
    if (!same || place->reached != place->count || place->passed)
        return;
    place->here = place->passed = true;
    place->submit = decode->submit;
    place->address = event->address;
    place->draw = decode->state.draws;
}

void work_event(struct decode *decode, const struct gpucode_packet_event *event)
{
    if (event->kind == GPUCODE_PACKET_BEGIN || event->kind == GPUCODE_PACKET_BAD_HEADER ||
        event->kind == GPUCODE_PACKET_CUT)
        reach(decode, event);
}

void work_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct decode_place *place = &decode->place;
    if (place->passed && !place->closed && !place->is_draw && decode->state.draws == place->draw) {
        place->has_next = true;
        place->is_draw = event->address == place->address;
    }
}

/* The draw that was in flight: the packet in hand, or the last one given to the GPU before it; else the next one. */
static bool draw_in_flight(const struct decode_place *place, uint64_t *draw)
{
    bool earlier = place->draw > place->first_draw;
    *draw = place->is_draw || !earlier ? place->draw : place->draw - 1;
    return place->passed && (place->is_draw || earlier || place->has_next);
}

/* --- as records --------------------------------------------------------------------------------------------------- */

void work_put(struct decode *decode)
{
    const struct gpucode_answer_field *fields = decode_fields;
    struct gpucode_answer *answer = decode->answer;
    uint64_t counts[4] = {0}, hidden = 0, packets[DECODE_PLACE_MAX], from = 0, to = 0;
    bool begun = false, stands = false;
    struct gpucode_submit submit;
    if (!is_dump(decode))
        return;
    for (size_t i = 0; gpucode_stream_submit(decode->stream, i, &submit); i++) {
        enum gpucode_stream_state state = gpucode_stream_state(decode->stream, i);
        size_t count = gpucode_stream_place(decode->stream, i, packets, DECODE_PLACE_MAX);
        counts[state]++;
        hidden += !decode_shows_state(decode, i);
        if (!begun && state != GPUCODE_STREAM_FINISHED)
            from = submit.commands[0].address;
        begun |= state != GPUCODE_STREAM_FINISHED;
        stands |= count != 0;
        to = count && count <= DECODE_PLACE_MAX ? packets[count - 1] : to;
    }
    gpucode_answer_begin(answer, &fields[WORK]);
    gpucode_answer_number(answer, &fields[WORK_SUBMITS], counts[1] + counts[2] + counts[3]);
    gpucode_answer_number(answer, &fields[WORK_FINISHED], counts[GPUCODE_STREAM_FINISHED]);
    gpucode_answer_number(answer, &fields[WORK_RUNNING], counts[GPUCODE_STREAM_RUNNING]);
    gpucode_answer_number(answer, &fields[WORK_PENDING], counts[GPUCODE_STREAM_PENDING]);
    if (hidden)
        gpucode_answer_number(answer, &fields[WORK_HIDDEN], hidden);
    if (begun && stands) {
        gpucode_answer_number(answer, &fields[WORK_FROM], from);
        gpucode_answer_number(answer, &fields[WORK_TO], to);
    }
    gpucode_answer_end(answer);
}

void work_put_place(struct decode *decode)
{
    struct decode_place *place = &decode->place;
    bool draws = (decode->shown & GPUCODE_DECODE_DRAWS) && !(decode->shown & GPUCODE_DECODE_PACKETS);
    if (!place->passed || place->told || !draws)
        return;
    place->told = true;
    if (decode->text && !place->is_draw && !(decode->shown & GPUCODE_DECODE_ONE_DRAW))
        gpucode_answer_format(decode->answer, &decode_fields[LINE], "=> %012" PRIx64 " is the packet in hand",
                              place->address);
}

void work_end(struct decode *decode)
{
    const struct gpucode_stream_decode_options *options = decode->options;
    bool shaders = decode->shown & GPUCODE_DECODE_SHADERS, draws = decode->shown & GPUCODE_DECODE_DRAWS;
    uint64_t draw = options->draw;
    const char *file = options->dump;
    work_put_place(decode);
    if (!file || !is_dump(decode))
        return;
    bool one = decode->shown & GPUCODE_DECODE_ONE_DRAW, known = one || draw_in_flight(&decode->place, &draw);
    gpucode_answer_begin(decode->answer, &decode_fields[NEXT]);
    if (!known || (one && shaders))
        gpucode_answer_format(decode->answer, &decode_fields[NEXT_COMMAND],
                              "gpucode debug --devcore %s --firmware FIRMWARE", file);
    else
        gpucode_answer_format(decode->answer, &decode_fields[NEXT_COMMAND],
                              "gpucode decode %s --draws --draw %" PRIu64 "%s", file, draw,
                              one && draws ? " --all --shaders" : "");
    gpucode_answer_end(decode->answer);
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

/* X servers and compositors, which draw what others have drawn, and a monitor of Mesa's; a star: any that begin so. */
static const char *const systems[] = {
    "X",
    "Xorg*",
    "Xwayland*",
    "Xephyr",
    "Xvfb",
    "Xnest",
    "Xvnc*",
    "surfaceflinger*",
    "composer@*",
    "android.hardware.graphics.composer*",
    "weston*",
    "kwin_*",
    "gnome-shell*",
    "mutter*",
    "sway",
    "Hyprland",
    "wayfire",
    "labwc",
    "phoc",
    "gamescope*",
    "cosmic-comp",
    "enlightenment",
    "picom",
    "compton",
    "compiz",
    "xfwm4",
    "fdperf*",
    "chrome*" /* ChromeOS */,
};

/* The process in a command line: "Xorg/812: fence=3", "/usr/bin/glmark2 --fullscreen". */
static void name_process(const char *text, char name[GPUCODE_NAME_MAX])
{
    size_t length = strcspn(text, " :");
    if (*text != '/' && *text != '.')
        length = strcspn(text, " :/");
    for (size_t i = 0; i < length; i++)
        if (text[i] == '/') {
            text += i + 1;
            length -= i + 1;
            i = SIZE_MAX;
        }
    if (length >= GPUCODE_NAME_MAX)
        length = GPUCODE_NAME_MAX - 1;
    memcpy(name, text, length);
    name[length] = 0;
}

bool work_leaves_out(const struct decode *decode, const char *text)
{
    const struct gpucode_stream_decode_options *options = decode->options;
    char name[GPUCODE_NAME_MAX], pattern[2 * GPUCODE_NAME_MAX];
    name_process(text ? text : "", name);
    if (options->process) {
        snprintf(pattern, sizeof pattern, "%.*s*", GPUCODE_NAME_MAX, options->process);
        return !query_matches(pattern, name) && !(text && query_matches(pattern, text));
    }
    for (size_t i = 0; options->applications && i < sizeof systems / sizeof *systems; i++)
        if (query_matches(systems[i], name))
            return true;
    return false;
}

#define LEFT_OUT_NAMES 8

void work_put_left_out(struct decode *decode)
{
    const struct gpucode_answer_field *fields = decode_fields;
    const char *text = NULL;
    char names[LEFT_OUT_NAMES][GPUCODE_NAME_MAX], name[GPUCODE_NAME_MAX];
    size_t count = 0;
    struct gpucode_submit submit;
    decode->left_out = 0;
    for (size_t i = 0; gpucode_stream_submit(decode->stream, i, &submit); i++) {
        text = submit.text ? submit.text : text;
        if (!work_leaves_out(decode, text))
            continue;
        size_t known = 0;
        decode->left_out++;
        name_process(text ? text : "-", name);
        while (known < count && strcmp(names[known], name) != 0)
            known++;
        if (known == count && count < LEFT_OUT_NAMES)
            memcpy(names[count++], name, sizeof name);
    }
    if (!decode->left_out || decode->no_records)
        return;
    gpucode_answer_begin(decode->answer, &fields[LEFT_OUT]);
    gpucode_answer_number(decode->answer, &fields[LEFT_OUT_COUNT], decode->left_out);
    gpucode_answer_begin(decode->answer, &fields[LEFT_OUT_LIST]);
    for (size_t i = 0; i < count; i++)
        gpucode_answer_text(decode->answer, &fields[LEFT_OUT_NAME], names[i]);
    gpucode_answer_end(decode->answer);
    if (!decode->options->process)
        gpucode_answer_text(decode->answer, &fields[LEFT_OUT_HOW], "; --exe NAME shows them");
    gpucode_answer_end(decode->answer);
}

bool work_count_draws(void *user, const struct gpucode_packet_event *event)
{
    struct decode *decode = user;
    if ((event->kind == GPUCODE_PACKET_ENTER || event->kind == GPUCODE_PACKET_LEAVE) && event->later)
        decode->later = event->kind == GPUCODE_PACKET_ENTER;
    if (event->kind == GPUCODE_PACKET_DRAW && event->condition != GPUCODE_PACKET_SKIPPED && !decode->later)
        decode->state.draws++;
    return true;
}
