/* SPDX-License-Identifier: MIT */
/* What all readers of dumps need: lists, texts, warnings. */
#include "pm4/crash/dump.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void *dump_add(struct gpucode_crash *crash, struct dump_list *list, size_t size)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 16;
        void *items = room <= SIZE_MAX / 2 / size ? realloc(list->items, room * size) : NULL;
        if (!items) {
            crash->no_memory = true;
            return NULL;
        }
        list->items = items;
        list->room = room;
    }
    void *item = (char *)list->items + list->count++ * size;
    memset(item, 0, size);
    return item;
}

void dump_report(const struct gpucode_crash *crash, const char *at, enum message message, va_list args)
{
    struct place place = {.file = crash->file_name};
    if (at && crash->head.format == GPUCODE_CRASH_DEVCOREDUMP) {
        place.text = crash->text;
        place.length = crash->size;
        place.at = at;
    }
    report_v(&crash->on_diagnostic, &place, message, NULL, args);
}

void dump_warn(struct gpucode_crash *crash, const char *at, enum message message, ...)
{
    va_list args;
    if (crash->warnings++ >= DUMP_WARNINGS_MAX)
        return;
    va_start(args, message);
    dump_report(crash, at, message, args);
    va_end(args);
}

const char *dump_text(struct gpucode_crash *crash, const char *text, size_t length)
{
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t' || !text[length - 1]))
        length--;
    if (!length)
        return NULL;
    const char *copy = arena_copy(&crash->arena, text, length);
    crash->no_memory |= !copy;
    return copy;
}

bool crash_is(const struct gpucode_crash *crash, const char *generation)
{
    return crash->head.generation && strcmp(crash->head.generation, generation) == 0;
}
