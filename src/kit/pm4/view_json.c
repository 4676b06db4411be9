/* SPDX-License-Identifier: MIT */
/* Packets, register writes and draws as JSON, one object a line; docs/decode.md has the schema. */
#include "kit/pm4/view.h"

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

static void begin_object(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    end_object(view);
    json_object(json, NULL);
    json_number(json, "submit", view->submit);
    json_number(json, "stream", view->command);
    json_number(json, "frame", view->stream);
    json_number(json, "address", event->address);
    json_number(json, "depth", event->depth);
    json_string(json, "condition", conditions[event->condition]);
    view->open = true;
}

static void print_word(struct json *json, const char *key, uint32_t word)
{
    char text[8];
    for (unsigned i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[word >> (28 - 4 * i) & 15];
    json_text(json, key, text, sizeof text);
}

static void print_packet(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    begin_object(view, event);
    json_number(json, "type", event->type);
    if (event->type == 7 || event->type == 3) {
        json_string(json, "packet", event->name);
        json_number(json, "opcode", event->opcode);
    }
    print_word(json, "header", event->header);
    json_array(json, "words");
    for (uint32_t i = 0; i < event->count; i++)
        print_word(json, NULL, event->words[i]);
    json_end(json);
}

static void print_place(struct view *view, uint64_t address)
{
    struct gpucode_stream_buffer buffer;
    if (!view_buffer(view, address, &buffer))
        return;
    json_number(&view->json, "buffer_address", buffer.address);
    json_number(&view->json, "buffer_offset", address - buffer.address);
}

static void print_field(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    if (!view->in_array)
        json_array(json, "fields");
    view->in_array = true;
    json_object(json, NULL);
    json_string(json, "name", event->name);
    if (event->repeated)
        json_number(json, "index", event->index);
    json_number(json, "value", event->value);
    json_string(json, "text", event->text);
    json_string(json, "register", event->register_name);
    if (event->form == GPUCODE_PACKET_ADDRESS)
        print_place(view, event->value);
    json_end(json);
}

void view_fields_json(struct view *view, uint32_t number, uint64_t value)
{
    struct json *json = &view->json;
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    size_t count = gpucode_meanings_fields(view->meanings, view->recording->family, number, value, fields,
                                           GPUCODE_FIELD_VALUES_MAX);
    if (count == 1 && strcmp(fields[0].name, "-") == 0) {
        json_string(json, "text", fields[0].text);
        if (fields[0].type == GPUCODE_FIELD_ADDRESS || fields[0].type == GPUCODE_FIELD_WADDRESS)
            print_place(view, value);
    }
    json_array(json, "fields");
    for (size_t i = 0; i < count; i++) {
        json_object(json, NULL);
        json_string(json, "name", fields[i].name);
        json_number(json, "value", fields[i].value);
        json_string(json, "text", fields[i].text);
        json_end(json);
    }
    json_end(json);
}

static void print_write(struct view *view, const struct view_write *write)
{
    struct json *json = &view->json;
    char name[GPUCODE_NAME_MAX];
    begin_object(view, &write->event);
    json_string(json, "register", view_register(view, write->event.number, name));
    json_number(json, "number", write->event.number);
    if (write->words == 2)
        json_number(json, "count_words", 2);
    if (write->event.known) {
        json_number(json, "value", write->value);
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
