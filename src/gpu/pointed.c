/* SPDX-License-Identifier: MIT */
/*
 * At draws: what registers point to. Shaders reach to the end of their recorded buffer, less zeros there; how many
 * descriptors there are stands in a register, up to a7xx from a6xx on in SP_*_CONFIG.
 */
#include "gpu/view.h"

#include <stdio.h>
#include <string.h>

#define WORDS_MAX (1u << 15)
#define SLOT_WORDS 16u

/* The value that was written last; false: it is not known. */
static bool view_value_of(const struct view *view, uint32_t number, uint64_t *value)
{
    const struct state_register *at = &view->state.registers[number % STATE_REGISTERS];
    *value = at->value;
    return at->flags & STATE_KNOWN;
}

bool view_value_named(const struct view *view, const char *name, unsigned words, uint64_t *value)
{
    uint32_t number;
    uint64_t high = 0;
    if (!gpucode_register_find(view->recording->family, name, strlen(name), &number) ||
        !view_value_of(view, number, value))
        return false;
    if (words == 2)
        view_value_of(view, number + 1, &high);
    *value |= high << 32;
    return true;
}

bool view_field_named(const struct view *view, const char *name, const char *field, struct gpucode_field_value *out)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    uint32_t number;
    uint64_t value;
    if (!view_value_named(view, name, 1, &value) ||
        !gpucode_register_find(view->recording->family, name, strlen(name), &number))
        return false;
    size_t count = gpucode_meanings_fields(view->meanings, view->recording->family, number, value, fields,
                                           GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, field) == 0) {
            *out = fields[i];
            return true;
        }
    return false;
}

/* Words from the address to the end of its recorded buffer. */
static uint32_t words_recorded(const struct view *view, uint64_t address)
{
    struct gpucode_stream_buffer buffer;
    if (!view_buffer(view, address, &buffer))
        return 0;
    uint64_t words = (buffer.address + buffer.size - address) / 4;
    return words < WORDS_MAX ? (uint32_t)words : WORDS_MAX;
}

/* Words of code: up to the last that is not zero. */
static uint32_t words_of_code(const struct view *view, uint64_t address)
{
    uint32_t words[256], room = words_recorded(view, address), count = 0;
    for (uint32_t at = 0; at < room; at += 256) {
        uint32_t part = room - at < 256 ? room - at : 256;
        part = (uint32_t)(gpucode_stream_load(view->recording->stream, view->submit, address + 4 * (uint64_t)at, words,
                                              4 * (size_t)part) /
                          4);
        for (uint32_t i = 0; i < part; i++)
            count = words[i] ? at + i + 1 : count;
    }
    return count;
}

/* How many descriptors a register points to. */
static uint32_t count_of(const struct view *view, const struct gpucode_pointer *pointer, const char *name)
{
    char config[GPUCODE_NAME_MAX];
    struct gpucode_field_value field;
    uint64_t count;
    if (pointer->count)
        return view_value_named(view, pointer->count, 1, &count) ? (uint32_t)count & 0xff : 0;
    /* SP_VS_TEXMEMOBJ_BASE: NTEX of SP_VS_CONFIG */
    if (strncmp(name, "SP_", 3) != 0)
        return 0;
    snprintf(config, sizeof config, "SP_%.2s_CONFIG", name + 3);
    return view_field_named(view, config, strstr(name, "SAMPLER") ? "NSAMP" : "NTEX", &field) ? (uint32_t)field.value
                                                                                              : 0;
}

static bool give(struct view *view, const struct gpucode_packet_event *draw, const char *kind, const char *name,
                 uint64_t address, unsigned first, uint32_t units, uint32_t unit_words)
{
    struct gpucode_packet_event event = *draw;
    event.kind = GPUCODE_PACKET_LOAD;
    event.name = kind;
    event.text = name;
    event.target_address = address;
    event.index = first;
    event.number = units;
    event.value = unit_words;
    event.count = units * unit_words;
    return load_take(view, &event);
}

/*
 * Slots of which anything is set. Nothing says what a slot holds: by policy one with two words is a buffer, one with
 * four a sampler, another one a texture.
 */
static bool give_slots(struct view *view, const struct gpucode_packet_event *draw, const char *name, uint64_t address)
{
    static const char *const kinds[][3] = {{"A6XX_UBO", "A6XX_TEX_SAMP", "A6XX_TEX_CONST"},
                                           {"A6XX_UBO", "A8XX_TEX_SAMP", "A8XX_TEX_MEMOBJ"}};
    uint32_t slot[SLOT_WORDS], slots = words_recorded(view, address) / SLOT_WORDS;
    for (uint32_t i = 0; i < slots; i++) {
        uint64_t at = address + (uint64_t)4 * SLOT_WORDS * i;
        if (gpucode_stream_load(view->recording->stream, view->submit, at, slot, sizeof slot) != sizeof slot)
            break;
        unsigned used = SLOT_WORDS;
        while (used && !slot[used - 1])
            used--;
        const char *kind = kinds[view->recording->family == 8][used <= 2 ? 0 : used <= 4 ? 1 : 2];
        if (used && !give(view, draw, kind, name, at, i, 1, gpucode_descriptor_words(kind)))
            return false;
    }
    return true;
}

static bool show_pointed(struct view *view, const struct gpucode_packet_event *draw, uint32_t number)
{
    struct gpucode_pointer pointer;
    char name[GPUCODE_NAME_MAX];
    uint64_t address, high = 0;
    if (!gpucode_pointer_find(view->recording->family, number, &pointer) || !view_value_of(view, number, &address))
        return true;
    if (view->recording->family >= 5)
        view_value_of(view, number + 1, &high);
    address |= high << 32;
    view_register(view, number, name);
    if (strcmp(pointer.kind, "shader") == 0) {
        uint32_t words = words_of_code(view, address);
        return !words || give(view, draw, pointer.kind, name, address, 0, 1, words);
    }
    if (strcmp(pointer.kind, "bindless") == 0)
        return !(view->loads & LOAD_BINDLESS) || give_slots(view, draw, name, address & ~UINT64_C(3));
    uint32_t units = count_of(view, &pointer, name);
    return !units || !address ||
           give(view, draw, pointer.kind, name, address, 0, units, gpucode_descriptor_words(pointer.kind));
}

bool pointed_show(struct view *view, const struct gpucode_packet_event *draw)
{
    const struct state *state = &view->state;
    const uint32_t *numbers = view->all ? state->all : state->rewritten;
    uint32_t count = view->all ? state->all_count : state->rewritten_count;
    for (uint32_t i = 0; i < count; i++)
        if (view_is_pointer(view, numbers[i]) && !show_pointed(view, draw, numbers[i]))
            return false;
    return true;
}
