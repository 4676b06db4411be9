/* SPDX-License-Identifier: MIT */
/*
 * gpucode extract, of crash dumps: shader code. It stands in the instruction memories of the shader processors (section
 * shader-blocks), in buffers that registers point to, and in what packets load.
 */
#include "cli_gpu_messages.h"
#include "front/answer.h"
#include "front/code.h"
#include "front/output.h"
#include "front/session.h"
#include "gpu/crash.h"
#include "gpu/recording.h"

#include <gpucode/asm.h>
#include <gpucode/image.h>
#include <gpucode/packet.h>
#include <gpucode/shader.h>
#include <gpucode/stream_decode.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "gpu/answer.def"
#define ANSWER_PART_CRASH_EXTRACT
#include <gpucode/answer_rows.h>

#define SHADER_BYTES_MAX (1u << 20) /* of one that a register points to */

struct extraction {
    struct session *session;
    struct crash_file file;
    const struct gpucode_target *shaders; /* their set; null: it is not known */
    unsigned family, count;
    int code;
};

unsigned crash_recognises(const struct file *file, const struct gpucode_target *target)
{
    (void)target;
    return gpucode_crash_recognise(file->bytes, file->size) ? 3 : 0;
}

/* The code with what is counted over it where the set is known. False: it is not. */
static bool put_text(struct gpucode_answer *answer, const struct gpucode_target *target, const unsigned char *bytes,
                     size_t count)
{
    struct gpucode_image_options options = {.target = target};
    struct gpucode_image *image;
    char *text = NULL;
    size_t length;
    if (!target || gpucode_image_open(bytes, 4 * count / 8 * 8, &options, &image) != GPUCODE_OK)
        return false;
    bool good = gpucode_disassemble(image, NULL, &text, &length) == GPUCODE_OK;
    if (good) {
        gpucode_answer_text(answer, &fields[CODE], text);
        gpucode_shader_usage_tell(image, answer);
    }
    free(text);
    gpucode_image_free(image);
    return good;
}

/* Else its words. */
static void put_code(struct gpucode_answer *answer, const struct gpucode_target *target, const unsigned char *bytes,
                     const uint32_t *words, size_t count)
{
    char line[16 * 9 + 4];
    if (put_text(answer, target, bytes, count))
        return;
    for (size_t i = 0; i < count; i += 8) {
        int length = 0;
        for (size_t k = i; k < count && k < i + 8; k++)
            length += snprintf(line + length, sizeof line - (size_t)length, " %08" PRIx32, words[k]);
        gpucode_answer_text(answer, &fields[WORDS_LINE], line);
    }
}

/* One piece of code; zeros at its end are left out. */
static void take_code(struct extraction *extraction, const char *what, const char *place, bool has_address,
                      uint64_t address, const uint32_t *words, size_t count)
{
    const char *prefix = extraction->session->arguments.value[OPTION_OUTPUT];
    while (count && !words[count - 1])
        count--;
    if (!count || extraction->code)
        return;
    unsigned char *bytes = recording_bytes(words, count);
    if (!bytes) {
        extraction->code = out_of_memory(&extraction->session->diagnostics);
        return;
    }
    extraction->count++;
    if (prefix && strcmp(prefix, "-") != 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s.%u.bin", prefix, extraction->count);
        extraction->code = outputs_write(&extraction->session->diagnostics, path, bytes, 4 * count);
        free(bytes);
        return;
    }
    struct gpucode_answer *answer = answer_begin(extraction->session);
    gpucode_answer_begin(answer, &fields[SHADER]);
    gpucode_answer_text(answer, &fields[GAP], extraction->count > 1 ? "" : NULL);
    gpucode_answer_number(answer, &fields[SHADER_NUMBER], extraction->count);
    gpucode_answer_text(answer, &fields[FROM], what);
    gpucode_answer_text(answer, &fields[PLACE], *place ? place : NULL);
    if (has_address)
        gpucode_answer_number(answer, &fields[ADDRESS], address);
    gpucode_answer_number(answer, &fields[SIZE_BYTES], 4 * count);
    if (!extraction->session->json)
        put_code(answer, extraction->shaders, bytes, words, count);
    gpucode_answer_end(answer);
    extraction->code = answer_end(extraction->session, answer);
    free(bytes);
}

/* --- instruction memories ---------------------------------------------------------------------------------------- */

static bool take_memory(void *user, const struct gpucode_crash_shader *shader)
{
    struct extraction *extraction = user;
    char place[160];
    snprintf(place, sizeof place, shader->offset ? "%s at byte 0x%" PRIx64 : "%s", shader->place,
             4 * (uint64_t)shader->offset);
    take_code(extraction, shader->memory, place, false, 0, shader->words, shader->count);
    return !extraction->code;
}

/* --- registers that point to code -------------------------------------------------------------------------------- */

/* A register of the dump, or the last of a cluster's contexts. */
static bool find_value(const struct extraction *extraction, uint32_t number, uint32_t *value)
{
    struct gpucode_crash_section section;
    char key[32];
    bool found = gpucode_crash_read(extraction->file.crash, number, value);
    snprintf(key, sizeof key, "offset: 0x%06" PRIx32 ", value: 0x", 4 * number);
    for (size_t i = 0; !found && gpucode_crash_section(extraction->file.crash, i, &section); i++) {
        const char *at = strcmp(section.name, "clusters") == 0 ? section.text : NULL;
        const char *end = section.text + section.length;
        for (; at && (at = memmem(at, (size_t)(end - at), key, strlen(key))) && (size_t)(end - at) >= strlen(key) + 8;
             at += strlen(key)) {
            char digits[9] = "";
            memcpy(digits, at + strlen(key), 8);
            *value = (uint32_t)strtoul(digits, NULL, 16);
            found = true;
            if (*value) /* of another context, perhaps: one that is used */
                break;
        }
    }
    return found;
}

/* Bytes of a shader, as its register says in groups of 16 instructions (4 on a3xx). */
static size_t size_of(const struct extraction *extraction, const struct gpucode_pointer *pointer)
{
    uint32_t number, groups = 0;
    size_t group_bytes = extraction->family == 3 ? 32 : 128;
    if (!pointer->count ||
        !gpucode_register_find(extraction->family, pointer->count, strlen(pointer->count), &number) ||
        !find_value(extraction, number, &groups) || !groups || groups > SHADER_BYTES_MAX / group_bytes)
        return SHADER_BYTES_MAX;
    return groups * group_bytes;
}

static void take_pointer(struct extraction *extraction, uint32_t number, const struct gpucode_pointer *pointer,
                         const char *name)
{
    uint32_t low = 0, high = 0;
    if (!find_value(extraction, number, &low))
        return;
    find_value(extraction, number + 1, &high);
    uint64_t address = low | (uint64_t)high << 32;
    uint32_t *words = address ? malloc(SHADER_BYTES_MAX) : NULL;
    size_t count =
        words ? gpucode_crash_load(extraction->file.crash, address, words, size_of(extraction, pointer)) / sizeof *words
              : 0;
    for (size_t i = 0; i < count; i++) { /* of memory, whose lowest byte is first */
        const unsigned char *bytes = (const unsigned char *)&words[i];
        words[i] = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    }
    take_code(extraction, name, "", true, address, words, count);
    free(words);
}

static void take_pointers(struct extraction *extraction)
{
    struct gpucode_pointer pointer;
    char name[GPUCODE_NAME_MAX];
    for (uint32_t number = 0; number <= GPUCODE_PACKET_REGISTER_MAX && !extraction->code; number++)
        if (gpucode_pointer_find(extraction->family, number, &pointer) && strcmp(pointer.kind, "shader") == 0 &&
            gpucode_register_name(extraction->family, number, name, sizeof name))
            take_pointer(extraction, number, &pointer, name);
}

/* --- what packets load ------------------------------------------------------------------------------------------- */

/* Shaders that packets load are files of the caller's, or are shown. */
struct loads {
    struct session *session;
    struct outputs outputs;
    unsigned count;
    int code;
};

static bool take_shader(void *user, const uint32_t *words, size_t count)
{
    struct loads *loads = user;
    const char *prefix = loads->session->arguments.value[OPTION_OUTPUT];
    loads->count++;
    if (!prefix || strcmp(prefix, "-") == 0) /* shown */
        return true;
    loads->outputs.diagnostics = &loads->session->diagnostics;
    unsigned char *bytes = recording_bytes(words, count);
    loads->code = bytes ? outputs_add_numbered(&loads->outputs, prefix, loads->count, "bin", bytes, 4 * count)
                        : out_of_memory(&loads->session->diagnostics);
    free(bytes);
    return !loads->code;
}

int extract_loads(struct session *session, const char *path, unsigned *count)
{
    const char *prefix = session->arguments.value[OPTION_OUTPUT];
    bool writes = prefix && strcmp(prefix, "-") != 0;
    struct loads loads = {.session = session, .count = *count};
    struct recording recording;
    int code = recording_open_again(session, path, &recording);
    if (code)
        return code;
    struct gpucode_stream_decode_options options = {
        .target = recording.target,
        .family = recording.family,
        .shaders = recording_shader_target(&recording),
        .shown = writes ? 0 : GPUCODE_DECODE_SHADER_LIST | GPUCODE_DECODE_SHADER_CODE,
        .shader = take_shader,
        .user = &loads,
    };
    struct gpucode_answer *answer = answer_begin_listing(session);
    enum gpucode_status status =
        recording.family ? gpucode_stream_decode(recording.stream, &options, answer, NULL) : GPUCODE_OK;
    code = answer_end(session, answer);
    if (!code)
        code = loads.code ? loads.code : recording_status(session, &recording, status);
    if (!code && loads.outputs.count)
        code = outputs_commit(&loads.outputs);
    outputs_discard(&loads.outputs);
    *count = loads.count;
    recording_close(&recording);
    return code;
}

int crash_extract(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    struct extraction extraction = {.session = session};
    (void)target;
    int code = crash_file_open(session, file->name, &extraction.file);
    if (!code) {
        extraction.family = extraction.file.family;
        if (!extraction.family)
            extraction.family = extraction.file.head->chip_id >> 24 & 0xf;
        extraction.shaders =
            recording_shaders(extraction.family, extraction.file.head->gpu_id, extraction.file.head->chip_id);
        if (gpucode_crash_shaders(extraction.file.crash, take_memory, &extraction) != GPUCODE_OK)
            extraction.code = out_of_memory(&session->diagnostics);
        take_pointers(&extraction);
        if (!extraction.code)
            extraction.code = extract_loads(session, file->name, &extraction.count);
        code = extraction.code;
    }
    if (!code && !extraction.count)
        code = complain(&session->diagnostics, CLI_GPU_NO_SHADER, file->name, NULL);
    crash_file_close(&extraction.file);
    return code;
}
