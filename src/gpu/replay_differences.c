/* SPDX-License-Identifier: MIT */
/*
 * diff --replay: what two firmwares do with one recorded stream. Each runs on a machine of its own; after each command
 * stream their writes to GPU registers and memory are compared, in order.
 */
#include "cli_gpu_messages.h"
#include "front/answer.h"
#include "front/code.h"
#include "front/session.h"
#include "gpu/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "gpu/answer.def"
#define ANSWER_PART_REPLAY
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

#define SHOWN_MAX 200 /* differences that are shown */
#define WINDOW 256    /* writes on one side alone, at most, before the two are said to be out of step */
#define STEADY 2      /* writes that are the same again, and the two are in step */

struct comparing {
    struct session *session;
    struct gpucode_answer *answer;
    struct replay side[2];
    bool opened[2]; /* the recording of that side */
    uint64_t equal, alone[2], shown;
};

/* Memory has no register number. */
#define IN_MEMORY UINT32_MAX

static bool take_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct replay *replay = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_PACKET)
        replay->opcode = event->value >> 28 == 4 ? GPUCODE_PACKET_TYPE4 : event->address & 0x7f;
    bool memory = event->kind == GPUCODE_EVENT_MEM_WRITE;
    bool gpu = event->kind == GPUCODE_EVENT_WRITE && event->space == GPUCODE_SPACE_GPU;
    if (!replay->booted || (!memory && !gpu))
        return false;
    return !replay_add(&replay->firmware, &(struct replay_write){
                                              .number = memory ? IN_MEMORY : (uint32_t)event->address,
                                              .address = memory ? event->address : 0,
                                              .value = (uint32_t)event->value,
                                              .opcode = (uint8_t)replay->opcode,
                                          });
}

/* --- comparing --- */

static bool is_same(const struct replay_write *a, const struct replay_write *b)
{
    return a->number == b->number && a->value == b->value && a->address == b->address && a->opcode == b->opcode;
}

static void show(struct comparing *comparing, unsigned which, const struct replay_write *write)
{
    const struct replay *replay = &comparing->side[which];
    char packet[GPUCODE_NAME_MAX], name[GPUCODE_NAME_MAX];
    comparing->alone[which]++;
    if (comparing->shown++ >= SHOWN_MAX)
        return;
    replay_packet(replay, write->opcode, packet);
    if (write->number == IN_MEMORY)
        snprintf(name, sizeof name, "[0x%" PRIx64 "]", write->address);
    else
        replay_register(replay, write->number, name);
    const struct gpucode_answer_field *fields = replay_fields;
    struct gpucode_answer *answer = comparing->answer;
    gpucode_answer_begin(answer, &fields[ALONE]);
    gpucode_answer_text(answer, &fields[ALONE_SIDE], which ? "new" : "old");
    gpucode_answer_text(answer, &fields[ALONE_MARK], which ? "+" : "-");
    gpucode_answer_number(answer, &fields[ALONE_SUBMIT], replay->submit);
    gpucode_answer_number(answer, &fields[ALONE_STREAM], replay->command);
    gpucode_answer_text(answer, &fields[ALONE_PACKET], packet);
    gpucode_answer_text(answer, &fields[write->number == IN_MEMORY ? ALONE_MEMORY : ALONE_REGISTER], name);
    gpucode_answer_number(answer, &fields[ALONE_VALUE], write->value);
    gpucode_answer_end(answer);
}

/* Are the two in step from these writes on? */
static bool in_step(const struct replay_writes list[2], size_t a, size_t b)
{
    for (unsigned i = 0; i < STEADY; i++) {
        bool ends = a + i >= list[0].count, other = b + i >= list[1].count;
        if (ends || other)
            return ends && other;
        if (!is_same(&list[0].list[a + i], &list[1].list[b + i]))
            return false;
    }
    return true;
}

/* How many writes are to be passed over on both sides until they are in step again; false: nobody knows. */
static bool find_step(const struct replay_writes list[2], const size_t at[2], size_t skip[2])
{
    for (size_t all = 1; all <= WINDOW; all++)
        for (size_t a = 0; a <= all; a++)
            if (at[0] + a <= list[0].count && at[1] + all - a <= list[1].count &&
                in_step(list, at[0] + a, at[1] + all - a)) {
                skip[0] = a;
                skip[1] = all - a;
                return true;
            }
    return false;
}

static void compare_writes(struct comparing *comparing)
{
    const struct replay_writes list[2] = {comparing->side[0].firmware, comparing->side[1].firmware};
    size_t at[2] = {0, 0};
    while (at[0] < list[0].count || at[1] < list[1].count) {
        size_t skip[2] = {list[0].count - at[0], list[1].count - at[1]};
        if (skip[0] && skip[1] && is_same(&list[0].list[at[0]], &list[1].list[at[1]])) {
            comparing->equal++;
            at[0]++;
            at[1]++;
            continue;
        }
        find_step(list, at, skip);
        for (unsigned i = 0; i < 2; i++)
            while (skip[i]--)
                show(comparing, i, &list[i].list[at[i]++]);
    }
}

/* --- running --- */

static int prepare(struct comparing *comparing, unsigned which, const struct input *input, const char *path)
{
    struct replay *replay = &comparing->side[which];
    replay->session = comparing->session;
    replay->answer = comparing->answer;
    replay->image = input->image;
    replay->target = input->target;
    replay->names = input_names(input);
    int code = recording_open(comparing->session, path, &replay->recording);
    if (code)
        return code;
    comparing->opened[which] = true;
    const struct gpucode_target *recorded = replay->recording.target;
    if (recorded && strcmp(gpucode_target_generation(recorded), gpucode_target_generation(replay->target)) != 0)
        return complain(&comparing->session->diagnostics, CLI_GPU_REPLAY_TARGET, NULL, NULL,
                        gpucode_target_name(replay->target), gpucode_target_name(recorded));
    replay->firmware.most = 16 * recording_limit(&replay->recording);
    code = replay_create_machine(replay);
    if (code)
        return code;
    gpucode_machine_hook(replay->machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE | GPUCODE_EVENT_PACKET,
                         take_event, replay);
    code = replay_run(replay) ? EXIT_DONE : EXIT_FINDINGS;
    replay->booted = true;
    return code;
}

/* Gives a stream to one side; *ended: it does not go on. */
static int run_side(struct replay *replay, const struct gpucode_stream_command *command, bool *ended)
{
    replay->firmware.count = 0;
    int code = recording_feed(replay->session, replay->target, command, replay->machine, &replay->ring);
    if (code)
        return code;
    *ended |= !replay_run(replay);
    if (replay->no_memory || replay->firmware.no_memory)
        return out_of_memory(&replay->session->diagnostics);
    if (replay->firmware.full)
        return complain(&replay->session->diagnostics, CLI_GPU_REPLAY_WRITES, replay->recording.file.name, NULL);
    return EXIT_DONE;
}

static int run_stream(struct comparing *comparing, const struct gpucode_stream_command *command, bool *ended)
{
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < 2; i++)
        code = run_side(&comparing->side[i], command, ended);
    if (!code)
        compare_writes(comparing);
    return code;
}

/* Whichever stops, both end: nothing can be compared after it. */
static int run_both(struct comparing *comparing, uint64_t *streams)
{
    struct replay *side = comparing->side;
    struct gpucode_submit submit;
    bool ended = false;
    int code = EXIT_DONE;
    for (size_t s = 0; !code && !ended && gpucode_stream_submit(side[0].recording.stream, s, &submit); s++) {
        for (unsigned i = 0; !code && i < 2; i++) {
            side[i].submit = s;
            code = recording_store(comparing->session, &side[i].recording, &submit, side[i].machine);
        }
        for (size_t k = 0; !code && !ended && k < submit.command_count; k++) {
            side[0].command = side[1].command = k;
            if (!replay_is_recorded(&side[0], &submit.commands[k]))
                continue;
            ++*streams;
            code = run_stream(comparing, &submit.commands[k], &ended);
        }
    }
    return code ? code : ended ? EXIT_FINDINGS : EXIT_DONE;
}

static void show_total(const struct comparing *comparing, uint64_t streams)
{
    const struct gpucode_answer_field *fields = replay_fields;
    struct gpucode_answer *answer = comparing->answer;
    gpucode_answer_begin(answer, &fields[TOTAL]);
    if (comparing->shown > SHOWN_MAX)
        gpucode_answer_number(answer, &fields[TOTAL_MORE], comparing->shown - SHOWN_MAX);
    gpucode_answer_number(answer, &fields[TOTAL_STREAMS], streams);
    gpucode_answer_number(answer, &fields[TOTAL_EQUAL], comparing->equal);
    gpucode_answer_number(answer, &fields[TOTAL_OLD], comparing->alone[0]);
    gpucode_answer_number(answer, &fields[TOTAL_NEW], comparing->alone[1]);
    gpucode_answer_end(answer);
}

int replay_differences(struct session *session, const struct input *before, const struct input *after,
                       const char *stream)
{
    struct comparing *comparing = calloc(1, sizeof *comparing);
    uint64_t streams = 0;
    if (!comparing)
        return out_of_memory(&session->diagnostics);
    comparing->session = session;
    comparing->answer = answer_begin_listing(session);
    int code = prepare(comparing, 0, before, stream);
    if (!code)
        code = prepare(comparing, 1, after, stream);
    if (!code) {
        code = run_both(comparing, &streams);
        if (code <= EXIT_FINDINGS)
            show_total(comparing, streams);
    }
    if (!code && (comparing->alone[0] || comparing->alone[1]))
        code = EXIT_FINDINGS;
    for (unsigned i = 0; i < 2; i++) {
        gpucode_machine_free(comparing->side[i].machine);
        free(comparing->side[i].firmware.list);
        if (comparing->opened[i])
            recording_close(&comparing->side[i].recording);
    }
    int told = answer_end(session, comparing->answer);
    free(comparing);
    return code <= EXIT_FINDINGS && told ? told : code;
}
