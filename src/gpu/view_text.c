/* SPDX-License-Identifier: MIT */
/* Packets, register writes and draws as text. */
#include "front/terminal.h"
#include "gpu/view.h"

#include <string.h>

static void end_line(struct view *view)
{
    if (view->open)
        writer_char(&view->writer, '\n');
    view->open = false;
}

/* A number with the text in front of it. */
static void write_decimal(struct view *view, const char *before, uint64_t number)
{
    writer_string(&view->writer, before);
    writer_decimal(&view->writer, number);
}

static void write_hex(struct view *view, const char *before, uint64_t number, unsigned digits)
{
    writer_string(&view->writer, before);
    writer_hex(&view->writer, number, digits);
}

static void print_submit(struct view *view, const struct gpucode_submit *submit)
{
    write_decimal(view, "submit ", view->submit);
    if (submit->text) {
        writer_string(&view->writer, ": ");
        writer_flush(&view->writer);
        excerpt_text(view->out, submit->text, strlen(submit->text));
    }
    writer_char(&view->writer, '\n');
}

static void print_stream(struct view *view, const struct gpucode_stream_command *command)
{
    write_decimal(view, "stream ", view->command);
    write_decimal(view, ": ", command->words);
    write_hex(view, " words at 0x", command->address, 1);
    writer_char(&view->writer, '\n');
}

/* Address and indentation; what does not run is marked in front. */
static void begin_line(struct view *view, const struct gpucode_packet_event *event)
{
    static const char marks[] = {[GPUCODE_PACKET_ALWAYS] = ' ',
                                 [GPUCODE_PACKET_TAKEN] = '+',
                                 [GPUCODE_PACKET_SKIPPED] = '-',
                                 [GPUCODE_PACKET_MAYBE] = '?'};
    end_line(view);
    writer_char(&view->writer, marks[event->condition]);
    writer_char(&view->writer, ' ');
    writer_hex(&view->writer, event->address, 12);
    writer_spaces(&view->writer, event->depth * 2 + 2);
}

/* Flags stand there when they are set; each element of a repeated layout has a line of its own. */
static void print_field(struct view *view, const struct gpucode_packet_event *event)
{
    struct writer *out = &view->writer;
    if (event->repeated && event->index != view->element) {
        writer_char(out, '\n');
        writer_spaces(out, event->depth * 2 + 18);
    }
    view->element = event->repeated ? event->index : 0;
    writer_char(out, ' ');
    writer_string(out, event->name);
    if (event->form == GPUCODE_PACKET_BOOLEAN)
        return;
    writer_char(out, '=');
    writer_string(out, event->register_name ? event->register_name : event->text);
    if (event->form == GPUCODE_PACKET_ADDRESS)
        view_write_place(view, event->value);
}

static void print_write(struct view *view, const struct view_write *write)
{
    const struct gpucode_packet_event *event = &write->event;
    begin_line(view, event);
    if (event->type == 7 || event->type == 3)
        writer_text(&view->writer, "  ", 2);
    view_write_name(view, event->number);
    writer_text(&view->writer, " = ", 3);
    if (event->known)
        view_write_value(view, event->number, write->value);
    else
        writer_char(&view->writer, '?');
    writer_char(&view->writer, '\n');
}

/* The first line of a buffer or group. */
static void print_enter(struct view *view, const struct gpucode_packet_event *event)
{
    end_line(view);
    writer_spaces(&view->writer, event->depth * 2 + 16);
    if (event->source == GPUCODE_PACKET_GROUP && event->number != GPUCODE_PACKET_NO_GROUP)
        write_decimal(view, "group ", event->number);
    else
        writer_string(&view->writer, event->later ? "buffer for a switch of contexts" : "buffer");
    write_decimal(view, ": ", event->count);
    write_hex(view, " words at 0x", event->target_address, 1);
    writer_char(&view->writer, '\n');
}

static void print_trouble(struct view *view, const struct gpucode_packet_event *event)
{
    bool elsewhere = event->kind == GPUCODE_PACKET_NO_MEMORY || event->kind == GPUCODE_PACKET_DEEP;
    begin_line(view, event);
    writer_string(&view->writer, "*** ");
    writer_string(&view->writer, view_trouble(event->kind));
    write_hex(view, ": 0x", elsewhere ? event->target_address : event->value, 8);
    write_decimal(view, ", ", event->count);
    writer_string(&view->writer, " words passed over\n");
}

static void print_event(struct view *view, const struct gpucode_packet_event *event)
{
    switch (event->kind) {
    case GPUCODE_PACKET_BEGIN:
        end_line(view);
        if (event->type == 4 || event->type == 0 || event->type == 2)
            break; /* the lines of its registers say all */
        if (!view->writes && event->name && strcmp(event->name, "CP_NOP") == 0)
            break;
        begin_line(view, event);
        writer_string(&view->writer, event->name);
        view->element = 0;
        view->open = true;
        break;
    case GPUCODE_PACKET_FIELD:
        if (view->open)
            print_field(view, event);
        break;
    case GPUCODE_PACKET_ENTER:
        print_enter(view, event);
        break;
    case GPUCODE_PACKET_LEAVE:
        end_line(view);
        break;
    default:
        print_trouble(view, event);
        break;
    }
}

static void print_entry(void *user, const struct state_entry *entry)
{
    struct view *view = user;
    const char marks[] = {entry->changed ? '!' : ' ', ' ', entry->rewritten ? '+' : ' ', ' '};
    writer_text(&view->writer, marks, sizeof marks);
    view_write_name(view, entry->number);
    writer_text(&view->writer, " = ", 3);
    if (entry->known)
        view_write_value(view, entry->number, entry->value);
    else
        writer_char(&view->writer, '?');
    write_hex(view, "  ; ", entry->address, 12);
    if (entry->group != STATE_NO_GROUP)
        write_decimal(view, " group ", entry->group);
    writer_char(&view->writer, '\n');
}

static void print_draw(struct view *view, const struct gpucode_packet_event *event)
{
    struct writer *out = &view->writer;
    const char *mode = view_mode(event->mode);
    end_line(view);
    write_decimal(view, "draw ", view->state.draws);
    writer_string(out, ": ");
    writer_string(out, event->name);
    writer_char(out, ' ');
    writer_string(out, event->text ? event->text : "");
    if (event->count) {
        write_decimal(view, " ", event->count);
        writer_string(out, " indices");
    }
    writer_string(out, mode ? " " : "");
    writer_string(out, mode ? mode : "");
    write_decimal(view, ", submit ", view->submit);
    write_decimal(view, " stream ", view->command);
    write_hex(view, " at ", event->address, 12);
    writer_string(out, event->condition == GPUCODE_PACKET_MAYBE ? ", if its condition holds\n" : "\n");
    state_visit(&view->state, view->all, print_entry, view);
    writer_char(out, '\n');
}

static void end_stream(struct view *view)
{
    end_line(view);
    writer_flush(&view->writer);
}

const struct view_form view_text = {print_submit, print_stream, print_event,    print_write,
                                    print_draw,   end_stream,   load_print_text};
