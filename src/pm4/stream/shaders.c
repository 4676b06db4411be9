/* SPDX-License-Identifier: MIT */
/*
 * The shaders of a recording, each distinct one once, with the draws that use it. A shader comes with a packet that
 * loads it, or from where a register points to, often both; packets may load only the beginning that fits the cache.
 */
#include "base/arena.h"
#include "base/pages.h"
#include "base/text.h"
#include "pm4/stream/decode.h"

#include <gpucode/asm.h>
#include <gpucode/image.h>
#include <gpucode/shader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

static const char *const stage_names[SHADER_STAGES] = {"VS", "HS", "DS", "GS", "FS", "CS"};

struct draw_run {
    uint64_t first, last;
};

struct shader {
    uint32_t *words;
    uint32_t count, used; /* used: without nops at the end, which are words of zero */
    uint64_t address, hash;
    unsigned stages;  /* a bit each */
    struct list runs; /* of draws */
};

struct shaders {
    struct list list;
    size_t current[SHADER_STAGES]; /* index plus 1; 0: none */
};

static struct shader *shader_number(const struct shaders *shaders, size_t index)
{
    return (struct shader *)shaders->list.items + index;
}

bool shaders_create(struct decode *decode)
{
    decode->shaders = calloc(1, sizeof *decode->shaders);
    return decode->shaders;
}

void shaders_free(struct shaders *shaders)
{
    for (size_t i = 0; shaders && i < shaders->list.count; i++) {
        struct shader *shader = shader_number(shaders, i);
        FREE_ALL(shader->words, shader->runs.items);
    }
    if (shaders)
        free(shaders->list.items);
    free(shaders);
}

/* The whole shader of which a packet has loaded the beginning is the same one. */
static bool is_same(const struct shader *shader, uint64_t address, uint32_t used, const uint32_t *words)
{
    uint32_t both = used < shader->used ? used : shader->used;
    return (used == shader->used || address == shader->address) && memcmp(shader->words, words, 4 * (size_t)both) == 0;
}

/* The shader with these words; null: no memory. */
static struct shader *shader_of(struct shaders *shaders, uint64_t address, const uint32_t *words, uint32_t count,
                                uint32_t used)
{
    struct shader *shader = NULL;
    for (size_t i = 0; i < shaders->list.count && !shader; i++)
        if (is_same(shader_number(shaders, i), address, used, words))
            shader = shader_number(shaders, i);
    if (shader && count <= shader->count)
        return shader;
    uint32_t *copy = malloc(4 * (size_t)count);
    if (copy && !shader && (shader = list_add(&shaders->list, sizeof *shader)))
        shader->address = address;
    if (!copy || !shader) {
        free(copy);
        return NULL;
    }
    memcpy(copy, words, 4 * (size_t)count);
    free(shader->words);
    shader->words = copy;
    shader->count = count;
    if (used > shader->used) {
        shader->used = used;
        shader->hash = text_hash_words(words, used);
    }
    return shader;
}

void shaders_take(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words)
{
    struct shaders *shaders = decode->shaders;
    char room[LOADED_STAGE_MAX];
    const char *name = loaded_stage(event->text ? event->text : "", room);
    uint32_t used = event->count;
    unsigned stage = 0;
    while (used && !words[used - 1])
        used--;
    used += used % 2; /* instructions have two words */
    if (!used)
        return;
    struct shader *shader =
        shader_of(shaders, event->target_address, words, event->count, used < event->count ? used : event->count);
    if (!shader) {
        decode->status = GPUCODE_ERROR_MEMORY;
        return;
    }
    while (stage < SHADER_STAGES && strcmp(name, stage_names[stage]) != 0)
        stage++;
    if (stage == SHADER_STAGES)
        return;
    shader->stages |= 1u << stage;
    shaders->current[stage] = (size_t)(shader - shader_number(shaders, 0)) + 1;
}

/* From a5xx on a register says whether a stage is at work. */
static bool is_enabled(const struct decode *decode, unsigned stage)
{
    char name[GPUCODE_NAME_MAX];
    struct gpucode_field_value field;
    uint64_t value;
    snprintf(name, sizeof name, "SP_%s_CONFIG",
             decode->family >= 6 && strcmp(stage_names[stage], "FS") == 0 ? "PS" : stage_names[stage]);
    return !decode_value_named(decode, name, 1, &value) || decode_field_named(decode, name, "ENABLED", &field);
}

unsigned shaders_stages(const struct decode *decode, const struct gpucode_packet_event *draw)
{
    unsigned stages = 0;
    if (strncmp(draw->name, "CP_EXEC_CS", 10) == 0 || strcmp(draw->name, "CP_RUN_OPENCL") == 0)
        return 1u << SHADER_CS;
    for (unsigned i = 0; i < SHADER_CS && strncmp(draw->name, "CP_DRAW", 7) == 0; i++)
        stages |= is_enabled(decode, i) ? 1u << i : 0;
    return stages;
}

static struct draw_run *run_at(const struct shader *shader, size_t index)
{
    return (struct draw_run *)shader->runs.items + index;
}

void shaders_draw(struct decode *decode, const struct gpucode_packet_event *draw)
{
    struct shaders *shaders = decode->shaders;
    unsigned stages = shaders_stages(decode, draw);
    uint64_t number = decode->state.draws;
    for (unsigned i = 0; i < SHADER_STAGES; i++) {
        if (!(stages >> i & 1) || !shaders->current[i])
            continue;
        struct shader *shader = shader_number(shaders, shaders->current[i] - 1);
        struct draw_run *last = shader->runs.count ? run_at(shader, shader->runs.count - 1) : NULL;
        if (last && last->last == number)
            continue;
        if (last && last->last + 1 == number) {
            last->last = number;
            continue;
        }
        if ((last = list_add(&shader->runs, sizeof *last)))
            *last = (struct draw_run){number, number};
        else
            decode->status = GPUCODE_ERROR_MEMORY;
    }
}

const char *shaders_stage_name(unsigned stage)
{
    return stage_names[stage];
}

bool shaders_current(const struct decode *decode, unsigned stage, struct shader_at *at)
{
    size_t current = decode->shaders->current[stage];
    *at = (struct shader_at){.name = stage_names[stage]};
    if (!current)
        return false;
    const struct shader *shader = shader_number(decode->shaders, current - 1);
    at->address = shader->address;
    at->hash = shader->hash;
    at->words = shader->words;
    at->count = shader->count;
    at->used = shader->used;
    return true;
}

/* --- as records --------------------------------------------------------------------------------------------------- */

void decode_put_words(struct decode *decode, uint64_t address, const uint32_t *words, uint32_t count)
{
    char line[128];
    for (uint32_t i = 0; i < count || !i; i += 8) {
        size_t length = count ? (size_t)snprintf(line, sizeof line, "%012" PRIx64 ":", address + 4 * (uint64_t)i) : 0;
        for (uint32_t k = i; k < count && k < i + 8; k++)
            length += (size_t)snprintf(line + length, sizeof line - length, " %08" PRIx32, words[k]);
        if (length)
            gpucode_answer_bytes(decode->answer, &decode_fields[LOAD_LINE], line, length);
    }
}

/* A shader out of words, in the order of bytes that images have. */
struct code {
    struct gpucode_image *image;
    unsigned char *bytes;
};

static bool open_code(struct decode *decode, const uint32_t *words, size_t count, struct code *code)
{
    struct gpucode_image_options options = {.target = decode->options->shaders};
    *code = (struct code){0};
    if (!options.target)
        return false;
    enum gpucode_status status = GPUCODE_ERROR_MEMORY;
    code->bytes = malloc(4 * count + 1);
    for (size_t i = 0; code->bytes && i < count; i++)
        page_set_word(code->bytes + 4 * i, words[i]);
    if (code->bytes)
        status = gpucode_image_open(code->bytes, 4 * count / 8 * 8, &options, &code->image);
    if (status == GPUCODE_ERROR_MEMORY)
        decode->status = status;
    return status == GPUCODE_OK;
}

static void close_code(struct code *code)
{
    gpucode_image_free(code->image);
    free(code->bytes);
}

void decode_put_code(struct decode *decode, uint64_t address, const uint32_t *words, uint32_t count,
                     unsigned text_field)
{
    struct code code;
    char *text = NULL;
    size_t length;
    enum gpucode_status status = GPUCODE_OK;
    if (open_code(decode, words, count, &code))
        status = gpucode_disassemble(code.image, NULL, &text, &length);
    if (status != GPUCODE_OK)
        text = NULL;
    if (status == GPUCODE_ERROR_MEMORY)
        decode->status = status;
    gpucode_answer_text(decode->answer, &decode_fields[text_field], text);
    for (const char *line = text, *end; decode->text && line && *line; line = end) {
        end = line + strcspn(line, "\n");
        gpucode_answer_bytes(decode->answer, &decode_fields[LOAD_LINE], line, (size_t)(end - line));
        end += *end == '\n';
    }
    if (!text && decode->text)
        decode_put_words(decode, address, words, count);
    if (text && text_field == LOAD_TEXT && decode->family > 3) { /* older ones have had none */
        gpucode_answer_begin(decode->answer, &decode_fields[LOAD_STATISTICS]);
        gpucode_shader_usage_tell(code.image, decode->answer);
        gpucode_answer_end(decode->answer);
    }
    free(text);
    close_code(&code);
}

static void put_draws(struct decode *decode, const struct shader *shader)
{
    struct gpucode_answer *answer = decode->answer;
    gpucode_answer_begin(answer, &decode_fields[SHADER_DRAWS]);
    for (size_t i = 0; i < shader->runs.count; i++) {
        const struct draw_run *run = run_at(shader, i);
        gpucode_answer_begin(answer, &decode_fields[SHADER_RUN]);
        gpucode_answer_number(answer, &decode_fields[SHADER_RUN_FIRST], run->first);
        gpucode_answer_number(answer, &decode_fields[SHADER_RUN_LAST], run->last);
        if (run->last > run->first)
            gpucode_answer_number(answer, &decode_fields[SHADER_RUN_TO], run->last);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

/* The numbers of what the set's own statistics say. */
static void put_statistics(struct decode *decode, const struct shader *shader)
{
    struct gpucode_answer *answer = decode->answer, *usage = NULL;
    struct code code;
    if (open_code(decode, shader->words, shader->used, &code)) {
        usage = gpucode_answer_create();
        if (usage)
            gpucode_shader_usage_tell(code.image, usage);
        if (gpucode_answer_status(usage) != GPUCODE_OK)
            gpucode_answer_fail(answer, GPUCODE_ERROR_MEMORY);
    }
    const struct gpucode_answer_value *value = gpucode_answer_first(usage);
    value = value ? value->first : NULL;
    if (value)
        gpucode_answer_begin(answer, &decode_fields[SHADER_STATISTICS]);
    for (; value; value = value->next) {
        char shown[96];
        if (value->key && value->kind == GPUCODE_ANSWER_COUNT) {
            snprintf(shown, sizeof shown, "%s %" PRIu64, value->key, value->number);
            gpucode_answer_key(answer, value->key);
            gpucode_answer_shown(answer, &decode_fields[SHADER_STATISTIC], value->number, shown);
        }
        if (!value->next)
            gpucode_answer_end(answer);
    }
    gpucode_answer_free(usage);
    close_code(&code);
}

static void put_shader(struct decode *decode, size_t number, const struct shader *shader)
{
    struct gpucode_answer *answer = decode->answer;
    gpucode_answer_begin(answer, &decode_fields[SHADER]);
    gpucode_answer_number(answer, &decode_fields[SHADER_NUMBER], number + 1);
    gpucode_answer_begin(answer, &decode_fields[SHADER_STAGE_LIST]);
    for (unsigned i = 0; i < SHADER_STAGES; i++)
        if (shader->stages >> i & 1)
            gpucode_answer_text(answer, &decode_fields[SHADER_STAGE], stage_names[i]);
    gpucode_answer_end(answer);
    if (decode->options->shaders)
        gpucode_answer_text(answer, &decode_fields[SHADER_SET], gpucode_target_name(decode->options->shaders));
    gpucode_answer_number(answer, &decode_fields[SHADER_TARGET], shader->address);
    gpucode_answer_number(answer, &decode_fields[SHADER_SIZE], 4 * (uint64_t)shader->count);
    gpucode_answer_number(answer, &decode_fields[SHADER_USED], shader->used / 2);
    gpucode_answer_number(answer, &decode_fields[SHADER_HASH], shader->hash);
    put_draws(decode, shader);
    gpucode_answer_text(answer, &decode_fields[SHADER_END], "");
    put_statistics(decode, shader);
    if (decode->shown & GPUCODE_DECODE_SHADER_CODE)
        decode_put_code(decode, shader->address, shader->words, shader->used, SHADER_TEXT);
    gpucode_answer_end(answer);
}

void shaders_end(struct decode *decode)
{
    const struct gpucode_stream_decode_options *options = decode->options;
    const struct shaders *shaders = decode->shaders;
    bool part = (decode->shown & GPUCODE_DECODE_ONE_DRAW) || options->first_stream || options->stream_count;
    size_t number = 0;
    decode_end_record(decode);
    for (size_t i = 0; i < shaders->list.count && !decode->ended; i++) {
        const struct shader *shader = shader_number(shaders, i);
        if (part && !shader->runs.count)
            continue;
        if (decode->shown & GPUCODE_DECODE_SHADER_LIST)
            put_shader(decode, number++, shader);
        if (options->shader && !options->shader(options->user, shader->words, shader->count))
            decode->ended = true;
    }
}
