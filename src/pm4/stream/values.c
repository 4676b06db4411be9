/* SPDX-License-Identifier: MIT */
/* What all records ask: names, values, places, and whether something is shown. */
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool names_register(const struct gpucode_stream_decode_options *options, unsigned family, uint32_t number,
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

bool decode_next_register(const struct gpucode_stream_decode_options *options, unsigned family, uint32_t *number,
                          char name[GPUCODE_NAME_MAX])
{
    bool own = options->names && options->names->name; /* may name any number */
    for (; *number < STATE_REGISTERS && (own || gpucode_register_next(family, number)); ++*number)
        if (names_register(options, family, *number, name))
            return true;
    return false;
}

const char *decode_register(const struct gpucode_stream_decode_options *options, unsigned family, uint32_t number,
                            char name[GPUCODE_NAME_MAX])
{
    if (!names_register(options, family, number, name))
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
    struct decode_number *kept = NULL;
    if (decode->numbers || (decode->numbers = calloc(STATE_REGISTERS, sizeof *decode->numbers)))
        kept = &decode->numbers[number % STATE_REGISTERS];
    if (kept && !kept->name)
        keep_number(decode, number, kept);
    if (kept && kept->name)
        return kept;
    decode->status = GPUCODE_ERROR_MEMORY; /* what is not known of it would be missing */
    return NULL;
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
    if (!gpucode_register_find(decode->family, name, strlen(name), &number) || !decode_value_of(decode, number, &value))
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
