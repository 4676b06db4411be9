/* SPDX-License-Identifier: MIT */
#include "isa/lines.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void isa_lines_free(struct isa_lines *listing)
{
    buffer_free(&listing->text);
    free(listing->units);
    free(listing->marks);
    *listing = (struct isa_lines){0};
}

/* Room for one more item; false, and the listing has failed, when out of memory. */
static bool grow_records(struct isa_lines *listing, void **items, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return true;
    uint32_t wanted = *room ? 2 * *room : 1024;
    void *grown = wanted > *room ? realloc(*items, wanted * size) : NULL;
    if (!grown) {
        listing->text.failed = true;
        return false;
    }
    *items = grown;
    *room = wanted;
    return true;
}

void isa_lines_keep_unit(struct isa_lines *listing, const struct gpucode_unit *unit)
{
    if (!grow_records(listing, (void **)&listing->units, listing->unit_count, &listing->unit_room,
                      sizeof *listing->units))
        return;
    struct gpucode_unit *kept = &listing->units[listing->unit_count++];
    *kept = *unit;
    kept->routine = GPUCODE_NONE;
    kept->first_label = listing->marks_taken;
    kept->label_count = (uint16_t)(listing->mark_count - listing->marks_taken);
    kept->begins = listing->begins;
    listing->marks_taken = listing->mark_count;
    listing->begins = false;
}

void isa_lines_keep_mark(struct isa_lines *listing, enum gpucode_mark_kind kind, size_t offset, size_t length)
{
    if (grow_records(listing, (void **)&listing->marks, listing->mark_count, &listing->mark_room,
                     sizeof *listing->marks))
        listing->marks[listing->mark_count++] = (struct gpucode_mark){{offset, length}, kind, 0};
}

void isa_lines_move(struct isa_lines *listing, size_t offset, size_t length)
{
    for (uint32_t i = 0; i < listing->unit_count; i++) {
        struct gpucode_unit *unit = &listing->units[i];
        if (unit->line < offset)
            continue;
        unit->line += length;
        unit->text.offset += length;
        unit->comment.offset += length;
    }
    for (uint32_t i = 0; i < listing->mark_count; i++)
        if (listing->marks[i].name.offset >= offset)
            listing->marks[i].name.offset += length;
}

void isa_lines_spans(const struct isa_lines *listing, struct gpucode_unit *unit, const char *comment, const char *start,
                     const char *middle, const char *end)
{
    const char *bytes = listing->text.bytes;
    size_t mark = strlen(comment);
    unit->line = listing->text.length;
    unit->text = (struct gpucode_span){(size_t)(start - bytes), (size_t)(middle - start)};
    while (middle < end && (*middle == ' ' || *middle == '\t'))
        middle++;
    if ((size_t)(end - middle) >= mark && memcmp(middle, comment, mark) == 0)
        middle += mark;
    middle += middle < end && *middle == ' ';
    unit->comment = (struct gpucode_span){(size_t)(middle - bytes), (size_t)(end - middle)};
}

void isa_lines_tail(struct isa_lines *listing, const struct isa_layout *layout, unsigned section, uint64_t at)
{
    uint32_t tail = layout->info.tail;
    if (!tail || !buffer_reserve(&listing->text, 16 + 8 * (size_t)tail))
        return;
    struct gpucode_unit unit = {.at = at,
                                .unit = layout->info.units,
                                .row = GPUCODE_ROW_NONE,
                                .section = (uint8_t)section,
                                .size = (uint8_t)tail,
                                .kind = GPUCODE_UNIT_DATA};
    const unsigned char *bytes = layout->bytes + layout->size - tail;
    char *start = buffer_end(&listing->text), *end = TEXT_LITERAL(start, ".byte ");
    for (uint32_t i = 0; i < tail; i++) {
        end = text_hex_fixed(TEXT_LITERAL(i ? TEXT_LITERAL(end, ", ") : end, "0x"), bytes[i], 2);
        unit.bits |= (uint64_t)bytes[i] << 8 * i;
    }
    isa_lines_spans(listing, &unit, "", start, end, end);
    isa_lines_unit(listing, &unit);
    *end++ = '\n';
    buffer_commit(&listing->text, end);
}
