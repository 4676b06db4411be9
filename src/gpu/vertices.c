/* SPDX-License-Identifier: MIT */
/* At draws: indices and vertices as tables. */
#include "gpu/attributes.h"
#include "gpu/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- vertices ---------------------------------------------------------------------------------------------------- */

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

static void print_table_text(struct view *view, const struct table *table)
{
    char text[256];
    fprintf(view->out, "    %s: vertices of %" PRIu64 " bytes at %012" PRIx64 "%s\n", table->from.name,
            table->from.stride, table->from.address, table->rows ? "" : ", not recorded");
    for (uint64_t row = 0; row < table->rows; row++) {
        fprintf(view->out, "      %" PRIu64 ":", row);
        for (unsigned i = 0; i < table->attribute_count; i++) {
            const struct attribute *attribute = &table->attributes[i];
            if (!element_text(table, row, attribute, text, sizeof text))
                continue;
            fprintf(view->out, "  %u %s (%s)", attribute->number, text, attribute->format);
        }
        putc('\n', view->out);
    }
}

static void print_table_json(struct view *view, const struct table *table)
{
    struct json *json = &view->json;
    char text[256];
    json_object(json, NULL);
    json_number(json, "submit", view->submit);
    json_number(json, "stream", view->command);
    json_number(json, "frame", view->stream);
    json_number(json, "draw_number", view->state.draws);
    json_string(json, "vertices", table->from.name);
    json_number(json, "target_address", table->from.address);
    json_number(json, "stride_bytes", table->from.stride);
    json_array(json, "rows");
    for (uint64_t row = 0; row < table->rows; row++) {
        json_array(json, NULL);
        for (unsigned i = 0; i < table->attribute_count; i++) {
            const struct attribute *attribute = &table->attributes[i];
            if (!element_text(table, row, attribute, text, sizeof text))
                continue;
            json_object(json, NULL);
            json_number(json, "attribute", attribute->number);
            json_string(json, "format", attribute->format);
            json_string(json, "text", text);
            json_end(json);
        }
        json_end(json);
    }
    json_end(json);
    json_end(json);
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

static bool show_buffer(struct view *view, unsigned number, const struct attribute *attributes, unsigned count)
{
    struct table table = {.buffer = number, .attributes = attributes, .attribute_count = count};
    if (!attributes_buffer(view, number, &table.from) || table.from.stride > VERTEX_BYTES_MAX)
        return true;
    uint64_t rows = count_rows(&table, table.from.size);
    size_t wanted = rows ? (size_t)((rows - 1) * table.from.stride + element_bytes(&table)) : 0;
    table.bytes = calloc(1, ROWS_MAX * VERTEX_BYTES_MAX);
    if (!table.bytes)
        return false;
    table.rows = count_rows(
        &table, gpucode_stream_load(view->recording->stream, view->submit, table.from.address, table.bytes, wanted));
    if (view->json.out)
        print_table_json(view, &table);
    else
        print_table_text(view, &table);
    free(table.bytes);
    return true;
}

/* --- indices ----------------------------------------------------------------------------------------------------- */

void vertices_note(struct view *view, const struct gpucode_packet_event *event)
{
    struct view_indices *indices = &view->indices;
    if (event->kind == GPUCODE_PACKET_BEGIN) {
        *indices = (struct view_indices){0};
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

static void show_indices(struct view *view, const struct gpucode_packet_event *draw)
{
    const struct view_indices *indices = &view->indices;
    unsigned char bytes[4 * INDICES_MAX];
    if (!indices->used || !indices->address || !indices->bytes)
        return;
    uint64_t address = indices->address + indices->first * indices->bytes;
    uint32_t count = draw->count < INDICES_MAX ? draw->count : INDICES_MAX;
    count = (uint32_t)gpucode_stream_load(view->recording->stream, view->submit, address, bytes,
                                          (size_t)count * indices->bytes) /
            indices->bytes;
    struct json *json = &view->json;
    if (json->out) {
        json_object(json, NULL);
        json_number(json, "submit", view->submit);
        json_number(json, "stream", view->command);
        json_number(json, "frame", view->stream);
        json_number(json, "draw_number", view->state.draws);
        json_number(json, "target_address", address);
        json_array(json, "indices");
    } else {
        fprintf(view->out, "    indices of %u bytes at %012" PRIx64 ":", indices->bytes, address);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = take_bits(bytes, 8 * indices->bytes * i, 8 * indices->bytes);
        if (json->out)
            json_number(json, NULL, value);
        else
            fprintf(view->out, " %" PRIu32, value);
    }
    if (json->out) {
        json_end(json);
        json_end(json);
    } else {
        fputs(!count ? " not recorded\n" : count < draw->count ? " ...\n" : "\n", view->out);
    }
}

bool vertices_show(struct view *view, const struct gpucode_packet_event *draw)
{
    struct attribute attributes[ATTRIBUTES_MAX];
    if (view->form->end)
        view->form->end(view);
    show_indices(view, draw);
    unsigned count = attributes_find(view, attributes), buffers = attributes_buffers(view, attributes, count);
    for (unsigned i = 0; i < buffers; i++)
        if (!show_buffer(view, i, attributes, count))
            return false;
    return true;
}
