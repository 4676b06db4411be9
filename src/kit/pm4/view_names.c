/* SPDX-License-Identifier: MIT */
/* What all forms of output ask: names, places, and whether something is shown. */
#include "kit/pm4/view.h"

#include <inttypes.h>

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
    gpucode_register_text(view->recording->family, number, value, text, VIEW_TEXT_MAX);
    return text;
}

bool view_is_address(const struct view *view, uint32_t number)
{
    struct gpucode_field_value field;
    return gpucode_register_fields(view->recording->family, number, 0, &field, 1) == 1 &&
           (field.type == GPUCODE_FIELD_ADDRESS || field.type == GPUCODE_FIELD_WADDRESS);
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
    switch (kind) {
    case GPUCODE_PACKET_BAD_HEADER:
        return "no packet header";
    case GPUCODE_PACKET_CUT:
        return "packet longer than its buffer";
    case GPUCODE_PACKET_NO_MEMORY:
        return "memory not recorded";
    case GPUCODE_PACKET_DEEP:
        return "too many buffers inside one another";
    default:
        return NULL;
    }
}

bool view_shows(const struct view *view)
{
    return view->stream >= view->first_stream && view->stream <= view->last_stream && !view->hidden &&
           (!view->one_draw || view->state.draws == view->only_draw);
}
