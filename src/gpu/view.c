/* SPDX-License-Identifier: MIT */
/* From recording to events: streams, joined writes, state, what is shown and what is not. */
#include "gpu/view.h"
#include "front/grow.h"

#include "front/code.h"
#include "front/session.h"

#include <stdlib.h>
#include <string.h>

static size_t load_recorded(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct view *view = user;
    return gpucode_stream_load(view->recording->stream, view->submit, address, bytes, size);
}

static void flush_write(struct view *view)
{
    struct view_write write = view->pending;
    if (!write.words)
        return;
    view->pending.words = 0;
    if (view->query)
        query_write(view, &write);
    if (view->packets && view->writes && view_shows(view))
        view->form->write(view, &write);
}

/* The second word of a 64-bit register joins the first. */
static void take_write(struct view *view, const struct gpucode_packet_event *event)
{
    struct view_write *pending = &view->pending;
    if (pending->words == 1 && event->number == pending->event.number + 1 && event->known && pending->event.known &&
        event->condition == pending->event.condition && event->depth == pending->event.depth &&
        gpucode_meanings_words(view->meanings, view->recording->family, pending->event.number) == 2) {
        pending->words = 2;
        pending->value |= event->value << 32;
    } else {
        flush_write(view);
        *pending = (struct view_write){*event, event->value, 1};
    }
    if (event->condition != GPUCODE_PACKET_SKIPPED && !view->later)
        state_write(&view->state, event->number, (uint32_t)event->value, event->known, event->address, view->group);
    if (pending->words == 2)
        flush_write(view);
}

/* --once: has the buffer been shown in this mode? */
static bool is_repeated(struct view *view, const struct gpucode_packet_event *event)
{
    unsigned mode = view->mode;
    for (size_t i = 0; i < view->seen_count; i++)
        if (view->seen[i].address == event->target_address) {
            bool repeated = view->seen[i].modes & mode;
            view->seen[i].modes |= mode;
            return repeated;
        }
    if (!grow(&view->seen, view->seen_count, &view->seen_room, sizeof *view->seen))
        return false;
    view->seen[view->seen_count++] = (struct seen){event->target_address, mode};
    return false;
}

static void take_draw(struct view *view, const struct gpucode_packet_event *event)
{
    bool counts = event->condition != GPUCODE_PACKET_SKIPPED && !view->later;
    view->mode = event->mode;
    if (!counts)
        return;
    writer_flush(&view->writer);
    if ((view->loads || view->extract) && view_shows(view))
        pointed_show(view, event);
    if ((view->loads & LOAD_VERTICES) && view_shows(view) && !vertices_show(view, event))
        view->code = out_of_memory(&view->session->diagnostics);
    if (view->query)
        query_draw(view, event);
    else if (view->list)
        draw_list_add(view, event);
    else if (view->draws && view_shows(view))
        view->form->draw(view, event);
    else
        state_visit(&view->state, false, NULL, NULL);
}

static void enter_buffer(struct view *view, const struct gpucode_packet_event *event)
{
    if (event->kind == GPUCODE_PACKET_ENTER) {
        if (event->source == GPUCODE_PACKET_GROUP && event->number != GPUCODE_PACKET_NO_GROUP)
            view->group = event->number;
        view->later |= event->later;
        if (view->once && !view->hidden && event->source != GPUCODE_PACKET_GROUP && is_repeated(view, event))
            view->hidden = event->depth + 1;
    } else {
        if (event->source == GPUCODE_PACKET_GROUP && event->number != GPUCODE_PACKET_NO_GROUP)
            view->group = STATE_NO_GROUP;
        if (event->later)
            view->later = false;
        if (view->hidden == event->depth + 1)
            view->hidden = 0;
    }
}

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct view *view = user;
    if (event->condition != GPUCODE_PACKET_SKIPPED) /* what is skipped may be anything */
        view->trouble |= event->kind == GPUCODE_PACKET_BAD_HEADER || event->kind == GPUCODE_PACKET_CUT ||
                         event->kind == GPUCODE_PACKET_DEEP;
    if (event->kind == GPUCODE_PACKET_WRITE) {
        take_write(view, event);
        return !ferror(view->out);
    }
    flush_write(view);
    if (event->kind == GPUCODE_PACKET_LOAD) {
        writer_flush(&view->writer);
        return load_take(view, event) && !ferror(view->out);
    }
    if (event->kind == GPUCODE_PACKET_DRAW) {
        take_draw(view, event);
        return !view->code && !ferror(view->out);
    }
    if ((view->loads & LOAD_VERTICES) && (event->kind == GPUCODE_PACKET_BEGIN || event->kind == GPUCODE_PACKET_FIELD))
        vertices_note(view, event);
    if (event->kind == GPUCODE_PACKET_ENTER || event->kind == GPUCODE_PACKET_LEAVE)
        enter_buffer(view, event);
    if (view->packets && view_shows(view))
        view->form->event(view, event);
    return !ferror(view->out);
}

static enum gpucode_status run_submit(struct view *view, struct gpucode_packets *packets,
                                      const struct gpucode_submit *submit)
{
    enum gpucode_status status = GPUCODE_OK;
    if (view->packets && view->form->submit && view_shows(view))
        view->form->submit(view, submit);
    progress_show(&view->progress, view->recording->file.name, (int)view->submit,
                  (int)gpucode_stream_submit_count(view->recording->stream));
    for (view->command = 0; view->command < submit->command_count && status == GPUCODE_OK && !view->code;
         view->command++) {
        const struct gpucode_stream_command *command = &submit->commands[view->command];
        if (view->packets && view->form->stream && view_shows(view))
            view->form->stream(view, command);
        view->group = STATE_NO_GROUP;
        view->later = false;
        view->hidden = 0;
        status = gpucode_packets_walk(packets, command->address, command->words);
        flush_write(view);
        if (view->form->end)
            view->form->end(view);
        view->stream++;
    }
    return status;
}

int view_run(struct view *view)
{
    struct gpucode_packet_options options = {
        .target = view->recording->target,
        .family = view->recording->family,
        .names = view->names,
        .meanings = view->meanings,
        .read = load_recorded,
        .event = take_event,
        .user = view,
        .fields = view->packets || view->loads || view->extract,
        .limit = recording_limit(view->recording),
    };
    struct diagnostics *diagnostics = &view->session->diagnostics;
    const char *file = view->recording->file.name;
    struct gpucode_packets *packets;
    enum gpucode_status status = gpucode_packets_create(&options, &packets);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(diagnostics, CLI_GPU_STREAM_PACKETS, file, NULL, gpucode_target_name(view->recording->target));
    if (status == GPUCODE_OK && !state_create(&view->state, view->recording->family, view->meanings))
        status = GPUCODE_ERROR_MEMORY;
    struct gpucode_submit submit;
    view->mode = 4;
    view->writer.out = view->out;
    view->json.keep = true;
    progress_begin(&view->progress);
    for (; status == GPUCODE_OK && !view->code && gpucode_stream_submit(view->recording->stream, view->submit, &submit);
         view->submit++)
        status = run_submit(view, packets, &submit);
    progress_clear(&view->progress);
    writer_flush(&view->writer);
    view->json.keep = false;
    writer_flush(&view->json.writer);
    view_forget_numbers(view);
    gpucode_packets_free(packets);
    free(view->seen);
    view->seen = NULL;
    if (status == GPUCODE_ERROR_RANGE)
        return complain(diagnostics, CLI_GPU_STREAM_LONG, file, NULL);
    return status == GPUCODE_OK ? view->code : code_status(view->session, file, status);
}
