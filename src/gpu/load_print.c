/* SPDX-License-Identifier: MIT */
/* Loaded contents as text and as JSON. */
#include "gpu/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_words(struct view *view, uint64_t address, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i % 8 == 0)
            fprintf(view->out, "%s      %012" PRIx64 ":", i ? "\n" : "", address + 4 * (uint64_t)i);
        fprintf(view->out, " %08" PRIx32, words[i]);
    }
    putc('\n', view->out);
}

/* Four floats in a line, and their words. */
static void print_constants(struct view *view, const struct gpucode_packet_event *event, const uint32_t *words)
{
    for (uint32_t i = 0; i < event->count; i += 4) {
        uint32_t count = event->count - i < 4 ? event->count - i : 4;
        fprintf(view->out, "      c%" PRIu64 ":", event->index * event->value / 4 + i / 4);
        for (uint32_t k = 0; k < count; k++) {
            float number;
            memcpy(&number, &words[i + k], sizeof number);
            fprintf(view->out, " %g", (double)number);
        }
        fputs("  ;", view->out);
        for (uint32_t k = 0; k < count; k++)
            fprintf(view->out, " %08" PRIx32, words[i + k]);
        putc('\n', view->out);
    }
}

static void print_shader(struct view *view, const struct gpucode_packet_event *event, const uint32_t *words)
{
    char *text = load_disassemble(view->recording->family, words, event->count);
    if (!text) {
        print_words(view, event->target_address, words, event->count);
        return;
    }
    for (const char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        fprintf(view->out, "      %.*s\n", (int)(end - line), line);
        end += *end == '\n';
    }
    free(text);
}

static void print_descriptor(struct view *view, const struct gpucode_packet_event *event, uint32_t unit,
                             const uint32_t *words, uint32_t count)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    size_t some =
        gpucode_descriptor_fields(view->recording->family, event->name, words, count, fields, GPUCODE_FIELD_VALUES_MAX);
    fprintf(view->out, "      %" PRIu32 ":", event->index + unit);
    for (size_t i = 0; i < some; i++) {
        struct gpucode_stream_buffer buffer;
        fprintf(view->out, " %s", fields[i].name);
        if (fields[i].type != GPUCODE_FIELD_BOOLEAN)
            fprintf(view->out, "=%s", fields[i].text);
        bool address = fields[i].type == GPUCODE_FIELD_ADDRESS || fields[i].type == GPUCODE_FIELD_WADDRESS;
        if (address && view_buffer(view, fields[i].value, &buffer))
            fprintf(view->out, " (0x%" PRIx64 "+0x%" PRIx64 ")", buffer.address, fields[i].value - buffer.address);
    }
    putc('\n', view->out);
}

void load_print_text(struct view *view, const struct gpucode_packet_event *event, const uint32_t *words)
{
    uint32_t unit = (uint32_t)event->value;
    if (view->open)
        putc('\n', view->out);
    view->open = false;
    fprintf(view->out, "    %s: %s, %" PRIu32 " from %u at %012" PRIx64 ", %" PRIu32 " words%s\n", event->text,
            event->name, event->number, event->index, event->target_address, event->count,
            event->count < event->number * unit ? " recorded" : "");
    if (strcmp(event->name, "shader") == 0)
        print_shader(view, event, words);
    else if (strcmp(event->name, "constants") == 0)
        print_constants(view, event, words);
    else if (gpucode_descriptor_words(event->name))
        for (uint32_t at = 0; at + unit <= event->count; at += unit)
            print_descriptor(view, event, at / unit, words + at, unit);
    else
        print_words(view, event->target_address, words, event->count);
}

static void print_unit_json(struct view *view, const struct gpucode_packet_event *event, const uint32_t *words,
                            uint32_t count)
{
    struct json *json = &view->json;
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    size_t some =
        gpucode_descriptor_fields(view->recording->family, event->name, words, count, fields, GPUCODE_FIELD_VALUES_MAX);
    json_array(json, NULL);
    for (size_t i = 0; i < some; i++) {
        json_object(json, NULL);
        json_string(json, "name", fields[i].name);
        json_number(json, "value", fields[i].value);
        json_string(json, "text", fields[i].text);
        json_end(json);
    }
    json_end(json);
}

void load_print_json(struct view *view, const struct gpucode_packet_event *event, const uint32_t *words)
{
    struct json *json = &view->json;
    uint32_t unit = (uint32_t)event->value;
    char word[9];
    view->form->end(view);
    json_object(json, NULL);
    json_number(json, "submit", view->submit);
    json_number(json, "stream", view->command);
    json_number(json, "frame", view->stream);
    json_number(json, "address", event->address);
    json_string(json, "load", event->name);
    json_string(json, "block", event->text);
    json_number(json, "target_address", event->target_address);
    json_number(json, "first_unit", event->index);
    json_number(json, "count_units", event->number);
    json_array(json, "words");
    for (uint32_t i = 0; i < event->count; i++) {
        snprintf(word, sizeof word, "%08" PRIx32, words[i]);
        json_string(json, NULL, word);
    }
    json_end(json);
    if (gpucode_descriptor_words(event->name)) {
        json_array(json, "units");
        for (uint32_t at = 0; at + unit <= event->count; at += unit)
            print_unit_json(view, event, words + at, unit);
        json_end(json);
    }
    char *text =
        strcmp(event->name, "shader") == 0 ? load_disassemble(view->recording->family, words, event->count) : NULL;
    json_string(json, "text", text);
    free(text);
    json_end(json);
}
