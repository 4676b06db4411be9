/* SPDX-License-Identifier: MIT */
/*
 * What points to a place: registers, descriptors, what packets load, run, read and write, vertex and index buffers. A
 * stream sets most of it again for each draw, so that what is the same is told once, with how often and for which
 * draws.
 */
#include "base/arena.h"
#include "base/text.h"
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

struct pointer {
    const char *kind, *relation; /* constant */
    char name[2 * GPUCODE_NAME_MAX];
    uint64_t target, size;                          /* size 0: not known */
    bool writes, sure;                              /* sure: it is the place, or reaches there */
    uint64_t count, first_draw, last_draw, address; /* address, submit, stream: of the first one */
    size_t submit, stream;
};

struct where {
    uint64_t address, size; /* size: of what is asked for, 1 at least */
    struct list pointers;
    char packet[GPUCODE_NAME_MAX]; /* whose fields come */
    uint32_t packet_words;
};

/*
 * "at" the place, "over" it; "before" and "after": in the same recorded buffer, where nothing says how far it reaches.
 * What lies after the place counts only when the place is the buffer's beginning, for who names the buffer so. Null:
 * it does not point there.
 */
static const char *relation_of(const struct decode *decode, uint64_t target, uint64_t size)
{
    const struct where *where = decode->taker;
    struct gpucode_stream_buffer buffer;
    if (target == where->address)
        return "at";
    if (target > where->address && target - where->address < where->size)
        return "at";
    if (size)
        return target < where->address && where->address - target < size ? "over" : NULL;
    if (!decode_buffer(decode, where->address, &buffer) || target < buffer.address ||
        target - buffer.address >= buffer.size)
        return NULL;
    return target < where->address ? "before" : where->address == buffer.address ? "after" : NULL;
}

static void note(struct decode *decode, const char *kind, const char *name, uint64_t target, uint64_t size,
                 uint64_t address, bool writes)
{
    struct where *where = decode->taker;
    const char *relation = target && decode_shows(decode) ? relation_of(decode, target, size) : NULL;
    uint64_t draw = decode->state.draws;
    if (!relation)
        return;
    for (size_t i = 0; i < where->pointers.count; i++) {
        struct pointer *pointer = (struct pointer *)where->pointers.items + i;
        if (pointer->target != target || pointer->kind != kind || strcmp(pointer->name, name) != 0)
            continue;
        pointer->count++;
        pointer->last_draw = draw;
        pointer->size = size > pointer->size ? size : pointer->size;
        return;
    }
    struct pointer *pointer = list_add(&where->pointers, sizeof *pointer);
    if (!pointer) {
        decode->status = GPUCODE_ERROR_MEMORY;
        return;
    }
    *pointer = (struct pointer){.kind = kind,
                                .relation = relation,
                                .target = target,
                                .size = size,
                                .writes = writes,
                                .sure = strcmp(relation, "at") == 0 || strcmp(relation, "over") == 0,
                                .count = 1,
                                .first_draw = draw,
                                .last_draw = draw,
                                .address = address,
                                .submit = decode->submit,
                                .stream = decode->command};
    snprintf(pointer->name, sizeof pointer->name, "%s", name);
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

/* Is the register the upper half of one whose name ends in _LO? Then *value is of both. */
static bool join_halves(const struct decode *decode, const struct decode_write *write, char name[GPUCODE_NAME_MAX],
                        uint64_t *value)
{
    char low[GPUCODE_NAME_MAX];
    uint64_t below;
    size_t length = strlen(name);
    if (!write->event.number || length < 4 || strcmp(name + length - 3, "_HI") != 0 ||
        !decode_value_of(decode, write->event.number - 1, &below))
        return false;
    decode_register(decode->options, decode->family, write->event.number - 1, low);
    if (strlen(low) != length || memcmp(low, name, length - 3) != 0 || strcmp(low + length - 3, "_LO") != 0)
        return false;
    name[length - 3] = 0;
    *value = below | write->value << 32;
    return true;
}

static void take_write(struct decode *decode, const struct decode_write *write)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    const struct gpucode_packet_event *event = &write->event;
    char name[GPUCODE_NAME_MAX], whole[2 * GPUCODE_NAME_MAX];
    uint64_t value;
    if (!event->known || event->condition == GPUCODE_PACKET_SKIPPED)
        return;
    decode_register(decode->options, decode->family, event->number, name);
    if (join_halves(decode, write, name, &value)) {
        note(decode, "register", name, value, 0, event->address, false);
        return;
    }
    size_t count = gpucode_meanings_fields(decode->options->meanings, decode->family, event->number, write->value,
                                           fields, GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count; i++) {
        bool alone = strcmp(fields[i].name, "-") == 0, writes = fields[i].type == GPUCODE_FIELD_WADDRESS;
        if (fields[i].type != GPUCODE_FIELD_ADDRESS && !writes)
            continue;
        snprintf(whole, sizeof whole, alone ? "%s" : "%s.%s", name, fields[i].name);
        note(decode, "register", whole, fields[i].value, 0, event->address, writes);
    }
}

/* --- contents ----------------------------------------------------------------------------------------------------- */

/* A buffer's descriptor says how long it is, in groups of 16 bytes. */
static uint64_t size_of_unit(const struct loaded_unit *unit, const struct loaded_field *fields, size_t count)
{
    for (size_t i = 0; i < count && strstr(unit->kind, "UBO"); i++)
        if (strcmp(fields[i].name, "SIZE") == 0)
            return 16 * fields[i].value;
    return 0;
}

static void note_unit(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words,
                      uint32_t index)
{
    struct loaded_field fields[GPUCODE_FIELD_VALUES_MAX];
    struct loaded_unit unit = {.kind = event->name, .index = event->index + index, .count = (uint32_t)event->value};
    char stage[LOADED_STAGE_MAX], name[GPUCODE_NAME_MAX], whole[GPUCODE_NAME_MAX + LOADED_STAGE_MAX];
    memcpy(unit.words, words + index * unit.count, 4 * (size_t)unit.count);
    unit.address = event->target_address + 4 * (uint64_t)index * unit.count;
    loaded_name(&unit, name);
    size_t count = loaded_fields(decode->family, &unit, fields);
    for (size_t i = 0; i < count; i++) {
        snprintf(whole, sizeof whole, "%.40s %.70s.%.40s", loaded_stage(event->text, stage), name, fields[i].name);
        if (fields[i].address)
            note(decode, "descriptor", whole, fields[i].value, size_of_unit(&unit, fields, count), unit.address, false);
    }
}

static void take_contents(struct decode *decode, const struct gpucode_packet_event *event, const uint32_t *words)
{
    const char *kind = strcmp(event->name, "shader") == 0      ? "shader"
                       : strcmp(event->name, "constants") == 0 ? "constants"
                                                               : "descriptors";
    uint32_t unit = (uint32_t)event->value;
    if (!event->text)
        return;
    note(decode, kind, event->text, event->target_address, 4 * (uint64_t)event->count, event->address, false);
    if (!loaded_is_unit(event))
        return;
    for (uint32_t i = 0; unit && unit <= LOADED_WORDS_MAX && (i + 1) * unit <= event->count; i++)
        note_unit(decode, event, words, i);
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

/* Fields that are addresses which the packet writes to; those of data/pm4/packet_fields.tsv that are waddress, and
 * three. */
static bool is_written(const char *packet, const char *field)
{
    static const char *const written[][2] = {
        {"CP_MEM_WRITE", "ADDR"},
        {"CP_REG_TO_MEM", "DEST"},
        {"CP_REG_TO_MEM_OFFSET_REG", "DEST"},
        {"CP_REG_TO_MEM_OFFSET_MEM", "DEST"},
        {"CP_MEM_TO_MEM", "DST"},
        {"CP_COND_WRITE5", "WRITE_ADDR"},
        {"CP_EVENT_WRITE", "ADDR"},
        {"CP_EVENT_WRITE7", "WORD1"},
        {"CP_CONTEXT_SWITCH_YIELD", "ADDR"},
    };
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (strcmp(packet, written[i][0]) == 0 && strcmp(field, written[i][1]) == 0)
            return true;
    return false;
}

static void take_field(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct where *where = decode->taker;
    char name[2 * GPUCODE_NAME_MAX];
    bool writes = is_written(where->packet, event->name);
    /* what follows the address is written there */
    unsigned words = decode->family >= 5 ? 2 : 1;
    uint64_t size = strcmp(where->packet, "CP_MEM_WRITE") == 0 && where->packet_words > words
                        ? 4 * (uint64_t)(where->packet_words - words)
                        : 0;
    if (event->form != GPUCODE_PACKET_ADDRESS && !writes)
        return;
    snprintf(name, sizeof name, "%s.%s", where->packet, event->name);
    note(decode, "packet", name, event->value, size ? size : writes ? 4 : 0, event->address, writes);
}

static void take_event(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct where *where = decode->taker;
    if (event->condition == GPUCODE_PACKET_SKIPPED)
        return;
    if (event->kind == GPUCODE_PACKET_BEGIN || event->kind == GPUCODE_PACKET_FIELD)
        vertices_note(decode, event);
    if (event->kind == GPUCODE_PACKET_BEGIN) {
        snprintf(where->packet, sizeof where->packet, "%s", event->name);
        where->packet_words = event->count;
    } else if (event->kind == GPUCODE_PACKET_FIELD) {
        take_field(decode, event);
    } else if (event->kind == GPUCODE_PACKET_ENTER) {
        bool group = event->source == GPUCODE_PACKET_GROUP;
        note(decode, "commands", group ? "group of draw state" : "indirect buffer", event->target_address,
             4 * (uint64_t)event->count, event->address, false);
    }
}

static void take_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    const struct decode_indices *indices = &decode->indices;
    char name[GPUCODE_NAME_MAX];
    uint64_t address, size;
    if (indices->used && indices->address && indices->bytes)
        note(decode, "indices", event->name, indices->address + indices->first * indices->bytes,
             (uint64_t)event->count * indices->bytes, event->address, false);
    for (unsigned i = 0; strncmp(event->name, "CP_DRAW", 7) == 0 && vertices_buffer(decode, i, name, &address, &size);
         i++)
        note(decode, "vertices", name, address, size, event->address, false);
    state_visit(&decode->state, false, NULL, NULL);
}

/* --- as records --------------------------------------------------------------------------------------------------- */

static void put_pointer(struct gpucode_answer *answer, const struct where *where, const struct pointer *pointer)
{
    const struct gpucode_answer_field *fields = decode_fields;
    uint64_t back = where->address - pointer->target, ahead = pointer->target - where->address;
    char draws[TEXT_SOME_MAX];
    gpucode_answer_begin(answer, &fields[POINTER]);
    gpucode_answer_text(answer, &fields[POINTER_KIND], pointer->kind);
    gpucode_answer_text(answer, &fields[POINTER_NAME], pointer->name);
    gpucode_answer_number(answer, &fields[POINTER_TARGET], pointer->target);
    gpucode_answer_text(answer, &fields[POINTER_RELATION], pointer->relation);
    if (pointer->target < where->address)
        gpucode_answer_number(answer, &fields[POINTER_BACK], back);
    else if (pointer->target > where->address)
        gpucode_answer_number(answer, &fields[POINTER_AHEAD], ahead);
    if (pointer->size)
        gpucode_answer_number(answer, &fields[POINTER_SIZE], pointer->size);
    gpucode_answer_flag(answer, &fields[POINTER_WRITES], pointer->writes);
    gpucode_answer_number(answer, &fields[POINTER_COUNT], pointer->count);
    gpucode_answer_number(answer, &fields[POINTER_FIRST], pointer->first_draw);
    gpucode_answer_number(answer, &fields[POINTER_LAST], pointer->last_draw);
    text_some(draws, "draw", pointer->first_draw, pointer->last_draw);
    gpucode_answer_text(answer, &fields[POINTER_DRAWS], draws);
    gpucode_answer_number(answer, &fields[POINTER_ADDRESS], pointer->address);
    gpucode_answer_number(answer, &fields[POINTER_SUBMIT], pointer->submit);
    gpucode_answer_number(answer, &fields[POINTER_STREAM], pointer->stream);
    gpucode_answer_end(answer);
}

/* Each buffer that the place has lain in. */
static void put_buffers(const struct gpucode_stream *stream, const struct where *where, struct gpucode_answer *answer)
{
    struct gpucode_stream_buffer last = {0};
    struct gpucode_submit submit;
    for (size_t i = 0; gpucode_stream_submit(stream, i, &submit); i++)
        for (size_t k = 0; k < submit.buffer_count; k++) {
            const struct gpucode_stream_buffer *buffer = &submit.buffers[k];
            if (where->address - buffer->address >= buffer->size ||
                (buffer->address == last.address && buffer->size == last.size))
                continue;
            last = *buffer;
            gpucode_answer_begin(answer, &decode_fields[PLACE]);
            gpucode_answer_number(answer, &decode_fields[PLACE_ADDRESS], where->address);
            gpucode_answer_number(answer, &decode_fields[PLACE_BUFFER], buffer->address);
            gpucode_answer_number(answer, &decode_fields[PLACE_SIZE], buffer->size);
            gpucode_answer_number(answer, &decode_fields[PLACE_SUBMIT], i);
            gpucode_answer_end(answer);
        }
}

enum gpucode_status gpucode_stream_decode_where(const struct gpucode_stream *stream,
                                                const struct gpucode_stream_decode_options *options, uint64_t address,
                                                uint64_t size, struct gpucode_answer *answer,
                                                struct gpucode_stream_decoded *decoded, size_t *count)
{
    if (!stream || !options || !count)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_stream_decode_options own = *options;
    struct where where = {.address = address, .size = size ? size : 1};
    struct decode decode = {.stream = stream, .options = &own, .answer = answer, .taker = &where};
    own.shown &= GPUCODE_DECODE_ONE_DRAW;
    own.query_count = 0;
    own.shader = NULL;
    decode.take_write = take_write;
    decode.take_contents = take_contents;
    decode.take_event = take_event;
    decode.take_draw = take_draw;
    enum gpucode_status status = decode_run(&decode);
    decode_told(&decode, decoded);
    *count = where.pointers.count;
    if (status == GPUCODE_OK) {
        put_buffers(stream, &where, answer);
        for (size_t i = 0; i < 2 * where.pointers.count; i++) { /* what is sure comes first */
            const struct pointer *pointer = (struct pointer *)where.pointers.items + i % where.pointers.count;
            if (pointer->sure == (i < where.pointers.count))
                put_pointer(answer, &where, pointer);
        }
        status = gpucode_answer_status(answer);
    }
    decode_free(&decode);
    free(where.pointers.items);
    return status;
}
