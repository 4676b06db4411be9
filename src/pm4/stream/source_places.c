/* SPDX-License-Identifier: MIT */
/* What addresses are called in the text of a recording. */
#include "pm4/stream/source.h"

#include <inttypes.h>
#include <stdio.h>

struct region *source_find(const struct source *source, uint64_t address)
{
    struct region *found = NULL;
    size_t low = 0, high = source->region_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->by_address[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low-- && source->by_address[low]->most >= address;) {
        struct region *region = source->by_address[low];
        if (address - region->address < region->size && (!found || region->number > found->number))
            found = region;
    }
    return found;
}

size_t source_item(const struct region *region, size_t word)
{
    while (word && !(region->marks[word] & MARK_ITEM))
        word--;
    return word;
}

bool source_refer(struct source *source, uint64_t address, unsigned marks, char *text)
{
    struct region *region = source_find(source, address);
    if (!region)
        return false;
    uint64_t offset = address - region->address;
    size_t word = region->marks && offset < region->length ? (size_t)(offset / 4) : 0;
    if (source->marking) {
        if (word && offset % 4 == 0)
            region->marks[word] |= (uint8_t)(MARK_TARGET | marks);
        else if (word)
            region->marks[word] |= MARK_TARGET;
        else if (region->marks && !offset)
            region->marks[0] |= (uint8_t)marks;
        return true;
    }
    word = word ? source_item(region, word) : 0;
    if (word && !(region->marks[word] & MARK_LABEL))
        word = 0;
    int length = snprintf(text, SOURCE_NAME, word ? "&b%zu_%zx" : "&b%zu", region->number, 4 * word);
    if (offset > 4 * word)
        snprintf(text + length, SOURCE_NAME - (size_t)length, "+0x%" PRIx64, offset - 4 * word);
    return true;
}

bool source_measure(struct source *source, const uint64_t *from, uint64_t to, char *text)
{
    char name[SOURCE_NAME] = "&";
    uint64_t start = from ? *from : to - 1;
    struct region *region = source_find(source, start);
    if (!region || !region->marks || to <= start || to - region->address > region->length / 4 * 4 ||
        (to - region->address) % 4)
        return false;
    size_t word = (size_t)((to - region->address) / 4);
    if (source->marking) {
        region->marks[word] |= MARK_END;
        return true;
    }
    if (!(region->marks[word] & MARK_ITEM) || !(region->marks[word] & MARK_END) ||
        (from && !source_refer(source, start, 0, name)))
        return false;
    snprintf(text, SOURCE_REFERENCE, "&words(%s%sb%zu_to_%zx)", name + 1, from ? ", " : "", region->number, 4 * word);
    return true;
}
