/* SPDX-License-Identifier: MIT */
/* What all forms of output ask: names, places, and whether something is shown. */
#include "gpu/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *view_register(const struct view *view, uint32_t number, char name[GPUCODE_NAME_MAX])
{
    size_t length = 0;
    if (view->names && view->names->name)
        length = view->names->name(view->names->user, GPUCODE_SPACE_GPU, number, name, GPUCODE_NAME_MAX - 1);
    if (length)
        name[length < GPUCODE_NAME_MAX ? length : GPUCODE_NAME_MAX - 1] = 0;
    else if (!gpucode_register_name(view->recording->family, number, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "0x%04" PRIx32, number);
    return name;
}

const char *view_value(const struct view *view, uint32_t number, uint64_t value, char text[VIEW_TEXT_MAX])
{
    gpucode_meanings_text(view->meanings, view->recording->family, number, value, text, VIEW_TEXT_MAX);
    return text;
}

/* Keeps a name; 0: no memory. */
static uint32_t keep_name(struct view *view, const char *name, size_t length)
{
    if (view->name_room - view->name_length < length) {
        size_t room = view->name_room ? 2 * view->name_room : 16384;
        char *text = realloc(view->name_text, room);
        if (!text)
            return 0;
        view->name_text = text;
        view->name_room = room;
    }
    if (!view->name_length)
        view->name_length = 1; /* 0: none */
    size_t at = view->name_length;
    memcpy(view->name_text + at, name, length);
    view->name_length += length;
    return (uint32_t)at;
}

/* Finds out what is kept of a number. By itself, so that who finds it kept has no registers to save. */
static __attribute__((noinline)) void keep_number(struct view *view, uint32_t number, struct view_number *kept)
{
    char name[GPUCODE_NAME_MAX];
    struct gpucode_field_value field;
    struct gpucode_pointer pointer;
    kept->length = (uint8_t)strlen(view_register(view, number, name));
    kept->name = keep_name(view, name, kept->length);
    kept->pointer = gpucode_pointer_find(view->recording->family, number, &pointer);
    kept->address = gpucode_meanings_fields(view->meanings, view->recording->family, number, 0, &field, 1) == 1 &&
                    (field.type == GPUCODE_FIELD_ADDRESS || field.type == GPUCODE_FIELD_WADDRESS);
}

/* What is kept of a number; null: nothing, as there is no memory. */
static const struct view_number *find_number(struct view *view, uint32_t number)
{
    if (!view->numbers && !(view->numbers = calloc(STATE_REGISTERS, sizeof *view->numbers)))
        return NULL;
    struct view_number *kept = &view->numbers[number % STATE_REGISTERS];
    if (!kept->name)
        keep_number(view, number, kept);
    return kept->name ? kept : NULL;
}

bool view_is_pointer(struct view *view, uint32_t number)
{
    struct gpucode_pointer pointer;
    const struct view_number *kept = find_number(view, number);
    return kept ? kept->pointer : gpucode_pointer_find(view->recording->family, number, &pointer);
}

void view_forget_numbers(struct view *view)
{
    free(view->numbers);
    free(view->name_text);
    view->numbers = NULL;
    view->name_text = NULL;
    view->name_length = view->name_room = 0;
}

const char *view_name(struct view *view, uint32_t number, size_t *length, char name[GPUCODE_NAME_MAX])
{
    const struct view_number *kept = find_number(view, number);
    const char *found = kept ? view->name_text + kept->name : view_register(view, number, name);
    *length = kept ? kept->length : strlen(found);
    return found;
}

void view_write_name(struct view *view, uint32_t number)
{
    char text[GPUCODE_NAME_MAX];
    size_t length;
    const char *name = view_name(view, number, &length, text);
    writer_text(&view->writer, name, length);
}

void view_write_place(struct view *view, uint64_t address)
{
    struct gpucode_stream_buffer buffer;
    if (!view_buffer(view, address, &buffer))
        return;
    writer_text(&view->writer, " (0x", 4);
    writer_hex(&view->writer, buffer.address, 1);
    writer_text(&view->writer, "+0x", 3);
    writer_hex(&view->writer, address - buffer.address, 1);
    writer_char(&view->writer, ')');
}

void view_write_value(struct view *view, uint32_t number, uint64_t value)
{
    char text[VIEW_TEXT_MAX];
    const struct view_number *kept = find_number(view, number);
    size_t length = gpucode_meanings_text(view->meanings, view->recording->family, number, value, text, sizeof text);
    writer_text(&view->writer, text, length < sizeof text ? length : sizeof text - 1);
    if (kept && kept->address)
        view_write_place(view, value);
}

bool view_buffer(const struct view *view, uint64_t address, struct gpucode_stream_buffer *buffer)
{
    struct gpucode_submit submit;
    if (!address || !gpucode_stream_submit(view->recording->stream, view->submit, &submit))
        return false;
    for (size_t i = submit.buffer_count; i-- > 0;)
        if (address >= submit.buffers[i].address && address - submit.buffers[i].address < submit.buffers[i].size) {
            *buffer = submit.buffers[i];
            return true;
        }
    return false;
}

const char *view_mode(unsigned mode)
{
    return mode == 1 ? "BINNING" : mode == 2 ? "GMEM" : mode == 4 ? "SYSMEM" : NULL;
}

const char *view_trouble(enum gpucode_packet_event_kind kind)
{
    static const char *const texts[] = {[GPUCODE_PACKET_BAD_HEADER] = "no packet header",
                                        [GPUCODE_PACKET_CUT] = "packet longer than its buffer",
                                        [GPUCODE_PACKET_NO_MEMORY] = "memory not recorded",
                                        [GPUCODE_PACKET_DEEP] = "too many buffers inside one another"};
    return (size_t)kind < sizeof texts / sizeof *texts ? texts[kind] : NULL;
}

bool view_shows(const struct view *view)
{
    return view->stream >= view->first_stream && view->stream <= view->last_stream && !view->hidden &&
           (!view->one_draw || view->state.draws == view->only_draw);
}
