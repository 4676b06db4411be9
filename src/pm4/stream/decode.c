/* SPDX-License-Identifier: MIT */
/* From recording to events: streams, joined writes, state, what is shown and what is not. */
#include "pm4/stream/decode.h"

#include <stdlib.h>
#include <string.h>

/* --- events ------------------------------------------------------------------------------------------------------- */

static void flush_write(struct decode *decode)
{
    struct decode_write *write = &decode->pending;
    if (!write->words)
        return;
    if (decode->take_write)
        decode->take_write(decode, write);
    if ((decode->shown & GPUCODE_DECODE_PACKETS) && (decode->shown & GPUCODE_DECODE_WRITES) && decode_shows(decode))
        decode_put_write(decode, write);
    write->words = 0;
}

static bool is_wide(struct decode *decode, uint32_t number)
{
    const struct decode_number *kept = decode_number(decode, number);
    return kept ? kept->wide : gpucode_meanings_words(decode->options->meanings, decode->family, number) == 2;
}

/* The second word of a 64-bit register joins the first. */
static void take_write(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct decode_write *pending = &decode->pending;
    if (pending->words == 1 && event->number == pending->event.number + 1 && event->known && pending->event.known &&
        event->condition == pending->event.condition && event->depth == pending->event.depth &&
        is_wide(decode, pending->event.number)) {
        pending->words = 2;
        pending->value |= event->value << 32;
    } else {
        flush_write(decode);
        *pending = (struct decode_write){*event, event->value, 1};
    }
    if (event->condition != GPUCODE_PACKET_SKIPPED && !decode->later)
        state_write(&decode->state, event, decode->group);
    if (pending->words == 2)
        flush_write(decode);
}

/* ONCE: has the buffer been shown in this mode? */
static bool is_repeated(const struct decode *decode, const struct gpucode_packet_event *event)
{
    for (size_t i = 0; i < decode->seen_count; i++)
        if (decode->seen[i].address == event->target_address)
            return decode->seen[i].modes & event->mode;
    return false;
}

/* It is shown now, if anything is; what does not run shows nothing for what does. */
static void note_shown(struct decode *decode, const struct gpucode_packet_event *event)
{
    if (event->condition == GPUCODE_PACKET_SKIPPED || !decode_shows(decode))
        return;
    for (size_t i = 0; i < decode->seen_count; i++)
        if (decode->seen[i].address == event->target_address) {
            decode->seen[i].modes |= event->mode;
            return;
        }
    if (decode->seen_count == decode->seen_room) {
        size_t room = decode->seen_room ? 2 * decode->seen_room : 64;
        struct decode_seen *seen = realloc(decode->seen, room * sizeof *seen);
        if (!seen) {
            decode->status = GPUCODE_ERROR_MEMORY;
            return;
        }
        decode->seen = seen;
        decode->seen_room = room;
    }
    decode->seen[decode->seen_count++] = (struct decode_seen){event->target_address, event->mode};
}

static void take_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    const unsigned contents = GPUCODE_DECODE_TEXTURES | GPUCODE_DECODE_SHADERS | GPUCODE_DECODE_BINDLESS;
    if (event->condition == GPUCODE_PACKET_SKIPPED || decode->later)
        return;
    work_draw(decode, event);
    if ((((decode->shown & contents) && decode_shows(decode)) || decode->take_contents || decode->shaders) &&
        !contents_pointed(decode, event))
        return;
    if (decode->shaders && decode_shows(decode))
        shaders_draw(decode, event);
    if ((decode->shown & GPUCODE_DECODE_VERTICES) && decode_shows(decode) && !vertices_show(decode, event))
        decode->status = GPUCODE_ERROR_MEMORY;
    if (decode->shown & GPUCODE_DECODE_MARKS)
        marks_draw(decode, event);
    if (decode->take_draw)
        decode->take_draw(decode, event);
    else if ((decode->shown & GPUCODE_DECODE_DRAWS) && decode_shows(decode)) {
        work_put_place(decode);
        decode_put_draw(decode, event);
    } else
        state_visit(&decode->state, false, NULL, NULL);
}

static void take_buffer(struct decode *decode, const struct gpucode_packet_event *event)
{
    bool group = event->source == GPUCODE_PACKET_GROUP, numbered = event->number != GPUCODE_PACKET_NO_GROUP;
    bool once = (decode->shown & GPUCODE_DECODE_ONCE) && !group;
    if (event->kind == GPUCODE_PACKET_ENTER) {
        if (group && numbered)
            decode->group = event->number;
        decode->later |= event->later;
        if (once && !decode->hidden && is_repeated(decode, event))
            decode->hidden = event->depth + 1;
        if (once)
            note_shown(decode, event);
    } else {
        if (group && numbered)
            decode->group = STATE_NO_GROUP;
        if (event->later)
            decode->later = false;
        if (once && (decode->shown & GPUCODE_DECODE_ONE_DRAW) && decode->state.draws > decode->options->draw)
            note_shown(decode, event); /* the first draw that is shown was in it */
        if (decode->hidden == event->depth + 1)
            decode->hidden = 0;
    }
}

static bool goes_on(const struct decode *decode)
{
    return decode->status == GPUCODE_OK && !decode->ended && gpucode_answer_status(decode->answer) == GPUCODE_OK;
}

static void note_wrong(struct decode *decode, const struct gpucode_packet_event *event)
{
    if (event->kind != GPUCODE_PACKET_BAD_HEADER && event->kind != GPUCODE_PACKET_CUT &&
        event->kind != GPUCODE_PACKET_DEEP)
        return;
    if (!decode->wrong_places++)
        decode->first_wrong = event->target_address;
    decode->wrong_words += event->count;
}

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct decode *decode = user;
    if (event->condition != GPUCODE_PACKET_SKIPPED) /* what is skipped may be anything */
        note_wrong(decode, event);
    if (event->kind == GPUCODE_PACKET_WRITE) {
        take_write(decode, event);
        return goes_on(decode);
    }
    flush_write(decode);
    if (decode->place.count)
        work_event(decode, event);
    if (decode->take_event)
        decode->take_event(decode, event);
    if (event->kind == GPUCODE_PACKET_LOAD)
        return contents_take(decode, event) && goes_on(decode);
    if (event->kind == GPUCODE_PACKET_DRAW) {
        take_draw(decode, event);
        return goes_on(decode);
    }
    if ((decode->shown & GPUCODE_DECODE_VERTICES) &&
        (event->kind == GPUCODE_PACKET_BEGIN || event->kind == GPUCODE_PACKET_FIELD))
        vertices_note(decode, event);
    if (event->kind == GPUCODE_PACKET_ENTER || event->kind == GPUCODE_PACKET_LEAVE)
        take_buffer(decode, event);
    if (event->kind == GPUCODE_PACKET_BEGIN && (decode->shown & (GPUCODE_DECODE_MARKS | GPUCODE_DECODE_PACKETS)))
        marks_note(decode, event);
    if ((decode->shown & GPUCODE_DECODE_PACKETS) && decode_shows(decode))
        decode_put_event(decode, event);
    return goes_on(decode);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static enum gpucode_status run_submit(struct decode *decode, struct gpucode_packets *packets,
                                      const struct gpucode_submit *submit)
{
    const struct gpucode_stream_decode_options *options = decode->options;
    enum gpucode_status status = GPUCODE_OK;
    const unsigned heads = GPUCODE_DECODE_SUBMITS | GPUCODE_DECODE_PACKETS | GPUCODE_DECODE_MARKS;
    work_begin(decode);
    decode->seen_count = 0; /* its memory has other contents */
    marks_reset(decode);
    if ((decode->shown & heads) && decode_shows(decode))
        decode_put_submit(decode, submit);
    if (options->progress &&
        !options->progress(options->user, decode->submit, gpucode_stream_submit_count(decode->stream)))
        decode->ended = true;
    for (decode->command = 0; decode->command < submit->command_count && status == GPUCODE_OK && goes_on(decode);
         decode->command++) {
        const struct gpucode_stream_command *command = &submit->commands[decode->command];
        if ((decode->shown & GPUCODE_DECODE_PACKETS) && decode_shows(decode))
            decode_put_command(decode, command);
        decode->group = STATE_NO_GROUP;
        decode->later = false;
        decode->hidden = 0;
        status = gpucode_packets_walk(packets, command->address, command->words);
        flush_write(decode);
        decode_end_record(decode);
        decode->number++;
    }
    marks_end_run(decode);
    passes_end(decode);
    return status;
}

/* A submit that is left out: its draws and streams have numbers. `packets` has the state of such submits. */
static enum gpucode_status pass_submit(struct decode *decode, struct gpucode_packets *packets,
                                       const struct gpucode_submit *submit)
{
    enum gpucode_status status = GPUCODE_OK;
    for (size_t i = 0; i < submit->command_count && status == GPUCODE_OK; i++, decode->number++) {
        decode->later = false;
        status = gpucode_packets_walk(packets, submit->commands[i].address, submit->commands[i].words);
    }
    return status;
}

/*
 * Buffers that call one another again and again are given up soon, so that a small file takes little time and memory;
 * shown once each, a frame may run all of it for each of a thousand tiles.
 */
static uint64_t word_limit(const struct gpucode_stream *stream, bool once)
{
    struct gpucode_record record;
    uint64_t limit = 1u << 18;
    for (size_t i = 0; gpucode_stream_record(stream, i, &record); i++)
        limit += (once ? 1024 : 16) * (uint64_t)(record.size / 4);
    return limit < GPUCODE_PACKET_WORDS_MAX ? limit : GPUCODE_PACKET_WORDS_MAX;
}

static size_t load_recorded(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct decode *decode = user;
    return gpucode_stream_load(decode->stream, decode->submit, address, bytes, size);
}

static unsigned family_of(const struct gpucode_stream_decode_options *options)
{
    return options->family ? options->family : gpucode_target_family(options->target);
}

enum gpucode_status decode_run(struct decode *decode)
{
    const struct gpucode_stream_decode_options *options = decode->options;
    decode->family = family_of(options);
    decode->shown = options->shown;
    decode->text = gpucode_answer_has(decode->answer, GPUCODE_ANSWER_AS_TEXT) ||
                   gpucode_answer_has(decode->answer, GPUCODE_ANSWER_AS_HTML);
    decode->data = gpucode_answer_has(decode->answer, GPUCODE_ANSWER_AS_JSON);
    if (decode->shown & GPUCODE_DECODE_BINDLESS)
        decode->shown |= GPUCODE_DECODE_TEXTURES;
    if (decode->shown & GPUCODE_DECODE_PASSES)
        decode->shown |= GPUCODE_DECODE_ONCE;
    struct gpucode_packets *packets = NULL, *others = NULL;
    struct gpucode_submit submit;
    enum gpucode_status status = query_create(decode);
    if (((decode->shown & GPUCODE_DECODE_SHADER_LIST) || options->shader) && !decode->shaders &&
        !shaders_create(decode))
        status = GPUCODE_ERROR_MEMORY;
    struct gpucode_packet_options how = {
        .target = options->target,
        .family = decode->family,
        .names = options->names,
        .meanings = options->meanings,
        .read = load_recorded,
        .event = take_event,
        .user = decode,
        .fields = (decode->shown & (GPUCODE_DECODE_PACKETS | GPUCODE_DECODE_TEXTURES | GPUCODE_DECODE_CONSTANTS |
                                    GPUCODE_DECODE_SHADERS | GPUCODE_DECODE_VERTICES)) ||
                  decode->take_contents || (decode->take_event && !decode->no_fields) || decode->shaders,
        .limit = word_limit(decode->stream, decode->shown & GPUCODE_DECODE_ONCE),
    };
    if (status == GPUCODE_OK)
        status = gpucode_packets_create(&how, &packets);
    if (status == GPUCODE_OK && !state_create(&decode->state, decode->family, options->meanings))
        status = GPUCODE_ERROR_MEMORY;
    work_put_left_out(decode);
    how.event = work_count_draws;
    how.fields = false;
    if (status == GPUCODE_OK && decode->left_out)
        status = gpucode_packets_create(&how, &others);
    for (; status == GPUCODE_OK && goes_on(decode) && gpucode_stream_submit(decode->stream, decode->submit, &submit);
         decode->submit++) {
        decode->process = submit.text ? submit.text : decode->process;
        status = decode->left_out && work_leaves_out(decode, decode->process) ? pass_submit(decode, others, &submit)
                                                                              : run_submit(decode, packets, &submit);
    }
    gpucode_packets_free(packets);
    gpucode_packets_free(others);
    if (decode->shaders && status == GPUCODE_OK && goes_on(decode))
        shaders_end(decode);
    return status != GPUCODE_OK           ? status
           : decode->status != GPUCODE_OK ? decode->status
                                          : gpucode_answer_status(decode->answer);
}

void decode_told(const struct decode *decode, struct gpucode_stream_decoded *decoded)
{
    if (decoded)
        *decoded = (struct gpucode_stream_decoded){.draws = decode->state.draws,
                                                   .streams = decode->number,
                                                   .submits = decode->submit,
                                                   .trouble = decode->wrong_places,
                                                   .ended = decode->ended,
                                                   .left_out = decode->left_out,
                                                   .wrong_places = decode->wrong_places,
                                                   .wrong_words = decode->wrong_words,
                                                   .first_wrong = decode->first_wrong};
}

void decode_free(struct decode *decode)
{
    state_free(&decode->state);
    loaded_free(&decode->loaded);
    shaders_free(decode->shaders);
    query_free(decode->query);
    passes_free(decode->passes);
    free(decode->passes);
    free(decode->marks.begun);
    free(decode->seen);
    free(decode->numbers);
    free(decode->name_text);
}

enum gpucode_status gpucode_stream_decode(const struct gpucode_stream *stream,
                                          const struct gpucode_stream_decode_options *options,
                                          struct gpucode_answer *answer, struct gpucode_stream_decoded *decoded)
{
    if (!stream || !options)
        return GPUCODE_ERROR_ARGUMENT;
    struct decode decode = {.stream = stream, .options = options, .answer = answer};
    bool shows = !options->query_count;
    decode.shown = options->shown;
    if (shows)
        work_put(&decode);
    enum gpucode_status status = decode_run(&decode);
    if (shows && status == GPUCODE_OK)
        work_end(&decode);
    decode_told(&decode, decoded);
    decode_free(&decode);
    return status;
}
