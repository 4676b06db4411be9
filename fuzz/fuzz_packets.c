/* SPDX-License-Identifier: MIT */
/*
 * Any words as packets of any family of GPUs, in a memory where every address lies in them: so that buffers lead into
 * one another. What is told must be in order, and every value has its text. The first byte chooses the family.
 */
#include "given.h"

struct walk {
    const uint8_t *bytes;
    size_t size;
    unsigned family, depth;
    uint64_t sum;
};

static size_t load(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct walk *walk = user;
    size_t from = (size_t)(address % (walk->size + 1)), left = walk->size - from;
    if (size > left)
        size = left;
    memcpy(bytes, walk->bytes + from, size);
    return size;
}

static void check_value(struct walk *walk, uint32_t number, uint64_t value)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    char text[256], name[GPUCODE_NAME_MAX];
    size_t count = gpucode_register_fields(walk->family, number, value, fields, GPUCODE_FIELD_VALUES_MAX);
    check(count >= 1 && count <= GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count; i++) {
        check(fields[i].name && fields[i].low <= fields[i].high && fields[i].high < 64);
        check(strlen(fields[i].text) > 0);
        walk->sum += fields[i].value;
    }
    check(gpucode_register_text(walk->family, number, value, text, sizeof text) > 0);
    check(memchr(text, 0, sizeof text) != NULL);
    walk->sum += gpucode_register_name(walk->family, number, name, sizeof name);
}

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct walk *walk = user;
    walk->sum += given_depth(&walk->depth, event);
    if (event->kind == GPUCODE_PACKET_FIELD)
        check(event->name && event->text && strlen(event->text) < GPUCODE_FIELD_TEXT_MAX);
    if (event->kind == GPUCODE_PACKET_LOAD) {
        check(event->name && event->count && event->count <= (1u << 15));
        walk->sum += gpucode_descriptor_fields(walk->family, event->name, (const uint32_t[16]){1, 2, 3}, 16, NULL, 0);
    }
    if (event->kind == GPUCODE_PACKET_DRAW)
        walk->sum += event->text ? strlen(event->text) : 0;
    if (event->kind == GPUCODE_PACKET_WRITE) {
        check(event->number <= GPUCODE_PACKET_REGISTER_MAX);
        check_value(walk, event->number, event->value * 0x100000001u);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 5)
        return 0;
    struct walk walk = {.bytes = bytes + 1, .size = size - 1};
    walk.family = GPUCODE_FAMILY_MIN + bytes[0] % (GPUCODE_FAMILY_MAX - GPUCODE_FAMILY_MIN + 1);
    struct gpucode_packet_options options = {
        .family = walk.family,
        .read = load,
        .event = take_event,
        .user = &walk,
        .fields = true,
        .limit = 1 << 12,
    };
    struct gpucode_packets *packets;
    check(gpucode_packets_create(&options, &packets) == GPUCODE_OK);
    enum gpucode_status status = gpucode_packets_walk(packets, 0, (uint32_t)(walk.size / 4));
    check(status == GPUCODE_OK || status == GPUCODE_ERROR_RANGE);
    check(walk.depth == 0 || status == GPUCODE_ERROR_RANGE);
    gpucode_packets_free(packets);
    return 0;
}
