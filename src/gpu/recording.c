/* SPDX-License-Identifier: MIT */
#include "gpu/recording.h"
#include "cli_gpu_messages.h"

#include "front/code.h"
#include "front/file.h"
#include "front/session.h"
#include "gpu/crash.h"
#include <gpucode/crash.h>
#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a crash dump *bytes and *size become its streams. Returns an exit code. */
static int take_dump(struct session *session, struct recording *recording, struct gpucode_diagnostic_handler handler,
                     const void **bytes, size_t *size)
{
    struct gpucode_crash_options options = {.file_name = recording->file.name, .on_diagnostic = handler};
    struct gpucode_crash *crash;
    if (!gpucode_crash_recognise(*bytes, *size))
        return EXIT_DONE;
    enum gpucode_status status = gpucode_crash_open(*bytes, *size, &options, &crash);
    if (status != GPUCODE_OK)
        return code_status(session, recording->file.name, status);
    if (!recording->target)
        recording->target = gpucode_crash_head(crash)->target;
    bool good = gpucode_crash_streams(crash, &recording->made, size) == GPUCODE_OK;
    gpucode_crash_free(crash);
    *bytes = recording->made;
    return good ? EXIT_DONE : out_of_memory(&session->diagnostics);
}

/* What a large file is, by its beginning. */
static void tell_head(struct session *session, const struct recording *recording)
{
    char head[4097] = {0};
    const struct file file = {
        .name = recording->file.name, .bytes = head, .size = windows_read(recording->windows, 0, head, 4096)};
    kinds_tell(session, &file);
}

/* What is known when the stream was opened, or not. Returns an exit code; if it is not EXIT_DONE all is closed. */
static int take_stream(struct session *session, struct recording *recording, enum gpucode_status status)
{
    int code = EXIT_DONE;
    if (status != GPUCODE_OK)
        code = code_status(session, recording->file.name, status);
    else if (!recording->target)
        recording->target = gpucode_stream_target(recording->stream);
    if (status == GPUCODE_ERROR_INPUT && recording->windows)
        tell_head(session, recording);
    else if (status == GPUCODE_ERROR_INPUT)
        kinds_tell(session, &recording->file);
    struct gpucode_chip chip;
    recording->family = gpucode_target_family(recording->target);
    if (!recording->target &&
        gpucode_chip_find(gpucode_stream_gpu_id(recording->stream), gpucode_stream_chip_id(recording->stream), &chip))
        recording->family = chip.family;
    if (code)
        recording_close(recording);
    return code;
}

static int open_for(struct session *session, const char *path, const struct gpucode_target *target,
                    struct gpucode_diagnostic_handler handler, struct recording *recording)
{
    *recording = (struct recording){.target = target};
    int code = code_read(session, path, &recording->file);
    if (code)
        return code;
    struct gpucode_stream_options options = {.file_name = recording->file.name, .on_diagnostic = handler};
    const void *bytes = recording->file.bytes;
    size_t size = recording->file.size;
    code = take_dump(session, recording, handler, &bytes, &size);
    if (code) {
        recording_close(recording);
        return code;
    }
    return take_stream(session, recording, gpucode_stream_open(bytes, size, &options, &recording->stream));
}

int recording_open_for(struct session *session, const char *path, const struct gpucode_target *target,
                       struct recording *recording)
{
    return open_for(session, path, target, diagnostics_handler(&session->diagnostics), recording);
}

/* With the target that the arguments name. */
static int open_named(struct session *session, const char *path, struct gpucode_diagnostic_handler handler,
                      struct recording *recording)
{
    const struct gpucode_target *target = NULL;
    int code = code_target(session, &target);
    return code ? code : open_for(session, path, target, handler, recording);
}

int recording_open(struct session *session, const char *path, struct recording *recording)
{
    return open_named(session, path, diagnostics_handler(&session->diagnostics), recording);
}

int recording_open_again(struct session *session, const char *path, struct recording *recording)
{
    return open_named(session, path, (struct gpucode_diagnostic_handler){0}, recording);
}

/* Is the beginning that of a text, as dumps are? */
static bool begins_a_dump(struct windows *windows)
{
    char head[4096];
    return gpucode_crash_recognise(head, windows_read(windows, 0, head, sizeof head));
}

int recording_open_windows(struct session *session, const char *path, struct recording *recording)
{
    static const enum option_id parts[] = {OPTION_HEX, OPTION_SKIP, OPTION_LENGTH};
    const struct gpucode_target *target = NULL;
    struct windows *windows = NULL;
    int code = code_target(session, &target);
    bool whole = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        whole |= arguments_have(&session->arguments, parts[i]);
    if (!code && !whole)
        code = windows_open(&windows, path, &session->diagnostics);
    if (code)
        return code;
    if (!windows || begins_a_dump(windows)) {
        windows_close(windows);
        return recording_open_for(session, path, target, recording);
    }
    *recording = (struct recording){.target = target, .file.name = path, .windows = windows};
    struct gpucode_stream_options options = {
        .file_name = path,
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    const struct gpucode_stream_parts file = {windows_size(windows), windows_read, windows};
    return take_stream(session, recording, gpucode_stream_open_parts(&file, &options, &recording->stream));
}

int recording_check(struct session *session, const struct recording *recording)
{
    if (!recording->windows)
        return EXIT_DONE;
    return windows_check(recording->windows, recording->file.name, &session->diagnostics);
}

/* Complains when the target is not known. Returns an exit code. */
static int recording_target(struct session *session, const struct recording *recording)
{
    if (recording->target)
        return EXIT_DONE;
    return complain(&session->diagnostics, CLI_GPU_STREAM_TARGET, recording->file.name,
                    "name it with -t: afuc:a5xx, afuc:a6xx, afuc:a7xx, afuc:gen8");
}

int recording_family(struct session *session, const struct recording *recording)
{
    if (recording->family)
        return EXIT_DONE;
    if (recording->target)
        return complain(&session->diagnostics, CLI_GPU_STREAM_PACKETS, recording->file.name, NULL,
                        gpucode_target_name(recording->target));
    return recording_target(session, recording);
}

/* The chip as targets name it: of "FD630" and "Adreno (TM) 840" what follows, of a name without a number none. */
static void chip_target(const char *name, char text[32])
{
    static const char *const makers[] = {"FD", "Adreno (TM) ", "Adreno "};
    for (size_t i = 0; name && i < sizeof makers / sizeof *makers; i++)
        if (strncmp(name, makers[i], strlen(makers[i])) == 0) {
            name += strlen(makers[i]);
            break;
        }
    bool digit = name && *name >= '0' && *name <= '9';
    int length = snprintf(text, 32, "ir3:%s%s", digit ? "a" : "", name ? name : "");
    for (int i = 0; i < length && i < 31; i++)
        if (text[i] >= 'A' && text[i] <= 'Z')
            text[i] = (char)(text[i] - 'A' + 'a');
}

const struct gpucode_target *recording_shaders(unsigned family, uint32_t gpu_id, uint64_t chip_id)
{
    struct gpucode_chip chip = {0};
    char text[32];
    if (family == 3)
        return gpucode_target_find("a3xx");
    if (family < 4)
        return NULL;
    bool known = gpucode_chip_find(gpu_id, chip_id, &chip) && chip.family == family;
    chip_target(known ? chip.name : NULL, text);
    const struct gpucode_target *target = gpucode_target_find(text);
    snprintf(text, sizeof text, "ir3:a%uxx", family);
    return target ? target : gpucode_target_find(text);
}

const struct gpucode_target *recording_shader_target(const struct recording *recording)
{
    return recording_shaders(recording->family, gpucode_stream_gpu_id(recording->stream),
                             gpucode_stream_chip_id(recording->stream));
}

int recording_lacks_submit(struct session *session, const struct recording *recording, uint64_t number, size_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return complain(&session->diagnostics, CLI_GPU_NO_PART, recording->file.name, NULL, "submit", text, count, "submits");
}

int recording_status(struct session *session, const struct recording *recording, enum gpucode_status status)
{
    struct diagnostics *diagnostics = &session->diagnostics;
    const char *file = recording->file.name;
    switch (status) {
    case GPUCODE_OK:
        return EXIT_DONE;
    case GPUCODE_ERROR_UNSUPPORTED:
        return complain(diagnostics, CLI_GPU_STREAM_PACKETS, file, NULL, gpucode_target_name(recording->target));
    case GPUCODE_ERROR_RANGE:
        return complain(diagnostics, CLI_GPU_STREAM_LONG, file, NULL);
    default:
        return code_status(session, file, status);
    }
}

uint64_t recording_limit(const struct recording *recording)
{
    struct gpucode_record record;
    uint64_t limit = 1u << 18;
    for (size_t i = 0; gpucode_stream_record(recording->stream, i, &record); i++)
        limit += 16 * (uint64_t)(record.size / 4);
    return limit < GPUCODE_PACKET_WORDS_MAX ? limit : GPUCODE_PACKET_WORDS_MAX;
}

void recording_close(struct recording *recording)
{
    gpucode_stream_free(recording->stream);
    free(recording->made);
    free(recording->quoted);
    file_free(&recording->file);
    windows_close(recording->windows);
    /* one that could not be opened is closed again */
    recording->stream = NULL;
    recording->made = NULL;
    recording->quoted = NULL;
    recording->windows = NULL;
}

/*
 * A place for the image that no recorded buffer has. All of memory is there: recordings leave out buffers that the
 * driver did not fill, and the firmware writes to those.
 */
static uint64_t find_base(const struct recording *recording, const struct gpucode_image *image)
{
    size_t size;
    uint64_t base = 0x1000;
    gpucode_image_bytes(image, &size);
    for (bool moved = true; moved;) {
        moved = false;
        struct gpucode_submit submit;
        for (size_t i = 0; gpucode_stream_submit(recording->stream, i, &submit); i++)
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

unsigned recording_settings(const struct recording *recording, const struct gpucode_image *image,
                            struct gpucode_setting *settings, char *text, size_t size)
{
    unsigned count = 0;
    snprintf(text, size, "0x%" PRIx64, find_base(recording, image));
    settings[count++] = (struct gpucode_setting){"afuc-base", text};
    settings[count++] = (struct gpucode_setting){"afuc-memory", "0x400000000"}; /* GiB: the whole address space */
    /* packets go to BR; images of one processor call it otherwise */
    const struct gpucode_image_info *info = gpucode_image_info(image);
    for (unsigned i = 0; i < info->section_count && count < RECORDING_SETTINGS; i++)
        if (strcmp(info->sections[i].name, "BR") == 0)
            settings[count++] = (struct gpucode_setting){"afuc-processor", "BR"};
    return count;
}

int recording_store(struct session *session, const struct recording *recording, const struct gpucode_submit *submit,
                    struct gpucode_machine *machine)
{
    for (size_t i = 0; i < submit->buffer_count; i++) {
        const struct gpucode_stream_buffer *buffer = &submit->buffers[i];
        if (!buffer->length)
            continue;
        enum gpucode_status status = gpucode_machine_store(machine, buffer->address, buffer->bytes, buffer->length);
        if (status != GPUCODE_OK)
            return code_status(session, recording->file.name, status);
    }
    return EXIT_DONE;
}

int recording_feed(struct session *session, const struct gpucode_target *target,
                   const struct gpucode_stream_command *command, struct gpucode_machine *machine,
                   struct crash_ring *ring)
{
    static const char name[] = "CP_INDIRECT_BUFFER";
    uint32_t opcode;
    if (!gpucode_number_of(target, NULL, GPUCODE_SPACE_PACKET, name, sizeof name - 1, &opcode))
        return code_status(session, NULL, GPUCODE_ERROR_UNSUPPORTED);
    const uint32_t words[] = {
        gpucode_packet_type7(opcode, 3),
        (uint32_t)command->address,
        (uint32_t)(command->address >> 32),
        command->words,
    };
    if (ring && ring->ready)
        return crash_ring_feed(ring, words, 4) == 4 ? EXIT_DONE : code_status(session, NULL, GPUCODE_ERROR_RANGE);
    enum gpucode_status status = gpucode_machine_feed(machine, 0, words, 4);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, NULL, status);
}

unsigned char *recording_bytes(const uint32_t *words, size_t count)
{
    unsigned char *bytes = malloc(4 * count + 1);
    for (size_t i = 0; bytes && i < 4 * count; i++)
        bytes[i] = (unsigned char)(words[i / 4] >> i % 4 * 8);
    return bytes;
}
