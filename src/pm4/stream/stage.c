/* SPDX-License-Identifier: MIT */
/* What a draw gives one of its shaders: decoding ends at the draw, and what it has found stays. */
#include <gpucode/stream_stage.h>

#include "pm4/stream/decode.h"

#include <stdlib.h>
#include <string.h>

#define CONSTANTS 2048 /* components of a stage */

struct constants {
    uint32_t value[CONSTANTS];
    bool known[CONSTANTS];
};

struct gpucode_stream_stage {
    struct decode decode;
    struct gpucode_stream_decode_options options;
    uint64_t draw;
    const char *wanted; /* a name, or null */
    bool found;
    unsigned stage;
    size_t submit;
    char packet[GPUCODE_NAME_MAX];
    struct constants constants[SHADER_STAGES];
};

/* --- while it is decoded ------------------------------------------------------------------------------------------ */

/* "CS" by what comes with the name of a block; SHADER_STAGES: it is that of no one stage. */
static unsigned stage_of(const char *block)
{
    char room[LOADED_STAGE_MAX];
    const char *name = loaded_stage(block, room);
    unsigned stage = 0;
    while (stage < SHADER_STAGES && strcmp(shaders_stage_name(stage), name) != 0)
        stage++;
    return stage;
}

static void take_constants(struct constants *constants, const struct gpucode_packet_event *event, const uint32_t *words)
{
    for (uint32_t i = 0; i < event->count; i++) {
        uint64_t number = event->index * event->value + i;
        if (number < CONSTANTS) {
            constants->value[number] = words[i];
            constants->known[number] = true;
        }
    }
}

/* Descriptors of buffers look like those of textures; the block tells them apart, and they get a table of their own. */
static const char *table_of(const struct gpucode_packet_event *event)
{
    bool texture = strstr(event->name, "_TEX_CONST") || strstr(event->name, "_TEX_MEMOBJ");
    bool uav = strstr(event->text, "UAV") || strstr(event->text, "SSBO");
    if (!uav && !(texture && strstr(event->text, "_SHADER")))
        return event->text;
    return stage_of(event->text) == SHADER_CS ? "CS BUFFERS" : "BUFFERS";
}

static void take_contents(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words)
{
    struct gpucode_stream_stage *stage = decode->taker;
    unsigned number = event->text ? stage_of(event->text) : SHADER_STAGES;
    if (strcmp(event->name, "constants") == 0 && number < SHADER_STAGES)
        take_constants(&stage->constants[number], event, words);
    if (!event->text || !gpucode_descriptor_words(event->name))
        return;
    struct gpucode_packet_event loaded = *event;
    loaded.text = table_of(event);
    if (!loaded_take(&decode->loaded, &loaded, words))
        decode->status = GPUCODE_ERROR_MEMORY;
}

static void take_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct gpucode_stream_stage *stage = decode->taker;
    if (decode->state.draws != stage->draw) {
        state_visit(&decode->state, false, NULL, NULL);
        return;
    }
    unsigned stages = shaders_stages(decode, event);
    for (unsigned i = 0; i < SHADER_STAGES; i++) {
        bool meant = stage->wanted ? strcmp(stage->wanted, shaders_stage_name(i)) == 0 : i >= SHADER_FS;
        if (!meant || !(stages >> i & 1) || !shaders_current(decode, i, &(struct shader_at){0}))
            continue;
        stage->stage = i;
        stage->found = true;
    }
    strncpy(stage->packet, event->name, sizeof stage->packet - 1);
    stage->submit = decode->submit;
    decode->ended = true;
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

enum gpucode_status gpucode_stream_stage_open(const struct gpucode_stream *stream,
                                              const struct gpucode_stream_decode_options *options, uint64_t draw,
                                              const char *name, struct gpucode_stream_stage **out,
                                              struct gpucode_stream_decoded *decoded)
{
    unsigned known = 0;
    while (name && known < SHADER_STAGES && strcmp(name, shaders_stage_name(known)) != 0)
        known++;
    if (!stream || !options || !out || known == SHADER_STAGES)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    struct gpucode_stream_stage *stage = calloc(1, sizeof *stage);
    if (!stage)
        return GPUCODE_ERROR_MEMORY;
    stage->options = (struct gpucode_stream_decode_options){.target = options->target,
                                                            .family = options->family,
                                                            .names = options->names,
                                                            .meanings = options->meanings,
                                                            .process = options->process,
                                                            .applications = options->applications};
    stage->draw = draw;
    stage->wanted = name;
    stage->decode = (struct decode){.stream = stream,
                                    .options = &stage->options,
                                    .take_draw = take_draw,
                                    .take_contents = take_contents,
                                    .taker = stage};
    struct decode *decode = &stage->decode;
    decode->answer = gpucode_answer_create();
    enum gpucode_status status = decode->answer && shaders_create(decode) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK)
        status = decode_run(decode);
    decode_told(decode, decoded);
    if (decoded)
        decoded->draws += decode->ended;
    if (status == GPUCODE_OK && stage->found)
        *out = stage;
    else
        gpucode_stream_stage_free(stage);
    return status;
}

void gpucode_stream_stage_free(struct gpucode_stream_stage *stage)
{
    if (!stage)
        return;
    gpucode_answer_free(stage->decode.answer);
    decode_free(&stage->decode);
    free(stage);
}

struct gpucode_stage_code gpucode_stream_stage_code(const struct gpucode_stream_stage *stage)
{
    struct gpucode_stage_code code = {0};
    struct shader_at shader;
    if (!stage || !shaders_current(&stage->decode, stage->stage, &shader))
        return code;
    return (struct gpucode_stage_code){.name = shader.name,
                                       .packet = stage->packet,
                                       .submit = stage->submit,
                                       .address = shader.address,
                                       .words = shader.words,
                                       .count = shader.used};
}

bool gpucode_stream_stage_constant(const struct gpucode_stream_stage *stage, uint32_t number, uint32_t *value)
{
    if (!stage || !value || number >= CONSTANTS || !stage->constants[stage->stage].known[number])
        return false;
    *value = stage->constants[stage->stage].value[number];
    return true;
}

/* Is the unit the stage's? Buffers of stages that draw are one table. */
static bool has_unit(const struct gpucode_stream_stage *stage, const struct loaded_unit *unit, bool *buffer)
{
    *buffer = strcmp(unit->stage, stage->stage == SHADER_CS ? "CS BUFFERS" : "BUFFERS") == 0;
    return !unit->gone && (*buffer || strcmp(unit->stage, shaders_stage_name(stage->stage)) == 0);
}

bool gpucode_stream_stage_unit(const struct gpucode_stream_stage *stage, size_t index, struct gpucode_stage_unit *unit)
{
    const struct loaded *loaded = stage ? &stage->decode.loaded : NULL;
    for (size_t i = 0; loaded && unit && i < loaded->count; i++) {
        const struct loaded_unit *at = &loaded->units[i];
        bool buffer;
        if (!has_unit(stage, at, &buffer) || index--)
            continue;
        *unit = (struct gpucode_stage_unit){
            .resource = buffer                      ? GPUCODE_STAGE_BUFFER
                        : strstr(at->kind, "_UBO")  ? GPUCODE_STAGE_UBO
                        : strstr(at->kind, "_SAMP") ? GPUCODE_STAGE_SAMPLER
                                                    : GPUCODE_STAGE_TEXTURE,
            .kind = at->kind,
            .index = at->index,
            .count = at->count,
            .words = at->words,
        };
        return true;
    }
    return false;
}

bool gpucode_stream_stage_register(const struct gpucode_stream_stage *stage, const char *name, uint64_t *value)
{
    uint32_t number;
    if (!stage || !name || !value || !gpucode_register_find(stage->decode.family, name, strlen(name), &number))
        return false;
    unsigned words = gpucode_register_words(stage->decode.family, number);
    return decode_value_named(&stage->decode, name, words, value);
}

bool gpucode_stream_stage_field(const struct gpucode_stream_stage *stage, const char *name, const char *field,
                                uint64_t *value)
{
    struct gpucode_field_value found;
    uint64_t whole;
    if (!field || !gpucode_stream_stage_register(stage, name, &whole))
        return false;
    *value = decode_field_named(&stage->decode, name, field, &found) ? found.value : 0;
    return true;
}
