/* SPDX-License-Identifier: MIT */
/* gpucode replay: a recorded stream through firmware in the machine, and what that writes to GPU registers. */
#include "gpu/replay.h"
#include "cli_gpu_messages.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "gpu/answer.def"
#define ANSWER_PART_REPLAY
#include <gpucode/answer_rows.h>
ANSWER_TABLE(replay, "A line of `gpucode replay --json`, and of `gpucode diff --replay --json`.");

const struct gpucode_answer_field *const replay_fields = fields;

/* IB_SIZE has 20 bits. */
#define BUFFER_WORDS_MAX 0xfffffu

/* --- names ------------------------------------------------------------------------------------------- */

const char *replay_packet(const struct replay *replay, unsigned opcode, char name[GPUCODE_NAME_MAX])
{
    if (opcode == GPUCODE_PACKET_TYPE4)
        snprintf(name, GPUCODE_NAME_MAX, "type 4");
    else if (!gpucode_name_of(replay->target, replay->names, GPUCODE_SPACE_PACKET, opcode, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "UNKN%u", opcode);
    return name;
}

const char *replay_register(const struct replay *replay, uint32_t number, char name[GPUCODE_NAME_MAX])
{
    const struct gpucode_names *names = replay->names;
    size_t length = 0;
    if (names && names->name)
        length = names->name(names->user, GPUCODE_SPACE_GPU, number, name, GPUCODE_NAME_MAX - 1);
    if (length)
        name[length] = 0;
    else if (!gpucode_register_name(gpucode_target_family(replay->target), number, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "0x%04" PRIx32, number);
    return name;
}

bool replay_add(struct replay_writes *list, const struct replay_write *write)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 1024;
        struct replay_write *larger =
            room <= REPLAY_WRITES_MAX && list->count < list->most ? realloc(list->list, room * sizeof *larger) : NULL;
        if (!larger) {
            list->full = true;
            list->no_memory = room <= REPLAY_WRITES_MAX && list->count < list->most;
            return false;
        }
        list->list = larger;
        list->room = room;
    }
    list->list[list->count++] = *write;
    return true;
}

/* --- plain decoding ---------------------------------------------------------------------------------- */

static size_t load_recorded(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct replay *replay = user;
    return gpucode_stream_load(replay->recording.stream, replay->submit, address, bytes, size);
}

static bool take_packet(void *user, const struct gpucode_packet_event *event)
{
    struct replay *replay = user;
    if (event->kind != GPUCODE_PACKET_WRITE)
        return true;
    (event->source == GPUCODE_PACKET_GROUP ? replay->runs_groups : replay->writes_itself)[event->outer] = true;
    return replay_add(&replay->plain, &(struct replay_write){
                                          .number = event->number,
                                          .value = (uint32_t)event->value,
                                          .opcode = (uint8_t)event->outer,
                                          .condition = (uint8_t)event->condition,
                                          .known = event->known,
                                          .group = event->source == GPUCODE_PACKET_GROUP,
                                          .address = event->address,
                                      });
}

int replay_create_packets(struct replay *replay)
{
    struct gpucode_packet_options options = {
        .target = replay->target,
        .read = load_recorded,
        .event = take_packet,
        .user = replay,
        .unwritten_zero = true, /* as in the machine */
        .limit = recording_limit(&replay->recording),
    };
    enum gpucode_status status = gpucode_packets_create(&options, &replay->packets);
    replay->writes_itself[GPUCODE_PACKET_TYPE4] = true;
    return status == GPUCODE_OK ? EXIT_DONE : code_status(replay->session, NULL, status);
}

/* --- both -------------------------------------------------------------------------------------------- */

static void show_writes(const struct replay *replay)
{
    struct gpucode_answer *answer = replay->answer;
    char name[GPUCODE_NAME_MAX], packet[GPUCODE_NAME_MAX];
    for (size_t i = 0; i < replay->firmware.count && !ferror(stdout); i++) {
        const struct replay_write *write = &replay->firmware.list[i];
        replay_register(replay, write->number, name);
        replay_packet(replay, write->opcode, packet);
        gpucode_answer_begin(answer, &fields[REPLAYED]);
        gpucode_answer_number(answer, &fields[REPLAYED_SUBMIT], replay->submit);
        gpucode_answer_number(answer, &fields[REPLAYED_STREAM], replay->command);
        gpucode_answer_text(answer, &fields[REPLAYED_PACKET], packet);
        gpucode_answer_text(answer, &fields[REPLAYED_NAME], name);
        gpucode_answer_number(answer, &fields[REPLAYED_NUMBER], write->number);
        gpucode_answer_number(answer, &fields[REPLAYED_VALUE], write->value);
        gpucode_answer_end(answer);
    }
}

bool replay_is_recorded(const struct replay *replay, const struct gpucode_stream_command *command)
{
    char bytes[4096];
    uint64_t size = 4 * (uint64_t)command->words;
    for (uint64_t at = 0; at < size; at += sizeof bytes) {
        size_t part = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        if (load_recorded((void *)replay, command->address + at, bytes, part) < part)
            return false;
    }
    return true;
}

static int replay_command(struct replay *replay, const struct gpucode_stream_command *command, bool compare)
{
    struct session *session = replay->session;
    if (!replay_is_recorded(replay, command)) {
        replay->absent++;
        return EXIT_DONE;
    }
    if (command->words > BUFFER_WORDS_MAX)
        return complain(&session->diagnostics, CLI_GPU_REPLAY_LONG, replay->recording.file.name, NULL);
    replay->streams++;
    replay->firmware.count = replay->plain.count = 0;
    int code = recording_feed(replay->session, replay->target, command, replay->machine, &replay->ring);
    if (code)
        return code;
    bool idle = replay_run(replay);
    if (!replay->firmware.full && !replay->no_memory && compare) {
        enum gpucode_status status = gpucode_packets_walk(replay->packets, command->address, command->words);
        if (status == GPUCODE_ERROR_RANGE)
            return complain(&session->diagnostics, CLI_GPU_STREAM_LONG, replay->recording.file.name, NULL);
        if (status != GPUCODE_OK)
            return code_status(session, NULL, status);
        if (!replay->plain.full)
            replay_compare(replay);
    } else if (replay->answer && !compare) {
        show_writes(replay);
    }
    replay->no_memory |= replay->firmware.no_memory || replay->plain.no_memory;
    if (replay->no_memory)
        return EXIT_FAULT; /* told at the end */
    if (replay->firmware.full || replay->plain.full)
        return complain(&session->diagnostics, CLI_GPU_REPLAY_WRITES, replay->recording.file.name, NULL);
    return idle ? EXIT_DONE : EXIT_FINDINGS;
}

/* Firmware that has stopped does not go on, so that nothing can be compared after it. */
static int replay_all(struct replay *replay, bool compare)
{
    int code = replay_run(replay) ? EXIT_DONE : EXIT_FINDINGS;
    struct gpucode_submit submit;
    if (!code)
        code = replay_set_registers(replay);
    replay->booted = true;
    for (; !code && gpucode_stream_submit(replay->recording.stream, replay->submit, &submit); replay->submit++) {
        uint64_t submitted = replay_time(replay);
        code = recording_store(replay->session, &replay->recording, &submit, replay->machine);
        if (!compare)
            gpucode_answer_number(replay->answer, &fields[SUBMIT_LINE], replay->submit);
        for (replay->command = 0; !code && replay->command < submit.command_count; replay->command++) {
            uint64_t started = replay_time(replay), absent = replay->absent;
            code = replay_command(replay, &submit.commands[replay->command], compare);
            replay_line_stream(replay, started, replay->absent > absent ? "its memory was not recorded" : NULL);
            replay->scene.frame++;
        }
        replay_line_submit(replay, submitted, submit.text);
    }
    return code;
}

static void put_handlers(const struct replay *replay)
{
    char name[GPUCODE_NAME_MAX];
    gpucode_answer_begin(replay->answer, &fields[HANDLERS]);
    for (unsigned opcode = 0; opcode <= GPUCODE_PACKET_TYPE4; opcode++) {
        if (!replay->handlers[opcode])
            continue;
        replay_packet(replay, opcode, name);
        gpucode_answer_key(replay->answer, name);
        gpucode_answer_number(replay->answer, &fields[HANDLER], replay->handlers[opcode]);
        gpucode_answer_text(replay->answer, &fields[HANDLER_NAME], name);
    }
    gpucode_answer_end(replay->answer);
}

static void show_summary(const struct replay *replay)
{
    static const unsigned rows[REPLAY_CLASSES][2] = {
        [REPLAY_EQUAL] = {CLASS_EQUAL, CLASS_EQUAL_TEXT},
        [REPLAY_COMPUTED] = {CLASS_COMPUTED, CLASS_COMPUTED_TEXT},
        [REPLAY_SKIPPED] = {CLASS_SKIPPED, CLASS_SKIPPED_TEXT},
        [REPLAY_MAYBE] = {CLASS_MAYBE, CLASS_MAYBE_TEXT},
        [REPLAY_EARLY] = {CLASS_EARLY, CLASS_EARLY_TEXT},
        [REPLAY_HANDLER] = {CLASS_HANDLER, CLASS_HANDLER_TEXT},
        [REPLAY_DIFFERENT] = {CLASS_DIFFERENT, CLASS_DIFFERENT_TEXT},
    };
    struct gpucode_answer *answer = replay->answer;
    gpucode_answer_begin(answer, &fields[SUMMARY]);
    gpucode_answer_number(answer, &fields[SUMMARY_STREAMS], replay->streams);
    gpucode_answer_number(answer, &fields[SUMMARY_ABSENT], replay->absent);
    if (replay->absent)
        gpucode_answer_number(answer, &fields[SUMMARY_MORE], replay->absent);
    gpucode_answer_text(answer, &fields[SUMMARY_LINE], "");
    for (unsigned i = 0; i < REPLAY_CLASSES; i++) {
        gpucode_answer_number(answer, &fields[rows[i][0]], replay->counts[i]);
        if (replay->counts[i] || i == REPLAY_EQUAL || i == REPLAY_DIFFERENT)
            gpucode_answer_number(answer, &fields[rows[i][1]], replay->counts[i]);
        if (i == REPLAY_HANDLER)
            put_handlers(replay);
    }
    gpucode_answer_end(answer);
}

/* --- the forms --------------------------------------------------------------------------------------- */

/* All of it, which puts what there is to tell into replay->answer. */
static int replay_told(struct replay *replay, bool compare)
{
    int code = replay_all(replay, compare);
    if (replay->no_memory)
        code = out_of_memory(&replay->session->diagnostics);
    if (compare && code <= EXIT_FINDINGS)
        show_summary(replay);
    return code;
}

/* All of it with its time line in `line`. */
static int replay_lined(struct replay *replay, bool compare, enum gpucode_time_line_form form,
                        struct gpucode_answer *line)
{
    if (!replay_line_begin(replay, line, form))
        return out_of_memory(&replay->session->diagnostics);
    int code = replay_told(replay, compare);
    enum gpucode_status status = replay_line_end(replay);
    return code <= EXIT_FINDINGS && status == GPUCODE_ERROR_MEMORY ? out_of_memory(&replay->session->diagnostics)
                                                                   : code;
}

static int put_trace(void *user, struct gpucode_answer *answer)
{
    struct replay *replay = user;
    int code = replay_lined(replay, false, GPUCODE_TIME_LINE_TRACE, answer);
    if (code != EXIT_FINDINGS)
        return code;
    replay->findings = true; /* the trace is whole */
    return EXIT_DONE;
}

/* The strip, and below it what is told. */
static int write_page(struct replay *replay, bool compare, const char *path)
{
    struct gpucode_answer *page = gpucode_answer_create(), *line = gpucode_answer_create();
    replay->answer = gpucode_answer_create();
    int code = replay_lined(replay, compare, GPUCODE_TIME_LINE_PICTURE, line);
    gpucode_answer_add(page, line);
    gpucode_answer_add(page, replay->answer);
    int written = code <= EXIT_FINDINGS ? answer_page(replay->session, page, path, "gpucode replay") : code;
    gpucode_answer_free(replay->answer);
    gpucode_answer_free(line);
    gpucode_answer_free(page);
    replay->answer = NULL;
    return written ? written : code;
}

static int replay_shown(struct replay *replay, bool compare)
{
    struct session *session = replay->session;
    const char *const *value = session->arguments.value;
    int code, told;
    if (value[OPTION_GPU_PERFETTO])
        return answer_file(session, value[OPTION_GPU_PERFETTO], put_trace, replay);
    if (value[OPTION_GPU_HTML])
        return write_page(replay, compare, value[OPTION_GPU_HTML]);
    struct gpucode_answer *answer = answer_begin_listing(session);
    if (arguments_have(&session->arguments, OPTION_GPU_TIME_LINE)) {
        code = replay_lined(replay, compare, GPUCODE_TIME_LINE_RECORDS, answer);
    } else {
        replay->answer = answer;
        code = replay_told(replay, compare);
    }
    told = answer_end(session, answer);
    replay->answer = NULL;
    return code <= EXIT_FINDINGS && told ? told : code;
}

static int replay_prepared(struct replay *replay, bool compare)
{
    struct session *session = replay->session;
    const struct gpucode_target *recorded = replay->recording.target;
    if (recorded && strcmp(gpucode_target_generation(recorded), gpucode_target_generation(replay->target)) != 0)
        return complain(&session->diagnostics, CLI_GPU_REPLAY_TARGET, session->arguments.operands[0], NULL,
                        gpucode_target_name(replay->target), gpucode_target_name(recorded));
    int code = replay_create_machine(replay);
    if (!code && compare)
        code = replay_create_packets(replay);
    if (!code)
        code = replay_shown(replay, compare);
    if (!code && (replay->findings || replay->counts[REPLAY_DIFFERENT]))
        code = EXIT_FINDINGS;
    if (replay->dump_code)
        code = replay->dump_code;
    code = edges_finish(session, &replay->edges, replay->image, code);
    gpucode_packets_free(replay->packets);
    gpucode_machine_free(replay->machine);
    free(replay->firmware.list);
    free(replay->plain.list);
    return code;
}

static int check_arguments(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    const char *limit = arguments->value[OPTION_GPU_LIMIT];
    /* each has a form of its own; a time line alone has no comparison */
    static const struct {
        enum option_id option, other;
        const char *name, *beside;
    } idle[] = {{OPTION_GPU_TIME_LINE, OPTION_GPU_PERFETTO, "time-line", "perfetto"},
                {OPTION_GPU_HTML, OPTION_GPU_PERFETTO, "html", "perfetto"},
                {OPTION_GPU_HTML, OPTION_GPU_TIME_LINE, "html", "time-line"},
                {OPTION_GPU_AGAINST, OPTION_GPU_PERFETTO, "against", "perfetto"},
                {OPTION_GPU_AGAINST, OPTION_GPU_TIME_LINE, "against", "time-line"}};
    uint64_t number;
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (arguments_have(arguments, idle[i].option) && arguments_have(arguments, idle[i].other))
            return complain(&session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, idle[i].name, idle[i].beside);
    if (!arguments_have(arguments, OPTION_GPU_FIRMWARE))
        return complain(&session->diagnostics, CLI_GPU_REPLAY_FIRMWARE, NULL, "--firmware FILE");
    if (limit && (!number_read(limit, UINT64_MAX, &number) || !number))
        return value_refuse(session, OPTION_GPU_LIMIT, limit, "a number above 0");
    return EXIT_DONE;
}

int command_replay(struct session *session)
{
    struct replay replay = {.session = session};
    int code = check_arguments(session);
    if (!code)
        code = input_open(session, session->arguments.value[OPTION_GPU_FIRMWARE], &replay.firmware_file);
    if (code)
        return code;
    replay.image = replay.firmware_file.image;
    replay.target = replay.firmware_file.target;
    replay.names = input_names(&replay.firmware_file);
    code = recording_open(session, session->arguments.operands[0], &replay.recording);
    if (!code) {
        /* a word writes a register at most, and handlers a few of their own */
        replay.plain.most = recording_limit(&replay.recording);
        replay.firmware.most = 4 * replay.plain.most;
        code = replay_prepared(&replay, arguments_have(&session->arguments, OPTION_GPU_AGAINST));
        recording_close(&replay.recording);
    }
    input_close(&replay.firmware_file);
    return code;
}
