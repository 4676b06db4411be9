/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a recorded stream, its packets decoded with all fields as every generation that has them. What is told
 * must be in order: buffers are left as they were entered, payloads lie in memory that was recorded.
 */
#include "given.h"
#include <gpucode/stream.h>
#include <gpucode/stream_decode.h>

struct walk {
    const struct gpucode_stream *stream;
    size_t submit;
    unsigned depth;
    uint64_t sum;
};

static size_t load_recorded(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct walk *walk = user;
    return gpucode_stream_load(walk->stream, walk->submit, address, bytes, size);
}

static bool check_event(void *user, const struct gpucode_packet_event *event)
{
    struct walk *walk = user;
    walk->sum += given_depth(&walk->depth, event);
    if (event->kind == GPUCODE_PACKET_BEGIN && event->type == 7)
        check(event->name && event->opcode < 128);
    if (event->kind == GPUCODE_PACKET_FIELD)
        walk->sum += strlen(event->name) + (event->text ? strlen(event->text) : 0);
    if (event->kind == GPUCODE_PACKET_WRITE)
        check(event->number < 1u << 18);
    return true;
}

static void decode_submits(const struct gpucode_stream *stream, const struct gpucode_target *target)
{
    struct walk walk = {.stream = stream};
    struct gpucode_packet_options options = {
        .target = target,
        .read = load_recorded,
        .event = check_event,
        .user = &walk,
        .fields = true,
        .limit = 1 << 14,
    };
    struct gpucode_submit submit;
    for (; gpucode_stream_submit(stream, walk.submit, &submit) && walk.submit < 8; walk.submit++) {
        struct gpucode_packets *packets;
        check(gpucode_packets_create(&options, &packets) == GPUCODE_OK);
        for (size_t i = 0; i < submit.command_count && i < 8; i++) {
            enum gpucode_status status =
                gpucode_packets_walk(packets, submit.commands[i].address, submit.commands[i].words);
            check(status == GPUCODE_OK || status == GPUCODE_ERROR_RANGE);
            check(walk.depth == 0 || status == GPUCODE_ERROR_RANGE);
            walk.depth = 0;
        }
        gpucode_packets_free(packets);
    }
}

static bool take_bytes(void *user, const char *bytes, size_t size)
{
    uint64_t *sum = user;
    for (size_t i = 0; i < size; i++)
        *sum += (unsigned char)bytes[i];
    return true;
}

/* What is told of marks, of both passes of draws, and of the submits of one process or of applications. */
static void tell_decoded(const struct gpucode_stream *stream, const struct gpucode_target *usual, size_t size)
{
    static const char *const queries[] = {"RB_MRT[*", "CP_DRAW*"};
    static const struct {
        unsigned shown;
        size_t queries;
        const char *process;
    } ways[] = {{GPUCODE_DECODE_MARKS, 0, NULL},
                {GPUCODE_DECODE_MARKS | GPUCODE_DECODE_DRAWS, 0, "*"},
                {GPUCODE_DECODE_PASSES, 2, "a"}};
    uint64_t sum = 0;
    const struct gpucode_answer_options form = {.form = GPUCODE_ANSWER_AS_JSON, .write = take_bytes, .user = &sum};
    const struct gpucode_target *target = gpucode_stream_target(stream);
    size_t way = size % (sizeof ways / sizeof *ways); /* one of them, for speed */
    struct gpucode_stream_decoded decoded = {0};
    const struct gpucode_stream_decode_options options = {.target = target ? target : usual,
                                                          .shown = ways[way].shown,
                                                          .queries = queries,
                                                          .query_count = ways[way].queries,
                                                          .process = ways[way].process,
                                                          .applications = true};
    struct gpucode_answer *answer = gpucode_answer_stream(&form);
    enum gpucode_status status = gpucode_stream_decode(stream, &options, answer, &decoded);
    check(status == GPUCODE_OK || status == GPUCODE_ERROR_UNSUPPORTED || status == GPUCODE_ERROR_RANGE);
    check(status != GPUCODE_OK || decoded.left_out <= decoded.submits);
    check(gpucode_answer_finish(answer) == GPUCODE_OK);
    gpucode_answer_free(answer);
}

static bool is_first_of_generation(unsigned index)
{
    const char *generation = gpucode_target_generation(gpucode_target_at(index));
    for (unsigned i = 0; i < index; i++)
        if (strcmp(gpucode_target_generation(gpucode_target_at(i)), generation) == 0)
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gpucode_stream_options options = {.limit = 1 << 20};
    struct gpucode_stream *stream;
    enum gpucode_status status = gpucode_stream_open(bytes, size, &options, &stream);
    check(status == GPUCODE_OK || (status == GPUCODE_ERROR_INPUT && !stream));
    if (status != GPUCODE_OK)
        return 0;
    const struct gpucode_target *target, *usual = NULL;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        if (gpucode_target_facts(target)->packets && is_first_of_generation(i)) {
            usual = usual ? usual : target;
            decode_submits(stream, target);
        }
    tell_decoded(stream, usual, size);
    gpucode_stream_free(stream);
    return 0;
}
