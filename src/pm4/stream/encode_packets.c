/* SPDX-License-Identifier: MIT */
/* Packets out of their text. */
#include "pm4/stream/encode.h"
#include "stream_messages.h"

#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <stdio.h>
#include <string.h>

static int length_of(struct piece piece)
{
    return (int)(piece.end - piece.at);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Says what is wrong with fields; `value`: what was written in place of `read`. */
static bool refuse_fields(struct encode *encode, struct piece value, struct piece read,
                          const struct gpucode_field_wrong *wrong)
{
    struct piece at = {wrong->at, wrong->at + wrong->length};
    char hint[160];
    if (read.at != value.at) /* places have been replaced: as near as one gets */
        at = value;
    int length = (int)wrong->length;
    const char *near = wrong->nearest;
    switch (wrong->fault) {
    case GPUCODE_FIELD_NO_NAME:
        snprintf(hint, sizeof hint, "did you mean '%s'?", near ? near : "");
        return encode_refuse(encode, at, MSG_ENCODE_NO_FIELD, near ? hint : NULL, length, wrong->at);
    case GPUCODE_FIELD_LARGE:
        snprintf(hint, sizeof hint, "the largest is 0x%llx", (unsigned long long)wrong->limit);
        return encode_refuse(encode, at, MSG_ENCODE_FIELD_LARGE, hint, length, wrong->at);
    case GPUCODE_FIELD_UNIT:
        snprintf(hint, sizeof hint, "it is a multiple of %llu", (unsigned long long)wrong->limit);
        return encode_refuse(encode, at, MSG_ENCODE_FIELD_LARGE, hint, length, wrong->at);
    case GPUCODE_FIELD_TWICE:
        return encode_refuse(encode, at, MSG_ENCODE_FIELD_TWICE, NULL, length, wrong->at);
    default:
        return encode_refuse(encode, at, MSG_ENCODE_NO_VALUE, NULL, length, wrong->at);
    }
}

/* "raw 0x1234": all bits as they are. */
static bool take_raw(struct piece value, uint64_t *number)
{
    return value.end - value.at > 4 && memcmp(value.at, "raw ", 4) == 0 &&
           piece_number(piece_trim((struct piece){value.at + 4, value.end}), number);
}

/* Makes the words in front of one of a packet available; those that were are. */
static void load_payload(struct encode *encode, size_t packet, uint32_t word)
{
    if (encode->payload_of != packet || encode->payload_words > word)
        encode->payload_words = 0;
    encode->payload_of = packet;
    for (; encode->payload_words < word && encode->payload_words <= GPUCODE_PACKET_COUNT7_MAX; encode->payload_words++)
        encode->payload[encode->payload_words] = encode_at(encode, packet + 4 + 4 * (size_t)encode->payload_words);
}

/* Reads a value and puts it at `at`, where so many words have room; the fixup's when places are known. */
static bool read_value(struct encode *encode, const struct encode_fixup *what, unsigned *words, uint64_t *number)
{
    struct gpucode_field_wrong wrong = {GPUCODE_FIELD_NO_VALUE, what->value.at, 0, 0, NULL};
    struct piece read;
    bool places;
    if (!encode_expand(encode, what->value, &read, &places))
        return false;
    wrong.length = (size_t)(what->value.end - what->value.at);
    size_t length = (size_t)(read.end - read.at);
    if (what->word > GPUCODE_PACKET_COUNT7_MAX)
        return encode_refuse(encode, what->value, MSG_ENCODE_COUNT, NULL, (size_t)what->word, (size_t)0,
                             (size_t)GPUCODE_PACKET_COUNT7_MAX);
    if (what->kind == FIXUP_REGISTER) {
        *words = what->words;
        if ((take_raw(read, number) ||
             gpucode_register_read(encode->family, what->number, read.at, length, number, &wrong)) &&
            (*words == 2 || *number <= UINT32_MAX))
            return true;
        return refuse_fields(encode, what->value, read, &wrong);
    }
    load_payload(encode, what->packet, what->word);
    return gpucode_payload_read(encode->family, what->number, encode->payload, what->word, read.at, length, number,
                                words, &wrong) ||
           refuse_fields(encode, what->value, read, &wrong);
}

/* --- sizes of shaders --------------------------------------------------------------------------------------------- */

#define INSTR_SIZE_UNIT 128 /* bytes: 16 instructions (Mesa, src/freedreno: instrlen) */
#define NEAR 256            /* bytes on each side, in which drivers write a shader's other registers */

/* The code at an address, of the last submit up to that of a buffer; null: there is none. */
static const struct encode_code *code_at(const struct encode *encode, uint64_t address, size_t buffer)
{
    const struct encode_code *codes = encode->codes.items;
    for (size_t i = encode->codes.count; i-- > 0;)
        if (encode_buffer_of(encode, codes[i].buffer)->submit <= encode_buffer_of(encode, buffer)->submit &&
            encode_buffer_of(encode, codes[i].buffer)->base + codes[i].offset == address)
            return &codes[i];
    return NULL;
}

/* What a packet near a place in the file writes to a register. */
static bool find_near(const struct encode *encode, size_t at, uint32_t number, uint32_t *value)
{
    for (size_t from = at > NEAR ? at - NEAR : at % 4; from < at + NEAR && from + 4 <= encode->out.length; from += 4) {
        struct gpucode_packet_header header = gpucode_packet_header(encode_at(encode, from));
        size_t place = from + 4 + 4 * (size_t)(number - header.number);
        if (header.type == 4 && number >= header.number && number - header.number < header.count &&
            place + 4 <= encode->out.length) {
            *value = encode_at(encode, place);
            return true;
        }
    }
    return false;
}

/* Says so where a shader has more instructions than the register tells that has their number. */
static void check_shader(struct encode *encode, const struct encode_fixup *fixup, uint64_t address)
{
    struct gpucode_pointer pointer;
    uint32_t number, units;
    if (!gpucode_pointer_find(encode->family, fixup->number, &pointer) || strcmp(pointer.kind, "shader") != 0 ||
        !pointer.count || !gpucode_register_find(encode->family, pointer.count, strlen(pointer.count), &number))
        return;
    const struct encode_code *code = code_at(encode, address, fixup->buffer);
    uint64_t wanted = code ? (code->size + INSTR_SIZE_UNIT - 1) / INSTR_SIZE_UNIT : 0;
    if (code && find_near(encode, fixup->at, number, &units) && units && units < wanted) {
        char hint[GPUCODE_NAME_MAX + 32];
        snprintf(hint, sizeof hint, "%s = %llu", pointer.count, (unsigned long long)wanted);
        encode_refuse(encode, fixup->value, MSG_ENCODE_SHADER_SIZE, hint, (unsigned long long)wanted, pointer.count,
                      (unsigned long)units);
    }
}

void encode_resolve(struct encode *encode, const struct encode_fixup *fixup)
{
    unsigned words = fixup->words;
    uint64_t number = 0;
    encode->fixup = fixup;
    if (fixup->kind == FIXUP_DATA)
        encode_value(encode, fixup->value, 4 * fixup->words);
    else if (read_value(encode, fixup, &words, &number))
        for (unsigned i = 0; i < fixup->words; i++)
            encode_patch(encode, fixup->at + 4 * (size_t)i, (uint32_t)(number >> 32 * i));
    if (fixup->kind == FIXUP_REGISTER && fixup->words == 2 && !encode->errors)
        check_shader(encode, fixup, number);
    encode->fixup = NULL;
}

/* Reads a value and puts its words at the end; it is read again when it has places. */
static bool put_value(struct encode *encode, struct encode_fixup what)
{
    uint64_t number = 0;
    unsigned words = 1;
    what.at = encode->out.length;
    what.packet = encode->packet.at;
    what.buffer = encode->buffer;
    if (!read_value(encode, &what, &words, &number))
        return false;
    if (memchr(what.value.at, '&', (size_t)length_of(what.value))) {
        struct encode_fixup *fixup = list_add(&encode->fixups, sizeof *fixup);
        encode->no_memory |= !fixup;
        if (fixup) {
            *fixup = what;
            fixup->words = words;
        }
    }
    for (unsigned i = 0; i < words; i++)
        encode_word(encode, (uint32_t)(number >> 32 * i));
    return true;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static uint32_t register_number(struct encode *encode, struct piece name)
{
    uint32_t number;
    return gpucode_register_find(encode->family, name.at, (size_t)length_of(name), &number) ? number : UINT32_MAX;
}

static uint32_t packet_number(struct encode *encode, struct piece name)
{
    unsigned most = encode->family >= 5 ? GPUCODE_PACKET_OPCODE_MAX : 255;
    uint64_t number;
    uint32_t opcode;
    if (gpucode_packet_find(encode->family, name.at, (size_t)length_of(name), &opcode))
        return opcode;
    if (length_of(name) > 4 && memcmp(name.at, "UNKN", 4) == 0 &&
        piece_number((struct piece){name.at + 4, name.end}, &number) && number <= most)
        return (uint32_t)number;
    return UINT32_MAX;
}

/* The register of a name or number; *wide: it is given two words. */
static bool find_register(struct encode *encode, struct piece name, uint32_t *number, unsigned *words)
{
    uint64_t value;
    uint32_t most = encode->family >= 5 ? GPUCODE_PACKET_REGISTER_MAX : 0x7fff;
    *words = 1;
    if (piece_number(name, &value) && value <= most) {
        *number = (uint32_t)value;
        return true;
    }
    *number = encode_name_find(encode, false, name, register_number);
    if (*number > most) {
        const char *near = gpucode_register_nearest(encode->family, name.at, (size_t)length_of(name));
        char hint[GPUCODE_NAME_MAX + 32];
        snprintf(hint, sizeof hint, "did you mean '%s'?", near ? near : "");
        return encode_refuse(encode, name, MSG_ENCODE_NO_REGISTER, near ? hint : NULL, length_of(name), name.at,
                             encode->family);
    }
    bool first = length_of(name) > 2 && memcmp(name.end - 2, "+0", 2) == 0;
    *words = first ? 1 : gpucode_register_words(encode->family, *number);
    return true;
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

static bool begin_packet(struct encode *encode, struct piece name, bool writes, uint32_t number)
{
    if (encode->record == SIZE_MAX && !encode->headless)
        return encode_refuse(encode, name, MSG_ENCODE_NO_RECORD, "packets stand after .contents");
    if ((encode->out.length - encode->contents) % 4)
        return encode_refuse(encode, name, MSG_ENCODE_UNEVEN, ".align 4 goes on to the next word");
    encode->packet = (struct encode_packet){
        .open = true, .writes = writes, .number = number, .at = encode->out.length, .name = name};
    encode_word(encode, 0);
    return true;
}

/* Writes the header, with how many words there are. */
static void close_packet(struct encode *encode)
{
    struct encode_packet *packet = &encode->packet;
    packet->open = false;
    while ((encode->out.length - packet->at) % 4 && !encode->out.failed)
        buffer_append(&encode->out, "", 1); /* a text fills up its last word */
    size_t words = (encode->out.length - packet->at) / 4 - 1;
    bool old = encode->family < 5;
    size_t least = old || packet->writes;
    size_t most = old ? 0x4000 : packet->writes ? GPUCODE_PACKET_COUNT4_MAX : GPUCODE_PACKET_COUNT7_MAX;
    if (words > most || (words < least && !encode->errors)) {
        encode_refuse(encode, packet->name, MSG_ENCODE_COUNT, NULL, words, least, most);
        return;
    }
    uint32_t count = (uint32_t)words;
    encode_patch(encode, packet->at,
                 !old             ? packet->writes ? gpucode_packet_type4(packet->number, count)
                                                   : gpucode_packet_type7(packet->number, count)
                             : packet->writes ? (count - 1) << 16 | packet->number
                                  : UINT32_C(3) << 30 | (count - 1) << 16 | packet->number << 8);
}

/* "NAME = VALUE" */
static bool take_register(struct encode *encode, struct piece line)
{
    struct piece value = line, name = piece_take(&value, '=');
    struct encode_packet *packet = &encode->packet;
    struct encode_fixup what = {.kind = FIXUP_REGISTER};
    if (!value.at)
        return encode_refuse(encode, name, MSG_ENCODE_NO_WRITE, "NAME = VALUE");
    if (!find_register(encode, name, &what.number, &what.words))
        return false;
    if (!packet->open && !begin_packet(encode, name, true, what.number))
        return false;
    uint32_t written = (uint32_t)((encode->out.length - packet->at) / 4 - 1);
    if (!written)
        packet->number = what.number;
    else if (packet->number + written != what.number)
        return encode_refuse(encode, name, MSG_ENCODE_GAP,
                             "a packet writes registers one after another; others need their own", length_of(name),
                             name.at, what.number, packet->number + written);
    what.value = piece_trim(value);
    if (length_of(what.value) && *what.value.at == '{' && what.value.end[-1] != '}')
        return encode_refuse(encode, what.value, MSG_ENCODE_NO_END, "} ends it");
    return put_value(encode, what);
}

/* A line of a payload: fields of a word, or data. */
static bool take_payload(struct encode *encode, struct piece line)
{
    struct encode_packet *packet = &encode->packet;
    const char *next = line.end;
    if (*line.at == '.') {
        struct piece rest = line, name = piece_take(&rest, ' ');
        if (piece_is(name, ".word") || piece_is(name, ".quad") || piece_is(name, ".ascii") || piece_is(name, ".zero"))
            return encode_data(encode, name, piece_trim(rest.at ? rest : (struct piece){line.end, line.end}), &next);
        return encode_refuse(encode, name, MSG_ENCODE_DIRECTIVE, ".word, .quad, .ascii and .zero stand in packets",
                             length_of(name), name.at);
    }
    size_t bytes = encode->out.length - packet->at - 4;
    if (bytes % 4)
        return encode_refuse(encode, line, MSG_ENCODE_UNEVEN,
                             "a text ends the packet, or has a length that is a multiple of 4");
    return put_value(
        encode, (struct encode_fixup){
                    .kind = FIXUP_PAYLOAD, .number = packet->number, .word = (uint32_t)(bytes / 4), .value = line});
}

/* Where the packet's closing brace stands in the line; null: the packet goes on. */
static const char *find_close(struct piece line)
{
    unsigned depth = 0;
    bool quoted = false;
    for (const char *at = line.at; at < line.end; at++) {
        quoted ^= *at == '"' && (at == line.at || at[-1] != '\\');
        if (quoted)
            continue;
        if (*at == '}' && !depth--)
            return at;
        depth += *at == '{';
    }
    return NULL;
}

static void take_inside(struct encode *encode, struct piece line)
{
    const char *close = find_close(line);
    struct piece inside = piece_trim((struct piece){line.at, close ? close : line.end});
    if (inside.at < inside.end) {
        if (encode->packet.writes)
            take_register(encode, inside);
        else
            take_payload(encode, inside);
    }
    if (!close)
        return;
    close_packet(encode);
    inside = piece_trim((struct piece){close + 1, line.end});
    if (inside.at < inside.end)
        encode_refuse(encode, inside, MSG_ENCODE_MORE, NULL);
}

void encode_packet_line(struct encode *encode, struct piece line)
{
    if (encode->packet.open) {
        take_inside(encode, line);
        return;
    }
    size_t length = (size_t)length_of(line);
    const char *brace = memchr(line.at, '{', length), *equals = memchr(line.at, '=', length);
    if (equals && (!brace || equals < brace)) {
        if (take_register(encode, line))
            close_packet(encode);
        encode->packet.open = false;
        return;
    }
    struct piece name = piece_trim((struct piece){line.at, brace ? brace : line.end});
    bool writes = piece_is(name, "write");
    uint32_t number = writes ? 0 : encode_name_find(encode, true, name, packet_number);
    if (number == UINT32_MAX) {
        const char *near = gpucode_packet_nearest(encode->family, name.at, (size_t)length_of(name));
        char hint[GPUCODE_NAME_MAX + 32];
        snprintf(hint, sizeof hint, "did you mean '%s'?", near ? near : "");
        encode_refuse(encode, name, MSG_ENCODE_NO_PACKET, near ? hint : NULL, length_of(name), name.at, encode->family);
        number = 0x10; /* so that its lines are read */
    }
    if (!begin_packet(encode, name, writes, number))
        return;
    if (brace)
        take_inside(encode, piece_trim((struct piece){brace + 1, line.end}));
    else
        close_packet(encode);
}
