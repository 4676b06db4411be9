/* SPDX-License-Identifier: MIT */
/* Loads the input as a file of register names, twice into one object, and asks for names. */
#include "check.h"
#include <gpucode/gpucode.h>
#include <gpucode/xml.h>

#include <string.h>

/* Targets that have packets have the names of GPU registers that such files give; one of them. */
static const struct gpucode_target *find_target(size_t pick)
{
    const struct gpucode_target *target;
    unsigned count = 0;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        count += gpucode_target_facts(target)->packets;
    pick %= count;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        if (gpucode_target_facts(target)->packets && pick-- == 0)
            break;
    return target;
}

static void count_message(void *user, const struct gpucode_diagnostic *diagnostic)
{
    *(size_t *)user += strlen(diagnostic->message) + diagnostic->source_length;
}

/* --- packets by the file's fields: one of every opcode, the file itself being the payload */

struct payload {
    const uint8_t *bytes;
    size_t size;
    bool old; /* type 3 */
};

#define BUFFER 0x1000
#define PACKET_WORDS 17
#define BUFFER_BYTES (128u * PACKET_WORDS * 4)

static size_t read_payload(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct payload *payload = user;
    unsigned char *to = bytes;
    uint64_t start = address - BUFFER;
    if (start >= BUFFER_BYTES)
        return 0;
    size = size < BUFFER_BYTES - start ? size : (size_t)(BUFFER_BYTES - start);
    for (size_t i = 0; i < size; i++) {
        uint64_t at = start + i;
        unsigned opcode = at / 4 / PACKET_WORDS & 127;
        uint32_t header = payload->old ? 0xc0000000 | (PACKET_WORDS - 2u) << 16 | opcode << 8
                                       : gpucode_packet_type7(opcode, PACKET_WORDS - 1);
        if (at / 4 % PACKET_WORDS == 0)
            to[i] = (unsigned char)(header >> 8 * (at & 3));
        else
            to[i] = payload->size ? payload->bytes[at % payload->size] : 0;
    }
    return size;
}

static bool take_field(void *user, const struct gpucode_packet_event *event)
{
    (void)user;
    if (event->kind == GPUCODE_PACKET_FIELD && strlen(event->name) + strlen(event->text) > 4096)
        __builtin_trap();
    return true;
}

static void walk_packets(const struct gpucode_xml *xml, unsigned family, const uint8_t *data, size_t size)
{
    struct payload payload = {data, size, family < 5};
    struct gpucode_packet_options options = {.family = family,
                                             .names = gpucode_xml_names(xml),
                                             .meanings = gpucode_xml_meanings(xml),
                                             .read = read_payload,
                                             .event = take_field,
                                             .user = &payload,
                                             .fields = true,
                                             .limit = 3 * 128 * PACKET_WORDS};
    struct gpucode_packets *packets;
    if (!xml || gpucode_packets_create(&options, &packets) != GPUCODE_OK)
        return;
    gpucode_packets_walk(packets, BUFFER, 128 * PACKET_WORDS);
    gpucode_packets_free(packets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t told = 0;
    const struct gpucode_target *target = find_target(size);
    struct gpucode_diagnostic_handler on_diagnostic = {count_message, &told};
    struct gpucode_xml *xml = NULL;
    gpucode_xml_load(data, size, "fuzz.xml", target, &on_diagnostic, &xml);
    gpucode_xml_load(data, size / 2, "half.xml", target, &on_diagnostic, &xml);
    gpucode_xml_load(data, size, "fuzz.xml", target, &on_diagnostic, &xml);
    const struct gpucode_names *names = gpucode_xml_names(xml);
    for (uint32_t number = 0; names && number < 0x2000; number++) {
        char text[GPUCODE_NAME_MAX];
        uint32_t back;
        size_t length = gpucode_name_of(target, names, GPUCODE_SPACE_GPU, number, text, sizeof text);
        /* a printed name can be read, though it may mean an earlier register */
        if (length && !gpucode_number_of(target, names, GPUCODE_SPACE_GPU, text, length, &back))
            __builtin_trap();
    }
    const struct gpucode_meanings *meanings = gpucode_xml_meanings(xml);
    unsigned family = gpucode_target_family(target);
    for (uint32_t number = 0; meanings && number < 0x2000; number++) {
        char text[64];
        struct gpucode_field_value fields[4];
        told += gpucode_meanings_text(meanings, family, number, UINT64_C(0x9abcdef012345678) * (number | 1), text,
                                      sizeof text);
        told += gpucode_meanings_fields(meanings, family, number, number, fields, 4);
        told += gpucode_meanings_words(meanings, family, number);
    }
    if (size & 1)
        walk_packets(xml, family, data, size);
    gpucode_xml_free(xml);
    xml = NULL;
    unsigned old = 2 + (unsigned)(size / 2 % 3);
    if (!(size & 1) && gpucode_xml_load_family(data, size, "old.xml", old, &on_diagnostic, &xml) == GPUCODE_OK)
        walk_packets(xml, old, data, size);
    gpucode_xml_free(xml);
    return 0;
}
