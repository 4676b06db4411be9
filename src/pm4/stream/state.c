/* SPDX-License-Identifier: MIT */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool state_create(struct state *state, unsigned family, const struct gpucode_meanings *meanings)
{
    *state = (struct state){.family = family, .meanings = meanings};
    state->registers = calloc(STATE_REGISTERS, sizeof *state->registers);
    state->rewritten = calloc(STATE_REGISTERS, sizeof *state->rewritten);
    state->all = calloc(STATE_REGISTERS, sizeof *state->all);
    return state->registers && state->rewritten && state->all;
}

void state_free(struct state *state)
{
    free(state->registers);
    free(state->rewritten);
    free(state->all);
    *state = (struct state){0};
}

void state_write(struct state *state, const struct gpucode_packet_event *event, unsigned group)
{
    uint32_t number = event->number % STATE_REGISTERS;
    bool known = event->known;
    struct state_register *at = &state->registers[number];
    if (!(at->flags & STATE_WRITTEN))
        state->all[state->all_count++] = number;
    if (!(at->flags & STATE_REWRITTEN))
        state->rewritten[state->rewritten_count++] = number;
    if (!known || !(at->flags & STATE_KNOWN))
        at->flags &= (uint8_t)~STATE_SEEN; /* nothing to compare with */
    at->flags = (uint8_t)((at->flags & ~STATE_KNOWN) | STATE_WRITTEN | STATE_REWRITTEN | (known ? STATE_KNOWN : 0));
    at->value = (uint32_t)event->value;
    at->unknown = event->unknown;
    at->address = event->address;
    at->group = (uint8_t)group;
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* The list of all numbers is as a rule sorted already: few draws add to it. */
static void sort_numbers(uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (numbers[i] < numbers[i - 1]) {
            qsort(numbers, count, sizeof *numbers, compare_numbers);
            return;
        }
}

/* Takes one word into the entry. */
static void add_word(struct state_entry *entry, struct state_register *at, unsigned word)
{
    entry->known = (word == 0 || entry->known) && (at->flags & STATE_KNOWN);
    entry->changed |= !(at->flags & STATE_SEEN) || at->value != at->last;
    entry->rewritten |= (at->flags & STATE_REWRITTEN) != 0;
    entry->value |= (uint64_t)at->value << (32 * word);
    entry->unknown |= (uint64_t)at->unknown << (32 * word);
    if (word == 0 || (at->flags & STATE_REWRITTEN)) {
        entry->address = at->address;
        entry->group = at->group;
    }
    at->last = at->value;
    at->flags |= STATE_SEEN;
}

void state_visit(struct state *state, bool all, void (*take)(void *user, const struct state_entry *entry), void *user)
{
    uint32_t *numbers = all ? state->all : state->rewritten;
    uint32_t count = all ? state->all_count : state->rewritten_count, next = 0;
    for (uint32_t i = 0; !take && i < count; i++) {
        struct state_register *at = &state->registers[numbers[i]];
        at->last = at->value;
        at->flags |= STATE_SEEN;
    }
    if (take)
        sort_numbers(numbers, count);
    for (uint32_t i = 0; take && i < count; i++) {
        uint32_t number = numbers[i];
        if (number < next)
            continue;
        /* the second word alone still means the whole register */
        if (number && gpucode_meanings_words(state->meanings, state->family, number - 1) == 2 &&
            (state->registers[number - 1].flags & STATE_WRITTEN))
            number--;
        struct state_entry entry = {.number = number, .words = 1};
        add_word(&entry, &state->registers[number], 0);
        if (number + 1 < STATE_REGISTERS && gpucode_meanings_words(state->meanings, state->family, number) == 2 &&
            (state->registers[number + 1].flags & STATE_WRITTEN)) {
            entry.words = 2;
            add_word(&entry, &state->registers[number + 1], 1);
        }
        next = number + entry.words;
        take(user, &entry);
    }
    for (uint32_t i = 0; i < state->rewritten_count; i++)
        state->registers[state->rewritten[i]].flags &= (uint8_t)~STATE_REWRITTEN;
    state->rewritten_count = 0;
    state->draws++;
}

/*
 * Descriptors as state: what packets load and registers point to, unit by unit, as registers are kept word by word. A
 * packet and a register that bring the same table are one: the shader's stage and the kind make the name.
 */

/* "FS" of "SB6_FS_TEX" and "SP_PS_TEXMEMOBJ_BASE"; the whole name where no stage is in it. */
const char *loaded_stage(const char *block, char stage[LOADED_STAGE_MAX])
{
    static const char *const stages[][2] = {{"_VS_", "VS"}, {"_HS_", "HS"},   {"_DS_", "DS"},
                                            {"_GS_", "GS"}, {"_FS_", "FS"},   {"_PS_", "FS"},
                                            {"_CS_", "CS"}, {"_VERT_", "VS"}, {"_FRAG_", "FS"}};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strstr(block, stages[i][0]) && !strchr(block, '['))
            return stages[i][1];
    snprintf(stage, LOADED_STAGE_MAX, "%s", block);
    return stage;
}

static size_t hash_of(const char *kind, const char *stage, uint32_t index)
{
    uint64_t hash = index + 1;
    for (; *kind; kind++)
        hash = hash * 31 + (unsigned char)*kind;
    for (; *stage; stage++)
        hash = hash * 31 + (unsigned char)*stage;
    return (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static bool make_room(struct loaded *loaded)
{
    size_t room = loaded->room ? 2 * loaded->room : 64;
    if (loaded->count < loaded->room)
        return true;
    struct loaded_unit *units = realloc(loaded->units, room * sizeof *units);
    uint32_t *slots = units ? calloc(2 * room, sizeof *slots) : NULL;
    if (units)
        loaded->units = units;
    if (!slots)
        return false;
    free(loaded->slots);
    loaded->slots = slots;
    loaded->room = room;
    for (size_t i = 0; i < loaded->count; i++) {
        const struct loaded_unit *unit = &units[i];
        size_t at = hash_of(unit->kind, unit->stage, unit->index) % (2 * room);
        while (slots[at])
            at = (at + 1) % (2 * room);
        slots[at] = (uint32_t)i + 1;
    }
    return true;
}

/* The unit, which is made when it is not there; null: no memory. */
static struct loaded_unit *unit_of(struct loaded *loaded, const char *kind, const char *stage, uint32_t index)
{
    if (!make_room(loaded))
        return NULL;
    size_t at = hash_of(kind, stage, index) % (2 * loaded->room);
    for (; loaded->slots[at]; at = (at + 1) % (2 * loaded->room)) {
        struct loaded_unit *unit = &loaded->units[loaded->slots[at] - 1];
        if (unit->index == index && strcmp(unit->kind, kind) == 0 && strcmp(unit->stage, stage) == 0)
            return unit;
    }
    struct loaded_unit *unit = &loaded->units[loaded->count++];
    loaded->slots[at] = (uint32_t)loaded->count;
    *unit = (struct loaded_unit){.kind = kind, .index = index};
    snprintf(unit->stage, sizeof unit->stage, "%s", stage);
    return unit;
}

bool loaded_is_unit(const struct gpucode_packet_event *event)
{
    return gpucode_descriptor_words(event->name) || strcmp(event->name, "addresses of mip levels") == 0;
}

bool loaded_take(struct loaded *loaded, const struct gpucode_packet_event *event, const uint32_t *words)
{
    char room[LOADED_STAGE_MAX];
    uint32_t size = (uint32_t)event->value;
    if (!event->text || !size || size > LOADED_WORDS_MAX)
        return true;
    const char *stage = loaded_stage(event->text, room);
    for (uint32_t at = 0; at + size <= event->count; at += size) {
        struct loaded_unit *unit = unit_of(loaded, event->name, stage, event->index + at / size);
        if (!unit)
            return false;
        snprintf(unit->block, sizeof unit->block, "%s", event->text);
        unit->count = size;
        memcpy(unit->words, words + at, 4 * (size_t)size);
        unit->address = event->target_address + 4 * (uint64_t)at;
        unit->rewritten = true;
        unit->gone = false;
    }
    /* of what a register points to, so many are there; a packet leaves what comes after its own as it is */
    for (size_t i = 0; event->kind == GPUCODE_PACKET_LOAD && event->repeated && i < loaded->count; i++) {
        struct loaded_unit *unit = &loaded->units[i];
        if (unit->index >= event->number && strcmp(unit->kind, event->name) == 0 && strcmp(unit->stage, stage) == 0)
            unit->gone = true;
    }
    return true;
}

void loaded_free(struct loaded *loaded)
{
    free(loaded->units);
    free(loaded->slots);
    *loaded = (struct loaded){0};
}

void loaded_name(const struct loaded_unit *unit, char name[GPUCODE_NAME_MAX])
{
    const char *kind = unit->kind;
    if (kind[0] == 'A' && strncmp(kind + 1 + (kind[1] != 0), "XX_", 3) == 0)
        kind += 5;
    else if (!gpucode_descriptor_words(kind))
        kind = LOADED_ADDRESSES;
    snprintf(name, GPUCODE_NAME_MAX, "%s[%#" PRIx32 "]", kind, unit->index);
}

/* "BASE" of "BASE_LO" and "BASE_HI"; false: the two are not such a pair. */
static bool is_pair(const struct gpucode_field_value *low, const struct gpucode_field_value *high)
{
    size_t length = strlen(low->name);
    return length > 3 && strlen(high->name) == length && strcmp(low->name + length - 3, "_LO") == 0 &&
           strcmp(high->name + length - 3, "_HI") == 0 && memcmp(low->name, high->name, length - 3) == 0;
}

size_t loaded_fields(unsigned family, const struct loaded_unit *unit, struct loaded_field *fields)
{
    struct gpucode_field_value list[GPUCODE_FIELD_VALUES_MAX];
    size_t count =
        gpucode_descriptor_fields(family, unit->kind, unit->words, unit->count, list, GPUCODE_FIELD_VALUES_MAX);
    size_t found = 0;
    if (!gpucode_descriptor_words(unit->kind)) {
        fields[0] = (struct loaded_field){.name = "BASE", .value = unit->words[0], .address = true};
        snprintf(fields[0].text, sizeof fields[0].text, "%#" PRIx32, unit->words[0]);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        struct loaded_field *field = &fields[found++];
        size_t high = i + 1;
        while (high < count && !is_pair(&list[i], &list[high]))
            high++;
        *field = (struct loaded_field){.value = list[i].value,
                                       .address = list[i].type == GPUCODE_FIELD_ADDRESS ||
                                                  list[i].type == GPUCODE_FIELD_WADDRESS ||
                                                  strcmp(list[i].name, "BASE") == 0};
        snprintf(field->name, sizeof field->name, "%s", list[i].name);
        memcpy(field->text, list[i].text, sizeof field->text);
        if (high == count)
            continue;
        field->name[strlen(field->name) - 3] = 0;
        field->value |= list[high].value << 32;
        field->address = true;
        snprintf(field->text, sizeof field->text, "%#" PRIx64, field->value);
        memmove(&list[high], &list[high + 1], (count - high - 1) * sizeof *list);
        count--;
    }
    return found;
}
