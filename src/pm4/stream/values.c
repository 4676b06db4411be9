/* SPDX-License-Identifier: MIT */
/* What all records ask: names, values, places, and whether something is shown. */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool decode_names_register(const struct gpucode_stream_decode_options *options, unsigned family, uint32_t number,
                           char name[GPUCODE_NAME_MAX])
{
    const struct gpucode_names *names = options->names;
    size_t length = 0;
    if (names && names->name)
        length = names->name(names->user, GPUCODE_SPACE_GPU, number, name, GPUCODE_NAME_MAX - 1);
    if (!length)
        return gpucode_register_name(family, number, name, GPUCODE_NAME_MAX);
    name[length < GPUCODE_NAME_MAX ? length : GPUCODE_NAME_MAX - 1] = 0;
    return true;
}

const char *decode_register(const struct gpucode_stream_decode_options *options, unsigned family, uint32_t number,
                            char name[GPUCODE_NAME_MAX])
{
    if (!decode_names_register(options, family, number, name))
        snprintf(name, GPUCODE_NAME_MAX, "0x%04" PRIx32, number);
    return name;
}

const char *decode_value(const struct decode *decode, uint32_t number, uint64_t value, char text[DECODE_TEXT_MAX])
{
    gpucode_meanings_text(decode->options->meanings, decode->family, number, value, text, DECODE_TEXT_MAX);
    return text;
}

const char *decode_bits(uint64_t bits, char text[24])
{
    snprintf(text, 24, "0x%" PRIx64, bits);
    return text;
}

/* Keeps a name with its final zero; 0: no memory. */
static uint32_t keep_name(struct decode *decode, const char *name, size_t length)
{
    if (decode->name_room - decode->name_length <= length) {
        size_t room = decode->name_room ? 2 * decode->name_room : 16384;
        char *text = realloc(decode->name_text, room);
        if (!text)
            return 0;
        decode->name_text = text;
        decode->name_room = room;
    }
    if (!decode->name_length)
        decode->name_length = 1; /* 0: none */
    size_t at = decode->name_length;
    memcpy(decode->name_text + at, name, length + 1);
    decode->name_length += length + 1;
    return (uint32_t)at;
}

/* Finds out what is kept of a number. By itself, so that who finds it kept has no registers to save. */
static __attribute__((noinline)) void keep_number(struct decode *decode, uint32_t number, struct decode_number *kept)
{
    char name[GPUCODE_NAME_MAX];
    struct gpucode_field_value field;
    struct gpucode_pointer pointer;
    kept->length = (uint8_t)strlen(decode_register(decode->options, decode->family, number, name));
    kept->name = keep_name(decode, name, kept->length);
    kept->wide = gpucode_meanings_words(decode->options->meanings, decode->family, number) == 2;
    kept->pointer = gpucode_pointer_find(decode->family, number, &pointer);
    kept->address = gpucode_meanings_fields(decode->options->meanings, decode->family, number, 0, &field, 1) == 1 &&
                    (field.type == GPUCODE_FIELD_ADDRESS || field.type == GPUCODE_FIELD_WADDRESS);
}

const struct decode_number *decode_number(struct decode *decode, uint32_t number)
{
    if (!decode->numbers && !(decode->numbers = calloc(STATE_REGISTERS, sizeof *decode->numbers)))
        return NULL;
    struct decode_number *kept = &decode->numbers[number % STATE_REGISTERS];
    if (!kept->name)
        keep_number(decode, number, kept);
    return kept->name ? kept : NULL;
}

const char *decode_name(struct decode *decode, uint32_t number, size_t *length, char name[GPUCODE_NAME_MAX])
{
    const struct decode_number *kept = decode_number(decode, number);
    const char *found =
        kept ? decode->name_text + kept->name : decode_register(decode->options, decode->family, number, name);
    *length = kept ? kept->length : strlen(found);
    return found;
}

bool decode_buffer(const struct decode *decode, uint64_t address, struct gpucode_stream_buffer *buffer)
{
    struct gpucode_submit submit;
    if (!address || !gpucode_stream_submit(decode->stream, decode->submit, &submit))
        return false;
    for (size_t i = submit.buffer_count; i-- > 0;)
        if (address >= submit.buffers[i].address && address - submit.buffers[i].address < submit.buffers[i].size) {
            *buffer = submit.buffers[i];
            return true;
        }
    return false;
}

const char *decode_mode(unsigned mode)
{
    return mode == 1 ? "BINNING" : mode == 2 ? "GMEM" : mode == 4 ? "SYSMEM" : NULL;
}

bool decode_value_of(const struct decode *decode, uint32_t number, uint64_t *value)
{
    const struct state_register *at = &decode->state.registers[number % STATE_REGISTERS];
    *value = at->value;
    return at->flags & STATE_KNOWN;
}

bool decode_value_named(const struct decode *decode, const char *name, unsigned words, uint64_t *value)
{
    uint32_t number;
    uint64_t high = 0;
    if (!gpucode_register_find(decode->family, name, strlen(name), &number) || !decode_value_of(decode, number, value))
        return false;
    if (words == 2)
        decode_value_of(decode, number + 1, &high);
    *value |= high << 32;
    return true;
}

bool decode_field_named(const struct decode *decode, const char *name, const char *field,
                        struct gpucode_field_value *out)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    uint32_t number;
    uint64_t value;
    if (!decode_value_named(decode, name, 1, &value) ||
        !gpucode_register_find(decode->family, name, strlen(name), &number))
        return false;
    size_t count = gpucode_meanings_fields(decode->options->meanings, decode->family, number, value, fields,
                                           GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, field) == 0) {
            *out = fields[i];
            return true;
        }
    return false;
}

bool decode_shows_state(const struct decode *decode, size_t submit)
{
    static const unsigned bits[] = {0, GPUCODE_DECODE_FINISHED, GPUCODE_DECODE_RUNNING, GPUCODE_DECODE_PENDING};
    unsigned wanted = decode->shown & GPUCODE_DECODE_WORK;
    unsigned bit = wanted ? bits[gpucode_stream_state(decode->stream, submit)] : 0;
    return !bit || (wanted & bit);
}

static bool shows_submit(const struct decode *decode)
{
    uint64_t first = decode->options->first_submit, count = decode->options->submit_count;
    return decode->submit >= first && (!count || decode->submit - first < count) &&
           decode_shows_state(decode, decode->submit);
}

bool decode_shows(const struct decode *decode)
{
    const struct gpucode_stream_decode_options *options = decode->options;
    return decode->number >= options->first_stream &&
           (!options->stream_count || decode->number - options->first_stream < options->stream_count) &&
           !decode->hidden && shows_submit(decode) &&
           (!(decode->shown & GPUCODE_DECODE_ONE_DRAW) ||
            (decode->state.draws >= options->draw &&
             decode->state.draws - options->draw < (options->draw_count ? options->draw_count : 1)));
}

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
