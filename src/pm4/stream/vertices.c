/* SPDX-License-Identifier: MIT */
/* At draws: what registers say of vertex buffers and the attributes in them; indices and vertices as tables. */
#include "pm4/stream/decode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

#define ROWS_MAX 16
#define INDICES_MAX 64
#define COMPONENTS_MAX 8
#define VERTEX_BYTES_MAX 4096u

/* A format by its name: FMT6_10_10_10_2_UNORM has components of 10, 10, 10 and 2 bits. */
struct format {
    unsigned bits[COMPONENTS_MAX], count;
    enum { UNORM, SNORM, UINT, SINT, FLOAT, FIXED, OTHER } type;
};

static bool read_format(const char *name, struct format *format)
{
    static const char *const types[] = {[UNORM] = "_UNORM", [SNORM] = "_SNORM", [UINT] = "_UINT",
                                        [SINT] = "_SINT",   [FLOAT] = "_FLOAT", [FIXED] = "_FIXED"};
    const char *at = strchr(name, '_');
    unsigned total = 0;
    *format = (struct format){.type = OTHER};
    while (at && at[1] >= '0' && at[1] <= '9' && format->count < COMPONENTS_MAX) {
        char *end;
        unsigned long bits = strtoul(at + 1, &end, 10);
        if (!bits || bits > 32)
            return false;
        format->bits[format->count++] = (unsigned)bits;
        total += (unsigned)bits;
        at = end;
    }
    for (unsigned i = 0; at && i < OTHER; i++)
        if (strcmp(at, types[i]) == 0)
            format->type = (unsigned)i;
    return format->count && format->type != OTHER && total <= 128;
}

static double small_float(uint32_t value, unsigned bits)
{
    unsigned mantissa = bits == 16 ? 10 : bits == 11 ? 6 : 5;
    unsigned exponent = value >> mantissa & 31;
    double fraction = value & ((1u << mantissa) - 1);
    double number = exponent == 31 ? (fraction > 0 ? NAN : INFINITY)
                    : exponent     ? ldexp(1 + ldexp(fraction, -(int)mantissa), (int)exponent - 15)
                                   : ldexp(fraction, -14 - (int)mantissa);
    return bits == 16 && value >> 15 & 1 ? -number : number;
}

static double component_value(uint32_t value, unsigned bits, const struct format *format)
{
    double most = ldexp(1, (int)bits) - 1;
    double number = value >> (bits - 1) & 1 ? (double)value - ldexp(1, (int)bits) : (double)value;
    float single;
    switch (format->type) {
    case UNORM:
        return value / most;
    case SNORM:
        number /= ldexp(1, (int)bits - 1) - 1;
        return number < -1 ? -1 : number;
    case SINT:
        return number;
    case FIXED:
        return number / 65536;
    case FLOAT:
        memcpy(&single, &value, sizeof single);
        return bits == 32 ? (double)single : small_float(value, bits);
    default:
        return value;
    }
}

/* Bits from `at` on, lowest first. */
static uint32_t take_bits(const unsigned char *bytes, unsigned at, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 5 && at / 8 + i < (at + bits + 7) / 8; i++)
        value |= (uint64_t)bytes[at / 8 + i] << (8 * i);
    return (uint32_t)(value >> at % 8 & (UINT32_MAX >> (32 - bits)));
}

/* "1 0.5 0"; words of a format that is not known. */
static void attribute_text(const char *name, const unsigned char *bytes, size_t left, char *text, size_t size)
{
    struct format format;
    size_t length = 0;
    unsigned at = 0;
    *text = 0;
    if (!read_format(name, &format))
        format = (struct format){{8, 8, 8, 8}, 4, UINT};
    for (unsigned i = 0; i < format.count && (at + format.bits[i] + 7) / 8 <= left && length + 32 < size; i++) {
        uint32_t value = take_bits(bytes, at, format.bits[i]);
        length += (size_t)snprintf(text + length, size - length, "%s%g", i ? " " : "",
                                   component_value(value, format.bits[i], &format));
        at += format.bits[i];
    }
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

#define ATTRIBUTES_MAX 32
#define ATTRIBUTE_BUFFERS_MAX 32

struct attribute {
    unsigned number, buffer, offset; /* offset: bytes in the buffer's elements */
    char format[GPUCODE_FIELD_TEXT_MAX];
};

struct attribute_buffer {
    char name[32]; /* "VFD_VERTEX_BUFFER[0]" */
    uint64_t address, stride;
    uint64_t size; /* bytes; UINT64_MAX: no register tells */
};

/*
 * From family 6 on attributes name their buffer and their offset in it. In family 5 each names its buffer, which begins
 * where the attribute does. In families 3 and 4 there are two lists that are read side by side: what is fetched, and
 * how it is taken apart; by the names of their fields an entry of the second takes SHIFTCNT bytes, and the next entry
 * of the first begins after one with SWITCHNEXT.
 */
enum form { NONE, FETCHED, BASED, PLACED }; /* families 3 and 4, 5, later */

static enum form form_of(const struct decode *decode)
{
    unsigned family = decode->family;
    return family >= 6 ? PLACED : family == 5 ? BASED : family >= 3 ? FETCHED : NONE;
}

static unsigned field_of(const struct decode *decode, const char *name, const char *field)
{
    struct gpucode_field_value value;
    return decode_field_named(decode, name, field, &value) ? (unsigned)value.value : 0;
}

static unsigned count_attributes(const struct decode *decode)
{
    static const struct {
        const char *name, *field;
    } counts[] = {[FETCHED] = {"VFD_CONTROL_0", "STRMDECINSTRCNT"},
                  [BASED] = {"VFD_CONTROL_0", "VTXCNT"},
                  [PLACED] = {"VFD_CNTL_0", "DECODE_CNT"}};
    enum form form = form_of(decode);
    unsigned count = form ? field_of(decode, counts[form].name, counts[form].field) : 0;
    return count < ATTRIBUTES_MAX ? count : ATTRIBUTES_MAX;
}

/* Returns how many there are in `list`. */
static unsigned attributes_find(const struct decode *decode, struct attribute list[ATTRIBUTES_MAX])
{
    enum form form = form_of(decode);
    unsigned found = 0, most = count_attributes(decode), buffer = 0, offset = 0;
    for (unsigned i = 0; i < most; i++) {
        struct gpucode_field_value field;
        struct attribute *attribute = &list[found];
        char name[GPUCODE_NAME_MAX];
        snprintf(name, sizeof name, form == PLACED ? "VFD_FETCH_INSTR[%u].INSTR" : "VFD_DECODE[%u].INSTR", i);
        *attribute = (struct attribute){.number = i, .buffer = buffer, .offset = offset};
        if (form == FETCHED) {
            offset += field_of(decode, name, "SHIFTCNT");
            if (field_of(decode, name, "SWITCHNEXT")) {
                buffer++;
                offset = 0;
            }
        } else if (decode_field_named(decode, name, "IDX", &field)) {
            attribute->buffer = (unsigned)field.value;
            attribute->offset = field_of(decode, name, "OFFSET"); /* 0 where there is none */
        } else {
            continue;
        }
        if (!decode_field_named(decode, name, "FORMAT", &field))
            continue;
        memcpy(attribute->format, field.text, sizeof attribute->format);
        found++;
    }
    return found;
}

/* Buffers 0 to one less than this may be there; `found` attributes are in the list. */
static unsigned attributes_buffers(const struct decode *decode, const struct attribute *list, unsigned found)
{
    enum form form = form_of(decode);
    unsigned count = form == PLACED    ? field_of(decode, "VFD_CNTL_0", "FETCH_CNT")
                     : form == FETCHED ? field_of(decode, "VFD_CONTROL_0", "STRMFETCHINSTRCNT")
                                       : 0;
    for (unsigned i = 0; form == BASED && i < found; i++)
        count = list[i].buffer >= count ? list[i].buffer + 1 : count;
    return count < ATTRIBUTE_BUFFERS_MAX ? count : ATTRIBUTE_BUFFERS_MAX;
}

static bool value_of(const struct decode *decode, const struct attribute_buffer *buffer, const char *member,
                     unsigned words, uint64_t *value)
{
    char name[GPUCODE_NAME_MAX];
    snprintf(name, sizeof name, "%s.%s", buffer->name, member);
    return decode_value_named(decode, name, words, value);
}

/* False: nothing was set. */
static bool attributes_buffer(const struct decode *decode, unsigned number, struct attribute_buffer *buffer)
{
    enum form form = form_of(decode);
    char name[GPUCODE_NAME_MAX];
    *buffer = (struct attribute_buffer){.size = UINT64_MAX};
    snprintf(buffer->name, sizeof buffer->name, form == PLACED ? "VFD_VERTEX_BUFFER[%#x]" : "VFD_FETCH[%#x]", number);
    if (form == FETCHED) {
        snprintf(name, sizeof name, "%s.INSTR_0", buffer->name);
        buffer->stride = field_of(decode, name, "BUFSTRIDE");
        value_of(decode, buffer, "INSTR_2", 1, &buffer->size); /* family 4 */
        if (!value_of(decode, buffer, "INSTR_1", 1, &buffer->address))
            return false;
    } else if (!value_of(decode, buffer, form == BASED ? "BASE_LO" : "BASE", 2, &buffer->address) ||
               !value_of(decode, buffer, "STRIDE", 1, &buffer->stride)) {
        return false;
    } else if (!value_of(decode, buffer, "SIZE", 1, &buffer->size)) {
        buffer->size = 0;
    }
    return buffer->address && buffer->stride;
}

bool vertices_attribute(const struct decode *decode, unsigned index, char name[GPUCODE_NAME_MAX], char *text,
                        size_t size)
{
    struct attribute list[ATTRIBUTES_MAX];
    struct attribute_buffer buffer;
    if (index >= attributes_find(decode, list))
        return false;
    const struct attribute *attribute = &list[index];
    attributes_buffer(decode, attribute->buffer, &buffer);
    snprintf(name, GPUCODE_NAME_MAX, "attribute %u", attribute->number);
    snprintf(text, size, "%s at %u of %" PRIu64 " bytes in %s at %#" PRIx64, attribute->format, attribute->offset,
             buffer.stride, buffer.name, buffer.address);
    return true;
}

bool vertices_fetch(const struct decode *decode, unsigned index)
{
    struct attribute list[ATTRIBUTES_MAX];
    bool found = false;
    for (unsigned i = attributes_find(decode, list); i-- > 0;)
        found |= list[i].buffer == index;
    return found;
}

bool vertices_buffer(const struct decode *decode, unsigned index, char name[GPUCODE_NAME_MAX], uint64_t *address,
                     uint64_t *size)
{
    struct attribute list[ATTRIBUTES_MAX];
    struct attribute_buffer buffer;
    if (index >= attributes_buffers(decode, list, attributes_find(decode, list)))
        return false;
    *address = attributes_buffer(decode, index, &buffer) ? buffer.address : 0;
    *size = buffer.size == UINT64_MAX ? 0 : buffer.size;
    snprintf(name, GPUCODE_NAME_MAX, "%s", buffer.name);
    return true;
}

/* --- vertices ----------------------------------------------------------------------------------------------------- */

/* One table, of a buffer. */
struct table {
    struct attribute_buffer from;
    unsigned buffer;
    uint64_t rows;
    unsigned char *bytes;
    const struct attribute *attributes;
    unsigned attribute_count;
};

/* What an element has for an attribute; false: it is none of this buffer's. */
static bool element_text(const struct table *table, uint64_t row, const struct attribute *attribute, char *text,
                         size_t size)
{
    size_t stride = (size_t)table->from.stride; /* at most VERTEX_BYTES_MAX */
    if (attribute->buffer != table->buffer || attribute->offset >= stride)
        return false;
    attribute_text(attribute->format, table->bytes + (size_t)row * stride + attribute->offset,
                   stride - attribute->offset, text, size);
    return true;
}

static void put_row(struct decode *decode, const struct table *table, uint64_t row)
{
    const struct gpucode_answer_field *fields = decode_fields;
    struct gpucode_answer *answer = decode->answer;
    char text[256];
    bool first = true;
    gpucode_answer_begin(answer, &fields[VERTICES_ROW]);
    for (unsigned i = 0; i < table->attribute_count; i++) {
        const struct attribute *attribute = &table->attributes[i];
        if (!element_text(table, row, attribute, text, sizeof text))
            continue;
        gpucode_answer_begin(answer, &fields[ATTRIBUTE]);
        if (first)
            gpucode_answer_number(answer, &fields[ATTRIBUTE_ROW], row);
        gpucode_answer_number(answer, &fields[ATTRIBUTE_NUMBER], attribute->number);
        gpucode_answer_text(answer, &fields[ATTRIBUTE_FORMAT], attribute->format);
        gpucode_answer_text(answer, &fields[ATTRIBUTE_TEXT], text);
        gpucode_answer_text(answer, &fields[ATTRIBUTE_IS], attribute->format);
        gpucode_answer_end(answer);
        first = false;
    }
    gpucode_answer_end(answer);
}

static void put_table(struct decode *decode, const struct table *table)
{
    const struct gpucode_answer_field *fields = decode_fields;
    struct gpucode_answer *answer = decode->answer;
    gpucode_answer_begin(answer, &fields[VERTICES]);
    decode_put_stream(decode);
    gpucode_answer_number(answer, &fields[VERTICES_DRAW], decode->state.draws);
    gpucode_answer_text(answer, &fields[VERTICES_NAME], table->from.name);
    gpucode_answer_number(answer, &fields[VERTICES_TARGET], table->from.address);
    gpucode_answer_number(answer, &fields[VERTICES_STRIDE], table->from.stride);
    gpucode_answer_format(answer, &fields[VERTICES_AT], "%012" PRIx64 "%s", table->from.address,
                          table->rows ? "" : ", not recorded");
    gpucode_answer_begin(answer, &fields[VERTICES_ROWS]);
    for (uint64_t row = 0; row < table->rows; row++)
        put_row(decode, table, row);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

/* Bytes of an element that its attributes take: the last one may end there. */
static uint64_t element_bytes(const struct table *table)
{
    uint64_t most = 1;
    for (unsigned i = 0; i < table->attribute_count; i++) {
        const struct attribute *attribute = &table->attributes[i];
        struct format format;
        unsigned bits = 0;
        for (unsigned k = 0; read_format(attribute->format, &format) && k < format.count; k++)
            bits += format.bits[k];
        uint64_t end = attribute->offset + (bits ? (bits + 7) / 8 : 4);
        if (attribute->buffer == table->buffer && end > most)
            most = end;
    }
    return most < table->from.stride ? most : table->from.stride;
}

/* So many elements lie in some bytes. */
static uint64_t count_rows(const struct table *table, uint64_t bytes)
{
    uint64_t element = element_bytes(table), rows = bytes < element ? 0 : (bytes - element) / table->from.stride + 1;
    return rows < ROWS_MAX ? rows : ROWS_MAX;
}

static bool show_buffer(struct decode *decode, unsigned number, const struct attribute *attributes, unsigned count)
{
    struct table table = {.buffer = number, .attributes = attributes, .attribute_count = count};
    if (!attributes_buffer(decode, number, &table.from) || table.from.stride > VERTEX_BYTES_MAX)
        return true;
    uint64_t rows = count_rows(&table, table.from.size);
    size_t wanted = rows ? (size_t)((rows - 1) * table.from.stride + element_bytes(&table)) : 0;
    table.bytes = calloc(1, ROWS_MAX * VERTEX_BYTES_MAX);
    if (!table.bytes)
        return false;
    table.rows = count_rows(
        &table, gpucode_stream_load(decode->stream, decode->submit, table.from.address, table.bytes, wanted));
    put_table(decode, &table);
    free(table.bytes);
    return true;
}

/* --- indices ------------------------------------------------------------------------------------------------------ */

void vertices_note(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct decode_indices *indices = &decode->indices;
    if (event->kind == GPUCODE_PACKET_BEGIN) {
        *indices = (struct decode_indices){0};
        return;
    }
    if (strcmp(event->name, "INDX_BASE") == 0)
        indices->address = event->value;
    else if (strcmp(event->name, "FIRST_INDX") == 0)
        indices->first = event->value;
    else if (strcmp(event->name, "INDEX_SIZE") == 0 && event->text)
        indices->bytes = strstr(event->text, "32_BIT")  ? 4
                         : strstr(event->text, "8_BIT") ? 1
                                                        : 2; /* IGN is 16_BIT too */
    else if (strcmp(event->name, "SOURCE_SELECT") == 0 && event->text)
        indices->used = strstr(event->text, "_DMA") != NULL;
}

static void show_indices(struct decode *decode, const struct gpucode_packet_event *draw)
{
    const struct gpucode_answer_field *fields = decode_fields;
    const struct decode_indices *indices = &decode->indices;
    struct gpucode_answer *answer = decode->answer;
    unsigned char bytes[4 * INDICES_MAX];
    char shown[24];
    if (!indices->used || !indices->address || !indices->bytes)
        return;
    uint64_t address = indices->address + indices->first * indices->bytes;
    uint32_t count = draw->count < INDICES_MAX ? draw->count : INDICES_MAX;
    count =
        (uint32_t)gpucode_stream_load(decode->stream, decode->submit, address, bytes, (size_t)count * indices->bytes) /
        indices->bytes;
    gpucode_answer_begin(answer, &fields[INDICES]);
    decode_put_stream(decode);
    gpucode_answer_number(answer, &fields[INDICES_DRAW], decode->state.draws);
    gpucode_answer_number(answer, &fields[INDICES_BYTES], indices->bytes);
    snprintf(shown, sizeof shown, "%012" PRIx64, address);
    gpucode_answer_shown(answer, &fields[INDICES_TARGET], address, shown);
    gpucode_answer_begin(answer, &fields[INDICES_LIST]);
    for (uint32_t i = 0; i < count; i++)
        gpucode_answer_number(answer, &fields[INDEX], take_bits(bytes, 8 * indices->bytes * i, 8 * indices->bytes));
    gpucode_answer_end(answer);
    gpucode_answer_text(answer, &fields[INDICES_REST], !count ? "not recorded" : count < draw->count ? "..." : NULL);
    gpucode_answer_end(answer);
}

bool vertices_show(struct decode *decode, const struct gpucode_packet_event *draw)
{
    struct attribute attributes[ATTRIBUTES_MAX];
    if (strncmp(draw->name, "CP_DRAW", 7) != 0) /* a dispatch or blit fetches none */
        return true;
    decode_end_record(decode);
    show_indices(decode, draw);
    unsigned count = attributes_find(decode, attributes), buffers = attributes_buffers(decode, attributes, count);
    for (unsigned i = 0; i < buffers; i++)
        if (!show_buffer(decode, i, attributes, count))
            return false;
    return true;
}
