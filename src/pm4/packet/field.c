/* SPDX-License-Identifier: MIT */
/* Fields of payloads, by the layouts. */
#include "pm4/packet/packets.h"

static bool on_chip(const struct gpucode_packets *packets, uint16_t chips)
{
    return chips >> packets->chip & 1;
}

/* The value of a field of element `index`; false: the payload ends before it. */
static bool take_value(const struct packet *packet, const struct packet_field *field, unsigned index, uint64_t *value)
{
    unsigned word = field->word + field->stride * index, end = field->low + field->width;
    if (word + (end > 32) >= packet->count)
        return false;
    uint64_t bits = packet->payload[word];
    if (end > 32)
        bits |= (uint64_t)packet->payload[word + 1] << 32;
    bits >>= field->low;
    *value = field->width < 64 ? bits & ((1ull << field->width) - 1) : bits;
    return true;
}

/* Does the packet have the field? */
static bool is_present(const struct gpucode_packets *packets, const struct packet *packet,
                       const struct packet_layout *layout, const struct packet_field *field, unsigned index,
                       uint64_t *value)
{
    if (!on_chip(packets, field->chips))
        return false;
    if (field->selector >= 0) {
        const struct packet_field *selector = &layout->fields[field->selector];
        if (!on_chip(packets, selector->chips) || !take_value(packet, selector, index, value) ||
            *value != field->selected)
            return false;
    }
    return take_value(packet, field, index, value);
}

/* Is the field a part of a wider one that is there too, as the halves of an address are? */
static bool is_covered(const struct gpucode_packets *packets, const struct packet *packet,
                       const struct packet_layout *layout, const struct packet_field *field, unsigned index)
{
    unsigned low = 32 * field->word + field->low, high = low + field->width;
    for (unsigned i = 0; i < layout->count; i++) {
        const struct packet_field *other = &layout->fields[i];
        unsigned other_low = 32 * other->word + other->low;
        uint64_t value;
        if (other->width > field->width && other_low <= low && other_low + other->width >= high &&
            is_present(packets, packet, layout, other, index, &value))
            return true;
    }
    return false;
}

static const char *value_name(const struct gpucode_packets *packets, const struct packet_enum *type, uint64_t value)
{
    for (unsigned i = 0; i < type->count; i++)
        if (type->values[i].value == value && on_chip(packets, type->values[i].chips))
            return type->values[i].name;
    return NULL;
}

static void tell_field(struct gpucode_packets *packets, const struct packet *packet, const struct packet_field *field,
                       unsigned index, uint64_t value)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_packet_options *options = &packets->options;
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_FIELD);
    event.address += 4 * (uint64_t)(field->word + field->stride * index + 1);
    event.name = field->name;
    event.index = index;
    event.repeated = field->stride != 0;
    event.value = value;
    event.form = (enum gpucode_packet_form)field->form;
    if (field->type)
        event.text = value_name(packets, field->type, value);
    else if (field->form == GPUCODE_PACKET_REGISTER &&
             gpucode_name_of(options->target, options->names, GPUCODE_SPACE_GPU, (uint32_t)value, name, sizeof name))
        event.text = name;
    packets_tell(packets, &event);
}

void packets_tell_fields(struct gpucode_packets *packets, const struct packet *packet)
{
    const struct packet_layout *layout = packets->opcodes[packet->opcode].layout;
    if (!layout)
        return;
    bool more = true;
    for (unsigned index = 0; more && !packets->stopped; index++) {
        more = false;
        for (unsigned i = 0; i < layout->count && !packets->stopped; i++) {
            const struct packet_field *field = &layout->fields[i];
            uint64_t value;
            if (index && !field->stride)
                continue;
            if (!is_present(packets, packet, layout, field, index, &value))
                continue;
            more |= field->stride != 0;
            if (!is_covered(packets, packet, layout, field, index))
                tell_field(packets, packet, field, index, value);
        }
    }
}
