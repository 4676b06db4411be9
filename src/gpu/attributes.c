/* SPDX-License-Identifier: MIT */
/*
 * From a6xx on attributes name their buffer and their offset in it. On a5xx each names its buffer, which begins where
 * the attribute does. On a3xx and a4xx there are two lists that are read side by side: what is fetched, and how it is
 * taken apart; by the names of their fields an entry of the second takes SHIFTCNT bytes, and the next entry of the
 * first begins behind one with SWITCHNEXT.
 */
#include "gpu/attributes.h"

#include "gpu/view.h"

#include <stdio.h>
#include <string.h>

enum form { NONE, FETCHED, BASED, PLACED }; /* a3xx and a4xx, a5xx, later */

static enum form form_of(const struct view *view)
{
    unsigned family = view->recording->family;
    return family >= 6 ? PLACED : family == 5 ? BASED : family >= 3 ? FETCHED : NONE;
}

static unsigned field_of(const struct view *view, const char *name, const char *field)
{
    struct gpucode_field_value value;
    return view_field_named(view, name, field, &value) ? (unsigned)value.value : 0;
}

static unsigned count_attributes(const struct view *view)
{
    static const struct {
        const char *name, *field;
    } counts[] = {[FETCHED] = {"VFD_CONTROL_0", "STRMDECINSTRCNT"},
                  [BASED] = {"VFD_CONTROL_0", "VTXCNT"},
                  [PLACED] = {"VFD_CNTL_0", "DECODE_CNT"}};
    enum form form = form_of(view);
    unsigned count = form ? field_of(view, counts[form].name, counts[form].field) : 0;
    return count < ATTRIBUTES_MAX ? count : ATTRIBUTES_MAX;
}

unsigned attributes_find(const struct view *view, struct attribute list[ATTRIBUTES_MAX])
{
    enum form form = form_of(view);
    unsigned found = 0, most = count_attributes(view), buffer = 0, offset = 0;
    for (unsigned i = 0; i < most; i++) {
        struct gpucode_field_value field;
        struct attribute *attribute = &list[found];
        char name[GPUCODE_NAME_MAX];
        snprintf(name, sizeof name, form == PLACED ? "VFD_FETCH_INSTR[%u].INSTR" : "VFD_DECODE[%u].INSTR", i);
        *attribute = (struct attribute){.number = i, .buffer = buffer, .offset = offset};
        if (form == FETCHED) {
            offset += field_of(view, name, "SHIFTCNT");
            if (field_of(view, name, "SWITCHNEXT")) {
                buffer++;
                offset = 0;
            }
        } else if (view_field_named(view, name, "IDX", &field)) {
            attribute->buffer = (unsigned)field.value;
            attribute->offset = field_of(view, name, "OFFSET"); /* 0 where there is none */
        } else {
            continue;
        }
        if (!view_field_named(view, name, "FORMAT", &field))
            continue;
        memcpy(attribute->format, field.text, sizeof attribute->format);
        found++;
    }
    return found;
}

unsigned attributes_buffers(const struct view *view, const struct attribute *list, unsigned found)
{
    enum form form = form_of(view);
    unsigned count = form == PLACED    ? field_of(view, "VFD_CNTL_0", "FETCH_CNT")
                     : form == FETCHED ? field_of(view, "VFD_CONTROL_0", "STRMFETCHINSTRCNT")
                                       : 0;
    for (unsigned i = 0; form == BASED && i < found; i++)
        count = list[i].buffer >= count ? list[i].buffer + 1 : count;
    return count < ATTRIBUTE_BUFFERS_MAX ? count : ATTRIBUTE_BUFFERS_MAX;
}

static bool value_of(const struct view *view, const struct attribute_buffer *buffer, const char *member, unsigned words,
                     uint64_t *value)
{
    char name[GPUCODE_NAME_MAX];
    snprintf(name, sizeof name, "%s.%s", buffer->name, member);
    return view_value_named(view, name, words, value);
}

bool attributes_buffer(const struct view *view, unsigned number, struct attribute_buffer *buffer)
{
    enum form form = form_of(view);
    char name[GPUCODE_NAME_MAX];
    *buffer = (struct attribute_buffer){.size = UINT64_MAX};
    snprintf(buffer->name, sizeof buffer->name, form == PLACED ? "VFD_VERTEX_BUFFER[%u]" : "VFD_FETCH[%u]", number);
    if (form == FETCHED) {
        snprintf(name, sizeof name, "%s.INSTR_0", buffer->name);
        buffer->stride = field_of(view, name, "BUFSTRIDE");
        value_of(view, buffer, "INSTR_2", 1, &buffer->size); /* a4xx */
        if (!value_of(view, buffer, "INSTR_1", 1, &buffer->address))
            return false;
    } else if (!value_of(view, buffer, form == BASED ? "BASE_LO" : "BASE", 2, &buffer->address) ||
               !value_of(view, buffer, "STRIDE", 1, &buffer->stride)) {
        return false;
    } else if (!value_of(view, buffer, "SIZE", 1, &buffer->size)) {
        buffer->size = 0;
    }
    return buffer->address && buffer->stride;
}
