/* SPDX-License-Identifier: MIT */
#include "front/changes.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const struct changes *changes, const struct change *change)
{
    uint64_t hash = (change->index ^ (uint64_t)(unsigned)change->space << 56 ^ (uint64_t)change->processor << 48) *
                    UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 20) & (changes->slot_count - 1);
}

static struct change *find_change(const struct changes *changes, const struct change *wanted, size_t *slot)
{
    for (*slot = slot_of(changes, wanted); changes->slots[*slot]; *slot = (*slot + 1) & (changes->slot_count - 1)) {
        struct change *change = &changes->list[changes->slots[*slot] - 1];
        if (change->space == wanted->space && change->index == wanted->index && change->processor == wanted->processor)
            return change;
    }
    return NULL;
}

static bool grow_list(struct changes *changes)
{
    size_t room = changes->room ? 2 * changes->room : 64, slot;
    uint32_t *slots = calloc(2 * room, sizeof *slots);
    struct change *list = slots ? realloc(changes->list, room * sizeof *list) : NULL;
    if (!list) { /* what there is stays as it is */
        free(slots);
        return false;
    }
    changes->list = list;
    changes->room = room;
    free(changes->slots);
    changes->slots = slots;
    changes->slot_count = 2 * room;
    for (size_t i = 0; i < changes->count; i++) {
        find_change(changes, &list[i],
                    &slot); /* none is there twice, but for memory writes in order, which are never looked up */
        slots[slot] = (uint32_t)i + 1;
    }
    return true;
}

bool changes_note(struct changes *changes, const struct change *change, bool append)
{
    size_t slot = 0;
    struct change *old = changes->slot_count && !append ? find_change(changes, change, &slot) : NULL;
    if (old) {
        old->value = change->value;
        return true;
    }
    if (changes->count == changes->room && !grow_list(changes))
        return false;
    if (!append) {
        find_change(changes, change, &slot);
        changes->slots[slot] = (uint32_t)changes->count + 1;
    }
    changes->list[changes->count++] = *change;
    return true;
}

void changes_clear(struct changes *changes)
{
    changes->count = 0;
    if (changes->slots)
        memset(changes->slots, 0, changes->slot_count * sizeof *changes->slots);
}

static int compare_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    if (a->space != b->space)
        return (a->space < 0 ? 99 : a->space) - (b->space < 0 ? 99 : b->space);
    if (a->processor != b->processor)
        return a->processor < b->processor ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void changes_sort(struct changes *changes)
{
    size_t kept = 0;
    for (size_t i = 0; i < changes->count; i++)
        if (changes->list[i].value != changes->list[i].before)
            changes->list[kept++] = changes->list[i];
    changes->count = kept;
    if (kept)
        qsort(changes->list, kept, sizeof *changes->list, compare_changes);
}

void changes_free(struct changes *changes)
{
    free(changes->list);
    free(changes->slots);
    *changes = (struct changes){0};
}
