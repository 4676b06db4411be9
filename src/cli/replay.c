/* SPDX-License-Identifier: MIT */
/* gpucode replay: a recorded stream through firmware in the machine, and what that writes to GPU registers. */
#include "cli/replay.h"

#include "cli/code.h"
#include "cli/json.h"
#include "cli/registers.h"
#include "cli/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int command_replay(struct session *session);

/* Instructions that one command stream or the boot may take, unless --limit says otherwise. */
#define INSTRUCTIONS_MAX UINT64_C(100000000)
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
    if (!gpucode_name_of(replay->target, replay->names, GPUCODE_SPACE_GPU, number, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "0x%04" PRIx32, number);
    return name;
}

bool replay_add(struct replay_writes *list, const struct replay_write *write)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 1024;
        struct replay_write *larger = room <= REPLAY_WRITES_MAX ? realloc(list->list, room * sizeof *larger) : NULL;
        if (!larger) {
            list->full = true;
            return false;
        }
        list->list = larger;
        list->room = room;
    }
    list->list[list->count++] = *write;
    return true;
}

/* --- the firmware's side ----------------------------------------------------------------------------- */

/* Does the firmware read from a draw-state group now? */
static bool in_group(const struct replay *replay, const struct gpucode_machine *machine)
{
    uint32_t level;
    return replay->group_level &&
           gpucode_machine_read(machine, 0, replay->level_space, replay->level_number, &level) == GPUCODE_OK &&
           level == replay->group_level;
}

/* IB_LEVEL 3 is draw state on a6xx; later it is 4, the machine's policy afuc-ib-levels has its default. */
static void find_level(struct replay *replay)
{
    const char *generation = gpucode_target_generation(replay->target);
    if (gpucode_machine_find(replay->machine, "@IB_LEVEL", &replay->level_space, &replay->level_number))
        replay->group_level = strcmp(generation, "a6xx") == 0 ? 3 : 4;
}

static bool take_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct replay *replay = user;
    if (event->kind == GPUCODE_EVENT_PACKET)
        replay->opcode = event->value >> 28 == 4 ? GPUCODE_PACKET_TYPE4 : event->address & 0x7f;
    if (event->kind != GPUCODE_EVENT_WRITE || event->space != GPUCODE_SPACE_GPU || !replay->booted)
        return false;
    return !replay_add(&replay->firmware, &(struct replay_write){
                                              .number = (uint32_t)event->address,
                                              .value = (uint32_t)event->value,
                                              .opcode = (uint8_t)replay->opcode,
                                              .known = true,
                                              .group = in_group(replay, machine),
                                          });
}

/*
 * A place for the image that no recorded buffer has. All of memory is there: recordings leave out buffers that the
 * driver did not fill, and the firmware writes to those.
 */
static uint64_t find_base(const struct replay *replay)
{
    size_t size;
    uint64_t base = 0x1000;
    gpucode_image_bytes(replay->image, &size);
    for (bool moved = true; moved;) {
        moved = false;
        struct gpucode_submit submit;
        for (size_t i = 0; gpucode_stream_submit(replay->recording.stream, i, &submit); i++)
            for (size_t k = 0; k < submit.buffer_count; k++) {
                const struct gpucode_stream_buffer *buffer = &submit.buffers[k];
                if (buffer->size && base <= buffer->address + (buffer->size - 1) && buffer->address < base + size) {
                    base = (buffer->address + buffer->size + 0xfff) & ~UINT64_C(0xfff);
                    moved = true;
                }
            }
    }
    return base;
}

static int create_machine(struct replay *replay)
{
    char base[32];
    snprintf(base, sizeof base, "0x%" PRIx64, find_base(replay));
    const struct gpucode_setting policies[] = {
        {"afuc-base", base},
        {"afuc-memory", "0x400000000"}, /* GiB: the whole address space */
        {"afuc-processor", "BR"},
        {NULL, NULL},
    };
    /* images without a section BR have one processor in all, or two that know nothing of one another */
    bool has_br = false;
    const struct gpucode_image_info *info = gpucode_image_info(replay->image);
    for (unsigned i = 0; i < info->section_count; i++)
        has_br |= strcmp(info->sections[i].name, "BR") == 0;
    struct gpucode_setting chosen[4] = {policies[0], policies[1]};
    if (has_br)
        chosen[2] = policies[2];
    struct gpucode_machine_options options = {
        .policies = chosen,
        .names = replay->names,
        .sink = diagnostics_sink(&replay->session->diagnostics),
    };
    enum gpucode_status status = gpucode_machine_create(replay->image, &options, &replay->machine);
    if (status != GPUCODE_OK)
        return code_status(replay->session, NULL, status);
    find_level(replay);
    gpucode_machine_hook(replay->machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_PACKET, take_event, replay);
    return EXIT_DONE;
}

/* Runs until the firmware waits for packets; false: it stopped for another reason, which is told. */
static bool run(struct replay *replay)
{
    struct gpucode_stop stop;
    const char *limit = replay->session->arguments.value[OPTION_LIMIT];
    gpucode_machine_run(replay->machine, limit ? strtoull(limit, NULL, 0) : INSTRUCTIONS_MAX, &stop);
    if (stop.reason == GPUCODE_STOP_IDLE)
        return true;
    replay->stopped++;
    if (stop.reason == GPUCODE_STOP_LIMIT)
        snprintf(stop.text, sizeof stop.text, "the limit of instructions is reached");
    char packet[GPUCODE_NAME_MAX];
    replay_packet(replay, replay->opcode, packet);
    if (replay->session->json) {
        struct json json = {.out = stdout};
        json_object(&json, NULL);
        json_string(&json, "stop", stop.text);
        json_string(&json, "code", stop.code);
        json_number(&json, "submit", replay->submit);
        json_number(&json, "stream", replay->command);
        json_string(&json, "packet", replay->booted ? packet : NULL);
        json_number(&json, "pc_words", stop.pc);
        json_end(&json);
    } else {
        printf("submit %zu stream %zu: %s: stopped at word 0x%" PRIx64 ": %s\n", replay->submit, replay->command,
               replay->booted ? packet : "boot", stop.pc, stop.text);
    }
    return false;
}

/* Odd parity of a field, as packet headers have it. */
static uint32_t parity(uint32_t bits)
{
    uint32_t odd = 1;
    for (; bits; bits &= bits - 1)
        odd ^= 1;
    return odd;
}

/* Kernels hand a stream over as an indirect buffer in the ring. */
static int feed(struct replay *replay, const struct gpucode_stream_command *command)
{
    static const char name[] = "CP_INDIRECT_BUFFER";
    uint32_t opcode;
    if (!gpucode_number_of(replay->target, NULL, GPUCODE_SPACE_PACKET, name, sizeof name - 1, &opcode))
        return code_status(replay->session, NULL, GPUCODE_ERROR_UNSUPPORTED);
    const uint32_t words[] = {
        UINT32_C(7) << 28 | parity(opcode) << 23 | opcode << 16 | parity(3) << 15 | 3,
        (uint32_t)command->address,
        (uint32_t)(command->address >> 32),
        command->words,
    };
    enum gpucode_status status = gpucode_machine_feed(replay->machine, 0, words, 4);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(replay->session, NULL, status);
}

/* Memory as it was at the submit. */
static int store_buffers(struct replay *replay, const struct gpucode_submit *submit)
{
    for (size_t i = 0; i < submit->buffer_count; i++) {
        const struct gpucode_stream_buffer *buffer = &submit->buffers[i];
        if (!buffer->length)
            continue;
        enum gpucode_status status =
            gpucode_machine_store(replay->machine, buffer->address, buffer->bytes, buffer->length);
        if (status != GPUCODE_OK)
            return code_status(replay->session, replay->recording.file.name, status);
    }
    return EXIT_DONE;
}

/* --- plain decoding ---------------------------------------------------------------------------------- */

static size_t load(void *user, uint64_t address, void *bytes, size_t size)
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

static int create_packets(struct replay *replay)
{
    struct gpucode_packet_options options = {
        .target = replay->target,
        .read = load,
        .event = take_packet,
        .user = replay,
        .unwritten_zero = true, /* as in the machine */
    };
    enum gpucode_status status = gpucode_packets_create(&options, &replay->packets);
    replay->writes_itself[GPUCODE_PACKET_TYPE4] = true;
    return status == GPUCODE_OK ? EXIT_DONE : code_status(replay->session, NULL, status);
}

/* --- both -------------------------------------------------------------------------------------------- */

static void show_writes(const struct replay *replay)
{
    char name[GPUCODE_NAME_MAX], packet[GPUCODE_NAME_MAX];
    for (size_t i = 0; i < replay->firmware.count && !ferror(stdout); i++) {
        const struct replay_write *write = &replay->firmware.list[i];
        replay_register(replay, write->number, name);
        replay_packet(replay, write->opcode, packet);
        if (replay->session->json) {
            struct json json = {.out = stdout};
            json_object(&json, NULL);
            json_number(&json, "submit", replay->submit);
            json_number(&json, "stream", replay->command);
            json_string(&json, "packet", packet);
            json_string(&json, "register", name);
            json_number(&json, "number", write->number);
            json_number(&json, "value", write->value);
            json_end(&json);
        } else {
            printf("%-28s %s = 0x%" PRIx32 "\n", packet, name, write->value);
        }
    }
}

/* Is all of the stream recorded? Recorders drop buffers that were mapped otherwise. */
static bool is_recorded(const struct replay *replay, const struct gpucode_stream_command *command)
{
    char bytes[4096];
    uint64_t size = 4 * (uint64_t)command->words;
    for (uint64_t at = 0; at < size; at += sizeof bytes) {
        size_t part = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        if (load((void *)replay, command->address + at, bytes, part) < part)
            return false;
    }
    return true;
}

static int replay_command(struct replay *replay, const struct gpucode_stream_command *command, bool compare)
{
    struct session *session = replay->session;
    if (!is_recorded(replay, command)) {
        replay->absent++;
        return EXIT_DONE;
    }
    if (command->words > BUFFER_WORDS_MAX)
        return complain(&session->diagnostics, CLI_REPLAY_LONG, replay->recording.file.name, NULL);
    replay->streams++;
    replay->firmware.count = replay->plain.count = 0;
    int code = feed(replay, command);
    if (code)
        return code;
    bool idle = run(replay);
    if (!replay->firmware.full && compare) {
        enum gpucode_status status = gpucode_packets_walk(replay->packets, command->address, command->words);
        if (status == GPUCODE_ERROR_RANGE)
            return complain(&session->diagnostics, CLI_STREAM_LONG, replay->recording.file.name, NULL);
        if (status != GPUCODE_OK)
            return code_status(session, NULL, status);
        if (!replay->plain.full)
            replay_compare(replay);
    } else if (!compare) {
        show_writes(replay);
    }
    if (replay->firmware.full || replay->plain.full)
        return complain(&session->diagnostics, CLI_REPLAY_WRITES, replay->recording.file.name, NULL);
    return idle ? EXIT_DONE : EXIT_FINDINGS;
}

/* One NAME=VALUE of --reg, on both sides. False: it is none. */
static bool set_register(struct replay *replay, const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    if (!equals || equals == text || equals + 1 == text + length)
        return false;
    char number_text[16], *end;
    size_t value_length = (size_t)(text + length - equals - 1), name_length = (size_t)(equals - text);
    if (value_length >= sizeof number_text)
        return false;
    memcpy(number_text, equals + 1, value_length);
    number_text[value_length] = 0;
    unsigned long long value = strtoull(number_text, &end, 0);
    if (*end || value > UINT32_MAX)
        return false;
    uint32_t number;
    if (!gpucode_number_of(replay->target, replay->names, GPUCODE_SPACE_GPU, text, name_length, &number)) {
        number = (uint32_t)strtoul(text, &end, 0);
        if (end != equals)
            return false;
    }
    return gpucode_machine_write(replay->machine, 0, GPUCODE_SPACE_GPU, number, (uint32_t)value) == GPUCODE_OK &&
           (!replay->packets || gpucode_packets_set(replay->packets, number, (uint32_t)value));
}

static int set_registers(struct replay *replay)
{
    const char *text = replay->session->arguments.value[OPTION_REG];
    while (text) {
        size_t length = strcspn(text, ",");
        if (!set_register(replay, text, length)) {
            char shown[128];
            snprintf(shown, sizeof shown, "%.*s", (int)(length < 100 ? length : 100), text);
            return complain(&replay->session->diagnostics, CLI_REPLAY_REG, NULL, NULL, shown);
        }
        text = text[length] ? text + length + 1 : NULL;
    }
    return EXIT_DONE;
}

/* A firmware that stopped stays stopped, so the first one ends it all. */
static int replay_all(struct replay *replay, bool compare)
{
    int code = run(replay) ? EXIT_DONE : EXIT_FINDINGS;
    struct gpucode_submit submit;
    if (!code)
        code = set_registers(replay);
    replay->booted = true;
    for (; !code && gpucode_stream_submit(replay->recording.stream, replay->submit, &submit); replay->submit++) {
        code = store_buffers(replay, &submit);
        if (!replay->session->json && !compare)
            printf("submit %zu\n", replay->submit);
        for (replay->command = 0; !code && replay->command < submit.command_count; replay->command++)
            code = replay_command(replay, &submit.commands[replay->command], compare);
    }
    return code;
}

static void show_summary(const struct replay *replay)
{
    static const struct {
        const char *key, *text;
    } classes[REPLAY_CLASSES] = {
        [REPLAY_EQUAL] = {"equal", "register writes equal"},
        [REPLAY_COMPUTED] = {"computed", "equal but for the value, which is not in the stream"},
        [REPLAY_SKIPPED] = {"skipped", "by decoding alone: a condition skips them"},
        [REPLAY_MAYBE] = {"maybe", "by decoding alone: a condition that is not known"},
        [REPLAY_EARLY] = {"early", "equal, when a group was set instead of at the draw"},
        [REPLAY_HANDLER] = {"handler", "by the firmware alone: its handlers' own"},
        [REPLAY_DIFFERENT] = {"different", "different"},
    };
    char name[GPUCODE_NAME_MAX];
    struct json json = {.out = stdout};
    bool as_json = replay->session->json;
    if (as_json) {
        json_object(&json, NULL);
        json_number(&json, "streams", replay->streams);
        json_number(&json, "not_recorded", replay->absent);
    } else {
        printf("%" PRIu64 " command streams", replay->streams);
        if (replay->absent)
            printf(", %" PRIu64 " more whose memory was not recorded", replay->absent);
        putchar('\n');
    }
    for (unsigned i = 0; i < REPLAY_CLASSES; i++) {
        if (as_json)
            json_number(&json, classes[i].key, replay->counts[i]);
        else if (replay->counts[i] || i == REPLAY_EQUAL || i == REPLAY_DIFFERENT)
            printf("%8" PRIu64 " %s\n", replay->counts[i], classes[i].text);
        if (i != REPLAY_HANDLER)
            continue;
        if (as_json)
            json_object(&json, "handlers");
        for (unsigned opcode = 0; opcode <= GPUCODE_PACKET_TYPE4; opcode++) {
            if (!replay->handlers[opcode])
                continue;
            if (as_json)
                json_number(&json, replay_packet(replay, opcode, name), replay->handlers[opcode]);
            else
                printf("%16" PRIu64 " %s\n", replay->handlers[opcode], replay_packet(replay, opcode, name));
        }
        if (as_json)
            json_end(&json);
    }
    if (as_json)
        json_end(&json);
}

static int replay_prepared(struct replay *replay, bool compare)
{
    struct session *session = replay->session;
    const struct gpucode_target *recorded = replay->recording.target;
    if (recorded && strcmp(gpucode_target_generation(recorded), gpucode_target_generation(replay->target)) != 0)
        return complain(&session->diagnostics, CLI_REPLAY_TARGET, NULL, NULL, gpucode_target_name(replay->target),
                        gpucode_target_name(recorded));
    struct registers *registers = NULL;
    int code = registers_load(session, replay->target, &registers);
    replay->names = registers_names(registers);
    if (!code)
        code = create_machine(replay);
    if (!code && compare)
        code = create_packets(replay);
    if (!code)
        code = replay_all(replay, compare);
    if (compare && code <= EXIT_FINDINGS)
        show_summary(replay);
    if (!code && replay->counts[REPLAY_DIFFERENT])
        code = EXIT_FINDINGS;
    gpucode_packets_free(replay->packets);
    gpucode_machine_free(replay->machine);
    registers_free(registers);
    free(replay->firmware.list);
    free(replay->plain.list);
    return code;
}

static int check_arguments(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    const char *against = arguments->value[OPTION_AGAINST], *limit = arguments->value[OPTION_LIMIT];
    char *end = NULL;
    if (!arguments_have(arguments, OPTION_FIRMWARE))
        return complain(&session->diagnostics, CLI_REPLAY_FIRMWARE, NULL, "--firmware FILE");
    if (against && strcmp(against, "decode") != 0)
        return complain(&session->diagnostics, CLI_OPTION_CHOICE, NULL, "decode", "--against", against);
    if (limit && (strtoull(limit, &end, 0) == 0 || *end))
        return complain(&session->diagnostics, CLI_OPTION_CHOICE, NULL, "a number of instructions above 0", "--limit",
                        limit);
    return EXIT_DONE;
}

int command_replay(struct session *session)
{
    struct code firmware;
    int code = check_arguments(session);
    if (!code)
        code = code_open(session, session->arguments.value[OPTION_FIRMWARE], &firmware);
    if (code)
        return code;
    struct replay replay = {
        .session = session,
        .image = firmware.image,
        .target = gpucode_image_info(firmware.image)->target,
    };
    code = recording_open(session, session->arguments.operands[0], &replay.recording);
    if (!code) {
        code = replay_prepared(&replay, arguments_have(&session->arguments, OPTION_AGAINST));
        recording_close(&replay.recording);
    }
    code_close(&firmware);
    return code;
}
