/* SPDX-License-Identifier: MIT */
/* Packets as text: each line is one word or address of the payload, and is what reading it gives back. */
#include "pm4/stream/source.h"

#include "base/text.h"

#include <gpucode/fields.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What addresses are called in the text of a recording. */

struct region *source_find(const struct source *source, uint64_t address)
{
    struct region *found = NULL;
    size_t low = 0, high = source->region_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->by_address[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low-- && source->by_address[low]->most >= address;) {
        struct region *region = source->by_address[low];
        if (address - region->address < region->size && (!found || region->number > found->number))
            found = region;
    }
    return found;
}

size_t source_item(const struct region *region, size_t word)
{
    while (word && !(region->marks[word] & MARK_ITEM))
        word--;
    return word;
}

bool source_refer(struct source *source, uint64_t address, unsigned marks, char *text)
{
    struct region *region = source_find(source, address);
    if (!region)
        return false;
    uint64_t offset = address - region->address;
    size_t word = region->marks && offset < region->length ? (size_t)(offset / 4) : 0;
    if (source->marking) {
        if (word && offset % 4 == 0)
            region->marks[word] |= (uint8_t)(MARK_TARGET | marks);
        else if (word)
            region->marks[word] |= MARK_TARGET;
        else if (region->marks && !offset)
            region->marks[0] |= (uint8_t)marks;
        return true;
    }
    word = word ? source_item(region, word) : 0;
    if (word && !(region->marks[word] & MARK_LABEL))
        word = 0;
    int length = snprintf(text, SOURCE_NAME, word ? "&b%zu_%zx" : "&b%zu", region->number, 4 * word);
    if (offset > 4 * word)
        snprintf(text + length, SOURCE_NAME - (size_t)length, "+0x%" PRIx64, offset - 4 * word);
    return true;
}

bool source_measure(struct source *source, const uint64_t *from, uint64_t to, char *text)
{
    char name[SOURCE_NAME] = "&";
    uint64_t start = from ? *from : to - 1;
    struct region *region = source_find(source, start);
    if (!region || !region->marks || to <= start || to - region->address > region->length / 4 * 4 ||
        (to - region->address) % 4)
        return false;
    size_t word = (size_t)((to - region->address) / 4);
    if (source->marking) {
        region->marks[word] |= MARK_END;
        return true;
    }
    if (!(region->marks[word] & MARK_ITEM) || !(region->marks[word] & MARK_END) ||
        (from && !source_refer(source, start, 0, name)))
        return false;
    snprintf(text, SOURCE_REFERENCE, "&words(%s%sb%zu_to_%zx)", name + 1, from ? ", " : "", region->number, 4 * word);
    return true;
}

#define INDENT "    "
enum { LINE = 4096 };

bool source_header(unsigned family, uint32_t word, size_t room, struct source_packet *packet)
{
    if (family >= 5) {
        struct gpucode_packet_header header = gpucode_packet_header(word);
        *packet = (struct source_packet){header.type, header.number, header.count};
        return header.type && header.parity_is_odd && header.count < room && (header.type == 7 || header.count) &&
               word == (header.type == 7 ? gpucode_packet_type7(header.number, header.count)
                                         : gpucode_packet_type4(header.number, header.count));
    }
    unsigned type = word >> 30;
    packet->type = type;
    packet->count = (word >> 16 & 0x3fff) + 1;
    packet->opcode = type ? word >> 8 & 0xff : word & 0x7fff;
    return packet->count < room && (type == 0 ? !(word & 0x8000) : type == 3 && !(word & 0x80ff));
}

void source_words(struct source *source, const struct region *region, size_t word, size_t count, const char *indent)
{
    for (size_t i = 0; i < count; i++) {
        if (!buffer_reserve(&source->out, 64))
            return;
        char *at = buffer_end(&source->out);
        at = i % 8 ? TEXT_LITERAL(at, ", ") : TEXT_LITERAL(text_string(at, indent), ".word ");
        at = TEXT_LITERAL(at, "0x");
        at = text_hex_fixed(at, region_word(region, word + i), 8);
        if (i % 8 == 7 || i + 1 == count)
            *at++ = '\n';
        buffer_commit(&source->out, at);
    }
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

enum { POINTER_ASKED = 1, POINTS = 2, POINTS_TO_SHADER = 4, POINTER_LOW = 8, POINTER_HIGH = 16 };

/* Are two registers the halves of an address, by the ends of their names (a5xx)? */
static bool are_halves(unsigned family, uint32_t low)
{
    char name[GPUCODE_NAME_MAX], other[GPUCODE_NAME_MAX];
    size_t length = gpucode_register_name(family, low, name, sizeof name);
    return length > 3 && gpucode_register_name(family, low + 1, other, sizeof other) == length &&
           memcmp(name, other, length - 3) == 0 && strcmp(name + length - 3, "_LO") == 0 &&
           strcmp(other + length - 3, "_HI") == 0;
}

/* What a register points to, asked once. */
static unsigned pointer_of(struct source *source, uint32_t number)
{
    struct gpucode_pointer pointer;
    uint8_t *known = &source->pointers[number];
    if (*known)
        return *known;
    *known = POINTER_ASKED;
    if (gpucode_pointer_find(source->family, number, &pointer))
        *known |= strcmp(pointer.kind, "shader") == 0 ? POINTS | POINTS_TO_SHADER : POINTS;
    if (are_halves(source->family, number))
        *known |= POINTER_LOW;
    else if (number && are_halves(source->family, number - 1))
        *known |= POINTER_HIGH;
    return *known;
}

/* Is the value an address, all of it? The tables have those before a5xx as numbers. */
static bool is_address(unsigned family, uint32_t number, uint64_t value, unsigned pointer)
{
    struct gpucode_field_value field;
    size_t count = gpucode_register_fields(family, number, value, &field, 1);
    bool old = family < 5 && pointer & POINTS && field.type == GPUCODE_FIELD_HEX;
    return count == 1 && (field.type == GPUCODE_FIELD_ADDRESS || field.type == GPUCODE_FIELD_WADDRESS || old) &&
           field.value == value;
}

/* The place that a register's value is the address of, or a half of it; false: it is not one. `words`: the value, with
 * `before` words of the packet before it and `count` from it on. */
static bool refer_register(struct source *source, uint32_t number, uint64_t value, const uint32_t *words,
                           uint32_t before, uint32_t count, char text[SOURCE_REFERENCE])
{
    char name[SOURCE_NAME];
    unsigned pointer = pointer_of(source, number);
    bool high = pointer & POINTER_HIGH;
    unsigned marks = (pointer & POINTS ? MARK_ALIGNED : 0) | (pointer & POINTS_TO_SHADER ? MARK_SHADER : 0);
    if (!(pointer & (POINTER_LOW | POINTER_HIGH)))
        return value && is_address(source->family, number, value, pointer) && source_refer(source, value, marks, text);
    if (high ? !before : count < 2)
        return false;
    const uint32_t *low = high ? words - 1 : words;
    uint64_t address = low[0] | (uint64_t)low[1] << 32;
    if (!address || !source_refer(source, address, marks, name))
        return false;
    if (!source->marking)
        snprintf(text, SOURCE_REFERENCE, "&%s(%s)", high ? "high" : "low", name + 1);
    return true;
}

/* The text of a value that reads back as the same; kept, as drivers write the same ones again and again. */
static const struct kept_text *register_text(struct source *source, uint32_t number, uint64_t value)
{
    struct kept_text *kept =
        &source->kept[(number * 0x9e3779b1u ^ (uint32_t)value * 0x85ebca6bu) >> 20 & (KEPT_TEXTS - 1)];
    uint64_t again;
    if (kept->length && kept->number == number && kept->value == value)
        return kept;
    kept->number = number;
    kept->value = value;
    size_t length = gpucode_register_text(source->family, number, value, kept->text, sizeof kept->text);
    if (!length || length >= sizeof kept->text ||
        !gpucode_register_read(source->family, number, kept->text, length, &again, NULL) || again != value)
        length = (size_t)snprintf(kept->text, sizeof kept->text, "raw 0x%" PRIx64, value);
    kept->length = (uint16_t)length;
    return kept;
}

/* The line of a register, as refer_register() has it; returns how many words it has, 0 where nothing was written. */
static unsigned put_register(struct source *source, uint32_t number, const uint32_t *words, uint32_t before,
                             uint32_t count)
{
    char name[GPUCODE_NAME_MAX + 8], reference[SOURCE_REFERENCE];
    unsigned wide = gpucode_register_words(source->family, number) == 2 && count > 1 ? 2 : 1;
    uint64_t value = words[0] | (wide == 2 ? (uint64_t)words[1] << 32 : 0);
    bool points = refer_register(source, number, value, words, before, count, reference);
    if (source->marking || !buffer_reserve(&source->out, 512))
        return wide;
    size_t length = gpucode_register_name(source->family, number, name, sizeof name - 8);
    uint8_t *named = &source->register_named[number];
    uint32_t found;
    if (!*named)
        *named = length && gpucode_register_find(source->family, name, length, &found) && found == number ? 1 : 2;
    if (*named == 2)
        length = (size_t)snprintf(name, sizeof name, "0x%x", number);
    else if (wide == 1 && gpucode_register_words(source->family, number) == 2)
        length = (size_t)(text_string(name + length, "+0") - name);
    const struct kept_text *text = points ? NULL : register_text(source, number, value);
    char *at = text_put(buffer_end(&source->out), name, length);
    at = TEXT_LITERAL(at, " = ");
    at = text ? text_put(at, text->text, text->length) : text_string(at, reference);
    *at++ = '\n';
    buffer_commit(&source->out, at);
    return wide;
}

static void put_registers(struct source *source, const struct region *region, size_t word,
                          const struct source_packet *packet)
{
    unsigned taken = 0;
    for (uint32_t i = 0; i < packet->count && !source->out.failed; i += taken) {
        uint32_t left = packet->count - i, number = packet->opcode + i;
        uint32_t words[] = {region_word(region, word + i), region_word(region, word + 1 + i),
                            left > 1 ? region_word(region, word + 2 + i) : 0};
        bool alone = packet->count == 1 || (packet->count == 2 && gpucode_register_words(source->family, number) == 2);
        if (!source->marking && !i)
            buffer_text(&source->out, alone ? INDENT : INDENT "write {\n");
        if (!source->marking && !alone)
            buffer_text(&source->out, INDENT INDENT);
        taken = put_register(source, number, words + 1, i, left);
        if (!source->marking && !alone && taken == left)
            buffer_text(&source->out, INDENT "}\n");
    }
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

/* Fields that say how many words something has. */
static const struct {
    const char *packet, *field;
    int address; /* the word of the address, from that of the field; 0: it is the place after the packet */
} sizes[] = {
    {"CP_INDIRECT_BUFFER", "IB_SIZE", -2}, {"CP_SET_DRAW_STATE", "COUNT", 1},  {"CP_SET_AMBLE", "DWORDS", -2},
    {"CP_START_BIN", "PREFIX_DWORDS", -2}, {"CP_START_BIN", "BODY_DWORDS", 0}, {"CP_SET_RENDER_MODE", "ADDR_1_LEN", 1},
    {"CP_COND_REG_EXEC", "DWORDS", 0},     {"CP_COND_EXEC", "DWORDS", 0},
};

/* What is being written of a command. */
struct command {
    struct source *source;
    const char *name;
    const uint32_t *payload;
    unsigned opcode;
    uint32_t count;
    uint64_t address; /* of the place after the packet */
    char line[LINE];  /* of the word at hand */
    size_t length;
};

static uint64_t address_at(const struct command *command, uint32_t word)
{
    uint64_t high = command->source->family >= 5 && word + 1 < command->count ? command->payload[word + 1] : 0;
    return command->payload[word] | high << 32;
}

/* A size that follows what it is of. */
static bool put_size(struct command *command, uint32_t word, const struct gpucode_field_value *field, char *text)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (field->low || strcmp(field->name, sizes[i].field) != 0 ||
            strncmp(command->name, sizes[i].packet, strlen(sizes[i].packet)) != 0)
            continue;
        int delta = sizes[i].address == -2 && command->source->family < 5 ? -1 : sizes[i].address;
        uint64_t from = command->address;
        if (delta < 0 ? word < (uint32_t)-delta : word + (uint32_t)delta >= command->count)
            return false;
        if (delta)
            from = address_at(command, word + (uint32_t)delta);
        return field->value && source_measure(command->source, delta ? &from : NULL, from + 4 * field->value, text);
    }
    return false;
}

/* Is the field a half of an address, the one that its name's end says? Those of page tables are not the GPU's. */
static bool is_half(const struct gpucode_field_value *field, bool high)
{
    size_t length = strlen(field->name);
    if (strncmp(field->name, "EXT_SRC_ADDR", 12) == 0)
        return high == (length == 15);
    return length > 3 && strncmp(field->name, "TTBR", 4) != 0 &&
           strcmp(field->name + length - 3, high ? "_HI" : "_LO") == 0;
}

/* Is the field an address of 32 bits, which the tables have as a number? */
static bool is_old_address(const struct gpucode_field_value *field)
{
    return strcmp(field->name, "INDX_BASE") == 0 || strcmp(field->name, "INDIRECT") == 0;
}

/* What a field's value is where it is an address, or a size; false: a value like others. */
static bool put_reference(struct command *command, uint32_t word, const struct gpucode_field_value *field, char *text)
{
    struct source *source = command->source;
    char name[SOURCE_NAME];
    bool loads = strncmp(command->name, "CP_LOAD_STATE", 13) == 0, high = !field->low && is_half(field, true);
    unsigned marks = loads ? MARK_ALIGNED : 0;
    if (high && !field->value && word && !command->payload[word - 1])
        return false;
    if (!high && !field->value)
        return false;
    if (field->type == GPUCODE_FIELD_ADDRESS || field->type == GPUCODE_FIELD_WADDRESS)
        return source_refer(source, field->value, marks, text);
    if (put_size(command, word, field, text))
        return true;
    if (source->family < 5)
        return ((loads && is_half(field, false)) || is_old_address(field)) &&
               source_refer(source, field->value, marks, text);
    if ((!high && !is_half(field, false)) || (high ? !word : word + 1 >= command->count))
        return false;
    uint64_t address = high ? field->value << 32 | (command->payload[word - 1] & (loads ? ~3u : ~0u))
                            : field->value | (uint64_t)command->payload[word + 1] << 32;
    if (!source_refer(source, address, marks, name))
        return false;
    snprintf(text, SOURCE_REFERENCE, "&%s(%s)", high ? "high" : "low", name + 1);
    return true;
}

/*
 * The line of one word of a payload, or two that are one value. Returns how many words; 0: their fields are not known,
 * or would not bring them back.
 */
static unsigned make_line(struct command *command, uint32_t word)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    char plain[LINE], reference[SOURCE_REFERENCE];
    unsigned family = command->source->family, words = 1, again_words;
    size_t count = gpucode_payload_fields(family, command->opcode, command->payload, command->count, word, fields,
                                          GPUCODE_FIELD_VALUES_MAX, &words);
    char *at = plain, *to = command->line;
    for (size_t i = 0; i < count && at - plain < LINE - 512 && to - command->line < LINE - 512; i++) {
        bool flag = fields[i].type == GPUCODE_FIELD_BOOLEAN && strcmp(fields[i].text, "set") == 0;
        char *start = at;
        at = i ? TEXT_LITERAL(at, " | ") : at;
        if (strcmp(fields[i].name, "-") != 0)
            at = text_string(at, fields[i].name);
        if (strcmp(fields[i].name, "-") != 0 && !flag)
            at = TEXT_LITERAL(at, " = ");
        to = text_put(to, start, (size_t)(at - start));
        if (flag)
            continue;
        to = text_string(to, put_reference(command, word, &fields[i], reference) ? reference : fields[i].text);
        at = text_string(at, fields[i].text);
    }
    command->length = (size_t)(to - command->line);
    if (command->source->marking)
        return words;
    uint64_t value = command->payload[word] | (words == 2 ? (uint64_t)command->payload[word + 1] << 32 : 0), again;
    bool same = count && gpucode_payload_read(family, command->opcode, command->payload, word, plain,
                                              (size_t)(at - plain), &again, &again_words, NULL);
    return same && again_words == words && again == value ? words : 0;
}

static void put_payload(struct command *command, const struct region *region, size_t word)
{
    struct source *source = command->source;
    uint32_t raw = 0, i = 0;
    while (i < command->count && !source->out.failed) {
        unsigned words = make_line(command, i);
        if (!words) {
            raw++;
            i++;
            continue;
        }
        if (!source->marking) {
            source_words(source, region, word + i - raw, raw, INDENT INDENT);
            buffer_text(&source->out, INDENT INDENT);
            buffer_append(&source->out, command->line, command->length);
            buffer_text(&source->out, "\n");
        }
        raw = 0;
        i += words;
    }
    if (!source->marking)
        source_words(source, region, word + i - raw, raw, INDENT INDENT);
}

/* The name by which reading finds the opcode again, looked for once. */
static const char *name_packet(struct source *source, unsigned opcode)
{
    unsigned family = source->family;
    char *name = source->packet_names[opcode];
    if (*name)
        return name;
    const char *known = gpucode_packet_name(family, opcode);
    for (unsigned i = 0; known && i < opcode; i++) {
        const char *other = gpucode_packet_name(family, i);
        if (other && strcmp(other, known) == 0)
            known = NULL;
    }
    snprintf(name, GPUCODE_NAME_MAX, "%s", known ? known : "");
    if (!known)
        snprintf(name, GPUCODE_NAME_MAX, "UNKN%u", opcode);
    return name;
}

/* So many of the bytes are text, with words of zeros after it; the rest, less than a word, is zeros. 0: no text. */
static size_t source_text(const uint8_t *bytes, size_t length)
{
    size_t text = 0;
    while (text < length && bytes[text] >= ' ' && bytes[text] <= '~')
        text++;
    for (size_t i = text; i < length; i++)
        if (bytes[i])
            return 0;
    return length - text < 16 ? text + (length - text) / 4 * 4 : 0; /* less than a word is filled up */
}

void source_packet(struct source *source, const struct region *region, size_t word, const struct source_packet *packet)
{
    if (packet->type == 0 || packet->type == 4) {
        put_registers(source, region, word, packet);
        return;
    }
    const char *name = name_packet(source, packet->opcode);
    struct command command = {.source = source,
                              .name = name,
                              .payload = source->payload,
                              .opcode = packet->opcode,
                              .count = packet->count,
                              .address = region->address + 4 * (word + 1 + packet->count)};
    for (uint32_t i = 0; i < packet->count; i++)
        source->payload[i] = region_word(region, word + 1 + i);
    if (!source->marking) {
        buffer_text(&source->out, INDENT);
        buffer_text(&source->out, name);
        buffer_text(&source->out, packet->count ? " {\n" : "\n");
    }
    const uint8_t *bytes = region->bytes + 4 * (word + 1);
    size_t text = strcmp(name, "CP_NOP") == 0 ? source_text(bytes, 4 * (size_t)packet->count) : 0;
    if (text && !source->marking) {
        buffer_text(&source->out, INDENT INDENT ".ascii ");
        source_quote(&source->out, bytes, text);
        buffer_text(&source->out, "\n");
    } else if (!text) {
        put_payload(&command, region, word + 1);
    }
    if (!source->marking && packet->count)
        buffer_text(&source->out, INDENT "}\n");
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

void source_quote(struct buffer *out, const uint8_t *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    buffer_text(out, "\"");
    for (size_t i = 0; i < length && buffer_reserve(out, 8); i++) {
        char *at = buffer_end(out);
        if (bytes[i] == '"' || bytes[i] == '\\')
            *at++ = '\\';
        if (bytes[i] >= ' ' && bytes[i] <= '~') {
            *at++ = (char)bytes[i];
        } else if (bytes[i] == '\n') {
            at = TEXT_LITERAL(at, "\\n");
        } else {
            at = TEXT_LITERAL(at, "\\x");
            *at++ = digits[bytes[i] >> 4];
            *at++ = digits[bytes[i] & 15];
        }
        buffer_commit(out, at);
    }
    buffer_text(out, "\"");
}
