/* SPDX-License-Identifier: MIT */
/*
 * The writes of the firmware against those of plain decoding, in order. What only one side has must have a reason:
 *
 * - plain decoding alone: it stands in words that a condition skips, or may skip;
 * - plain decoding alone: it belongs to a draw-state group, and the firmware has it earlier, when the group was set;
 * - firmware alone: it happened while a packet was handled that does not write registers by its definition, such as a
 *   draw, and not while words of a group were read: then it is the handler's own.
 *
 * Everything else is a difference. After one, both sides go on where a few writes in a row agree again.
 */
#include "front/answer.h"
#include "front/names.h"
#include "front/session.h"
#include "gpu/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "gpu/answer.def"
#define ANSWER_PART_REPLAY
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

#define LOOK_AHEAD 1024
#define AGREEING 3

static bool writes_agree(const struct replay_write *plain, const struct replay_write *firmware)
{
    return plain->number == firmware->number && plain->opcode == firmware->opcode &&
           plain->condition != GPUCODE_PACKET_SKIPPED && (!plain->known || plain->value == firmware->value);
}

static bool is_own(const struct replay *replay, const struct replay_write *firmware)
{
    return !firmware->group && !replay->writes_itself[firmware->opcode];
}

/* A group's write, but not at a draw. */
static bool is_ahead(const struct replay *replay, const struct replay_write *firmware)
{
    return firmware->group && !replay->runs_groups[firmware->opcode];
}

/* Do the next writes agree, those left out that a condition skips or a handler makes of its own? */
static bool agree_here(const struct replay *replay, size_t plain, size_t firmware)
{
    const struct replay_writes *p = &replay->plain, *f = &replay->firmware;
    for (unsigned agreed = 0; agreed < AGREEING; agreed++, plain++, firmware++) {
        if (plain == p->count || firmware == f->count || !writes_agree(&p->list[plain], &f->list[firmware])) {
            while (agreed && plain < p->count && p->list[plain].condition == GPUCODE_PACKET_SKIPPED)
                plain++;
            while (agreed && firmware < f->count && is_own(replay, &f->list[firmware]))
                firmware++;
        }
        if (plain == p->count || firmware == f->count)
            return agreed > 0;
        if (!writes_agree(&p->list[plain], &f->list[firmware]))
            return false;
    }
    return true;
}

/* How many writes of both sides to leave out until they agree; all of the rest when they do not soon. */
static void find_agreement(const struct replay *replay, size_t plain, size_t firmware, size_t *skip_plain,
                           size_t *skip_firmware)
{
    size_t plain_left = replay->plain.count - plain, firmware_left = replay->firmware.count - firmware;
    for (size_t sum = 1; sum < LOOK_AHEAD; sum++)
        for (size_t i = 0; i <= sum; i++) {
            if (i >= plain_left || sum - i >= firmware_left || !agree_here(replay, plain + i, firmware + sum - i))
                continue;
            *skip_plain = i;
            *skip_firmware = sum - i;
            return;
        }
    *skip_plain = plain_left ? 1 : 0;
    *skip_firmware = firmware_left ? 1 : 0;
}

/* The text of a field of that name. Null: it is not there, as flags and unknown fields that are 0. */
static const char *find_text(const struct gpucode_field_value *fields, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].text;
    return NULL;
}

/* A null text is that of 0. */
static void put_field(struct gpucode_answer *answer, const char *name, const char *decode, const char *firmware)
{
    decode = decode ? decode : "0";
    firmware = firmware ? firmware : "0";
    if (strcmp(decode, firmware) == 0)
        return;
    gpucode_answer_begin(answer, &replay_fields[DIFFERS_FIELD]);
    gpucode_answer_text(answer, &replay_fields[DIFFERS_FIELD_NAME], name);
    gpucode_answer_text(answer, &replay_fields[DIFFERS_FIELD_DECODE], decode);
    gpucode_answer_text(answer, &replay_fields[DIFFERS_FIELD_FIRMWARE], firmware);
    gpucode_answer_end(answer);
}

/* The fields in which two values of a register differ. */
static void put_fields(const struct replay *replay, uint32_t number, uint32_t decode, uint32_t firmware)
{
    struct gpucode_field_value first[GPUCODE_FIELD_VALUES_MAX], second[GPUCODE_FIELD_VALUES_MAX];
    unsigned family = gpucode_target_family(replay->target);
    const struct gpucode_meanings *own = registers_meanings(replay->firmware_file.registers);
    size_t one = gpucode_meanings_fields(own, family, number, decode, first, GPUCODE_FIELD_VALUES_MAX);
    size_t other = gpucode_meanings_fields(own, family, number, firmware, second, GPUCODE_FIELD_VALUES_MAX);
    gpucode_answer_begin(replay->answer, &replay_fields[DIFFERS_FIELDS]);
    for (size_t i = 0; i < one; i++)
        put_field(replay->answer, first[i].name, first[i].text, find_text(second, other, first[i].name));
    for (size_t i = 0; i < other; i++)
        if (!find_text(first, one, second[i].name))
            put_field(replay->answer, second[i].name, NULL, second[i].text);
    gpucode_answer_end(replay->answer);
}

/* Keeps the first place where the firmware parts from plain decoding. */
static void note_divergence(struct replay *replay, const struct replay_write *plain,
                            const struct replay_write *firmware, const char *packet, const char *name)
{
    struct replay_divergence *at = replay->divergence;
    size_t place = firmware ? (size_t)(firmware - replay->firmware.list) : replay->firmware_at;
    if (at->found && at->at <= place)
        return;
    at->found = true;
    at->at = place;
    if (plain && firmware)
        snprintf(at->text, sizeof at->text, "%s: %s: 0x%" PRIx32 " by decoding, 0x%" PRIx32 " by the firmware", packet,
                 name, plain->value, firmware->value);
    else if (plain)
        snprintf(at->text, sizeof at->text, "%s: %s: 0x%" PRIx32 " by decoding, not written by the firmware", packet,
                 name, plain->value);
    else
        snprintf(at->text, sizeof at->text, "%s: %s: 0x%" PRIx32 " by the firmware, not by decoding", packet, name,
                 firmware->value);
}

static void show_writes(struct replay *replay, const struct replay_write *plain, const struct replay_write *firmware)
{
    const struct replay_write *any = plain ? plain : firmware;
    char name[GPUCODE_NAME_MAX], packet[GPUCODE_NAME_MAX];
    replay_register(replay, any->number, name);
    replay_packet(replay, any->opcode, packet);
    if (replay->divergence) {
        note_divergence(replay, plain, firmware, packet, name);
        return;
    }
    replay->counts[REPLAY_DIFFERENT]++;
    const struct gpucode_answer_field *fields = replay_fields;
    struct gpucode_answer *answer = replay->answer;
    gpucode_answer_begin(answer, &fields[DIFFERS]);
    gpucode_answer_text(answer, &fields[DIFFERS_SIDE], !plain ? "firmware" : !firmware ? "decode" : "value");
    gpucode_answer_number(answer, &fields[DIFFERS_SUBMIT], replay->submit);
    gpucode_answer_number(answer, &fields[DIFFERS_STREAM], replay->command);
    gpucode_answer_text(answer, &fields[DIFFERS_PACKET], packet);
    gpucode_answer_text(answer, &fields[DIFFERS_NAME], name);
    gpucode_answer_number(answer, &fields[DIFFERS_NUMBER], any->number);
    if (plain) {
        gpucode_answer_number(answer, &fields[DIFFERS_ADDRESS], plain->address);
        gpucode_answer_number(answer, &fields[DIFFERS_DECODE], plain->value);
        gpucode_answer_number(answer, &fields[DIFFERS_AT], plain->address);
    }
    if (firmware)
        gpucode_answer_number(answer, &fields[DIFFERS_FIRMWARE], firmware->value);
    gpucode_answer_text(answer, &fields[DIFFERS_REST],
                        !firmware ? "not written by the firmware"
                        : plain   ? ""
                                  : ", not by decoding");
    if (plain && firmware)
        put_fields(replay, any->number, plain->value, firmware->value);
    gpucode_answer_end(answer);
}

static void count_own(struct replay *replay, const struct replay_write *firmware)
{
    replay->counts[REPLAY_HANDLER]++;
    replay->handlers[firmware->opcode]++;
}

/* A group's write that the firmware has not at the draw: did it have it when the group was set? */
static bool is_early(struct replay *replay, const struct replay_write *plain)
{
    for (size_t i = replay->early; plain->group && i < replay->firmware_at; i++) {
        struct replay_write *firmware = &replay->firmware.list[i];
        if (!is_ahead(replay, firmware) || firmware->number != plain->number ||
            (plain->known && firmware->value != plain->value))
            continue;
        firmware->taken = true;
        replay->early = i + 1;
        replay->counts[REPLAY_EARLY]++;
        return true;
    }
    return false;
}

/* No draw has asked for these. */
static void show_early(struct replay *replay)
{
    for (size_t i = 0; i < replay->firmware.count; i++)
        if (is_ahead(replay, &replay->firmware.list[i]) && !replay->firmware.list[i].taken)
            show_writes(replay, NULL, &replay->firmware.list[i]);
}

/* Takes one write of either side or one of each, if there is a reason for it; false: there is none. */
static bool explain_next(struct replay *replay)
{
    const struct replay_writes *p = &replay->plain, *f = &replay->firmware;
    const struct replay_write *one = replay->plain_at < p->count ? &p->list[replay->plain_at] : NULL;
    const struct replay_write *other = replay->firmware_at < f->count ? &f->list[replay->firmware_at] : NULL;
    if (one && one->condition == GPUCODE_PACKET_SKIPPED) {
        replay->counts[REPLAY_SKIPPED]++;
        replay->plain_at++;
    } else if (one && other && writes_agree(one, other)) {
        replay->counts[one->known ? REPLAY_EQUAL : REPLAY_COMPUTED]++;
        replay->plain_at++;
        replay->firmware_at++;
    } else if (other && is_own(replay, other)) {
        count_own(replay, other);
        replay->firmware_at++;
    } else if (other && is_ahead(replay, other)) {
        replay->firmware_at++; /* until a draw asks for it */
    } else if (one && is_early(replay, one)) {
        replay->plain_at++;
    } else if (one && one->condition == GPUCODE_PACKET_MAYBE) {
        replay->counts[REPLAY_MAYBE]++;
        replay->plain_at++;
    } else {
        return false;
    }
    return true;
}

/* Shows what stands between here and the next place where both agree. */
static void show_difference(struct replay *replay)
{
    const struct replay_writes *p = &replay->plain, *f = &replay->firmware;
    size_t skip_plain, skip_firmware;
    find_agreement(replay, replay->plain_at, replay->firmware_at, &skip_plain, &skip_firmware);
    while (skip_plain || skip_firmware) {
        const struct replay_write *one = skip_plain ? &p->list[replay->plain_at] : NULL;
        const struct replay_write *other = skip_firmware ? &f->list[replay->firmware_at] : NULL;
        if (one && one->condition == GPUCODE_PACKET_SKIPPED) {
            replay->counts[REPLAY_SKIPPED]++;
            other = NULL;
        } else if (other && is_own(replay, other)) {
            count_own(replay, other);
            one = NULL;
        } else if (other && is_ahead(replay, other)) {
            one = NULL;
        } else if (one && other && writes_agree(one, other)) { /* too few in a row to go on there */
            replay->counts[one->known ? REPLAY_EQUAL : REPLAY_COMPUTED]++;
        } else {
            if (one && other && one->number != other->number)
                other = NULL; /* one after the other */
            show_writes(replay, one, other);
        }
        if (one) {
            replay->plain_at++;
            skip_plain--;
        }
        if (other) {
            replay->firmware_at++;
            skip_firmware--;
        }
    }
}

void replay_compare(struct replay *replay)
{
    replay->plain_at = replay->firmware_at = replay->early = 0;
    while (replay->plain_at < replay->plain.count || replay->firmware_at < replay->firmware.count)
        if (!explain_next(replay))
            show_difference(replay);
    show_early(replay);
}

/*
 * Where a recorded submit first does something else in the firmware than by decoding: both are run ahead, as `replay`
 * does, and the place is told in the words of a debugger, which stops at a write of a register.
 */

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
