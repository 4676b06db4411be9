/* SPDX-License-Identifier: MIT */
/*
 * What packets load into the GPU, and what registers point to at draws: descriptors, constants, shaders. How long
 * shaders are and how many descriptors there are stands in registers, of descriptors up to a7xx from a6xx on in
 * SP_*_CONFIG.
 */
#include "base/text.h"
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

/* Words of one load that are looked at; NUM_UNIT has 10 bits, and a unit 32 words at most. */
#define LOAD_WORDS_MAX (1u << 15)
#define SHADER_WORDS_MAX (1u << 18)
#define SLOT_WORDS 16u

/* --- as records --------------------------------------------------------------------------------------------------- */

/* Four floats in a line, and their words. */
static void put_constant_lines(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words)
{
    char line[160];
    for (uint32_t i = 0; i < event->count; i += 4) {
        uint32_t count = event->count - i < 4 ? event->count - i : 4;
        size_t length = (size_t)snprintf(line, sizeof line, "c%" PRIu64 ":", event->index * event->value / 4 + i / 4);
        for (uint32_t k = 0; k < count; k++) {
            float number;
            memcpy(&number, &words[i + k], sizeof number);
            length += (size_t)snprintf(line + length, sizeof line - length, " %g", (double)number);
        }
        length += (size_t)snprintf(line + length, sizeof line - length, "  ;");
        for (uint32_t k = 0; k < count; k++)
            length += (size_t)snprintf(line + length, sizeof line - length, " %08" PRIx32, words[i + k]);
        gpucode_answer_bytes(decode->answer, &decode_fields[LOAD_LINE], line, length);
    }
}

static void put_unit(struct decode *decode, const struct gpucode_packet_event *event, uint32_t number,
                     const uint32_t *words, uint32_t count)
{
    const struct gpucode_answer_field *fields = decode_fields;
    struct gpucode_answer *answer = decode->answer;
    struct gpucode_field_value list[GPUCODE_FIELD_VALUES_MAX];
    size_t some = gpucode_descriptor_fields(decode->family, event->name, words, count, list, GPUCODE_FIELD_VALUES_MAX);
    gpucode_answer_begin(answer, &fields[LOAD_UNIT]);
    for (size_t i = 0; i < some; i++) {
        bool flag = list[i].type == GPUCODE_FIELD_BOOLEAN;
        gpucode_answer_begin(answer, &fields[UNIT_FIELD]);
        if (i == 0)
            gpucode_answer_number(answer, &fields[UNIT_NUMBER], number);
        gpucode_answer_text(answer, &fields[UNIT_NAME], list[i].name);
        gpucode_answer_shown(answer, flag ? &decode_flag : &fields[UNIT_VALUE], list[i].value, list[i].text);
        gpucode_answer_text(answer, &fields[UNIT_TEXT], list[i].text);
        if (list[i].type == GPUCODE_FIELD_ADDRESS || list[i].type == GPUCODE_FIELD_WADDRESS)
            decode_put_buffer(decode, list[i].value, UNIT_BUFFER, UNIT_OFFSET);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

/* Instructions, of two words each, up to the last that is not a nop, which is zero. */
static uint32_t words_used(const uint32_t *words, uint32_t count)
{
    uint32_t used = count;
    while (used && !words[used - 1])
        used--;
    return used + used % 2 < count ? used + used % 2 : count;
}

static void put_contents(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words)
{
    const struct gpucode_answer_field *fields = decode_fields;
    struct gpucode_answer *answer = decode->answer;
    uint32_t unit = (uint32_t)event->value;
    bool shader = strcmp(event->name, "shader") == 0;
    decode_end_record(decode);
    gpucode_answer_begin(answer, &fields[LOAD]);
    decode_put_stream(decode);
    gpucode_answer_number(answer, &fields[LOAD_ADDRESS], event->address);
    gpucode_answer_text(answer, &fields[LOAD_KIND], event->name);
    gpucode_answer_text(answer, &fields[LOAD_BLOCK], event->text);
    gpucode_answer_number(answer, &fields[LOAD_TARGET], event->target_address);
    gpucode_answer_number(answer, &fields[LOAD_FIRST], event->index);
    gpucode_answer_number(answer, &fields[LOAD_COUNT], event->number);
    gpucode_answer_format(answer, &fields[LOAD_HEAD],
                          "%s: %s, %" PRIu32 " from %u at %012" PRIx64 ", %" PRIu32 " words%s", event->text,
                          event->name, event->number, event->index, event->target_address, event->count,
                          event->count < event->number * unit ? " recorded" : "");
    if (shader)
        gpucode_answer_number(answer, &fields[LOAD_HASH], gpucode_shader_hash(words, event->count));
    gpucode_answer_begin(answer, &fields[LOAD_WORDS]);
    for (uint32_t i = 0; decode->data && i < event->count; i++)
        gpucode_answer_number(answer, &fields[LOAD_WORD], words[i]);
    gpucode_answer_end(answer);
    if (gpucode_descriptor_words(event->name)) {
        gpucode_answer_begin(answer, &fields[LOAD_UNITS]);
        for (uint32_t at = 0; at + unit <= event->count; at += unit)
            put_unit(decode, event, event->index + at / unit, words + at, unit);
        gpucode_answer_end(answer);
    } else if (strcmp(event->name, "constants") == 0) {
        if (decode->text)
            put_constant_lines(decode, event, words);
    } else if (shader) {
        decode_put_code(decode, event->target_address, words, words_used(words, event->count), LOAD_TEXT);
    } else if (decode->text) {
        decode_put_words(decode, event->target_address, words, event->count);
    }
    gpucode_answer_end(answer);
}

/* --- loads -------------------------------------------------------------------------------------------------------- */

static unsigned kind_of(const char *name)
{
    return strcmp(name, "shader") == 0      ? GPUCODE_DECODE_SHADERS
           : strcmp(name, "constants") == 0 ? GPUCODE_DECODE_CONSTANTS
                                            : GPUCODE_DECODE_TEXTURES;
}

bool contents_take(struct decode *decode, const struct gpucode_packet_event *event)
{
    unsigned kind = kind_of(event->name);
    bool shown = (decode->shown & kind) && decode_shows(decode);
    uint32_t most = kind == GPUCODE_DECODE_SHADERS ? SHADER_WORDS_MAX : LOAD_WORDS_MAX;
    uint32_t words = event->count < most ? event->count : most;
    if ((!decode->take_contents && !decode->shaders && !shown) || event->condition == GPUCODE_PACKET_SKIPPED)
        return true;
    uint32_t *list = calloc(words, sizeof *list);
    if (!list) {
        decode->status = GPUCODE_ERROR_MEMORY;
        return false;
    }
    struct gpucode_packet_event loaded = *event;
    size_t size = gpucode_stream_load(decode->stream, decode->submit, event->target_address, list, 4 * (size_t)words);
    loaded.count = (uint32_t)(size / 4);
    words_of_memory(list, loaded.count);
    if (decode->take_contents)
        decode->take_contents(decode, &loaded, list);
    if (decode->shaders && kind == GPUCODE_DECODE_SHADERS)
        shaders_take(decode, &loaded, list);
    if (shown)
        put_contents(decode, &loaded, list);
    free(list);
    return decode->status == GPUCODE_OK;
}

/* --- what registers point to -------------------------------------------------------------------------------------- */

/* Words from the address to the end of its recorded buffer, `most` at most. */
static uint32_t words_recorded(const struct decode *decode, uint64_t address, uint32_t most)
{
    struct gpucode_stream_buffer buffer;
    if (!decode_buffer(decode, address, &buffer))
        return 0;
    uint64_t words = (buffer.address + buffer.size - address) / 4;
    return words < most ? (uint32_t)words : most;
}

/*
 * Words of a shader: as many as its register says, in groups of 16 instructions (4 in family 3). Without it, to the end
 * of the buffer, less the zeros there.
 */
static uint32_t words_of_code(const struct decode *decode, const struct gpucode_pointer *pointer, uint64_t address)
{
    uint32_t words[256], room = words_recorded(decode, address, SHADER_WORDS_MAX), count = 0;
    const uint64_t group_words = decode->family == 3 ? 8 : 32;
    uint64_t groups;
    if (pointer->count && decode_value_named(decode, pointer->count, 1, &groups)) {
        groups &= decode->family == 3 ? 0xff : UINT32_MAX;
        if (groups)
            return groups * group_words < room ? (uint32_t)(groups * group_words) : room;
    }
    for (uint32_t at = 0; at < room; at += 256) {
        uint32_t part = room - at < 256 ? room - at : 256;
        part = (uint32_t)(gpucode_stream_load(decode->stream, decode->submit, address + 4 * (uint64_t)at, words,
                                              4 * (size_t)part) /
                          4);
        for (uint32_t i = 0; i < part; i++)
            count = words[i] ? at + i + 1 : count;
    }
    return count;
}

/* How many descriptors a register points to. */
static uint32_t count_of(const struct decode *decode, const struct gpucode_pointer *pointer, const char *name)
{
    char config[GPUCODE_NAME_MAX];
    struct gpucode_field_value field;
    uint64_t count;
    if (pointer->count)
        return decode_value_named(decode, pointer->count, 1, &count) ? (uint32_t)count & 0xff : 0;
    /* SP_VS_TEXMEMOBJ_BASE: NTEX of SP_VS_CONFIG */
    if (strncmp(name, "SP_", 3) != 0)
        return 0;
    snprintf(config, sizeof config, "SP_%.2s_CONFIG", name + 3);
    const char *what = strstr(name, "SAMPLER") ? "NSAMP" : "NTEX";
    return decode_field_named(decode, config, what, &field) ? (uint32_t)field.value : 0;
}

static bool give(struct decode *decode, const struct gpucode_packet_event *draw, const char *kind, const char *name,
                 uint64_t address, unsigned first, uint32_t units, uint32_t unit_words)
{
    struct gpucode_packet_event event = *draw;
    event.kind = GPUCODE_PACKET_LOAD;
    event.repeated = true; /* a table that begins here, and ends */
    event.name = kind;
    event.text = name;
    event.target_address = address;
    event.index = first;
    event.number = units;
    event.value = unit_words;
    event.count = units * unit_words;
    return contents_take(decode, &event);
}

/*
 * Slots of which anything is set. Nothing says what a slot holds: by policy one with two words is a buffer, one with
 * four a sampler, another one a texture.
 */
static bool give_slots(struct decode *decode, const struct gpucode_packet_event *draw, const char *name,
                       uint64_t address)
{
    static const char *const kinds[][3] = {{"A6XX_UBO", "A6XX_TEX_SAMP", "A6XX_TEX_CONST"},
                                           {"A6XX_UBO", "A8XX_TEX_SAMP", "A8XX_TEX_MEMOBJ"}};
    uint32_t slot[SLOT_WORDS], slots = words_recorded(decode, address, LOAD_WORDS_MAX) / SLOT_WORDS;
    for (uint32_t i = 0; i < slots; i++) {
        uint64_t at = address + (uint64_t)4 * SLOT_WORDS * i;
        if (gpucode_stream_load(decode->stream, decode->submit, at, slot, sizeof slot) != sizeof slot)
            break;
        words_of_memory(slot, SLOT_WORDS);
        unsigned used = SLOT_WORDS;
        while (used && !slot[used - 1])
            used--;
        const char *kind = kinds[decode->family == 8][used <= 2 ? 0 : used <= 4 ? 1 : 2];
        if (used && !give(decode, draw, kind, name, at, i, 1, gpucode_descriptor_words(kind)))
            return false;
    }
    return true;
}

static bool show_pointed(struct decode *decode, const struct gpucode_packet_event *draw, uint32_t number)
{
    struct gpucode_pointer pointer;
    char name[GPUCODE_NAME_MAX];
    uint64_t address, high = 0;
    if (!gpucode_pointer_find(decode->family, number, &pointer) || !decode_value_of(decode, number, &address))
        return true;
    if (decode->family >= 5)
        decode_value_of(decode, number + 1, &high);
    address |= high << 32;
    decode_register(decode->options, decode->family, number, name);
    if (strcmp(pointer.kind, "shader") == 0) {
        uint32_t words = words_of_code(decode, &pointer, address);
        return !words || give(decode, draw, pointer.kind, name, address, 0, 1, words);
    }
    if (strcmp(pointer.kind, "bindless") == 0)
        return !(decode->shown & GPUCODE_DECODE_BINDLESS) || give_slots(decode, draw, name, address & ~UINT64_C(3));
    uint32_t units = count_of(decode, &pointer, name);
    return !units || !address ||
           give(decode, draw, pointer.kind, name, address, 0, units, gpucode_descriptor_words(pointer.kind));
}

bool contents_pointed(struct decode *decode, const struct gpucode_packet_event *draw)
{
    const struct state *state = &decode->state;
    bool all = decode->shown & GPUCODE_DECODE_ALL;
    const uint32_t *numbers = all ? state->all : state->rewritten;
    uint32_t count = all ? state->all_count : state->rewritten_count;
    struct gpucode_pointer pointer;
    for (uint32_t i = 0; i < count; i++) {
        const struct decode_number *kept = decode_number(decode, numbers[i]);
        if ((kept ? kept->pointer : gpucode_pointer_find(decode->family, numbers[i], &pointer)) &&
            !show_pointed(decode, draw, numbers[i]))
            return false;
    }
    return true;
}
