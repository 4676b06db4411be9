/* SPDX-License-Identifier: MIT */
/* Packets, register writes and draws as text. */
#include "front/excerpt.h"
#include "kit/pm4/view.h"

#include <inttypes.h>
#include <string.h>

static void end_line(struct view *view)
{
    if (view->open)
        putc('\n', view->out);
    view->open = false;
}

static void print_submit(struct view *view, const struct gpucode_submit *submit)
{
    fprintf(view->out, "submit %zu", view->submit);
    if (submit->text) {
        fputs(": ", view->out);
        excerpt_text(view->out, submit->text, strlen(submit->text));
    }
    putc('\n', view->out);
}

static void print_stream(struct view *view, const struct gpucode_stream_command *command)
{
    fprintf(view->out, "stream %zu: %" PRIu32 " words at 0x%" PRIx64 "\n", view->command, command->words,
            command->address);
}

/* Address and indentation; what does not run is marked in front. */
static void begin_line(struct view *view, const struct gpucode_packet_event *event)
{
    static const char marks[] = {[GPUCODE_PACKET_ALWAYS] = ' ',
                                 [GPUCODE_PACKET_TAKEN] = '+',
                                 [GPUCODE_PACKET_SKIPPED] = '-',
                                 [GPUCODE_PACKET_MAYBE] = '?'};
    end_line(view);
    fprintf(view->out, "%c %012" PRIx64 " %*s", marks[event->condition], event->address, (int)event->depth * 2 + 1, "");
}

static void print_place(struct view *view, uint64_t address)
{
    struct gpucode_stream_buffer buffer;
    if (view_buffer(view, address, &buffer))
        fprintf(view->out, " (0x%" PRIx64 "+0x%" PRIx64 ")", buffer.address, address - buffer.address);
}

/* Flags stand there when they are set; each element of a repeated layout has a line of its own. */
static void print_field(struct view *view, const struct gpucode_packet_event *event)
{
    if (event->repeated && event->index != view->element)
        fprintf(view->out, "\n%*s", (int)event->depth * 2 + 18, "");
    view->element = event->repeated ? event->index : 0;
    fprintf(view->out, " %s", event->name);
    if (event->form == GPUCODE_PACKET_BOOLEAN)
        return;
    fprintf(view->out, "=%s", event->register_name ? event->register_name : event->text);
    if (event->form == GPUCODE_PACKET_ADDRESS)
        print_place(view, event->value);
}

static void print_value(struct view *view, uint32_t number, uint64_t value)
{
    char text[VIEW_TEXT_MAX];
    fputs(view_value(view, number, value, text), view->out);
    if (view_is_address(view, number))
        print_place(view, value);
}

static void print_write(struct view *view, const struct view_write *write)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_packet_event *event = &write->event;
    begin_line(view, event);
    fprintf(view->out, "%s%s = ", event->type == 7 || event->type == 3 ? "  " : "",
            view_register(view, event->number, name));
    if (event->known)
        print_value(view, event->number, write->value);
    else
        putc('?', view->out);
    putc('\n', view->out);
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
        fputs(event->name, view->out);
        view->element = 0;
        view->open = true;
        break;
    case GPUCODE_PACKET_FIELD:
        if (view->open)
            print_field(view, event);
        break;
    case GPUCODE_PACKET_ENTER:
        end_line(view);
        if (event->source == GPUCODE_PACKET_GROUP && event->number != GPUCODE_PACKET_NO_GROUP)
            fprintf(view->out, "  %*sgroup %" PRIu32 ": %" PRIu32 " words at 0x%" PRIx64 "\n",
                    (int)event->depth * 2 + 14, "", event->number, event->count, event->target_address);
        else
            fprintf(view->out, "  %*sbuffer%s: %" PRIu32 " words at 0x%" PRIx64 "\n", (int)event->depth * 2 + 14, "",
                    event->later ? " for a switch of contexts" : "", event->count, event->target_address);
        break;
    case GPUCODE_PACKET_LEAVE:
        end_line(view);
        break;
    default:
        begin_line(view, event);
        fprintf(view->out, "*** %s: 0x%08" PRIx64 ", %" PRIu32 " words passed over\n", view_trouble(event->kind),
                event->kind == GPUCODE_PACKET_NO_MEMORY || event->kind == GPUCODE_PACKET_DEEP ? event->target_address
                                                                                              : event->value,
                event->count);
        break;
    }
}

static void print_entry(void *user, const struct state_entry *entry)
{
    struct view *view = user;
    char name[GPUCODE_NAME_MAX];
    fprintf(view->out, "%c %c %s = ", entry->changed ? '!' : ' ', entry->rewritten ? '+' : ' ',
            view_register(view, entry->number, name));
    if (entry->known)
        print_value(view, entry->number, entry->value);
    else
        putc('?', view->out);
    fprintf(view->out, "  ; %012" PRIx64, entry->address);
    if (entry->group != STATE_NO_GROUP)
        fprintf(view->out, " group %u", entry->group);
    putc('\n', view->out);
}

static void print_draw(struct view *view, const struct gpucode_packet_event *event)
{
    const char *mode = view_mode(event->mode);
    end_line(view);
    fprintf(view->out, "draw %" PRIu64 ": %s %s", view->state.draws, event->name, event->text ? event->text : "");
    if (event->count)
        fprintf(view->out, " %" PRIu32 " indices", event->count);
    if (mode)
        fprintf(view->out, " %s", mode);
    fprintf(view->out, ", submit %zu stream %zu at %012" PRIx64 "%s\n", view->submit, view->command, event->address,
            event->condition == GPUCODE_PACKET_MAYBE ? ", if its condition holds" : "");
    state_visit(&view->state, view->all, print_entry, view);
    putc('\n', view->out);
}

static void end_stream(struct view *view)
{
    end_line(view);
}

const struct view_form view_text = {print_submit, print_stream, print_event,    print_write,
                                    print_draw,   end_stream,   load_print_text};
