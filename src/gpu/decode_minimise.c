/* SPDX-License-Identifier: MIT */
/*
 * gpucode decode --minimise: the least part of a recording for which a condition still holds. Command streams, packets
 * and buffers are left out in ever smaller pieces, and what the condition does not need stays out. A packet that is
 * left out becomes a CP_NOP of its length, so that nothing else moves.
 */
#include "cli_gpu_messages.h"
#include "front/code.h"
#include "front/session.h"
#include "gpu/decode.h"

#include <errno.h>
#include <fcntl.h>
#include <gpucode/packet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOP = 0x10 }; /* CP_NOP of all generations, data/pm4/packets.tsv */

struct packet {
    size_t record, offset; /* bytes in the record's contents */
    uint32_t words;        /* of its payload */
    unsigned type;
};

struct minimise {
    struct session *session;
    struct decoding *decoding;
    const char *condition;
    struct gpucode_record *records;
    bool *record_out, *packet_out;
    struct packet *packets;
    size_t record_count, packet_count, packet_room;
    unsigned char *bytes; /* room for the whole recording */
    bool found;           /* by the walk: the packet that the condition names */
    size_t submit;
    const struct gpucode_stream *stream; /* that is walked */
    bool collects, memory;
    int code;
};

static void put_word(unsigned char *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (unsigned char)(word >> 8 * i);
}

/* The recording without what is out; returns its size. */
static size_t build(struct minimise *minimise)
{
    unsigned char *at = minimise->bytes;
    size_t packet = 0;
    for (size_t i = 0; i < minimise->record_count; i++) {
        const struct gpucode_record *record = &minimise->records[i];
        for (; packet < minimise->packet_count && minimise->packets[packet].record < i; packet++)
            ;
        if (minimise->record_out[i])
            continue;
        put_word(at, record->type);
        put_word(at + 4, (uint32_t)record->size);
        memcpy(at + 8, record->bytes, record->size);
        for (; packet < minimise->packet_count && minimise->packets[packet].record == i; packet++) {
            const struct packet *out = &minimise->packets[packet];
            if (minimise->packet_out[packet])
                put_word(at + 8 + out->offset, out->type == 7 || out->type == 4
                                                   ? gpucode_packet_type7(NOP, out->words)
                                                   : UINT32_C(3) << 30 | (out->words - 1) << 16 | NOP << 8);
        }
        at += 8 + record->size;
    }
    return (size_t)(at - minimise->bytes);
}

/* --- packets of a recording --------------------------------------------------------------------------------------- */

static size_t load_recorded(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct minimise *minimise = user;
    return gpucode_stream_load(minimise->stream, minimise->submit, address, bytes, size);
}

static void collect(struct minimise *minimise, const struct gpucode_packet_event *event)
{
    struct gpucode_submit submit;
    gpucode_stream_submit(minimise->stream, minimise->submit, &submit);
    if ((!event->count && event->type != 7) || event->type == 2)
        return;
    for (size_t i = submit.buffer_count; i-- > 0;) {
        const struct gpucode_stream_buffer *buffer = &submit.buffers[i];
        uint64_t offset = event->address - buffer->address;
        if (event->address < buffer->address || offset >= buffer->length)
            continue;
        size_t record = 0;
        while (record < minimise->record_count && minimise->records[record].bytes != buffer->bytes)
            record++;
        if (minimise->packet_count == minimise->packet_room) {
            size_t room = minimise->packet_room ? 2 * minimise->packet_room : 4096;
            struct packet *packets = realloc(minimise->packets, room * sizeof *packets);
            if (!packets) {
                minimise->memory = false;
                return;
            }
            minimise->packets = packets;
            minimise->packet_room = room;
        }
        minimise->packets[minimise->packet_count++] =
            (struct packet){record, (size_t)offset, event->count, event->type};
        return;
    }
}

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct minimise *minimise = user;
    if (event->kind != GPUCODE_PACKET_BEGIN)
        return true;
    minimise->found |=
        event->condition != GPUCODE_PACKET_SKIPPED && event->name && strcmp(event->name, minimise->condition) == 0;
    if (minimise->collects)
        collect(minimise, event);
    return minimise->memory && (minimise->collects || !minimise->found);
}

static enum gpucode_status walk(struct minimise *minimise, const struct gpucode_stream *stream)
{
    const struct gpucode_stream_decode_options *asked = &minimise->decoding->options;
    struct gpucode_packet_options options = {.target = asked->target,
                                             .family = asked->family,
                                             .read = load_recorded,
                                             .event = take_event,
                                             .user = minimise,
                                             .limit = recording_limit(&minimise->decoding->recording)};
    struct gpucode_packets *packets;
    struct gpucode_submit submit;
    enum gpucode_status status = gpucode_packets_create(&options, &packets);
    if (status != GPUCODE_OK)
        return status;
    minimise->stream = stream;
    minimise->found = false;
    minimise->memory = true;
    for (minimise->submit = 0; gpucode_stream_submit(stream, minimise->submit, &submit); minimise->submit++)
        for (size_t i = 0; i < submit.command_count && status == GPUCODE_OK; i++)
            status = gpucode_packets_walk(packets, submit.commands[i].address, submit.commands[i].words);
    gpucode_packets_free(packets);
    return !minimise->memory ? GPUCODE_ERROR_MEMORY : status;
}

static int compare_packets(const void *left, const void *right)
{
    const struct packet *a = left, *b = right;
    if (a->record != b->record)
        return a->record < b->record ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Each place once: buffers run again and again. */
static enum gpucode_status find_packets(struct minimise *minimise)
{
    size_t count = 0;
    minimise->collects = true;
    enum gpucode_status status = walk(minimise, minimise->decoding->recording.stream);
    minimise->collects = false;
    if (minimise->packet_count)
        qsort(minimise->packets, minimise->packet_count, sizeof *minimise->packets, compare_packets);
    for (size_t i = 0; i < minimise->packet_count; i++)
        if (!count || compare_packets(&minimise->packets[count - 1], &minimise->packets[i]) != 0)
            minimise->packets[count++] = minimise->packets[i];
    minimise->packet_count = count;
    minimise->packet_out = calloc(count + 1, sizeof *minimise->packet_out);
    return minimise->packet_out ? status : GPUCODE_ERROR_MEMORY;
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

/* "!COMMAND": does it exit with 0 for the file that stands after it? */
static bool command_holds(struct minimise *minimise, size_t size)
{
    char path[] = "/tmp/gpucode-minimise-XXXXXX", *line = NULL;
    int descriptor = mkostemp(path, O_CLOEXEC);
    bool good = descriptor >= 0 && output_write_all(descriptor, (const char *)minimise->bytes, size), holds = false;
    if (descriptor >= 0)
        close(descriptor);
    if (!good)
        minimise->code = complain(&minimise->session->diagnostics, CLI_CREATE, path, NULL, strerror(errno));
    else if (asprintf(&line, "%s %s", minimise->condition + 1, path) < 0)
        minimise->code = out_of_memory(&minimise->session->diagnostics);
    else
        holds = system(line) == 0;
    if (descriptor >= 0)
        unlink(path);
    free(line);
    return holds;
}

static enum gpucode_status ask(struct minimise *minimise, const struct gpucode_stream *stream, bool *holds)
{
    struct gpucode_stream_decode_options options = minimise->decoding->options;
    uint64_t answered = 0;
    if (gpucode_stream_decode_knows(&options, minimise->condition) == false || !strpbrk(minimise->condition, ".=*[")) {
        enum gpucode_status status = walk(minimise, stream);
        *holds = minimise->found;
        if (minimise->found || status != GPUCODE_OK)
            return status;
    }
    options.shown = 0;
    options.shader = NULL;
    options.progress = NULL;
    options.queries = &minimise->condition;
    options.query_count = 1;
    options.answered = &answered;
    options.when = GPUCODE_DECODE_AT_WRITES;
    struct gpucode_answer *answer = gpucode_answer_create();
    enum gpucode_status status = gpucode_stream_decode(stream, &options, answer, NULL);
    gpucode_answer_free(answer);
    *holds = answered;
    return status;
}

static bool holds(struct minimise *minimise)
{
    size_t size = build(minimise);
    struct gpucode_stream *stream;
    bool yes = false;
    if (*minimise->condition == '!')
        return command_holds(minimise, size);
    enum gpucode_status status = gpucode_stream_open(minimise->bytes, size, NULL, &stream);
    if (status == GPUCODE_OK) {
        status = ask(minimise, stream, &yes);
        gpucode_stream_free(stream);
    }
    if (status == GPUCODE_ERROR_MEMORY)
        minimise->code = out_of_memory(&minimise->session->diagnostics);
    return status == GPUCODE_OK && yes;
}

/* --- leaving out -------------------------------------------------------------------------------------------------- */

/* Of `count` things those that `list` names, by pieces; `out` tells of each whether it is out. */
static void reduce(struct minimise *minimise, const size_t *list, size_t count, bool *out, size_t together)
{
    for (size_t piece = count; piece && !minimise->code; piece /= 2)
        for (size_t first = 0; first < count && !minimise->code; first += piece) {
            size_t end = first + piece < count ? first + piece : count;
            bool any = false;
            for (size_t i = first; i < end; i++)
                any |= !out[list[i]];
            for (size_t i = first; i < end && any; i++)
                for (size_t k = 0; k < together; k++)
                    out[list[i] + k] = true;
            if (any && !holds(minimise))
                for (size_t i = first; i < end; i++)
                    for (size_t k = 0; k < together; k++)
                        out[list[i] + k] = false;
        }
}

static void reduce_records(struct minimise *minimise, size_t *list, uint32_t type, size_t together)
{
    size_t count = 0;
    for (size_t i = 0; i + together <= minimise->record_count; i++)
        if (minimise->records[i].type == type && !minimise->record_out[i] &&
            (together == 1 || minimise->records[i + 1].type == GPUCODE_RECORD_CONTENTS))
            list[count++] = i;
    reduce(minimise, list, count, minimise->record_out, together);
}

static int run(struct minimise *minimise)
{
    const char *path = minimise->session->arguments.value[OPTION_OUTPUT],
               *file = minimise->decoding->recording.file.name;
    size_t most = minimise->packet_count > minimise->record_count ? minimise->packet_count : minimise->record_count;
    size_t *list = calloc(most + 1, sizeof *list);
    if (!list)
        return out_of_memory(&minimise->session->diagnostics);
    if (!holds(minimise) && !minimise->code)
        minimise->code = complain(&minimise->session->diagnostics, CLI_GPU_NOT_HELD, file, NULL, minimise->condition);
    reduce_records(minimise, list, GPUCODE_RECORD_STREAM_ADDRESS, 1);
    for (size_t i = 0; i < minimise->packet_count; i++)
        list[i] = i;
    reduce(minimise, list, minimise->packet_count, minimise->packet_out, 1);
    reduce_records(minimise, list, GPUCODE_RECORD_BUFFER, 2);
    free(list);
    size_t size = build(minimise);
    return minimise->code ? minimise->code
                          : outputs_write(&minimise->session->diagnostics, path, minimise->bytes, size);
}

int decode_minimise(struct session *session, struct decoding *decoding)
{
    struct minimise minimise = {
        .session = session, .decoding = decoding, .condition = session->arguments.value[OPTION_GPU_MINIMISE]};
    const struct gpucode_stream *stream = decoding->recording.stream;
    struct gpucode_record record;
    size_t size = 0;
    while (gpucode_stream_record(stream, minimise.record_count, &record)) {
        size += 8 + record.size;
        minimise.record_count++;
    }
    minimise.records = calloc(minimise.record_count + 1, sizeof *minimise.records);
    minimise.record_out = calloc(minimise.record_count + 1, sizeof *minimise.record_out);
    minimise.bytes = malloc(size + 1);
    int code = EXIT_DONE;
    if (!minimise.records || !minimise.record_out || !minimise.bytes) {
        code = out_of_memory(&session->diagnostics);
    } else {
        for (size_t i = 0; i < minimise.record_count; i++)
            gpucode_stream_record(stream, i, &minimise.records[i]);
        code = recording_status(session, &decoding->recording, find_packets(&minimise));
        code = code ? code : run(&minimise);
    }
    free(minimise.records);
    free(minimise.record_out);
    free(minimise.packet_out);
    free(minimise.packets);
    free(minimise.bytes);
    return code;
}
