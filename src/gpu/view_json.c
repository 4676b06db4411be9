/* SPDX-License-Identifier: MIT */
/* Packets, register writes and draws as JSON, one object a line; docs/decode.md has the schema. */
#include "gpu/view.h"

#include <stdio.h>
#include <string.h>

static const char *const conditions[] = {
    [GPUCODE_PACKET_ALWAYS] = NULL,
    [GPUCODE_PACKET_TAKEN] = "taken",
    [GPUCODE_PACKET_SKIPPED] = "skipped",
    [GPUCODE_PACKET_MAYBE] = "maybe",
};

static void end_object(struct view *view)
{
    if (view->in_array)
        json_end(&view->json);
    if (view->open)
        json_end(&view->json);
    view->open = view->in_array = false;
}

/* The members that all objects of a stream begin with. */
static void write_place(struct view *view)
{
    struct view_place *place = &view->place;
    if (!place->length || place->submit != view->submit || place->command != view->command ||
        place->stream != view->stream) {
        place->submit = view->submit;
        place->command = view->command;
        place->stream = view->stream;
        place->length =
            (size_t)snprintf(place->text, sizeof place->text,
                             "\"submit\": %zu, \"stream\": %zu, \"frame\": %zu, \"address\": ", view->submit,
                             view->command, view->stream);
    }
    writer_text(&view->json.writer, place->text, place->length);
}

static void begin_object(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    end_object(view);
    json_object(json, NULL);
    write_place(view);
    writer_decimal(&json->writer, event->address);
    JSON_NEXT(json, "depth");
    writer_decimal(&json->writer, event->depth);
    json->level[0].used = true;
    json_string(json, "condition", conditions[event->condition]);
    view->open = true;
}

static void print_packet(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    begin_object(view, event);
    JSON_NEXT(json, "type");
    writer_decimal(&json->writer, event->type);
    if (event->type == 7 || event->type == 3) {
        json_string(json, "packet", event->name);
        json_number(json, "opcode", event->opcode);
    }
    JSON_NEXT(json, "header");
    json_put_word(json, event->header);
    json_words(json, "words", event->words, event->count);
}

static void print_place(struct view *view, uint64_t address)
{
    struct gpucode_stream_buffer buffer;
    if (!view_buffer(view, address, &buffer))
        return;
    JSON_NEXT(&view->json, "buffer_address");
    writer_decimal(&view->json.writer, buffer.address);
    JSON_NEXT(&view->json, "buffer_offset");
    writer_decimal(&view->json.writer, address - buffer.address);
}

/* The object of a field is begun: behind its value the caller ends it. */
static void begin_field(struct json *json, const char *name)
{
    bool *used = &json->level[json->depth - 1].used;
    if (*used)
        JSON_LITERAL(json, ", ");
    *used = true;
    JSON_LITERAL(json, "{\"name\": ");
    json_put_text(json, name, strlen(name));
}

static void put_value(struct json *json, uint64_t value, const char *text)
{
    JSON_NEXT(json, "value");
    writer_decimal(&json->writer, value);
    if (!text)
        return;
    JSON_NEXT(json, "text");
    json_put_text(json, text, strlen(text));
}

static void print_field(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    if (!view->in_array)
        json_array(json, "fields");
    view->in_array = true;
    begin_field(json, event->name);
    if (event->repeated) {
        JSON_NEXT(json, "index");
        writer_decimal(&json->writer, event->index);
    }
    put_value(json, event->value, event->text);
    if (event->register_name) {
        JSON_NEXT(json, "register");
        json_put_text(json, event->register_name, strlen(event->register_name));
    }
    if (event->form == GPUCODE_PACKET_ADDRESS)
        print_place(view, event->value);
    JSON_LITERAL(json, "}");
}

/* "name" : "-", "fields": [...] of a register's value. */
static void view_fields_json(struct view *view, uint32_t number, uint64_t value)
{
    struct json *json = &view->json;
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    size_t count = gpucode_meanings_fields(view->meanings, view->recording->family, number, value, fields,
                                           GPUCODE_FIELD_VALUES_MAX);
    if (count == 1 && strcmp(fields[0].name, "-") == 0) {
        JSON_NEXT(json, "text");
        json_put_text(json, fields[0].text, strlen(fields[0].text));
        if (fields[0].type == GPUCODE_FIELD_ADDRESS || fields[0].type == GPUCODE_FIELD_WADDRESS)
            print_place(view, value);
    }
    json_array(json, "fields");
    for (size_t i = 0; i < count; i++) {
        begin_field(json, fields[i].name);
        put_value(json, fields[i].value, fields[i].text);
        JSON_LITERAL(json, "}");
    }
    json_end(json);
}

static void print_write(struct view *view, const struct view_write *write)
{
    struct json *json = &view->json;
    char text[GPUCODE_NAME_MAX];
    size_t length;
    const char *name = view_name(view, write->event.number, &length, text);
    begin_object(view, &write->event);
    JSON_NEXT(json, "register");
    json_put_text(json, name, length);
    JSON_NEXT(json, "number");
    writer_decimal(&json->writer, write->event.number);
    if (write->words == 2)
        json_number(json, "count_words", 2);
    if (write->event.known) {
        put_value(json, write->value, NULL);
        view_fields_json(view, write->event.number, write->value);
    }
    end_object(view);
}

static void print_event(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    switch (event->kind) {
    case GPUCODE_PACKET_BEGIN:
        if (!view->writes && event->type != 7 && event->type != 3)
            end_object(view);
        else
            print_packet(view, event);
        return;
    case GPUCODE_PACKET_FIELD:
        print_field(view, event);
        return;
    case GPUCODE_PACKET_ENTER:
    case GPUCODE_PACKET_LEAVE:
        begin_object(view, event);
        json_string(json, event->kind == GPUCODE_PACKET_ENTER ? "enter" : "leave",
                    event->number == GPUCODE_PACKET_NO_GROUP ? "buffer" : "group");
        if (event->number != GPUCODE_PACKET_NO_GROUP)
            json_number(json, "group", event->number);
        json_number(json, "target_address", event->target_address);
        json_number(json, "count_words", event->count);
        if (event->later)
            json_bool(json, "later", true);
        break;
    default:
        begin_object(view, event);
        json_string(json, "trouble", view_trouble(event->kind));
        json_number(json, "target_address", event->target_address);
        json_number(json, "value", event->value);
        json_number(json, "count_words", event->count);
        break;
    }
    end_object(view);
}

static void print_entry(void *user, const struct state_entry *entry)
{
    struct view *view = user;
    struct json *json = &view->json;
    char name[GPUCODE_NAME_MAX];
    json_object(json, NULL);
    json_string(json, "register", view_register(view, entry->number, name));
    json_number(json, "number", entry->number);
    json_bool(json, "changed", entry->changed);
    json_bool(json, "rewritten", entry->rewritten);
    json_number(json, "address", entry->address);
    if (entry->group != STATE_NO_GROUP)
        json_number(json, "group", entry->group);
    if (entry->known) {
        json_number(json, "value", entry->value);
        view_fields_json(view, entry->number, entry->value);
    }
    json_end(json);
}

static void print_draw(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    begin_object(view, event);
    json_number(json, "draw", view->state.draws);
    json_string(json, "packet", event->name);
    json_string(json, "primitive", event->text);
    json_number(json, "count_indices", event->count);
    json_string(json, "mode", view_mode(event->mode));
    json_array(json, "registers");
    state_visit(&view->state, view->all, print_entry, view);
    json_end(json);
    end_object(view);
}

const struct view_form view_json = {NULL, NULL, print_event, print_write, print_draw, end_object, load_print_json};
