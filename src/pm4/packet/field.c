/* SPDX-License-Identifier: MIT */
/* Fields of payloads, by the layouts. */
#include "pm4/packet/packets.h"

#include <string.h>

/* What is told, to whom, and by which names. */

void packets_stop(struct gpucode_packets *packets, enum gpucode_status status)
{
    packets->stopped = true;
    packets->status = status;
}

bool packets_tell(struct gpucode_packets *packets, const struct gpucode_packet_event *event)
{
    if (!packets->stopped && !packets->options.event(packets->options.user, event))
        packets_stop(packets, GPUCODE_OK);
    return !packets->stopped;
}

struct gpucode_packet_event packets_event(const struct packet *packet, enum gpucode_packet_event_kind kind)
{
    const struct packet_buffer *buffer = packet->buffer;
    return (struct gpucode_packet_event){
        .kind = kind,
        .source = buffer->source,
        .condition = packet->condition,
        .depth = buffer->depth,
        .address = buffer->address + 4 * (uint64_t)buffer->at,
        .header = packet->header,
        .type = packet->type,
        .opcode = packet->opcode,
        .outer = buffer->source == GPUCODE_PACKET_GROUP     ? buffer->outer
                 : (packet->type == 7 || packet->type == 3) ? packet->opcode
                                                            : GPUCODE_PACKET_TYPE4,
    };
}

size_t packets_callers_name(const struct gpucode_names *names, enum gpucode_space space, uint32_t number, char *text)
{
    if (!names || !names->name)
        return 0;
    size_t length = names->name(names->user, space, number, text, GPUCODE_NAME_MAX - 1);
    if (length >= GPUCODE_NAME_MAX)
        length = 0;
    text[length] = 0;
    return length;
}

size_t packets_name(const struct gpucode_packets *packets, uint32_t number, char *name)
{
    size_t length = packets_callers_name(packets->options.names, GPUCODE_SPACE_GPU, number, name);
    return length ? length : gpucode_register_name(packets->chip, number, name, GPUCODE_NAME_MAX);
}

#define CLAIMS_MAX 32 /* payload words that layouts explain one by one */

struct reader {
    const struct gpucode_packets *packets;
    const struct packet *packet;
    const struct field_set *set;
    const struct field_layout *layout; /* of the set */
    bool (*take)(void *user, const struct packet_field *field);
    void *user;
    unsigned index; /* of the element */
    bool more;      /* the payload has this element */
    int claims[CLAIMS_MAX];
    bool stopped;
};

/* Words from one element to the next; a4xx's groups have addresses of 32 bits. */
static unsigned reader_stride(const struct reader *reader, const struct field_row *row)
{
    return row->stride == 3 && reader->packets->chip < 5 ? 2 : row->stride;
}

/* The word or two that a row is about; false: the payload ends before them. */
static bool take_word(const struct reader *reader, const struct field_row *row, unsigned *at, uint64_t *word)
{
    const struct packet *packet = reader->packet;
    bool wide = row->high > 31 && reader->packets->chip >= 5;
    *at = row->word + reader_stride(reader, row) * reader->index;
    if (packet->absent && *at >= packet->absent && (*at)-- == packet->absent)
        return false;
    if (*at >= packet->count || (wide && *at + 1 >= packet->count))
        return false;
    *word = packet->payload[*at];
    if (wide)
        *word |= (uint64_t)packet->payload[*at + 1] << 32;
    return true;
}

/* Has the field that selects a value that the row is there with? */
static bool is_selected(const struct reader *reader, const struct field_row *row)
{
    uint64_t word;
    unsigned at;
    if (!row->values)
        return true;
    for (unsigned i = 0; i < reader->layout->count; i++) {
        const struct field_row *selector = &reader->set->rows[reader->layout->first + i];
        if ((selector->flags & FIELD_SELECTS) && selector->of == row->when &&
            field_on_family(selector->chips, reader->packets->chip) && take_word(reader, selector, &at, &word)) {
            uint64_t value = (word & field_mask(selector->low, selector->high)) >> selector->low;
            return value < 32 && row->values >> value & 1;
        }
    }
    return true;
}

static bool has_row(const struct reader *reader, const struct field_row *row)
{
    return field_on_family(row->chips, reader->packets->chip) && is_selected(reader, row) &&
           (!reader->index || row->stride) && (!row->repeat_count || reader->index < row->repeat_count);
}

static void give(struct reader *reader, struct packet_field *field)
{
    field->index = reader->index;
    if (!reader->stopped && !reader->take(reader->user, field))
        reader->stopped = true;
}

static void give_rest(struct reader *reader, unsigned at, uint64_t rest)
{
    struct packet_field field = {.value = {.name = "-", .high = 31, .value = rest}, .word = at};
    if (!rest)
        return;
    field_put_hex(field.value.text, rest);
    give(reader, &field);
}

/* A word that is a bitset which other packets have too. */
static void give_bitset(struct reader *reader, const struct field_row *row, unsigned at, uint64_t word)
{
    struct gpucode_field_value values[GPUCODE_FIELD_VALUES_MAX];
    size_t count =
        field_read_layout(reader->set, reader->packets->chip, row->of, word, values, GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count && !reader->stopped; i++) {
        struct packet_field field = {.value = values[i], .row = row, .word = at};
        give(reader, &field);
    }
}

/* Rows first to end - 1 are one form of one word. */
static void give_form(struct reader *reader, unsigned first, unsigned end)
{
    bool any = false;
    uint64_t word = 0, rest = 0;
    unsigned at = 0;
    for (unsigned i = first; i < end && !reader->stopped; i++) {
        const struct field_row *row = &reader->set->rows[i];
        if (!has_row(reader, row) || !take_word(reader, row, &at, &word))
            continue;
        if (!any)
            rest = word;
        any = true;
        reader->more |= row->stride != 0;
        if (row->word < CLAIMS_MAX)
            reader->claims[row->word] = 1;
        if (row->high > 31 && row->word + 1 < CLAIMS_MAX && reader->packets->chip >= 5)
            reader->claims[row->word + 1] = 1;
        rest &= ~field_mask(row->low, row->high);
        if (row->type == FIELD_BITSET) {
            give_bitset(reader, row, at, word);
            continue;
        }
        if (field_is_quiet(row, field_value_of(row, word)))
            continue;
        struct packet_field field;
        field.row = row;
        field.word = at;
        field_read(reader->set, reader->packets->chip, row, word, &field.value);
        give(reader, &field);
    }
    if (any)
        give_rest(reader, at, rest);
}

/* Gives the fields of a packet in order, by the rows of a layout (null: none); false from `take` ends it. */
static void packets_each_field(const struct gpucode_packets *packets, const struct packet *packet,
                               const struct field_set *set, const struct field_layout *layout,
                               bool (*take)(void *user, const struct packet_field *field), void *user)
{
    struct reader reader = {
        .packets = packets, .packet = packet, .set = set, .layout = layout, .take = take, .user = user, .more = true};
    if (!layout)
        return;
    unsigned first = layout->first, last = first + layout->count;
    for (; reader.more && !reader.stopped; reader.index++) {
        reader.more = false;
        memset(reader.claims, 0, sizeof reader.claims);
        for (unsigned i = first, end; i < last && !reader.stopped; i = end) {
            const struct field_row *row = &set->rows[i];
            for (end = i + 1; end < last && set->rows[end].form == row->form && set->rows[end].word == row->word;)
                end++;
            if (row->word >= CLAIMS_MAX || !reader.claims[row->word])
                give_form(&reader, i, end);
        }
    }
}

/* Register numbers have 18 bits and say so in their name. */
static bool is_register(const struct packet_field *field)
{
    const struct gpucode_field_value *value = &field->value;
    return value->type == GPUCODE_FIELD_HEX && value->low == 0 && value->high == 17 && strstr(value->name, "REG");
}

static enum gpucode_packet_form form_of(const struct packet_field *field)
{
    switch (field->value.type) {
    case GPUCODE_FIELD_ENUM:
        return GPUCODE_PACKET_NAMED;
    case GPUCODE_FIELD_BOOLEAN:
        return GPUCODE_PACKET_BOOLEAN;
    case GPUCODE_FIELD_ADDRESS:
    case GPUCODE_FIELD_WADDRESS:
        return GPUCODE_PACKET_ADDRESS;
    case GPUCODE_FIELD_UINT:
        return GPUCODE_PACKET_DECIMAL;
    default:
        return is_register(field) ? GPUCODE_PACKET_REGISTER : GPUCODE_PACKET_HEX;
    }
}

struct telling {
    struct gpucode_packets *packets;
    const struct packet *packet;
};

static bool tell_field(void *user, const struct packet_field *field)
{
    struct telling *telling = user;
    char name[GPUCODE_NAME_MAX];
    struct gpucode_packet_event event = packets_event(telling->packet, GPUCODE_PACKET_FIELD);
    event.address += 4 * (uint64_t)(field->word + 1);
    event.name = field->value.name;
    event.index = field->index;
    event.repeated = field->row && field->row->stride;
    event.value = field->value.value;
    event.form = form_of(field);
    event.known = event.form != GPUCODE_PACKET_NAMED || field->value.named;
    event.text = field->value.text;
    if (event.form == GPUCODE_PACKET_REGISTER && packets_name(telling->packets, (uint32_t)event.value, name))
        event.register_name = name;
    return packets_tell(telling->packets, &event);
}

void packets_tell_fields(struct gpucode_packets *packets, const struct packet *packet)
{
    const struct packet_opcode *opcode = &packets->opcodes[packet->opcode];
    struct telling telling = {packets, packet};
    packets_each_field(packets, packet, opcode->shown_set, opcode->shown, tell_field, &telling);
}

struct search {
    const char *name;
    struct gpucode_field_value *value;
    bool found;
};

static bool compare_field(void *user, const struct packet_field *field)
{
    struct search *search = user;
    if (strcmp(field->value.name, search->name) != 0)
        return true;
    *search->value = field->value;
    search->found = true;
    return false;
}

bool packets_find_field(const struct gpucode_packets *packets, const struct packet *packet, const char *name,
                        struct gpucode_field_value *value)
{
    struct search search = {.name = name, .value = value};
    packets_each_field(packets, packet, &field_built_in, packets->opcodes[packet->opcode].layout, compare_field,
                       &search);
    return search.found;
}
