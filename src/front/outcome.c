/* SPDX-License-Identifier: MIT */
#include "front/outcome.h"

#include "front/input.h"
#include "front/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "front/answer.def"
#define ANSWER_PART_STOP
#include <gpucode/answer_rows.h>

const char *stop_reason_name(enum gpucode_stop_reason reason)
{
    static const char *const names[] = {[GPUCODE_STOP_LIMIT] = "limit",     [GPUCODE_STOP_HOOK] = "hook",
                                        [GPUCODE_STOP_IDLE] = "idle",       [GPUCODE_STOP_END] = "end",
                                        [GPUCODE_STOP_HANG] = "hang",       [GPUCODE_STOP_FAULT] = "fault",
                                        [GPUCODE_STOP_UNKNOWN] = "unknown", [GPUCODE_STOP_BREAKPOINT] = "breakpoint"};
    return names[reason];
}

bool stop_has_no_memory(const struct gpucode_stop *stop)
{
    return stop->code && strcmp(stop->code, "machine-memory") == 0;
}

const char *stop_sentence(const struct gpucode_stop *stop)
{
    return stop->text[0] ? stop->text : "the limit of instructions is reached";
}

void stop_tell(struct gpucode_answer *answer, const struct input *input, const struct gpucode_machine *machine,
               const struct gpucode_stop *stop, uint64_t instructions, bool of_processor)
{
    const char *processor = gpucode_machine_processor(machine, stop->processor);
    unsigned section = gpucode_machine_section(machine, stop->processor);
    char near[PLACES_WHERE_MAX], place[PLACES_WHERE_MAX + GPUCODE_NAME_MAX + 48];
    char of[GPUCODE_NAME_MAX + 8] = "";
    if (!gpucode_outline_near(input_outline(input), section, stop->pc, near, sizeof near))
        *near = 0;
    if (of_processor)
        snprintf(of, sizeof of, " of %s", processor);
    snprintf(place, sizeof place, "%s 0x%" PRIx64 "%s%s%s", of_processor ? "word" : "at", stop->pc, of,
             *near ? " in " : "", near);
    gpucode_answer_begin(answer, &fields[STOP]);
    gpucode_answer_text(answer, &fields[STOP_REASON], stop_reason_name(stop->reason));
    gpucode_answer_text(answer, &fields[STOP_CODE], stop->code);
    gpucode_answer_text(answer, &fields[STOP_TEXT], stop_sentence(stop));
    gpucode_answer_text(answer, &fields[STOP_PROCESSOR], processor);
    gpucode_answer_shown(answer, &fields[STOP_PC], stop->pc, place);
    gpucode_answer_text(answer, &fields[STOP_WHERE], *near ? near : NULL);
    gpucode_answer_end(answer);
    gpucode_answer_number(answer, &fields[STOP_INSTRUCTIONS], instructions);
}

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
