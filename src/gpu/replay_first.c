/* SPDX-License-Identifier: MIT */
/*
 * Where a recorded submit first does something else in the firmware than by decoding: both are run ahead, as `replay`
 * does, and the place is told in the words of a debugger, which stops at a write of a register.
 */
#include "gpu/replay_first.h"

#include "front/session.h"
#include "gpu/replay.h"

#include <stdlib.h>
#include <string.h>

/* The writes of one instruction count once. */
static uint64_t count_before(const struct replay_writes *all, size_t target)
{
    uint64_t count = 0, last = UINT64_MAX;
    for (size_t i = 0; i < target; i++) {
        const struct replay_write *write = &all->list[i];
        if (write->number != all->list[target].number || write->address == last ||
            write->address == all->list[target].address)
            continue;
        last = write->address;
        count++;
    }
    return count;
}

/* Both sides of one stream; true: they differ. */
static bool compare_command(struct replay *replay, const struct gpucode_stream_command *command,
                            struct replay_first *first)
{
    struct replay_divergence *at = replay->divergence;
    size_t base = at->all.count;
    replay->firmware.count = replay->plain.count = 0;
    if (!replay_is_recorded(replay, command))
        return false;
    if (recording_feed(replay->session, replay->target, command, replay->machine, NULL) != EXIT_DONE)
        return false;
    at->idle = replay_run(replay);
    if (gpucode_packets_walk(replay->packets, command->address, command->words) != GPUCODE_OK ||
        replay->firmware.full || replay->plain.full || at->all.full)
        return false;
    replay_compare(replay);
    if (!at->found || (!at->idle && at->at == replay->firmware.count))
        return false; /* firmware that stops stops by itself */
    first->found = true;
    first->last = at->at == replay->firmware.count;
    memcpy(first->text, at->text, sizeof first->text);
    if (!first->last) {
        first->number = replay->firmware.list[at->at].number;
        first->passes = count_before(&at->all, base + at->at);
    }
    return true;
}

static void look_for(struct replay *replay, uint64_t wanted, struct replay_first *first)
{
    struct gpucode_submit submit;
    for (replay->submit = 0; replay->submit <= wanted; replay->submit++)
        if (!gpucode_stream_submit(replay->recording.stream, replay->submit, &submit) ||
            recording_store(replay->session, &replay->recording, &submit, replay->machine) != EXIT_DONE)
            return;
    replay->submit = (size_t)wanted; /* there is one */
    if (!replay_run(replay))
        return;
    replay->booted = true;
    replay->divergence->idle = true;
    for (size_t i = 0; i < submit.command_count && replay->divergence->idle; i++) {
        replay->command = i;
        if (compare_command(replay, &submit.commands[i], first))
            return;
    }
}

int replay_find_first(struct session *session, const struct input *input, const char *path, uint64_t submit,
                      struct replay_first *first)
{
    struct replay *replay = calloc(1, sizeof *replay);
    struct replay_divergence divergence = {.all = {.most = REPLAY_WRITES_MAX}};
    *first = (struct replay_first){0};
    if (!replay)
        return out_of_memory(&session->diagnostics);
    *replay = (struct replay){.session = session,
                              .image = input->image,
                              .target = input->target,
                              .names = input_names(input),
                              .divergence = &divergence};
    /* what is wrong with the stream was told when the session got it; without a comparison there is no place to stop */
    bool mute = session->diagnostics.mute;
    session->diagnostics.mute = true;
    if (recording_open(session, path, &replay->recording) == EXIT_DONE) {
        replay->plain.most = recording_limit(&replay->recording);
        replay->firmware.most = 4 * replay->plain.most;
        if (replay_create_machine(replay) == EXIT_DONE && replay_create_packets(replay) == EXIT_DONE &&
            replay_set_registers(replay) == EXIT_DONE)
            look_for(replay, submit, first);
        gpucode_packets_free(replay->packets);
        gpucode_machine_free(replay->machine);
        recording_close(&replay->recording);
    }
    session->diagnostics.mute = mute;
    bool no_memory = replay->no_memory || session->diagnostics.lacked_memory;
    free(replay->firmware.list);
    free(replay->plain.list);
    free(divergence.all.list);
    free(replay);
    return no_memory ? out_of_memory(&session->diagnostics) : EXIT_DONE;
}
